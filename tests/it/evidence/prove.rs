//! `evidence prove`: what is proven, each reason why not, and that nothing but the ledger changes.

use std::fs;
use std::path::PathBuf;
use std::process::Child;

use serde_json::{Value, json};

use crate::scene::{REFS, says};
use crate::support::{self, Call, Ran, Repo, World, is_in_use, signal};

/// A repository whose branch fixes what `limit.sh` answers and adds a test of it, with an open review.
struct Fix {
    world: World,
    repo: Repo,
}

impl Fix {
    fn new() -> Self {
        Self::with(&[])
    }

    /// The same, in a repository with these options of `git init`.
    fn with(options: &[&str]) -> Self {
        let world = World::new();
        let repo = world.init("project", options);
        repo.write("limit.sh", "echo 101\n");
        repo.write("tests/old.sh", "true\n");
        repo.commit("Start");
        repo.git(["checkout", "-q", "-b", "topic"]);
        repo.write("limit.sh", "echo 100\n");
        repo.write("fixed", "");
        repo.write("tests/limit.sh", "test \"$(sh limit.sh)\" = 100\n");
        repo.commit("Fix the limit");
        repo.say("review start --problem", ["request 101 got through"])
            .run()
            .code(0);
        fs::create_dir_all(world.path("tmp")).unwrap();
        Self { world, repo }
    }

    /// `evidence prove` with a temporary folder of its own.
    fn call<'a>(&self, options: &'a str, command: impl IntoIterator<Item = &'a str>) -> Call {
        let words = ["evidence", "prove"]
            .into_iter()
            .chain(options.split_whitespace());
        self.repo
            .gate(words.chain(command))
            .env("TMPDIR", self.world.path("tmp"))
    }

    fn prove(&self, options: &str, script: &str) -> Ran {
        self.call(&format!("{options} -- sh -c"), [script]).run()
    }

    /// All that must be as it was, whatever happens.
    fn state(&self) -> Value {
        let repo = &self.repo;
        let refs = repo.git(["for-each-ref"]);
        let refs: Vec<&str> = refs
            .lines()
            .filter(|line| !line.contains("/review-gate"))
            .collect();
        json!({
            "head": repo.read(".git/HEAD"),
            "index": crate::scene::sha256(&format!("{:?}", fs::read(repo.dir.join(".git/index")).unwrap())),
            "refs": refs,
            "status": repo.git(["status", "--porcelain", "--ignored"]),
            "worktrees": repo.git(["worktree", "list", "--porcelain"]),
            "worktree folder": repo.dir.join(".git/worktrees").exists(),
        })
    }

    /// What stands in the temporary folder.
    fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.world.path("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

/// The proofs that are stored on HEAD.
fn proofs(repo: &Repo) -> Vec<Value> {
    let events = repo.events(REFS[2]).into_iter().map(|(_, event)| event);
    events.filter(|event| event["kind"] == "evidence.proof").collect()
}

#[test]
fn a_test_that_shows_the_fix_is_proven() {
    let fix = Fix::new();
    let repo = &fix.repo;
    let before = fix.state();
    let ran = fix
        .call("--json --test tests/limit.sh -- sh tests/limit.sh", [])
        .run()
        .code(0);
    let json = ran.json();
    assert_eq!(
        (&json["result"], &json["reason"]),
        (&json!("proven"), &Value::Null)
    );
    assert_eq!(json["base_runs"], json!(["fails", "fails", "fails"]));
    assert_eq!(json["head_runs"], json!(["passes", "passes", "passes"]));
    assert_eq!(json["tests"], json!(["tests/limit.sh"]));
    assert_eq!(json["base_tree"], repo.rev("main^{tree}").as_str());
    assert_eq!(json["tree"], repo.rev("HEAD^{tree}").as_str());
    says(&ran, &["== base, run 1 of 3", "== head, run 3: passes"]);

    // Without a path all changed test files are laid over; the command may be the only thing that is named.
    for options in ["-n 1 --test", "-n 2 --base main --test"] {
        let ran = fix.call(options, ["sh 'tests/limit.sh'"]).run().code(0);
        says(&ran, &["proven", "tests/limit.sh"]);
    }
    let ran = fix.call("-q -n 1 -- sh tests/limit.sh", []).run().code(0);
    assert_eq!(ran.stderr, "", "{ran}");
    assert_eq!(fix.state(), before);
    assert_eq!(fix.left(), Vec::<PathBuf>::new());
    let stored = proofs(repo);
    assert_eq!(stored.len(), 4);
    assert!(stored.iter().all(|event| event["body"]["result"] == "proven"));
    assert!(stored.iter().any(|event| event["body"]["n"] == 3));
}

#[test]
fn each_reason_why_something_is_not_proven() {
    let fix = Fix::new();
    let before = fix.state();
    // The small repository of each side is a place to count runs in; `fixed` is on the head only.
    let times = "echo x >> .git/runs; runs=$(wc -l < .git/runs); ";
    let none = "echo '=== no tests ran in 0.01s ==='";
    for (options, script, reason) in [
        ("", "true".to_owned(), "base-passes"),
        (
            "",
            "test -e fixed || { echo 'SyntaxError: bad' >&2; exit 1; }".to_owned(),
            "base-fails-to-build",
        ),
        (
            "",
            format!("{times} test -e fixed || test $runs -eq 2"),
            "base-flaky",
        ),
        (
            "--timeout 1 -n 1",
            "test -e fixed || sleep 60".to_owned(),
            "base-timeout",
        ),
        ("", "exit 1".to_owned(), "head-fails"),
        ("", "test ! -e fixed".to_owned(), "head-fails"),
        (
            "",
            format!("{times} test -e fixed && test $runs -ne 2"),
            "head-flaky",
        ),
        (
            "--timeout 1 -n 1",
            "test ! -e fixed || sleep 60; exit 1".to_owned(),
            "head-timeout",
        ),
        ("", format!("test -e fixed && {none}"), "no-tests"),
        ("", "exit 127".to_owned(), "error"),
        ("", "test -e fixed || kill -9 $$".to_owned(), "error"),
    ] {
        let ran = fix.prove(&format!("--json {options}"), &script).code(1);
        let json = ran.json();
        assert_eq!(
            (&json["result"], &json["reason"]),
            (&json!("not-proven"), &json!(reason)),
            "{script}: {ran}"
        );
    }
    let ran = fix.call("--json -- no-such-program-anywhere", []).run().code(1);
    assert_eq!(ran.json()["reason"], "error");
    says(&ran, &["no-such-program-anywhere cannot be run"]);

    let script = "test -e fixed || { echo 'SyntaxError: bad' >&2; exit 1; }";
    let ran = fix.prove("--json --allow-build-failure", script).code(0);
    assert_eq!(ran.json()["result"], "proven-by-build-failure");
    assert_eq!(proofs(&fix.repo).len(), 13);
    assert_eq!(fix.state(), before);
    assert_eq!(fix.left(), Vec::<PathBuf>::new());
}

#[test]
fn what_could_carry_the_fix_is_not_laid_over_the_base() {
    let fix = Fix::new();
    let repo = &fix.repo;
    repo.write("tests/folder/a.sh", "true\n");
    std::os::unix::fs::symlink("../limit.sh", repo.dir.join("tests/link.sh")).unwrap();
    repo.commit("More");
    for (options, words) in [
        ("--test limit.sh -- true", vec!["limit.sh is not a test file"]),
        (
            "--test tests/link.sh -- true",
            vec!["tests/link.sh is no regular file"],
        ),
        (
            "--test none.sh -- true",
            vec!["none.sh is not in the tree of HEAD"],
        ),
        ("--test ../x -- true", vec!["not in the tree"]),
        ("--test tests/limit.sh", vec!["no command to run"]),
        ("--test true --test false", vec!["two command lines"]),
        (
            "--test tests/folder -- sh tests/limit.sh",
            vec!["tests/limit.sh is not in the base", "for that reason alone"],
        ),
        (
            "--test tests/folder -- pytest ./tests/limit.sh::test_one",
            vec!["tests/limit.sh is not in the base"],
        ),
        ("--base HEAD -- true", vec!["no base without the change"]),
        ("-n 0 -- true", vec!["0"]),
        ("--review none-12345678 -- true", vec!["no review"]),
    ] {
        let ran = fix.call(options, []).run().code(2);
        says(&ran, &words);
    }
    let ran = fix
        .call("--json -n 1 --test tests/folder -- sh tests/folder/a.sh", [])
        .run()
        .code(1);
    assert_eq!(ran.json()["tests"], json!(["tests/folder/a.sh"]));
    // A folder in which a file stood: what is laid over wins.
    repo.git(["checkout", "-q", "main"]);
    repo.git(["checkout", "-q", "-b", "other"]);
    repo.git(["rm", "-q", "tests/old.sh"]);
    repo.write("tests/old.sh/new.sh", "true\n");
    repo.commit("A folder in its place");
    repo.say("review start --problem", ["none"]).run().code(0);
    let ran = fix.prove("--json -n 1", "test -e tests/old.sh/new.sh").code(1);
    assert_eq!(ran.json()["reason"], "base-passes");

    repo.git(["checkout", "-q", "main"]);
    repo.git(["checkout", "-q", "-b", "untested"]);
    repo.write("limit.sh", "echo 99\n");
    repo.commit("No test");
    repo.say("review start --problem", ["none"]).run().code(0);
    says(
        &fix.call("-- true", []).run().code(2),
        &["nothing to lay over the base"],
    );
    assert_eq!(fix.left(), Vec::<PathBuf>::new());
}

#[test]
fn each_side_is_a_place_of_its_own() {
    let fix = Fix::new();
    let repo = &fix.repo;
    repo.write("sub/tests/here.sh", "true\n");
    repo.commit("A folder");
    // What the command sees of git and of the environment is the throw-away folder.
    let script = "set -e; test \"$(git rev-parse --show-toplevel)\" = \"$(pwd -P)\"; \
                  test \"$(git rev-parse HEAD)\" = \"$(git rev-parse HEAD^{commit})\"; \
                  case $CARGO_TARGET_DIR in \"$TMPDIR\"/*) ;; *) exit 9;; esac; \
                  git commit -q --allow-empty -m own; git branch own; echo x > limit.sh; touch left; test -e fixed";
    let before = fix.state();
    let ran = fix
        .call("--json -n 1 -- sh -c", [script])
        .env("CARGO_TARGET_DIR", repo.dir.join("target"))
        .env("GIT_DIR", repo.dir.join(".git"))
        .env("GIT_WORK_TREE", &repo.dir)
        .run();
    assert_eq!(ran.json()["head_runs"], json!(["passes"]), "{ran}");
    assert_eq!(ran.json()["base_runs"], json!(["fails"]), "{ran}");
    assert_eq!(fix.state(), before);
    assert!(repo.ref_id("refs/heads/own").is_none());

    // Folders that may not be written go as well.
    fix.prove("-n 1", "mkdir -p a/b; chmod 500 a; test -e fixed")
        .code(0);
    assert_eq!(fix.left(), Vec::<PathBuf>::new());

    // A command means what it means where it is typed.
    let call = repo.say("evidence prove --json -n 1 -- sh tests/here.sh", []);
    let mut command = call.env("TMPDIR", fix.world.path("tmp")).into_command();
    let output = command.current_dir(repo.dir.join("sub")).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["head_runs"], json!(["passes"]));
    assert_eq!(fix.state(), before);
}

/// Starts a proof whose command says that it is ready and then goes on for long.
fn started(fix: &Fix) -> Child {
    support::started(fix.call("-- sh -c", ["echo ready; exec sleep 600"]), "ready")
}

#[test]
fn an_interrupt_leaves_all_as_it_was() {
    let fix = Fix::new();
    let before = fix.state();
    for name in ["INT", "TERM", "HUP"] {
        let mut child = started(&fix);
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{name}");
        assert_eq!(fix.state(), before);
        assert_eq!(fix.left(), Vec::<PathBuf>::new());
        assert!(!is_in_use(&fix.world.path("tmp")));
    }
    assert!(proofs(&fix.repo).is_empty());
}

#[test]
fn what_a_killed_proof_left_the_next_one_removes() {
    let fix = Fix::new();
    let before = fix.state();
    let mut child = started(&fix);
    signal(&child, "KILL");
    child.wait().unwrap();
    assert_eq!(fix.state(), before);
    let left = fix.left();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(proofs(&fix.repo).is_empty());

    // One that lives is left alone meanwhile.
    let mut living = started(&fix);
    let now = fix.left();
    assert!(now.len() == 1 && now != left, "{now:?}");
    assert!(!is_in_use(&left[0]));
    fix.call("-n 1 -- sh tests/limit.sh", []).run().code(0);
    assert_eq!(fix.left(), now);
    signal(&living, "INT");
    assert_eq!(living.wait().unwrap().code(), Some(130));
    assert_eq!(fix.left(), Vec::<PathBuf>::new());
    assert_eq!(fix.state(), before);
}

#[test]
fn repositories_of_all_layouts_can_be_proven_in() {
    let sha256 = Fix::with(&["--object-format=sha256"]);
    sha256.call("-n 1 -- sh tests/limit.sh", []).run().code(0);

    let fix = Fix::new();
    let repo = &fix.repo;
    let proves = |at: &Repo| {
        let ran = at
            .say("evidence prove --json -n 1 -- sh tests/limit.sh", [])
            .env("TMPDIR", fix.world.path("tmp"))
            .run()
            .code(0);
        assert_eq!(ran.json()["result"], "proven", "{ran}");
        assert_eq!(fix.left(), Vec::<PathBuf>::new());
    };
    // What a sparse checkout leaves out is there all the same.
    repo.git(["sparse-checkout", "set", "--no-cone", "/fixed"]);
    assert!(!repo.dir.join("limit.sh").exists());
    let before = fix.state();
    proves(repo);
    assert_eq!(fix.state(), before);
    repo.git(["sparse-checkout", "disable"]);

    repo.git(["switch", "-q", "--detach"]);
    repo.git(["worktree", "add", "-q", "../linked", "topic"]);
    let linked = fix.world.at("linked");
    let before = (fix.state(), linked.git(["status", "--porcelain"]));
    proves(&linked);
    assert_eq!((fix.state(), linked.git(["status", "--porcelain"])), before);

    let url = format!("file://{}", repo.dir.display());
    let shallow = fix.world.at("shallow");
    fix.world.at(".").git([
        "clone", "-q", "--depth", "2", "--branch", "topic", &url, "shallow",
    ]);
    let base = shallow.rev("HEAD^");
    shallow.git(["branch", "main", &base]);
    shallow
        .gate(["review", "start", "--base", "main", "--problem", "the same"])
        .run()
        .code(0);
    proves(&shallow);

    // Attributes and hooks of the real repository: the former count for the files, the latter are not run.
    let fix = Fix::new();
    let repo = &fix.repo;
    crate::support::script(
        &repo.dir.join(".git/hooks/post-index-change"),
        0o755,
        &format!("#!/bin/sh\ntouch '{}'\n", fix.world.path("hook-ran").display()),
    );
    repo.write(".gitattributes", "*.txt eol=crlf\n");
    repo.write("lines.txt", "a\n");
    let commit = repo.commit("Lines");
    std::fs::remove_file(fix.world.path("hook-ran")).unwrap();
    let script = "test -e lines.txt && test \"$(wc -c < lines.txt)\" -eq 3";
    fix.prove("-n 1", script).code(0);
    assert!(!fix.world.path("hook-ran").exists());
    assert_eq!(repo.rev("HEAD"), commit);
}
