//! What the index keeps of one note: what links its events, in a compact form.

use crate::ledger::refs::NotesRef;
use crate::ledger::store::snapshot::NoteState;
use crate::ledger::view::{Record, Role};
use crate::model::event::Body;
use crate::model::ids::{BlobId, CommitId, Digest, EventId, FindingId, Oid, TreeId};

/// One note as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) notes_ref: NotesRef,
    pub(super) anchor: Oid,
    pub(super) blob: BlobId,
    /// Whether every line is an event, or set aside.
    pub(super) whole: bool,
    /// Notes over a limit that an event here sets aside.
    pub(super) discards: Vec<(Oid, BlobId)>,
    pub(super) records: Vec<Record>,
}

/// What an entry can be looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'a> {
    /// The object the note is on, or a commit that an event speaks of.
    About(Oid),
    /// The branch for which a review is opened.
    Branch(&'a str),
    Review(&'a str),
    Tree(Oid),
    Change(Digest),
    /// An event that an event names.
    Names(EventId),
    Finding(FindingId),
    /// Either side of a rewrite pair.
    Rewrite(Oid),
    /// A note that is set aside.
    Discards(Oid, BlobId),
    /// An event itself.
    Event(EventId),
}

impl Key<'_> {
    /// 64 bits that stand for the key in tables. Two keys may share them: what is found is compared with the key.
    pub(super) fn hash(&self) -> u64 {
        let (kind, parts): (u64, [&[u8]; 2]) = match self {
            Self::About(id) => (1, [id.as_bytes(), b""]),
            Self::Branch(name) => (2, [name.as_bytes(), b""]),
            Self::Review(name) => (3, [name.as_bytes(), b""]),
            Self::Tree(id) => (4, [id.as_bytes(), b""]),
            Self::Change(digest) => (5, [&digest.0, b""]),
            Self::Names(id) => (6, [&id.0, b""]),
            Self::Finding(id) => (7, [&id.0, b""]),
            Self::Rewrite(id) => (8, [id.as_bytes(), b""]),
            Self::Discards(anchor, blob) => (9, [anchor.as_bytes(), blob.as_bytes()]),
            Self::Event(id) => (10, [&id.0, b""]),
        };
        mix(mix(kind, parts[0]), parts[1])
    }
}

/// Mixes bytes into 64 bits: for tables and against damage, not against an adversary.
pub(super) fn mix(seed: u64, bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = seed.wrapping_mul(FACTOR) ^ bytes.len() as u64;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().expect("the chunk has eight bytes"));
        hash = (hash ^ word).wrapping_mul(FACTOR);
        hash ^= hash >> 29;
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    hash = (hash ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    hash ^= hash >> 32;
    hash.wrapping_mul(FACTOR)
}

impl Entry {
    /// What linking needs of a note.
    pub(super) fn of(notes_ref: NotesRef, anchor: Oid, blob: BlobId, state: &NoteState) -> Self {
        let mut entry = Self {
            notes_ref,
            anchor,
            blob,
            whole: false,
            discards: Vec::new(),
            records: Vec::new(),
        };
        if let NoteState::Read(note) = state {
            entry.whole = note.is_whole();
            for event in &note.events {
                if let Body::NoteDiscarded(discarded) = &event.body {
                    entry.discards.push((discarded.anchor.0, discarded.blob));
                }
                entry.records.push(Record::of(event, CommitId(anchor)));
            }
        }
        entry
    }

    /// Everything it is to be found by, each once.
    pub(super) fn keys(&self) -> Vec<u64> {
        let mut keys = vec![Key::About(self.anchor)];
        keys.extend(
            self.discards
                .iter()
                .map(|(anchor, blob)| Key::Discards(*anchor, *blob)),
        );
        for record in &self.records {
            keys.extend([
                Key::Event(record.id),
                Key::About(record.commit.0),
                Key::Tree(record.tree.0),
            ]);
            keys.extend(record.change.map(Key::Change));
            keys.extend(record.review.as_deref().map(Key::Review));
            match &record.role {
                Role::Raised(finding) | Role::Reopened(finding) => keys.push(Key::Finding(*finding)),
                Role::Answer { closes, .. } => keys.extend(closes.iter().copied().map(Key::Names)),
                Role::Names(named) => keys.extend(named.iter().copied().map(Key::Names)),
                Role::ReviewOpened(branch) => keys.push(Key::Branch(branch)),
                Role::Rewrite(pairs) => {
                    for (new, old) in pairs {
                        keys.extend([Key::Rewrite(new.0), Key::Rewrite(old.0)]);
                    }
                }
                Role::Other => {}
            }
        }
        let mut hashes: Vec<_> = keys.iter().map(Key::hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    /// The findings that its events raise or reopen.
    pub(super) fn findings(&self) -> impl Iterator<Item = FindingId> {
        self.records.iter().filter_map(|record| match record.role {
            Role::Raised(finding) | Role::Reopened(finding) => Some(finding),
            _ => None,
        })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.notes_ref as u8);
        out.push(u8::from(self.whole));
        put_id(out, self.anchor);
        put_id(out, self.blob.0);
        put_count(out, self.discards.len());
        for (anchor, blob) in &self.discards {
            put_id(out, *anchor);
            put_id(out, blob.0);
        }
        put_count(out, self.records.len());
        for record in &self.records {
            encode_record(record, out);
        }
    }

    /// `None` for bytes that no [`Entry::encode`] has written.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        let notes_ref = input.byte()?;
        let notes_ref = NotesRef::ALL
            .into_iter()
            .find(|known| *known as u8 == notes_ref)?;
        let whole = input.byte()? == 1;
        let anchor = input.id()?;
        let blob = BlobId(input.id()?);
        let discards = input.list(|input| Some((input.id()?, BlobId(input.id()?))))?;
        let records = input.list(|input| decode_record(input, anchor))?;
        input.0.is_empty().then_some(Self {
            notes_ref,
            anchor,
            blob,
            whole,
            discards,
            records,
        })
    }
}

fn encode_record(record: &Record, out: &mut Vec<u8>) {
    out.extend_from_slice(&record.id.0);
    put_id(out, record.commit.0);
    put_id(out, record.tree.0);
    put_option(out, record.change.as_ref(), |out, change| {
        out.extend_from_slice(&change.0);
    });
    put_option(out, record.review.as_ref(), |out, review| put_text(out, review));
    match &record.role {
        Role::Raised(finding) => {
            out.push(1);
            out.extend_from_slice(&finding.0);
        }
        Role::Reopened(finding) => {
            out.push(2);
            out.extend_from_slice(&finding.0);
        }
        Role::Answer { closes, commit } => {
            out.push(3);
            put_events(out, closes);
            put_id(out, commit.0);
        }
        Role::Names(named) => {
            out.push(4);
            put_events(out, named);
        }
        Role::ReviewOpened(branch) => {
            out.push(5);
            put_text(out, branch);
        }
        Role::Rewrite(pairs) => {
            out.push(6);
            put_count(out, pairs.len());
            for (new, old) in pairs {
                put_id(out, new.0);
                put_id(out, old.0);
            }
        }
        Role::Other => out.push(0),
    }
}

fn decode_record(input: &mut Input<'_>, anchor: Oid) -> Option<Record> {
    Some(Record {
        id: EventId(input.digest()?),
        anchor: CommitId(anchor),
        commit: CommitId(input.id()?),
        tree: TreeId(input.id()?),
        change: input.option(|input| input.digest().map(Digest))?,
        review: input.option(Input::text)?,
        role: match input.byte()? {
            0 => Role::Other,
            1 => Role::Raised(FindingId(input.digest()?)),
            2 => Role::Reopened(FindingId(input.digest()?)),
            3 => Role::Answer {
                closes: input.events()?,
                commit: CommitId(input.id()?),
            },
            4 => Role::Names(input.events()?),
            5 => Role::ReviewOpened(input.text()?),
            6 => Role::Rewrite(input.list(|input| Some((CommitId(input.id()?), CommitId(input.id()?))))?),
            _ => return None,
        },
    })
}

pub(super) fn put_id(out: &mut Vec<u8>, id: Oid) {
    let bytes = id.as_bytes();
    out.push(if bytes.len() == 20 { 20 } else { 32 });
    out.extend_from_slice(bytes);
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    let count = u32::try_from(count).expect("a note has far fewer parts");
    out.extend_from_slice(&count.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_count(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn put_events(out: &mut Vec<u8>, events: &[EventId]) {
    put_count(out, events.len());
    for event in events {
        out.extend_from_slice(&event.0);
    }
}

pub(super) fn put_option<T>(out: &mut Vec<u8>, value: Option<&T>, put: impl FnOnce(&mut Vec<u8>, &T)) {
    match value {
        Some(value) => {
            out.push(1);
            put(out, value);
        }
        None => out.push(0),
    }
}

/// Reads what the `put_…` functions wrote; `None` where the bytes end too early or make no sense.
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl Input<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        self.take(8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight were taken")))
    }

    fn count(&mut self) -> Option<usize> {
        let count = self.take(4)?;
        usize::try_from(u32::from_le_bytes(count.try_into().expect("four were taken"))).ok()
    }

    fn digest(&mut self) -> Option<[u8; 32]> {
        self.take(32)
            .map(|bytes| bytes.try_into().expect("32 were taken"))
    }

    pub(super) fn id(&mut self) -> Option<Oid> {
        let len = usize::from(self.byte()?);
        Oid::from_bytes(self.take(len)?)
    }

    fn text(&mut self) -> Option<String> {
        let len = self.count()?;
        String::from_utf8(self.take(len)?.to_vec()).ok()
    }

    fn events(&mut self) -> Option<Vec<EventId>> {
        self.list(|input| input.digest().map(EventId))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        let mut items = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            items.push(item(self)?);
        }
        Some(items)
    }

    #[expect(
        clippy::option_option,
        reason = "the outer one says that the bytes make no sense"
    )]
    pub(super) fn option<T>(&mut self, item: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => item(self).map(Some),
            _ => None,
        }
    }

    /// A part whose length stands before it.
    pub(super) fn part(&mut self) -> Option<&[u8]> {
        let len = self.count()?;
        self.take(len)
    }
}

/// A part with its length before it.
pub(super) fn put_part(out: &mut Vec<u8>, part: &[u8]) {
    put_count(out, part.len());
    out.extend_from_slice(part);
}
