//! What the gate is told about the quality record of a commit. What the record says of itself is computed again.

use super::ledger::Ledger;
use super::quality::place;
use super::quality::record::{self, Held};
use crate::error::Result;
use crate::gate::facts::QualityFact;
use crate::git::Repo;
use crate::model::ids::CommitId;
use crate::model::policy::effective::Policies;
use crate::model::quality::{AreaSummary, Decision, Document, GateResult};
use crate::model::text::sanitise;
use crate::quality::document::{Purpose, Surroundings};
use crate::quality::stored::{RawInput, Stored};
use crate::quality::{campaign, evaluate};

/// The most areas and gates that are named.
const MAX_NAMED: usize = 5;

/// The record that counts on a commit, and whether a release may rely on it; `None` where there is none.
pub fn fact(
    repo: &Repo,
    ledger: &Ledger<'_>,
    head: CommitId,
    policies: &Policies<'_>,
) -> Result<Option<QualityFact>> {
    let held = record::all(ledger, head)?.into_iter().find(|held| held.counts);
    let Some(held) = held else { return Ok(None) };
    // Whoever asks for a comparison gets one: a head that asks for none changes nothing.
    let needs_baseline = [Some(policies.base), policies.base_tip, policies.head]
        .into_iter()
        .flatten()
        .any(|policy| policy.quality.require_baseline);
    Ok(Some(judge(repo, head, held, needs_baseline)))
}

fn judge(repo: &Repo, head: CommitId, held: Held, needs_baseline: bool) -> QualityFact {
    let said = |passed, same_commit, note: String| QualityFact {
        passed,
        same_commit,
        note: sanitise(&note),
    };
    let stored = match held.stored {
        Ok(stored) => stored,
        Err(why) => return said(false, true, format!("it does not hold together: {why}")),
    };
    if stored.commit.as_deref() != Some(head.to_string().as_str()) {
        let other = stored.commit.as_deref().unwrap_or("no commit");
        return said(false, false, format!("it speaks of {other}"));
    }
    match objection(repo, head, &stored, needs_baseline) {
        Some(why) => said(false, true, why),
        None => said(true, true, String::new()),
    }
}

/// Why a release may not rely on a report about this commit.
fn objection(repo: &Repo, head: CommitId, stored: &Stored, needs_baseline: bool) -> Option<String> {
    if stored.decision == Decision::Blocked {
        return Some(match &stored.input_error {
            Some(why) => format!("it is BLOCKED: {why}"),
            None => format!("it is BLOCKED by {}", failed(&stored.areas, &stored.gates)),
        });
    }
    let Some(raw) = &stored.raw_input else {
        return Some("it keeps no input that could be evaluated again".to_owned());
    };
    let again = again(repo, head, raw);
    if again.decision == Decision::Blocked {
        let why = failed(&again.areas, &again.absolute_gates);
        return Some(format!("evaluated now for a release it is BLOCKED by {why}"));
    }
    if !stored.release_eligible {
        return Some("it says itself that no release may rely on it".to_owned());
    }
    if needs_baseline && !stored.is_compared {
        return Some("the policy asks for a comparison with a baseline, and it has none".to_owned());
    }
    None
}

/// The stored input, evaluated now for a release of this commit.
fn again(repo: &Repo, head: CommitId, raw: &RawInput) -> Document {
    let around = |head_sha: Option<&str>| Surroundings {
        commit: Some(head),
        binding: head_sha.map(|head_sha| place::binding(repo, head, head_sha)),
        purpose: Purpose::Release,
        ..Surroundings::default()
    };
    match raw {
        RawInput::Run(input) => {
            let around = around(input.measured.evidence.head_sha.as_deref());
            evaluate::evaluate(Ok((**input).clone()), &around)
        }
        RawInput::Campaign(input) => {
            let around = around(input.evidence.head_sha.as_deref());
            campaign::evaluate(Ok((**input).clone()), &around)
        }
    }
}

/// What fails, the first of it.
fn failed(areas: &[AreaSummary], gates: &[GateResult]) -> String {
    let areas = areas.iter().filter(|area| !area.status.passes());
    let areas = areas.map(|area| format!("{} ({})", area.area, area.status));
    let gates = gates.iter().filter(|gate| !gate.passed);
    let gates = gates.map(|gate| match gate.detail.as_str() {
        "" => gate.name.clone(),
        detail => format!("{} ({detail})", gate.name),
    });
    let mut named: Vec<String> = areas.chain(gates).collect();
    let more = named.len().saturating_sub(MAX_NAMED);
    named.truncate(MAX_NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    named.join(", ")
}
