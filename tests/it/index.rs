//! The index against all notes read into memory: equal answers however it came about, also from damaged files.

use std::collections::BTreeSet;
use std::path::Path;

use git_review_gate::git::Repo;
use git_review_gate::ledger::codec;
use git_review_gate::ledger::index::Index;
use git_review_gate::ledger::records::MemoryRecords;
use git_review_gate::ledger::refs::{Addition, NotesRef, Prefix};
use git_review_gate::ledger::store::Store;
use git_review_gate::ledger::store::snapshot::{NoteState, Snapshot};
use git_review_gate::ledger::view::{Record, Records};
use git_review_gate::model::event::{
    Body, Event, EventDraft, NoteDiscarded, Person, Raised, Resolved, ReviewOpened, Rewrite, RewritePair,
    Subject, Verified,
};
use git_review_gate::model::finding::{FindingFields, Origin};
use git_review_gate::model::goal::Goal;
use git_review_gate::model::ids::{BlobId, CommitId, Digest, Oid, TreeId};
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::severity::Severity;

use crate::store::author;
use crate::support::World;

/// An id made of a number: the same in every run.
fn oid(n: usize) -> Oid {
    let n = u64::try_from(n).unwrap().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let raw: Vec<u8> = n.to_be_bytes().into_iter().cycle().take(20).collect();
    Oid::from_bytes(&raw).unwrap()
}

fn event(on: usize, body: Body) -> Event {
    codec::encode(&EventDraft {
        after: Vec::new(),
        at: "2026-11-30T20:14:00Z".to_owned(),
        by: Person {
            email: "alice@example.org".to_owned(),
            name: "Alice".to_owned(),
        },
        subject: Subject {
            base: CommitId(oid(0)),
            change: on
                .is_multiple_of(3)
                .then(|| Digest([u8::try_from(on % 251).unwrap(); 32])),
            commit: CommitId(oid(on)),
            // Some share a tree.
            tree: TreeId(oid(on % 97 + 100_000)),
        },
        body,
    })
    .unwrap()
}

fn raised(on: usize, text: usize) -> Event {
    let fields = FindingFields {
        severity: Severity::Major,
        expected: "it holds".to_owned(),
        actual: format!("it does not, {text} times"),
        file: None,
        line: None,
        criterion: None,
        fix: None,
        evidence: None,
    };
    let body = Raised {
        finding: fields.identity(),
        review: Some(ReviewId(format!("topic-{}", on % 7))),
        origin: Origin("qa".to_owned()),
        fields,
    };
    event(on, Body::Raised(Box::new(body)))
}

fn resolved(on: usize, of: &Event) -> Event {
    let body = Resolved {
        closes: vec![of.id],
        commit: CommitId(oid(on + 1)),
        note: None,
    };
    event(on, Body::Resolved(body))
}

fn verified(on: usize, of: &Event) -> Event {
    let body = Verified {
        confirms: vec![of.id],
        origin: Origin("qa".to_owned()),
    };
    event(on, Body::Verified(body))
}

fn opened(on: usize, branch: &str) -> Event {
    let body = ReviewOpened {
        anchor: CommitId(oid(on)),
        base_ref: None,
        branch: branch.to_owned(),
        contract_digest: None,
        goal: Goal::default(),
        goal_digest: Digest([7; 32]),
        review: ReviewId::implicit(branch, CommitId(oid(on))),
    };
    event(on, Body::ReviewOpened(Box::new(body)))
}

fn rewritten(on: usize, old: usize) -> Event {
    let pairs = vec![RewritePair {
        new: CommitId(oid(on)),
        old: CommitId(oid(old)),
    }];
    event(on, Body::Rewrite(Rewrite { pairs }))
}

fn addition(notes_ref: NotesRef, event: &Event) -> Addition {
    Addition {
        notes_ref,
        anchor: event.subject.commit.0,
        line: event.line.clone(),
    }
}

/// A little history on each of some commits.
fn batch(commits: impl Iterator<Item = usize>) -> Vec<Addition> {
    let mut additions = Vec::new();
    for n in commits {
        let raised = raised(n, n / 2);
        let resolved = resolved(n, &raised);
        additions.push(addition(
            NotesRef::Reviews,
            &opened(n % 50, &format!("topic/{}", n % 5)),
        ));
        additions.push(addition(NotesRef::Reviews, &rewritten(n, n + 1)));
        additions.push(addition(NotesRef::Findings, &verified(n + 3, &resolved)));
        additions.extend([&raised, &resolved].map(|event| addition(NotesRef::Findings, event)));
    }
    additions
}

/// Everything that can be asked, in a form that can be compared.
fn answers(records: &dyn Records, all: &[Record]) -> Vec<String> {
    let mut answers = Vec::new();
    let mut say = |what: &str, found: Vec<Record>| {
        let found: BTreeSet<_> = found.iter().map(|record| format!("{record:?}")).collect();
        answers.push(format!("{what}: {found:?}"));
    };
    let commits: BTreeSet<_> = all.iter().map(|record| record.commit).collect();
    for commit in commits.iter().copied() {
        say("about", records.about(commit).unwrap());
    }
    for tree in all.iter().map(|record| record.tree).collect::<BTreeSet<_>>() {
        say("tree", records.with_tree(tree).unwrap());
    }
    for id in all.iter().map(|record| record.id).collect::<BTreeSet<_>>() {
        say("naming", records.naming(id).unwrap());
    }
    for change in all
        .iter()
        .filter_map(|record| record.change)
        .collect::<BTreeSet<_>>()
    {
        say("change", records.with_change(change).unwrap());
    }
    for review in all
        .iter()
        .filter_map(|record| record.review.as_ref())
        .collect::<BTreeSet<_>>()
    {
        say("review", records.of_review(review).unwrap());
    }
    for finding in records.findings("").unwrap() {
        say(
            &format!("finding {finding}"),
            records.of_finding(finding).unwrap(),
        );
        assert!(
            records
                .findings(&finding.to_hex()[..9])
                .unwrap()
                .contains(&finding)
        );
        assert_eq!(records.findings(&finding.to_hex()).unwrap(), [finding]);
    }
    for n in 0..5 {
        let reviews: BTreeSet<_> = records
            .reviews_of(&format!("topic/{n}"))
            .unwrap()
            .into_iter()
            .collect();
        answers.push(format!("branch: {reviews:?}"));
    }
    for commit in commits {
        let pairs: BTreeSet<_> = records.rewrites(commit).unwrap().into_iter().collect();
        answers.push(format!("rewrites: {pairs:?}"));
    }
    answers.push(format!("unreadable: {:?}", records.unreadable().unwrap()));
    answers.push(format!(
        "nothing: {:?}",
        records.about(CommitId(oid(999_999))).unwrap()
    ));
    answers
}

/// Reads every note, and compares what the index says with that.
fn compare(store: &Store<'_>) -> usize {
    let snapshot = store.snapshot().unwrap();
    let mut all = Vec::new();
    let mut unreadable = BTreeSet::new();
    let mut discarded = BTreeSet::new();
    for notes_ref in NotesRef::ALL {
        for note in snapshot.notes(notes_ref).unwrap() {
            match snapshot.read(note.blob).unwrap() {
                NoteState::Read(read) => {
                    if !read.is_whole() {
                        unreadable.insert((note.anchor, note.blob));
                    }
                    for event in &read.events {
                        if let Body::NoteDiscarded(body) = &event.body {
                            discarded.insert((body.anchor.0, body.blob));
                        }
                        all.push(Record::of(event, CommitId(note.anchor)));
                    }
                }
                NoteState::OverLimit(_) => {
                    unreadable.insert((note.anchor, note.blob));
                }
            }
        }
    }
    let unreadable: BTreeSet<_> = unreadable
        .difference(&discarded)
        .map(|(anchor, _)| CommitId(*anchor))
        .collect();
    let memory = MemoryRecords::new(all.clone(), unreadable.into_iter().collect());
    let index = Index::open(store, &snapshot).unwrap();
    let (from_index, from_memory) = (answers(&index, &all), answers(&memory, &all));
    for (ours, theirs) in from_index.iter().zip(&from_memory) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(from_index.len(), from_memory.len());
    all.len()
}

fn damage(path: &Path, at: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    let at = at % bytes.len();
    bytes[at] ^= 0x40;
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn the_index_answers_like_all_notes_in_memory() {
    let world = World::new();
    let there = world.repo("project");
    let repo = Repo::open_at(&there.dir).unwrap();
    let store = Store::new(&repo, Prefix::default());
    let dir = store.dir();
    assert_eq!(compare(&store), 0);
    // Few notes: the delta alone. Many: a base file. Then a delta on top of that, with changed and new notes.
    store.write(batch(1..20), &author(), "Record").unwrap();
    compare(&store);
    assert!(!dir.join("index").exists() && dir.join("index.delta").exists());
    store.write(batch(20..160), &author(), "Record").unwrap();
    compare(&store);
    assert!(dir.join("index").exists() && !dir.join("index.delta").exists());
    let tips = store.snapshot().unwrap().tips();
    store
        .write(batch((150..170).step_by(3)), &author(), "Record")
        .unwrap();
    compare(&store);
    assert!(dir.join("index.delta").exists());

    // An unreadable note, and one that is set aside.
    let bad = [oid(5000), oid(5001)].map(|anchor| Addition {
        notes_ref: NotesRef::Findings,
        anchor,
        line: "no event".into(),
    });
    store.write(bad.to_vec(), &author(), "Record").unwrap();
    compare(&store);
    let snapshot = store.snapshot().unwrap();
    let blob: BlobId = snapshot.blob(NotesRef::Findings, oid(5000)).unwrap().unwrap();
    let body = NoteDiscarded {
        anchor: CommitId(oid(5000)),
        blob,
        reason: "test".to_owned(),
    };
    let discarded = addition(NotesRef::Findings, &event(1, Body::NoteDiscarded(body)));
    store.write(vec![discarded], &author(), "Record").unwrap();
    compare(&store);

    // A state before the last writes, read with the same cache.
    let index = Index::open(&store, &Snapshot::new(&repo, tips)).unwrap();
    assert!(index.about(CommitId(oid(5001))).unwrap().is_empty());
    assert_eq!(index.unreadable().unwrap(), []);
    compare(&store);

    // Damage anywhere costs time, never an answer.
    let length = std::fs::metadata(dir.join("index")).unwrap().len();
    let length = usize::try_from(length).unwrap();
    for step in 0..6 {
        damage(&dir.join("index"), 8 + step * (length / 6));
        compare(&store);
    }
    if dir.join("index.delta").exists() {
        damage(&dir.join("index.delta"), 100);
        compare(&store);
    }
    std::fs::write(dir.join("index"), "").unwrap();
    compare(&store);
    std::fs::remove_file(dir.join("index")).unwrap();
    compare(&store);
}
