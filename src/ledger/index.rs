//! Finds linked events without reading all notes: a cache on disk, never trusted over the refs.
//!
//! `<common dir>/review-gate/index` (see [`file`]) holds what links the events of every note, as of some tips of the
//! notes refs; `index.delta` holds the notes that changed since, so that one new finding does not rewrite the whole.
//! Both name the tips that they describe. When the refs are elsewhere by now, the notes trees are compared, equal
//! parts unread, and the changed notes are read. What is missing, damaged or of another form is built anew from the
//! refs; what cannot be written only costs time.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: the cache of the store"
)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use self::entry::{Entry, Input, Key, mix, put_id, put_option, put_part};
use self::file::{Base, Name, name_of};
use super::refs::NotesRef;
use super::store::Store;
use super::store::snapshot::{NoteState, Snapshot};
use super::view::{Record, Records, Role};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::ids::{BlobId, CommitId, Digest, EventId, FindingId, Oid, TreeId};

mod entry;
mod file;

/// So many changed notes are kept apart; more are worked into the base file.
const MAX_CHANGED: usize = 256;

/// So many notes that were read are kept.
const MAX_READ: usize = 8;

/// The first bytes of the delta; the last one is the version of its form.
const MAGIC: &[u8; 8] = b"rg-dlt\0\x01";

/// The linked events of a ledger at one moment.
#[derive(Debug)]
pub struct Index<'r> {
    repo: &'r Repo,
    tips: [Option<CommitId>; 4],
    dir: PathBuf,
    /// Stands for where the notes refs lie and how long ids are: another place is another index.
    place: u64,
    state: RefCell<State>,
    read: Rc<RefCell<HashMap<BlobId, Rc<NoteState>>>>,
}

/// The tips that a delta describes, and the notes that changed up to them.
type Delta = ([Option<CommitId>; 4], Vec<(Name, Option<Entry>)>);

/// The notes of a base file, as changed since.
#[derive(Debug, Default)]
struct State {
    base: Option<Base>,
    changed: BTreeMap<Name, Option<Rc<Entry>>>,
    by_key: HashMap<u64, Vec<Name>>,
}

impl<'r> Index<'r> {
    /// The index of the ledger at this moment, brought up to date.
    pub fn open(store: &Store<'r>, snapshot: &Snapshot<'_>) -> Result<Self> {
        Self::open_with(store, snapshot, Rc::default())
    }

    /// The same, after one of an earlier moment: the notes that were read then are not read again.
    pub fn open_after(earlier: &Self, store: &Store<'r>, snapshot: &Snapshot<'_>) -> Result<Self> {
        Self::open_with(store, snapshot, Rc::clone(&earlier.read))
    }

    fn open_with(
        store: &Store<'r>,
        snapshot: &Snapshot<'_>,
        read: Rc<RefCell<HashMap<BlobId, Rc<NoteState>>>>,
    ) -> Result<Self> {
        let repo = store.repo();
        let index = Self {
            dir: store.dir(),
            place: mix(repo.id_len() as u64, store.prefix().as_str().as_bytes()),
            state: RefCell::default(),
            repo,
            tips: snapshot.tips(),
            read,
        };
        let base = Base::open(&index.base_path(), index.place).ok();
        let mut tips = base.as_ref().map_or([None; 4], |base| base.tips);
        let mut state = State {
            base,
            ..State::default()
        };
        if let Some((delta_tips, changed)) = index.read_delta(state.base_id()) {
            tips = delta_tips;
            for (name, entry) in changed {
                state.change(name, entry);
            }
        }
        if tips != index.tips {
            match index.update(&mut state, tips) {
                // The old trees may be gone when the refs were moved back and git has cleaned up.
                Err(error) if error.kind == "missing-object" => index.rebuild(&mut state)?,
                other => other?,
            }
        }
        index.state.replace(state);
        Ok(index)
    }

    /// The moment that it describes.
    pub const fn snapshot(&self) -> Snapshot<'r> {
        Snapshot::new(self.repo, self.tips)
    }

    /// The notes on an object: in which ref, and their blobs.
    pub fn notes_on(&self, anchor: Oid) -> Result<Vec<(NotesRef, BlobId)>> {
        let mut notes: Vec<_> = self
            .find(Key::About(anchor))?
            .iter()
            .filter(|entry| entry.anchor == anchor)
            .map(|entry| (entry.notes_ref, entry.blob))
            .collect();
        notes.sort_unstable();
        Ok(notes)
    }

    /// What the notes on an object hold.
    pub fn read_on(&self, anchor: Oid) -> Result<Vec<(NotesRef, BlobId, Rc<NoteState>)>> {
        let notes = self.notes_on(anchor)?.into_iter();
        notes
            .map(|(notes_ref, blob)| Ok((notes_ref, blob, self.note(blob)?)))
            .collect()
    }

    /// What a note holds; a command looks at the note that it writes to several times.
    fn note(&self, blob: BlobId) -> Result<Rc<NoteState>> {
        if let Some(read) = self.read.borrow().get(&blob) {
            return Ok(Rc::clone(read));
        }
        let note = Rc::new(self.snapshot().read(blob)?);
        let mut read = self.read.borrow_mut();
        if read.len() < MAX_READ {
            read.insert(blob, Rc::clone(&note));
        }
        Ok(note)
    }

    /// The event of this id, as often as notes hold it.
    pub fn event(&self, id: EventId) -> Result<Vec<Record>> {
        self.records(Key::Event(id), |record| record.id == id)
    }

    /// The notes that cannot be read whole and that nothing sets aside.
    pub fn unreadable_notes(&self) -> Result<Vec<(NotesRef, Oid, BlobId)>> {
        let entries = self.with_base(|state| {
            let mut entries = match &state.base {
                Some(base) => state.unchanged(base.unreadable()?),
                None => Vec::new(),
            };
            let changed = state.changed.values().flatten();
            entries.extend(
                changed
                    .filter(|entry| !entry.whole)
                    .map(|entry| Entry::clone(entry)),
            );
            Ok(entries)
        })?;
        let mut notes = Vec::new();
        for entry in entries {
            let wanted = (entry.anchor, entry.blob);
            let discarding = self.find(Key::Discards(entry.anchor, entry.blob))?;
            let set_aside = discarding
                .iter()
                .any(|other| other.notes_ref == entry.notes_ref && other.discards.contains(&wanted));
            if !set_aside {
                notes.push((entry.notes_ref, entry.anchor, entry.blob));
            }
        }
        notes.sort_unstable();
        Ok(notes)
    }

    /// The notes that have this key, or one that looks alike.
    fn find(&self, key: Key<'_>) -> Result<Vec<Rc<Entry>>> {
        let hash = key.hash();
        self.with_base(|state| {
            let mut entries = match &state.base {
                Some(base) => state.still(base.find(hash)?),
                None => Vec::new(),
            };
            for name in state.by_key.get(&hash).into_iter().flatten() {
                entries.extend(state.changed.get(name).into_iter().flatten().map(Rc::clone));
            }
            Ok(entries)
        })
    }

    fn records(&self, key: Key<'_>, wanted: impl Fn(&Record) -> bool) -> Result<Vec<Record>> {
        let entries = self.find(key)?;
        // A note may hold thousands of events: only those that are wanted are copied.
        let records = entries.iter().flat_map(|entry| &entry.records);
        Ok(records.filter(|record| wanted(record)).cloned().collect())
    }

    /// Answers from the base file, or, when that turns out to be damaged, from one that is built anew.
    fn with_base<T>(&self, answer: impl Fn(&State) -> Result<T, file::Damaged>) -> Result<T> {
        if let Ok(found) = answer(&self.state.borrow()) {
            return Ok(found);
        }
        self.rebuild(&mut self.state.borrow_mut())?;
        answer(&self.state.borrow()).map_err(|_| {
            Error::new("io", "the index of the ledger cannot be read back")
                .because(self.base_path().display().to_string())
        })
    }

    /// Reads the notes in which the refs differ from these tips.
    fn update(&self, state: &mut State, tips: [Option<CommitId>; 4]) -> Result<()> {
        let mut wanted = Vec::new();
        for (notes_ref, tip) in NotesRef::ALL.into_iter().zip(tips) {
            for change in self.snapshot().changes_since(notes_ref, tip)? {
                match change.after[..] {
                    [] => state.change((notes_ref, change.anchor), None),
                    [blob] => wanted.push((notes_ref, change.anchor, blob)),
                    // The strict reader says what is wrong with it.
                    _ => self.snapshot().notes(notes_ref).map(drop)?,
                }
            }
        }
        for (name, entry) in self.read_entries(&wanted)? {
            state.change(name, Some(entry));
        }
        self.keep(state)
    }

    fn read_entries(&self, wanted: &[(NotesRef, Oid, BlobId)]) -> Result<Vec<(Name, Entry)>> {
        if wanted.len() <= MAX_READ {
            let entry = |(notes_ref, anchor, blob): &(NotesRef, Oid, BlobId)| {
                let state = self.note(*blob)?;
                Ok((
                    (*notes_ref, *anchor),
                    Entry::of(*notes_ref, *anchor, *blob, &state),
                ))
            };
            return wanted.iter().map(entry).collect();
        }
        self.snapshot()
            .repo()
            .in_parallel(wanted, |repo, (notes_ref, anchor, blob)| {
                let state = super::store::snapshot::read(repo, *blob)?;
                Ok((
                    (*notes_ref, *anchor),
                    Entry::of(*notes_ref, *anchor, *blob, &state),
                ))
            })
    }

    fn rebuild(&self, state: &mut State) -> Result<()> {
        *state = State::default();
        self.update(state, [None; 4])
    }

    /// Writes what has changed; a place that cannot be written to only costs time at the next opening.
    fn keep(&self, state: &mut State) -> Result<()> {
        if self.repo.is_read_only() {
            return Ok(());
        }
        if state.changed.len() <= MAX_CHANGED {
            // A delta of nothing but new notes needs no base.
            let delta = self.delta(state);
            let _ = file::replace(&self.delta_path(), &delta);
            return Ok(());
        }
        let kept = match &state.base {
            Some(base) => match base.entries() {
                Ok(entries) => state.unchanged(entries),
                Err(file::Damaged) => return self.rebuild(state),
            },
            None => Vec::new(),
        };
        let mut entries: Vec<&Entry> = kept
            .iter()
            .chain(state.changed.values().flatten().map(Rc::as_ref))
            .collect();
        entries.sort_unstable_by_key(|entry| name_of(entry));
        let written = file::write(&self.base_path(), self.place, self.tips, &entries);
        if written.is_ok()
            && let Ok(base) = Base::open(&self.base_path(), self.place)
        {
            // One that belongs to another base is not read in any case.
            let _ = fs::remove_file(self.delta_path());
            *state = State {
                base: Some(base),
                ..State::default()
            };
        }
        Ok(())
    }

    fn delta(&self, state: &State) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&state.base_id().to_le_bytes());
        out.extend_from_slice(&self.place.to_le_bytes());
        for tip in self.tips {
            put_option(&mut out, tip.as_ref(), |out, tip| put_id(out, tip.0));
        }
        let mut body = Vec::new();
        for ((notes_ref, anchor), entry) in &state.changed {
            body.clear();
            if let Some(entry) = entry {
                entry.encode(&mut body);
            }
            out.push(*notes_ref as u8);
            put_id(&mut out, *anchor);
            put_part(&mut out, &body);
        }
        let sum = mix(4, &out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// The delta on disk, if it belongs to this base; a damaged one counts as none.
    fn read_delta(&self, base: u64) -> Option<Delta> {
        let path = self.delta_path();
        if !file::is_ours(&path) {
            return None;
        }
        let bytes = fs::read(path).ok()?;
        let (bytes, sum) = bytes.split_last_chunk::<8>()?;
        if mix(4, bytes) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut input = Input(bytes.strip_prefix(MAGIC)?);
        if input.number()? != base || input.number()? != self.place {
            return None;
        }
        let mut tips = [None; 4];
        for tip in &mut tips {
            *tip = input.option(|input| input.id().map(CommitId))?;
        }
        let mut changed = Vec::new();
        while !input.0.is_empty() {
            let notes_ref = input.byte()?;
            let notes_ref = NotesRef::ALL
                .into_iter()
                .find(|known| *known as u8 == notes_ref)?;
            let anchor = input.id()?;
            let body = input.part()?;
            let entry = if body.is_empty() {
                None
            } else {
                Some(Entry::decode(body)?)
            };
            changed.push(((notes_ref, anchor), entry));
        }
        Some((tips, changed))
    }

    fn base_path(&self) -> PathBuf {
        self.dir.join("index")
    }

    fn delta_path(&self) -> PathBuf {
        self.dir.join("index.delta")
    }
}

impl State {
    /// The id of the base file; 0 stands for none.
    fn base_id(&self) -> u64 {
        self.base.as_ref().map_or(0, |base| base.id)
    }

    fn change(&mut self, name: Name, entry: Option<Entry>) {
        if let Some(Some(old)) = self.changed.remove(&name) {
            for hash in old.keys() {
                if let Some(names) = self.by_key.get_mut(&hash) {
                    names.retain(|other| *other != name);
                }
            }
        }
        for hash in entry.iter().flat_map(Entry::keys) {
            self.by_key.entry(hash).or_default().push(name);
        }
        self.changed.insert(name, entry.map(Rc::new));
    }

    /// The same of entries that are shared.
    fn still(&self, mut entries: Vec<Rc<Entry>>) -> Vec<Rc<Entry>> {
        entries.retain(|entry| !self.changed.contains_key(&name_of(entry).0));
        entries
    }

    /// Those of the base that nothing has replaced.
    fn unchanged(&self, mut entries: Vec<Entry>) -> Vec<Entry> {
        entries.retain(|entry| !self.changed.contains_key(&name_of(entry).0));
        entries
    }
}

impl Records for Index<'_> {
    fn about(&self, commit: CommitId) -> Result<Vec<Record>> {
        self.records(Key::About(commit.0), |record| {
            record.anchor == commit || record.commit == commit
        })
    }

    fn reviews_of(&self, branch: &str) -> Result<Vec<String>> {
        let opened = self.records(
            Key::Branch(branch),
            |record| matches!(&record.role, Role::ReviewOpened(other) if other == branch),
        )?;
        let reviews: BTreeSet<_> = opened.into_iter().filter_map(|record| record.review).collect();
        Ok(reviews.into_iter().collect())
    }

    fn of_review(&self, review: &str) -> Result<Vec<Record>> {
        self.records(Key::Review(review), |record| {
            record.review.as_deref() == Some(review)
        })
    }

    fn with_tree(&self, tree: TreeId) -> Result<Vec<Record>> {
        self.records(Key::Tree(tree.0), |record| record.tree == tree)
    }

    fn with_change(&self, change: Digest) -> Result<Vec<Record>> {
        self.records(Key::Change(change), |record| record.change == Some(change))
    }

    fn naming(&self, event: EventId) -> Result<Vec<Record>> {
        self.records(Key::Names(event), |record| match &record.role {
            Role::Answer { closes: named, .. } | Role::Names(named) => named.contains(&event),
            _ => false,
        })
    }

    fn of_finding(&self, finding: FindingId) -> Result<Vec<Record>> {
        self.records(
            Key::Finding(finding),
            |record| matches!(record.role, Role::Raised(other) | Role::Reopened(other) if other == finding),
        )
    }

    fn findings(&self, prefix: &str) -> Result<Vec<FindingId>> {
        let candidates = self.with_base(|state| {
            let mut found: BTreeSet<_> = match &state.base {
                Some(base) => base.findings(prefix)?.into_iter().collect(),
                None => BTreeSet::new(),
            };
            let changed = state
                .changed
                .values()
                .flatten()
                .flat_map(|entry| entry.findings());
            found.extend(changed.filter(|finding| finding.to_hex().starts_with(prefix)));
            Ok(found)
        })?;
        let mut findings = Vec::new();
        for finding in candidates {
            // The note of the base that knew it may have changed since.
            if !self.of_finding(finding)?.is_empty() {
                findings.push(finding);
            }
        }
        Ok(findings)
    }

    fn rewrites(&self, commit: CommitId) -> Result<Vec<(CommitId, CommitId)>> {
        let records = self.records(Key::Rewrite(commit.0), |_| true)?;
        let mut found = BTreeSet::new();
        for record in records {
            if let Role::Rewrite(pairs) = record.role {
                found.extend(
                    pairs
                        .into_iter()
                        .filter(|(new, old)| *new == commit || *old == commit),
                );
            }
        }
        Ok(found.into_iter().collect())
    }

    fn unreadable(&self) -> Result<Vec<CommitId>> {
        let mut anchors: Vec<_> = self
            .unreadable_notes()?
            .into_iter()
            .map(|(_, anchor, _)| CommitId(anchor))
            .collect();
        anchors.sort_unstable();
        anchors.dedup();
        Ok(anchors)
    }
}
