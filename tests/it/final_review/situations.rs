//! What becomes of the contract and of the baseline: one line in the packet, and whether a pass is to be had.

use std::collections::BTreeMap;

use git_review_gate::model::delivery::{Content, SourceStatus};
use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::final_review::{Confidence, Effect, Gate};
use git_review_gate::model::ids::EventId;
use git_review_gate::model::witness::RunExit;
use git_review_gate::review::delivered::Delivery;
use git_review_gate::review::gates::RedRun;

use super::material::{judge, judge_with, packet, reply, sources};

const TOTAL: u32 = 40_960;

fn text(size: usize) -> Content {
    Content::Text("x".repeat(size))
}

fn good() -> BTreeMap<&'static str, Content> {
    BTreeMap::from([
        ("scope-contract", text(2000)),
        (
            "pre-post-diff",
            Content::Text("VERDICT: NO STRUCTURAL DRIFT\n".to_owned()),
        ),
        ("test-report", text(3000)),
    ])
}

/// The gates that said something about a dimension, its verdict, and whether a person must look.
fn outcome(
    content: &BTreeMap<&'static str, Content>,
    dimension: Dimension,
) -> (Vec<Gate>, DimensionVerdict, bool) {
    let packet = packet(&sources(content), TOTAL).unwrap();
    outcome_of(&packet.allocation.deliveries(), dimension)
}

fn outcome_of(sources: &[Delivery], dimension: Dimension) -> (Vec<Gate>, DimensionVerdict, bool) {
    let judged = judge(&reply(), sources, TOTAL);
    let markers = judged
        .markers
        .iter()
        .filter(|marker| marker.dimension == dimension);
    (
        markers.map(|marker| marker.marker).collect(),
        judged.result.dimensions[&dimension].verdict,
        judged.result.needs_attention.contains(&dimension),
    )
}

const PASS: DimensionVerdict = DimensionVerdict::Pass;
const LOWERED: DimensionVerdict = DimensionVerdict::Inconclusive;

#[test]
fn the_contract_passes_only_whole_or_where_the_goal_names_none() {
    let gate = vec![Gate::ScopeContract];
    for (content, line, expected) in [
        (
            text(2000),
            "STATUS: FOUND at docs/scope-contract.md — 2000 bytes\n",
            (vec![], PASS, false),
        ),
        (
            text(12_000),
            "STATUS: FOUND at docs/scope-contract.md — TRUNCATED, showing the first 10240 of 12000 bytes\n",
            (gate.clone(), LOWERED, true),
        ),
        (
            Content::Empty(b" \n".to_vec()),
            "STATUS: MISSING (empty) at docs/scope-contract.md — 2 bytes, no text in them\n",
            (gate.clone(), LOWERED, true),
        ),
        (
            Content::Unreadable("contains a NUL byte".to_owned()),
            "STATUS: UNREADABLE at docs/scope-contract.md — contains a NUL byte\n",
            (gate.clone(), LOWERED, true),
        ),
        (
            Content::NotInTree,
            "STATUS: MISSING (not in tree) at docs/scope-contract.md — the goal names this file, the commit under \
             review does not contain it\n",
            (gate.clone(), LOWERED, true),
        ),
        (
            Content::Missing("the goal names no contract".to_owned()),
            "STATUS: MISSING (missing) — the goal names no contract\n",
            (vec![], PASS, false),
        ),
    ] {
        let mut all = good();
        all.insert("scope-contract", content);
        let packet = packet(&sources(&all), TOTAL).unwrap();
        assert!(packet.prompt.contains(line), "{line}\n{}", packet.prompt);
        assert_eq!(
            outcome(&all, Dimension::FunctionalCompleteness),
            expected,
            "{line}"
        );
    }
    // Floors keep this from happening; the gate holds all the same.
    let mut left_out = packet(&sources(&good()), TOTAL).unwrap().allocation.deliveries();
    left_out[0].status = SourceStatus::Omitted;
    left_out[0].included = 0;
    assert_eq!(
        outcome_of(&left_out, Dimension::FunctionalCompleteness),
        (gate, LOWERED, true)
    );
}

#[test]
fn existing_functionality_passes_only_with_a_delivered_comparison() {
    let line = |first: &str, size: usize| Content::Text(format!("{first}\n{}", "x".repeat(size)));
    let not_delivered = (vec![Gate::PrePostDiff, Gate::ContractEvidence], LOWERED, true);
    let flagged = (vec![Gate::PrePostDiffDrift], PASS, true);
    for (content, status, expected) in [
        (
            Some(line("VERDICT: ADDITIONS ONLY: 3 api-added", 10)),
            "STATUS: COMPUTED — ADDITIONS ONLY: 3 api-added\n",
            (vec![], PASS, false),
        ),
        (
            Some(line("VERDICT: NO STRUCTURAL DRIFT", 20_000)),
            "STATUS: COMPUTED — NO STRUCTURAL DRIFT\n",
            (vec![], PASS, false),
        ),
        (
            Some(line(&"-".repeat(11_000), 10)),
            "STATUS: COMPUTED ON DISK, NOT DELIVERED — its conclusion is not among the bytes below\n",
            not_delivered.clone(),
        ),
        (
            Some(line("no conclusion", 10)),
            "STATUS: COMPUTED ON DISK, NOT DELIVERED — its conclusion is not among the bytes below\n",
            not_delivered.clone(),
        ),
        (
            Some(line("VERDICT: NOTHING MEASURED", 10)),
            "STATUS: COMPUTED — NOTHING MEASURED\n",
            (vec![Gate::PrePostDiff], LOWERED, true),
        ),
        (
            Some(line("VERDICT: STRUCTURAL DRIFT DETECTED: 1 api-removed", 10)),
            "STATUS: COMPUTED — STRUCTURAL DRIFT DETECTED: 1 api-removed\n",
            flagged.clone(),
        ),
        (
            Some(line("VERDICT: INDETERMINATE", 10)),
            "STATUS: COMPUTED — INDETERMINATE\n",
            flagged.clone(),
        ),
        (
            Some(line("VERDICT: LOOKS FINE", 10)),
            "STATUS: COMPUTED — LOOKS FINE\n",
            flagged,
        ),
        (
            None,
            "STATUS: UNAVAILABLE (no-base: nothing to compare with)\n",
            not_delivered.clone(),
        ),
    ] {
        let mut all = good();
        match content {
            Some(content) => all.insert("pre-post-diff", content),
            None => all.remove("pre-post-diff"),
        };
        let packet = packet(&sources(&all), TOTAL).unwrap();
        let block = format!("\n## Pre/post baseline\n{status}");
        assert!(packet.prompt.contains(&block), "{status}\n{}", packet.prompt);
        assert_eq!(
            outcome(&all, Dimension::ExistingFunctionalityIntact),
            expected,
            "{status}"
        );
    }
    // Floors keep this from happening; the gate holds all the same, and nothing is attached.
    let mut left_out = packet(&sources(&good()), TOTAL).unwrap().allocation.deliveries();
    left_out[1].status = SourceStatus::Omitted;
    left_out[1].included = 0;
    left_out[1].conclusion = None;
    assert_eq!(
        outcome_of(&left_out, Dimension::ExistingFunctionalityIntact),
        not_delivered
    );
    assert!(!judge(&reply(), &left_out, TOTAL).result.attached);
}

#[test]
fn a_run_that_failed_takes_a_pass_away_and_nothing_else() {
    let sources = packet(&sources(&good()), TOTAL).unwrap().allocation.deliveries();
    let run = RedRun {
        event: EventId([0xcd; 32]),
        command: format!("cargo test\u{1b} {}", "x".repeat(600)),
        exit: RunExit::Signal(9),
    };
    let red: BTreeMap<Dimension, RedRun> = [Dimension::FunctionalCompleteness, Dimension::NoNewBugs]
        .map(|dimension| (dimension, run.clone()))
        .into();
    let mut reply = reply();
    reply.dimensions[2].verdict = DimensionVerdict::Fail;
    let judged = judge_with(&reply, &sources, TOTAL, &red);
    let lowered = judged.result.dimensions[&Dimension::FunctionalCompleteness];
    assert_eq!((lowered.verdict, lowered.confidence), (LOWERED, Confidence::Low));
    assert_eq!(
        judged.result.dimensions[&Dimension::NoNewBugs].verdict,
        DimensionVerdict::Fail
    );
    let [marker] = judged.markers.as_slice() else {
        panic!("{:?}", judged.markers)
    };
    assert_eq!(
        (marker.marker, marker.effect),
        (Gate::WitnessedRed, Effect::Downgraded)
    );
    assert!(
        marker.text.starts_with("`cargo test\\u{1B} xxx"),
        "{}",
        marker.text
    );
    assert!(
        marker
            .text
            .ends_with("…` ended with signal 9 (evidence:cdcdcdcd)"),
        "{}",
        marker.text
    );
    assert!(marker.text.chars().count() <= 500);
}
