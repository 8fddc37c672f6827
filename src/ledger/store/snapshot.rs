//! The ledger at one moment: the tips of the notes refs, read once.

use super::Store;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::notes::{Note, NoteChange};
use crate::ledger::note::{self, MAX_NOTE, OverLimit};
use crate::ledger::refs::NotesRef;
use crate::model::ids::{BlobId, CommitId, Oid, TreeId};
use crate::model::text::sanitise;

/// Tip and tree of each notes ref at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot<'r> {
    repo: &'r Repo,
    tips: [Option<CommitId>; 4],
}

/// What the note of one object holds.
#[derive(Debug, Clone, PartialEq)]
pub enum NoteState {
    /// Its lines, each an event or a fault.
    Read(note::Note),
    /// It is over a limit and not looked into.
    OverLimit(OverLimit),
}

impl<'r> Store<'r> {
    /// The ledger as it is now.
    ///
    /// A ref that lacks what it was seen to hold is an error of kind `notes-rewound`: the state is not known until
    /// `sync`, `fsck --repair` or any write has put it back.
    pub fn snapshot(&self) -> Result<Snapshot<'r>> {
        let mut tips = [None; 4];
        for (tip, notes_ref) in tips.iter_mut().zip(NotesRef::ALL) {
            let name = self.prefix.full(notes_ref);
            // The mark first: what a writer does in between then only makes the tip newer.
            let mark = self.repo.ref_commit(&notes_ref.seen())?;
            *tip = self.repo.ref_commit(&name)?;
            if mark != *tip
                && let Some(mark) = self.rolled_back(*tip, mark)?
            {
                return Err(Error::new(
                    "notes-rewound",
                    format!("{name} lacks events that it was seen to hold"),
                )
                .because(match tip {
                    Some(tip) => format!(
                        "it is at {}, which does not hold all of {}",
                        tip.short(),
                        mark.short()
                    ),
                    None => format!("it is gone, and was at {}", mark.short()),
                })
                .hint("git review-gate sync")
                .hint("git review-gate fsck --repair"));
            }
            if tip.is_none()
                && let Some((remote, _)) = self.fetched_only(notes_ref)?
            {
                return Err(Error::new(
                    "notes-rewound",
                    format!("{name} is gone, and {} had notes for it", sanitise(&remote)),
                )
                .hint("git review-gate sync")
                .hint("git review-gate fsck --repair"));
            }
        }
        Ok(Snapshot::new(self.repo, tips))
    }
}

impl<'r> Snapshot<'r> {
    /// A state given by the tips of the refs in the order of [`NotesRef::ALL`], such as those that are being pushed
    /// to a server and are not in place yet.
    pub const fn new(repo: &'r Repo, tips: [Option<CommitId>; 4]) -> Self {
        Self { repo, tips }
    }

    /// The tips, in the order of [`NotesRef::ALL`].
    pub const fn tips(&self) -> [Option<CommitId>; 4] {
        self.tips
    }

    /// The repository.
    pub const fn repo(&self) -> &'r Repo {
        self.repo
    }

    /// The tip of one ref.
    pub fn tip(&self, notes_ref: NotesRef) -> Option<CommitId> {
        let index = NotesRef::ALL.iter().position(|other| *other == notes_ref);
        self.tips[index.expect("every ref is among all of them")]
    }

    /// Whether there is no ledger at all: none of the refs exists.
    pub fn is_empty(&self) -> bool {
        self.tips.iter().all(Option::is_none)
    }

    /// The notes tree of one ref.
    pub fn tree(&self, notes_ref: NotesRef) -> Result<TreeId> {
        self.repo.notes_tree(self.tip(notes_ref))
    }

    /// All notes of one ref, sorted by the object they are about.
    pub fn notes(&self, notes_ref: NotesRef) -> Result<Vec<Note>> {
        self.repo.notes(self.tree(notes_ref)?)
    }

    /// How one ref differs from another state of it.
    pub fn changes_since(&self, notes_ref: NotesRef, tip: Option<CommitId>) -> Result<Vec<NoteChange>> {
        self.repo
            .notes_diff(self.repo.notes_tree(tip)?, self.tree(notes_ref)?)
    }

    /// The blob of the note on one object.
    pub fn blob(&self, notes_ref: NotesRef, anchor: Oid) -> Result<Option<BlobId>> {
        self.repo.note(self.tree(notes_ref)?, anchor)
    }

    /// What a note blob holds.
    pub fn read(&self, blob: BlobId) -> Result<NoteState> {
        read(self.repo, blob)
    }
}

/// Reads a note; one that is larger than the limit is not loaded.
pub fn read(repo: &Repo, blob: BlobId) -> Result<NoteState> {
    if let Some((_, size)) = repo.header(blob.0)?
        && size > MAX_NOTE as u64
    {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        return Ok(NoteState::OverLimit(OverLimit::Bytes(size)));
    }
    let text = repo.blob(blob, MAX_NOTE as u64)?;
    Ok(match note::read(&text) {
        Ok(note) => NoteState::Read(note),
        Err(over) => NoteState::OverLimit(over),
    })
}
