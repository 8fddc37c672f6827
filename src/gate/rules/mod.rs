//! The rules, one a file, in the order in which they are shown.

mod baseline_drift;
mod baseline_undecided;
mod findings_open;
mod findings_unverified;
mod history_shallow;
mod policy_relaxed;
mod quality_blocked;
mod ref_deleted;
mod review_incomplete;
mod review_missing;
mod review_not_pass;
mod review_stale;
mod spec_edited;
mod spec_invalid;
mod spec_open;
mod state_unreadable;

use super::rule::Rule;

/// Every rule of the gate, in the order of [`crate::model::decision::RuleId`].
pub const RULES: [Rule; 16] = [
    findings_open::RULE,
    findings_unverified::RULE,
    review_missing::RULE,
    review_stale::RULE,
    review_incomplete::RULE,
    review_not_pass::RULE,
    baseline_drift::RULE,
    baseline_undecided::RULE,
    spec_open::RULE,
    spec_edited::RULE,
    spec_invalid::RULE,
    quality_blocked::RULE,
    policy_relaxed::RULE,
    state_unreadable::RULE,
    history_shallow::RULE,
    ref_deleted::RULE,
];

#[cfg(test)]
mod testing;
