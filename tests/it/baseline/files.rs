//! What whole files tell: exclusions, guardrails, opaque entries, encodings, and files that cannot be measured.

use std::collections::BTreeSet;

use serde_json::Value;

use super::history::{Content, Files, commit_trees, files};
use crate::support::World;

const LIB: &str = "pub fn one() {}\npub fn two() {}\n";
const GONE: &str = "api-removed rust:crate#fn two";
const ONE: &str = "pub fn one() {}\n";

/// A name, the trees before and after, the verdict, and all facts and unmeasured files as `word key`.
type Row = (&'static str, Files, Files, &'static str, &'static [&'static str]);

fn utf16(text: &str) -> Content {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    Content::File(units.flat_map(u16::to_be_bytes).collect())
}

fn with<C: Into<Content>>(mut tree: Files, path: &str, content: C) -> Files {
    tree.insert(path.to_owned(), content.into());
    tree
}

fn rows() -> Vec<Row> {
    let lib = || files([("src/lib.rs", LIB)]);
    let one = || files([("src/lib.rs", ONE)]);
    let bytes = |bytes: &[u8]| Content::File(bytes.to_vec());
    let drift = "STRUCTURAL DRIFT DETECTED";
    let none = "NO STRUCTURAL DRIFT";
    let open = "INDETERMINATE";
    let lines: String = (0..40)
        .map(|n| format!("/// Line {n}\npub fn f{n}() -> u32 {{ {n} * 3 + 1 }}\n"))
        .collect::<Vec<_>>()
        .concat();
    vec![
        (
            "vendored and lock files are left out",
            with(with(lib(), "vendor/a.rs", LIB), "x.lock", "1"),
            with(with(lib(), "vendor/a.rs", ONE), "x.lock", "2"),
            none,
            &[],
        ),
        (
            "attributes of the base leave out",
            with(
                with(lib(), ".gitattributes", "gen/* linguist-generated\n"),
                "gen/src/lib.rs",
                LIB,
            ),
            with(
                with(lib(), ".gitattributes", "gen/* linguist-generated\n"),
                "gen/src/lib.rs",
                ONE,
            ),
            drift,
            &["api-removed rust:gen|crate#fn two"],
        ),
        (
            "attributes of the base leave out whole folders",
            with(
                with(lib(), ".gitattributes", "gen/** linguist-generated\n"),
                "gen/src/lib.rs",
                LIB,
            ),
            with(
                with(lib(), ".gitattributes", "gen/** linguist-generated\n"),
                "gen/src/lib.rs",
                ONE,
            ),
            none,
            &[],
        ),
        (
            "attributes of the head do not",
            lib(),
            with(one(), ".gitattributes", "*.rs linguist-generated\n"),
            drift,
            &[GONE, "guardrail-changed file:.gitattributes"],
        ),
        (
            "a header on both sides leaves out",
            with(lib(), "src/gen.rs", format!("// {}generated\n{LIB}", '@')),
            with(lib(), "src/gen.rs", format!("// {}generated\n{ONE}", '@')),
            none,
            &[],
        ),
        (
            "a new header hides nothing",
            lib(),
            files([("src/lib.rs", format!("// {}generated\n{ONE}", '@'))]),
            drift,
            &[GONE, "guardrail-changed file:src/lib.rs"],
        ),
        (
            "a file moved into an excluded folder is gone",
            with(lib(), "examples/a.rs", "#[test]\nfn t() { assert!(f(1)); }\n"),
            with(
                lib(),
                "vendor/examples/a.rs",
                "#[test]\nfn t() { assert!(f(1)); }\n",
            ),
            drift,
            &["test-removed rust:examples::a#test t"],
        ),
        (
            "links, submodules and modes are notes",
            with(
                with(
                    with(lib(), "l", Content::Link("a".to_owned())),
                    "vendor/s",
                    Content::Submodule("1".repeat(40)),
                ),
                "src/m.rs",
                "fn m() {}\n",
            ),
            with(
                with(
                    with(lib(), "l", Content::Link("b".to_owned())),
                    "vendor/s",
                    Content::Submodule("2".repeat(40)),
                ),
                "src/m.rs",
                Content::Executable(b"fn m() {}\n".to_vec()),
            ),
            none,
            &[
                "mode-changed file:src/m.rs",
                "submodule-changed file:vendor/s",
                "symlink-changed file:l",
            ],
        ),
        (
            "a source file that becomes a link is not decided",
            lib(),
            files([("src/lib.rs", Content::Link("x".to_owned()))]),
            open,
            &["became-link src/lib.rs", "symlink-changed file:src/lib.rs"],
        ),
        (
            "line endings, marks and encodings are no fact",
            with(lib(), "src/a.rs", LIB),
            with(
                with(lib(), "src/lib.rs", utf16(LIB)),
                "src/a.rs",
                format!("\u{FEFF}{}", LIB.replace('\n', "\r\n")),
            ),
            none,
            &[],
        ),
        (
            "UTF-16 is measured",
            files([("src/lib.rs", utf16(LIB))]),
            files([("src/lib.rs", utf16(ONE))]),
            drift,
            &[GONE],
        ),
        (
            "half of a character is not decided",
            lib(),
            files([("src/lib.rs", bytes(b"\xFE\xFF\x00"))]),
            open,
            &["bad-encoding src/lib.rs"],
        ),
        (
            "zero bytes are not decided",
            lib(),
            files([("src/lib.rs", bytes(b"pub fn one() {}\0"))]),
            open,
            &["binary-source src/lib.rs"],
        ),
        (
            "an unfinished merge is not decided, and drift elsewhere wins",
            with(lib(), "src/a.rs", LIB),
            with(one(), "src/a.rs", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"),
            drift,
            &[GONE, "conflict-markers src/a.rs"],
        ),
        (
            "a pointer in place of content is not decided",
            lib(),
            files([(
                "src/lib.rs",
                "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            )]),
            open,
            &["lfs-pointer src/lib.rs"],
        ),
        (
            "a broken file is not decided",
            lib(),
            files([("src/lib.rs", "pub fn one() {\n")]),
            open,
            &["unbalanced src/lib.rs"],
        ),
        (
            "a language that is not scanned is not decided",
            with(lib(), "a.exs", "def a, do: 1\n"),
            with(lib(), "a.exs", "def b, do: 1\n"),
            open,
            &["unsupported-language a.exs"],
        ),
        (
            "a direction control in a comment",
            lib(),
            files([("src/lib.rs", format!("{LIB}// \u{202E}x\n"))]),
            drift,
            &["hidden-unicode file:src/lib.rs"],
        ),
        (
            "a new suppression is a note",
            lib(),
            files([("src/lib.rs", format!("#![allow(dead_code)]\n{LIB}"))]),
            none,
            &["suppression-added file:src/lib.rs#entry #![allow"],
        ),
        (
            "CI that no longer tests",
            with(lib(), ".github/workflows/ci.yml", "run: cargo test\n"),
            with(lib(), ".github/workflows/ci.yml", "run: cargo build\n"),
            drift,
            &["guardrail-changed file:.github/workflows/ci.yml"],
        ),
        (
            "CI touched",
            with(lib(), ".github/workflows/ci.yml", "run: cargo test\n"),
            with(lib(), ".github/workflows/ci.yml", "run: cargo test --all\n"),
            none,
            &["guardrail-touched file:.github/workflows/ci.yml"],
        ),
        (
            "the policy of the base decides, a weaker one is stated",
            with(lib(), ".review-gate.toml", "[baseline]\n"),
            with(
                one(),
                ".review-gate.toml",
                "[baseline]\nexclude = [\"src/**\"]\ndrift = []\n",
            ),
            drift,
            &[GONE, "guardrail-changed file:.review-gate.toml"],
        ),
        (
            "the policy takes a kind out",
            with(
                lib(),
                ".review-gate.toml",
                "[baseline]\ndrift = [\"test-removed\"]\n",
            ),
            with(
                one(),
                ".review-gate.toml",
                "[baseline]\ndrift = [\"test-removed\"]\n",
            ),
            none,
            &[GONE],
        ),
        (
            "the policy includes what would be left out",
            with(
                with(
                    lib(),
                    ".review-gate.toml",
                    "[baseline]\ninclude = [\"vendor/ours/**\"]\n",
                ),
                "vendor/ours/src/lib.rs",
                LIB,
            ),
            with(
                with(
                    lib(),
                    ".review-gate.toml",
                    "[baseline]\ninclude = [\"vendor/ours/**\"]\n",
                ),
                "vendor/ours/src/lib.rs",
                ONE,
            ),
            drift,
            &["api-removed rust:vendor/ours|crate#fn two"],
        ),
        (
            "a renamed file keeps its keys where they stay the same",
            with(lib(), "src/a.rs", lines.clone()),
            with(lib(), "src/a/mod.rs", lines.replace("f39", "g")),
            drift,
            &["api-renamed rust:crate::a#fn f39"],
        ),
        (
            "golden files win over languages and attributes",
            with(
                with(lib(), ".gitattributes", "*.rs -diff\n"),
                "tests/fixtures/in.rs",
                "1",
            ),
            with(
                with(lib(), ".gitattributes", "*.rs -diff\n"),
                "tests/fixtures/in.rs",
                "2",
            ),
            drift,
            &["golden-changed file:tests/fixtures/in.rs"],
        ),
        (
            "prose alone is nothing measured",
            files([("README.md", "a")]),
            files([("README.md", "b")]),
            "NOTHING MEASURED",
            &[],
        ),
        (
            "prose beside code",
            with(lib(), "README.md", "a"),
            with(lib(), "README.md", "b"),
            none,
            &[],
        ),
    ]
}

#[test]
fn files_tell() {
    let world = World::new();
    let mut failures = Vec::new();
    for (number, (name, before, after, verdict, expected)) in rows().into_iter().enumerate() {
        let repo = world.repo(&format!("files-{number}"));
        let commits = commit_trees(&repo, &[&before, &after]);
        let ran = repo
            .gate([
                "baseline",
                &commits[0],
                "--format",
                "json",
                "--surface",
                "declared",
            ])
            .run();
        let answer = ran.json();
        let named = |list: &str, word: &str, key: &str| -> Vec<String> {
            let list = answer[list].as_array().expect("a list").clone();
            let text = |entry: &Value, field: &str| entry[field].as_str().expect("text").to_owned();
            list.iter()
                .map(|entry| format!("{} {}", text(entry, word), text(entry, key)))
                .collect()
        };
        let mut found: BTreeSet<_> = named("facts", "kind", "key").into_iter().collect();
        found.extend(named("unmeasured", "reason", "path"));
        let expected: BTreeSet<_> = expected.iter().map(ToString::to_string).collect();
        if answer["verdict"] != verdict || found != expected {
            failures.push(format!("{name}: {} {found:#?}", answer["verdict"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn over_the_limit_only_equal_files_are_renames_and_that_is_said() {
    let world = World::new();
    let repo = world.repo("many");
    let text = |number: usize, tail: &str| {
        format!("/// One of many.\n/// With some text of its own.\npub fn f{number}() {{}}\n{tail}")
    };
    let many = |folder: &str, count: usize, tail: &str| -> Files {
        (0..count)
            .map(|n| (format!("{folder}/src/m{n}.rs"), text(n, tail).into()))
            .collect()
    };
    let (before, few, after) = (
        many("a", 1001, ""),
        many("a", 3, ""),
        many("b", 1001, "// Edited.\n"),
    );
    let commits = commit_trees(&repo, &[&before, &few, &after]);
    let ran = repo.gate(["baseline", &commits[0], "--format", "text"]).run();
    assert!(
        ran.stdout.contains("\nRENAMES: too many candidates"),
        "{}",
        &ran.stdout[..2000]
    );
    assert!(
        ran.stdout
            .contains("MEASURED: 2002 of 2002 changed files (rust 2002)"),
        "{}",
        &ran.stdout[..2000]
    );
    // Three against a thousand and one are over the limit as well: it holds for each side.
    let ran = repo.gate(["baseline", &commits[1], "--format", "text"]).run();
    assert!(
        ran.stdout.contains("\nRENAMES: too many candidates"),
        "{}",
        &ran.stdout[..2000]
    );
}
