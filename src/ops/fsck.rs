//! `fsck`: examines every line of every note, the history of each ref and what was left behind; repairs on request.

mod discard;

use std::collections::{BTreeSet, HashSet};

use self::discard::discard;
use super::gate_base;
use super::ledger::author;
use crate::error::Result;
use crate::git::Repo;
use crate::git::notes::Note;
use crate::ledger::codec::Reason;
use crate::ledger::refs::{NotesRef, Prefix};
use crate::ledger::store::Store;
use crate::ledger::store::pending::{self, Pending};
use crate::ledger::store::snapshot::{NoteState, read};
use crate::model::event::Body;
use crate::model::fsck::{Examined, Fault, FaultKind, FsckReport};
use crate::model::ids::{BlobId, CommitId, EventId, Oid};
use crate::model::policy::SyncPolicy;
use crate::model::text::sanitise;

/// The most faults that are listed.
const MAX_LISTED: usize = 1000;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Only look.
    Examine,
    /// Put back what is lost, then look.
    Repair,
    /// Set one corrupt line, or one note over a limit, aside, then look.
    Discard {
        /// SHA-256 of the line, or the id of the note's blob; a beginning of it that fits only one is enough.
        digest: String,
        /// Why.
        reason: String,
    },
}

/// Does it, in the repository here.
pub fn run(action: &Action) -> Result<FsckReport> {
    let repo = Repo::open()?;
    let head = repo.head()?;
    let policy = match head.commit() {
        Some(commit) => {
            let asked = gate_base::Asked {
                head: commit,
                base: None,
                local_ref: head.ref_name(),
                target_ref: head.ref_name(),
            };
            gate_base::find(&repo, &asked)?.policy.sync
        }
        None => SyncPolicy::default(),
    };
    fsck(&repo, Prefix::new(&policy.notes_prefix)?, action)
}

/// Does it, in this repository.
pub fn fsck(repo: &Repo, prefix: Prefix, action: &Action) -> Result<FsckReport> {
    let store = Store::new(repo, prefix);
    let repaired = match action {
        Action::Examine => Vec::new(),
        Action::Repair => repair(&store)?,
        Action::Discard { digest, reason } => vec![discard(&store, digest, reason)?],
    };
    let mut examination = Examination::new(&store);
    for notes_ref in NotesRef::ALL {
        examination.examine(notes_ref)?;
    }
    Ok(examination.finish(repaired))
}

/// What was seen so far.
struct Examination<'a> {
    store: &'a Store<'a>,
    refs: Vec<Examined>,
    faults: Vec<Fault>,
    known: HashSet<EventId>,
    /// Every mention of another event: who, where, and whether it must be there.
    mentions: Vec<(EventId, FaultKind, NotesRef, Oid)>,
    /// Notes over a limit, until all events are known that may set them aside.
    over: Vec<(NotesRef, Note, String)>,
    set_aside: BTreeSet<(NotesRef, Oid, BlobId)>,
}

/// A note as it is examined: where it stands, what it holds, and whether its object is here.
struct Looked {
    note: Note,
    state: NoteState,
    is_here: bool,
}

impl<'a> Examination<'a> {
    fn new(store: &'a Store<'a>) -> Self {
        Self {
            store,
            refs: Vec::new(),
            faults: Vec::new(),
            known: HashSet::new(),
            mentions: Vec::new(),
            over: Vec::new(),
            set_aside: BTreeSet::new(),
        }
    }

    fn say(
        &mut self,
        kind: FaultKind,
        notes_ref: NotesRef,
        anchor: Option<Oid>,
        message: impl Into<String>,
    ) -> &mut Fault {
        self.faults.push(Fault {
            gravity: kind.gravity(),
            kind,
            notes_ref: Some(self.store.prefix().full(notes_ref)),
            anchor: anchor.map(|anchor| anchor.to_hex()),
            line: None,
            digest: None,
            message: message.into(),
        });
        self.faults.last_mut().expect("one was pushed")
    }

    fn examine(&mut self, notes_ref: NotesRef) -> Result<()> {
        let repo = self.store.repo();
        let name = self.store.prefix().full(notes_ref);
        // The mark first: what another writer does in between then only makes the tip newer.
        let mark = repo.ref_commit(&notes_ref.seen())?;
        let tip = repo.ref_commit(&name)?;
        if let Some(mark) = self.store.rolled_back(tip, mark)?
            && let Some(missing) = self.store.what_is_missing(mark, tip)?
        {
            self.say(
                FaultKind::Rewound,
                notes_ref,
                None,
                format!("it was seen to hold {missing}"),
            );
        }
        let Some(tip) = tip else { return Ok(()) };
        let notes = repo.all_notes(repo.notes_tree(Some(tip))?)?;
        let looked = repo.in_parallel(&notes, |repo, note| {
            Ok(Looked {
                note: *note,
                state: read(repo, note.blob)?,
                is_here: repo.header(note.anchor)?.is_some(),
            })
        })?;
        let mut events = 0;
        for pair in notes.windows(2).filter(|pair| pair[0].anchor == pair[1].anchor) {
            self.say(
                FaultKind::DoubleNote,
                notes_ref,
                Some(pair[0].anchor),
                "two notes in one tree",
            );
        }
        for looked in looked {
            events += self.judge(notes_ref, looked);
        }
        self.history(notes_ref, tip)?;
        self.refs.push(Examined {
            name,
            commits: repo.commits_between(None, tip)?.len(),
            notes: notes.len(),
            events,
        });
        Ok(())
    }

    /// One note; gives the number of its events.
    fn judge(&mut self, notes_ref: NotesRef, looked: Looked) -> usize {
        let anchor = Some(looked.note.anchor);
        if !looked.is_here {
            self.say(
                FaultKind::MissingAnchor,
                notes_ref,
                anchor,
                "the object is not in this clone",
            );
        }
        let note = match looked.state {
            NoteState::Read(note) => note,
            NoteState::OverLimit(limit) => {
                self.over.push((notes_ref, looked.note, limit.to_string()));
                return 0;
            }
        };
        for line in &note.corrupt {
            let message = format!("{}, it begins {}", line.corrupt, line.shown);
            let fault = self.say(FaultKind::CorruptLine, notes_ref, anchor, message);
            fault.line = Some(line.number);
            fault.digest = Some(line.digest.to_hex());
        }
        for line in &note.newer {
            let message = format!("version {}, this program knows 1", line.v);
            self.say(FaultKind::NewerLine, notes_ref, anchor, message).line = Some(line.number);
        }
        for line in &note.discarded {
            self.say(
                FaultKind::Discarded,
                notes_ref,
                anchor,
                "a corrupt line is set aside",
            )
            .line = Some(line.number);
        }
        if let Some(first) = note.unsorted.first() {
            let message = format!("{} lines out of order or repeated", note.unsorted.len());
            self.say(FaultKind::Unsorted, notes_ref, anchor, message).line = Some(*first);
        }
        let count = note.events.len();
        for event in note.events {
            self.known.insert(event.id);
            let mut mention = |ids: &[EventId], kind| {
                let mentions = ids.iter().map(|id| (*id, kind, notes_ref, looked.note.anchor));
                self.mentions.extend(mentions);
            };
            mention(&event.after, FaultKind::MissingAfter);
            match &event.body {
                Body::Resolved(body) => mention(&body.closes, FaultKind::Dangling),
                Body::Waived(body) => mention(&body.closes, FaultKind::Dangling),
                Body::Verified(body) => mention(&body.confirms, FaultKind::Dangling),
                Body::OriginPassed(body) => mention(&body.confirms, FaultKind::Dangling),
                Body::NoteDiscarded(body) => {
                    self.set_aside.insert((notes_ref, body.anchor.0, body.blob));
                }
                _ => {}
            }
        }
        count
    }

    /// Lines that the history of a ref had and that its tip has not.
    fn history(&mut self, notes_ref: NotesRef, tip: CommitId) -> Result<()> {
        for (anchor, lines) in self.store.lost_lines(None, tip, tip)? {
            let message = format!("{} lines that its history had are not in the note", lines.len());
            self.say(FaultKind::LostLines, notes_ref, Some(anchor), message);
        }
        Ok(())
    }

    fn finish(mut self, repaired: Vec<String>) -> FsckReport {
        for (id, kind, notes_ref, anchor) in std::mem::take(&mut self.mentions) {
            if !self.known.contains(&id) {
                let what = if kind == FaultKind::Dangling {
                    "answers"
                } else {
                    "follows"
                };
                self.say(
                    kind,
                    notes_ref,
                    Some(anchor),
                    format!("an event {what} {id}, which is nowhere"),
                );
            }
        }
        for (notes_ref, note, message) in std::mem::take(&mut self.over) {
            if self.set_aside.contains(&(notes_ref, note.anchor, note.blob)) {
                self.say(
                    FaultKind::Discarded,
                    notes_ref,
                    Some(note.anchor),
                    "the note is set aside",
                );
            } else {
                let fault = self.say(FaultKind::OverLimit, notes_ref, Some(note.anchor), message);
                fault.digest = Some(note.blob.to_hex());
            }
        }
        if let Err(error) = Pending::abandoned(&self.store.dir().join("pending")) {
            self.faults.push(Fault {
                gravity: FaultKind::Pending.gravity(),
                kind: FaultKind::Pending,
                notes_ref: None,
                anchor: None,
                line: None,
                digest: None,
                message: error.to_string(),
            });
        }
        self.faults.sort();
        let omitted = self.faults.len().saturating_sub(MAX_LISTED);
        self.faults.truncate(MAX_LISTED);
        FsckReport {
            schema: "review-gate/fsck",
            version: 1,
            refs: self.refs,
            faults: self.faults,
            omitted,
            repaired,
        }
    }
}

/// Puts back what can be; says what was done.
fn repair(store: &Store<'_>) -> Result<Vec<String>> {
    let author = author(store.repo())?;
    let mut done = Vec::new();
    let dir = store.dir().join("pending");
    while let Err(error) = Pending::abandoned(&dir) {
        let Some(path) = pending::damaged(&dir)? else {
            return Err(error);
        };
        let whole = pending::salvage(&path)?;
        done.push(format!(
            "{} of an interrupted command is set aside, {} whole events of it are written",
            sanitise(&path.to_string_lossy()),
            whole.len()
        ));
        store.write(whole, &author, "Write events of an interrupted command")?;
    }
    for notes_ref in NotesRef::ALL {
        if store.join_double_notes(notes_ref, &author)? {
            done.push(format!("{}: joined double notes", store.prefix().full(notes_ref)));
        }
    }
    let recovered = store.recover(&author)?;
    done.extend(recovered.warnings);
    if recovered.recovered > 0 {
        done.push(format!(
            "wrote {} events of interrupted commands",
            recovered.recovered
        ));
    }
    for notes_ref in NotesRef::ALL {
        let name = store.prefix().full(notes_ref);
        let Some(tip) = store.repo().ref_commit(&name)? else {
            continue;
        };
        let mut lines = store.lost_lines(None, tip, tip)?;
        let lost: usize = lines.values().map(BTreeSet::len).sum();
        let notes = store.repo().all_notes(store.repo().notes_tree(Some(tip))?)?;
        let unended = store.repo().in_parallel(&notes, |repo, note| {
            Ok(is_whole_but_its_end(&read(repo, note.blob)?).then_some(note.anchor))
        })?;
        let unended: Vec<_> = unended.into_iter().flatten().collect();
        for anchor in &unended {
            // Uniting with nothing ends the last line.
            lines.entry(*anchor).or_default();
        }
        if lines.is_empty() {
            continue;
        }
        store.restore(notes_ref, &lines, &author)?;
        if lost > 0 {
            done.push(format!("{name}: put back {lost} lines from its history"));
        }
        if !unended.is_empty() {
            done.push(format!("{name}: ended the last line of {} notes", unended.len()));
        }
    }
    Ok(done)
}

/// Whether all that is wrong with a note is that its last line, an event, has no line feed.
fn is_whole_but_its_end(state: &NoteState) -> bool {
    match state {
        NoteState::Read(note) => note
            .corrupt
            .iter()
            .any(|line| line.corrupt.reason == Reason::Unterminated),
        NoteState::OverLimit(_) => false,
    }
}
