//! Reviews, from start to ruling. A finding belongs to a review; criteria and authorisations come from its goal.

pub mod amend;
pub mod answer;
pub mod at;
pub mod delivered;
pub mod packet;
pub mod read;
pub mod record;
pub mod rule;
pub mod run;
pub mod show;
pub mod sources;
pub mod stands;
pub mod start;
pub mod stored;

use crate::model::outcome::review::Opened;
use crate::model::review::ReviewId;
use crate::review::registry::Review;

/// A review as it stands, and what was done to it.
fn opened(review: Review, replaced: Vec<ReviewId>, changed: bool, warnings: Vec<String>) -> Opened {
    Opened {
        goal_digest: review.goal_digest(),
        review: review.id,
        branch: review.branch,
        anchor: review.anchor,
        base_ref: review.base_ref,
        goal: review.goal,
        replaced,
        changed,
        warnings,
    }
}
