//! Where it is pushed from: hash, worktree, bare, submodule, shallow and partial clones, hooks in odd places.

use std::fs;

use super::{Scene, raise, settle};
use crate::support::{copy_program, script};

#[test]
fn sha256_repositories() {
    let scene = Scene::with(&["--object-format=sha256"]);
    scene.branch("good");
    scene.passed(&["origin", "good"]);
    scene.passed(&["origin", "--delete", "good"]);
    scene.bad_branch("bad");
    scene.stopped(&["origin", "bad"], &["refs/heads/bad: blocked"]);
}

#[test]
fn a_linked_worktree_shares_hook_and_state() {
    let scene = Scene::new();
    scene.bad_branch("topic");
    let linked = scene.world.path("linked tree");
    scene.repo.git([
        "worktree",
        "add",
        "-q",
        "-b",
        "other",
        linked.to_str().unwrap(),
        "topic",
    ]);
    let linked = scene.world.at("linked tree");
    scene.stopped_call(
        linked.git_call(["push", "origin", "other"]),
        &["refs/heads/other: blocked"],
    );
    scene.stopped_call(
        linked.git_call(["push", "origin", "topic"]),
        &["refs/heads/topic: blocked"],
    );
    linked.git(["push", "-q", "origin", "main:copy"]);
}

#[test]
fn a_bare_source_and_a_path_with_spaces() {
    let scene = Scene::new();
    scene.bad_branch("topic");
    let bare = scene
        .world
        .clone_of(&scene.repo, "a bare clone.git", &["--mirror"]);
    bare.git(["remote", "set-url", "origin", scene.remote.dir.to_str().unwrap()]);
    bare.git(["config", "--unset", "remote.origin.mirror"]);
    bare.gate(["hooks", "install"]).run().code(0);
    scene.stopped_call(
        bare.git_call(["push", "origin", "topic"]),
        &["refs/heads/topic: blocked"],
    );
    bare.git(["push", "-q", "origin", "main:copy"]);
}

#[test]
fn a_submodule_has_a_hook_of_its_own() {
    let scene = Scene::new();
    let outer = scene.world.repo("outer");
    outer.git([
        "submodule",
        "--quiet",
        "add",
        scene.remote.dir.to_str().unwrap(),
        "inner",
    ]);
    outer.commit("Add inner");
    let inner = scene.world.at("outer/inner");
    Scene::install(&inner);
    inner.git(["checkout", "-q", "-b", "topic"]);
    inner.write("work", "1\n");
    inner.commit("Work");
    raise(&inner, "inner is wrong");
    scene.stopped_call(
        inner.git_call(["push", "origin", "topic"]),
        &["refs/heads/topic: blocked"],
    );
}

#[test]
fn alternates_and_a_url_without_a_name() {
    let scene = Scene::new();
    let shared = scene.world.clone_of(&scene.repo, "shared", &["--shared"]);
    Scene::install(&shared);
    shared.git(["checkout", "-q", "-b", "topic", "origin/main"]);
    shared.write("work", "1\n");
    shared.commit("Work");
    let url = scene.remote.dir.to_str().unwrap();
    shared.git(["push", "-q", url, "topic"]);
    raise(&shared, "shared is wrong");
    scene.stopped_call(
        shared.git_call(["push", url, "topic:other"]),
        &["refs/heads/other: blocked"],
    );
}

#[test]
fn shallow_history_is_never_taken_for_the_whole() {
    let scene = Scene::new();
    scene.branch("topic");
    for _ in 0..3 {
        scene.commit();
    }
    scene.passed(&["origin", "topic"]);
    let url = format!("file://{}", scene.remote.dir.display());
    let mut from = scene.remote.clone();
    from.dir = url.into();
    let shallow = scene.world.clone_of(
        &from,
        "shallow",
        &["--depth=2", "--branch=topic", "--no-single-branch"],
    );
    shallow.gate(["hooks", "install"]).run().code(0);
    shallow.write("work", "new\n");
    shallow.commit("More");
    scene.stopped_call(
        shallow.git_call(["push", "origin", "topic"]),
        &["refs/heads/topic: undecided", "--unshallow"],
    );
    shallow.git(["fetch", "-q", "--unshallow"]);
    settle(&shallow);
    shallow.git(["push", "-q", "origin", "topic"]);
}

#[test]
fn a_partial_clone_is_judged_without_fetching() {
    let scene = Scene::new();
    scene.branch("topic");
    scene.passed(&["origin", "topic"]);
    scene.remote.git(["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", scene.remote.dir.display());
    let mut from = scene.remote.clone();
    from.dir = url.into();
    let partial = scene
        .world
        .clone_of(&from, "partial", &["--filter=blob:none", "--branch=topic"]);
    Scene::install(&partial);
    partial.write("more", "1\n");
    partial.commit("More");
    partial.git(["push", "-q", "origin", "topic"]);
    raise(&partial, "partial is wrong");
    scene.stopped_call(
        partial.git_call(["push", "origin", "topic:other"]),
        &["refs/heads/other: blocked"],
    );
}

#[test]
fn hooks_folders_relative_absolute_missing_and_empty() {
    let scene = Scene::new();
    scene.bad_branch("topic");
    let ours = fs::read(scene.hooks_dir().join("pre-push")).unwrap();
    fs::remove_dir_all(scene.hooks_dir()).unwrap();
    let absolute = scene.repo.dir.join("elsewhere");
    for path in [".githooks", absolute.to_str().unwrap()] {
        scene.repo.git(["config", "core.hooksPath", path]);
        scene.repo.gate(["hooks", "install"]).run().code(0);
        assert!(
            !fs::read(scene.repo.dir.join(path).join("pre-push"))
                .unwrap()
                .is_empty()
        );
        scene.stopped(&["origin", "topic"], &["refs/heads/topic: blocked"]);
    }
    scene.repo.git(["config", "--unset", "core.hooksPath"]);
    scene.repo.gate(["hooks", "install"]).run().code(0);
    assert_eq!(fs::read(scene.hooks_dir().join("pre-push")).unwrap(), ours);
    scene.stopped(&["origin", "topic"], &["refs/heads/topic: blocked"]);
}

#[test]
fn the_hook_that_was_there_gets_the_same_and_has_its_say() {
    let scene = Scene::new();
    scene.repo.gate(["hooks", "uninstall"]).run().code(0);
    // As git-lfs does it: reads the lines, and may refuse.
    let lfs = "#!/bin/sh\ncommand -v cat >/dev/null 2>&1 || exit 2\ncat > seen\necho \"$@\" >> seen\ntest ! -e refuse\n";
    script(&scene.hooks_dir().join("pre-push"), 0o755, lfs);
    scene.repo.gate(["hooks", "install"]).run().code(0);
    scene.bad_branch("bad");
    scene.stopped(&["origin", "bad"], &["refs/heads/bad: blocked"]);
    assert!(!scene.repo.dir.join("seen").exists(), "not after we blocked");
    let good = scene.branch("good");
    scene.passed(&["origin", "good"]);
    let url = scene.remote.dir.display();
    let zero = "0".repeat(40);
    assert_eq!(
        scene.repo.read("seen"),
        format!("refs/heads/good {good} refs/heads/good {zero}\norigin {url}\n")
    );
    scene.repo.write("refuse", "");
    scene.repo.git(["branch", "again", "good"]);
    scene.stopped(&["origin", "again"], &["pre-push"]);
}

#[test]
fn hooks_that_a_manager_calls() {
    let scene = Scene::new();
    scene.bad_branch("bad");
    scene.branch("good");
    let hook = scene.hooks_dir().join("pre-push");
    // Husky: a folder of its own, whose hooks run those of `.husky`.
    let husky = "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n";
    let helper = "#!/usr/bin/env sh\n# HUSKY\nsh -e \".husky/$(basename \"$0\")\" \"$@\"\n";
    scene.repo.git(["config", "core.hooksPath", ".husky/_"]);
    script(&scene.repo.dir.join(".husky/_/pre-push"), 0o755, husky);
    script(&scene.repo.dir.join(".husky/_/h"), 0o644, helper);
    scene
        .repo
        .write(".husky/pre-push", "git-review-gate hook pre-push -- \"$@\"\n");
    scene.stopped(&["origin", "good", "bad"], &["refs/heads/bad: blocked"]);
    scene.passed(&["--dry-run", "origin", "good"]);
    // Lefthook: one file in git's own folder that hands arguments and input on.
    scene.repo.git(["config", "--unset", "core.hooksPath"]);
    let lefthook =
        "#!/bin/sh\ncall_lefthook()\n{\n  git-review-gate hook pre-push -- \"$@\"\n}\ncall_lefthook \"$@\"\n";
    script(&hook, 0o755, lefthook);
    scene.stopped(&["origin", "good", "bad"], &["refs/heads/bad: blocked"]);
    // Not executable: git passes it over, which only the status can tell.
    script(&hook, 0o644, lefthook);
    scene.repo.gate(["hooks", "status"]).run().code(1);
    scene.passed(&["--dry-run", "origin", "bad"]);
}

#[test]
fn surroundings_that_git_may_have() {
    let scene = Scene::new();
    scene.bad_branch("topic");
    let push = |args: &[&str]| scene.repo.git_call(args.iter().copied());
    // No home and no configuration of the user.
    let call = push(&["push", "origin", "topic"])
        .env_remove("HOME")
        .env_remove("GIT_CONFIG_GLOBAL");
    scene.stopped_call(call, &["refs/heads/topic: blocked"]);
    // Settings on the command line reach the hook, and change nothing about the judgement.
    let call = push(&[
        "-c",
        "diff.renames=false",
        "-c",
        "user.name=Somebody",
        "push",
        "origin",
        "topic",
    ]);
    scene.stopped_call(call, &["refs/heads/topic: blocked"]);
    // From a folder below, and from outside.
    scene.repo.write("deep/er/file", "1\n");
    let call = scene
        .world
        .at("project/deep/er")
        .git_call(["push", "origin", "topic"]);
    scene.stopped_call(call, &["refs/heads/topic: blocked"]);
    let call = scene
        .world
        .at(".")
        .git_call(["-C", "project", "push", "origin", "topic"]);
    scene.stopped_call(call, &["refs/heads/topic: blocked"]);
    let git_dir = scene.repo.dir.join(".git");
    let call = scene
        .world
        .at(".")
        .git_call(["push", "origin", "topic"])
        .env("GIT_DIR", &git_dir);
    scene.stopped_call(call, &["refs/heads/topic: blocked"]);
    // The program is gone: the push stops.
    let hook = scene.hooks_dir().join("pre-push");
    let text = fs::read_to_string(&hook).unwrap();
    let gone: String = text
        .lines()
        .map(|line| {
            if line.starts_with("program=") {
                "program='/nowhere/git-review-gate'\n".to_owned()
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    fs::write(&hook, gone).unwrap();
    let call = push(&["push", "origin", "topic"]).env("PATH", "/usr/bin:/bin");
    scene.stopped_call(call, &["nothing judged this push"]);
}

#[test]
fn ref_tables_are_judged_or_refused_in_words() {
    let scene = Scene::new();
    let url = scene.remote.dir.to_str().unwrap();
    let made = scene
        .world
        .at(".")
        .git_call(["init", "-q", "--ref-format=reftable", "tables"])
        .run();
    // Older versions of git do not know the option; then there are no such repositories either.
    if made.code != 0 {
        assert!(
            made.stderr.contains("ref-format") || made.stderr.contains("unknown"),
            "{made}"
        );
        return;
    }
    let tables = scene.world.at("tables");
    tables.git(["fetch", "-q", url, "main"]);
    tables.git(["checkout", "-q", "-b", "topic", "FETCH_HEAD"]);
    tables.git(["remote", "add", "origin", url]);
    fs::create_dir_all(tables.dir.join(".git/hooks")).unwrap();
    copy_program(
        scene.hooks_dir().join("pre-push"),
        &tables.dir.join(".git/hooks/pre-push"),
    );
    scene.stopped_call(tables.git_call(["push", "origin", "topic"]), &["reftable"]);
}
