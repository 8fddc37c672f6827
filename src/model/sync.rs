//! What an exchange of notes with a remote came to.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::words;

words! {
    /// What became of one notes ref.
    SyncState {
        /// Neither side has it.
        Absent = "absent",
        /// Both sides had the same already.
        Equal = "equal",
        /// This side had less.
        Received = "received",
        /// The other side had less.
        Sent = "sent",
        /// Each side had something that the other had not.
        United = "united",
    }
}

/// What an exchange came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SyncReport {
    /// Always `review-gate/sync`.
    pub schema: &'static str,
    /// Always 1.
    pub version: u32,
    /// Name or address of the remote.
    pub remote: String,
    /// Each notes ref, sorted by name.
    pub refs: Vec<SyncedRef>,
    /// Events that tracked mirrors of reviews held and the notes did not.
    pub from_mirrors: usize,
    /// What should not have been so: a side that had lost events, and what was done about it.
    pub warnings: Vec<String>,
}

/// One notes ref.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct SyncedRef {
    /// Full name.
    pub name: String,
    /// What became of it.
    pub state: SyncState,
    /// How many lines were new on this side.
    pub received: usize,
}

impl SyncReport {
    /// Whether both sides had the same before, as far as they had anything.
    pub fn is_unchanged(&self) -> bool {
        let quiet = |state| matches!(state, SyncState::Absent | SyncState::Equal);
        self.refs.iter().all(|synced| quiet(synced.state))
    }
}
