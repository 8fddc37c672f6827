//! Tables: what stands in a file, and what is found in it.

use super::TypeScript;
use crate::structure::outline::{FileOutline, Options, Outline, Role, TestBody, Visibility};

fn outline(path: &str, text: &str) -> FileOutline {
    TypeScript
        .outline(text.as_bytes(), path.as_bytes(), &Options::default())
        .unwrap_or_else(|degraded| panic!("{degraded:?}\n{text}"))
}

/// The units as keys show them; what is not public stands in parentheses.
fn units(path: &str, text: &str) -> Vec<String> {
    let outline = outline(path, text);
    let shown = outline
        .units
        .iter()
        .filter(|unit| unit.role != Role::Suite)
        .map(|unit| {
            let chain = unit.chain.iter().chain([&unit.segment]);
            let parts: Vec<String> = chain.map(|part| format!("{} {}", part.kind, part.name)).collect();
            let key = parts.join(" > ");
            match unit.visibility {
                Visibility::Public => key,
                Visibility::Protected => format!("~{key}"),
                Visibility::Narrow => format!("({key})"),
            }
        });
    shown.collect()
}

#[test]
fn declarations_and_exports() {
    for (text, expected) in [
        (
            "export const { a, b: [c, ...d], ...e } = x, f = () => 1",
            "value a, value c, value d, value e, function f",
        ),
        ("const x = 1\nexport { x as y, x as 'z w' }", "value y, value z w"),
        (
            "import a, { b as c } from 'm'; export { a, c as d }",
            "reexport a, reexport d",
        ),
        (
            "export * from './m'\nexport * as n from './m'\nexport type { T } from './t'",
            "reexport * from ./m, reexport n, reexport T",
        ),
        (
            "export default class extends B { m() {} }",
            "class default, class default > method m",
        ),
        ("const f = function () {}\nexport default f", "function default"),
        ("export = x\ndeclare function x(): void", "function default"),
        (
            "export namespace a.b { export const c = 1; const d = 2 }",
            "namespace a, namespace a > namespace b, namespace a > namespace b > value c, (namespace a > namespace b > value d)",
        ),
        (
            "declare global { interface W { a: 1 } }",
            "namespace global, namespace global > interface W, namespace global > interface W > property a",
        ),
        (
            "export class C { constructor(private a: number, readonly b = 2) {} protected p() {} #q = 1 }",
            "class C, class C > method constructor, (class C > property a), class C > property b, ~class C > method p, (class C > property #q)",
        ),
        (
            "export interface I { (x: 1): 2; new (): I; [k: string]: 3; get g(): 4; m?<T>(): T }",
            "interface I, interface I > method (), interface I > method new, interface I > property [string], interface I > accessor g, interface I > method m",
        ),
        (
            "export const enum E { A, 'B-C' = 2 }",
            "enum E, enum E > member A, enum E > member B-C",
        ),
        (
            "export function f(a: 1): 1\nexport function f(a: 2): 2\nexport function f(a: any) {}",
            "function f, function f",
        ),
        (
            "if (x) { exports.a = 1 } else { exports.a = 2 }\nexports.b = exports.c = void 0\nexports.b = () => 1",
            "value a, function b",
        ),
        (
            "module.exports = { a, b() {}, 'c-d': function () {}, get e() { return 1 }, ...f }\nclass a { m() {} }",
            "function b, function c-d, function e, class a, class a > method m",
        ),
        (
            "const m = new Map<string, Array<number>>(), n = 1\nexport { m, n }",
            "value m, value n",
        ),
        (
            "export let a: (x: number, y: string) => { z: 1 }\nexport const b = <T extends object>(x: T): x is T => true",
            "value a, function b",
        ),
        (
            "label: for (;;) {}\nexport abstract class A<T = {}> implements B<{}> { abstract x: T\n declare y\n z }",
            "class A, class A > property x, class A > property y, class A > property z",
        ),
    ] {
        let mut found = units("src/a.ts", text);
        let mut wanted: Vec<&str> = expected.split(", ").collect();
        found.sort();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn what_slashes_and_angle_brackets_mean() {
    for text in [
        "const a = b / c / d, e = /[/'\"`]/g.test(f) ? 1 / 2 : (g) / 2",
        "if (x) /'/.test(y)\nfor (;;) /`/.exec(z)",
        "const a = x++ / 2 /* ' */ / 3, b = y! / 2",
        "const t = `a${`b${{ c: '}' }.c}`}d`, u = tag`\\``",
        "function f() { return /}/ }\nconst o = {} / 1",
        "const j = <p title=\"it's\" {...x}>Don't {y ? <b>'</b> : `\"`} <></> // text\n</p>",
        "const g = <T,>(x: T) => x, h = a < b, i = <T extends U>(x: T): Map<T, U> => new Map<T, U>()",
        "const k = <Foo<string> render={() => <i/>} />",
        "x = a ? <T/> : <U>{/* ' */}</U>",
    ] {
        let found = units("a.tsx", &format!("{text}\nexport const last = 1\n"));
        assert!(found.contains(&"value last".to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn suites_and_tests() {
    for (text, expected) in [
        (
            "describe('a', () => { it('b', f); xit(`c ${d} e`, () => {}); test.only('f', () => {}) })",
            "suite a > test b; suite a > test c ${} e !; suite a > test f *",
        ),
        (
            "describe.skip('a', function () { it('b', () => {}) })",
            "suite a > test b !",
        ),
        (
            "describe(Foo.name, () => { it(title + 'x', () => {}) })",
            "suite =Foo.name > test =title+'x'",
        ),
        (
            "test.describe('a', () => { test.skip(); test('b', async ({ page }) => {}) })",
            "suite a > test b !",
        ),
        (
            "test('a', { todo: true }, () => {})\ntest('b', { skip: false }, () => {})",
            "test a !; test b",
        ),
        (
            "test('a', async (t) => { await t.test('b', () => {}) })",
            "test a; test a > test b",
        ),
        ("(process.env.CI ? it : it.skip)('a', () => {})", "test a ?"),
        (
            "if (x) it('a', () => {}); else { it('b', () => {}) }\nit('c', () => {})",
            "test a ?; test b ?; test c",
        ),
        (
            "it.failing('a', () => {})\ntest('b', () => { test.fail(); })",
            "test a -; test b -",
        ),
        ("for (const x of y) { it('a ' + x, () => {}) }", "test ='a '+x"),
        ("it('it\\'s \\\"x\\\"', () => {})", "test it's \"x\""),
        ("it('a')\nit.todo('b')", "test a !; test b !"),
        (
            "Deno.test('a', () => {})\nregex.test('b')\nfoo.it('c', () => {})",
            "test a",
        ),
        ("it('a', fakeAsync(() => { expect(1).toBe(2) }))", "test a"),
    ] {
        let outline = outline("a.test.js", text);
        let tests = outline
            .units
            .iter()
            .filter(|unit| unit.role == Role::Test)
            .map(|unit| {
                let chain = unit.chain.iter().chain([&unit.segment]);
                let parts: Vec<String> = chain.map(|part| format!("{} {}", part.kind, part.name)).collect();
                let marks = [
                    (!unit.marks.disabled.is_empty(), " !"),
                    (!unit.marks.focused.is_empty(), " *"),
                    (!unit.marks.conditional.is_empty(), " ?"),
                    (!unit.marks.expected_fail.is_empty(), " -"),
                ];
                let marks: String = marks
                    .into_iter()
                    .filter(|(there, _)| *there)
                    .map(|(_, mark)| mark)
                    .collect();
                parts.join(" > ") + &marks
            });
        assert_eq!(tests.collect::<Vec<_>>().join("; "), expected, "{text}");
    }
}

fn body(statements: &str) -> TestBody {
    let text = format!("it('a', async (t) => {{\n{statements}\n}})");
    let outline = outline("a.test.ts", &text);
    let unit = outline.units.iter().find(|unit| unit.role == Role::Test).unwrap();
    TypeScript.test_body(text.as_bytes(), unit, &["expectSame".to_owned()])
}

#[test]
fn assertions_and_their_ranks() {
    for (statement, ranks, vacuous) in [
        ("expect(a).toBe(1)", &[3][..], false),
        ("expect(a).not.toBe(1)", &[2], false),
        ("await expect(a).resolves.toMatchObject({ b: 1 })", &[2], false),
        ("expect(a).not.toBeNull()", &[1], false),
        ("expect(true).toBe(true)", &[3], true),
        ("expect(a.b).toEqual(a.b)", &[3], true),
        (
            "assert.strictEqual(a, 1); assert.ok(b); assert(c > 1)",
            &[3, 1, 2],
            false,
        ),
        ("assert(x || true)", &[1], true),
        ("t.is(a, 1); t.plan(1); t.diagnostic('x')", &[3], false),
        ("expectSame(a, b); check(c); checked(d)", &[0, 0], false),
        ("cy.get('a').should('have.length', 3)", &[2], false),
        (
            "expect(() => { expect(b).toBe(1) }).not.toThrow()",
            &[0, 3],
            false,
        ),
        ("const s = 'expect(1)' // expect(2)", &[], false),
    ] {
        let body = body(statement);
        let found: Vec<u8> = body.assertions.iter().map(|assertion| assertion.rank).collect();
        assert_eq!(found, ranks, "{statement}");
        assert_eq!(
            body.assertions.iter().any(|assertion| assertion.vacuous),
            vacuous,
            "{statement}"
        );
    }
}

#[test]
fn ways_around_assertions() {
    let early = |text| body(text).early_return.map(|mark| (mark.line, mark.text));
    assert_eq!(
        early("if (a) return\nexpect(b).toBe(1)"),
        Some((2, "return".to_owned()))
    );
    assert_eq!(
        early("if (a) { return; }\nexpect(b).toBe(1)"),
        Some((2, "return".to_owned()))
    );
    assert_eq!(early("return expect(b).resolves.toBe(1)"), None);
    assert_eq!(early("expect(b).toBe(1)\nreturn"), None);
    assert!(body("t.skip('later')\nexpect(a).toBe(1)").skip.is_some());
    assert!(body("expect(a).toBe(1)\nthis.skip()").skip.is_none());
    let swallowed = |text| body(text).assertions[0].swallowed;
    assert!(swallowed(
        "try { expect(a).toBe(1) } catch (e) { console.log(e) }"
    ));
    assert!(!swallowed("try { expect(a).toBe(1) } catch (e) { throw e }"));
    assert!(!swallowed("try { expect(a).toBe(1) } finally { b() }"));
    assert!(body("// nothing").empty && body("return;").empty && !body("a()").empty);
    assert_eq!(
        body("expect(a).toMatchInlineSnapshot(`\n  b\n`)").snapshots[0].text,
        "  b".trim_start()
    );
    assert_eq!(
        body("f(); expect(g(h())).toBe(1)").calls,
        ["expect", "f", "g", "h"]
    );
}

#[test]
fn members_of_a_signature_in_another_writing_are_the_same() {
    let signature = |text: &str| outline("a.ts", text).units[0].signature;
    for (left, right, same) in [
        (
            "export function f(a: number, b?: string): void {}",
            "export const f = (x: number, y?: string): void => {}",
            true,
        ),
        (
            "export type T = 'a' | 'b'",
            "export type T =\n  | \"a\"\n  | \"b\"",
            true,
        ),
        (
            "export function f(o: { a: 1; b: 2 }) {}",
            "export function f(o: {\n a: 1,\n b: 2,\n}) {}",
            true,
        ),
        (
            "export function f({ a, b }: O) {}",
            "export function f({ b, a }: O) {}",
            true,
        ),
        ("export function f(a = 1) {}", "export function f(a = 2) {}", true),
        (
            "export function f(a: A | B) {}",
            "export function f(a: A & B) {}",
            false,
        ),
        (
            "export function f(a: Map<A, B> | C) {}",
            "export function f(a: Map<A, B> & C) {}",
            false,
        ),
        ("export function f(a: 1) {}", "export function f(a?: 1) {}", false),
        (
            "export function f(...a: 1[]) {}",
            "export function f(a: 1[]) {}",
            false,
        ),
        ("export async function f() {}", "export function f() {}", false),
        ("export function* f() {}", "export function f() {}", false),
    ] {
        assert_eq!(signature(left) == signature(right), same, "{left} / {right}");
    }
}
