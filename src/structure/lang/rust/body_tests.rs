//! What the scanner makes of the bodies of small tests.

use super::*;
use crate::structure::outline::Assertion;

/// The body of a test that holds `code`.
fn body(code: &str) -> TestBody {
    let source = format!("#[test]\nfn t() {{\n{code}\n}}");
    let outline = Rust
        .outline(source.as_bytes(), b"tests/x.rs", &Options::default())
        .unwrap_or_else(|fault| panic!("{code}: {fault:?}"));
    Rust.test_body(source.as_bytes(), &outline.units[0], &["same_tree".to_owned()])
}

fn only(code: &str) -> Assertion {
    let mut found = body(code).assertions;
    assert_eq!(found.len(), 1, "{code}: {found:?}");
    found.remove(0)
}

#[test]
fn assertions_are_counted_in_call_position() {
    for (code, count) in [
        (
            "assert_eq!(a, b); assert!(x); debug_assert!(y); prop_assert_eq!(a, b); insta::assert_snapshot!(x, @\"y\");",
            5,
        ),
        ("cmd.assert().success(); x.expect(\"no\"); x.unwrap();", 1),
        (
            "check(x); check_all(x); checked(x); must_not(x); verify::<u8>(y); should(z); expect(q); same_tree(a, b);",
            7,
        ),
        (
            "let assert = 1; // assert!(x)\nlet s = \"assert!(x)\"; fn check(a: u8) {}",
            0,
        ),
        ("assert!(check(x)); assert_all(|x| { assert!(x) });", 3),
        ("expect![[\"x\"]].assert_eq(&y);", 1),
    ] {
        assert_eq!(body(code).assertions.len(), count, "{code}");
    }
    let found = body("let a = 1;\nassert!(\n  a\n);");
    assert_eq!(
        (found.assertions[0].line, found.assertions[0].text.as_str()),
        (4, "assert!( a )")
    );
}

#[test]
fn assertions_that_cannot_fail() {
    for (code, vacuous) in [
        ("assert!(true);", true),
        ("assert!(!false, \"why\");", true),
        ("assert_eq!(f(x), f(x));", true),
        ("assert_eq!(1, 1);", true),
        ("assert!((a == a));", true),
        ("assert!(a || true);", true),
        ("assert!(a && true);", false),
        ("assert!(!(a || true));", false),
        ("assert_eq!(a, b);", false),
        ("assert_ne!(a, a);", false),
        ("assert!(f(true));", false),
    ] {
        assert_eq!(only(code).vacuous, vacuous, "{code}");
    }
}

#[test]
fn subjects_and_ranks() {
    // The same subject throughout each row, strongest first.
    for row in [
        &[
            "assert_eq!(f(a, 'b'), Some(1));",
            "assert!(f(a, 'b').contains(&2));",
            "assert!(f(a, 'b').is_some());",
        ][..],
        &["assert_eq!(3, x.y);", "assert!(x.y > 3);", "assert!(x.y);"],
        &[
            "assert!(f()? == 4, \"{}\", z);",
            "assert_ne!(&f().unwrap(), &3);",
            "assert!(f().is_ok());",
        ],
        &[
            "assert!(v.is_empty());",
            "assert!(matches!(v, [_]));",
            "assert!(!v.is_empty());",
        ],
        &[
            "prop_assert_eq!(a.b::<C<D>>(1), E);",
            "assert!(a.b::<C<D>>(1) != E);",
            "assert!(!a.b::<C<D>>(1));",
        ],
        &[
            "assert_abs_diff_eq!(q, 1.0);",
            "assert_matches!(q, 1.0);",
            "assert_ok!(q);",
        ],
    ] {
        let found: Vec<Assertion> = row.iter().map(|code| only(code)).collect();
        let ranks: Vec<u8> = found.iter().map(|found| found.rank).collect();
        assert_eq!(ranks, [3, 2, 1], "{row:?}");
        assert!(
            found.iter().all(|other| other.subject == found[0].subject),
            "{row:?}: {found:?}"
        );
    }
    assert_ne!(
        only("assert!(a.is_some());").subject,
        only("assert!(b.is_some());").subject
    );
}

#[test]
fn expected_literals_and_snapshots_stand_apart() {
    let same = |a: &str, b: &str| only(a).hash_without_expected == only(b).hash_without_expected;
    assert!(same(
        "assert_eq!(f(1), 3);",
        "assert_eq!(f(1), Some(vec![4, 5]));"
    ));
    assert!(same(
        "assert!(x.starts_with(\"a\"));",
        "assert!(x.starts_with(\"b\"));"
    ));
    assert!(!same("assert_eq!(f(1), 3);", "assert_eq!(f(2), 3);"));
    assert!(!same("assert_eq!(f(1), x);", "assert_eq!(f(1), y);"));
    let code = |text: &str| {
        format!("insta::assert_snapshot!(out, @\"{text}\"); expect![[r#\"\n  {text}\n\"#]].assert_eq(&out);")
    };
    let (a, b) = (body(&code("one")), body(&code("two")));
    let hashes = |body: &TestBody| body.assertions.iter().map(|found| found.hash).collect::<Vec<_>>();
    assert_eq!(hashes(&a), hashes(&b));
    let texts: Vec<&str> = a.snapshots.iter().map(|found| found.text.as_str()).collect();
    assert_eq!(texts, ["one", "one"]);
    assert_eq!(a.snapshots[1].line, 3);
}

#[test]
fn tolerances_are_read_with_their_direction() {
    for (code, numbers) in [
        ("assert_relative_eq!(a, b, epsilon = 1e-6);", &[1e-6][..]),
        ("assert!((a - b).abs() <= 0.5_f64);", &[0.5]),
        ("assert!(near(a).within(3).digits(2));", &[3.0, 2.0]),
        ("assert_eq!(a, 5);", &[]),
    ] {
        let found: Vec<f64> = only(code)
            .tolerances
            .numbers
            .iter()
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(found, numbers, "{code}");
    }
    let found = body("let x = 1;\nrun().timeout(Duration::from_secs(30));\nassert!(x);").tolerances;
    assert_eq!((found.len(), found[0].line, found[0].numbers[0].0), (1, 4, 30.0));
}

#[test]
fn ways_around_assertions() {
    for (code, text) in [
        ("if ci() { return; } assert!(x);", Some("return")),
        (
            "if ci() { log(); std::process::exit(0) } assert!(x);",
            Some("exit(0)"),
        ),
        (
            "let Some(x) = y else { return Ok(()) }; assert!(x);",
            Some("return Ok(())"),
        ),
        ("if a { b() } else if c { return } assert!(x);", Some("return")),
        ("return; assert!(x);", Some("return")),
        ("assert!(x); return;", None),
        ("if a { return Err(b); } assert!(x);", None),
        (
            "let f = || { return 1; }; for a in b { return; } assert!(x);",
            None,
        ),
    ] {
        let found = body(code).early_return.map(|mark| mark.text);
        assert_eq!(found.as_deref(), text, "{code}");
    }
    for (code, swallowed) in [
        ("let _ = std::panic::catch_unwind(|| { assert!(x); });", true),
        ("catch_unwind(|| assert!(x)).ok();", true),
        (
            "if let Err(e) = catch_unwind(|| assert!(x)) { println!(\"{e:?}\") }",
            true,
        ),
        (
            "if let Err(e) = catch_unwind(|| assert!(x)) { resume_unwind(e) }",
            false,
        ),
        ("catch_unwind(|| assert!(x)).unwrap();", false),
        ("let r = catch_unwind(|| assert!(x)); r.unwrap();", false),
        ("let r = catch_unwind(|| assert!(x));", true),
        ("assert!(x);", false),
    ] {
        assert_eq!(only(code).swallowed, swallowed, "{code}");
    }
    for (code, empty) in [
        ("", true),
        ("// TODO\ntodo!()", true),
        ("unimplemented!(\"later\");", true),
        ("return;", true),
        ("Ok(())", true),
        ("todo!(); f();", false),
        ("f()", false),
    ] {
        assert_eq!(body(code).empty, empty, "{code}");
    }
    assert_eq!(
        body("a::b(c(1)); d.e(); f::<G>(); h!(i); fn j() {} K { l: m }").calls,
        ["b", "c", "e", "f", "h"]
    );
}

#[test]
fn examples_are_read_without_comment_signs() {
    let source = "/// ```\n/// # use a::b;\n/// assert_eq!(b(2), 4);\n/// ```\npub fn b() {}";
    let outline = Rust
        .outline(source.as_bytes(), b"src/lib.rs", &Options::default())
        .unwrap();
    let body = Rust.test_body(source.as_bytes(), &outline.units[1], &[]);
    assert_eq!((body.assertions.len(), body.assertions[0].line), (1, 3));
    assert_eq!(body.assertions[0].hash, only("assert_eq!(b(2), 4);").hash);
}
