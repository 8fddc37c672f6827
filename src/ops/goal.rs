//! What the goal of a branch's open review says about drift, for the baseline of that branch.

use super::baseline::Goal;
use super::ledger::Ledger;
use crate::error::Result;
use crate::git::Repo;
use crate::model::goal::Authorization;
use crate::model::ids::CommitId;
use crate::model::policy::Policy;
use crate::review::registry;

/// The goal of an open review; empty where there is none.
#[derive(Debug, Clone, Default)]
pub struct OpenGoal {
    digest: Option<String>,
    authorize: Vec<Authorization>,
}

impl OpenGoal {
    /// Reads the goal of the open review of `branch` (its short name) at `head`; the policy says whose authorisations
    /// count.
    pub fn read(repo: &Repo, policy: &Policy, branch: &str, head: CommitId) -> Result<Self> {
        let ledger = Ledger::open(repo, &policy.sync.notes_prefix)?;
        let may_authorize = |email: &str| policy.authorize.allow(email);
        let ids = ledger.records().reviews_of(branch)?;
        let reviews = ledger.reviews(&ids, may_authorize)?;
        let review = registry::goal_review(&reviews, &[branch.to_owned()], |anchor| {
            Ok(repo.has_commit(anchor)? && repo.is_ancestor(anchor, head)?)
        })?;
        Ok(review.map_or_else(Self::default, |review| Self {
            digest: Some(review.goal_digest().to_hex()),
            authorize: review.goal.authorize.clone(),
        }))
    }

    /// As the baseline takes it.
    pub fn as_goal(&self) -> Goal<'_> {
        Goal {
            digest: self.digest.as_deref(),
            authorize: &self.authorize,
        }
    }
}
