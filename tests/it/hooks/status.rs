//! `hooks status` names each reason for which git does not run us.

use std::fs;
use std::os::unix::fs::symlink;

use super::one_commit;
use crate::support::{BINARY, Repo, World, script};

/// A name, what goes wrong, the exit code, and what the status says.
type Case = (&'static str, fn(&World, &Repo), i32, &'static str);

const CASES: &[Case] = &[
    (
        "not installed",
        |_, repo| drop(repo.gate(["hooks", "uninstall"]).run()),
        1,
        "NOT LIVE\n      not installed\n      next: git review-gate hooks install",
    ),
    (
        "not executable",
        |_, repo| {
            script(
                &repo.dir.join(".git/hooks/pre-push"),
                0o644,
                &repo.read(".git/hooks/pre-push"),
            );
        },
        1,
        "is not executable, so git skips it",
    ),
    (
        "shadowed",
        |_, repo| drop(repo.git(["config", "core.hooksPath", ".other"])),
        1,
        "is shadowed: core.hooksPath (local) sends git to",
    ),
    (
        "empty",
        |_, repo| drop(repo.git(["config", "core.hooksPath", ""])),
        1,
        "so git runs no hook",
    ),
    (
        "dangling",
        |_, repo| {
            fs::remove_file(repo.dir.join(".git/hooks/pre-push")).expect("hook");
            symlink("gone", repo.dir.join(".git/hooks/pre-push")).expect("link");
        },
        1,
        "is a link that points at nothing",
    ),
    (
        "another hook",
        |_, repo| script(&repo.dir.join(".git/hooks/pre-push"), 0o755, "#!/bin/sh\n"),
        1,
        "another hook is there",
    ),
    (
        "a broken post-rewrite counts",
        |_, repo| {
            script(
                &repo.dir.join(".git/hooks/post-rewrite"),
                0o644,
                &repo.read(".git/hooks/post-rewrite"),
            );
        },
        1,
        "post-rewrite is not executable",
    ),
    (
        "no post-rewrite",
        |_, repo| fs::remove_file(repo.dir.join(".git/hooks/post-rewrite")).expect("hook"),
        0,
        "post-rewrite  not installed",
    ),
    (
        "moved program, another on PATH",
        |_, repo| {
            let text = repo
                .read(".git/hooks/pre-push")
                .replace(BINARY, "/no/such/git-review-gate");
            script(&repo.dir.join(".git/hooks/pre-push"), 0o755, &text);
        },
        0,
        "/no/such/git-review-gate is gone; ",
    ),
    (
        "a chained hook",
        |_, repo| {
            script(
                &repo.dir.join(".git/hooks/pre-push.review-gate-chained"),
                0o644,
                "#!/bin/sh\n",
            );
        },
        0,
        "is not executable, so it is not run",
    ),
    (
        "newer",
        |_, repo| {
            let text = repo
                .read(".git/hooks/pre-push")
                .replace("version 1", "version 99");
            script(&repo.dir.join(".git/hooks/pre-push"), 0o755, &text);
        },
        0,
        "of a newer version of this program",
    ),
    (
        "worktree that is gone",
        |world, repo| {
            repo.git(["worktree", "add", "-q", "../gone"]);
            fs::remove_dir_all(world.path("gone")).expect("worktree");
        },
        0,
        "the folder of this worktree is gone",
    ),
    (
        "worktree with another core.hooksPath",
        |world, repo| {
            repo.git(["worktree", "add", "-q", "../other"]);
            repo.git(["config", "extensions.worktreeConfig", "true"]);
            world
                .at("other")
                .git(["config", "--worktree", "core.hooksPath", "/no/such/hooks"]);
        },
        1,
        "is shadowed: core.hooksPath (worktree) sends git to /no/such/hooks",
    ),
];

#[test]
fn status_names_what_keeps_git_from_running_us() {
    for (name, prepare, code, words) in CASES {
        let world = World::new();
        let repo = one_commit(&world, "repo");
        repo.gate(["hooks", "install"]).run().code(0);
        prepare(&world, &repo);
        let ran = repo.gate(["hooks", "status"]).run().code(*code);
        assert!(ran.stdout.contains(words), "{name}: {ran}");
        let proven = repo.gate(["hooks", "status", "--probe"]).run().code(*code);
        assert_eq!(
            *code == 0,
            proven.stdout.contains("\nGit runs these hooks.\n"),
            "{name}: {proven}"
        );
    }
}
