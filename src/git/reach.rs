//! Whether a commit is contained in any of many tips, in one walk.

use super::Repo;
use super::convert::{error, to_gix};
use crate::error::Result;
use crate::model::ids::CommitId;

impl Repo {
    /// Whether any of the tips is `commit` or contains it. Where history is cut off the answer may be no.
    pub fn is_in_any(&self, commit: CommitId, tips: &[CommitId]) -> Result<bool> {
        if tips.is_empty() || tips.contains(&commit) {
            return Ok(!tips.is_empty());
        }
        let failed = |cause: &gix::Error| {
            error(
                "history",
                format!("the history of {commit} cannot be walked"),
                cause,
            )
            .hint("git fsck")
        };
        let mut walk = self
            .gix
            .rev_walk([to_gix(commit.0)])
            .with_hidden(tips.iter().map(|tip| to_gix(tip.0)))
            .all()
            .map_err(|cause| failed(&cause))?;
        // What is left of a commit when all that the tips contain is hidden: nothing, or at least itself.
        match walk.next() {
            None => Ok(true),
            Some(Ok(_)) => Ok(false),
            Some(Err(cause)) => Err(failed(&cause)),
        }
    }
}
