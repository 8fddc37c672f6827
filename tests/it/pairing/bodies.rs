//! What bodies of paired tests check less.

use git_review_gate::model::baseline::SurfaceMode;
use git_review_gate::model::fact::FactKind;

use super::support::{Files, difference};
use super::{library, test_file};

/// The kinds of facts on the test `t` between two bodies.
fn kinds(before: &str, after: &str) -> Vec<&'static str> {
    let file = |body: &str| Files::new(&[("tests/t.rs", format!("#[test]\nfn t() {{ {body} }}\n"))]);
    let found = difference(&file(before), &file(after), SurfaceMode::Reachable);
    found.facts.iter().map(|fact| fact.kind.word()).collect()
}

#[test]
fn bodies_that_check_less() {
    let two = "let v = f(); assert_eq!(v.len(), 2); assert!(v.ok());";
    for (before, after, expected) in [
        (two, "todo!()", &["test-emptied"][..]),
        (two, "", &["test-emptied"]),
        ("f();", "", &["test-emptied"]),
        (two, "let v = f(); assert!(v.ok());", &["assertions-fewer"]),
        (two, "let v = f(); assert!(v.ok()); assert_eq!(v.len(), 2);", &[]),
        (two, "let w = f(); assert_eq!(w.len(), 2); assert!(w.ok());", &[]),
        (
            two,
            "let v = f(); assert_eq!(v.len(), 3); assert!(v.ok());",
            &["expected-changed"],
        ),
        (
            two,
            "let v = f(); assert!(v.len() > 1); assert!(v.ok());",
            &["matcher-loosened"],
        ),
        (
            two,
            "let v = f(); assert_eq!(v.len(), 2); assert!(v.ok()); assert!(true);",
            &["assertion-vacuous"],
        ),
        (
            two,
            "return; let v = f(); assert_eq!(v.len(), 2); assert!(v.ok());",
            &["early-return"],
        ),
        (
            two,
            "let _ = std::panic::catch_unwind(|| { let v = f(); assert_eq!(v.len(), 2); assert!(v.ok()); });",
            &["failure-swallowed"],
        ),
        (
            "assert!(true); assert!(f());",
            "assert!(true); assert!(f() && g());",
            &[],
        ),
        ("// assert!(a)\nassert!(f());", "assert!(f());", &[]),
    ] {
        assert_eq!(kinds(before, after), expected, "{before} -> {after}");
    }
}

#[test]
fn an_emptied_test_is_nothing_but_that() {
    let test = |more: &str, body: &str| format!("#[rstest]\n{more}\nfn t() {{ {body} }}\n");
    assert_eq!(
        test_file(
            &test(
                "#[case(1)]\n#[case(2)]\n#[should_panic(expected = \"x\")]",
                "assert_eq!(f(), 1); g();"
            ),
            &test("#[case(1)]\n#[should_panic]", "todo!()"),
        ),
        ["test-emptied tests::t#test t"]
    );
}

#[test]
fn assertions_are_credited_where_they_reappear() {
    let test = |name: &str, body: &str| format!("#[test]\nfn {name}() {{ {body} }}\n");
    let (a, b) = ("assert_eq!(f(1), 1);", "assert_eq!(g(2), 2);");
    let both = test("t", &format!("{a} {b}"));
    let left = test("t", a);
    // Each new place pays once.
    let twice = format!("{both}{}", test("u", &format!("f(7); {a} {b}")));
    let split = format!(
        "{left}{}{}",
        test("u", &format!("f(7); {a}")),
        test("v", &format!("g(8); {b}"))
    );
    assert_eq!(
        test_file(&twice, &split),
        ["assertions-fewer tests::t#test u", "test-added tests::t#test v"]
    );
    // Into a helper, which counts for the test that calls it.
    let helper = format!("fn check() {{ {b} }}\n");
    assert_eq!(
        test_file(&both, &format!("{helper}{}", test("t", &format!("{a} check();")))),
        [""; 0]
    );
    // A helper that loses its assertion weakens a test that did not change.
    let calls = test("t", &format!("{a} check();"));
    assert_eq!(
        test_file(
            &format!("{helper}{calls}"),
            &format!("fn check() {{ g(2); }}\n{calls}")
        ),
        ["assertions-fewer tests::t#test t"]
    );
    // A test of the same name elsewhere is not weaker for it.
    assert_eq!(
        test_file(
            &format!("{helper}{left}"),
            &format!("fn check() {{ g(2); }}\n{left}")
        ),
        [""; 0]
    );
}

#[test]
fn checks_of_the_tested_code_are_not_those_of_its_tests() {
    let file = |check: &str| {
        format!(
            "pub fn total(x: u8) -> u8 {{ {check} x }}\n#[cfg(test)] mod tests {{ #[test] fn t() {{ assert_eq!(super::total(1), 1); }} }}"
        )
    };
    assert_eq!(library(&file("assert!(x > 0);"), &file("")), [""; 0]);
}

#[test]
fn rows_and_snapshots_are_compared_one_by_one() {
    let rows = |rows: &str| format!("#[rstest]\n{rows}\nfn t(#[case] a: u8) {{ assert!(f(a)); }}\n");
    let key = "tests::t#test t";
    for (before, after, kind) in [
        ("#[case(1)]#[case(2)]", "#[case(2)]", "rows-removed"),
        ("#[case(1)]#[case(2)]", "#[case(2)]#[case(3)]", "rows-changed"),
        ("#[case(1)]#[case(2)]", "#[case(2)]#[case(1)]#[case(3)]", ""),
        ("#[case(1)]#[case(1)]", "#[case(1)]#[case(2)]", "rows-changed"),
    ] {
        let expected = if kind.is_empty() {
            Vec::new()
        } else {
            vec![format!("{kind} {key}")]
        };
        assert_eq!(
            test_file(&rows(before), &rows(after)),
            expected,
            "{before} -> {after}"
        );
    }
    let file = |texts: &[&str]| {
        let lines: Vec<String> = texts
            .iter()
            .map(|text| format!("insta::assert_snapshot!(f(), @\"{text}\");"))
            .collect();
        Files::new(&[(
            "tests/t.rs",
            format!("#[test]\nfn t() {{\n{}\n}}\n", lines.join("\n")),
        )])
    };
    let found = difference(
        &file(&["a", "b", "c"]),
        &file(&["b", "d"]),
        SurfaceMode::Reachable,
    );
    let golden: Vec<_> = found
        .facts
        .iter()
        .filter(|fact| fact.kind != FactKind::AssertionsFewer)
        .map(|fact| format!("{} {}", fact.kind.word(), fact.key))
        .collect();
    assert_eq!(
        golden,
        [
            "golden-removed rust:tests::t#test t > inline 1",
            "golden-changed rust:tests::t#test t > inline 3",
        ]
    );
    let changed = found
        .facts
        .iter()
        .find(|fact| fact.kind == FactKind::GoldenChanged)
        .unwrap();
    assert_eq!(
        changed
            .before
            .as_ref()
            .map(|span| (span.line, span.text.as_str())),
        Some((5, "c"))
    );
    assert_eq!(
        changed.after.as_ref().map(|span| (span.line, span.text.as_str())),
        Some((4, "d"))
    );
}

#[test]
fn tolerances_may_only_tighten() {
    for (before, after, expected) in [
        (
            "assert!(within(a, b, 1));",
            "assert!(within(a, b, 2));",
            &["tolerance-loosened"][..],
        ),
        ("assert!(within(a, b, 2));", "assert!(within(a, b, 1));", &[]),
        (
            "let timeout = 5; assert!(f());",
            "let timeout = 50; assert!(f());",
            &["tolerance-loosened"],
        ),
        ("sleep(5); assert!(f());", "sleep(1); assert!(f());", &[]),
    ] {
        assert_eq!(kinds(before, after), expected, "{before} -> {after}");
    }
}
