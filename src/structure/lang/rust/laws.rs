//! What holds for any input: nothing panics, everything ends, layout and line endings do not count.

use proptest::prelude::*;

use super::*;

/// Real files, to be damaged.
const REAL: [&str; 4] = [
    include_str!("items.rs"),
    include_str!("tests.rs"),
    include_str!("body_tests.rs"),
    include_str!("syntax.rs"),
];

/// What is put into a damaged file.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "r#\"",
    "\"#",
    "/*",
    "*/",
    "//",
    "///",
    "```\n",
    "#[",
    "fn ",
    "macro_rules! m ",
    "mod m ",
    "use a::{",
    "\\",
    "\u{e9}",
];

/// Everything that can be asked about a file.
fn scan_all(bytes: &[u8]) {
    let Ok(outline) = Rust.outline(bytes, b"src/a.rs", &Options::default()) else {
        return;
    };
    for unit in &outline.units {
        assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= bytes.len());
        assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
        Rust.test_body(bytes, unit, &[]);
        Rust.tokens(bytes, unit.bytes.clone());
    }
}

/// What pairing compares, without places.
fn essence(source: &str) -> Vec<(String, String, u64, u64, Option<u64>)> {
    let outline = Rust
        .outline(source.as_bytes(), b"src/a.rs", &Options::default())
        .unwrap();
    let unit = |unit: Unit| {
        let body = unit.body.map(|body| body.hash);
        (unit.module, unit.segment.name, unit.signature, unit.value, body)
    };
    outline.units.into_iter().map(unit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_are_scanned_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        scan_all(&bytes);
    }

    #[test]
    fn any_pieces_are_scanned_or_refused(pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..80)) {
        scan_all(pieces.concat().as_bytes());
    }

    #[test]
    fn damaged_files_are_scanned_or_refused(
        file in proptest::sample::select(&REAL[..]),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..40, proptest::sample::select(&PIECES[..])), 1..6),
    ) {
        let mut bytes = file.as_bytes().to_vec();
        for (at, cut, piece) in damage {
            let at = at.index(bytes.len());
            let end = (at + cut).min(bytes.len());
            bytes.splice(at..end, piece.bytes());
        }
        scan_all(&bytes);
    }
}

#[test]
fn line_endings_and_layout_do_not_count() {
    for file in REAL {
        let units = essence(file);
        assert!(units.len() > 3);
        assert_eq!(units, essence(&file.replace('\n', "\r\n")));
    }
    // Those without texts that go over several lines.
    for file in [REAL[0], REAL[3]] {
        let units = essence(file);
        let wide = format!("\t {}", file.replace('\n', "  \n\n\t "));
        assert_eq!(units, essence(&wide.replace(" {  \n", "\n{ // note\n")));
    }
}

#[test]
fn hostile_nesting_is_refused_or_scanned_in_linear_time() {
    let deep =
        |open: &str, close: &str, depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
    let name = "n".repeat(2000);
    for source in [
        deep("mod m {", "}", 4000),
        deep(&format!("mod {name} {{"), "}", 1000),
        deep("impl A for B {", "}", 4000),
        deep("trait A {", "}", 4000),
        format!("use {};", deep("a::{", "}", 4000)),
        format!("#[{}] fn a() {{}}", deep("cfg_attr(a, ", ")", 4000)),
        format!("#[test] fn a() {{ {} }}", deep("assert!(", ")", 4000)),
        format!(
            "#[test] fn a() {{ {} }}",
            "catch_unwind(x).assert_y();".repeat(3000)
        ),
        format!("#[test] fn a() {{ f({}1); }}", "timeout: ".repeat(16_000)),
        format!("#[derive({})] struct A;", "B, ".repeat(20_000)),
        format!("{} #[test] fn a() {{}}", "#![cfg(a)]".repeat(2000)),
        format!("fn a<{}", "<".repeat(50_000)),
        "a!{#[test] fn b() {}}".repeat(5000),
        "mod m { #[derive(A)] struct B:C } mod n { trait D:E }".repeat(2000),
        "macro_rules! m { ($a:ident) => { #[test] fn $a() {} } } m!(x);".repeat(2000),
    ] {
        scan_all(source.as_bytes());
    }
    let too_long = deep(&format!("mod {name} {{"), "}", 4000);
    let fault = Rust
        .outline(too_long.as_bytes(), b"src/a.rs", &Options::default())
        .unwrap_err();
    assert_eq!(fault.reason, crate::model::baseline::UnmeasuredReason::TooDeep);
}
