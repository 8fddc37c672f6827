//! Unites a notes ref with another history of it: that of a remote, or what it was seen to hold before.
#![expect(
    clippy::disallowed_methods,
    reason = "waiting for other writers is the task, with a limit that needs a clock"
)]

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use super::lock::{Turn, jitter};
use super::{Author, PATIENCE, Store, mark_move, race_lost};
use crate::error::Result;
use crate::git::batch::{Batch, NewCommit};
use crate::git::notes::Note;
use crate::git::ref_move::{Flush, Moved, RefMove, Writers};
use crate::ledger::refs::NotesRef;
use crate::ledger::union::{lines_of, union};
use crate::model::ids::{BlobId, CommitId, Oid, TreeId};

/// What uniting came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merged {
    /// Where the ref is now.
    pub tip: CommitId,
    /// Whether it moved.
    pub moved: bool,
    /// How many lines the ref did not have before.
    pub new_lines: usize,
    /// How many lines of the shared history the other side had dropped; they are kept.
    pub kept_lines: usize,
}

/// The notes of one object on three sides.
struct Sides {
    anchor: Oid,
    ours: Vec<BlobId>,
    theirs: Vec<BlobId>,
    base: Vec<BlobId>,
}

/// A united note.
struct United {
    anchor: Oid,
    /// The blob that holds exactly this text already, if one of the sides has it.
    blob: Option<BlobId>,
    text: Vec<u8>,
    new_lines: usize,
    kept_lines: usize,
}

impl Store<'_> {
    /// Brings one ref to hold every line that it and this other commit of notes hold, or ever held together.
    ///
    /// Moves on to the other commit where that is all there is to it; writes no commit where both sides have the
    /// same lines already.
    pub fn merge(
        &self,
        notes_ref: NotesRef,
        theirs: CommitId,
        author: &Author,
        message: &str,
    ) -> Result<Merged> {
        self.repo.refuse_read_only()?;
        let deadline = Instant::now() + PATIENCE;
        let turn = Turn::take(&self.dir(), deadline);
        let writers = if turn.is_some() {
            Writers::Alone
        } else {
            Writers::Many
        };
        self.merge_in_turn(notes_ref, theirs, author, message, writers, deadline)
    }

    /// The same for a caller who has taken a turn.
    pub(super) fn merge_in_turn(
        &self,
        notes_ref: NotesRef,
        theirs: CommitId,
        author: &Author,
        message: &str,
        writers: Writers,
        deadline: Instant,
    ) -> Result<Merged> {
        let name = self.prefix.full(notes_ref);
        let mut pause = Duration::from_millis(1);
        loop {
            // The mark first: what another writer does in between then only makes the tip newer.
            let mark = self.repo.ref_commit(&notes_ref.seen())?;
            let tip = self.repo.ref_commit(&name)?;
            let batch = Batch::new(self.repo);
            let mut merged = self.united(&batch, tip, theirs, author, message)?;
            if tip != Some(merged.tip) {
                let staged = self.repo.stage(merged.tip)?;
                let staged_mark = self.repo.stage(merged.tip)?;
                batch.flush_with(&[staged.file(), staged_mark.file()])?;
                let ref_move = RefMove {
                    name: &name,
                    from: tip,
                    to: merged.tip,
                    who: &author.who,
                    at: author.at,
                    message: &format!("notes: {message}"),
                };
                let moved = self.repo.move_staged(&ref_move, &staged, writers, Flush::Move)?;
                merged.moved = moved == Moved::Yes;
                if !merged.moved {
                    if Instant::now() >= deadline {
                        return Err(race_lost(&name));
                    }
                    thread::sleep(jitter(pause));
                    pause = (pause * 2).min(Duration::from_millis(50));
                    continue;
                }
                // A mark that is not contained says that the ref was moved back: only putting that back may move it on.
                // What the tip held is in the united commit, so a mark at the tip needs no second look.
                if mark == tip || self.rolled_back(Some(merged.tip), mark)?.is_none() {
                    let seen = notes_ref.seen();
                    let ref_move = mark_move(&seen, mark, merged.tip, author);
                    self.repo
                        .move_staged(&ref_move, &staged_mark, writers, Flush::Value)?;
                }
                return Ok(merged);
            }
            if self.rolled_back(Some(merged.tip), mark)?.is_none() {
                self.mark_seen(notes_ref, mark, Some(merged.tip), author, writers)?;
            }
            return Ok(merged);
        }
    }

    /// The commit that holds both sides: one of the two, or a new one in the batch.
    fn united(
        &self,
        batch: &Batch<'_>,
        tip: Option<CommitId>,
        theirs: CommitId,
        author: &Author,
        message: &str,
    ) -> Result<Merged> {
        let their_tree = self.repo.notes_tree(Some(theirs))?;
        let Some(tip) = tip else {
            let mut merged = stays(theirs);
            for note in self.repo.all_notes(their_tree)? {
                merged.new_lines += lines_of(&self.repo.whole_blob(note.blob)?).count();
            }
            return Ok(merged);
        };
        let is_older = self.repo.is_ancestor(theirs, tip)?;
        // A commit that took lines out does not win by being the later one.
        if is_older && !self.has_lost(theirs, tip)? {
            return Ok(stays(tip));
        }
        let base = if is_older {
            Some(theirs)
        } else {
            self.repo.merge_base(tip, theirs)?
        };
        let our_tree = self.repo.notes_tree(Some(tip))?;
        // Equal lines on two histories need no commit; on one history the longer of the two is the answer.
        if our_tree == their_tree && base != Some(tip) {
            return Ok(stays(tip));
        }
        let sides = self.sides(our_tree, their_tree, self.repo.notes_tree(base)?)?;
        let notes = self
            .repo
            .in_parallel(&sides, |repo, sides| unite(sides, |blob| repo.whole_blob(blob)))?;
        let mut merged = stays(tip);
        let mut edits = Vec::new();
        for note in notes {
            merged.new_lines += note.new_lines;
            merged.kept_lines += note.kept_lines;
            let blob = match note.blob {
                Some(blob) => blob,
                None => batch.blob(note.text)?,
            };
            edits.push(Note {
                anchor: note.anchor,
                blob,
            });
        }
        let tree = batch.notes(our_tree, &edits)?;
        merged.tip = if base == Some(tip) && tree == their_tree {
            theirs
        } else {
            batch.commit(&NewCommit {
                tree,
                parents: if is_older { vec![tip] } else { vec![tip, theirs] },
                who: &author.who,
                at: author.at,
                message,
            })?
        };
        Ok(merged)
    }

    /// The notes that differ from those of the base on either side.
    fn sides(&self, ours: TreeId, theirs: TreeId, base: TreeId) -> Result<Vec<Sides>> {
        let mut sides: BTreeMap<Oid, Sides> = BTreeMap::new();
        // The trees of the base are read for each side.
        let repo = self.repo.with_object_cache(32 << 20);
        for change in repo.notes_diff(base, ours)? {
            sides.insert(
                change.anchor,
                Sides {
                    anchor: change.anchor,
                    ours: change.after,
                    theirs: change.before.clone(),
                    base: change.before,
                },
            );
        }
        for change in repo.notes_diff(base, theirs)? {
            let side = sides.entry(change.anchor).or_insert_with(|| Sides {
                anchor: change.anchor,
                ours: change.before.clone(),
                theirs: Vec::new(),
                base: change.before,
            });
            side.theirs = change.after;
        }
        Ok(sides.into_values().collect())
    }
}

fn stays(tip: CommitId) -> Merged {
    Merged {
        tip,
        moved: false,
        new_lines: 0,
        kept_lines: 0,
    }
}

/// All lines of all sides.
fn unite(sides: &Sides, read: impl Fn(BlobId) -> Result<Vec<u8>>) -> Result<United> {
    let text = |blobs: &[BlobId]| -> Result<Vec<u8>> {
        if let [blob] = blobs {
            return read(*blob);
        }
        let texts = blobs.iter().map(|blob| read(*blob)).collect::<Result<Vec<_>>>()?;
        Ok(union(texts.iter().map(Vec::as_slice)))
    };
    let ours = text(&sides.ours)?;
    let theirs = if sides.theirs == sides.ours {
        ours.clone()
    } else {
        text(&sides.theirs)?
    };
    let base = if sides.base == sides.ours {
        ours.clone()
    } else if sides.base == sides.theirs {
        theirs.clone()
    } else {
        text(&sides.base)?
    };
    let united = union([&ours[..], &theirs, &base]);
    let count = |text: &[u8]| lines_of(text).count();
    let known = [(&sides.ours, &ours), (&sides.theirs, &theirs)];
    let blob = known.into_iter().find_map(|(blobs, text)| match blobs[..] {
        [blob] if *text == united => Some(blob),
        _ => None,
    });
    Ok(United {
        anchor: sides.anchor,
        blob,
        new_lines: count(&united).saturating_sub(count(&ours)),
        kept_lines: count(&union([&theirs[..], &base])).saturating_sub(count(&theirs)),
        text: united,
    })
}
