//! The bodies of a final review: packets, records with their raw replies, and rulings.

use serde::{Deserialize, Serialize};

use crate::model::delivery::{BaselineStatus, Conclusions, DeliveredKeys, Manifest, OutOfReach};
use crate::model::dimension::Dimension;
use crate::model::final_review::{Marker, ReviewResult};
use crate::model::ids::{Digest, EventId, TreeId};
use crate::model::review::ReviewId;
use crate::model::words::words;

/// A packet was assembled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPacket {
    /// What there is of a baseline.
    pub baseline_status: BaselineStatus,
    /// The conclusions that are in it.
    pub conclusions: Conclusions,
    /// Which sources are delivered for what.
    pub delivered: DeliveredKeys,
    /// What it is made of.
    pub manifest: Manifest,
    /// Its id: the digest of the manifest.
    pub packet: Digest,
    /// The dimensions that nothing can be delivered for.
    pub reachability: Vec<OutOfReach>,
    /// The review.
    pub review: ReviewId,
}

/// A reviewer's answer was checked and kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRecorded {
    /// Replies that were not usable before this one.
    #[serde(default)]
    pub attempts: Vec<Attempt>,
    /// The tree of the base; base, head and the head's tree are the subject.
    pub base_tree: TreeId,
    /// The digest of the goal that was judged.
    pub goal_digest: Digest,
    /// What the gates said.
    pub markers: Vec<Marker>,
    /// In whose name: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
    pub origin: String,
    /// The packet it answers.
    pub packet: Digest,
    /// The SHA-256 of the raw reply.
    pub raw: Digest,
    /// What stands of the answer.
    pub result: ReviewResult,
    /// The review.
    pub review: ReviewId,
}

/// A reply that was not usable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The SHA-256 of the raw reply.
    pub raw: Digest,
    /// Why.
    pub reason: String,
}

/// A piece of a raw reply; pieces are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewReply {
    /// The number of this piece.
    pub part: u64,
    /// How many pieces there are.
    pub parts: u64,
    /// The SHA-256 of the whole reply.
    pub raw: Digest,
    /// The review.
    pub review: ReviewId,
    /// At most 8 KiB.
    pub text: String,
}

words! {
    /// What a person can rule.
    RuledVerdict {
        /// It does not pass.
        Fail = "fail",
        /// It passes.
        Pass = "pass",
    }
}

/// A person ruled on one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRuled {
    /// The question.
    pub dimension: Dimension,
    /// The newest packet at that time.
    pub packet: Digest,
    /// Why; not blank.
    pub reason: String,
    /// The review.
    pub review: ReviewId,
    /// The records it was written after; it settles these and no later ones.
    pub settles: Vec<EventId>,
    /// The ruling.
    pub verdict: RuledVerdict,
}
