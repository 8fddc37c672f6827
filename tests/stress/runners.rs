//! Real test runners: what they print and write is read as it is, and proofs hold for real tests.
//!
//! `.ci/run` installs what is not there; a runner that is missing fails these tests.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Call, Ran, Repo, World};

/// Where `.ci/run` installs pytest, vitest and jest.
fn runners() -> PathBuf {
    let folder = std::env::var_os("REVIEW_GATE_RUNNERS").map(PathBuf::from);
    folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/runners"))
}

fn python() -> String {
    runners().join("venv/bin/python").to_string_lossy().into_owned()
}

/// A repository with these files on `main`, and on `topic` with the later ones, under review.
fn project(world: &World, name: &str, before: &[(&str, &str)], after: &[(&str, &str)]) -> Repo {
    let repo = world.repo(name);
    let ignored = "target/\nnode_modules\n__pycache__/\n.pytest_cache/\n.coverage\nout/\nCargo.lock\npackage-lock.json\n";
    repo.write(".gitignore", ignored);
    for (path, text) in before {
        repo.write(path, text);
    }
    repo.commit("Start");
    repo.git(["checkout", "-q", "-b", "topic"]);
    for (path, text) in after {
        repo.write(path, text);
    }
    repo.commit("Work");
    repo.gate(["review", "start", "--problem", "101 got through"])
        .run()
        .code(0);
    repo
}

/// The gate with what real tool chains need of the environment.
fn call(repo: &Repo, args: &[&str]) -> Call {
    let call = repo.gate(args.iter().copied()).with_cargo();
    call.env("GOFLAGS", "-mod=mod").env("GOPROXY", "off")
}

#[track_caller]
fn witness(repo: &Repo, options: &[&str], command: &[&str], code: i32) -> Value {
    let args = [&["evidence", "run", "--json"], options, &["--"], command].concat();
    let ran: Ran = call(repo, &args).run().code(code);
    let json = ran.json();
    assert_eq!(json["dirty"], false, "{ran}");
    json
}

#[track_caller]
fn prove(repo: &Repo, options: &[&str], command: &[&str], result: &str) -> Value {
    let args = [&["evidence", "prove", "--json"], options, &["--"], command].concat();
    let ran = call(repo, &args).run();
    let json = ran.json();
    assert_eq!(json["result"], result, "{ran}");
    json
}

fn counts(passed: u64, failed: u64, skipped: u64) -> Value {
    json!({"passed": passed, "failed": failed, "skipped": skipped, "not_run": 0, "flaky": 0})
}

const RUST_TESTS: &str = "#[test] fn low() { assert!(limits::limit(1)); }\n\
                          #[test] fn high() { assert!(!limits::limit(101)); }\n\
                          #[test] #[ignore] fn slow() {}\n";

fn rust(world: &World) -> Repo {
    let manifest = "[package]\nname = \"limits\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let nextest = "[profile.default.junit]\npath = \"junit.xml\"\n";
    project(
        world,
        "rust",
        &[
            ("Cargo.toml", manifest),
            (".config/nextest.toml", nextest),
            ("src/lib.rs", "pub fn limit(n: u32) -> bool { n <= 101 }\n"),
        ],
        &[
            ("src/lib.rs", "pub fn limit(n: u32) -> bool { n <= 100 }\n"),
            ("tests/high.rs", RUST_TESTS),
            ("tests/red.rs", "#[test] fn red() { assert_eq!(1, 2); }\n"),
        ],
    )
}

#[test]
fn cargo_test_and_nextest() {
    let world = World::new();
    let repo = rust(&world);
    let all = witness(&repo, &[], &["cargo", "test", "-q", "--no-fail-fast"], 1);
    assert_eq!(
        (&all["format"], &all["counts"]),
        (&json!("libtest"), &counts(2, 1, 1))
    );
    let nextest = ["cargo", "nextest", "run", "--no-fail-fast"];
    let printed = witness(&repo, &[], &nextest, 1);
    assert_eq!(
        (&printed["format"], &printed["counts"]),
        (&json!("nextest"), &counts(2, 1, 1))
    );
    let written = witness(
        &repo,
        &["--junit", "target/nextest/default/junit.xml"],
        &nextest,
        1,
    );
    // A report has no test that was not selected.
    assert_eq!(
        (&written["format"], &written["counts"]),
        (&json!("junit"), &counts(2, 1, 0))
    );

    let test = ["cargo", "test", "--test", "high"];
    let json = prove(&repo, &["--test", "tests/high.rs"], &test, "proven");
    assert_eq!(json["base_runs"], json!(["fails", "fails", "fails"]));
    let nextest = ["cargo", "nextest", "run", "--test", "high"];
    prove(&repo, &["-n", "1", "--test", "tests/high.rs"], &nextest, "proven");
    let test = ["cargo", "test", "--test", "red"];
    let json = prove(&repo, &["-n", "1", "--test", "tests/red.rs"], &test, "not-proven");
    assert_eq!(json["reason"], "head-fails");
    repo.write(
        "tests/api.rs",
        "#[test] fn api() { assert!(limits::new_api()); }\n",
    );
    repo.write(
        "src/lib.rs",
        "pub fn limit(n: u32) -> bool { n <= 100 }\npub fn new_api() -> bool { true }\n",
    );
    repo.commit("New function");
    let test = ["cargo", "test", "--test", "api"];
    let json = prove(&repo, &["-n", "1", "--test", "tests/api.rs"], &test, "not-proven");
    assert_eq!(json["reason"], "base-fails-to-build");
    let options = ["-n", "1", "--allow-build-failure", "--test", "tests/api.rs"];
    prove(&repo, &options, &test, "proven-by-build-failure");
}

#[test]
fn pytest_with_its_reports() {
    let tests = "import pytest\nfrom limits import limit\n\
                 def test_low(): assert limit(1)\ndef test_high(): assert not limit(101)\n\
                 @pytest.mark.skip\ndef test_skip(): pass\n@pytest.mark.xfail\ndef test_x(): assert False\n";
    let world = World::new();
    let repo = project(
        &world,
        "python",
        &[
            (
                "limits.py",
                "def limit(n):\n    if n <= 101:\n        return True\n    return False\n",
            ),
            ("conftest.py", ""),
        ],
        &[
            (
                "limits.py",
                "def limit(n):\n    if n <= 100:\n        return True\n    return False\n",
            ),
            ("tests/test_limits.py", tests),
            ("tests/test_red.py", "def test_red(): assert 1 == 2\n"),
            (
                "tests/test_new.py",
                "from limits import new\ndef test_new(): assert new()\n",
            ),
        ],
    );
    let python = python();
    let pytest = [&*python, "-m", "pytest", "--color=yes"];
    let green = [&pytest[..], &["tests/test_limits.py"]].concat();
    let json = witness(&repo, &[], &green, 0);
    assert_eq!(
        (&json["format"], &json["counts"]),
        (&json!("pytest"), &counts(2, 0, 2))
    );
    let quiet = [&pytest[..], &["-q", "tests/test_limits.py", "tests/test_red.py"]].concat();
    assert_eq!(witness(&repo, &[], &quiet, 1)["counts"], counts(2, 1, 2));
    let reports = [
        "--junit-xml=out/junit.xml",
        "--cov=limits",
        "--cov-branch",
        "--cov-report=xml:out/cov.xml",
        "--cov-report=lcov:out/lcov",
    ];
    let reporting = [&green[..], &reports].concat();
    let json = witness(
        &repo,
        &["--junit", "out/junit.xml", "--cobertura", "out/cov.xml"],
        &reporting,
        0,
    );
    assert_eq!(
        (&json["format"], &json["counts"]),
        (&json!("junit"), &counts(2, 0, 2))
    );
    assert_eq!(
        json["coverage"],
        json!({"lines": {"found": 4, "hit": 4}, "functions": null, "branches": {"found": 2, "hit": 2}})
    );
    let json = witness(&repo, &["--lcov", "out/lcov"], &reporting, 0);
    assert_eq!(
        json["coverage"],
        json!({
            "lines": {"found": 4, "hit": 4},
            "functions": {"found": 1, "hit": 1},
            "branches": {"found": 2, "hit": 2},
        })
    );
    prove(&repo, &["--test", "tests/test_limits.py"], &green, "proven");
    let new = [&pytest[..], &["tests/test_new.py"]].concat();
    let json = prove(
        &repo,
        &["-n", "1", "--test", "tests/test_new.py"],
        &new,
        "not-proven",
    );
    assert_eq!(json["reason"], "head-fails");
    assert_eq!(
        (&json["base_runs"], &json["head_runs"]),
        (&json!(["fails-to-build"]), &json!(["fails-to-build"]))
    );
    let none = [&pytest[..], &["-k", "nothing", "tests/test_limits.py"]].concat();
    let json = prove(
        &repo,
        &["-n", "1", "--test", "tests/test_limits.py"],
        &none,
        "not-proven",
    );
    assert_eq!(json["reason"], "no-tests");
}

#[test]
fn node_vitest_and_jest() {
    let node = "import test from 'node:test';\nimport assert from 'node:assert';\nimport { limit } from '../limits.js';\n\
                test('low', () => assert(limit(1)));\ntest('high', () => assert(!limit(101)));\ntest.skip('skip');\n";
    let vitest = "import { test, expect } from 'vitest';\nimport { limit } from '../limits.js';\n\
                  test('low', () => expect(limit(1)).toBe(true));\ntest('red', () => expect(1).toBe(2));\n\
                  test.skip('skip', () => {});\ntest.todo('todo');\n";
    let jest = "const { add } = require('../add.cjs');\ntest('adds', () => { console.log('{'); expect(add(1, 2)).toBe(3); });\n\
                test.skip('skip', () => {});\n";
    let config = "export default { test: { include: ['tests/*.vitest.js'] } };\n";
    let jest_config = "{\"testRegex\": \"tests/.*\\\\.jest\\\\.cjs$\", \"transform\": {}}\n";
    let world = World::new();
    let repo = project(
        &world,
        "javascript",
        &[
            (
                "package.json",
                "{\"name\": \"limits\", \"private\": true, \"type\": \"module\"}\n",
            ),
            ("vitest.config.js", config),
            ("jest.config.json", jest_config),
            ("add.cjs", "exports.add = (a, b) => a - b;\n"),
            ("limits.js", "export const limit = (n) => n <= 101;\n"),
        ],
        &[
            ("limits.js", "export const limit = (n) => n <= 100;\n"),
            ("add.cjs", "exports.add = (a, b) => a + b;\n"),
            ("tests/limits.test.js", node),
            ("tests/limits.vitest.js", vitest),
            ("tests/add.jest.cjs", jest),
        ],
    );
    let modules = runners().join("js/node_modules");
    std::os::unix::fs::symlink(&modules, repo.dir.join("node_modules")).unwrap();
    let test = ["node", "--test", "tests/limits.test.js"];
    assert_eq!(witness(&repo, &[], &test, 0)["counts_reason"], "unknown-format");
    let script = "mkdir -p out && node --test --test-reporter=junit --test-reporter-destination=out/junit.xml \
                  tests/limits.test.js && node --test --experimental-test-coverage --test-reporter=lcov \
                  --test-reporter-destination=out/lcov tests/limits.test.js";
    let options = ["--junit", "out/junit.xml", "--lcov", "out/lcov"];
    let json = witness(&repo, &options, &["sh", "-c", script], 0);
    assert_eq!(
        (&json["format"], &json["counts"]),
        (&json!("junit"), &counts(2, 0, 1))
    );
    assert!(json["coverage"]["lines"]["found"].as_u64().unwrap() > 0, "{json}");

    let vitest = ["node_modules/.bin/vitest", "run"];
    let printed = witness(&repo, &[], &[&vitest[..], &["--reporter=json"]].concat(), 1);
    assert_eq!(
        (&printed["format"], &printed["counts"]),
        (&json!("jest"), &counts(1, 1, 2))
    );
    let file = ["--reporter=junit", "--outputFile=out/vitest.xml"];
    let written = witness(
        &repo,
        &["--junit", "out/vitest.xml"],
        &[&vitest[..], &file].concat(),
        1,
    );
    assert_eq!(written["counts"], counts(1, 1, 2));
    let jest = ["node_modules/.bin/jest", "--json"];
    let printed = witness(&repo, &[], &jest, 0);
    assert_eq!(
        (&printed["format"], &printed["counts"]),
        (&json!("jest"), &counts(1, 0, 1))
    );

    prove(&repo, &["--test", "tests/limits.test.js"], &test, "proven");
    // Packages are not in the commit: the command brings them.
    let link = format!(
        "ln -sfn '{}' node_modules && exec node_modules/.bin/jest --json",
        modules.display()
    );
    let json = prove(
        &repo,
        &["-n", "2", "--test", "tests/add.jest.cjs"],
        &["sh", "-c", &link],
        "proven",
    );
    assert_eq!(json["base_runs"], json!(["fails", "fails"]));
}

#[test]
fn go_test_in_its_three_forms() {
    let tests = "package limits\n\nimport \"testing\"\n\nfunc TestLow(t *testing.T) {\n\tt.Run(\"one\", func(t *testing.T) {\n\
                 \t\tif !Limit(1) {\n\t\t\tt.Fatal(\"1 is refused\")\n\t\t}\n\t})\n}\n\nfunc TestHigh(t *testing.T) {\n\
                 \tif Limit(101) {\n\t\tt.Fatal(\"101 got through\")\n\t}\n}\n\nfunc TestSkip(t *testing.T) {\n\tt.Skip(\"no\")\n}\n";
    let source = |most: u32| format!("package limits\n\nfunc Limit(n int) bool {{ return n <= {most} }}\n");
    let broken = "package broken\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { none() }\n";
    let world = World::new();
    let repo = project(
        &world,
        "go",
        &[
            ("go.mod", "module example.org/limits\n\ngo 1.19\n"),
            ("limits.go", &source(101)),
        ],
        &[
            ("limits.go", &source(100)),
            ("limits_test.go", tests),
            ("broken/broken_test.go", broken),
        ],
    );
    for (form, code, format, expected) in [
        (&["go", "test", "-json", "."][..], 0, "go-test", counts(3, 0, 1)),
        (&["go", "test", "-v", "."], 0, "go-test", counts(3, 0, 1)),
        // One package more, which does not build.
        (&["go", "test", "-json", "./..."], 1, "go-test", counts(3, 1, 1)),
        (&["go", "test", "-v", "./..."], 1, "go-test", counts(3, 1, 1)),
    ] {
        let json = witness(&repo, &[], form, code);
        assert_eq!(
            (&json["format"], &json["counts"]),
            (&json!(format), &expected),
            "{form:?}"
        );
    }
    let json = witness(&repo, &[], &["go", "test", "."], 0);
    assert_eq!(json["counts_reason"], "go-test-not-verbose");
    let test = ["go", "test", "-v", "."];
    prove(&repo, &["-n", "2", "--test", "limits_test.go"], &test, "proven");
    let test = ["go", "test", "-v", "./broken"];
    let json = prove(
        &repo,
        &["-n", "1", "--test", "broken/broken_test.go"],
        &test,
        "not-proven",
    );
    assert_eq!(json["head_runs"], json!(["fails-to-build"]));
}
