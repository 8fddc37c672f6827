//! What commands about reviews came to.

use std::collections::BTreeMap;

use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::event::{Person, ReviewPacket, RuledVerdict};
use crate::model::final_review::{Confidence, FinalReviewOutput, Marker};
use crate::model::goal::Goal;
use crate::model::ids::{CommitId, Digest, EventId};
use crate::model::review::ReviewId;

/// A review as `start` or `amend` leaves it.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The review.
    pub review: ReviewId,
    /// The branch, by its short name.
    pub branch: String,
    /// The merge-base it stands on.
    pub anchor: CommitId,
    /// The base by name.
    pub base_ref: Option<String>,
    /// The goal after all amendments.
    pub goal: Goal,
    /// Its digest.
    pub goal_digest: Digest,
    /// Reviews that it took the place of.
    pub replaced: Vec<ReviewId>,
    /// Whether anything was written.
    pub changed: bool,
    /// What deserves a remark.
    pub warnings: Vec<String>,
}

/// A packet, assembled.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// What is stored of it.
    pub body: ReviewPacket,
    /// What the reviewer reads.
    pub prompt: String,
    /// Whether it was written just now; the same one may have been there.
    pub stored: bool,
    /// What deserves a remark.
    pub warnings: Vec<String>,
}

/// Where a review stands at a commit.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The review.
    pub review: ReviewId,
    /// Its branch, by the short name.
    pub branch: String,
    /// What the commit is compared with.
    pub base: CommitId,
    /// The commit.
    pub head: CommitId,
    /// Whether any record counts; without one nothing stands.
    pub basis: Basis,
    /// What stands, for each dimension; empty where there is no record.
    pub dimensions: BTreeMap<Dimension, ShownDimension>,
    /// Whether records count and all four dimensions pass.
    pub all_pass: bool,
    /// The dimensions that do not pass, in their order.
    pub needs_attention: Vec<Dimension>,
    /// Every record, the earliest first.
    pub records: Vec<ShownRecord>,
    /// The event that was written just now.
    pub wrote: Option<EventId>,
    /// What deserves a remark.
    pub warnings: Vec<String>,
}

/// What a standing rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// There is no record.
    None,
    /// There are records, and none of them counts.
    Stale,
    /// At least one counts.
    Counting,
    /// One that would count is not valid.
    Invalid,
}

/// What stands for one dimension.
#[derive(Debug, Clone)]
pub struct ShownDimension {
    /// The worst verdict of the records.
    pub verdict: DimensionVerdict,
    /// How sure it is.
    pub confidence: Confidence,
    /// What the gates said.
    pub markers: Vec<Marker>,
    /// Why it is worse than the records say, one sentence each.
    pub notes: Vec<String>,
    /// Whether it passes: by itself, or because a person ruled so.
    pub passes: bool,
    /// The ruling that decides.
    pub ruling: Option<ShownRuling>,
}

/// A ruling.
#[derive(Debug, Clone)]
pub struct ShownRuling {
    /// Its event.
    pub id: EventId,
    /// What it says.
    pub verdict: RuledVerdict,
    /// Who ruled.
    pub by: Person,
    /// When, as their clock had it.
    pub at: String,
    /// Why.
    pub reason: String,
    /// Whether they authored a commit of the change.
    pub by_author: bool,
}

/// A record and what became of it.
#[derive(Debug, Clone)]
pub struct ShownRecord {
    /// Its event.
    pub id: EventId,
    /// The review it belongs to.
    pub review: ReviewId,
    /// In whose name.
    pub origin: String,
    /// Who recorded it.
    pub by: Person,
    /// When, as their clock had it.
    pub at: String,
    /// The commit it speaks of.
    pub head: CommitId,
    /// The packet it answers.
    pub packet: Digest,
    /// Whether it is part of what stands.
    pub counts: bool,
    /// Why it counts, or why not.
    pub why: String,
    /// The whole answer after the gates; `None` where the raw reply is not whole.
    pub output: Option<FinalReviewOutput>,
}
