//! Real tests of a real crate: a bug, its fix, and the test that shows it.

use serde_json::{Value, json};

use crate::support::{Repo, World};

const MANIFEST: &str =
    "[package]\nname = \"limits\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

const TESTS: &str = "#[test]\nfn low() {\n    assert!(limits::limit(1));\n}\n\n\
                     #[test]\nfn high() {\n    assert!(!limits::limit(101));\n}\n\n\
                     #[test]\n#[ignore]\nfn slow() {}\n";

fn crate_with_fix(world: &World) -> Repo {
    let repo = world.repo("limits");
    repo.write(".gitignore", "target/\nCargo.lock\n");
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", "pub fn limit(n: u32) -> bool {\n    n <= 101\n}\n");
    repo.commit("Start");
    repo.git(["checkout", "-q", "-b", "topic"]);
    repo.write("src/lib.rs", "pub fn limit(n: u32) -> bool {\n    n <= 100\n}\n");
    repo.write("tests/high.rs", TESTS);
    repo.commit("Refuse request 101");
    repo.gate(["review", "start", "--problem", "request 101 got through"])
        .run()
        .code(0);
    repo
}

#[track_caller]
fn evidence(repo: &Repo, line: &str, code: i32) -> Value {
    let ran = repo
        .say(&format!("evidence {line}"), [])
        .with_cargo()
        .run()
        .code(code);
    ran.json()
}

#[test]
fn cargo_test_is_witnessed_and_proves_the_fix() {
    let world = World::new();
    let repo = crate_with_fix(&world);
    let json = evidence(&repo, "run --json --kind regression-suite -- cargo test", 0);
    assert_eq!(
        (&json["format"], &json["counts"]),
        (
            &json!("libtest"),
            &json!({"passed": 2, "failed": 0, "skipped": 1, "not_run": 0, "flaky": 0})
        )
    );
    assert_eq!(
        (&json["dirty"], &json["dimensions"]),
        (&json!(false), &json!(["no-new-bugs"]))
    );
    let before = repo.git(["status", "--porcelain", "--ignored"]);
    let json = evidence(&repo, "prove --json -n 2 -- cargo test --test high", 0);
    assert_eq!(
        (&json["result"], &json["base_runs"], &json["head_runs"]),
        (
            &json!("proven"),
            &json!(["fails", "fails"]),
            &json!(["passes", "passes"])
        )
    );
    assert_eq!(repo.git(["status", "--porcelain", "--ignored"]), before);

    // A test of something that the base has not: it does not build there, which is a weaker proof.
    repo.write(
        "src/lib.rs",
        "pub fn limit(n: u32) -> bool {\n    n <= most()\n}\n\npub fn most() -> u32 {\n    100\n}\n",
    );
    repo.write(
        "tests/most.rs",
        "#[test]\nfn most() {\n    assert_eq!(limits::most(), 100);\n}\n",
    );
    repo.commit("Say what the limit is");
    let most = "--test tests/most.rs -- cargo test --test most";
    let json = evidence(&repo, &format!("prove --json -n 1 {most}"), 1);
    assert_eq!(json["reason"], "base-fails-to-build");
    let json = evidence(
        &repo,
        &format!("prove --json -n 1 --allow-build-failure {most}"),
        0,
    );
    assert_eq!(json["result"], "proven-by-build-failure");
}
