//! The gates on what was delivered: a verdict is worth no more than what reached the reviewer.

use super::{Case, State, class};
use crate::model::baseline::{VERDICT_MARKER, Verdict};
use crate::model::delivery::{BaselineStatus, SCOPE_CONTRACT, SourceStatus};
use crate::model::dimension::Dimension;
use crate::model::final_review::Gate;
use crate::model::text::sanitise;
use crate::review::delivered::{self, Delivery};

/// `pre-post-diff-drift-gate`: the baseline says something that a person must look at.
pub(super) fn drift(case: &Case<'_>, state: &mut State) {
    let Some(summary) = delivered::baseline_summary(case.sources) else {
        return;
    };
    match class::of(summary) {
        Some(Verdict::NoDrift | Verdict::AdditionsOnly | Verdict::NothingMeasured) => {}
        Some(Verdict::Drift | Verdict::Indeterminate) | None => state.flag(
            Dimension::ExistingFunctionalityIntact,
            Gate::PrePostDiffDrift,
            &sanitise(&format!("{VERDICT_MARKER}{summary}")),
        ),
    }
}

/// `evidence-gate`: a pass for which nothing is delivered.
pub(super) fn evidence(case: &Case<'_>, state: &mut State) {
    for dimension in Dimension::ALL {
        let supporting: Vec<&Delivery> = case
            .sources
            .iter()
            .filter(|source| source.spec.supports.contains(dimension))
            .collect();
        let is_backed = supporting.iter().any(|source| source.is_delivered(*dimension));
        if is_backed || !state.passes(*dimension) {
            continue;
        }
        let states = supporting
            .iter()
            .map(|source| format!("{} {}", sanitise(&source.spec.key), source.status));
        let states = states.collect::<Vec<_>>().join(", ");
        state.lower(
            *dimension,
            Gate::Evidence,
            &format!("no source of this dimension was delivered: {states}"),
        );
    }
}

/// `pre-post-diff-gate`: no baseline that measured something was delivered.
pub(super) fn baseline(case: &Case<'_>, state: &mut State) {
    let situation = match (delivered::baseline_summary(case.sources), case.baseline) {
        (Some(summary), _) => match class::of(summary) {
            Some(Verdict::NothingMeasured) => {
                format!("the baseline measured nothing: {VERDICT_MARKER}{summary}")
            }
            _ => return,
        },
        (None, BaselineStatus::Unavailable { code, sentence }) => {
            format!("no baseline could be computed: {code}: {sentence}")
        }
        (None, BaselineStatus::Computed | BaselineStatus::NotDelivered) => {
            "the baseline was computed, its conclusion did not reach the reviewer".to_owned()
        }
    };
    state.lower(
        Dimension::ExistingFunctionalityIntact,
        Gate::PrePostDiff,
        &sanitise(&situation),
    );
}

/// `scope-contract-gate`: the goal names a contract, and it did not arrive whole.
pub(super) fn contract(case: &Case<'_>, state: &mut State) {
    let source = case
        .sources
        .iter()
        .find(|source| source.spec.key == SCOPE_CONTRACT);
    let situation = match source {
        // A goal without a contract is judged on what exists.
        Some(source) if source.status == SourceStatus::Missing => return,
        Some(source) if source.is_delivered(Dimension::FunctionalCompleteness) => return,
        Some(source) => format!(
            "the contract was not delivered whole: {}, {} of {} bytes",
            source.status, source.included, source.total
        ),
        None => "the packet does not say what became of the contract".to_owned(),
    };
    state.lower(Dimension::FunctionalCompleteness, Gate::ScopeContract, &situation);
}

/// `delivery-reachability`: nothing could be delivered for a dimension, whatever the budget does.
pub(super) fn reach(case: &Case<'_>, state: &mut State) {
    let cap = u64::from(case.evidence.per_file_bytes());
    for entry in delivered::out_of_reach(case.sources, cap) {
        let sources = entry.sources.iter().map(|over| {
            let source = case.sources.iter().find(|source| source.spec.key == over.key);
            let at = source.and_then(|source| source.spec.at.as_deref()).unwrap_or("—");
            format!(
                "{} at {} ({} bytes)",
                sanitise(&over.key),
                sanitise(at),
                over.total
            )
        });
        let sources = sources.collect::<Vec<_>>().join(", ");
        state.lower(
            entry.dimension,
            Gate::Reachability,
            &format!("every source with text is over the cap of {cap} bytes: {sources}"),
        );
    }
}
