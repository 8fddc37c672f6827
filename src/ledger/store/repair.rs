//! Repairs of notes refs: what was lost comes back from history, what lies in two places comes together.
#![expect(
    clippy::disallowed_methods,
    reason = "waiting for other writers is the task, with a limit that needs a clock"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::lock::Turn;
use super::{Author, Lines, PATIENCE, Store, Writing, Written};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::batch::{Batch, NewCommit};
use crate::git::notes::Note;
use crate::git::ref_move::{Moved, RefMove, Writers};
use crate::ledger::refs::NotesRef;
use crate::ledger::union::{lines_of, union};
use crate::model::ids::{CommitId, Oid};

impl Store<'_> {
    /// By object, the lines that some commit of the history of `tip`, from `since` on, dropped, and that `now` lacks.
    pub fn lost_lines(&self, since: Option<CommitId>, tip: CommitId, now: CommitId) -> Result<Lines> {
        let commits = self.repo.commits_between(since, tip)?;
        let dropped = self
            .repo
            .in_parallel(&commits, |repo, commit| drops_of(repo, *commit))?;
        let mut lost: Lines = BTreeMap::new();
        for (anchor, lines) in dropped.into_iter().flatten() {
            lost.entry(anchor).or_default().extend(lines);
        }
        if lost.is_empty() {
            return Ok(lost);
        }
        for note in self.repo.all_notes(self.repo.notes_tree(Some(now))?)? {
            if let Some(lines) = lost.get_mut(&note.anchor) {
                let text = self.repo.blob(note.blob, u64::MAX)?;
                for line in lines_of(&text) {
                    lines.remove(line);
                }
            }
        }
        lost.retain(|_, lines| !lines.is_empty());
        Ok(lost)
    }

    /// Brings one ref to hold these lines, whatever their bytes, and everything that it was seen to hold.
    ///
    /// For lines that come from the history of the ref: no pending file is needed.
    pub fn restore(&self, notes_ref: NotesRef, lines: &Lines, author: &Author) -> Result<Written> {
        let deadline = Instant::now() + PATIENCE;
        let turn = Turn::take(&self.dir(), deadline);
        let writers = if turn.is_some() {
            Writers::Alone
        } else {
            Writers::Many
        };
        let mut written = Written::default();
        let writing = Writing {
            author,
            message: "Repair",
            writers,
            deadline,
            pending: None,
        };
        self.unite(notes_ref, lines, &writing, &mut written)?;
        Ok(written)
    }

    /// Writes the notes tree of a ref anew where one object has several notes in it: their lines become one note.
    ///
    /// Entries of the tree that are no notes do not survive this.
    pub fn join_double_notes(&self, notes_ref: NotesRef, author: &Author) -> Result<bool> {
        let deadline = Instant::now() + PATIENCE;
        let turn = Turn::take(&self.dir(), deadline);
        let writers = if turn.is_some() {
            Writers::Alone
        } else {
            Writers::Many
        };
        let name = self.prefix.full(notes_ref);
        let Some(tip) = self.repo.ref_commit(&name)? else {
            return Ok(false);
        };
        let notes = self.repo.all_notes(self.repo.notes_tree(Some(tip))?)?;
        let mut by_anchor: BTreeMap<Oid, Vec<Note>> = BTreeMap::new();
        for note in notes {
            by_anchor.entry(note.anchor).or_default().push(note);
        }
        if by_anchor.values().all(|notes| notes.len() == 1) {
            return Ok(false);
        }
        let batch = Batch::new(self.repo);
        let mut joined = Vec::new();
        for (anchor, notes) in by_anchor {
            let blob = if let [note] = notes[..] {
                note.blob
            } else {
                let texts = notes
                    .iter()
                    .map(|note| self.repo.whole_blob(note.blob))
                    .collect::<Result<Vec<_>>>()?;
                batch.blob(union(texts.iter().map(Vec::as_slice)))?
            };
            joined.push(Note { anchor, blob });
        }
        let tree = batch.notes(self.repo.empty_tree(), &joined)?;
        let commit = batch.commit(&NewCommit {
            tree,
            parents: vec![tip],
            who: &author.who,
            at: author.at,
            message: "Join the notes that one object had in two places",
        })?;
        batch.flush()?;
        let ref_move = RefMove {
            name: &name,
            from: Some(tip),
            to: commit,
            who: &author.who,
            at: author.at,
            message: "notes: repair",
        };
        match self.repo.move_ref(&ref_move, writers)? {
            Moved::Yes => {
                let mark = self.repo.ref_commit(&notes_ref.seen())?;
                self.mark_seen(notes_ref, mark, Some(commit), author, writers)?;
                Ok(true)
            }
            Moved::Lost => Err(
                Error::new("race-lost", format!("{name} was written by somebody else"))
                    .hint("git review-gate fsck --repair"),
            ),
        }
    }
}

/// By object, the lines that a parent of this commit had and that it lacks.
fn drops_of(repo: &Repo, commit: CommitId) -> Result<Lines> {
    let read = repo.commit(commit)?;
    let mut drops = Lines::new();
    for parent in read.parents {
        for change in repo.notes_diff(repo.notes_tree(Some(parent))?, read.tree)? {
            let text = |blobs: &[crate::model::ids::BlobId]| -> Result<Vec<u8>> {
                let texts = blobs
                    .iter()
                    .map(|blob| repo.whole_blob(*blob))
                    .collect::<Result<Vec<_>>>()?;
                Ok(union(texts.iter().map(Vec::as_slice)))
            };
            let (before, after) = (text(&change.before)?, text(&change.after)?);
            let kept: BTreeSet<&[u8]> = lines_of(&after).collect();
            let lines: BTreeSet<Box<[u8]>> = lines_of(&before)
                .filter(|line| !kept.contains(line))
                .map(Into::into)
                .collect();
            if !lines.is_empty() {
                drops.entry(change.anchor).or_default().extend(lines);
            }
        }
    }
    Ok(drops)
}
