//! A review to try things on: its sources, a reply that passes everything, and what its items cite.

use std::collections::BTreeMap;

use git_review_gate::error::Result;
use git_review_gate::model::delivery::{BaselineStatus, Content, Origin, Source, SourceSpec};
use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::final_review::{Confidence, DimensionOutput, EvidenceItem, FinalReviewOutput};
use git_review_gate::model::goal::{Criterion, Goal};
use git_review_gate::model::ids::Digest;
use git_review_gate::model::policy::{DeliveryRule, EvidencePolicy};
use git_review_gate::model::range::{Code, Unavailable};
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::witness::EvidenceKind;
use git_review_gate::review::delivered::{self, Delivery};
use git_review_gate::review::gates::artifact::Known;
use git_review_gate::review::gates::{self, Judged, RedRun};
use git_review_gate::review::packet::{self, Material, Packet};

use Dimension::{ExistingFunctionalityIntact, FunctionalCompleteness, NoNewBugs, ProblemResolution};

pub(super) const RID: &str = "topic-0a1b2c3d";
pub(super) const BASELINE: Digest = Digest([0xab; 32]);

/// Key, origin, what it supports.
const SOURCES: [(&str, Origin, &[Dimension]); 11] = [
    (
        "scope-contract",
        Origin::Tree,
        &[FunctionalCompleteness, ExistingFunctionalityIntact],
    ),
    ("pre-post-diff", Origin::Baseline, &[ExistingFunctionalityIntact]),
    (
        "witnessed-runs",
        Origin::EvidenceLog,
        &[FunctionalCompleteness, ProblemResolution, NoNewBugs],
    ),
    ("open-findings", Origin::FindingsLedger, &[NoNewBugs]),
    (
        "test-report",
        Origin::Tree,
        &[FunctionalCompleteness, ProblemResolution, NoNewBugs],
    ),
    (
        "test-cases",
        Origin::Tree,
        &[FunctionalCompleteness, ProblemResolution],
    ),
    ("security-findings", Origin::Tree, &[NoNewBugs]),
    ("performance-findings", Origin::Tree, &[NoNewBugs]),
    ("code-review", Origin::Tree, &[NoNewBugs]),
    ("tech-doc", Origin::Tree, &[ExistingFunctionalityIntact]),
    ("bug-analysis", Origin::Tree, &[ProblemResolution]),
];

/// The sources, with `content` where it has something for a key; the others are missing.
pub(super) fn sources(content: &BTreeMap<&str, Content>) -> Vec<Source> {
    let source = |(key, origin, supports): (&str, Origin, &[Dimension])| {
        let content = content.get(key).cloned();
        let at = match origin {
            Origin::EvidenceLog | Origin::FindingsLedger => Some(origin.to_string()),
            Origin::Baseline => content.is_some().then(|| format!("baseline:{BASELINE}")),
            Origin::Tree | Origin::Worktree => Some(format!("docs/{key}.md")),
        };
        Source {
            spec: SourceSpec {
                key: key.to_owned(),
                origin,
                at,
                supports: supports.to_vec(),
                rule: if key == "pre-post-diff" {
                    DeliveryRule::Conclusion {
                        marker: "VERDICT: ".to_owned(),
                    }
                } else {
                    DeliveryRule::Whole
                },
            },
            content: content.unwrap_or_else(|| Content::Missing("no such file in the tree".to_owned())),
        }
    };
    SOURCES.into_iter().map(source).collect()
}

pub(super) fn goal() -> Goal {
    Goal {
        summary: Some("cache logins".to_owned()),
        problem: Some("two logins in one second\nread a stale entry".to_owned()),
        criteria: vec![Criterion {
            id: "AC-1".to_owned(),
            text: "no stale entry is read".to_owned(),
        }],
        contract: Some("docs/scope-contract.md".to_owned()),
        ..Goal::default()
    }
}

/// Why there is no baseline, where there is none.
pub(super) fn no_base() -> Unavailable {
    Unavailable::new(Code::NoBase, "nothing to compare with")
}

/// The packet of these sources; the baseline was computed if its source has text.
pub(super) fn packet(sources: &[Source], total: u32) -> Result<Packet> {
    let no_base = no_base();
    packet::assemble(&Material {
        review: &ReviewId(RID.to_owned()),
        goal: &goal(),
        contract_then: None,
        base: "1".repeat(40).parse().unwrap(),
        head: "2".repeat(40).parse().unwrap(),
        head_tree: "3".repeat(40).parse().unwrap(),
        policy_digest: Digest([1; 32]),
        evidence: &EvidencePolicy {
            total_bytes: total,
            ..EvidencePolicy::default()
        },
        baseline: match &sources[1].content {
            Content::Missing(_) => Err(&no_base),
            _ => Ok(BASELINE),
        },
        ledger_tips: &[],
        sources,
    })
}

/// What a good reviewer of [`goal`] answers.
pub(super) fn reply() -> FinalReviewOutput {
    let item = |kind, description: &str| EvidenceItem {
        kind,
        description: description.to_owned(),
        artifact: None,
        link: None,
    };
    let entry = |dimension: &Dimension| DimensionOutput {
        dimension: *dimension,
        verdict: DimensionVerdict::Pass,
        summary: "judged on what was delivered".to_owned(),
        evidence: vec![
            item(EvidenceKind::TestResult, "green"),
            item(EvidenceKind::AcMapping, "AC-1 by tests/cache.rs"),
            item(EvidenceKind::RegressionSuite, "212 passed"),
        ],
        confidence: Confidence::High,
    };
    FinalReviewOutput {
        rid: RID.to_owned(),
        generated_at: "2026-05-06T07:08:09Z".to_owned(),
        dimensions: Dimension::ALL.iter().map(entry).collect(),
        overall_summary: "it holds".to_owned(),
        all_pass: None,
        needs_attention: None,
    }
}

/// Puts a reply through the gates of what was delivered.
pub(super) fn judge(reply: &FinalReviewOutput, sources: &[Delivery], total: u32) -> Judged {
    judge_with(reply, sources, total, &BTreeMap::new())
}

/// The same, with runs that failed.
pub(super) fn judge_with(
    reply: &FinalReviewOutput,
    sources: &[Delivery],
    total: u32,
    red: &BTreeMap<Dimension, RedRun>,
) -> Judged {
    let has_baseline = sources[1].status.has_text();
    let baseline = match (delivered::baseline_summary(sources), has_baseline) {
        (Some(_), _) => BaselineStatus::Computed,
        (None, true) => BaselineStatus::NotDelivered,
        (None, false) => BaselineStatus::Unavailable {
            code: "no-base".to_owned(),
            sentence: "nothing to compare with".to_owned(),
        },
    };
    let name = format!("baseline:{BASELINE}");
    gates::judge(&gates::Case {
        reply,
        criteria: &goal().criteria,
        evidence: &EvidencePolicy {
            total_bytes: total,
            ..EvidencePolicy::default()
        },
        sources,
        baseline: &baseline,
        baseline_name: has_baseline.then_some(name.as_str()),
        known: &Known {
            tree: ["tests/cache.rs".to_owned()].into(),
            ..Known::default()
        },
        proof: None,
        red,
    })
}
