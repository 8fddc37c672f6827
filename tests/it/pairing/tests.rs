//! Facts on tests.

use super::{facts, library, test_file};

#[test]
fn tests_move_and_change_names() {
    let body = "{ let a = f(1); assert_eq!(a, 2); assert!(a < 3); }";
    let test = |name: &str| format!("#[test]\nfn {name}() {body}\n");
    assert_eq!(
        test_file(&test("old"), &test("new")),
        ["test-renamed tests::t#test old -> tests::t#test new"]
    );
    assert_eq!(
        facts(&[("tests/a.rs", &test("t"))], &[("tests/b.rs", &test("t"))]),
        ["test-moved tests::a#test t -> tests::b#test t"]
    );
    // A module of tests moves as a whole; each test is listed.
    let module = format!(
        "mod tests {{ {} {} }}",
        test("x"),
        test("y").replace("f(1)", "f(2)")
    );
    assert_eq!(
        facts(
            &[
                ("src/lib.rs", format!("mod a;\n#[cfg(test)] {module}").as_str()),
                ("src/a.rs", "")
            ],
            &[
                ("src/lib.rs", "mod a;\n"),
                ("src/a.rs", format!("#[cfg(test)] {module}").as_str())
            ],
        ),
        [
            "test-moved crate::tests#test x -> crate::a::tests#test x",
            "test-moved crate::tests#test y -> crate::a::tests#test y",
        ]
    );
    // Commented out is gone.
    assert_eq!(
        test_file(&test("t"), &format!("/*\n{}*/\nfn main() {{}}", test("t"))),
        ["test-removed tests::t#test t"]
    );
    // The attribute goes while the name changes.
    assert_eq!(
        test_file(&test("old"), &format!("fn new() {body}")),
        ["test-unlinked tests::t#test old -> tests::t#fn new"]
    );
}

#[test]
fn marks_come_and_go() {
    let test = |marks: &str| format!("{marks}\n#[test]\nfn t() {{ assert!(f()); }}\n");
    let key = "tests::t#test t";
    for (before, after, kind) in [
        ("", "#[ignore]", "test-disabled"),
        ("#[ignore]", "", "test-enabled"),
        ("#[ignore]", "#[ignore = \"slow\"]", ""),
        ("", "#[cfg(unix)]", "test-disabled"),
        ("#[cfg(unix)]", "", "test-enabled"),
        ("#[cfg(unix)]", "#[cfg(any())]", "test-disabled"),
        ("", "#[should_panic]", "test-expected-fail"),
        ("#[should_panic]", "", "test-enabled"),
        (
            "#[should_panic(expected = \"x\")]",
            "#[should_panic]",
            "matcher-loosened",
        ),
        ("#[should_panic]", "#[should_panic(expected = \"x\")]", ""),
    ] {
        let expected = if kind.is_empty() {
            Vec::new()
        } else {
            vec![format!("{kind} {key}")]
        };
        assert_eq!(
            test_file(&test(before), &test(after)),
            expected,
            "{before} -> {after}"
        );
    }
}

#[test]
fn lines_that_link_files_in_count_for_their_tests() {
    let checks = "#[test]\nfn one() { assert!(f()); }\nmod deep;\n";
    let deep = "#[test]\nfn two() { assert!(g()); }\n";
    let tree = |lib: &'static str| {
        [
            ("src/lib.rs", lib),
            ("src/checks.rs", checks),
            ("src/checks/deep.rs", deep),
        ]
    };
    let both = |kind: &str| {
        vec![
            format!("{kind} crate::checks#test one"),
            format!("{kind} crate::checks::deep#test two"),
        ]
    };
    let with = "#[cfg(test)] mod checks;";
    assert_eq!(facts(&tree(with), &tree("")), both("test-unlinked"));
    assert_eq!(facts(&tree(""), &tree(with)), both("test-added"));
    let conditional = "#[cfg(test)] #[cfg(unix)] mod checks;";
    assert_eq!(
        facts(&tree(with), &tree(conditional)),
        ["test-disabled crate::checks#test one"]
    );
    assert_eq!(
        facts(&tree(conditional), &tree(with)),
        ["test-enabled crate::checks#test one"]
    );
}

#[test]
fn files_that_move_out_of_sight_take_their_tests_along() {
    let test = "#[test]\nfn t() { let a = f(1); assert_eq!(a, 2); }\n";
    let unlinked = |from: &str, to: &str| [format!("test-unlinked {from}#test t -> {to}#test t")];
    assert_eq!(
        facts(&[("tests/a.rs", test)], &[("tests/old/a.rs", test)]),
        unlinked("tests::a", "tests::old::a")
    );
    let with = "#[cfg(test)] mod checks;";
    assert_eq!(
        facts(
            &[("src/lib.rs", with), ("src/checks.rs", test)],
            &[("src/lib.rs", ""), ("src/old.rs", test)],
        ),
        unlinked("crate::checks", "crate::old")
    );
    // Binaries link files in as well, and conditions on their lines count.
    let tree = |main: &'static str| [("src/main.rs", main), ("src/checks.rs", test)];
    assert_eq!(
        facts(&tree("mod checks;"), &tree("#[cfg(unix)] mod checks;")),
        ["test-disabled crate::checks#test t"]
    );
    let edited = format!("{test}// more\n");
    let changed = [
        ("src/main.rs", "#[cfg(unix)] mod checks;"),
        ("src/checks.rs", edited.as_str()),
    ];
    assert_eq!(
        facts(&tree("mod checks;"), &changed),
        ["test-disabled crate::checks#test t"]
    );
    assert_eq!(
        facts(
            &tree("mod checks;"),
            &[("src/main.rs", ""), ("src/checks.rs", edited.as_str())]
        ),
        ["test-unlinked crate::checks#test t"]
    );
}

#[test]
fn the_manifest_decides_which_files_are_run() {
    let manifest = |more: &str| format!("[package]\nname = \"p\"\nversion = \"0.1.0\"\n{more}");
    let tree = |more: &str| {
        vec![
            ("Cargo.toml", manifest(more)),
            (
                "src/lib.rs",
                "#[cfg(test)] mod tests { #[test] fn unit() { assert!(f()); } }".to_owned(),
            ),
            ("tests/a.rs", "#[test]\nfn a() { assert!(f()); }".to_owned()),
            ("tests/b.rs", "#[test]\nfn b() { assert!(f()); }".to_owned()),
        ]
    };
    let compare = |before: &str, after: &str| facts(&tree(before), &tree(after));
    let all = ["test-unlinked tests::a#test a", "test-unlinked tests::b#test b"];
    assert_eq!(compare("", "autotests = false\n"), all);
    assert_eq!(
        compare("", "autotests = false\n[[test]]\nname = \"a\"\n"),
        all[1..]
    );
    assert_eq!(compare("", "[[test]]\nname = \"b\"\ntest = false\n"), all[1..]);
    assert_eq!(
        compare("", "[lib]\ntest = false\n"),
        ["test-unlinked crate::tests#test unit"]
    );
    assert_eq!(compare("", "description = \"x\"\n"), [""; 0]);
    assert_eq!(
        compare("autotests = false\n", ""),
        all.map(|fact| fact.replace("unlinked", "added"))
    );
}

#[test]
fn doc_examples_are_recognised_by_what_they_hold() {
    let example = |code: &str| format!("/// ```\n/// {code}\n/// ```\n");
    let both = format!(
        "{}{}pub fn f() {{}}",
        example("assert_eq!(p::f(1), 1);"),
        example("assert_eq!(p::g(2), 2);")
    );
    let second = format!("{}pub fn f() {{}}", example("assert_eq!(p::g(2), 2);"));
    assert_eq!(library(&both, &second), ["test-removed crate#fn f > doctest 1"]);
    assert_eq!(library(&second, &both), ["test-added crate#fn f > doctest 1"]);
}
