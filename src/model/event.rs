//! One line of the ledger: who said what, about which commit, having seen which other events.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::ids::{CommitId, Digest, EventId, TreeId};
use super::review::ReviewId;

pub use self::bodies::{
    LineDiscarded, NoteDiscarded, OriginPassed, Raised, Reopened, Resolved, ReviewAmended, ReviewClosed,
    ReviewOpened, Rewrite, RewritePair, Verified, Waived,
};
pub use self::evidence::{EvidenceAdded, EvidenceProof, EvidenceRun};
pub use self::final_review::{Attempt, ReviewPacket, ReviewRecorded, ReviewReply, ReviewRuled, RuledVerdict};
pub use self::quality::{QualityPart, QualityRecorded};

mod bodies;
mod evidence;
mod final_review;
mod quality;

/// The version of events that is written, and the highest that is understood.
pub const VERSION: u64 = 1;

/// An event as read from the ledger, or just made; only `ledger::codec` makes one, so its line and id agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// SHA-256 over the canonical JSON of the rest.
    pub id: EventId,
    /// What the writer had seen as heads.
    pub after: Vec<EventId>,
    /// When, as the writer's clock had it. For showing, never for deciding.
    pub at: String,
    /// Who, by git's committer identity.
    pub by: Person,
    /// What it speaks of.
    pub subject: Subject,
    /// What it says.
    pub body: Body,
    /// The line as stored, without its line feed: fields that are not known here are kept in it.
    pub line: Box<str>,
}

impl Event {
    /// The word of its kind, such as `finding.raised`.
    pub fn kind(&self) -> &str {
        self.body.kind()
    }
}

/// An event that has no id yet. The clock and the identity are the caller's.
#[derive(Debug, Clone, PartialEq)]
pub struct EventDraft {
    /// What the writer has seen as heads, of the same review.
    pub after: Vec<EventId>,
    /// When: RFC 3339, UTC, whole seconds.
    pub at: String,
    /// Who.
    pub by: Person,
    /// What it speaks of, pinned when the work started.
    pub subject: Subject,
    /// What it says.
    pub body: Body,
}

/// A committer identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Person {
    /// `user.email`
    pub email: String,
    /// `user.name`
    pub name: String,
}

/// The commit that an event speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The merge-base with the base; the commit itself without one.
    pub base: CommitId,
    /// The digest of author, time and first line of the message of `commit`: an amend, rebase or cherry-pick keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Digest>,
    /// The commit.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
}

/// What an event says, by kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// `finding.raised`
    Raised(Box<Raised>),
    /// `finding.resolved`
    Resolved(Resolved),
    /// `finding.verified`
    Verified(Verified),
    /// `finding.reopened`
    Reopened(Box<Reopened>),
    /// `finding.waived`
    Waived(Waived),
    /// `origin.passed`
    OriginPassed(OriginPassed),
    /// `rewrite`
    Rewrite(Rewrite),
    /// `line.discarded`
    LineDiscarded(LineDiscarded),
    /// `note.discarded`
    NoteDiscarded(NoteDiscarded),
    /// `review.opened`
    ReviewOpened(Box<ReviewOpened>),
    /// `review.amended`
    ReviewAmended(Box<ReviewAmended>),
    /// `review.closed`
    ReviewClosed(ReviewClosed),
    /// `review.packet`
    ReviewPacket(Box<ReviewPacket>),
    /// `review.recorded`
    ReviewRecorded(Box<ReviewRecorded>),
    /// `review.reply`
    ReviewReply(ReviewReply),
    /// `review.ruled`
    ReviewRuled(Box<ReviewRuled>),
    /// `evidence.added`
    EvidenceAdded(Box<EvidenceAdded>),
    /// `evidence.run`
    EvidenceRun(Box<EvidenceRun>),
    /// `evidence.proof`
    EvidenceProof(Box<EvidenceProof>),
    /// `quality.recorded`
    QualityRecorded(QualityRecorded),
    /// `quality.part`
    QualityPart(QualityPart),
    /// Any other kind, known elsewhere or not at all.
    Other(Other),
}

impl Body {
    /// The word of its kind.
    pub fn kind(&self) -> &str {
        match self {
            Self::Raised(_) => Raised::KIND,
            Self::Resolved(_) => Resolved::KIND,
            Self::Verified(_) => Verified::KIND,
            Self::Reopened(_) => Reopened::KIND,
            Self::Waived(_) => Waived::KIND,
            Self::OriginPassed(_) => OriginPassed::KIND,
            Self::Rewrite(_) => Rewrite::KIND,
            Self::LineDiscarded(_) => LineDiscarded::KIND,
            Self::NoteDiscarded(_) => NoteDiscarded::KIND,
            Self::ReviewOpened(_) => ReviewOpened::KIND,
            Self::ReviewAmended(_) => ReviewAmended::KIND,
            Self::ReviewClosed(_) => ReviewClosed::KIND,
            Self::ReviewPacket(_) => ReviewPacket::KIND,
            Self::ReviewRecorded(_) => ReviewRecorded::KIND,
            Self::ReviewReply(_) => ReviewReply::KIND,
            Self::ReviewRuled(_) => ReviewRuled::KIND,
            Self::EvidenceAdded(_) => EvidenceAdded::KIND,
            Self::EvidenceRun(_) => EvidenceRun::KIND,
            Self::EvidenceProof(_) => EvidenceProof::KIND,
            Self::QualityRecorded(_) => QualityRecorded::KIND,
            Self::QualityPart(_) => QualityPart::KIND,
            Self::Other(other) => &other.kind,
        }
    }

    /// The review that the body itself names.
    pub fn review(&self) -> Option<&str> {
        match self {
            Self::Raised(body) => body.review.as_ref().map(ReviewId::as_str),
            Self::Reopened(body) => body.review.as_ref().map(ReviewId::as_str),
            Self::OriginPassed(body) => body.review.as_ref().map(ReviewId::as_str),
            Self::ReviewOpened(body) => Some(body.review.as_str()),
            Self::ReviewAmended(body) => Some(body.review.as_str()),
            Self::ReviewClosed(body) => Some(body.review.as_str()),
            Self::ReviewPacket(body) => Some(body.review.as_str()),
            Self::ReviewRecorded(body) => Some(body.review.as_str()),
            Self::ReviewReply(body) => Some(body.review.as_str()),
            Self::ReviewRuled(body) => Some(body.review.as_str()),
            Self::EvidenceAdded(body) => Some(body.review.as_str()),
            Self::EvidenceRun(body) => Some(body.review.as_str()),
            Self::EvidenceProof(body) => Some(body.review.as_str()),
            Self::Other(other) => other.value.get("review").and_then(Value::as_str),
            Self::Resolved(_)
            | Self::Verified(_)
            | Self::Waived(_)
            | Self::Rewrite(_)
            | Self::QualityRecorded(_)
            | Self::QualityPart(_)
            | Self::LineDiscarded(_)
            | Self::NoteDiscarded(_) => None,
        }
    }
}

/// The body of a kind that is not typed here.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// The word of the kind.
    pub kind: String,
    /// The body as JSON.
    pub value: Value,
}

impl Serialize for Body {
    /// The body alone; its kind stands beside it in the event.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Raised(body) => body.serialize(serializer),
            Self::Resolved(body) => body.serialize(serializer),
            Self::Verified(body) => body.serialize(serializer),
            Self::Reopened(body) => body.serialize(serializer),
            Self::Waived(body) => body.serialize(serializer),
            Self::OriginPassed(body) => body.serialize(serializer),
            Self::Rewrite(body) => body.serialize(serializer),
            Self::LineDiscarded(body) => body.serialize(serializer),
            Self::NoteDiscarded(body) => body.serialize(serializer),
            Self::ReviewOpened(body) => body.serialize(serializer),
            Self::ReviewAmended(body) => body.serialize(serializer),
            Self::ReviewClosed(body) => body.serialize(serializer),
            Self::ReviewPacket(body) => body.serialize(serializer),
            Self::ReviewRecorded(body) => body.serialize(serializer),
            Self::ReviewReply(body) => body.serialize(serializer),
            Self::ReviewRuled(body) => body.serialize(serializer),
            Self::EvidenceAdded(body) => body.serialize(serializer),
            Self::EvidenceRun(body) => body.serialize(serializer),
            Self::EvidenceProof(body) => body.serialize(serializer),
            Self::QualityRecorded(body) => body.serialize(serializer),
            Self::QualityPart(body) => body.serialize(serializer),
            Self::Other(other) => other.value.serialize(serializer),
        }
    }
}

impl From<Other> for Body {
    fn from(body: Other) -> Self {
        Self::Other(body)
    }
}
