//! What `adopt` came to.

use crate::model::ids::CommitId;

/// Rewrites as (old, new), in the order of the new commits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Adopted {
    /// Recorded now.
    pub recorded: Vec<(CommitId, CommitId)>,
    /// Recorded before.
    pub known: Vec<(CommitId, CommitId)>,
    /// Notes that were put back before.
    pub warnings: Vec<String>,
}
