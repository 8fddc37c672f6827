//! Attempts to get past the gate with plain git: what was once seen cannot be made to vanish.

use std::fs;

use crate::scene::says;
use crate::support::{Repo, World};

const FINDINGS: &str = "refs/notes/review-gate/findings";
const REVIEWS: &str = "refs/notes/review-gate/reviews";

/// A branch with one finding on it, in a repository that pushes to `hub`, which has its notes.
struct Field {
    world: World,
    hub: Repo,
    repo: Repo,
    tip: String,
}

fn field() -> Field {
    let world = World::new();
    let hub = world.bare("hub");
    let repo = world.clone_of(&hub, "project", &[]);
    repo.commit("Base");
    repo.git(["push", "-q", "origin", "HEAD:main"]);
    repo.git(["checkout", "-q", "-b", "topic"]);
    repo.write("work.txt", "work\n");
    let tip = repo.commit("Work");
    repo.git(["push", "-q", "origin", "topic"]);
    repo.say("sync", []).run().code(0);
    repo.raise("bad");
    repo.say("sync", []).run().code(0);
    repo.judged("", 1);
    Field {
        world,
        hub,
        repo,
        tip,
    }
}

fn delete(repo: &Repo, names: &[&str]) {
    for name in names {
        repo.git(["update-ref", "-d", name]);
    }
}

/// The refs of the ledger and the marks of what was seen in them; those that track a remote stay.
fn delete_local(repo: &Repo) {
    delete(
        repo,
        &[
            FINDINGS,
            REVIEWS,
            "refs/review-gate/seen/findings",
            "refs/review-gate/seen/reviews",
        ],
    );
}

#[test]
fn what_was_seen_cannot_be_taken_out_of_the_local_notes() {
    type Attack = fn(&Repo, &str);
    let attacks: [(&str, Attack); 5] = [
        ("a note removed in a commit on top", |repo, tip| {
            repo.git(["notes", "--ref", FINDINGS, "remove", tip]);
        }),
        ("an empty tree on top", |repo, _| {
            let tree = repo.git_call(["mktree"]).run().code(0).stdout;
            let commit = repo.git(["commit-tree", "-p", FINDINGS, "-m", "x", tree.trim()]);
            repo.git(["update-ref", FINDINGS, &commit]);
        }),
        ("the ref deleted", |repo, _| delete(repo, &[FINDINGS])),
        ("the refs and their marks deleted", |repo, _| delete_local(repo)),
        ("all refs of the tool deleted", |repo, _| {
            delete_local(repo);
            for name in repo
                .git(["for-each-ref", "--format=%(refname)", "refs/review-gate"])
                .lines()
            {
                delete(repo, &[name]);
            }
        }),
    ];
    for (what, attack) in attacks {
        let Field { repo, tip, .. } = field();
        attack(&repo, &tip);
        let ran = repo.say("check", []).run();
        assert_eq!(ran.code, 2, "{what}: {ran}");
        says(&ran, &["git review-gate sync"]);
        repo.say("sync", []).run().code(0);
        repo.judged("", 1);
        repo.say("fsck", []).run().code(0);
    }
    // Without a remote to ask, what is here is enough.
    for (what, attack) in &attacks[..4] {
        let Field { repo, tip, .. } = field();
        repo.git(["config", "remote.origin.url", "/nowhere"]);
        attack(&repo, &tip);
        let ran = repo.say("fsck --repair", []).run();
        assert_eq!(ran.code, 0, "{what}: {ran}");
        repo.judged("", 1);
    }
}

#[test]
fn what_was_taken_out_before_the_first_exchange_comes_back() {
    let Field {
        world,
        hub,
        repo,
        tip,
    } = field();
    repo.git(["notes", "--ref", FINDINGS, "remove", &tip]);
    repo.git(["push", "-q", "origin", FINDINGS]);
    let fresh = world.clone_of(&hub, "fresh", &[]);
    fresh.git(["checkout", "-q", "topic"]);
    let ran = fresh.say("sync", []).run().code(0);
    says(&ran, &["had dropped 1 lines", "put back"]);
    fresh.judged("", 1);
    fresh.say("fsck", []).run().code(0);
    // And at the remote, for everybody else.
    assert!(hub.git(["ls-tree", "-r", FINDINGS]).lines().count() > 0);
}

#[test]
fn a_trail_with_a_gap_is_not_shown_as_whole() {
    let Field { repo, tip, .. } = field();
    repo.git(["notes", "--ref", FINDINGS, "append", "-m", "garbage", &tip]);
    for command in ["log", "log main..topic", "log --json"] {
        let ran = repo.say(command, []).run().code(2);
        says(&ran, &["is not a ledger event"]);
    }
}

#[test]
fn the_index_is_read_from_regular_files_only() {
    let Field { repo, .. } = field();
    for name in ["index", "index.delta"] {
        let path = repo.dir.join(".git/review-gate").join(name);
        let _ = fs::remove_file(&path);
        // A folder and a link stand in for a pipe, which would never end.
        fs::create_dir(&path).unwrap();
        repo.judged("", 1);
        fs::remove_dir(&path).unwrap();
    }
}

#[test]
fn mirrors_are_read_within_bounds_and_written_inside_the_tree() {
    let Field { world, repo, .. } = field();
    let ran = repo.say("finding import /dev/zero", []).run().code(2);
    says(&ran, &["more than", "hint: "]);
    // A branch may carry a link where mirrors are kept.
    let outside = world.path("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, repo.dir.join("docs")).unwrap();
    let ran = repo.say("finding export", []).run().code(2);
    says(&ran, &["is a link", "--output"]);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn every_refusal_says_what_to_do_next() {
    let Field { repo, .. } = field();
    let blob = repo.git(["rev-parse", "HEAD:work.txt"]);
    fs::write(repo.dir.join(".git").join(FINDINGS), format!("{blob}\n")).unwrap();
    for command in [
        "log",
        "status",
        "fsck",
        "finding list",
        "sync",
        "schema nothing",
        "man work.txt",
    ] {
        let ran = repo.say(command, []).run().code(2);
        assert!(
            ran.stderr.contains("hint: ") || ran.stderr.contains("--help"),
            "{command}: {ran}"
        );
    }
}
