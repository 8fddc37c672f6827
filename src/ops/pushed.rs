//! What the repository knows of objects that are about to be pushed.

use crate::error::Result;
use crate::gate::disposition::{Peeled, PushedObjects};
use crate::git::Repo;
use crate::model::ids::{CommitId, Oid};
use crate::model::push::PushLine;
use crate::model::text::sanitise_bytes;

/// Answers from a real repository.
#[derive(Debug)]
pub struct Pushed<'a> {
    repo: &'a Repo,
    /// Commits that the remote is known to have.
    tips: Vec<CommitId>,
}

impl<'a> Pushed<'a> {
    /// Collects what the remote is known to have: its remote-tracking refs, and what it says in the lines themselves.
    ///
    /// Ids of the remote that are unknown here are left out: they tell nothing. A push to a bare URL has no
    /// remote-tracking refs.
    pub fn new(repo: &'a Repo, remote: Option<&str>, lines: &[PushLine]) -> Result<Self> {
        let mut tips = Vec::new();
        if let Some(remote) = remote {
            for found in repo.refs_under(&format!("refs/remotes/{remote}/"))? {
                if let Peeled::Commit(commit) = peel(repo, found.id, &found.name)? {
                    tips.push(commit);
                }
            }
        }
        for update in lines.iter().filter_map(|line| line.update.as_ref().ok()) {
            if repo.header(update.remote_id)?.is_some()
                && let Peeled::Commit(commit) =
                    peel(repo, update.remote_id, &sanitise_bytes(&update.remote_ref))?
            {
                tips.push(commit);
            }
        }
        Ok(Self::with(repo, tips))
    }

    /// For the repository that is pushed to: what it has is what its branches and tags have.
    pub fn received(repo: &'a Repo) -> Result<Self> {
        let mut tips = Vec::new();
        for prefix in ["refs/heads/", "refs/tags/"] {
            for found in repo.refs_under(prefix)? {
                if let Peeled::Commit(commit) = peel(repo, found.id, &found.name)? {
                    tips.push(commit);
                }
            }
        }
        Ok(Self::with(repo, tips))
    }

    fn with(repo: &'a Repo, mut tips: Vec<CommitId>) -> Self {
        tips.sort();
        tips.dedup();
        Self { repo, tips }
    }
}

impl PushedObjects for Pushed<'_> {
    fn peel(&self, id: Oid) -> Result<Peeled> {
        peel(self.repo, id, &id.to_string())
    }

    fn remote_has(&self, commit: CommitId) -> Result<bool> {
        self.repo.is_in_any(commit, &self.tips)
    }
}

fn peel(repo: &Repo, id: Oid, name: &str) -> Result<Peeled> {
    match repo.peel_to_commit(id, name) {
        Ok(commit) => Ok(Peeled::Commit(commit)),
        Err(error) if error.kind == "not-a-commit" => Ok(Peeled::NotACommit),
        Err(error) => Err(error),
    }
}
