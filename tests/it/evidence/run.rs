//! `evidence add` and `evidence run`: what is stored, for which tree it counts, and what the exit code says.

use serde_json::{Value, json};

use crate::scene::{REFS, Scene, says};
use crate::support::{Ran, Repo};

/// A scene with an open review.
fn reviewed() -> Scene {
    let scene = Scene::new();
    scene
        .repo
        .say("review start --criterion", ["AC-1: it works"])
        .run()
        .code(0);
    scene
}

/// The evidence events on HEAD.
fn stored(repo: &Repo) -> Vec<Value> {
    let head = repo.rev("HEAD");
    repo.events(REFS[2])
        .into_iter()
        .filter(|(anchor, event)| *anchor == head && event["kind"].as_str().unwrap().starts_with("evidence."))
        .map(|(_, event)| event)
        .collect()
}

#[track_caller]
fn only(repo: &Repo) -> Value {
    let mut events = stored(repo);
    assert_eq!(events.len(), 1, "{events:?}");
    events.remove(0)
}

/// Runs a script as evidence.
fn witness(repo: &Repo, options: &str, script: &str) -> Ran {
    repo.say(&format!("evidence run {options} -- sh -c"), [script])
        .run()
}

const PASSED: &str =
    "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";

#[test]
fn a_run_is_stored_with_what_was_seen() {
    let scene = reviewed();
    let repo = &scene.repo;
    let script = format!("echo '{PASSED}'; echo seen >&2");
    let ran = witness(repo, "", &script).code(0);
    says(
        &ran,
        &["test result: ok.", "seen", "3 passed, 0 failed, 1 skipped"],
    );
    let event = only(repo);
    let body = &event["body"];
    assert_eq!(event["kind"], "evidence.run");
    assert_eq!(event["subject"]["commit"], scene.tip.as_str());
    assert_eq!(event["subject"]["base"], scene.base.as_str());
    assert_eq!(body["argv"], json!(["sh", "-c", script]));
    assert_eq!(body["exit"], 0);
    assert_eq!(body["dirty"], false);
    assert_eq!(body["kind"], "test-result");
    assert_eq!(
        body["dimensions"],
        json!(["functional-completeness", "problem-resolution", "no-new-bugs"])
    );
    assert_eq!(body["format"], "libtest");
    assert_eq!(
        body["counts"],
        json!({"passed": 3, "failed": 0, "skipped": 1, "not_run": 0, "flaky": 0})
    );
    assert_eq!(
        body["stdout"],
        crate::scene::sha256(&format!("{PASSED}\n")).as_str()
    );
    assert_eq!(body["stderr"], crate::scene::sha256("seen\n").as_str());
    let tail = body["tail"].as_str().unwrap();
    assert!(tail.contains(PASSED) && tail.contains("seen"), "{tail}");
    says(&repo.say("log", []).run().code(0), &["evidence.run"]);
}

#[test]
fn a_failed_run_is_stored_too() {
    let scene = reviewed();
    let repo = &scene.repo;
    witness(repo, "", "echo broken; exit 3").code(1);
    let body = only(repo)["body"].clone();
    assert_eq!(
        (&body["exit"], &body["counts_reason"]),
        (&json!(3), &json!("unknown-format"))
    );
    assert!(body.get("counts").is_none() && body["tail"] == "broken\n");

    let ran = witness(repo, "--json --no-tail", "echo out; kill -9 $$").code(1);
    assert_eq!(ran.json()["exit"], "signal 9");
    assert_eq!(ran.json()["tail"], Value::Null);
    assert!(ran.stderr.contains("out\n"), "{ran}");

    let ran = witness(repo, "--json --timeout 1", "sleep 60 & sleep 60").code(1);
    assert_eq!(ran.json()["exit"], "timeout");
    assert_eq!(stored(repo).len(), 3);
}

#[test]
fn what_cannot_be_recorded_is_not_run() {
    let scene = Scene::new();
    let repo = &scene.repo;
    let ran = witness(repo, "", "touch ran").code(2);
    says(&ran, &["no open review", "git review-gate review start"]);
    repo.say("review start --criterion", ["AC-1: it works"])
        .run()
        .code(0);
    let long = "x".repeat(9000);
    for (options, command, words) in [
        ("--kind guess", "touch ran", vec!["no kind guess"]),
        (
            "--kind ac-mapping",
            "touch ran",
            vec!["no question by itself", "--dimension"],
        ),
        (
            "--dimension speed",
            "touch ran",
            vec!["no dimension speed", "no-new-bugs"],
        ),
        ("--review none-12345678", "touch ran", vec!["no review"]),
        ("", long.as_str(), vec!["8192 bytes"]),
    ] {
        says(&witness(repo, options, command).code(2), &words);
    }
    let ran = repo
        .say("evidence run -- no-such-program-anywhere", [])
        .run()
        .code(2);
    says(&ran, &["no-such-program-anywhere cannot be run"]);
    repo.say("evidence run", []).run().code(2);
    repo.say("evidence run --", []).run().code(2);
    assert!(!repo.dir.join("ran").exists() && stored(repo).is_empty());
}

#[test]
fn a_run_in_a_changed_work_tree_counts_for_no_commit() {
    // What to do before, what the command does, and whether the run is dirty.
    for (before, command, dirty) in [
        ("", "true", false),
        ("", "echo new > left-behind", false),
        ("echo more >> work.txt", "true", true),
        ("echo new > untracked", "true", true),
        (
            "echo ignored > .git/info/exclude; echo new > ignored",
            "true",
            false,
        ),
        ("echo new > staged; git add staged", "true", true),
        (
            "git update-index --assume-unchanged work.txt; echo more >> work.txt",
            "true",
            true,
        ),
        (
            "git update-index --skip-worktree work.txt; echo more >> work.txt",
            "true",
            true,
        ),
        ("", "echo more >> work.txt", true),
        ("", "git commit -q --allow-empty -m moved", true),
        ("", "git rm -q --cached work.txt", true),
        ("", "git switch -q --detach", false),
    ] {
        let scene = reviewed();
        let repo = &scene.repo;
        let shell = repo.git_call(["-c", &format!("alias.x=!{before}"), "x"]);
        if !before.is_empty() {
            shell.run().code(0);
        }
        let ran = witness(repo, "--json", command).code(0);
        assert_eq!(ran.json()["dirty"], dirty, "{before} / {command}");
        assert_eq!(ran.json()["commit"], scene.tip.as_str());
        assert_eq!(
            ran.stderr.contains("counts for no commit"),
            dirty,
            "{before} / {command}: {ran}"
        );
    }
}

#[test]
fn secrets_of_the_environment_are_not_kept() {
    let scene = reviewed();
    let repo = &scene.repo;
    let script = "echo first $DEPLOY_TOKEN; echo then $SHORT_KEY; echo \"$PLAIN\"";
    let ran = repo
        .say("evidence run -- sh -c", [script, "sh", "tok-0123456789"])
        .env("DEPLOY_TOKEN", "tok-0123456789")
        .env("SHORT_KEY", "1234567")
        .env("PLAIN", "tok-plain-value")
        .run()
        .code(0);
    // It is passed through as it is; only what is kept is masked.
    says(&ran, &["first tok-0123456789"]);
    let body = only(repo)["body"].clone();
    assert_eq!(body["tail"], "first ***\nthen 1234567\ntok-plain-value\n");
    assert_eq!(body["argv"][4], "***");
    let notes = repo.git(["notes", "--ref=review-gate/reviews", "show", "HEAD"]);
    assert!(!notes.contains("0123456789"), "{notes}");
}

#[test]
fn reports_win_over_output_and_old_ones_do_not_count() {
    let scene = reviewed();
    let repo = &scene.repo;
    repo.write(".git/info/exclude", "/out/\n");
    let junit = "<testsuite><testcase name=\"a\"/><testcase name=\"b\"><failure/></testcase></testsuite>";
    let write = format!("mkdir -p out; echo '{junit}' > out/junit.xml; echo '{PASSED}'");
    let ran = witness(repo, "--json --junit out/junit.xml", &format!("{write}; exit 1")).code(1);
    let json = ran.json();
    assert_eq!(
        (&json["format"], &json["counts"]["failed"]),
        (&json!("junit"), &json!(1))
    );
    assert_eq!(json["reports"][0]["path"], "out/junit.xml");
    assert_eq!(
        json["reports"][0]["sha256"],
        crate::scene::sha256(&format!("{junit}\n")).as_str()
    );
    for (options, command, reason) in [
        ("--junit out/junit.xml", "true".to_owned(), "stale-report"),
        ("--junit out/none.xml", "true".to_owned(), "no-report"),
        (
            "--junit out/j.xml",
            "mkdir -p out/j.xml".to_owned(),
            "unreadable-report",
        ),
        (
            "--junit out/l.xml",
            "ln -sf junit.xml out/l.xml".to_owned(),
            "unreadable-report",
        ),
        (
            "--junit out/bad.xml",
            "echo '<a' > out/bad.xml".to_owned(),
            "malformed",
        ),
    ] {
        let json = witness(repo, &format!("--json {options}"), &command)
            .code(0)
            .json();
        assert_eq!(
            (&json["counts"], &json["counts_reason"]),
            (&Value::Null, &json!(reason)),
            "{command}"
        );
    }
    let lcov = "printf 'SF:a\\nDA:1,1\\nDA:2,0\\nend_of_record\\n' > out/lcov";
    let json = witness(repo, "--json --kind test-coverage --lcov out/lcov", lcov)
        .code(0)
        .json();
    assert_eq!(
        json["coverage"],
        json!({"lines": {"found": 2, "hit": 1}, "functions": null, "branches": null})
    );
    assert_eq!(json["dimensions"], json!(["functional-completeness"]));
    let ran = witness(repo, "--json --kind test-coverage --lcov out/lcov", "true").code(0);
    assert_eq!(ran.json()["coverage"], Value::Null);
    says(&ran, &["out/lcov says nothing about coverage (stale-report)"]);
    let cobertura = "echo '<coverage lines-valid=\"4\" lines-covered=\"3\"/>' > out/c.xml";
    let json = witness(repo, "--json --cobertura out/c.xml", cobertura)
        .code(0)
        .json();
    assert_eq!(json["coverage"]["lines"], json!({"found": 4, "hit": 3}));
}

#[test]
fn a_claim_stays_a_claim() {
    let scene = reviewed();
    let repo = &scene.repo;
    let claim = "evidence add --kind manual-spot-check --dimension no-new-bugs";
    let say = |line: &str, text: &str| {
        let line = format!("{claim} {line} --description");
        repo.say(&line, [text]).run()
    };
    let ran = say("--artifact work.txt", "The page \u{1b}[2J still works").code(0);
    says(&ran, &["claimed by", "work.txt (6 bytes)"]);
    assert!(!ran.stdout.contains("succeeded"), "{ran}");
    let event = only(repo);
    assert_eq!(event["kind"], "evidence.added");
    assert_eq!(
        event["body"]["artifact"],
        json!({"path": "work.txt", "bytes": 6, "sha256": crate::scene::sha256("first\n")})
    );
    repo.write("shots/new.png", b"png");
    let json = say(
        "--json --artifact shots/new.png --link https://example.org/1",
        "x",
    )
    .code(0)
    .json();
    assert_eq!(json["artifact"]["bytes"], 3);
    assert_eq!(json["schema"], "review-gate/evidence-add");

    std::os::unix::fs::symlink("/etc/passwd", repo.dir.join("link")).unwrap();
    std::os::unix::fs::symlink("/etc", repo.dir.join("folder")).unwrap();
    let long = "x".repeat(2001);
    for (line, text) in [
        ("--artifact none.txt", "x"),
        ("--artifact ../secret", "x"),
        ("--artifact /etc/passwd", "x"),
        ("--artifact .git/config", "x"),
        ("--artifact link", "x"),
        ("--artifact folder/passwd", "x"),
        ("--artifact shots", "x"),
        ("--link javascript:alert(1)", "x"),
        ("--link 12345", "x"),
        ("", "  "),
        ("", long.as_str()),
    ] {
        let ran = say(line, text).code(2);
        says(&ran, &["error: ", "hint: "]);
    }
    assert_eq!(stored(repo).len(), 2);
}
