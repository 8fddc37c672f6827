//! `[spec]`: what the policy says about spec reviews.

use std::collections::BTreeSet;

use crate::model::words::words;

words! {
    /// When a spec needs a passing review run beyond what the gate says.
    SpecRequire {
        /// Only where the gate says so.
        None = "none",
        /// Whenever the push changes the spec.
        Changed = "changed",
    }
}

/// `[spec]`: the spec-review loop.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent keys of the file, each true or false there"
)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecPolicy {
    /// The folder of the specs.
    pub dir: String,
    /// Rounds of one run.
    pub max_rounds: u32,
    /// Dispatches of one run.
    pub max_dispatches: u32,
    /// Length of one run.
    pub max_seconds: u32,
    /// When a changed spec needs a run.
    pub require: SpecRequire,
    /// Reasons of STOPPED that the gate lets through.
    pub allow_stopped: BTreeSet<StopReason>,
    /// Rows applied and not read again block.
    pub block_unread: bool,
    /// A convergence with low confidence blocks.
    pub block_low_confidence: bool,
    /// Rows that are only reported block.
    pub block_minor: bool,
    /// Any stop leaves applied rows unread.
    pub unread_on_any_stop: bool,
}

impl Default for SpecPolicy {
    fn default() -> Self {
        Self {
            dir: "docs/superpowers/specs".to_owned(),
            max_rounds: 3,
            max_dispatches: 60,
            max_seconds: 1800,
            require: SpecRequire::None,
            allow_stopped: BTreeSet::new(),
            block_unread: false,
            block_low_confidence: false,
            block_minor: false,
            unread_on_any_stop: false,
        }
    }
}

words! {
    /// Why a run of the spec-review loop ended without converging.
    StopReason {
        /// A cap was reached.
        Budget = "budget",
        /// Two rounds found the same.
        NoProgress = "no-progress",
        /// A finding came back after it was fixed.
        Oscillation = "oscillation",
        /// Only questions to a person are open.
        PendingDecisions = "pending-decisions",
        /// A person declined.
        UserDeclined = "user-declined",
        /// A question could not be shown.
        InteractionUnavailable = "interaction-unavailable",
        /// The spec changed underneath the run.
        ExternalEdit = "external-edit",
    }
}
