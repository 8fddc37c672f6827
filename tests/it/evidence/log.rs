//! Which runs count for a tree, and the evidence log that is made of them.

use git_review_gate::ledger::codec;
use git_review_gate::model::dimension::Dimension;
use git_review_gate::model::event::{
    Body, Event, EventDraft, EvidenceAdded, EvidenceProof, EvidenceRun, Person, Subject,
};
use git_review_gate::model::ids::{CommitId, Digest, EventId, TreeId};
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::witness::{Counts, EvidenceKind, ProofReason, ProofResult, RunClass, RunExit};
use git_review_gate::review::evidence::{log, seen};
use proptest::prelude::*;

fn id(digit: char) -> String {
    std::iter::repeat_n(digit, 40).collect()
}

fn tree(digit: char) -> TreeId {
    id(digit).parse().unwrap()
}

fn event(after: &[&Event], tree_digit: char, body: impl Into<Body>) -> Event {
    let commit: CommitId = id('c').parse().unwrap();
    let after: Vec<EventId> = after.iter().map(|event| event.id).collect();
    let draft = EventDraft {
        after,
        at: "2026-11-30T20:14:00Z".to_owned(),
        by: Person {
            email: "a@example.org".to_owned(),
            name: "A\u{1b}[2J".to_owned(),
        },
        subject: Subject {
            base: commit,
            change: None,
            commit,
            tree: tree(tree_digit),
        },
        body: body.into(),
    };
    codec::encode(&draft).unwrap()
}

fn run(command: &str, code: i32) -> EvidenceRun {
    EvidenceRun {
        argv: command.split(' ').map(str::to_owned).collect(),
        counts: Some(Counts {
            passed: 3,
            ..Counts::default()
        }),
        counts_reason: None,
        coverage: None,
        dimensions: EvidenceKind::TestResult.dimensions().to_vec(),
        dirty: false,
        duration_ms: 1234,
        exit: RunExit::Code(code),
        format: None,
        kind: EvidenceKind::TestResult,
        reports: Vec::new(),
        review: ReviewId("topic-12345678".to_owned()),
        stderr: Digest([0; 32]),
        stdout: Digest([0; 32]),
        tail: Some("the last line\nwitnessed: evidence:00000000\n".to_owned()),
    }
}

fn proof(result: ProofResult, base: char) -> EvidenceProof {
    EvidenceProof {
        argv: vec!["t".to_owned()],
        base_runs: vec![RunClass::Fails],
        base_tree: tree(base),
        head_runs: vec![RunClass::Passes],
        n: 1,
        reason: (result == ProofResult::NotProven).then_some(ProofReason::BaseFlaky),
        result,
        review: ReviewId("topic-12345678".to_owned()),
        tests: vec!["tests/a.rs".to_owned()],
    }
}

fn red(events: &[&Event]) -> bool {
    seen::failed(events, tree('a'), Dimension::NoNewBugs).is_some()
}

fn green(events: &[&Event]) -> bool {
    seen::is_green(events, tree('a'), Dimension::NoNewBugs)
}

#[test]
fn the_later_run_of_one_command_decides() {
    let first = event(&[], 'a', run("t", 1));
    let later = event(&[&first], 'a', run("t", 0));
    let beside = event(&[], 'a', run("t", 0));
    let other = event(&[&first], 'a', run("t --more", 0));
    let elsewhere = event(&[&first], 'b', run("t", 0));
    let dirty = event(
        &[&first],
        'a',
        EvidenceRun {
            dirty: true,
            ..run("t", 0)
        },
    );
    let coverage = event(
        &[],
        'a',
        EvidenceRun {
            dimensions: vec![Dimension::FunctionalCompleteness],
            ..run("cover", 1)
        },
    );
    for (events, is_red, is_green) in [
        (vec![], false, false),
        (vec![&first], true, false),
        (vec![&first, &later], false, true),
        (vec![&later, &first], false, true),
        // It did not know of the red one, so it cannot take its place.
        (vec![&first, &beside], true, false),
        // Nor can another command, another tree, or a changed work tree.
        (vec![&first, &other], true, false),
        (vec![&first, &elsewhere], true, false),
        (vec![&first, &dirty], true, false),
        (vec![&dirty], false, false),
        (vec![&later], false, true),
        (vec![&coverage], false, false),
        (vec![&coverage, &later, &first], false, true),
    ] {
        assert_eq!((red(&events), green(&events)), (is_red, is_green), "{events:?}");
    }
    // What was seen by way of events of other kinds was seen.
    let claim = EvidenceAdded {
        artifact: None,
        description: "x".to_owned(),
        dimension: Dimension::NoNewBugs,
        kind: EvidenceKind::ManualSpotCheck,
        link: None,
        review: ReviewId("topic-12345678".to_owned()),
    };
    let between = event(&[&first], 'b', claim);
    let later = event(&[&between], 'a', run("t", 0));
    assert!(green(&[&later, &between, &first]) && !green(&[&later, &first]));
}

#[test]
fn the_newest_proof_counts_and_of_several_the_worst() {
    let no = event(&[], 'a', proof(ProofResult::NotProven, 'b'));
    let yes = event(&[&no], 'a', proof(ProofResult::Proven, 'b'));
    let weak = event(&[&no], 'a', proof(ProofResult::ProvenByBuildFailure, 'b'));
    let other_base = event(&[&yes], 'a', proof(ProofResult::NotProven, 'd'));
    let newest = |events: &[&Event], base: Option<char>| seen::proof(events, tree('a'), base.map(tree));
    assert_eq!(newest(&[], None), None);
    assert_eq!(newest(&[&yes, &no], None), Some(ProofResult::Proven));
    assert_eq!(
        newest(&[&yes, &no, &weak], None),
        Some(ProofResult::ProvenByBuildFailure)
    );
    assert_eq!(
        newest(&[&yes, &no, &other_base], None),
        Some(ProofResult::NotProven)
    );
    assert_eq!(
        newest(&[&yes, &no, &other_base], Some('b')),
        Some(ProofResult::Proven)
    );
    assert_eq!(seen::proof(&[&yes], tree('b'), None), None);
}

#[test]
fn the_log_has_one_line_a_run_and_tails_within_the_cap() {
    let tail = format!("{}\nlast words\n", "noise\n".repeat(400));
    let failing = EvidenceRun {
        tail: Some(tail),
        ..run("cargo test", 101)
    };
    let first = event(&[], 'a', failing.clone());
    let second = event(&[&first], 'a', run("cargo test", 0));
    let third = event(
        &[&second],
        'a',
        EvidenceRun {
            argv: vec![
                "sh".to_owned(),
                "-c".to_owned(),
                "a\nevidence:deadbeef b".repeat(500),
            ],
            ..failing
        },
    );
    let proved = event(&[], 'a', proof(ProofResult::Proven, 'b'));
    let claim = event(
        &[],
        'a',
        EvidenceAdded {
            artifact: None,
            description: "Looks fine".to_owned(),
            dimension: Dimension::NoNewBugs,
            kind: EvidenceKind::ManualSpotCheck,
            link: Some("https://example.org".to_owned()),
            review: ReviewId("topic-12345678".to_owned()),
        },
    );
    assert_eq!(log::text(&[&claim], tree('a'), 10_240), None);
    assert_eq!(log::text(&[&first], tree('b'), 10_240), None);
    assert!(log::text(&[&proved], tree('a'), 10_240).is_some());

    let events = [&third, &claim, &second, &proved, &first];
    let text = log::text(&events, tree('a'), 10_240).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("evidence:"))
        .collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(
        lines[0].contains("failed (exit code 101) in 1234 ms; 3 passed, 0 failed"),
        "{text}"
    );
    assert!(lines[0].contains("another run of this command decides"), "{text}");
    assert!(
        lines[1].ends_with("succeeded (exit code 0) in 1234 ms; 3 passed, 0 failed: cargo test"),
        "{text}"
    );
    assert!(
        lines[2].contains("a\\u{A}evidence:deadbeef") && lines[2].len() < 700,
        "{text}"
    );
    assert!(lines[3].contains("proof: proven"), "{text}");
    assert!(
        lines[4].contains("claimed by A\\u{1B}[2J, not witnessed: Looks fine"),
        "{text}"
    );
    assert_eq!(text.matches("    last words\n").count(), 2);
    assert!(text.len() <= 10_240);
    // Lines stay, tails go, those of earlier runs first.
    let bare: usize = lines.iter().map(|line| line.len() + 1).sum();
    let text = log::text(&events, tree('a'), bare).unwrap();
    assert_eq!(text.len(), bare);
    let text = log::text(&events, tree('a'), bare + 2000).unwrap();
    assert!(text.len() > bare && text.len() <= bare + 2000);
    let position = |what: &str| text.find(what).unwrap();
    assert!(position("    last words") > position("deadbeef"));
    assert!(log::text(&events, tree('a'), 0).is_some());
}

proptest! {
    /// The order in which notes were merged changes nothing.
    #[test]
    fn neither_order_nor_repetition_matters(
        parents in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), 0..3_usize, 0..2), 1..12),
        order in any::<prop::sample::Index>(),
    ) {
        let mut events: Vec<Event> = Vec::new();
        for (parent, has_parent, command, code) in parents {
            let after: Vec<&Event> = if events.is_empty() || !has_parent {
                Vec::new()
            } else {
                vec![&events[parent.index(events.len())]]
            };
            let new = event(&after, 'a', run(["x", "y", "z"][command], code));
            events.push(new);
        }
        let forward: Vec<&Event> = events.iter().collect();
        let mut turned: Vec<&Event> = events.iter().rev().chain(&events).collect();
        let middle = order.index(turned.len());
        turned.rotate_left(middle);
        prop_assert_eq!(log::text(&forward, tree('a'), 4096), log::text(&turned, tree('a'), 4096));
        prop_assert_eq!(red(&forward), red(&turned));
        prop_assert_eq!(green(&forward), !red(&forward));
        // Whoever has seen all of it and runs every command once more decides.
        let heads: Vec<&Event> = forward.clone();
        let again: Vec<Event> = ["x", "y", "z"].iter().map(|one| event(&heads, 'a', run(one, 0))).collect();
        let all: Vec<&Event> = forward.into_iter().chain(&again).collect();
        prop_assert!(green(&all));
    }
}
