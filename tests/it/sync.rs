//! Exchanging notes over a bare repository: nothing lost whoever is first, rewinds, or refuses.

use std::thread;
use std::time::Duration;

use git_review_gate::git::Repo;
use git_review_gate::ledger::refs::{NotesRef, Prefix};
use git_review_gate::ledger::store::Store;
use git_review_gate::model::sync::{SyncReport, SyncState};
use git_review_gate::ops;

use crate::store::{FINDINGS, author, finding, lines};
use crate::support::{self, World};

const LIMIT: Duration = Duration::from_secs(60);

/// A bare repository with one commit, and clones of it that know who they are.
fn shared(world: &World, clones: &[&str]) -> (support::Repo, Vec<support::Repo>) {
    let hub = world.bare("hub");
    let first = world.clone_of(&hub, "first", &[]);
    first.commit("work");
    first.git(["push", "-q", "origin", "HEAD"]);
    let clones = clones
        .iter()
        .map(|name| {
            let clone = world.clone_of(&hub, name, &[]);
            clone.git(["config", "user.name", "Alice"]);
            clone.git(["config", "user.email", "alice@example.org"]);
            clone
        })
        .collect();
    (hub, clones)
}

fn add(there: &support::Repo, line: &str) {
    let repo = Repo::open_at(&there.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    store
        .write(vec![finding(&there.rev("HEAD"), line)], &author(), "Record")
        .unwrap();
}

fn sync(there: &support::Repo) -> SyncReport {
    let repo = Repo::open_at(&there.dir).unwrap();
    ops::sync::sync(&repo, &Prefix::default(), "origin", LIMIT).unwrap()
}

fn state(report: &SyncReport) -> (SyncState, usize) {
    let findings = report.refs.iter().find(|synced| synced.name == FINDINGS).unwrap();
    (findings.state, findings.received)
}

#[test]
fn clones_end_with_equal_notes_and_move_on_without_needless_commits() {
    let world = World::new();
    let (hub, clones) = shared(&world, &["alice", "bob"]);
    let [alice, bob] = &clones[..] else {
        unreachable!("two clones")
    };
    {
        let repo = Repo::open_at(&alice.dir).unwrap();
        let store = Store::new(&repo, Prefix::default());
        assert_eq!(store.unasked_remotes().unwrap(), ["origin"]);
        assert_eq!(state(&sync(alice)), (SyncState::Absent, 0));
        assert_eq!(store.unasked_remotes().unwrap(), [] as [&str; 0]);
    }
    add(alice, "a1");
    assert_eq!(state(&sync(alice)), (SyncState::Sent, 0));
    assert_eq!(state(&sync(alice)), (SyncState::Equal, 0));
    add(bob, "b1");
    add(bob, "b2");
    // Two histories without a common commit: united in a merge.
    assert_eq!(state(&sync(bob)), (SyncState::United, 1));
    assert_eq!(state(&sync(alice)), (SyncState::Received, 2));
    let tips = [alice, bob, &hub].map(|repo| repo.rev(FINDINGS));
    assert!(tips.iter().all(|tip| *tip == tips[0]), "{tips:?}");
    assert_eq!(lines(&hub, FINDINGS).len(), 3);
    // The same line in both: no commit, no push.
    add(alice, "same");
    add(bob, "same");
    assert_eq!(state(&sync(alice)), (SyncState::Sent, 0));
    assert_eq!(state(&sync(bob)), (SyncState::Equal, 0));
    assert_eq!(lines(&hub, FINDINGS), lines(bob, FINDINGS));
    // What was fetched stays out of refs/notes, and git merges what we wrote without harm.
    let refs = bob.git([
        "for-each-ref",
        "--format=%(refname)",
        "refs/notes",
        "refs/review-gate",
    ]);
    assert_eq!(
        refs.lines().collect::<Vec<_>>(),
        [
            FINDINGS,
            "refs/review-gate/remotes/origin/findings",
            "refs/review-gate/seen/findings"
        ]
    );
    hub.git(["fsck", "--strict"]);
}

#[test]
fn clones_that_race_lose_nothing() {
    let world = World::new();
    let (hub, clones) = shared(&world, &["c0", "c1", "c2", "c3"]);
    thread::scope(|scope| {
        for (index, clone) in clones.iter().enumerate() {
            scope.spawn(move || {
                for n in 0..4 {
                    add(clone, &format!("{index}-{n}"));
                    sync(clone);
                }
            });
        }
    });
    assert_eq!(lines(&hub, FINDINGS).len(), 16);
    for clone in &clones {
        sync(clone);
        assert_eq!(lines(clone, FINDINGS).len(), 16);
    }
    hub.git(["fsck", "--strict"]);
}

#[test]
fn a_remote_that_was_moved_back_is_noticed_and_brought_forward() {
    let world = World::new();
    let (hub, clones) = shared(&world, &["alice"]);
    let alice = &clones[0];
    add(alice, "a1");
    sync(alice);
    let old = hub.rev(FINDINGS);
    add(alice, "a2");
    sync(alice);
    hub.git(["update-ref", FINDINGS, &old]);
    let report = sync(alice);
    assert_eq!(report.warnings.len(), 1, "{report:?}");
    assert!(report.warnings[0].contains("1 event on "), "{report:?}");
    assert_eq!(lines(&hub, FINDINGS).len(), 2);
    hub.git(["update-ref", "-d", FINDINGS]);
    assert_eq!(sync(alice).warnings.len(), 1);
    assert_eq!(lines(&hub, FINDINGS).len(), 2);

    // A forced fetch of an older state over the local notes, too.
    alice.git(["update-ref", FINDINGS, &old]);
    let repo = Repo::open_at(&alice.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    assert_eq!(store.snapshot().unwrap_err().kind, "notes-rewound");
    assert_eq!(sync(alice).warnings.len(), 1);
    assert_eq!(
        store.snapshot().unwrap().notes(NotesRef::Findings).unwrap().len(),
        1
    );
    assert_eq!(lines(alice, FINDINGS).len(), 2);

    // A commit on top that takes a line out, as a foreign tool would make it: the line stays.
    let other = world.clone_of(&hub, "other", &[]);
    other.git(["fetch", "-q", "origin", "refs/notes/*:refs/notes/*"]);
    other.git(["notes", "--ref", FINDINGS, "add", "-f", "-m", "a1"]);
    other.git(["push", "-q", "origin", FINDINGS]);
    let report = sync(alice);
    assert_eq!(report.warnings.len(), 1, "{report:?}");
    assert_eq!(lines(&hub, FINDINGS).len(), 2);
}

#[test]
fn a_remote_that_refuses_fails_or_hangs_leaves_what_is_here_intact() {
    let world = World::new();
    let (hub, clones) = shared(&world, &["alice"]);
    let alice = &clones[0];
    add(alice, "a1");
    let before = alice.rev(FINDINGS);
    let repo = Repo::open_at(&alice.dir).unwrap();
    let failure = |remote: &str, limit: Duration| {
        let error = ops::sync::sync(&repo, &Prefix::default(), remote, limit).unwrap_err();
        assert!(!error.hints.is_empty(), "{error:?}");
        error.kind
    };
    hub.git(["config", "transfer.hideRefs", "refs/notes"]);
    assert_eq!(failure("origin", LIMIT), "sync-refused");
    hub.git(["config", "--unset", "transfer.hideRefs"]);
    assert_eq!(failure("/nowhere/at/all", LIMIT), "sync-failed");
    assert_eq!(failure("--upload-pack=touch", LIMIT), "usage");
    // A server that never answers.
    alice.git(["config", "remote.deaf.url", "ext::sleep 100"]);
    alice.git(["config", "protocol.ext.allow", "always"]);
    let repo = Repo::open_at(&alice.dir).unwrap();
    let error = ops::sync::sync(&repo, &Prefix::default(), "deaf", Duration::from_millis(300)).unwrap_err();
    assert_eq!(error.kind, "timeout");
    assert_eq!(alice.rev(FINDINGS), before);
    assert_eq!(state(&sync(alice)), (SyncState::Sent, 0));
}

#[test]
fn partial_clones_get_all_notes() {
    let world = World::new();
    let (hub, clones) = shared(&world, &["alice"]);
    hub.git(["config", "uploadpack.allowFilter", "true"]);
    add(&clones[0], "a1");
    sync(&clones[0]);
    let partial = world.clone_of(&hub, "partial", &["--no-local", "--filter=blob:none"]);
    partial.git(["config", "user.name", "Alice"]);
    partial.git(["config", "user.email", "alice@example.org"]);
    assert_eq!(state(&sync(&partial)), (SyncState::Received, 1));
    partial.git(["remote", "set-url", "origin", "/nowhere"]);
    assert_eq!(lines(&partial, FINDINGS).len(), 1);
}
