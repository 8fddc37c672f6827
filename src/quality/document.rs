//! What makes a report out of areas and gates: the decision, and whether a release may rely on it.

use super::compare;
use super::gates::{self, gate};
use super::input::Malformed;
use super::input::typed::{Evidence, Limits};
use crate::model::ids::CommitId;
use crate::model::quality::{AreaSummary, BaselineUsed, Decision, Document, EvidenceKind, GateResult};

/// What is known besides the input.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The judged commit; none outside of a repository.
    pub commit: Option<CommitId>,
    /// Whether `evidence.headSha` is the judged commit; `Err` says why not.
    pub binding: Option<Result<(), String>>,
    /// Whether a release asks for it.
    pub purpose: Purpose,
    /// The baseline, or why it cannot be used.
    pub baseline: Option<Result<Baseline, String>>,
    /// The largest drop of a score that is tolerated.
    pub max_score_drop: u8,
    /// The SHA-256 of the bytes of the input.
    pub input_sha256: Option<String>,
}

/// What the decision is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// To know.
    #[default]
    Any,
    /// A release is to rely on it.
    Release,
}

/// The scores to compare with.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// Where they were read.
    pub used: BaselineUsed,
    /// All fourteen.
    pub areas: Vec<AreaSummary>,
}

/// What a release must know, as far as the input tells.
#[derive(Debug, Clone, Copy)]
pub struct Operational<'a> {
    /// The evidence.
    pub evidence: &'a Evidence,
    /// The limits that were recorded.
    pub limits: Option<&'a Limits>,
    /// What else is lacking.
    pub lacking: &'a [&'static str],
}

/// The report on what could not be read. It says whose input it was, as far as that is well-formed.
pub fn blocked(malformed: Malformed, around: &Surroundings) -> Document {
    let text = |key: &str| Some(malformed.known.get(key)?.as_str()?.to_owned());
    Document {
        run_id: text("runId"),
        library_version: text("version"),
        source_revision: text("sourceRevision"),
        evidence: malformed
            .known
            .get("evidence")
            .and_then(|evidence| evidence.as_object().cloned()),
        commit: around.commit,
        input_sha256: around.input_sha256.clone(),
        ..Document::blocked(malformed.why)
    }
}

/// Adds the gates that need more than the input, and decides. The document holds areas and gates of the input already.
pub fn decide(mut document: Document, operational: &Operational<'_>, around: &Surroundings) -> Document {
    document.commit = around.commit;
    document.input_sha256.clone_from(&around.input_sha256);
    let binding = binding(operational.evidence, around);
    document.absolute_gates.extend(binding.clone());
    let lacking = lacking(&document, operational, binding.is_some_and(|gate| gate.passed));
    if around.purpose == Purpose::Release {
        document.absolute_gates.push(gate(
            "operational-evidence",
            lacking.is_empty(),
            if lacking.is_empty() {
                "nothing is lacking".to_owned()
            } else {
                format!("lacking: {}", lacking.join(", "))
            },
        ));
    }
    match &around.baseline {
        None => {}
        Some(Err(why)) => {
            document
                .absolute_gates
                .push(gate("valid-quality-baseline", false, why.clone()));
            document.baseline_error = Some(why.clone());
        }
        Some(Ok(baseline)) => {
            let comparison = compare::compare(&baseline.areas, &document.areas, around.max_score_drop);
            document.absolute_gates.push(compare::gate(&comparison));
            document.baseline = Some(baseline.used.clone());
            document.comparison = Some(comparison);
        }
    }
    document.decision = decision(&document.areas, &document.absolute_gates);
    document.release_eligible = document.decision == Decision::Pass && lacking.is_empty();
    document
}

/// PASS exactly when every area and every gate passes.
pub fn decision(areas: &[AreaSummary], gates: &[GateResult]) -> Decision {
    if areas.iter().all(|area| area.status.passes()) && gates.iter().all(|gate| gate.passed) {
        Decision::Pass
    } else {
        Decision::Blocked
    }
}

/// Whether the evidence is about the judged commit; made-up evidence is about none, and a campaign need not say.
fn binding(evidence: &Evidence, around: &Surroundings) -> Option<GateResult> {
    let asked = match evidence.kind {
        EvidenceKind::Synthetic => false,
        EvidenceKind::RealRun => true,
        EvidenceKind::RealCampaign => evidence.head_sha.is_some(),
    };
    let passed = match &around.binding {
        _ if !asked => return None,
        None => Err("there is no repository to look it up in".to_owned()),
        Some(found) => found.clone(),
    };
    let head = evidence.head_sha.as_deref().unwrap_or_default();
    Some(match passed {
        Ok(()) => gate(gates::BOUND, true, format!("{head} is the judged commit")),
        Err(why) => gate(gates::BOUND, false, why),
    })
}

fn lacking(document: &Document, operational: &Operational<'_>, is_bound: bool) -> Vec<&'static str> {
    let kind = operational.evidence.kind;
    let has_scope = |wanted: &str| {
        operational.limits.is_some_and(|limits| {
            limits
                .scopes()
                .iter()
                .any(|(name, scope)| *name == wanted && scope.is_some())
        })
    };
    let mut all = vec![
        ("evidence of a real run", kind != EvidenceKind::Synthetic),
        ("evidence bound to the judged commit", is_bound),
        ("runId", document.run_id.is_some()),
        ("version", document.library_version.is_some()),
        ("sourceRevision", document.source_revision.is_some()),
    ];
    if kind == EvidenceKind::RealCampaign {
        all.push(("limits.campaign", has_scope("campaign")));
    }
    all.extend([
        ("limits.pullRequest", has_scope("pullRequest")),
        ("limits.contextPack", has_scope("contextPack")),
        ("limits.analysis", has_scope("analysis")),
        ("limits.verification", has_scope("verification")),
    ]);
    all.into_iter()
        .filter(|(_, is_there)| !is_there)
        .map(|(what, _)| what)
        .chain(operational.lacking.iter().copied())
        .collect()
}
