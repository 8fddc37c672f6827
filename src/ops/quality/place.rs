//! Which commit is judged, in which repository, if there is one.

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::refs::Head;
use crate::model::ids::CommitId;
use crate::model::policy::Policy;
use crate::model::text::sanitise;
use crate::ops::gate_base;

/// Where a report is made.
#[derive(Debug)]
pub struct Place {
    /// The repository; made-up evidence can be judged without one.
    pub repo: Option<Repo>,
    /// The judged commit.
    pub commit: Option<CommitId>,
}

impl Place {
    /// Finds the commit that is named, or HEAD. Outside of a repository there is none.
    pub fn find(named: Option<&str>) -> Result<Self> {
        let repo = match Repo::open() {
            Ok(repo) => repo,
            Err(error) if error.kind == "not-a-repository" && named.is_none() => {
                return Ok(Self {
                    repo: None,
                    commit: None,
                });
            }
            Err(error) => return Err(error),
        };
        let commit = match named {
            Some(revision) => Some(repo.resolve(revision)?),
            None => match repo.head()? {
                Head::Branch(_, commit) | Head::Detached(commit) => Some(commit),
                Head::Unborn(_) => None,
            },
        };
        Ok(Self {
            repo: Some(repo),
            commit,
        })
    }

    /// The repository, for what cannot do without.
    pub fn repo(&self) -> Result<&Repo> {
        self.repo.as_ref().ok_or_else(|| {
            Error::new(
                "not-a-repository",
                "not a git repository, nor any directory above it",
            )
            .hint("git init")
        })
    }

    /// The judged commit, for what cannot do without.
    pub fn commit(&self) -> Result<CommitId> {
        self.repo()?;
        self.commit
            .ok_or_else(|| Error::new("unborn-head", "HEAD has no commit yet").hint("git commit"))
    }

    /// The policy at the base of what is checked out; the built-in one without a commit.
    pub fn policy(&self) -> Result<Policy> {
        let Some(repo) = &self.repo else {
            return Ok(Policy::default());
        };
        let head = repo.head()?;
        let Some(commit) = head.commit() else {
            return Ok(Policy::default());
        };
        let asked = gate_base::Asked {
            head: commit,
            base: None,
            local_ref: head.ref_name(),
            target_ref: head.ref_name(),
        };
        Ok(gate_base::find(repo, &asked)?.policy)
    }

    /// Whether an id, whole or shortened, is that of the judged commit.
    pub fn binding(&self, head_sha: &str) -> Result<(), String> {
        match (&self.repo, self.commit) {
            (Some(repo), Some(judged)) => binding(repo, judged, head_sha),
            _ => Err("there is no commit that it could be bound to".to_owned()),
        }
    }
}

/// Whether an id, whole or shortened, is that of the judged commit. Only ids of commits count: a branch or a tag that
/// is called like one does not.
pub fn binding(repo: &Repo, judged: CommitId, head_sha: &str) -> Result<(), String> {
    let shown = sanitise(head_sha);
    let found = repo
        .commits_by_id(head_sha)
        .map_err(|error| format!("{shown} cannot be looked up: {error}"))?;
    match found.as_slice() {
        [one] if *one == judged => Ok(()),
        [_] => Err(format!("{shown} is another commit than the judged one, {judged}")),
        [] => Err(format!("{shown} is not the id of a commit in this repository")),
        several => Err(format!("{shown} is the beginning of {} commits", several.len())),
    }
}
