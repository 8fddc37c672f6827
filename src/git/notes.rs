//! Notes trees: read at any fan-out, compared without reading equal parts, written as `git notes` writes them.

use std::collections::BTreeMap;

use gix::note::plumbing::State;

use super::Repo;
use super::batch::Batch;
use super::convert::{error, from_gix, to_gix};
use super::objects::{Kind, damaged, missing};
use crate::error::{Error, Result};
use crate::model::ids::{BlobId, CommitId, Oid, TreeId};

/// The most notes and directories that are read from one tree; real ones have far fewer, hostile ones may be endless.
const MAX_ENTRIES: usize = 4_000_000;

/// One note: the object it is about and the blob that holds its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Note {
    /// The object the note is about.
    pub anchor: Oid,
    /// Its text.
    pub blob: BlobId,
}

/// How the note of one object differs between two trees. A damaged tree may hold several for one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteChange {
    /// The object the note is about.
    pub anchor: Oid,
    /// What the first tree holds.
    pub before: Vec<BlobId>,
    /// What the second tree holds.
    pub after: Vec<BlobId>,
}

/// An entry of a notes tree that belongs to the notes.
enum Entry {
    Note(Note),
    /// The next byte of the anchors below, and the tree that holds them.
    Directory(u8, gix::ObjectId),
}

impl Repo {
    /// The notes tree of a notes commit; without one, the empty tree.
    pub fn notes_tree(&self, tip: Option<CommitId>) -> Result<TreeId> {
        tip.map_or_else(|| Ok(self.empty_tree()), |tip| Ok(self.commit(tip)?.tree))
    }

    /// All notes of a tree, sorted. The same object in two places of the tree stands there twice; see
    /// [`Repo::notes`] for the strict form.
    pub fn all_notes(&self, tree: TreeId) -> Result<Vec<Note>> {
        let mut notes = Vec::new();
        let mut budget = MAX_ENTRIES;
        if tree != self.empty_tree() {
            self.collect(to_gix(tree.0), &mut Vec::new(), &mut notes, &mut budget)?;
        }
        notes.sort_unstable();
        Ok(notes)
    }

    /// All notes of a tree, sorted, each object once. An object in two places is an error of kind `notes-fault`.
    pub fn notes(&self, tree: TreeId) -> Result<Vec<Note>> {
        let notes = self.all_notes(tree)?;
        match notes.windows(2).find(|pair| pair[0].anchor == pair[1].anchor) {
            Some(pair) => Err(twice(pair[0].anchor)),
            None => Ok(notes),
        }
    }

    /// The note of one object; reads only the directories on its way. Two of them are an error of kind `notes-fault`.
    pub fn note(&self, tree: TreeId, anchor: Oid) -> Result<Option<BlobId>> {
        let mut found = Vec::new();
        let mut place = (tree != self.empty_tree()).then(|| to_gix(tree.0));
        let mut depth = 0;
        while let Some(tree) = place.take() {
            let wanted = &anchor.as_bytes()[..depth];
            self.each_entry(tree, wanted, &mut |entry| match entry {
                Entry::Note(note) if note.anchor == anchor => found.push(note.blob),
                Entry::Directory(byte, id) if anchor.as_bytes().get(depth) == Some(&byte) => place = Some(id),
                _ => {}
            })?;
            depth += 1;
        }
        match found[..] {
            [] => Ok(None),
            [blob] => Ok(Some(blob)),
            _ => Err(twice(anchor)),
        }
    }

    /// The notes in which two trees differ, sorted by object. Equal directories are not read.
    pub fn notes_diff(&self, before: TreeId, after: TreeId) -> Result<Vec<NoteChange>> {
        let mut sides = [Vec::new(), Vec::new()];
        let mut budget = MAX_ENTRIES;
        if before != after {
            let roots = [before, after].map(|tree| (tree != self.empty_tree()).then(|| to_gix(tree.0)));
            self.diff(roots, &mut Vec::new(), &mut sides, &mut budget)?;
        }
        let mut changes: BTreeMap<Oid, [Vec<BlobId>; 2]> = BTreeMap::new();
        for (index, side) in sides.into_iter().enumerate() {
            for note in side {
                changes.entry(note.anchor).or_default()[index].push(note.blob);
            }
        }
        Ok(changes
            .into_iter()
            .filter_map(|(anchor, [mut before, mut after])| {
                before.sort_unstable();
                after.sort_unstable();
                // A note that only moved to another directory is not a change.
                (before != after).then_some(NoteChange {
                    anchor,
                    before,
                    after,
                })
            })
            .collect())
    }

    fn diff(
        &self,
        trees: [Option<gix::ObjectId>; 2],
        prefix: &mut Vec<u8>,
        sides: &mut [Vec<Note>; 2],
        budget: &mut usize,
    ) -> Result<()> {
        let mut directories: BTreeMap<u8, [Vec<gix::ObjectId>; 2]> = BTreeMap::new();
        for (index, tree) in trees.iter().enumerate() {
            let Some(tree) = tree else { continue };
            let before = sides[index].len();
            self.each_entry(*tree, prefix, &mut |entry| match entry {
                Entry::Note(note) => sides[index].push(note),
                Entry::Directory(byte, id) => directories.entry(byte).or_default()[index].push(id),
            })?;
            spend(budget, 1 + sides[index].len() - before)?;
        }
        for (byte, [before, after]) in directories {
            if before == after {
                continue;
            }
            prefix.push(byte);
            if let ([before], [after]) = (&before[..], &after[..]) {
                self.diff([Some(*before), Some(*after)], prefix, sides, budget)?;
            } else {
                for (index, trees) in [before, after].into_iter().enumerate() {
                    for tree in trees {
                        self.collect(tree, prefix, &mut sides[index], budget)?;
                    }
                }
            }
            prefix.pop();
        }
        Ok(())
    }

    /// Adds all notes below a tree whose anchors start with `prefix`.
    fn collect(
        &self,
        tree: gix::ObjectId,
        prefix: &mut Vec<u8>,
        notes: &mut Vec<Note>,
        budget: &mut usize,
    ) -> Result<()> {
        let mut directories = Vec::new();
        let before = notes.len();
        self.each_entry(tree, prefix, &mut |entry| match entry {
            Entry::Note(note) => notes.push(note),
            Entry::Directory(byte, id) => directories.push((byte, id)),
        })?;
        spend(budget, 1 + notes.len() - before)?;
        for (byte, id) in directories {
            prefix.push(byte);
            self.collect(id, prefix, notes, budget)?;
            prefix.pop();
        }
        Ok(())
    }

    /// Calls `each` for what belongs to the notes in one tree; everything else there is left alone, as git does.
    fn each_entry(&self, tree: gix::ObjectId, prefix: &[u8], each: &mut dyn FnMut(Entry)) -> Result<()> {
        let id = from_gix(&tree);
        let data = self
            .read(id, Kind::Tree)?
            .ok_or_else(|| missing(id, Kind::Tree))?;
        let id_len = self.gix.object_hash().len_in_bytes();
        let rest = id_len - prefix.len();
        let mut anchor = [0; 32];
        anchor[..prefix.len()].copy_from_slice(prefix);
        for entry in gix::objs::TreeRefIter::from_bytes(&data, self.gix.object_hash()) {
            let entry = entry.map_err(|cause| damaged(id, &cause))?;
            let name: &[u8] = entry.filename;
            if name.len() == rest * 2
                && entry.mode.is_blob()
                && unhex(name, &mut anchor[prefix.len()..id_len])
            {
                each(Entry::Note(Note {
                    anchor: Oid::from_bytes(&anchor[..id_len])
                        .expect("it has the length of this repository's ids"),
                    blob: BlobId(from_gix(entry.oid)),
                }));
            } else if name.len() == 2 && rest > 1 && entry.mode.is_tree() {
                let mut byte = [0];
                if unhex(name, &mut byte) {
                    each(Entry::Directory(byte[0], entry.oid.to_owned()));
                }
            }
        }
        Ok(())
    }
}

impl Batch<'_> {
    /// The notes of these objects, in their order. Directories on the way are read once, however many need them.
    pub fn find_notes(&self, tree: TreeId, anchors: &[Oid]) -> Result<Vec<Option<BlobId>>> {
        // For a few objects it is cheaper to look into the trees on their way than to load the tree as a whole.
        if anchors.len() <= 4 {
            return anchors
                .iter()
                .map(|anchor| self.repo.note(tree, *anchor))
                .collect();
        }
        let notes = self.repo.notes(tree)?;
        Ok(anchors
            .iter()
            .map(|anchor| {
                let index = notes.binary_search_by_key(anchor, |note| note.anchor).ok()?;
                Some(notes[index].blob)
            })
            .collect())
    }

    /// The tree in which each of these objects has this note instead of the one it had; all else as it was.
    ///
    /// Equal to what `git notes` would write, fan-out included.
    pub fn notes(&self, tree: TreeId, notes: &[Note]) -> Result<TreeId> {
        if notes.is_empty() {
            return Ok(tree);
        }
        let failed = |cause: &gix::Error| {
            let text = Error::new("", "").caused_by(cause).causes.join(" ");
            let fault = error("notes-fault", "the notes tree cannot be changed", cause);
            if text.contains("Multiple notes map to object") {
                fault
                    .because("one object has notes in two places of the tree, which git shows as one")
                    .hint("git review-gate fsck --repair")
            } else {
                fault.hint("git fsck")
            }
        };
        let mut state = State::new(to_gix(tree.0), self).map_err(|cause| failed(&cause))?;
        for note in notes {
            state
                .edit(to_gix(note.anchor), Some(to_gix(note.blob.0)), self)
                .map_err(|cause| failed(&cause))?;
        }
        let written = state.write(self).map_err(|cause| failed(&cause))?;
        Ok(TreeId(from_gix(&written)))
    }
}

fn twice(anchor: Oid) -> Error {
    Error::new(
        "notes-fault",
        format!("object {anchor} has two notes in one tree"),
    )
    .because("it stands in two directories of the notes tree, which git shows as one note")
    .hint("git review-gate fsck --repair")
}

fn spend(budget: &mut usize, cost: usize) -> Result<()> {
    *budget = budget.checked_sub(cost).ok_or_else(|| {
        Error::new(
            "too-large",
            format!("a notes tree has more than {MAX_ENTRIES} entries"),
        )
        .hint("git review-gate fsck")
    })?;
    Ok(())
}

/// Decodes hex digits of either case, as git does for names in notes trees.
fn unhex(text: &[u8], out: &mut [u8]) -> bool {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    for (out, pair) in out.iter_mut().zip(text.chunks_exact(2)) {
        let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else {
            return false;
        };
        *out = high << 4 | low;
    }
    true
}
