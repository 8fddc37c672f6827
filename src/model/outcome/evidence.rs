//! What commands about evidence came to.

use crate::model::event::{EvidenceAdded, EvidenceProof, EvidenceRun, Person, Subject};
use crate::model::ids::EventId;

/// A piece of evidence as it was stored.
#[derive(Debug, Clone)]
pub struct Recorded<T> {
    /// Its event.
    pub id: EventId,
    /// Who recorded it.
    pub by: Person,
    /// The commit that it speaks of.
    pub subject: Subject,
    /// What it says.
    pub body: T,
    /// What deserves a remark.
    pub warnings: Vec<String>,
}

/// A claim.
pub type Added = Recorded<EvidenceAdded>;

/// A run that was seen.
pub type Ran = Recorded<EvidenceRun>;

/// A proof, or that there is none.
pub type Proved = Recorded<EvidenceProof>;
