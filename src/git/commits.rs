//! What a commit says: parents, tree, author, and the digest that a rebase keeps.

use sha2::{Digest, Sha256};

use super::Repo;
use super::convert::from_gix;
use super::objects::{Kind, damaged, missing};
use crate::error::{Error, Result};
use crate::model::ids::{CommitId, TreeId};

/// What a commit says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The commit.
    pub id: CommitId,
    /// Its content.
    pub tree: TreeId,
    /// Its parents, as written in it: in a shallow clone they may not be here.
    pub parents: Vec<CommitId>,
    /// The author's name, as stored.
    pub author_name: Vec<u8>,
    /// The author's address, as stored.
    pub author_email: Vec<u8>,
    /// Seconds since the epoch and zone of authorship, as stored: `1700000000 +0100`.
    pub author_time: Vec<u8>,
    /// The committer's time in seconds since the epoch.
    pub commit_time: i64,
    /// The first line of the message, without its end.
    pub first_line: Vec<u8>,
}

impl Commit {
    /// SHA-256 of author name, email, time with zone and first line of the message, each ended by `\n`.
    ///
    /// An amend, a rebase or a cherry-pick keeps it, on any branch and in any clone.
    pub fn change(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        for part in [
            &self.author_name,
            &self.author_email,
            &self.author_time,
            &self.first_line,
        ] {
            digest.update(part);
            digest.update(b"\n");
        }
        digest.finalize().into()
    }
}

impl Repo {
    /// Reads one commit.
    pub fn commit(&self, id: CommitId) -> Result<Commit> {
        self.try_commit(id)?.ok_or_else(|| missing(id.0, Kind::Commit))
    }

    /// Reads one commit; `None` when it is not here.
    pub fn try_commit(&self, id: CommitId) -> Result<Option<Commit>> {
        let Some(data) = self.read(id.0, Kind::Commit)? else {
            return Ok(None);
        };
        let parsed = gix::objs::CommitRef::from_bytes(&data, self.gix.object_hash())
            .map_err(|cause| damaged(id.0, &cause))?;
        let author = parsed.author().map_err(|cause| damaged(id.0, &cause))?;
        let committer = parsed.committer().map_err(|cause| damaged(id.0, &cause))?;
        let first_line = parsed
            .message
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        Ok(Some(Commit {
            id,
            tree: TreeId(from_gix(&parsed.tree())),
            parents: parsed
                .parents()
                .map(|parent| CommitId(from_gix(&parent)))
                .collect(),
            author_name: author.name.to_vec(),
            author_email: author.email.to_vec(),
            author_time: author.time.as_bytes().to_vec(),
            commit_time: committer.seconds(),
            first_line: first_line.to_vec(),
        }))
    }

    /// The commits whose parents were cut off when this clone was made shallow; empty in a full clone. Sorted.
    pub fn shallow_commits(&self) -> Result<Vec<CommitId>> {
        let listed = self.gix.shallow_commits().map_err(|cause| {
            super::convert::error(
                "history-shallow",
                "the list of shallow commits cannot be read",
                &cause,
            )
            .hint("git fetch --unshallow")
        })?;
        let mut ids: Vec<_> = listed
            .iter()
            .flat_map(|list| list.iter())
            .map(|id| CommitId(from_gix(id)))
            .collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// Whether `id` is a commit that is here.
    pub fn has_commit(&self, id: CommitId) -> Result<bool> {
        Ok(matches!(self.header(id.0)?, Some((Kind::Commit, _))))
    }

    /// An error that names the commit where shallow history stops.
    pub(super) fn cut_off(&self, boundary: CommitId) -> Error {
        let missing = match self.try_commit(boundary) {
            Ok(Some(commit)) => commit
                .parents
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" and "),
            _ => "its parent".to_owned(),
        };
        Error::new("history-shallow", "history is cut off inside the range")
            .because(format!(
                "commit {missing} is missing, the shallow boundary is {boundary}"
            ))
            .hint("git fetch --unshallow")
    }
}
