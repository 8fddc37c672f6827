//! Laws of the scanner: nothing panics, and what means nothing changes nothing.

use proptest::prelude::*;

use super::TypeScript;
use crate::structure::outline::{FileOutline, Options, Outline, Role};

/// Pieces that meet in odd ways.
const PIECES: [&str; 60] = [
    "export ",
    "default ",
    "function ",
    "class ",
    "interface ",
    "type ",
    "enum ",
    "namespace ",
    "declare ",
    "const ",
    "let ",
    "import ",
    "from ",
    "'m'",
    "\"s\"",
    "`t`",
    "`a${",
    "}`",
    "`",
    "'",
    "\"",
    "/",
    "//",
    "/*",
    "*/",
    "/[/]/",
    "<",
    ">",
    "</",
    "/>",
    "<div>",
    "</div>",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "=>",
    "=",
    ":",
    "?",
    ".",
    ",",
    ";",
    "\n",
    "@",
    "#x",
    "*",
    "a",
    "b ",
    "it('x', () => {",
    "})",
    "expect(a).toBe(1)",
    "describe('s', ",
    "if (a) ",
    "module.exports = ",
    "exports.a = ",
    "async ",
    "<T,>(x)",
];

fn scan(text: &str) -> Option<FileOutline> {
    let outline = TypeScript
        .outline(text.as_bytes(), b"src/a.test.tsx", &Options::default())
        .ok()?;
    for unit in &outline.units {
        assert!(unit.bytes.end <= text.len() && unit.bytes.start <= unit.bytes.end);
        assert!(unit.lines.0 <= unit.lines.1, "{unit:?}");
        if unit.role == Role::Test {
            let _ = TypeScript.test_body(text.as_bytes(), unit, &[]);
        }
        let _ = TypeScript.tokens(text.as_bytes(), unit.bytes.clone());
    }
    Some(outline)
}

proptest! {
    #[test]
    fn any_order_of_pieces_is_survived(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        scan(&text);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = TypeScript.outline(&bytes, b"src/a.js", &Options::default());
    }

    #[test]
    fn comments_and_semicolons_mean_nothing(at in 0_usize..6, comment in "[a-z '\"`(){}]{0,12}") {
        let statements = [
            "export function f(a: number, b = 2): string { return `${a}/${b}` }",
            "export class C<T> extends B { #x = 1; static y?: T; get z() { return this.#x / 2 } }",
            "export const g = async <T,>(x: T) => x",
            "export interface I { (a: string): void; new (): I; [key: string]: unknown; p?: () => void }",
            "export type U = | 'a' | { b: [number, ...string[]] }",
            "describe('s', () => { it('t', () => { expect(f(1)).toBe('1/2') }) })",
        ];
        let plain = statements.join("\n");
        let mut other: Vec<String> = statements.iter().map(|statement| format!("{statement};")).collect();
        other[at] = format!("/* {comment} */ {} // {comment}", other[at]);
        let facts = |text: &str| {
            let units = scan(text).unwrap().units;
            units
                .into_iter()
                .map(|unit| (unit.chain, unit.segment, unit.signature, unit.value, unit.body.map(|body| body.hash)))
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(facts(&plain), facts(&other.join("\n")));
    }
}

#[test]
fn hostile_input_takes_linear_time() {
    // Each of these makes a search that starts anew at every place take too long.
    for piece in [
        "a<", "/a[/", "`${", "<a>", "x ? y : ", "f(", "=> ", "{", "import(", "t.test('", "if (a) ", "\"\\",
    ] {
        let time = |count: usize| {
            let text = piece.repeat(count);
            let tokens = TypeScript.outline(text.as_bytes(), b"a.tsx", &Options::default());
            tokens.map_or(0, |outline| outline.units.len())
        };
        // The law of `any_order_of_pieces_is_survived`, for one piece very often.
        let _ = time(100_000);
    }
}
