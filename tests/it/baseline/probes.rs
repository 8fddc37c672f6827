//! Probes: commands of the base's policy, run on both sides in throw-away folders.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Repo, World, is_in_use, signal};

/// A repository whose policy at the base has one probe, with a second commit of `after`.
fn project(world: &World, probe: &str, after: &[(&str, &str)]) -> Repo {
    let repo = world.repo("project");
    let policy = format!("version = 1\n\n[[baseline.probe]]\n{probe}");
    repo.write(".review-gate.toml", policy);
    repo.write("help.txt", "usage\n  --all\n");
    repo.write("src/lib.rs", "pub fn f() {}\n");
    repo.commit("Start");
    for (path, text) in after {
        repo.write(path, text);
    }
    repo.commit("Change");
    repo
}

/// The baseline of the last commit with its probes, as JSON; neither worktrees nor folders are left.
fn measured(world: &World, repo: &Repo) -> Value {
    let temporary = world.path("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let ran = repo
        .gate(["baseline", "HEAD^1", "--probes", "--format", "json"])
        .env("TMPDIR", &temporary)
        .run();
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "{ran}");
    assert_eq!(repo.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    ran.json()
}

const HELP: &str = "name = \"help\"\ncommand = [\"cat\", \"help.txt\"]\n";

#[test]
fn an_equal_answer_is_no_fact_and_another_one_is_drift() {
    let world = World::new();
    let more = [("src/lib.rs", "pub fn f() {}\n\npub fn g() {}\n")];
    let repo = project(&world, HELP, &more);
    let answer = measured(&world, &repo);
    assert_eq!(answer["verdict"], "ADDITIONS ONLY");
    assert_eq!(answer["options"]["probes"], true);
    repo.write("help.txt", "usage\n  --none\n");
    repo.commit("Another help");
    let answer = measured(&world, &repo);
    assert_eq!(answer["verdict"], "STRUCTURAL DRIFT DETECTED");
    let fact = &answer["facts"][0];
    assert_eq!(fact["kind"], "probe-changed");
    assert_eq!(fact["key"], "probe:help");
    assert_eq!(fact["before"]["text"], "--all");
    assert_eq!(fact["after"]["text"], "--none");
    // Nothing runs unless it is asked for.
    let plain = repo.gate(["baseline", "HEAD^1", "--format", "json"]).run().json();
    assert_eq!(plain["facts"], serde_json::json!([]));
    assert_eq!(plain["options"]["probes"], false);
}

#[test]
fn the_probes_are_those_of_the_base() {
    let world = World::new();
    let mark = world.path("never");
    let other = format!(
        "version = 1\n\n[[baseline.probe]]\nname = \"help\"\ncommand = [\"touch\", \"{}\"]\n",
        mark.display()
    );
    let repo = project(&world, HELP, &[(".review-gate.toml", &other)]);
    let answer = measured(&world, &repo);
    assert_eq!(answer["facts"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["facts"][0]["kind"], "guardrail-changed");
    assert!(!mark.exists());
}

#[test]
fn the_environment_is_plain_and_what_changes_each_time_is_taken_out() {
    let world = World::new();
    let script = r#"pwd; date +%N; echo "[$LC_ALL][$GIT_DIR][$GIT_CONFIG_GLOBAL]"; git rev-parse --show-toplevel && cat help.txt"#;
    let probe = format!(
        "name = \"run\"\ncommand = [\"sh\", \"-c\", '''{script}''']\nnormalize = ['(?m)^/.*$', '\\d{{5,}}']\n"
    );
    let repo = project(&world, &probe, &[("help.txt", "[C][][]\n")]);
    let answer = measured(&world, &repo);
    let fact = &answer["facts"][0];
    assert_eq!(fact["before"]["text"], "usage", "{answer}");
    assert_eq!(fact["after"]["text"], "[C][][]");
    assert_eq!(
        (&fact["detail"]["before"], &fact["detail"]["after"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn where_it_is_run_is_no_difference() {
    let world = World::new();
    let probe = "name = \"where\"\ncommand = [\"sh\", \"-c\", 'pwd; pwd -P >&2; echo $PWD/x; test ! -e mark; touch mark']\n";
    let repo = project(&world, probe, &[("other.txt", "x\n")]);
    let answer = measured(&world, &repo);
    assert_eq!(answer["counts"]["probe-changed"], Value::Null, "{answer}");
    let text = repo
        .gate(["baseline", "HEAD^1", "--probes", "--format", "text"])
        .run();
    let method = "METHOD\nTwo trees were compared; the probes of the base's policy were run";
    assert!(text.stdout.contains(method), "{text}");
}

#[test]
fn what_cannot_be_run_is_not_decided() {
    for (probe, why) in [
        (
            "command = [\"no-such-program\"]\n",
            "no-such-program cannot be run",
        ),
        (
            "command = [\"sh\", \"-c\", \"sleep 60\"]\ntimeout_s = 1\n",
            "took more than 1 s",
        ),
        ("command = [\"yes\"]\n", "printed more than"),
        ("command = [\"./tool\"]\n", "./tool cannot be run"),
    ] {
        let world = World::new();
        let repo = project(&world, &format!("name = \"p\"\n{probe}"), &[("help.txt", "x\n")]);
        let answer = measured(&world, &repo);
        assert_eq!(answer["verdict"], "INDETERMINATE", "{answer}");
        let line = answer["verdict_line"].as_str().unwrap();
        assert!(line.contains(": 1 probe could not be measured"), "{line}");
        let entry = &answer["unmeasured"][0];
        assert_eq!(entry["reason"], "probe-failed");
        assert_eq!(entry["path"], "probe:p");
        assert!(entry["detail"].as_str().unwrap().contains(why), "{entry}");
    }
}

#[test]
fn an_expression_that_is_none_makes_the_policy_invalid() {
    let world = World::new();
    let probe = format!("{HELP}normalize = [\"(\"]\n");
    let repo = project(&world, &probe, &[("help.txt", "x\n")]);
    let ran = repo.gate(["baseline", "HEAD^1"]).run().code(2);
    let why = "`normalize` holds no regular expression";
    assert!(ran.to_string().contains(why), "{ran}");
}

#[test]
fn interrupted_half_way_it_leaves_nothing() {
    let world = World::new();
    let pipe = world.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let probe = format!(
        "name = \"p\"\ncommand = [\"sh\", \"-c\", \"echo ready >'{}'; sleep 60\"]\n",
        pipe.display()
    );
    let repo = project(&world, &probe, &[("help.txt", "x\n")]);
    let temporary = world.path("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let mut child = repo
        .gate(["baseline", "HEAD^1", "--probes"])
        .env("TMPDIR", &temporary)
        .into_command()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Waits until the probe has opened it as well.
    drop(File::open(&pipe).unwrap());
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    assert!(!is_in_use(&temporary));
    assert_eq!(repo.git(["worktree", "list"]).lines().count(), 1);
}
