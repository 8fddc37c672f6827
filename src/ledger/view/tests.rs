//! Views over a small ledger and history, by hand.

use super::*;
use crate::ledger::records::MemoryRecords;
use crate::model::ids::Oid;

fn oid(n: u8) -> Oid {
    Oid::from_bytes(&[n; 20]).unwrap()
}

fn commit(n: u8) -> CommitId {
    CommitId(oid(n))
}

/// A commit whose tree and change carry the given numbers.
fn in_range(n: u8, tree: u8, change: u8) -> RangeCommit {
    RangeCommit {
        id: commit(n),
        tree: TreeId(oid(tree)),
        change: Digest([change; 32]),
    }
}

fn record(id: u8, on: u8, tree: u8, change: u8, review: Option<&str>, role: Role) -> Record {
    Record {
        id: EventId([id; 32]),
        anchor: commit(on),
        commit: commit(on),
        tree: TreeId(oid(tree)),
        change: Some(Digest([change; 32])),
        review: review.map(str::to_owned),
        role,
    }
}

fn raised(id: u8, on: u8, tree: u8, change: u8, review: Option<&str>) -> Record {
    record(id, on, tree, change, review, Role::Raised(FindingId([id; 32])))
}

/// Ancestry as pairs (descendant, ancestor), and trees of commits.
struct Known {
    contains: Vec<(u8, u8)>,
    trees: Vec<(u8, u8)>,
}

impl History for Known {
    fn contains(&self, tip: CommitId, of: CommitId) -> Result<bool> {
        Ok(tip == of
            || self
                .contains
                .iter()
                .any(|(a, b)| commit(*a) == tip && commit(*b) == of))
    }

    fn tree_of(&self, of: CommitId) -> Result<Option<TreeId>> {
        let found = self.trees.iter().find(|(n, _)| commit(*n) == of);
        Ok(found.map(|(_, tree)| TreeId(oid(*tree))))
    }
}

/// The base is commit 1, which contains commit 9; the head is commit 5 of the range 4..5.
fn seen(range: &[RangeCommit], branch: &str, records: Vec<Record>) -> View {
    let scope = Scope {
        head: commit(5),
        base: Some(commit(1)),
        range,
        branches: &[branch.to_owned()],
        is_base_branch: false,
    };
    let known = Known {
        contains: vec![(1, 9), (5, 4), (5, 1), (5, 9)],
        trees: vec![(7, 50)],
    };
    view(
        &scope,
        &MemoryRecords::new(records, vec![commit(8), commit(9)]),
        &known,
    )
    .unwrap()
}

fn ids(view: &View) -> Vec<u8> {
    view.events.iter().map(|id| id.0[0]).collect()
}

#[test]
fn openings_are_found_by_anchor_tree_change_review_and_rewrite() {
    let range = [in_range(4, 40, 4), in_range(5, 50, 5)];
    let opened = record(60, 9, 90, 90, Some("r-1"), Role::ReviewOpened("topic".into()));
    let rewrite = record(
        61,
        5,
        50,
        5,
        None,
        Role::Rewrite(vec![(commit(5), commit(30)), (commit(30), commit(31))]),
    );
    let view = seen(
        &range,
        "topic",
        vec![
            raised(10, 4, 40, 4, None),
            raised(11, 20, 50, 99, None),
            raised(12, 21, 98, 5, None),
            opened,
            raised(13, 22, 97, 97, Some("r-1")),
            rewrite,
            raised(14, 31, 96, 96, None),
            // Neither linked nor on the branch.
            raised(15, 23, 95, 95, Some("r-2")),
            // Of the branch, but on a commit that the base has.
            raised(16, 9, 90, 90, Some("r-1")),
        ],
    );
    assert_eq!(ids(&view), [10, 11, 12, 13, 14, 60, 61]);
    assert_eq!(
        view.unreadable,
        BTreeSet::from([commit(8), commit(9)]),
        "9 holds an event of the view"
    );
}

#[test]
fn an_unreadable_anchor_of_the_base_is_not_consulted() {
    let view = seen(&[in_range(5, 50, 5)], "topic", vec![raised(10, 5, 50, 5, None)]);
    assert_eq!(view.unreadable, BTreeSet::from([commit(8)]));
}

#[test]
fn answers_hold_only_with_the_fix_in_what_is_pushed() {
    let answer = |id: u8, commit_n: u8| {
        let role = Role::Answer {
            closes: vec![EventId([10; 32])],
            commit: commit(commit_n),
        };
        record(id, 5, 50, 5, None, role)
    };
    let rewrite = record(61, 5, 50, 5, None, Role::Rewrite(vec![(commit(5), commit(30))]));
    let view = seen(
        &[in_range(4, 40, 4), in_range(5, 50, 5)],
        "topic",
        vec![
            raised(10, 4, 40, 4, None),
            answer(20, 4),  // in the range
            answer(21, 9),  // in the base
            answer(22, 7),  // gone, but its tree is the head's
            answer(23, 30), // was rewritten into the head
            answer(24, 33), // gone
            rewrite,
        ],
    );
    assert_eq!(view.void_answers, BTreeSet::from([EventId([24; 32])]));
}

#[test]
fn a_review_that_stands_on_a_commit_of_the_range_is_not_that_of_the_pushed_branch() {
    // The first push of main: without a base the merge-base of other branches is in the range.
    let opened = record(60, 5, 50, 5, Some("r-1"), Role::ReviewOpened("topic".into()));
    let on_topic = raised(13, 22, 97, 97, Some("r-1"));
    let seen_by = |branch: &str| {
        ids(&seen(
            &[in_range(5, 50, 5)],
            branch,
            vec![opened.clone(), on_topic.clone()],
        ))
    };
    assert_eq!(seen_by("main"), [60]);
    assert_eq!(seen_by("topic"), [13, 60]);
}
