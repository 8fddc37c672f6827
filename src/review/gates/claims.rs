//! The gates on what the reply claims about itself, and on what runs say against it.

use super::{Case, State};
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::final_review::{Confidence, Effect, Gate};

/// `confidence-gate`: inconclusive cannot be sure.
pub(super) fn confidence(state: &mut State) {
    for dimension in Dimension::ALL {
        let Some(outcome) = state.outcomes.get_mut(dimension) else {
            continue;
        };
        if outcome.verdict == DimensionVerdict::Inconclusive && outcome.confidence == Confidence::High {
            outcome.confidence = Confidence::Medium;
            state.mark(
                *dimension,
                Gate::Confidence,
                Effect::Clamped,
                "inconclusive with high confidence contradicts itself, medium is kept",
            );
        }
    }
}

/// `witnessed-red-gate`: a pass, and a deciding witnessed run of this tree failed.
pub(super) fn red(case: &Case<'_>, state: &mut State) {
    for (dimension, run) in case.red {
        if state.passes(*dimension) {
            state.lower(*dimension, Gate::WitnessedRed, &run.text());
        }
    }
}

/// `reviewer-withheld`: not all pass, says the reply, and nothing says why.
pub(super) fn withheld(case: &Case<'_>, state: &mut State) {
    if case.reply.all_pass != Some(false) || !state.needs_attention(case.reply).is_empty() {
        return;
    }
    for dimension in Dimension::ALL {
        state.flag(
            *dimension,
            Gate::ReviewerWithheld,
            "the reviewer withheld the overall pass and named no dimension",
        );
    }
}
