//! The store against git itself: equal trees, no event lost by racing, killed or rolled-back writers.

use std::collections::BTreeSet;
use std::thread;

use git_review_gate::git::Repo;
use git_review_gate::git::batch::Batch;
use git_review_gate::git::identity::Identity;
use git_review_gate::git::notes::Note;
use git_review_gate::ledger::refs::{Addition, NotesRef, Prefix};
use git_review_gate::ledger::store::{Author, Store};
use git_review_gate::model::ids::{Oid, TreeId};

use crate::support::{self, World};

/// An author who needs no configuration.
pub fn author() -> Author {
    Author {
        who: Identity {
            name: "Alice".to_owned(),
            email: "alice@example.org".to_owned(),
        },
        at: 1_700_000_000,
    }
}

/// One line for the findings of an object.
pub fn finding(anchor: &str, line: &str) -> Addition {
    Addition {
        notes_ref: NotesRef::Findings,
        anchor: anchor.parse().unwrap(),
        line: line.into(),
    }
}

pub const FINDINGS: &str = "refs/notes/review-gate/findings";

/// All lines of all notes of a ref, as git shows them.
pub fn lines(repo: &support::Repo, notes_ref: &str) -> BTreeSet<String> {
    let listed = repo.git(["notes", "--ref", notes_ref, "list"]);
    let mut lines = BTreeSet::new();
    for note in listed.lines() {
        let (blob, anchor) = note.split_once(' ').unwrap();
        for line in repo.git(["cat-file", "blob", blob]).lines() {
            assert!(lines.insert(format!("{anchor} {line}")), "repeated: {line}");
        }
    }
    lines
}

/// Ids of objects that need not exist, spread over all first digits.
fn anchors(count: u32, len: usize) -> Vec<String> {
    (0..count)
        .map(|n| {
            let digits: Vec<_> = (0..8)
                .map(|part| {
                    format!(
                        "{:08x}",
                        (n + 1).wrapping_mul(0x9e37_79b9).rotate_left(part * 7) ^ part
                    )
                })
                .collect();
            digits.concat()[..len].to_owned()
        })
        .collect()
}

#[test]
fn notes_trees_equal_those_of_git_at_every_size() {
    for (format, len) in [("sha1", 40), ("sha256", 64)] {
        let world = World::new();
        let there = world.init("project", &["--object-format", format]);
        let blob = there
            .git_call(["hash-object", "-w", "--stdin"])
            .stdin("text\n")
            .run()
            .code(0);
        let blob = blob.stdout.trim().to_owned();
        let repo = Repo::open_at(&there.dir).unwrap();
        let mut tree = repo.empty_tree();
        let anchors = anchors(700, len);
        // `fast-import` spreads notes with a rule of its own; `git notes copy --stdin` uses that of `git notes`.
        // It copies the note of one object to others, so one note is there first.
        let source = &there.commit("source");
        there.git(["notes", "add", "-C", &blob, source]);
        let mut done = vec![source.clone()];
        for chunk in [&anchors[..1], &anchors[1..40], &anchors[40..200], &anchors[200..]] {
            let pairs: Vec<_> = chunk
                .iter()
                .map(|anchor| format!("{source} {anchor}\n"))
                .collect();
            there
                .git_call(["notes", "copy", "--stdin"])
                .stdin(pairs.concat())
                .run()
                .code(0);
            done.extend(chunk.iter().cloned());
            let batch = Batch::new(&repo);
            let notes: Vec<_> = done
                .iter()
                .map(|anchor| Note {
                    anchor: anchor.parse().unwrap(),
                    blob: blob.parse().unwrap(),
                })
                .collect();
            tree = batch.notes(tree, &notes).unwrap();
            batch.flush().unwrap();
            assert_eq!(
                tree.to_hex(),
                there.rev("refs/notes/commits^{tree}"),
                "{} notes",
                done.len()
            );
            assert_eq!(repo.notes(tree).unwrap().len(), done.len());
        }
        there.git(["fsck", "--strict", "--no-dangling"]);
    }
}

#[test]
fn notes_are_read_at_any_fan_out_and_two_for_one_object_are_a_fault() {
    let world = World::new();
    let there = world.repo("project");
    let [one, two]: [String; 2] = ["1\n", "2\n"].map(|text| {
        let ran = there
            .git_call(["hash-object", "-w", "--stdin"])
            .stdin(text)
            .run()
            .code(0);
        ran.stdout.trim().to_owned()
    });
    let (a, b) = ("ab".repeat(20), "cd".repeat(20));
    let tree_of = |paths: &[(String, &String)]| -> TreeId {
        there.git(["read-tree", "--empty"]);
        let index: Vec<_> = paths
            .iter()
            .map(|(path, blob)| format!("100644 {blob}\t{path}\n"))
            .collect();
        there
            .git_call(["update-index", "--index-info"])
            .stdin(index.concat())
            .run()
            .code(0);
        there.git(["write-tree"]).parse().unwrap()
    };
    let repo = Repo::open_at(&there.dir).unwrap();
    let (oid_a, oid_b): (Oid, Oid) = (a.parse().unwrap(), b.parse().unwrap());
    let flat = tree_of(&[(a.clone(), &one), ("README".into(), &two)]);
    let deep = tree_of(&[
        (format!("ab/ab/{}", &a[4..]), &one),
        (format!("cd/{}", &b[2..]), &two),
    ]);
    let wanted = repo.notes(flat).unwrap();
    assert_eq!(wanted.len(), 1);
    assert_eq!(repo.note(deep, oid_a).unwrap(), Some(wanted[0].blob));
    assert_eq!(repo.note(flat, oid_b).unwrap(), None);
    // The note that only lies elsewhere is no change.
    let changes = repo.notes_diff(flat, deep).unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].anchor, changes[0].before.len()), (oid_b, 0));

    let twice = tree_of(&[(a.clone(), &one), (format!("ab/{}", &a[2..]), &two)]);
    assert_eq!(repo.notes(twice).unwrap_err().kind, "notes-fault");
    assert_eq!(repo.note(twice, oid_a).unwrap_err().kind, "notes-fault");
    assert_eq!(repo.all_notes(twice).unwrap().len(), 2);
    let batch = Batch::new(&repo);
    let error = batch.notes(twice, &wanted).unwrap_err();
    assert!(
        error.hints.iter().any(|hint| hint.contains("fsck --repair")),
        "{error:?}"
    );
}

#[test]
fn one_command_is_one_commit_and_racing_writers_lose_nothing() {
    let world = World::new();
    let there = world.repo("project");
    let commit = there.commit("work");
    let linked = world.path("linked");
    there.git(["worktree", "add", "-q", "-b", "side", linked.to_str().unwrap()]);
    thread::scope(|scope| {
        for writer in 0..8 {
            let dir = if writer % 2 == 0 { &there.dir } else { &linked };
            let commit = &commit;
            scope.spawn(move || {
                let repo = Repo::open_at(dir).unwrap();
                let store = Store::new(&repo, Prefix::default());
                for n in 0..10 {
                    let lines = vec![
                        finding(commit, &format!("{writer}-{n}")),
                        finding(&"7".repeat(40), &format!("{writer}-{n}")),
                    ];
                    let written = store.write(lines, &author(), "Record").unwrap();
                    assert_eq!((written.moved.len(), written.new_lines), (1, 2));
                }
            });
        }
    });
    assert_eq!(lines(&there, FINDINGS).len(), 160);
    assert_eq!(there.git(["rev-list", "--count", FINDINGS]), "80");
    assert_eq!(there.rev("refs/review-gate/seen/findings"), there.rev(FINDINGS));
    assert_eq!(there.git(["reflog", "show", FINDINGS]).lines().count(), 80);
    there.git(["fsck", "--strict"]);

    // The same lines again: nothing moves.
    let repo = Repo::open_at(&there.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    let again = store
        .write(vec![finding(&commit, "0-0")], &author(), "Record")
        .unwrap();
    assert_eq!((again.moved.len(), again.new_lines), (0, 0));
    assert_eq!(std::fs::read_dir(store.dir().join("pending")).unwrap().count(), 0);
}

#[test]
fn a_large_write_is_one_pack() {
    let world = World::new();
    let there = world.repo("project");
    let repo = Repo::open_at(&there.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    let additions = anchors(1000, 40)
        .iter()
        .map(|anchor| finding(anchor, anchor))
        .collect();
    let written = store.write(additions, &author(), "Record").unwrap();
    assert_eq!((written.moved.len(), written.new_lines), (1, 1000));
    assert_eq!(lines(&there, FINDINGS).len(), 1000);
    let counted = there.git(["count-objects", "-v"]);
    assert!(
        counted.contains("count: 0\n") && counted.contains("packs: 1\n"),
        "{counted}"
    );
    there.git(["verify-pack", &store_pack(&there)]);
    there.git(["fsck", "--strict"]);
}

fn store_pack(there: &support::Repo) -> String {
    let packs = std::fs::read_dir(there.dir.join(".git/objects/pack")).unwrap();
    let paths = packs.map(|entry| entry.unwrap().path());
    let index = paths
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "idx"));
    index.unwrap().to_str().unwrap().to_owned()
}

#[test]
fn what_killed_writers_left_is_picked_up_and_a_rolled_back_ref_is_put_back() {
    let world = World::new();
    let there = world.repo("project");
    let commit = there.commit("work");
    let repo = Repo::open_at(&there.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    store
        .write(vec![finding(&commit, "one")], &author(), "Record")
        .unwrap();
    let first = there.rev(FINDINGS);

    // A writer that died before the ref moved, with its lock file linked to a staged value.
    let dir = there.dir.join(".git/review-gate");
    let entry = format!("{{\"anchor\":\"{commit}\",\"line\":\"left\",\"ref\":\"findings\"}}\n");
    std::fs::write(dir.join("pending/1-0.jsonl"), entry).unwrap();
    std::fs::write(dir.join("refs/ref_1_0"), format!("{first}\n")).unwrap();
    std::fs::hard_link(
        dir.join("refs/ref_1_0"),
        there.dir.join(".git").join(format!("{FINDINGS}.lock")),
    )
    .unwrap();
    assert!(store.has_abandoned().unwrap());
    let written = store
        .write(vec![finding(&commit, "two")], &author(), "Record")
        .unwrap();
    assert_eq!((written.recovered, written.new_lines), (1, 2));
    assert_eq!(lines(&there, FINDINGS).len(), 3);
    assert!(!store.has_abandoned().unwrap());

    // Somebody forces the ref back: the next write restores what the mark still holds.
    there.git(["update-ref", FINDINGS, &first]);
    let written = store
        .write(vec![finding(&commit, "three")], &author(), "Record")
        .unwrap();
    assert_eq!(written.warnings.len(), 1, "{written:?}");
    assert_eq!(lines(&there, FINDINGS).len(), 4);
    there.git(["update-ref", "-d", FINDINGS]);
    store.recover(&author()).unwrap();
    assert_eq!(lines(&there, FINDINGS).len(), 4);
    there.git(["fsck", "--strict"]);
}

#[test]
fn a_write_that_cannot_be_done_writes_nothing() {
    let world = World::new();
    let there = world.repo("project");
    let commit = there.commit("work");
    let repo = Repo::open_at(&there.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    let long = "x".repeat(65 * 1024);
    let error = store.write(
        vec![finding(&commit, "fine"), finding(&commit, &long)],
        &author(),
        "Record",
    );
    assert_eq!(error.unwrap_err().kind, "over-limit");
    let many = (0..10_001).map(|n| finding(&commit, &n.to_string())).collect();
    assert_eq!(
        store.write(many, &author(), "Record").unwrap_err().kind,
        "over-limit"
    );
    assert_eq!(there.ref_id(FINDINGS), None);

    // A directory in the place of the ref stands for any failure of the file system, root's included.
    std::fs::create_dir_all(there.dir.join(".git").join(FINDINGS).join("x")).unwrap();
    std::fs::write(there.dir.join(".git").join(FINDINGS).join("x/y"), "").unwrap();
    let error = store
        .write(vec![finding(&commit, "fine")], &author(), "Record")
        .unwrap_err();
    assert_ne!(error.kind, "race-lost", "{error}");
    assert_eq!(std::fs::read_dir(store.dir().join("pending")).unwrap().count(), 0);
}

#[test]
fn eight_processes_file_ten_findings_each() {
    crate::crowd::all_findings_of_a_crowd_are_kept(2, 8, 10);
}

#[test]
fn twenty_writers_are_killed() {
    crate::crowd::nothing_is_lost_by_kills(20);
}
