//! `contract-evidence-gate`: a pass carries the items that its question asks for.

use std::collections::BTreeSet;

use super::{Case, State};
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::final_review::{DimensionOutput, Gate};
use crate::model::goal::Criterion;
use crate::model::policy::{Coverage, Proof};
use crate::model::text::sanitise;
use crate::model::witness::{EvidenceKind, ProofResult};

/// Looks at every dimension that the reviewer passed, also where another gate has lowered it since.
pub(super) fn carried(case: &Case<'_>, is_attached: bool, state: &mut State) {
    for dimension in Dimension::ALL {
        let Some(entry) = case.reply.dimension(*dimension) else {
            continue;
        };
        if entry.verdict != DimensionVerdict::Pass {
            continue;
        }
        let missing = missing(case, entry, is_attached);
        if !missing.is_empty() {
            let text = format!("missing: {}", missing.join(", "));
            state.lower(*dimension, Gate::ContractEvidence, &text);
        }
    }
}

fn missing(case: &Case<'_>, entry: &DimensionOutput, is_attached: bool) -> Vec<String> {
    let has = |kind: EvidenceKind| entry.evidence.iter().any(|item| item.kind == kind);
    let mut missing = Vec::new();
    let mut need = |is_there: bool, what: &str| {
        if !is_there {
            missing.push(what.to_owned());
        }
    };
    match entry.dimension {
        Dimension::FunctionalCompleteness => {
            need(!case.criteria.is_empty(), "criteria");
            let mapped = mapped(case.criteria, entry);
            for criterion in case.criteria {
                let what = format!("{} {}", EvidenceKind::AcMapping, sanitise(&criterion.id));
                need(mapped.contains(criterion.id.as_str()), &what);
            }
            need(has(EvidenceKind::TestResult), "test-result");
            let is_wanted = case.evidence.coverage == Coverage::Required;
            need(!is_wanted || has(EvidenceKind::TestCoverage), "test-coverage");
        }
        Dimension::ProblemResolution => {
            need(has(EvidenceKind::TestResult), "test-result");
            need(has(EvidenceKind::AcMapping), "ac-mapping");
            need(is_proven(case), "proof");
        }
        Dimension::NoNewBugs => {
            need(has(EvidenceKind::RegressionSuite), "regression-suite");
            need(
                has(EvidenceKind::ManualSpotCheck) || has(EvidenceKind::TestResult),
                "manual-spot-check or test-result",
            );
        }
        Dimension::ExistingFunctionalityIntact => {
            need(is_attached || has(EvidenceKind::PrePostDiff), "pre-post-diff");
        }
    }
    missing
}

fn is_proven(case: &Case<'_>) -> bool {
    match case.evidence.proof {
        Proof::Off => true,
        Proof::Required => case.proof == Some(ProofResult::Proven),
        Proof::OrBuildFailure => {
            matches!(
                case.proof,
                Some(ProofResult::Proven | ProofResult::ProvenByBuildFailure)
            )
        }
    }
}

/// The criteria that an item maps. An item counts for the first criterion that it names, and for no other.
fn mapped<'a>(criteria: &'a [Criterion], entry: &DimensionOutput) -> BTreeSet<&'a str> {
    entry
        .evidence
        .iter()
        .filter(|item| item.kind == EvidenceKind::AcMapping)
        .filter_map(|item| first_criterion(criteria, &item.description))
        .collect()
}

/// The first criterion whose id stands in the text as a word of its own: `AC-1` is not in `AC-10`.
fn first_criterion<'a>(criteria: &'a [Criterion], text: &str) -> Option<&'a str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')))
        .find_map(|word| {
            let criterion = criteria.iter().find(|criterion| criterion.id == word)?;
            Some(criterion.id.as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_counts_as_a_word_of_its_own() {
        let criteria: Vec<Criterion> = ["AC-1", "AC-10", "x"]
            .iter()
            .map(|id| Criterion {
                id: (*id).to_owned(),
                text: "t".to_owned(),
            })
            .collect();
        for (text, expected) in [
            ("AC-1: by a", Some("AC-1")),
            ("see (AC-10), AC-1", Some("AC-10")),
            ("AC-1.2", Some("AC-1")),
            ("AC-11 ac-1 AC-1b xAC-1 AC-1-a AC_1", None),
            ("éx x", Some("x")),
            ("", None),
        ] {
            assert_eq!(first_criterion(&criteria, text), expected, "{text}");
        }
    }
}
