//! The ledger of one repository as use cases see it: events looked up by what links them, read, and written.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::clock;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::notes::Note;
use crate::ledger::codec;
use crate::ledger::finding::{self, ReferenceError};
use crate::ledger::note::{self, MAX_NOTE};
use crate::ledger::records::MemoryRecords;
use crate::ledger::refs::{Addition, NotesRef, Prefix};
use crate::ledger::store::{Author, Store, Written};
use crate::ledger::view::{Record, Records};
use crate::model::event::{Body, EventDraft};
use crate::model::ids::{CommitId, FindingId, Oid, TreeId};
use crate::model::text::sanitise;

pub use crate::model::outcome::log::Entry as Anchored;

/// The refs that findings and reviews are read from.
const READ: [NotesRef; 2] = [NotesRef::Reviews, NotesRef::Findings];

/// The ledger of one repository, as it was when it was opened.
pub struct Ledger {
    repo: Repo,
    prefix: Prefix,
    /// The notes tree of each ref that is read.
    trees: Vec<(NotesRef, TreeId)>,
    scan: OnceCell<Scan>,
}

/// Everything in the notes, read once.
struct Scan {
    records: MemoryRecords,
    unreadable: BTreeMap<CommitId, Error>,
}

impl Ledger {
    /// Opens the ledger; events that an interrupted command left behind are written first.
    pub fn open(repo: &Repo, prefix: &str) -> Result<Self> {
        let prefix = Prefix::new(prefix)?;
        let store = Store::new(repo, prefix.clone());
        if store.has_abandoned()? {
            store.recover(&author(repo)?)?;
        }
        let mut trees = Vec::new();
        for notes_ref in READ {
            let tip = repo.ref_commit(&prefix.full(notes_ref))?;
            trees.push((notes_ref, repo.notes_tree(tip)?));
        }
        Ok(Self {
            repo: repo.clone(),
            prefix,
            trees,
            scan: OnceCell::new(),
        })
    }

    /// The events by what links them.
    pub fn records(&self) -> Result<&dyn Records> {
        Ok(&self.scan()?.records)
    }

    fn scan(&self) -> Result<&Scan> {
        if let Some(scan) = self.scan.get() {
            return Ok(scan);
        }
        let mut records = Vec::new();
        let mut unreadable = BTreeMap::new();
        for (notes_ref, tree) in &self.trees {
            for entry in self.repo.notes(*tree)? {
                match self.read_note(*notes_ref, &entry)? {
                    Ok(events) => records.extend(events.iter().map(|one| Record::of(&one.event, one.anchor))),
                    Err((events, error)) => {
                        records.extend(events.iter().map(|one| Record::of(&one.event, one.anchor)));
                        unreadable.insert(CommitId(entry.anchor), error);
                    }
                }
            }
        }
        let records = MemoryRecords::new(records, unreadable.keys().copied().collect());
        Ok(self.scan.get_or_init(|| Scan { records, unreadable }))
    }

    /// The events of the notes on these objects, in both refs. What cannot be read is left out here and is in
    /// [`Records::unreadable`].
    pub fn read(&self, anchors: &BTreeSet<CommitId>) -> Result<Vec<Anchored>> {
        let mut events = Vec::new();
        for (notes_ref, tree) in &self.trees {
            for anchor in anchors {
                if let Some(blob) = self.repo.note(*tree, anchor.0)? {
                    let entry = Note {
                        anchor: anchor.0,
                        blob,
                    };
                    match self.read_note(*notes_ref, &entry)? {
                        Ok(more) | Err((more, _)) => events.extend(more),
                    }
                }
            }
        }
        Ok(events)
    }

    /// Every event of both refs.
    pub fn all(&self) -> Result<Vec<Anchored>> {
        let mut events = Vec::new();
        for (notes_ref, tree) in &self.trees {
            for entry in self.repo.notes(*tree)? {
                match self.read_note(*notes_ref, &entry)? {
                    Ok(more) | Err((more, _)) => events.extend(more),
                }
            }
        }
        Ok(events)
    }

    /// The events of a note; where it cannot be read whole, those that can, and why the rest cannot.
    #[expect(clippy::type_complexity, reason = "taken apart by its three callers at once")]
    fn read_note(
        &self,
        notes_ref: NotesRef,
        entry: &Note,
    ) -> Result<std::result::Result<Vec<Anchored>, (Vec<Anchored>, Error)>> {
        let anchor = CommitId(entry.anchor);
        let at = || {
            format!(
                "the note on {} in {}",
                entry.anchor,
                sanitise(&self.prefix.full(notes_ref))
            )
        };
        let fsck = "git review-gate fsck";
        let bytes = match self.repo.blob(entry.blob, MAX_NOTE as u64) {
            Ok(bytes) => bytes,
            Err(error) => {
                let error = Error::new("state-unreadable", format!("{} cannot be read", at()))
                    .caused_by(&error)
                    .hint(fsck);
                return Ok(Err((Vec::new(), error)));
            }
        };
        let read = match note::read(&bytes) {
            Ok(read) => read,
            Err(limit) => {
                let error = Error::new("state-unreadable", format!("{} is over a limit", at()))
                    .caused_by(&limit)
                    .hint(fsck);
                return Ok(Err((Vec::new(), error)));
            }
        };
        let fault = if let Some(line) = read.corrupt.first() {
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
            read.newer.first().map(|line| {
                Error::new("state-newer", format!("{} was written by a later version", at()))
                    .because(format!(
                        "line {} has version {}, this program knows 1",
                        line.number, line.v
                    ))
                    .hint("upgrade git-review-gate")
            })
        };
        let events = read
            .events
            .into_iter()
            .map(|event| Anchored { anchor, event })
            .collect();
        Ok(match fault {
            None => Ok(events),
            Some(error) => Err((events, error)),
        })
    }

    /// Why the note on this object cannot be read whole.
    pub fn why_unreadable(&self, anchor: CommitId) -> Result<Error> {
        let known = self.scan()?.unreadable.get(&anchor).cloned();
        Ok(known.unwrap_or_else(|| {
            Error::new("state-unreadable", format!("the note on {anchor} cannot be read"))
                .hint("git review-gate fsck")
        }))
    }

    /// The one finding that a reference names: `F-` and at least 4 hex digits, or the digits alone.
    pub fn find(&self, reference: &str) -> Result<FindingId> {
        let records = self.records()?;
        let known = match finding::digits(reference) {
            Some(digits) => records.findings(digits)?,
            None => Vec::new(),
        };
        finding::resolve(reference, known).map_err(|error| {
            let candidates = match &error {
                ReferenceError::Ambiguous(ids) => ids
                    .iter()
                    .map(super::super::model::ids::FindingId::to_hex)
                    .collect(),
                _ => Vec::new(),
            };
            error.explain(reference, candidates)
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

    /// Writes lines that are events already.
    pub fn add(&self, additions: Vec<Addition>, message: &str) -> Result<Written> {
        let store = Store::new(&self.repo, self.prefix.clone());
        store.write(additions, &author(&self.repo)?, message)
    }

    /// Where the notes refs lie.
    pub fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    /// Whether an object has a note in one of the refs that are read.
    pub fn has_note(&self, anchor: Oid) -> Result<bool> {
        for (_, tree) in &self.trees {
            if self.repo.note(*tree, anchor)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
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
