//! Examining and repairing the ledger: every kind of damage is named with its place, and what can be repaired is.

use git_review_gate::error::Result;
use git_review_gate::git::Repo;
use git_review_gate::ledger::codec;
use git_review_gate::ledger::refs::{Addition, NotesRef, Prefix};
use git_review_gate::ledger::store::Store;
use git_review_gate::model::event::{Body, EventDraft, Other, Person, Subject};
use git_review_gate::model::fsck::{FaultKind, FsckReport};
use git_review_gate::model::ids::{CommitId, EventId, TreeId};
use git_review_gate::ops::fsck::{Action, fsck};

use crate::generated::assert_valid;
use crate::store::{FINDINGS, author, lines};
use crate::support::{self, World};

/// A repository with a commit and two sound events on it.
struct Case {
    world: World,
    there: support::Repo,
    commit: String,
}

impl Case {
    fn new() -> Self {
        let world = World::new();
        let there = world.repo("project");
        there.git(["config", "user.name", "Alice"]);
        there.git(["config", "user.email", "alice@example.org"]);
        let commit = there.commit("work");
        let case = Self { world, there, commit };
        let first = case.event("one", &[]);
        let second = case.event("two", &[first.1]);
        case.write(&[first.0, second.0]);
        assert_eq!(case.kinds(), []);
        case
    }

    fn event(&self, text: &str, after: &[EventId]) -> (String, EventId) {
        let commit: CommitId = self.commit.parse().unwrap();
        let tree: TreeId = self.there.rev("HEAD^{tree}").parse().unwrap();
        let event = codec::encode(&EventDraft {
            after: after.to_vec(),
            at: "2026-11-30T20:14:00Z".to_owned(),
            by: Person {
                email: "alice@example.org".to_owned(),
                name: "Alice".to_owned(),
            },
            subject: Subject {
                base: commit,
                change: None,
                commit,
                tree,
            },
            body: Body::Other(Other {
                kind: "test.said".to_owned(),
                value: serde_json::json!({ "text": text }),
            }),
        })
        .unwrap();
        (event.line.to_string(), event.id)
    }

    fn write(&self, texts: &[String]) {
        let repo = Repo::open_at(&self.there.dir).unwrap();
        let additions = texts
            .iter()
            .map(|line| Addition {
                notes_ref: NotesRef::Findings,
                anchor: self.commit.parse().unwrap(),
                line: line.as_str().into(),
            })
            .collect();
        Store::new(&repo, Prefix::default())
            .write(additions, &author(), "Record")
            .unwrap();
    }

    fn run(&self, action: &Action) -> Result<FsckReport> {
        let repo = Repo::open_at(&self.there.dir).unwrap();
        fsck(&repo, Prefix::default(), action)
    }

    fn kinds(&self) -> Vec<FaultKind> {
        let report = self.run(&Action::Examine).unwrap();
        report.faults.iter().map(|fault| fault.kind).collect()
    }

    /// Puts a note into place with plumbing, as a foreign tool would.
    fn forge(&self, paths: &[(String, &[u8])]) {
        self.there.git(["read-tree", "--empty"]);
        let mut index = String::new();
        for (path, text) in paths {
            let blob = self
                .there
                .git_call(["hash-object", "-w", "--stdin"])
                .stdin(*text)
                .run()
                .code(0);
            index.push_str(&format!("100644 {}\t{path}\n", blob.stdout.trim()));
        }
        self.there
            .git_call(["update-index", "--index-info"])
            .stdin(index)
            .run()
            .code(0);
        let tree = self.there.git(["write-tree"]);
        let parent = self.there.rev(FINDINGS);
        let commit = self
            .there
            .git(["commit-tree", &tree, "-p", &parent, "-m", "foreign"]);
        self.there.git(["update-ref", FINDINGS, &commit]);
        self.there
            .git(["update-ref", "refs/review-gate/seen/findings", &commit]);
        self.there.git(["read-tree", "HEAD"]);
    }

    fn text(&self) -> String {
        format!(
            "{}\n",
            self.there.git(["notes", "--ref", FINDINGS, "show", &self.commit])
        )
    }

    fn repair(&self) -> Vec<FaultKind> {
        let report = self.run(&Action::Repair).unwrap();
        assert!(!report.repaired.is_empty());
        report.faults.iter().map(|fault| fault.kind).collect()
    }
}

#[test]
fn a_corrupt_line_is_named_and_can_be_set_aside() {
    let case = Case::new();
    case.write(&["no event at all".to_owned()]);
    let report = case.run(&Action::Examine).unwrap();
    assert_eq!(report.faults.len(), 1);
    let fault = &report.faults[0];
    assert_eq!((fault.kind, fault.line), (FaultKind::CorruptLine, Some(1)));
    assert_eq!(fault.anchor.as_deref(), Some(&case.commit[..]));
    assert!(fault.message.contains("no event at all"), "{fault:?}");
    let digest = fault.digest.clone().unwrap();
    let discard = |digest: &str, reason: &str| {
        case.run(&Action::Discard {
            digest: digest.to_owned(),
            reason: reason.to_owned(),
        })
    };
    assert_eq!(discard(&digest, "  ").unwrap_err().kind, "usage");
    assert_eq!(discard(&"0".repeat(64), "why").unwrap_err().kind, "usage");
    let report = discard(&digest[..12], "a broken script").unwrap();
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(report.faults[0].kind, FaultKind::Discarded);
    // The line itself is still there.
    assert!(case.text().contains("no event at all\n"));
}

#[test]
fn a_note_over_the_limit_can_be_set_aside() {
    let case = Case::new();
    let other = "ab".repeat(20);
    let text = case.text();
    case.forge(&[
        (case.commit.clone(), text.as_bytes()),
        (other.clone(), &vec![b'x'; 9 << 20]),
    ]);
    let report = case.run(&Action::Examine).unwrap();
    let over = report
        .faults
        .iter()
        .find(|fault| fault.kind == FaultKind::OverLimit)
        .unwrap();
    let report = case
        .run(&Action::Discard {
            digest: over.digest.clone().unwrap(),
            reason: "not ours".to_owned(),
        })
        .unwrap();
    assert!(report.is_sound(), "{report:?}");
}

#[test]
fn repairs_take_from_history_and_from_what_was_seen() {
    // A foreign commit that drops a line.
    let case = Case::new();
    let whole = case.text();
    let first_line = whole.split_inclusive('\n').next().unwrap();
    case.forge(&[(case.commit.clone(), first_line.as_bytes())]);
    assert!(case.kinds().contains(&FaultKind::LostLines));
    assert_eq!(case.repair(), []);
    assert_eq!(case.text(), whole);

    // A ref moved back.
    let old = case.there.rev(&format!("{FINDINGS}~1"));
    case.there.git(["update-ref", FINDINGS, &old]);
    assert!(case.kinds().contains(&FaultKind::Rewound));
    assert_eq!(case.repair(), []);
    assert_eq!(case.text(), whole);

    // Two notes on one object, of which each has one line.
    let mut each = whole.split_inclusive('\n');
    let (one, two) = (each.next().unwrap(), each.next().unwrap());
    case.forge(&[
        (case.commit.clone(), one.as_bytes()),
        (
            format!("{}/{}", &case.commit[..2], &case.commit[2..]),
            two.as_bytes(),
        ),
    ]);
    assert!(case.kinds().contains(&FaultKind::DoubleNote));
    assert_eq!(case.repair(), []);
    assert_eq!(case.text(), whole);

    // A whole last line without its end, and lines out of order.
    case.forge(&[(case.commit.clone(), whole.trim_end().as_bytes())]);
    assert!(case.kinds().contains(&FaultKind::CorruptLine));
    assert_eq!(case.repair(), []);
    case.forge(&[(case.commit.clone(), format!("{two}{one}").as_bytes())]);
    assert_eq!(case.kinds(), [FaultKind::Unsorted]);
    assert!(case.run(&Action::Examine).unwrap().is_sound());
    assert_eq!(lines(&case.there, FINDINGS).len(), 2);
}

#[test]
fn what_is_nowhere_and_what_was_left_behind_is_told() {
    let case = Case::new();
    case.write(&[case.event("three", &[EventId([9; 32])]).0]);
    assert_eq!(case.kinds(), [FaultKind::MissingAfter]);

    let case = Case::new();
    let pending = case.there.dir.join(".git/review-gate/pending/1-0.jsonl");
    let (line, _) = case.event("left", &[]);
    let entry = serde_json::json!({ "anchor": case.commit, "line": line, "ref": "findings" });
    std::fs::write(&pending, format!("{entry}\n{{\"anchor\":")).unwrap();
    assert_eq!(case.kinds(), [FaultKind::Pending]);
    assert_eq!(case.repair(), []);
    assert_eq!(lines(&case.there, FINDINGS).len(), 3);
    assert!(pending.with_extension("damaged").exists());

    // A note on an object that others have: said, and no fault.
    case.forge(&[
        (case.commit.clone(), case.text().as_bytes()),
        ("cd".repeat(20), case.event("elsewhere", &[]).0.as_bytes()),
    ]);
    let ran = case.there.gate(["fsck", "--json"]).run().code(1);
    assert_valid(&case.world, &ran);
    let ran = case.there.gate(["fsck"]).run().code(1);
    assert!(
        ran.stdout.contains("missing-anchor") && ran.stdout.contains("fsck --discard"),
        "{ran}"
    );
    case.there.gate(["fsck", "--repair"]).run().code(0);
}

#[test]
fn writing_commands_put_back_what_a_ref_has_lost_and_say_so() {
    let case = Case::new();
    let whole = case.text();
    let move_back = || {
        case.there.git([
            "update-ref",
            FINDINGS,
            &case.there.rev("refs/review-gate/seen/findings~1"),
        ])
    };
    case.write(&[case.event("three", &[]).0]);
    move_back();
    // Reading is undecided until then.
    let ran = case.there.gate(["finding", "list"]).run().code(2);
    assert!(ran.stderr.contains("git review-gate sync"), "{ran}");
    let add = [
        "finding",
        "add",
        "--origin",
        "qa",
        "--severity",
        "minor",
        "--expected",
        "it holds",
        "--actual",
        "it does not",
    ];
    let ran = case.there.gate(add).run().code(0);
    assert!(format!("{ran}").contains("put back"), "{ran}");
    assert!(case.text().len() > whole.len());
    let hub = case.world.clone_of(&case.there, "hub", &["--bare"]);
    case.there
        .git(["remote", "add", "origin", hub.dir.to_str().unwrap()]);
    move_back();
    let ran = case.there.gate(["sync"]).run().code(0);
    assert!(ran.stdout.contains("put back"), "{ran}");
    case.there.gate(["finding", "list"]).run().code(0);
}
