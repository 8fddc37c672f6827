//! Sets aside what cannot be read: a corrupt line by an event of its note, a note over a limit by one of the ref.

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::codec;
use crate::ledger::refs::{Addition, NotesRef};
use crate::ledger::store::Store;
use crate::ledger::store::snapshot::{NoteState, read};
use crate::model::event::{Body, EventDraft, LineDiscarded, NoteDiscarded, Person, Subject};
use crate::model::ids::{BlobId, CommitId, Digest, Oid};
use crate::model::text::sanitise;
use crate::ops::clock;
use crate::ops::ledger::author;

/// Writes the event that sets a corrupt line or a note aside.
pub(super) fn discard(store: &Store<'_>, digest: &str, reason: &str) -> Result<String> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Error::new("usage", "the reason is empty").hint("git review-gate fsck"));
    }
    let mut found: BTreeSet<(NotesRef, Oid, Target)> = BTreeSet::new();
    for notes_ref in NotesRef::ALL {
        let tip = store.repo().ref_commit(&store.prefix().full(notes_ref))?;
        for note in store.repo().all_notes(store.repo().notes_tree(tip)?)? {
            match read(store.repo(), note.blob)? {
                NoteState::Read(read) => found.extend(
                    read.corrupt
                        .iter()
                        .filter(|line| line.digest.to_hex().starts_with(digest))
                        .map(|line| (notes_ref, note.anchor, Target::Line(line.digest))),
                ),
                NoteState::OverLimit(_) if note.blob.to_hex().starts_with(digest) => {
                    found.insert((notes_ref, note.anchor, Target::Note(note.blob)));
                }
                NoteState::OverLimit(_) => {}
            }
        }
    }
    let targets: BTreeSet<Target> = found.iter().map(|(_, _, target)| *target).collect();
    if digest.len() < 4 || targets.len() != 1 {
        let message = if targets.len() > 1 { "more than one" } else { "no" };
        return Err(Error::new(
            "usage",
            format!(
                "{message} corrupt line or note over a limit has the digest {}",
                sanitise(digest)
            ),
        )
        .hint("git review-gate fsck"));
    }
    let author = author(store.repo())?;
    let mut additions = Vec::new();
    for (notes_ref, anchor, target) in &found {
        let (on, body) = match target {
            Target::Line(line) => (
                *anchor,
                Body::LineDiscarded(LineDiscarded {
                    line: *line,
                    reason: reason.to_owned(),
                }),
            ),
            // No line can be added to the note itself: the first commit of the ref's own history takes it.
            Target::Note(blob) => (
                root_of(store, *notes_ref)?.0,
                Body::NoteDiscarded(NoteDiscarded {
                    anchor: CommitId(*anchor),
                    blob: *blob,
                    reason: reason.to_owned(),
                }),
            ),
        };
        let event = codec::encode(&EventDraft {
            after: Vec::new(),
            at: clock::now().to_string(),
            by: Person {
                email: author.who.email.clone(),
                name: author.who.name.clone(),
            },
            subject: subject(store.repo(), CommitId(on))?,
            body,
        })?;
        additions.push(Addition {
            notes_ref: *notes_ref,
            anchor: on,
            line: event.line,
        });
    }
    let count = additions.len();
    store.write(additions, &author, "Set a corrupt line aside")?;
    Ok(format!("set aside in {count} notes: {}", sanitise(digest)))
}

/// What can be set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Line(Digest),
    Note(BlobId),
}

/// The oldest commit of a ref's history; of several, the one with the smallest id.
fn root_of(store: &Store<'_>, notes_ref: NotesRef) -> Result<CommitId> {
    let name = store.prefix().full(notes_ref);
    let tip = store
        .repo()
        .ref_commit(&name)?
        .ok_or_else(|| Error::new("io", format!("{name} is gone")).hint("git review-gate fsck"))?;
    let mut roots = BTreeSet::new();
    for commit in store.repo().commits_between(None, tip)? {
        if store.repo().commit(commit)?.parents.is_empty() {
            roots.insert(commit);
        }
    }
    Ok(roots
        .into_iter()
        .next()
        .expect("every history has a first commit"))
}

/// The subject of an event about an object: itself, as far as it is known here.
fn subject(repo: &Repo, commit: CommitId) -> Result<Subject> {
    let tree = match repo.header(commit.0)? {
        Some((crate::git::objects::Kind::Commit, _)) => repo.commit(commit)?.tree,
        _ => repo.empty_tree(),
    };
    Ok(Subject {
        base: commit,
        change: None,
        commit,
        tree,
    })
}
