//! The bodies about the quality of the review process: the report on a commit, in one event or in pieces.

use serde::{Deserialize, Serialize};

use crate::model::ids::Digest;

/// A report was recorded on the judged commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QualityRecorded {
    /// The report as JSON text: events hold no fractions. Absent where it is too long for one event; then the pieces
    /// with the same digest hold it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The SHA-256 of the text.
    pub sha256: Digest,
}

/// A piece of a report; pieces are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QualityPart {
    /// The number of this piece.
    pub part: u64,
    /// How many pieces there are.
    pub parts: u64,
    /// The SHA-256 of the whole text.
    pub sha256: Digest,
    /// At most 8 KiB.
    pub text: String,
}
