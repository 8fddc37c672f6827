//! What git tells a pre-push or pre-receive hook: one line for each ref.

use super::ids::Oid;

/// One line of such a hook's standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushLine {
    /// Its number, from 1.
    pub number: usize,
    /// What it says, or why it could not be read.
    pub update: Result<PushUpdate, MalformedLine>,
}

/// One ref that is about to be pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushUpdate {
    /// What the user called the source: a ref, `HEAD`, `side~2`, `:/some words`, or `(delete)`. May hold spaces; empty
    /// where that is not known.
    pub local_ref: Vec<u8>,
    /// What is pushed; all zeros for a deletion.
    pub local_id: Oid,
    /// Full name of the ref on the remote.
    pub remote_ref: Vec<u8>,
    /// What the remote has there; all zeros for a new ref.
    pub remote_id: Oid,
}

/// What a line does to the ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushKind {
    /// Moves it.
    Update,
    /// Makes it.
    Create,
    /// Deletes it.
    Delete,
}

impl PushUpdate {
    /// What the line does to the ref.
    pub fn kind(&self) -> PushKind {
        if self.local_id.is_zero() {
            PushKind::Delete
        } else if self.remote_id.is_zero() {
            PushKind::Create
        } else {
            PushKind::Update
        }
    }
}

/// A line that does not have the form that git gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedLine {
    /// Its bytes, at most the first 200.
    pub bytes: Vec<u8>,
    /// What is wrong with it.
    pub why: &'static str,
}
