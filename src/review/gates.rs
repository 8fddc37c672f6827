//! The gates that a reply goes through: each lowers a claim that nothing delivered can carry. None raises anything.

use std::collections::{BTreeMap, BTreeSet};

use self::artifact::Known;
use super::delivered::{self, Delivery, prefix};
use crate::model::delivery::BaselineStatus;
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::event::ReviewRecorded;
use crate::model::final_review::{
    Confidence, Effect, EvidenceItem, FinalReviewOutput, Gate, Marker, Outcome, ReviewResult,
};
use crate::model::goal::Criterion;
use crate::model::ids::EventId;
use crate::model::policy::EvidencePolicy;
use crate::model::text::sanitise;
use crate::model::witness::{EvidenceKind, ProofResult, RunExit};

pub mod artifact;
mod claims;
pub mod class;
mod delivery;
mod items;

/// The most characters of what a gate says.
const MAX_TEXT: usize = 500;

/// What a reply is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The reply as [`super::reply::parse`] accepts it.
    pub reply: &'a FinalReviewOutput,
    /// The criteria of the goal.
    pub criteria: &'a [Criterion],
    /// `[evidence]` of the base's policy.
    pub evidence: &'a EvidencePolicy,
    /// The sources of the packet.
    pub sources: &'a [Delivery],
    /// What there is of a baseline.
    pub baseline: &'a BaselineStatus,
    /// The full name of the baseline, where one was computed.
    pub baseline_name: Option<&'a str>,
    /// What items may cite.
    pub known: &'a Known,
    /// What the newest proof for the tree came to.
    pub proof: Option<ProofResult>,
    /// For each dimension the deciding witnessed run of the tree that failed, if one did.
    pub red: &'a BTreeMap<Dimension, RedRun>,
}

/// A witnessed run that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedRun {
    /// Its event.
    pub event: EventId,
    /// The command line.
    pub command: String,
    /// How it ended.
    pub exit: RunExit,
}

impl RedRun {
    /// The command, how it ended, and how to cite it; safe to show.
    pub fn text(&self) -> String {
        let command = prefix(&self.command, 300);
        let cut = if command.len() < self.command.len() {
            "…"
        } else {
            ""
        };
        format!(
            "`{}{cut}` ended with {} (evidence:{})",
            sanitise(command),
            self.exit,
            &self.event.to_hex()[..8]
        )
    }
}

/// What the gates make of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// What is kept of it.
    pub result: ReviewResult,
    /// What the gates said, in their order.
    pub markers: Vec<Marker>,
    /// The whole answer after the gates.
    pub output: FinalReviewOutput,
}

/// Puts a reply through all gates, in their order.
pub fn judge(case: &Case<'_>) -> Judged {
    let mut state = State::of(case.reply);
    delivery::drift(case, &mut state);
    claims::confidence(&mut state);
    delivery::evidence(case, &mut state);
    delivery::baseline(case, &mut state);
    delivery::contract(case, &mut state);
    delivery::reach(case, &mut state);
    let attachment = attachment(case);
    items::carried(case, attachment.is_some(), &mut state);
    artifact::resolved(case, &mut state);
    claims::red(case, &mut state);
    claims::withheld(case, &mut state);

    let needs_attention = state.needs_attention(case.reply);
    let result = ReviewResult {
        all_pass: needs_attention.is_empty(),
        attached: attachment.is_some(),
        dimensions: state.outcomes,
        needs_attention: needs_attention.into_iter().collect(),
    };
    Judged {
        output: output(case.reply, &result, &state.markers, attachment.as_ref()),
        result,
        markers: state.markers,
    }
}

/// The item that is added for a baseline that was delivered, unless the reply cites it already.
fn attachment(case: &Case<'_>) -> Option<EvidenceItem> {
    let summary = delivered::baseline_summary(case.sources)?;
    let name = case.baseline_name?;
    let entry = case.reply.dimension(Dimension::ExistingFunctionalityIntact)?;
    let is_cited = entry
        .evidence
        .iter()
        .any(|item| item.kind == EvidenceKind::PrePostDiff && item.artifact.as_deref() == Some(name));
    (!is_cited).then(|| baseline_item(name, summary))
}

fn baseline_item(name: &str, summary: &str) -> EvidenceItem {
    EvidenceItem {
        kind: EvidenceKind::PrePostDiff,
        description: sanitise(summary),
        artifact: Some(name.to_owned()),
        link: None,
    }
}

/// The whole answer of a record, from its raw reply. `baseline` is the full name of the delivered baseline and its
/// conclusion behind the marker.
pub fn rebuild(
    reply: &FinalReviewOutput,
    recorded: &ReviewRecorded,
    baseline: Option<(&str, &str)>,
) -> FinalReviewOutput {
    let attachment = baseline
        .filter(|_| recorded.result.attached)
        .map(|(name, summary)| baseline_item(name, summary));
    output(reply, &recorded.result, &recorded.markers, attachment.as_ref())
}

fn output(
    reply: &FinalReviewOutput,
    result: &ReviewResult,
    markers: &[Marker],
    attachment: Option<&EvidenceItem>,
) -> FinalReviewOutput {
    let mut output = reply.clone();
    for entry in &mut output.dimensions {
        // What a record does not name does not stand.
        let outcome = result
            .dimensions
            .get(&entry.dimension)
            .copied()
            .unwrap_or(Outcome {
                confidence: Confidence::Low,
                verdict: DimensionVerdict::Inconclusive,
            });
        entry.verdict = outcome.verdict;
        entry.confidence = outcome.confidence;
        for marker in markers
            .iter()
            .filter(|marker| marker.dimension == entry.dimension)
        {
            entry
                .summary
                .push_str(&format!(" [{}: {}]", marker.marker, marker.text));
        }
        if entry.dimension == Dimension::ExistingFunctionalityIntact {
            entry.evidence.extend(attachment.cloned());
        }
    }
    output.dimensions.sort_by_key(|entry| entry.dimension);
    output.all_pass = Some(result.all_pass);
    output.needs_attention = Some(result.needs_attention.clone());
    output
}

/// Where the four answers stand between two gates.
struct State {
    outcomes: BTreeMap<Dimension, Outcome>,
    flagged: BTreeSet<Dimension>,
    markers: Vec<Marker>,
}

impl State {
    fn of(reply: &FinalReviewOutput) -> Self {
        let outcomes = reply.dimensions.iter().map(|entry| {
            let outcome = Outcome {
                confidence: entry.confidence,
                verdict: entry.verdict,
            };
            (entry.dimension, outcome)
        });
        Self {
            outcomes: outcomes.collect(),
            flagged: BTreeSet::new(),
            markers: Vec::new(),
        }
    }

    fn passes(&self, dimension: Dimension) -> bool {
        self.outcomes
            .get(&dimension)
            .is_some_and(|outcome| outcome.verdict == DimensionVerdict::Pass)
    }

    /// Makes a pass inconclusive with low confidence; a verdict that is none stays as it is.
    fn lower(&mut self, dimension: Dimension, gate: Gate, text: &str) {
        let effect = if self.passes(dimension) {
            self.outcomes.insert(
                dimension,
                Outcome {
                    confidence: Confidence::Low,
                    verdict: DimensionVerdict::Inconclusive,
                },
            );
            Effect::Downgraded
        } else {
            Effect::Unchanged
        };
        self.mark(dimension, gate, effect, text);
    }

    /// Leaves the verdict, and says that a person must look.
    fn flag(&mut self, dimension: Dimension, gate: Gate, text: &str) {
        self.flagged.insert(dimension);
        self.mark(dimension, gate, Effect::Flagged, text);
    }

    fn mark(&mut self, dimension: Dimension, marker: Gate, effect: Effect, text: &str) {
        let text = match text.char_indices().nth(MAX_TEXT) {
            Some(_) => {
                let end = text.char_indices().nth(MAX_TEXT - 1).map_or(0, |(end, _)| end);
                format!("{}…", &text[..end])
            }
            None => text.to_owned(),
        };
        self.markers.push(Marker {
            dimension,
            effect,
            marker,
            text,
        });
    }

    /// The reviewer's own list, every verdict that is no pass, and everything that is flagged.
    fn needs_attention(&self, reply: &FinalReviewOutput) -> BTreeSet<Dimension> {
        let listed = reply.needs_attention.iter().flatten().copied();
        let not_passed = Dimension::ALL.iter().copied().filter(|one| !self.passes(*one));
        listed
            .chain(not_passed)
            .chain(self.flagged.iter().copied())
            .collect()
    }
}

/// Whether the reply contradicts itself: inconclusive, and sure of it.
pub fn contradicts_itself(reply: &FinalReviewOutput) -> bool {
    reply
        .dimensions
        .iter()
        .any(|entry| entry.verdict == DimensionVerdict::Inconclusive && entry.confidence == Confidence::High)
}

/// Whether `second` is better than `first` in any dimension: a reviewer that is asked again may only correct itself
/// downwards.
pub fn raises(first: &FinalReviewOutput, second: &FinalReviewOutput) -> bool {
    Dimension::ALL.iter().any(|dimension| {
        let verdict = |reply: &FinalReviewOutput| reply.dimension(*dimension).map(|entry| entry.verdict);
        verdict(second) > verdict(first)
    })
}
