//! A decision for the tests of its reports.

use crate::model::decision::{Decision, NamedFinding, Outcome, RefDecision, RuleDecision, RuleId};
use crate::model::fact::{Fact, FactKind, Span};
use crate::model::finding::State;
use crate::model::ids::{CommitId, FindingId, Oid};
use crate::model::severity::Severity;

/// One ref, blocked by a finding and by drift.
pub(super) fn decision() -> Decision {
    let commit = |byte| CommitId(Oid::from_bytes(&[byte; 20]).unwrap());
    let mut fact = Fact::new(FactKind::TestRemoved, "rust:crate::cart#test adds", "src/cart.rs");
    fact.before = Some(Span::new(88, 97, "fn adds()"));
    let rule = |id, outcome, reason: &str| RuleDecision {
        id,
        outcome,
        reasons: vec![reason.to_owned()],
        findings: Vec::new(),
        facts: Vec::new(),
        command: None,
    };
    let open = RuleDecision {
        findings: vec![NamedFinding {
            id: FindingId([1; 32]),
            state: State::Open,
            severity: Severity::Major,
            file: Some("src/cart.rs".to_owned()),
            line: Some(3),
            text: "[F-01010101] src/cart.rs:3 (major) — sums → does not".to_owned(),
        }],
        command: Some("git review-gate finding resolve F-01010101".to_owned()),
        ..rule(RuleId::FindingsOpen, Outcome::Blocked, "1 open finding")
    };
    let drift = RuleDecision {
        facts: vec![fact],
        command: Some("git review-gate baseline".to_owned()),
        ..rule(
            RuleId::BaselineDrift,
            Outcome::Blocked,
            "1 fact is unauthorised drift",
        )
    };
    Decision {
        refs: vec![RefDecision {
            ref_name: "refs/heads/main".to_owned(),
            base: Some(commit(1)),
            head: Some(commit(2)),
            notes: Vec::new(),
            rules: vec![
                open,
                rule(
                    RuleId::ReviewMissing,
                    Outcome::Pass,
                    "there is none, and none is required",
                ),
                drift,
                rule(
                    RuleId::QualityBlocked,
                    Outcome::Skipped,
                    "the gate does not ask for a quality record",
                ),
            ],
            fault: None,
        }],
    }
}
