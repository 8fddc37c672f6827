//! What the options of the command and the keys of `[baseline]` do, each shown by a change that only it decides.

use serde_json::Value;

use super::history::{Files, commit_trees, files};
use crate::support::{Repo, World};

const POLICY: &str = ".review-gate.toml";

/// A repository in which every measured file lost something.
fn losses(world: &World, name: &str) -> (Repo, Vec<String>) {
    let before = files([
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("src/lib.rs", "pub fn a() {}\npub fn b() {}\nmod inner;\n"),
        ("src/inner.rs", "pub fn hidden() {}\npub fn other() {}\n"),
        (
            "shop/cart.py",
            "def total():\n    return 1\n\ndef count():\n    return 2\n",
        ),
        ("testdata/out.golden", "1\n"),
    ]);
    let after = files([
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("src/lib.rs", "pub fn a() {}\nmod inner;\n"),
        ("src/inner.rs", "pub fn other() {}\n"),
        ("shop/cart.py", "def total():\n    return 1\n"),
        ("testdata/out.golden", "2\n"),
    ]);
    let repo = world.repo(name);
    let commits = commit_trees(&repo, &[&before, &after]);
    repo.git(["reset", "-q", "--hard"]);
    (repo, commits)
}

fn keys(answer: &Value) -> Vec<String> {
    let list = answer["facts"].as_array().expect("facts");
    list.iter()
        .map(|fact| fact["key"].as_str().expect("a key").to_owned())
        .collect()
}

const RUST: &str = "rust:crate#fn b";
const HIDDEN: &str = "rust:crate::inner#fn hidden";
const PYTHON: &str = "python:shop.cart#def count";
const GOLDEN: &str = "file:testdata/out.golden";

#[test]
fn options_choose_what_is_compared() {
    let world = World::new();
    let (repo, commits) = losses(&world, "losses");
    let rows: &[(&[&str], &[&str])] = &[
        (&[], &[PYTHON, RUST, GOLDEN]),
        (&["--surface", "reachable"], &[PYTHON, RUST, GOLDEN]),
        (&["--surface", "declared"], &[PYTHON, HIDDEN, RUST, GOLDEN]),
        (&["--lang", "rust"], &[RUST, GOLDEN]),
        (&["--lang", "python"], &[PYTHON, GOLDEN]),
        (&["--lang", "rust", "--lang", "python"], &[PYTHON, RUST, GOLDEN]),
        (&["--lang", "ts"], &[GOLDEN]),
        (&["--path", "src/**"], &[RUST]),
        (&["--path", "*.rs", "--path", "*.py"], &[PYTHON, RUST]),
        (&["--path", "**", "--path", "!shop/**"], &[RUST, GOLDEN]),
        (&["--path", "testdata/", "--lang", "go"], &[GOLDEN]),
    ];
    for (args, expected) in rows {
        let call = repo.gate(["baseline", &commits[0], "--json"]);
        let answer = call.args(*args).run().code(0).json();
        assert_eq!(keys(&answer), *expected, "{args:?}");
    }
    let answer = repo
        .gate(["baseline", &commits[0], "--json", "--path", "docs/**"])
        .run()
        .code(2)
        .json();
    assert_eq!(answer["verdict"], "NOTHING MEASURED");
    for args in [
        ["--lang", "cobol"],
        ["--path", "[a"],
        ["--surface", "all"],
        ["--format", "xml"],
    ] {
        let ran = repo.gate(["baseline", &commits[0]]).args(args).run().code(2);
        assert!(ran.stderr.starts_with("error: "), "{args:?}: {ran}");
    }
}

#[test]
fn tip_compares_the_base_itself() {
    let world = World::new();
    let repo = world.repo("tip");
    let lib = |names: &[&str]| -> Files {
        let text: String = names
            .iter()
            .fold(String::new(), |text, name| text + "pub fn " + name + "() {}\n");
        files([("src/lib.rs", text)])
    };
    let commits = commit_trees(&repo, &[&lib(&["a"]), &lib(&["a", "theirs"])]);
    repo.git(["checkout", "-q", "-b", "topic", &commits[0]]);
    repo.write("src/lib.rs", "pub fn a() {}\npub fn ours() {}\n");
    repo.commit("Ours");
    let measured = |args: &[&str]| {
        let call = repo.gate(["baseline", "main", "--json"]);
        call.args(args).run().code(0).json()
    };
    let plain = measured(&[]);
    assert_eq!(keys(&plain), ["rust:crate#fn ours"]);
    assert_eq!(plain["range"]["mode"], "merge-base");
    let tip = measured(&["--tip"]);
    assert_eq!(keys(&tip), ["rust:crate#fn theirs", "rust:crate#fn ours"]);
    assert_eq!(tip["range"]["mode"], "tip");
}

#[test]
fn every_format_tells_the_same_facts() {
    let world = World::new();
    let (repo, commits) = losses(&world, "losses");
    for (format, begins) in [
        (
            "human",
            "STRUCTURAL DRIFT DETECTED: 2 api-removed, 1 golden-changed\n",
        ),
        (
            "text",
            "VERDICT: STRUCTURAL DRIFT DETECTED: 2 api-removed, 1 golden-changed\nSTATUS: COMPUTED\n",
        ),
        (
            "json",
            "{\n  \"schema\": \"review-gate/baseline\",\n  \"version\": 1,\n",
        ),
        ("markdown", ""),
    ] {
        let call = repo.gate(["baseline", &commits[0], "--exit-code", "--format", format]);
        let ran = call.run().code(1);
        assert!(ran.stdout.starts_with(begins), "{format}: {ran}");
        assert!(ran.stdout.ends_with('\n'));
        for part in [
            "STRUCTURAL DRIFT DETECTED",
            "fn b",
            "def count",
            "out.golden",
            "api-removed",
            "golden-changed",
        ] {
            assert!(ran.stdout.contains(part), "{format}: {part} in {ran}");
        }
    }
}

/// The table before, the table after that measures less, and the rule that names it.
const RELAXED: [(&str, &str, &str); 10] = [
    ("", "exclude = [\"shop/**\"]", "exclude shop/**"),
    ("", "not_golden = [\"*.golden\"]", "not_golden *.golden"),
    ("", "drift = [\"test-removed\"]", "drift without test-unlinked"),
    (
        "drift = [\"default\", \"api-widened\"]",
        "",
        "drift without api-widened",
    ),
    ("include = [\"vendor/**\"]", "", "include without vendor/**"),
    ("golden = [\"docs/*.out\"]", "", "golden without docs/*.out"),
    ("helpers = [\"expectSame\"]", "", "helpers without expectSame"),
    ("surface = \"declared\"", "", "surface reachable"),
    (
        "test_files = { python = [\"check_*.py\"] }",
        "",
        "test_files without python check_*.py",
    ),
    (
        "[[baseline.probe]]\nname = \"help\"\ncommand = [\"tool\"]",
        "",
        "probe help changed",
    ),
];

#[test]
fn a_policy_that_measures_less_is_a_fact_and_one_that_measures_more_is_a_note() {
    let world = World::new();
    let tree = |table: &str| files([(POLICY, format!("version = 1\n[baseline]\n{table}\n"))]);
    for (number, (strict, loose, rule)) in RELAXED.into_iter().enumerate() {
        let repo = world.repo(&format!("policy-{number}"));
        let commits = commit_trees(&repo, &[&tree(strict), &tree(loose), &tree(strict)]);
        let measured = |base: &str, head: &str| {
            let ran = repo.gate(["baseline", base, head, "--json"]).run();
            ran.json()["facts"][0].clone()
        };
        let relaxed = measured(&commits[0], &commits[1]);
        assert_eq!(relaxed["kind"], "guardrail-changed", "{rule}");
        assert_eq!((&relaxed["tier"], &relaxed["drift"]), (&"E".into(), &true.into()));
        assert_eq!(relaxed["detail"]["rule"], rule);
        let tightened = measured(&commits[1], &commits[2]);
        assert_eq!(tightened["kind"], "guardrail-touched", "{rule}");
    }
}

/// A table, the one path that it decides about, before and after, and what is found with it and without it.
type Key = (&'static str, &'static str, [&'static str; 2], [&'static str; 2]);

const KEYS: [Key; 8] = [
    (
        "surface = \"declared\"",
        "src/inner.rs",
        ["pub fn a() {}\n", "fn a() {}\n"],
        ["api-narrowed", ""],
    ),
    (
        "exclude = [\"shop/**\"]",
        "shop/a.py",
        ["def a():\n    return 1\n", "b = 1\n"],
        ["", "api-removed"],
    ),
    (
        "include = [\"vendor/**\"]",
        "vendor/a.py",
        ["def a():\n    return 1\n", "b = 1\n"],
        ["api-removed", ""],
    ),
    (
        "golden = [\"docs/*.out\"]",
        "docs/a.out",
        ["1\n", "2\n"],
        ["golden-changed", ""],
    ),
    (
        "not_golden = [\"*.golden\"]",
        "a.golden",
        ["1\n", "2\n"],
        ["", "golden-changed"],
    ),
    (
        "helpers = [\"same\"]",
        "tests/test_a.py",
        [
            "def test_a():\n    same(1, f())\n    g()\n",
            "def test_a():\n    g()\n",
        ],
        ["assertions-fewer", ""],
    ),
    (
        "test_files = { python = [\"check_*.py\"] }",
        "check_a.py",
        ["def test_a():\n    assert f()\n", "b = 1\n"],
        ["test-removed", "api-removed"],
    ),
    (
        "drift = []",
        "shop/a.py",
        ["def a():\n    return 1\n", "b = 1\n"],
        ["", "api-removed"],
    ),
];

#[test]
fn keys_of_the_base_decide_and_those_of_the_head_do_not() {
    let world = World::new();
    for (number, (table, path, [old, new], expected)) in KEYS.into_iter().enumerate() {
        let policy = format!("version = 1\n[baseline]\n{table}\n");
        let tree = |policy: &str, text: &str| {
            let mut tree = files([
                (POLICY, policy),
                ("Cargo.toml", "[package]\nname = \"x\"\n"),
                ("src/lib.rs", "mod inner;\n"),
            ]);
            tree.insert(path.to_owned(), text.into());
            tree
        };
        let plain = "version = 1\n";
        for (base, expected) in [(policy.as_str(), expected[0]), (plain, expected[1])] {
            // The head says the opposite of the base, which must change nothing.
            let head = if base == plain { policy.as_str() } else { plain };
            let repo = world.repo(&format!("key-{number}-{}", base == plain));
            let commits = commit_trees(&repo, &[&tree(base, old), &tree(head, new)]);
            let answer = repo.gate(["baseline", &commits[0], "--json"]).run().json();
            let found: Vec<_> = answer["facts"]
                .as_array()
                .expect("facts")
                .iter()
                .filter(|fact| fact["drift"] == true && fact["path"] != POLICY)
                .map(|fact| fact["kind"].as_str().expect("a kind"))
                .collect();
            let expected: Vec<_> = Some(expected)
                .filter(|kind| !kind.is_empty())
                .into_iter()
                .collect();
            assert_eq!(found, expected, "{table}, base {base:?}: {answer:#}");
        }
    }
}
