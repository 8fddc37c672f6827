//! What stands between a branch and its gate.

use crate::model::decision::RefDecision;
use crate::model::finding::State;
use std::collections::BTreeMap;

/// The status of the checked-out branch.
#[derive(Debug, Clone)]
pub struct Status {
    /// Short name of the branch.
    pub branch: String,
    /// What the gate decides now.
    pub decision: RefDecision,
    /// The open review of the branch, if there is one; safe to show.
    pub review: Option<String>,
    /// How many findings are in each state.
    pub states: BTreeMap<State, usize>,
    /// What deserves a remark: hooks that do not run, notes that were never pushed, stale mirrors.
    pub remarks: Vec<String>,
    /// The one next step: a command.
    pub next: Option<String>,
}
