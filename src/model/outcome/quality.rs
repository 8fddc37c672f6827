//! What commands about the quality of the review process came to.

use crate::model::event::Person;
use crate::model::ids::{CommitId, EventId};
use crate::model::quality::{Decision, Overview};

/// The records of a commit, the earliest first.
#[derive(Debug, Clone)]
pub struct Records {
    /// The commit.
    pub commit: CommitId,
    /// Its records; at least one.
    pub records: Vec<Recorded>,
}

/// One record.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Its event.
    pub event: EventId,
    /// Who recorded it.
    pub by: Person,
    /// When, as their clock had it.
    pub at: String,
    /// Whether it is the one that counts.
    pub counts: bool,
    /// What the report decides; `None` where it does not hold together.
    pub decision: Option<Decision>,
    /// The report in short.
    pub overview: Option<Overview>,
    /// Why it does not hold together.
    pub fault: Option<String>,
    /// The report as it was recorded, byte for byte.
    pub text: String,
}
