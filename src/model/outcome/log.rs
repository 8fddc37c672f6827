//! The audit trail.

use crate::model::event::Event;
use crate::model::ids::CommitId;

/// One event and where its note is.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The object whose note holds it.
    pub anchor: CommitId,
    /// The event.
    pub event: Event,
}
