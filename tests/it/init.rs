//! `init` sets a clone up once, touches nothing else, and says what it could not do.

use std::fs;
use std::os::unix::fs::symlink;

use crate::hooks::{one_commit, snapshot};
use crate::support::{World, script};

#[test]
fn init_is_complete_and_repeating_it_changes_nothing() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    let before = snapshot(&world.path("."));
    let planned = repo.gate(["init", "--dry-run"]).run().code(0);
    assert!(planned.stdout.contains("would be done"), "{planned}");
    assert_eq!(snapshot(&world.path(".")), before, "a dry run changes nothing");

    let done = repo.gate(["init"]).run().code(0);
    assert!(done.stdout.contains("git add .review-gate.toml"), "{done}");
    let after = snapshot(&world.path("."));
    let touched: Vec<String> = after
        .iter()
        .filter(|(path, content)| before.get(*path) != Some(content))
        .map(|(path, _)| {
            path.strip_prefix(&repo.dir)
                .expect("inside")
                .display()
                .to_string()
        })
        .collect();
    assert_eq!(
        touched,
        [
            ".git/config",
            ".git/hooks/post-rewrite",
            ".git/hooks/pre-push",
            ".review-gate.toml"
        ]
    );
    assert_eq!(
        repo.git(["diff", "--cached", "--name-only"]),
        "",
        "nothing is staged"
    );
    let config = repo.git(["config", "--local", "--get-regexp", "^(notes|remote|hook)"]);
    let names: Vec<&str> = config.lines().collect();
    assert_eq!(
        names,
        ["reviews", "findings", "specs", "quality"]
            .map(|name| format!("notes.review-gate/{name}.mergestrategy cat_sort_uniq"))
    );

    let again = repo.gate(["init"]).run().code(0);
    assert_eq!(snapshot(&world.path(".")), after, "{again}");
    assert!(!again.stdout.contains(" done: "), "{again}");
    repo.gate(["hooks", "status", "--probe"]).run().code(0);
}

#[test]
fn what_is_in_the_way_stays() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    // A policy that cannot be read, or that is no file, is never replaced, and nothing else is begun.
    repo.write(".review-gate.toml", "version = 1\nbaze = \"main\"\n");
    let before = snapshot(&repo.dir.join(".git"));
    let ran = repo.gate(["init"]).run().code(2);
    assert!(ran.stderr.contains("line 2"), "{ran}");
    fs::remove_file(repo.dir.join(".review-gate.toml")).expect("policy");
    symlink("README", repo.dir.join(".review-gate.toml")).expect("link");
    let ran = repo.gate(["init"]).run().code(2);
    assert!(ran.stderr.contains("is not a regular file"), "{ran}");
    fs::remove_file(repo.dir.join(".review-gate.toml")).expect("link");
    assert_eq!(snapshot(&repo.dir.join(".git")), before);

    // A hook manager keeps the hooks: the rest is done, and the exit code says that something is missing.
    script(
        &repo.dir.join(".git/hooks/pre-push"),
        0o755,
        "#!/bin/sh\nexec hk run pre-push \"$@\"\n",
    );
    let ran = repo.gate(["init", "--format", "json"]).run().code(2);
    let report = ran.json();
    assert_eq!(report["parts"][0]["state"], "changed", "{ran}");
    assert_eq!(report["parts"][1]["state"], "failed", "{ran}");
    assert_eq!(report["hooks"]["steps"][0]["manager"], "hk", "{ran}");
    let human = repo.gate(["init"]).run().code(2);
    assert!(
        human.stdout.contains("hk.pkl") && human.stdout.contains("{{hook_stdin}}"),
        "{human}"
    );
}

#[test]
fn a_bare_repository_gets_no_policy_file() {
    let world = World::new();
    let bare = world.bare("bare.git");
    let ran = bare.gate(["init"]).run().code(0);
    assert!(
        ran.stdout.contains("skipped: a bare repository has no files"),
        "{ran}"
    );
    world.at(".").gate(["init"]).run().code(2);
}

#[test]
fn a_clone_gets_the_notes_of_its_remote() {
    let world = World::new();
    let alice = one_commit(&world, "alice");
    let remote = world.clone_of(&alice, "remote.git", &["--bare"]);
    alice.git([
        "remote".as_ref(),
        "add".as_ref(),
        "origin".as_ref(),
        remote.dir.as_os_str(),
    ]);
    let add = [
        "finding",
        "add",
        "--origin",
        "qa",
        "--severity",
        "nit",
        "--expected",
        "A holds",
        "--actual",
        "it does not",
    ];
    alice.gate(add).run().code(0);
    let done = alice.gate(["init"]).run().code(0);
    assert!(
        done.stdout.contains("sync      done: notes with origin"),
        "{done}"
    );

    let bob = world.clone_of(&remote, "bob", &[]);
    let planned = bob.gate(["init", "--dry-run"]).run().code(0);
    assert!(
        planned
            .stdout
            .contains("sync      would be done: notes with origin"),
        "{planned}"
    );
    assert_eq!(bob.ref_id("refs/notes/review-gate/findings"), None);
    bob.gate(["init"]).run().code(0);
    assert_eq!(
        bob.ref_id("refs/notes/review-gate/findings"),
        alice.ref_id("refs/notes/review-gate/findings")
    );
    let again = bob.gate(["init"]).run().code(0);
    assert!(
        again.stdout.contains("sync      was there: notes with origin"),
        "{again}"
    );

    // A remote that cannot be reached: the rest is done, and the exit code says that something is missing.
    let carol = world.clone_of(&remote, "carol", &[]);
    carol.git(["remote", "set-url", "origin", "/no/such/remote"]);
    let ran = carol.gate(["init"]).run().code(2);
    assert!(ran.stdout.contains("sync      NOT DONE: "), "{ran}");
    assert!(ran.stdout.contains("\n  git review-gate sync\n"), "{ran}");
    carol.gate(["hooks", "status"]).run().code(0);
}
