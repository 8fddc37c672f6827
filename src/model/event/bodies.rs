//! The bodies of the kinds of events that are typed; in JSON an absent field is left out.

use serde::{Deserialize, Serialize};

use super::{
    Body, EvidenceAdded, EvidenceProof, EvidenceRun, QualityPart, QualityRecorded, ReviewPacket,
    ReviewRecorded, ReviewReply, ReviewRuled,
};
use crate::model::day::Day;
use crate::model::finding::{FindingFields, Origin};
use crate::model::goal::{Authorization, Criterion, Goal};
use crate::model::ids::{BlobId, CommitId, Digest, EventId, FindingId};
use crate::model::review::ReviewId;
use crate::model::severity::Severity;

/// A finding is raised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "RaisedInJson", into = "RaisedInJson")]
pub struct Raised {
    /// The finding, see [`FindingFields::identity`].
    pub finding: FindingId,
    /// Absent on a detached HEAD.
    pub review: Option<ReviewId>,
    /// In whose name.
    pub origin: Origin,
    /// What it says.
    pub fields: FindingFields,
}

/// Some openings are answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    /// The exact openings that it answers.
    pub closes: Vec<EventId>,
    /// The commit that holds the answer.
    pub commit: CommitId,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Some resolutions are accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The resolutions.
    pub confirms: Vec<EventId>,
    /// In whose name.
    pub origin: Origin,
}

/// A resolution does not hold, or a finding is there again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reopened {
    /// What is.
    pub actual: String,
    /// A verbatim excerpt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The finding.
    pub finding: FindingId,
    /// In whose name.
    pub origin: Origin,
    /// Absent on a detached HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewId>,
}

/// Some openings are accepted as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waived {
    /// The exact openings.
    pub closes: Vec<EventId>,
    /// Why.
    pub reason: String,
    /// The last day, UTC, on which it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
}

/// An origin accepts all resolutions of its findings; counts as [`Verified`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginPassed {
    /// The resolutions.
    pub confirms: Vec<EventId>,
    /// The origin.
    pub origin: Origin,
    /// Absent on a detached HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewId>,
}

/// Commits were rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewrite {
    /// Which became which.
    pub pairs: Vec<RewritePair>,
}

/// One commit that took the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewritePair {
    /// The commit after.
    pub new: CommitId,
    /// The commit before.
    pub old: CommitId,
}

/// A corrupt line of the same note is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineDiscarded {
    /// The SHA-256 of its bytes, without the line feed.
    pub line: Digest,
    /// Why.
    pub reason: String,
}

/// A note that is over a limit is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteDiscarded {
    /// The object that the note stands on.
    pub anchor: CommitId,
    /// The note's blob.
    pub blob: BlobId,
    /// Why.
    pub reason: String,
}

/// A review is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewOpened {
    /// The merge-base at that time.
    pub anchor: CommitId,
    /// The base by name; absent where the branch has no base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_ref: Option<String>,
    /// The branch, by its short name.
    pub branch: String,
    /// The digest of the contract, where the goal names one that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract_digest: Option<Digest>,
    /// What is asked.
    pub goal: Goal,
    /// The digest of the goal.
    pub goal_digest: Digest,
    /// The review.
    pub review: ReviewId,
}

impl ReviewOpened {
    /// Whether it opened by itself with the first finding on its branch.
    pub fn is_implicit(&self) -> bool {
        self.review == ReviewId::implicit(&self.branch, self.anchor)
    }
}

/// A review gets more to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewAmended {
    /// Authorisations that are added.
    #[serde(default)]
    pub authorize: Vec<Authorization>,
    /// Criteria that are added.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
    /// The review.
    pub review: ReviewId,
}

/// A review ends; its findings stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewClosed {
    /// The review that takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_review: Option<ReviewId>,
    /// Why.
    pub reason: String,
    /// The review.
    pub review: ReviewId,
}

macro_rules! kinds {
    ($($body:ident $kind:literal $variant:expr;)*) => {
        $(
            impl $body {
                /// The word of this kind.
                pub const KIND: &'static str = $kind;
            }

            impl From<$body> for Body {
                fn from(body: $body) -> Self {
                    $variant(body)
                }
            }
        )*
    };
}

kinds! {
    Raised "finding.raised" |body| Body::Raised(Box::new(body));
    Resolved "finding.resolved" Body::Resolved;
    Verified "finding.verified" Body::Verified;
    Reopened "finding.reopened" |body| Body::Reopened(Box::new(body));
    Waived "finding.waived" Body::Waived;
    OriginPassed "origin.passed" Body::OriginPassed;
    Rewrite "rewrite" Body::Rewrite;
    LineDiscarded "line.discarded" Body::LineDiscarded;
    NoteDiscarded "note.discarded" Body::NoteDiscarded;
    ReviewOpened "review.opened" |body| Body::ReviewOpened(Box::new(body));
    ReviewAmended "review.amended" |body| Body::ReviewAmended(Box::new(body));
    ReviewClosed "review.closed" Body::ReviewClosed;
    ReviewPacket "review.packet" |body| Body::ReviewPacket(Box::new(body));
    ReviewRecorded "review.recorded" |body| Body::ReviewRecorded(Box::new(body));
    ReviewReply "review.reply" Body::ReviewReply;
    ReviewRuled "review.ruled" |body| Body::ReviewRuled(Box::new(body));
    EvidenceAdded "evidence.added" |body| Body::EvidenceAdded(Box::new(body));
    EvidenceRun "evidence.run" |body| Body::EvidenceRun(Box::new(body));
    EvidenceProof "evidence.proof" |body| Body::EvidenceProof(Box::new(body));
    QualityRecorded "quality.recorded" Body::QualityRecorded;
    QualityPart "quality.part" Body::QualityPart;
}

/// [`Raised`] as it stands in JSON, all fields side by side.
#[derive(Serialize, Deserialize)]
struct RaisedInJson {
    actual: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    criterion: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
    expected: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    finding: FindingId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    origin: Origin,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<ReviewId>,
    severity: Severity,
}

impl From<RaisedInJson> for Raised {
    fn from(json: RaisedInJson) -> Self {
        Self {
            finding: json.finding,
            review: json.review,
            origin: json.origin,
            fields: FindingFields {
                severity: json.severity,
                expected: json.expected,
                actual: json.actual,
                file: json.file,
                line: json.line,
                criterion: json.criterion,
                fix: json.fix,
                evidence: json.evidence,
            },
        }
    }
}

impl From<Raised> for RaisedInJson {
    fn from(raised: Raised) -> Self {
        let fields = raised.fields;
        Self {
            actual: fields.actual,
            criterion: fields.criterion,
            evidence: fields.evidence,
            expected: fields.expected,
            file: fields.file,
            finding: raised.finding,
            fix: fields.fix,
            line: fields.line,
            origin: raised.origin,
            review: raised.review,
            severity: fields.severity,
        }
    }
}
