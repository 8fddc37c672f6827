//! The ledger of one repository as use cases see it: events looked up by what links them, read, and written.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::clock;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::codec;
use crate::ledger::finding::{self, ReferenceError};
use crate::ledger::index::Index;
use crate::ledger::refs::{Addition, NotesRef, Prefix};
use crate::ledger::store::snapshot::{NoteState, Snapshot};
use crate::ledger::store::{Author, Store, Written};
use crate::ledger::view::Records;
use crate::model::event::{Body, Event, EventDraft};
use crate::model::ids::{CommitId, EventId, FindingId};
use crate::model::text::sanitise;
use crate::review::registry::{self, Review};

pub use crate::model::outcome::log::Entry as Anchored;

/// The refs that findings and reviews are read from.
const READ: [NotesRef; 2] = [NotesRef::Reviews, NotesRef::Findings];

/// The most findings that are offered for a reference that names none or several.
const MAX_CANDIDATES: usize = 10;

/// The ledger of one repository, as it was when it was opened.
#[derive(Debug)]
pub struct Ledger<'r> {
    store: Store<'r>,
    index: Index<'r>,
}

/// What a note came to: its events, and why it could not be read whole, where that is so.
struct Read {
    events: Vec<Anchored>,
    fault: Option<Error>,
}

impl<'r> Ledger<'r> {
    /// Opens the ledger; events that an interrupted command left behind are written first.
    ///
    /// A ref that lacks what it was seen to hold is an error of kind `notes-rewound`.
    pub fn open(repo: &'r Repo, prefix: &str) -> Result<Self> {
        let store = Store::new(repo, Prefix::new(prefix)?);
        if store.has_abandoned()? {
            store.recover(&author(repo)?)?;
        }
        let index = Index::open(&store, &store.snapshot()?)?;
        Ok(Self { store, index })
    }

    /// Opens it as it will be when a push is accepted, whose refs by full name are `incoming`; writes nothing.
    pub fn open_received(
        repo: &'r Repo,
        prefix: &str,
        incoming: &BTreeMap<String, CommitId>,
    ) -> Result<Self> {
        let store = Store::new(repo, Prefix::new(prefix)?);
        if store.has_abandoned()? {
            return Err(Error::new(
                "state-unreadable",
                "events of an interrupted command wait to be written here",
            )
            .hint("in the repository that is pushed to: git review-gate fsck --repair"));
        }
        let mut tips = store.snapshot()?.tips();
        for (tip, notes_ref) in tips.iter_mut().zip(NotesRef::ALL) {
            if let Some(pushed) = incoming.get(&store.prefix().full(notes_ref)) {
                *tip = Some(*pushed);
            }
        }
        let index = Index::open(&store, &Snapshot::new(repo, tips))?;
        Ok(Self { store, index })
    }

    /// Opens it for a command that writes: what a ref was seen to hold and has lost is put back first, and said.
    pub fn open_to_write(repo: &'r Repo, prefix: &str) -> Result<(Self, Vec<String>)> {
        match Self::open(repo, prefix) {
            Err(error) if error.kind == "notes-rewound" => {
                let store = Store::new(repo, Prefix::new(prefix)?);
                let written = store.recover(&author(repo)?)?;
                Ok((Self::open(repo, prefix)?, written.warnings))
            }
            opened => Ok((opened?, Vec::new())),
        }
    }

    /// The ledger as it is now, after a write.
    pub fn renewed(self) -> Result<Self> {
        let index = Index::open_after(&self.index, &self.store, &self.store.snapshot()?)?;
        Ok(Self { index, ..self })
    }

    /// The events by what links them.
    pub fn records(&self) -> &dyn Records {
        &self.index
    }

    /// The events of the notes on these objects, in both refs. What cannot be read is left out here and is in
    /// [`Records::unreadable`].
    pub fn read(&self, anchors: &BTreeSet<CommitId>) -> Result<Vec<Anchored>> {
        let mut events = Vec::new();
        for anchor in anchors {
            for (notes_ref, _, state) in self.index.read_on(anchor.0)? {
                if READ.contains(&notes_ref) {
                    events.extend(self.judge_note(notes_ref, *anchor, state).events);
                }
            }
        }
        Ok(events)
    }

    /// The events of the note on this object in one ref; an error where it cannot be read whole.
    pub fn events_on(&self, notes_ref: NotesRef, anchor: CommitId) -> Result<Vec<Event>> {
        let mut events = Vec::new();
        for (of, _, state) in self.index.read_on(anchor.0)? {
            if of == notes_ref {
                let read = self.judge_note(of, anchor, state);
                if let Some(fault) = read.fault {
                    return Err(fault);
                }
                events.extend(read.events.into_iter().map(|anchored| anchored.event));
            }
        }
        Ok(events)
    }

    /// Every event about findings and reviews.
    pub fn all(&self) -> Result<Vec<Anchored>> {
        self.all_of(&READ)
    }

    /// Every event there is.
    pub fn trail(&self) -> Result<Vec<Anchored>> {
        self.all_of(&NotesRef::ALL)
    }

    fn all_of(&self, refs: &[NotesRef]) -> Result<Vec<Anchored>> {
        let snapshot = self.index.snapshot();
        let mut events = Vec::new();
        for notes_ref in refs {
            for note in snapshot.notes(*notes_ref)? {
                let state = Rc::new(snapshot.read(note.blob)?);
                events.extend(self.judge_note(*notes_ref, CommitId(note.anchor), state).events);
            }
        }
        Ok(events)
    }

    /// The events of a note, and why it could not be read whole.
    fn judge_note(&self, notes_ref: NotesRef, anchor: CommitId, state: Rc<NoteState>) -> Read {
        let at = || {
            format!(
                "the note on {anchor} in {}",
                sanitise(&self.store.prefix().full(notes_ref))
            )
        };
        let fsck = "git review-gate fsck";
        let note = match Rc::unwrap_or_clone(state) {
            NoteState::Read(note) => note,
            NoteState::OverLimit(limit) => {
                let fault = Error::new("state-unreadable", format!("{} is over a limit", at()))
                    .caused_by(&limit)
                    .hint(fsck);
                return Read {
                    events: Vec::new(),
                    fault: Some(fault),
                };
            }
        };
        let fault = if let Some(line) = note.corrupt.first() {
            Some(
                Error::new("state-unreadable", format!("{} is not a ledger event", at()))
                    .because(format!(
                        "line {}: {}",
                        line.number,
                        sanitise(&line.corrupt.to_string())
                    ))
                    .because(format!("it begins {}", line.shown))
                    .hint(fsck),
            )
        } else {
            note.newer.first().map(|line| {
                Error::new("state-newer", format!("{} was written by a later version", at()))
                    .because(format!(
                        "line {} has version {}, this program knows 1",
                        line.number, line.v
                    ))
                    .hint("upgrade git-review-gate")
            })
        };
        let events = note
            .events
            .into_iter()
            .map(|event| Anchored { anchor, event })
            .collect();
        Read { events, fault }
    }

    /// Why the note on this object cannot be read whole.
    pub fn why_unreadable(&self, anchor: CommitId) -> Result<Error> {
        for (notes_ref, blob, state) in self.index.read_on(anchor.0)? {
            if let Some(fault) = self.judge_note(notes_ref, anchor, state).fault {
                return Ok(fault.because(format!("blob {blob}")));
            }
        }
        Ok(
            Error::new("state-unreadable", format!("the note on {anchor} cannot be read"))
                .hint("git review-gate fsck"),
        )
    }

    /// The reviews with these ids; what is authorised counts only where `may_authorize` the author's address.
    pub fn reviews(&self, ids: &[String], may_authorize: impl Fn(&str) -> bool) -> Result<Vec<Review>> {
        let mut anchors = BTreeSet::new();
        for id in ids {
            let records = self.records().of_review(id)?;
            anchors.extend(records.iter().map(|record| record.anchor));
        }
        let events = self.read(&anchors)?;
        let events = events.iter().map(|anchored| &anchored.event);
        let mut reviews = registry::reviews(events, |by| may_authorize(&by.email));
        reviews.retain(|review| ids.iter().any(|id| id == review.id.as_str()));
        Ok(reviews)
    }

    /// What makes the whole ledger doubtful, whatever is read of it: each is a reason to be undecided.
    pub fn troubles(&self) -> Result<Vec<Error>> {
        // Where there are notes it is no matter who was asked for them.
        if !self.index.snapshot().is_empty() {
            return Ok(Vec::new());
        }
        let unasked = self.store.unasked_remotes()?;
        Ok(unasked
            .iter()
            .map(|remote| {
                let remote = sanitise(remote);
                Error::new(
                    "state-unknown",
                    format!("{remote} was never asked for its review notes"),
                )
                .hint(format!("git review-gate sync {remote}"))
            })
            .collect())
    }

    /// The one finding that a reference names (`F-` and at least 4 hex digits, or the digits alone), or why it names
    /// none, with those that could be meant.
    pub fn find(
        &self,
        reference: &str,
    ) -> Result<std::result::Result<FindingId, (ReferenceError, Vec<FindingId>)>> {
        let records = self.records();
        let digits = finding::digits(reference);
        let known = match digits {
            Some(digits) => records.findings(digits)?,
            None => Vec::new(),
        };
        Ok(match finding::resolve(reference, known) {
            Ok(id) => Ok(id),
            Err(ReferenceError::Ambiguous(ids)) => {
                let candidates = ids.iter().copied().take(MAX_CANDIDATES).collect();
                Err((ReferenceError::Ambiguous(ids), candidates))
            }
            Err(error) => {
                let mut candidates = Vec::new();
                // Those that begin most alike.
                for length in (0..digits.map_or(0, str::len)).rev() {
                    candidates = records.findings(&digits.unwrap_or_default()[..length])?;
                    if !candidates.is_empty() {
                        break;
                    }
                }
                candidates.truncate(MAX_CANDIDATES);
                Err((error, candidates))
            }
        })
    }

    /// Writes events, each into the note of its anchor: all of them or none.
    pub fn write(&self, drafts: Vec<(CommitId, EventDraft)>, message: &str) -> Result<Written> {
        let mut additions = Vec::new();
        for (anchor, draft) in drafts {
            let event = codec::encode(&draft)?;
            additions.push(Addition {
                notes_ref: home(&event.body),
                anchor: anchor.0,
                line: event.line,
            });
        }
        self.add(additions, message)
    }

    /// The id that an event will have, for another one that is written after it in the same write.
    pub fn id_of(&self, draft: &EventDraft) -> Result<EventId> {
        Ok(codec::encode(draft)?.id)
    }

    /// Writes lines that are events already.
    pub fn add(&self, additions: Vec<Addition>, message: &str) -> Result<Written> {
        self.store.write(additions, &author(self.store.repo())?, message)
    }

    /// Where the notes refs lie.
    pub fn prefix(&self) -> &Prefix {
        self.store.prefix()
    }

    /// The store beneath.
    pub fn store(&self) -> &Store<'r> {
        &self.store
    }
}

/// Who writes, and when.
pub fn author(repo: &Repo) -> Result<Author> {
    Ok(Author {
        who: repo.identity()?,
        at: clock::now().as_second(),
    })
}

/// The ref in which events of a kind live.
pub fn home(body: &Body) -> NotesRef {
    let kind = body.kind();
    if kind.starts_with("finding.") || kind == "origin.passed" {
        NotesRef::Findings
    } else if kind.starts_with("spec.") {
        NotesRef::Specs
    } else if kind.starts_with("quality.") {
        NotesRef::Quality
    } else {
        NotesRef::Reviews
    }
}
