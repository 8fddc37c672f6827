//! `adopt`: record a rewrite that no hook saw, and what the post-rewrite hook records by itself.

use std::collections::BTreeSet;

use super::desk::Desk;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::hook::rewrite::{self, Rewrites};
use crate::model::event::{Rewrite, RewritePair};
use crate::model::ids::CommitId;
use crate::model::outcome::adopt::Adopted;
use crate::model::text::sanitise;

/// What became of what.
#[derive(Debug, Clone)]
pub enum Request {
    /// One commit became another; both as typed.
    Pair {
        /// The commit before the rewrite. By its full id it may be one that is not here.
        old: String,
        /// The commit that stands for it now.
        new: String,
    },
    /// Lines of `<old id> <new id>`, as git gives them to post-rewrite.
    Map(Vec<u8>),
}

/// Records the rewrites in one write. What is recorded already is not recorded again.
pub fn adopt(request: &Request) -> Result<Adopted> {
    let repo = Repo::open()?;
    let rewrites = match request {
        Request::Pair { old, new } => {
            let (old, new) = (former(&repo, old)?, repo.resolve(new)?);
            if old == new {
                return Err(Error::new(
                    "usage",
                    format!("{} is one commit, not two", old.short()),
                ));
            }
            Rewrites::from([(new, vec![old])])
        }
        Request::Map(bytes) => {
            let rewrites = rewrite::parse(bytes)?;
            if rewrites.is_empty() {
                return Err(Error::new("usage", "the map names no rewritten commit")
                    .hint("each line is the old id, a blank, and the new id, both in full"));
            }
            for (new, olds) in &rewrites {
                commit(&repo, *new)?;
                for old in olds {
                    former(&repo, &old.to_string())?;
                }
            }
            rewrites
        }
    };
    record(&Desk::open_to_write(&repo)?, rewrites)
}

/// Appends one `rewrite` event for each new commit that stands for an old one of which that is not known yet.
pub fn record(desk: &Desk<'_>, rewrites: Rewrites) -> Result<Adopted> {
    let mut adopted = Adopted {
        warnings: desk.put_back.clone(),
        ..Adopted::default()
    };
    let mut drafts = Vec::new();
    for (new, olds) in rewrites {
        let recorded: BTreeSet<(CommitId, CommitId)> =
            desk.ledger.records().rewrites(new)?.into_iter().collect();
        let mut pairs = Vec::new();
        for old in olds {
            if recorded.contains(&(new, old)) {
                adopted.known.push((old, new));
            } else {
                pairs.push(RewritePair { new, old });
                adopted.recorded.push((old, new));
            }
        }
        if !pairs.is_empty() {
            let subject = desk.subject(new)?;
            drafts.push((new, desk.draft(Vec::new(), subject, Rewrite { pairs })?));
        }
    }
    if !drafts.is_empty() {
        desk.ledger.write(drafts, "Record rewritten commits")?;
    }
    Ok(adopted)
}

/// The commit before a rewrite: after a while, and in other clones, it is known by its full id alone.
fn former(repo: &Repo, named: &str) -> Result<CommitId> {
    match named.parse::<CommitId>() {
        Ok(id) if !repo.id_fits(id.0) => Err(Error::new(
            "usage",
            format!("{} has the length of another hash", sanitise(named)),
        )),
        Ok(id) if repo.header(id.0)?.is_none() => Ok(id),
        _ => repo.resolve(named),
    }
}

/// The commit must be here: its tree and change go into the event.
fn commit(repo: &Repo, id: CommitId) -> Result<()> {
    if !repo.id_fits(id.0) {
        return Err(Error::new(
            "usage",
            format!("{id} has the length of another hash"),
        ));
    }
    repo.resolve(&id.to_string()).map(drop)
}
