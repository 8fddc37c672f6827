//! What commands about reviews came to.

use crate::model::event::ReviewPacket;
use crate::model::goal::Goal;
use crate::model::ids::{CommitId, Digest};
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
