//! What is known of remotes: the tips last fetched, and whether one was ever asked.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: the marks of the store"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use super::{Author, Store};
use crate::error::{Error, Result};
use crate::git::ref_move::{RefMove, Writers};
use crate::ledger::refs::NotesRef;
use crate::ledger::union::lines_of;
use crate::model::ids::{CommitId, Oid, TreeId, hex};

/// The most anchors that are listed of what a ref has lost.
const MAX_LISTED: usize = 5;

/// What the mark of a remote says when neither side had notes.
const NOTHING: &[u8] = b"asked, no notes\n";
/// What it says otherwise.
const FOUND: &[u8] = b"asked\n";

impl Store<'_> {
    /// Below which refs the notes of a remote are kept, without final slash.
    pub fn tracking(&self, remote: &str) -> String {
        format!("refs/review-gate/remotes/{}", self.remote_key(remote))
    }

    /// The tip of one ref as last fetched from a remote.
    pub fn tracked(&self, remote: &str, notes_ref: NotesRef) -> Result<Option<CommitId>> {
        self.repo
            .ref_commit(&format!("{}/{}", self.tracking(remote), notes_ref.as_str()))
    }

    /// Remembers what a remote has now, as a fetch would.
    pub fn set_tracked(
        &self,
        remote: &str,
        notes_ref: NotesRef,
        tip: CommitId,
        author: &Author,
    ) -> Result<()> {
        let ref_move = RefMove {
            name: &format!("{}/{}", self.tracking(remote), notes_ref.as_str()),
            from: self.tracked(remote, notes_ref)?,
            to: tip,
            who: &author.who,
            at: author.at,
            message: "review-gate: sync",
        };
        // Whoever moves it at the same time has talked to the remote as well.
        self.repo.move_ref(&ref_move, Writers::Many).map(drop)
    }

    /// Remembers that this remote was asked for its notes, and whether there were any in the end.
    pub fn mark_asked(&self, remote: &str) -> Result<()> {
        let text = if self.has_notes()? { FOUND } else { NOTHING };
        let path = self.mark_path(remote);
        let dir = path.parent().expect("a mark lies in a directory");
        fs::create_dir_all(dir)
            .and_then(|()| fs::write(&path, text))
            .map_err(|cause| {
                Error::new("io", "that the remote was asked cannot be remembered")
                    .because(format!("in {}", dir.display()))
                    .caused_by(&cause)
            })
    }

    /// The remotes whose branches are known here but that were never asked for notes, or had some, while there are none
    /// here: then the state of the ledger is not known. Empty in any other case.
    pub fn unasked_remotes(&self) -> Result<Vec<String>> {
        if self.has_notes()? {
            return Ok(Vec::new());
        }
        let mut unasked = Vec::new();
        for remote in self.repo.remotes() {
            // A mark that says there were notes does not vouch for there being none.
            if fs::read(self.mark_path(&remote)).ok().as_deref() != Some(NOTHING)
                && !self
                    .repo
                    .refs_under(&format!("refs/remotes/{remote}/"))?
                    .is_empty()
            {
                unasked.push(remote);
            }
        }
        Ok(unasked)
    }

    /// The name and the tip of a remote whose notes were fetched, where the local ref is gone altogether: deleted, or
    /// the first exchange was interrupted half way.
    pub(super) fn fetched_only(&self, notes_ref: NotesRef) -> Result<Option<(String, CommitId)>> {
        let all = "refs/review-gate/remotes/";
        for tracked in self.repo.refs_under(all)? {
            let remote = tracked
                .name
                .strip_prefix(all)
                .and_then(|name| name.strip_suffix(notes_ref.as_str())?.strip_suffix('/'));
            if let Some(remote) = remote {
                let tip = self.repo.peel_to_commit(tracked.id, &tracked.name)?;
                return Ok(Some((remote.to_owned(), tip)));
            }
        }
        Ok(None)
    }

    fn has_notes(&self) -> Result<bool> {
        for notes_ref in NotesRef::ALL {
            if self.repo.ref_target(&self.prefix.full(notes_ref))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What `now` lacks that `before` had, for people: how many lines, and on which objects. `None` when it is nothing.
    pub fn what_is_missing(&self, before: CommitId, now: Option<CommitId>) -> Result<Option<String>> {
        let missing = self.missing_lines(self.repo.notes_tree(Some(before))?, self.repo.notes_tree(now)?)?;
        let count: usize = missing.iter().map(|(_, count)| count).sum();
        if count == 0 {
            return Ok(None);
        }
        let mut anchors: Vec<_> = missing
            .iter()
            .take(MAX_LISTED)
            .map(|(anchor, _)| anchor.short())
            .collect();
        if missing.len() > MAX_LISTED {
            anchors.push(format!("{} more", missing.len() - MAX_LISTED));
        }
        let events = if count == 1 { "event" } else { "events" };
        Ok(Some(format!("{count} {events} on {}", anchors.join(", "))))
    }

    /// Whether `now` lacks a line that `before` had.
    pub(super) fn has_lost(&self, before: CommitId, now: CommitId) -> Result<bool> {
        let [before, now] = [before, now].map(|tip| self.repo.notes_tree(Some(tip)));
        Ok(!self.missing_lines(before?, now?)?.is_empty())
    }

    /// How many lines each note of `before` has that `now` has not.
    fn missing_lines(&self, before: TreeId, now: TreeId) -> Result<Vec<(Oid, usize)>> {
        let changes = self.repo.notes_diff(before, now)?;
        let missing = self.repo.in_parallel(&changes, |repo, change| {
            let mut kept = BTreeSet::new();
            for blob in &change.after {
                kept.extend(lines_of(&repo.whole_blob(*blob)?).map(<[u8]>::to_vec));
            }
            let mut count = 0;
            for blob in &change.before {
                count += lines_of(&repo.whole_blob(*blob)?)
                    .filter(|line| !kept.contains(*line))
                    .count();
            }
            Ok((change.anchor, count))
        })?;
        Ok(missing.into_iter().filter(|(_, count)| *count > 0).collect())
    }

    fn mark_path(&self, remote: &str) -> PathBuf {
        self.dir()
            .join("asked")
            .join(self.remote_key(remote).replace('/', "%2f"))
    }

    /// The name of a configured remote; an address has none and gets one.
    fn remote_key(&self, remote: &str) -> String {
        if self.repo.remotes().iter().any(|name| name == remote) {
            remote.to_owned()
        } else {
            format!("url-{}", &hex(&Sha256::digest(remote))[..16])
        }
    }
}
