//! Installing and its exact inverse; what is refused; what managers are given.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use super::{hooks_dir, one_commit, snapshot};
use crate::support::{Repo, World, script};

/// A layout: its name and how to make it; the answer is where commands run.
type Layout = (&'static str, fn(&World) -> Repo);

const LAYOUTS: &[Layout] = &[
    ("plain", |world| one_commit(world, "plain")),
    ("path with spaces and a quote", |world| {
        one_commit(world, "it's a  repo")
    }),
    ("no hooks directory", |world| {
        let repo = world.init("bald", &["--template="]);
        repo.commit("Start");
        repo
    }),
    ("relative core.hooksPath", |world| {
        let repo = one_commit(world, "relative");
        repo.git(["config", "core.hooksPath", ".githooks"]);
        repo
    }),
    ("relative core.hooksPath from a subdirectory", |world| {
        let repo = one_commit(world, "below");
        repo.git(["config", "core.hooksPath", ".githooks"]);
        fs::create_dir_all(repo.dir.join("a/b")).expect("folder");
        world.at("below/a/b")
    }),
    ("absolute core.hooksPath below the git directory", |world| {
        let repo = one_commit(world, "absolute");
        let path = repo.dir.join(".git/my hooks");
        repo.git(["config".as_ref(), "core.hooksPath".as_ref(), path.as_os_str()]);
        repo
    }),
    ("linked worktree", |world| {
        let repo = one_commit(world, "main");
        repo.git(["worktree", "add", "-q", "../linked"]);
        world.at("linked")
    }),
    ("worktree of a bare repository", |world| {
        let origin = one_commit(world, "origin");
        let bare = world.clone_of(&origin, "bare.git", &["--bare"]);
        bare.git(["worktree", "add", "-q", "../of-bare"]);
        world.at("of-bare")
    }),
    ("bare", |world| {
        let origin = one_commit(world, "origin");
        world.clone_of(&origin, "bare.git", &["--bare"])
    }),
    ("submodule", |world| {
        let sub = one_commit(world, "sub");
        let top = one_commit(world, "super");
        top.git([
            "submodule".as_ref(),
            "--quiet".as_ref(),
            "add".as_ref(),
            sub.dir.as_os_str(),
            "inner".as_ref(),
        ]);
        world.at("super/inner")
    }),
    ("sha256", |world| {
        let repo = world.init("sha256", &["--object-format=sha256"]);
        repo.commit("Start");
        repo
    }),
    ("foreign hooks", |world| {
        let repo = one_commit(world, "foreign");
        script(
            &repo.dir.join(".git/hooks/pre-push"),
            0o750,
            "#!/bin/sh\nexit 0\n",
        );
        script(
            &repo.dir.join(".git/hooks/post-rewrite"),
            0o644,
            "#!/bin/sh\nexit 0\n",
        );
        repo
    }),
    ("git-lfs", |world| {
        let repo = one_commit(world, "lfs");
        script(
            &repo.dir.join(".git/hooks/pre-push"),
            0o755,
            "#!/bin/sh\ngit lfs pre-push \"$@\"\n",
        );
        repo
    }),
    ("links", |world| {
        let repo = one_commit(world, "links");
        script(&repo.dir.join("tools/hook"), 0o755, "#!/bin/sh\nexit 0\n");
        symlink("../../tools/hook", repo.dir.join(".git/hooks/pre-push")).expect("link");
        symlink("nowhere", repo.dir.join(".git/hooks/post-rewrite")).expect("dangling link");
        repo
    }),
];

#[test]
fn install_is_live_everywhere_and_uninstall_is_its_exact_inverse() {
    for (name, make) in LAYOUTS {
        let world = World::new();
        let repo = make(&world);
        let dir = hooks_dir(&repo);
        let before = snapshot(&dir);
        repo.gate(["hooks", "install", "--dry-run"]).run().code(0);
        assert_eq!(snapshot(&dir), before, "{name}: a dry run changes nothing");
        repo.gate(["hooks", "install"]).run().code(0);
        for hook in ["pre-push", "post-rewrite"] {
            let meta = fs::symlink_metadata(dir.join(hook)).expect("hook");
            assert!(meta.is_file(), "{name}: {hook} is a file, not a link");
            assert_eq!(meta.permissions().mode() & 0o777, 0o755, "{name}");
            assert_eq!(
                before.contains_key(&dir.join(hook)),
                fs::symlink_metadata(dir.join(format!("{hook}.review-gate-chained"))).is_ok(),
                "{name}: what was there is kept"
            );
        }
        for (path, old) in &before {
            let moved = PathBuf::from(format!("{}.review-gate-chained", path.display()));
            let now = snapshot(&dir);
            assert!(
                now.get(path) == Some(old) || now.get(&moved) == Some(old),
                "{name}: {}",
                path.display()
            );
        }
        let installed = snapshot(&dir);
        let again = repo.gate(["hooks", "install"]).run().code(0);
        assert_eq!(
            snapshot(&dir),
            installed,
            "{name}: installing twice changes nothing\n{again}"
        );

        let status = repo
            .gate(["hooks", "status", "--probe", "--format", "json"])
            .run();
        let status_json = status.json();
        // A relative `core.hooksPath` means another directory in each worktree; here there is one worktree each, except:
        let worktrees = status_json["worktrees"].as_array().expect("worktrees");
        assert!(!worktrees.is_empty(), "{name}");
        for worktree in worktrees {
            assert_eq!(worktree["hooks"][0]["state"], "proven", "{name}: {status}");
            assert_eq!(worktree["hooks"][1]["state"], "live", "{name}: {status}");
        }
        assert_eq!(status.code, 0, "{name}: {status}");

        repo.gate(["hooks", "uninstall"]).run().code(0);
        assert_eq!(snapshot(&dir), before, "{name}: uninstall is the inverse");
        repo.gate(["hooks", "uninstall"]).run().code(0);
        assert_eq!(snapshot(&dir), before, "{name}: also twice");
        repo.gate(["hooks", "status"]).run().code(1);
    }
}

#[test]
fn what_cannot_be_installed_is_refused_and_nothing_changes() {
    type Case = (&'static str, fn(&World, &Repo), &'static str, &'static str);
    let cases: &[Case] = &[
        (
            "empty core.hooksPath",
            |_, repo| drop(repo.git(["config", "core.hooksPath", ""])),
            "core.hooksPath is set to nothing",
            "git config --local --unset core.hooksPath",
        ),
        (
            "outside",
            |world, repo| {
                let path = world.path("shared hooks");
                repo.git([
                    "config".as_ref(),
                    "--global".as_ref(),
                    "core.hooksPath".as_ref(),
                    path.as_os_str(),
                ]);
            },
            "lie outside of it",
            "hooks install --global",
        ),
        (
            "outside through a link",
            |world, repo| {
                fs::create_dir(world.path("elsewhere")).expect("folder");
                fs::remove_dir_all(repo.dir.join(".git/hooks")).expect("hooks");
                symlink(world.path("elsewhere"), repo.dir.join(".git/hooks")).expect("link");
            },
            "lie outside of it",
            "--config",
        ),
        (
            "the name to move to is taken",
            |_, repo| {
                script(&repo.dir.join(".git/hooks/post-rewrite"), 0o755, "#!/bin/sh\n");
                script(
                    &repo.dir.join(".git/hooks/post-rewrite.review-gate-chained"),
                    0o755,
                    "#!/bin/sh\n",
                );
            },
            "post-rewrite.review-gate-chained is there already",
            "ls -l",
        ),
        (
            "ours, with more in it",
            |_, repo| {
                repo.gate(["hooks", "install"]).run().code(0);
                let path = repo.dir.join(".git/hooks/pre-push");
                let text = fs::read_to_string(&path).expect("hook") + "npm test\n";
                script(&path, 0o755, &text);
            },
            "was changed",
            "hooks install",
        ),
        (
            "a folder",
            |_, repo| fs::create_dir(repo.dir.join(".git/hooks/pre-push")).expect("folder"),
            "is not a hook",
            "ls -l",
        ),
    ];
    for (name, prepare, message, hint) in cases {
        let world = World::new();
        let repo = one_commit(&world, "repo");
        prepare(&world, &repo);
        let before = snapshot(&world.path("."));
        let ran = repo.gate(["hooks", "install"]).run().code(2);
        assert!(
            ran.stderr.contains(message) && ran.stderr.contains(hint),
            "{name}: {ran}"
        );
        assert!(ran.stderr.contains("\nhint: "), "{name}: {ran}");
        assert_eq!(snapshot(&world.path(".")), before, "{name}: nothing changed");
    }
    // A hook that is no longer ours alone stays, and is named.
    let world = World::new();
    let repo = one_commit(&world, "repo");
    cases[4].1(&world, &repo);
    let ran = repo.gate(["hooks", "uninstall"]).run().code(0);
    assert!(
        ran.stdout.contains("left alone") && ran.stdout.contains("changed since"),
        "{ran}"
    );
    assert!(repo.dir.join(".git/hooks/pre-push").exists());
    assert!(!repo.dir.join(".git/hooks/post-rewrite").exists());
}

#[test]
fn a_shared_directory_is_used_when_asked_for() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    let shared = world.path("shared hooks");
    repo.gate(["hooks", "install", "--global"]).run().code(2);
    repo.git([
        "config".as_ref(),
        "--global".as_ref(),
        "core.hooksPath".as_ref(),
        shared.as_os_str(),
    ]);
    repo.gate(["hooks", "install", "--global"]).run().code(0);
    let other = one_commit(&world, "other");
    other.gate(["hooks", "status", "--probe"]).run().code(0);
    other.gate(["hooks", "uninstall", "--global"]).run().code(0);
    assert!(
        !shared.exists(),
        "the directory came with the hooks and goes with them"
    );
}

#[test]
fn managers_get_lines_for_their_own_configuration() {
    /// What husky 9 writes: a directory of its own, whose hooks run those of `.husky/`.
    fn husky(repo: &Repo) {
        let dir = repo.dir.join(".husky/_");
        script(
            &dir.join("pre-push"),
            0o755,
            "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n",
        );
        script(
            &dir.join("h"),
            0o644,
            "[ \"$HUSKY\" = 0 ] && exit 0\ns=$(dirname \"$(dirname \"$0\")\")/$(basename \"$0\")\n[ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\n",
        );
        repo.git(["config", "core.hooksPath", ".husky/_"]);
    }
    /// A stand-in for lefthook that runs what `run:` says, with standard input.
    fn lefthook(repo: &Repo) {
        script(
            &repo.dir.join(".git/hooks/pre-push"),
            0o755,
            "#!/bin/sh\ncall_lefthook()\n{\n  c=$(sed -n 's/^ *run: //p' lefthook.yml 2>/dev/null | sed 's/{0}/\"$@\"/')\n  shift 2\n  eval \"$c\"\n}\n\ncall_lefthook run \"pre-push\" \"$@\"\n",
        );
    }
    for (name, file, prepare) in [
        ("husky", ".husky/pre-push", husky as fn(&Repo)),
        ("lefthook", "lefthook.yml", lefthook),
    ] {
        let world = World::new();
        let repo = one_commit(&world, "repo");
        prepare(&repo);
        let before = snapshot(&repo.dir);
        let ran = repo.gate(["hooks", "install", "--pre-push"]).run().code(2);
        assert!(
            ran.stdout.contains(&format!("{name} keeps the hooks")) && ran.stdout.contains(file),
            "{ran}"
        );
        assert_eq!(snapshot(&repo.dir), before, "{name}: nothing changed");
        let status = repo.gate(["hooks", "status", "--probe"]).run().code(1);
        assert!(status.stdout.contains("which does not call us"), "{status}");

        let lines: Vec<&str> = ran
            .stdout
            .lines()
            .filter_map(|line| line.strip_prefix("    "))
            .collect();
        let lines = lines[lines
            .iter()
            .position(|line| !line.contains("keeps this hook"))
            .expect("lines")..]
            .join("\n");
        repo.write(file, lines + "\n");
        let ran = repo.gate(["hooks", "install", "--pre-push"]).run().code(0);
        assert!(ran.stdout.contains(&format!("{name} calls us")), "{ran}");
        let status = repo.gate(["hooks", "status", "--probe"]).run().code(0);
        assert!(status.stdout.contains("proven by a push"), "{status}");
    }
}
