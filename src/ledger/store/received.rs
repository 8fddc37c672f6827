//! Whether a notes ref may move as a push would have it: nothing may be lost, and nothing come that is no event.

use std::collections::BTreeSet;

use super::Store;
use crate::error::Result;
use crate::git::Repo;
use crate::git::notes::NoteChange;
use crate::ledger::note::{self, MAX_NOTE, Note};
use crate::ledger::union::lines_of;
use crate::model::canonical::digest_of;
use crate::model::ids::{CommitId, Digest};

/// The most notes that are named.
const LISTED: usize = 5;

impl Store<'_> {
    /// Why a notes ref may not move from `old` to `new`; empty where it may. An object that is not here is an error.
    pub fn objections(&self, old: Option<CommitId>, new: CommitId) -> Result<Vec<String>> {
        let changes = self
            .repo
            .notes_diff(self.repo.notes_tree(old)?, self.repo.notes_tree(Some(new))?)?;
        let found = self.repo.in_parallel(&changes, objections)?;
        let mut objections: Vec<String> = found.into_iter().flatten().collect();
        if let Some(more) = objections.len().checked_sub(LISTED).filter(|more| *more > 0) {
            objections.truncate(LISTED);
            objections.push(format!("{more} more of this kind"));
        }
        Ok(objections)
    }
}

/// What is wrong with how one note changes.
fn objections(repo: &Repo, change: &NoteChange) -> Result<Vec<String>> {
    let on = format!("the note on {}", change.anchor);
    let mut objections = Vec::new();
    let mut kept: BTreeSet<Vec<u8>> = BTreeSet::new();
    for blob in &change.before {
        kept.extend(lines_of(&repo.whole_blob(*blob)?).map(<[u8]>::to_vec));
    }
    if change.after.len() > 1 {
        objections.push(format!(
            "{on} stands in {} places of the tree",
            change.after.len()
        ));
    }
    let mut lost = kept.clone();
    for blob in &change.after {
        let text = match repo.blob(*blob, MAX_NOTE as u64) {
            Ok(text) => text,
            Err(error) if error.kind == "too-large" => {
                objections.push(format!("{on} has more than {MAX_NOTE} bytes"));
                return Ok(objections);
            }
            Err(error) => return Err(error),
        };
        for line in lines_of(&text) {
            lost.remove(line);
        }
        match note::read(&text) {
            Ok(note) => objections.extend(new_corrupt(&note, &kept).map(|why| format!("{on}, {why}"))),
            Err(over) => objections.push(format!("{on}: {over}")),
        }
    }
    match lost.len() {
        0 => {}
        1 => objections.push(format!("{on} loses 1 line")),
        lines => objections.push(format!("{on} loses {lines} lines")),
    }
    Ok(objections)
}

/// The corrupt lines that the push brings; what was here already stays as it is.
fn new_corrupt<'n>(note: &'n Note, kept: &BTreeSet<Vec<u8>>) -> impl Iterator<Item = String> + 'n {
    let known: BTreeSet<Digest> = kept.iter().map(|line| digest_of(&[line])).collect();
    let corrupt = note
        .corrupt
        .iter()
        .filter(move |line| !known.contains(&line.digest));
    corrupt.map(|line| format!("line {}: {}", line.number, line.corrupt))
}
