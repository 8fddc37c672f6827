//! Real pushes to a bare repository with the pre-receive hook; the hook of the pushing side is bypassed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::prepush::{Scene, raise, resolve};
use crate::support::{Ran, script};

const NOTES: &str = "refs/notes/review-gate/*:refs/notes/review-gate/*";

/// A scene whose bare repository judges what it receives.
fn scene() -> Scene {
    scene_with(&[])
}

fn scene_with(options: &[&str]) -> Scene {
    let scene = Scene::with(options);
    scene
        .remote
        .gate(["hooks", "install", "--pre-receive"])
        .run()
        .code(0);
    scene
}

/// A push past the hook of the pushing side that the receiving one must stop: nothing moved, no file came or went.
#[track_caller]
fn stopped(scene: &Scene, args: &[&str], parts: &[&str]) -> Ran {
    let before = files(&scene.remote.dir);
    let push = scene.repo.git_call(["push", "--no-verify", "origin"]).args(args);
    let ran = scene.stopped_call(push, parts);
    assert_eq!(files(&scene.remote.dir), before, "{ran}");
    ran
}

#[track_caller]
fn passed(scene: &Scene, args: &[&str]) {
    let push = scene.repo.git_call(["push", "--no-verify", "origin"]).args(args);
    push.run().code(0);
}

fn files(dir: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn notes_of_the_same_push_decide_and_then_those_that_are_there() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let scene = scene_with(options);
        scene.branch("good");
        passed(&scene, &["good"]);
        scene.bad_branch("bad");
        // Without its notes nobody knows of the finding here.
        let ran = stopped(
            &scene,
            &["bad", NOTES],
            &["refs/heads/bad: blocked", "bad is wrong"],
        );
        assert!(ran.stderr.contains("findings-open"), "{ran}");
        let finding = finding_id(&ran);
        // The notes come alone; then they count for a push without them.
        passed(&scene, &[NOTES]);
        stopped(&scene, &["bad"], &["refs/heads/bad: blocked", &finding]);
        stopped(
            &scene,
            &["bad:other", "good:third"],
            &["refs/heads/other: blocked"],
        );
        scene.commit();
        resolve(&scene.repo, &finding);
        passed(&scene, &["bad", NOTES]);
    }
}

fn finding_id(ran: &Ran) -> String {
    let at = ran.stderr.find("F-").expect("a finding");
    ran.stderr[at..at + 10].to_owned()
}

#[test]
fn notes_refs_only_grow_by_events() {
    let scene = scene();
    let findings = "refs/notes/review-gate/findings";
    scene.bad_branch("bad");
    passed(&scene, &[NOTES]);
    let first = scene.repo.git(["rev-parse", findings]);
    raise(&scene.repo, "a second one");
    passed(&scene, &[NOTES]);
    stopped(
        &scene,
        &[&format!("+{first}:{findings}")],
        &["refs/notes/review-gate/findings: blocked", "loses 1 line"],
    );
    stopped(&scene, &[&format!(":{findings}")], &["never deleted by a push"]);
    // A line that is no event, on a note that is there and on one that is not.
    for commit in ["HEAD", "HEAD^"] {
        scene.repo.git([
            "notes",
            "--ref",
            "review-gate/findings",
            "append",
            "-m",
            "looks good",
            commit,
        ]);
        stopped(
            &scene,
            &[&format!("{findings}:{findings}")],
            &["refs/notes/review-gate/findings: blocked", "line "],
        );
        scene.repo.git(["update-ref", findings, &format!("{findings}^")]);
    }
    // What is no commit holds no notes.
    let blob = scene.repo.git(["rev-parse", "HEAD:README"]);
    stopped(
        &scene,
        &[&format!("{blob}:refs/notes/review-gate/specs")],
        &["refs/notes/review-gate/specs: blocked"],
    );
    stopped(
        &scene,
        &[&format!("{first}:refs/review-gate/seen/findings")],
        &["refs/review-gate/seen/findings: blocked"],
    );
}

#[test]
fn a_change_does_not_loosen_what_it_is_judged_by() {
    let scene = scene();
    scene.bad_branch("bad");
    scene.repo.write(
        ".review-gate.toml",
        "version = 1\n\n[[gate]]\nrefs = [\"*\"]\nfindings = \"none\"\n",
    );
    scene.repo.commit("Loosen");
    stopped(&scene, &["bad:main", NOTES], &["refs/heads/main: blocked"]);
    stopped(&scene, &[":main"], &["refs/heads/main: blocked"]);
}

#[test]
fn what_cannot_be_read_is_undecided() {
    let scene = scene();
    scene.branch("topic");
    let before = files(&scene.remote.dir);
    let push = scene.repo.git_call(["push", "--no-verify", "origin", "topic"]);
    scene.stopped_call(
        push.env("TMPDIR", "/nowhere"),
        &["the objects of this push cannot be read", "hint: "],
    );
    assert_eq!(files(&scene.remote.dir), before);
    // Events that wait to be written are not passed over.
    let pending = scene.remote.dir.join("review-gate/pending");
    fs::create_dir_all(&pending).unwrap();
    fs::write(pending.join("1-1.jsonl"), "x\n").unwrap();
    stopped(
        &scene,
        &["topic"],
        &["refs/heads/topic: undecided", "interrupted"],
    );
}

#[test]
fn what_is_said_is_short() {
    let scene = scene();
    scene.bad_branch("bad");
    let refs: Vec<String> = (0..60).map(|n| format!("bad:refs/heads/copy-{n}")).collect();
    let mut args: Vec<&str> = refs.iter().map(String::as_str).collect();
    args.push(NOTES);
    let ran = stopped(&scene, &args, &["refs/heads/copy-0: blocked", "and more"]);
    let said: usize = ran
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("remote: "))
        .map(|line| line.trim_end().len() + 1)
        .sum();
    assert!((500..2048).contains(&said), "{said} bytes: {ran}");
}

#[test]
fn a_hook_that_was_there_runs_after_ours() {
    let scene = Scene::new();
    let hook = scene.remote.dir.join("hooks/pre-receive");
    script(&hook, 0o755, "#!/bin/sh\ncat >received; echo so it is >&2\n");
    scene
        .remote
        .gate(["hooks", "install", "--pre-receive"])
        .run()
        .code(0);
    let status = scene.remote.gate(["hooks", "status"]).run().code(0);
    assert!(status.stdout.contains("pre-receive"), "{status}");
    scene.branch("topic");
    passed(&scene, &["topic"]);
    let received = fs::read_to_string(scene.remote.dir.join("received")).unwrap();
    assert!(received.ends_with(" refs/heads/topic\n"), "{received}");
    scene.remote.gate(["hooks", "uninstall"]).run().code(0);
    assert!(fs::read_to_string(&hook).unwrap().contains("so it is"));
    assert!(
        !scene
            .remote
            .dir
            .join("hooks/pre-receive.review-gate-chained")
            .exists()
    );
}
