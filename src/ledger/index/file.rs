//! The base file of the index: written once, read in pages, every page with a checksum of its own.
//!
//! Numbers are little-endian, but for sort keys. After a header of one page come
//!
//! 1. entries, one after the other: length (4 bytes), checksum (8), bytes;
//! 2. a table of (hash of key, place of entry), 16 bytes each, sorted: what to read for a key;
//! 3. a table of finding ids, 32 bytes each, sorted: for prefixes;
//! 4. for each table the first 8 bytes of each of its pages, so that one page is read for a lookup;
//! 5. the notes that cannot be read whole.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: the cache of the store"
)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::rc::Rc;

use super::entry::{Entry, Input, mix, put_id, put_option};
use crate::model::ids::{BlobId, CommitId, FindingId, Oid};

/// Of a page of a table, the rest is the checksum.
const PAGE: usize = 4096;
const PAGE_DATA: usize = PAGE - 8;

/// The first bytes of the file; the last one is the version of its form.
const MAGIC: &[u8; 8] = b"rg-idx\0\x01";

/// Something read from the file is not what was written.
#[derive(Debug)]
pub(super) struct Damaged;

impl From<io::Error> for Damaged {
    /// A file that is too short, or cannot be read, is as good as none.
    fn from(_: io::Error) -> Self {
        Self
    }
}

/// A note that cannot be read whole: (ref, object, blob) as in its entry.
pub(super) type Unreadable = Vec<Entry>;

/// An open base file.
#[derive(Debug)]
pub(super) struct Base {
    file: File,
    /// Tells this file from every other one; the delta names it.
    pub(super) id: u64,
    /// The tips that it describes.
    pub(super) tips: [Option<CommitId>; 4],
    entries: Section,
    pairs: Table,
    findings: Table,
    unreadable: Section,
    /// The entries that were read, by their place: one note may be asked for as often as it has events.
    read: RefCell<HashMap<u64, Rc<Entry>>>,
}

/// A part of the file.
#[derive(Debug, Clone, Copy, Default)]
struct Section {
    at: u64,
    len: u64,
}

/// A sorted table of items of one size.
#[derive(Debug, Clone, Default)]
struct Table {
    at: u64,
    count: u64,
    item: usize,
    /// The first eight bytes of each page, as a number that sorts like them.
    firsts: Vec<u64>,
}

impl Base {
    /// Opens the file, reading its header and the tables of first keys.
    pub(super) fn open(path: &Path, place: u64) -> Result<Self, Damaged> {
        if !is_ours(path) {
            return Err(Damaged);
        }
        let file = File::open(path)?;
        let header = read_page(&file, 0)?;
        let mut input = Input(header.strip_prefix(MAGIC).ok_or(Damaged)?);
        let mut base = Self {
            file,
            id: input.number().ok_or(Damaged)?,
            tips: [None; 4],
            entries: Section::default(),
            pairs: Table {
                item: 16,
                ..Table::default()
            },
            findings: Table {
                item: 32,
                ..Table::default()
            },
            unreadable: Section::default(),
            read: RefCell::default(),
        };
        if input.number() != Some(place) {
            return Err(Damaged);
        }
        for tip in &mut base.tips {
            *tip = input.option(|input| input.id().map(CommitId)).ok_or(Damaged)?;
        }
        let mut number = || input.number().ok_or(Damaged);
        base.entries = Section {
            at: number()?,
            len: number()?,
        };
        for table in [&mut base.pairs, &mut base.findings] {
            table.at = number()?;
            table.count = number()?;
            let firsts = Section {
                at: number()?,
                len: number()?,
            };
            let bytes = read_section(&base.file, firsts)?;
            if bytes.len() as u64 != table.pages() * 8 {
                return Err(Damaged);
            }
            table.firsts = bytes.chunks_exact(8).map(sort_key).collect();
        }
        base.unreadable = Section {
            at: number()?,
            len: number()?,
        };
        Ok(base)
    }

    /// The entries that may be found by a key of this hash.
    pub(super) fn find(&self, hash: u64) -> Result<Vec<Rc<Entry>>, Damaged> {
        let mut places = Vec::new();
        self.pairs.each_from(&self.file, hash, &mut |item| {
            let found = sort_key(item);
            if found == hash {
                places.push(u64::from_le_bytes(
                    item[8..].try_into().expect("an item has 16 bytes"),
                ));
            }
            found <= hash
        })?;
        let mut read = self.read.borrow_mut();
        let entry = |place| {
            if let Some(entry) = read.get(&place) {
                return Ok(Rc::clone(entry));
            }
            let entry = Rc::new(self.entry_at(place)?);
            read.insert(place, Rc::clone(&entry));
            Ok(entry)
        };
        places.into_iter().map(entry).collect()
    }

    /// The findings whose ids start with these hex digits, at least eight of them or all that fit.
    pub(super) fn findings(&self, prefix: &str) -> Result<Vec<FindingId>, Damaged> {
        let mut from = [b'0'; 16];
        for (slot, digit) in from.iter_mut().zip(prefix.bytes()) {
            *slot = digit;
        }
        let from = std::str::from_utf8(&from)
            .ok()
            .and_then(|hex| u64::from_str_radix(hex, 16).ok());
        let Some(from) = from else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        self.findings.each_from(&self.file, from, &mut |item| {
            let id = FindingId(item.try_into().expect("an item has 32 bytes"));
            let hex = id.to_hex();
            if hex.starts_with(prefix) {
                found.push(id);
            }
            hex[..prefix.len().min(hex.len())] <= *prefix
        })?;
        Ok(found)
    }

    /// The notes that cannot be read whole.
    pub(super) fn unreadable(&self) -> Result<Unreadable, Damaged> {
        let bytes = read_section(&self.file, self.unreadable)?;
        let mut input = Input(&bytes);
        let mut entries = Vec::new();
        while !input.0.is_empty() {
            entries.push(input.part().and_then(Entry::decode).ok_or(Damaged)?);
        }
        Ok(entries)
    }

    /// All entries, in the order of the file.
    pub(super) fn entries(&self) -> Result<Vec<Entry>, Damaged> {
        let mut bytes = vec![0; usize::try_from(self.entries.len).map_err(|_| Damaged)?];
        read_exact_at(&self.file, &mut bytes, self.entries.at)?;
        let mut rest = &bytes[..];
        let mut entries = Vec::new();
        while !rest.is_empty() {
            let (len, sum) = frame(rest.first_chunk().ok_or(Damaged)?);
            let body = rest.get(12..12 + len).ok_or(Damaged)?;
            entries.push(checked(body, sum)?);
            rest = &rest[12 + len..];
        }
        Ok(entries)
    }

    fn entry_at(&self, place: u64) -> Result<Entry, Damaged> {
        // Most entries are small: one read gets them whole.
        let left = self.entries.len.checked_sub(place).ok_or(Damaged)?;
        let mut bytes = vec![0; usize::try_from(left.min(1024)).map_err(|_| Damaged)?];
        read_exact_at(&self.file, &mut bytes, self.entries.at + place)?;
        let (len, sum) = frame(bytes.first_chunk().ok_or(Damaged)?);
        if let Some(body) = bytes.get(12..12 + len) {
            return checked(body, sum);
        }
        if len as u64 + 12 > left {
            return Err(Damaged);
        }
        let mut body = vec![0; len];
        read_exact_at(&self.file, &mut body, self.entries.at + place + 12)?;
        checked(&body, sum)
    }
}

impl Table {
    const fn per_page(&self) -> u64 {
        (PAGE_DATA / self.item) as u64
    }

    const fn pages(&self) -> u64 {
        self.count.div_ceil(self.per_page())
    }

    /// Calls `each` for the items from the first one that is not below `key`, until it says no.
    ///
    /// Items below the key may come first; they belong to the page in which the key would lie.
    fn each_from(&self, file: &File, key: u64, each: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Damaged> {
        // Equal keys may begin on the page before the first page that starts with them.
        let page = self
            .firsts
            .partition_point(|first| *first < key)
            .saturating_sub(1) as u64;
        for page in page..self.pages() {
            let bytes = read_page(file, self.at + page * PAGE as u64)?;
            let items = (self.count - page * self.per_page()).min(self.per_page());
            for item in bytes
                .chunks_exact(self.item)
                .take(usize::try_from(items).map_err(|_| Damaged)?)
            {
                if sort_key(&item[..8]) >= key && !each(item) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Whether there is a regular file of this name: reading a pipe or a device might never end.
pub(super) fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Writes a new base file in place of the old one; gives its id.
pub(super) fn write(
    path: &Path,
    place: u64,
    tips: [Option<CommitId>; 4],
    entries: &[&Entry],
) -> io::Result<u64> {
    let mut bytes = vec![0; PAGE];
    let mut pairs: Vec<[u8; 16]> = Vec::new();
    let mut findings: Vec<[u8; 32]> = Vec::new();
    let mut unreadable = Vec::new();
    let mut body = Vec::new();
    for entry in entries {
        let at = (bytes.len() - PAGE) as u64;
        body.clear();
        entry.encode(&mut body);
        let len = u32::try_from(body.len()).map_err(io::Error::other)?;
        bytes.extend_from_slice(&len.to_le_bytes());
        bytes.extend_from_slice(&mix(1, &body).to_le_bytes());
        bytes.extend_from_slice(&body);
        for hash in entry.keys() {
            let mut pair = [0; 16];
            pair[..8].copy_from_slice(&hash.to_be_bytes());
            pair[8..].copy_from_slice(&at.to_le_bytes());
            pairs.push(pair);
        }
        findings.extend(entry.findings().map(|finding| finding.0));
        if !entry.whole {
            super::entry::put_part(&mut unreadable, &body);
        }
    }
    let entries = Section {
        at: PAGE as u64,
        len: (bytes.len() - PAGE) as u64,
    };
    pairs.sort_unstable();
    findings.sort_unstable();
    findings.dedup();
    let mut numbers = vec![entries.at, entries.len];
    put_table(&mut bytes, &pairs, &mut numbers);
    put_table(&mut bytes, &findings, &mut numbers);
    let section = put_section(&mut bytes, &unreadable);
    numbers.extend([section.at, section.len]);

    // Two files of equal content may have one id: then a delta of one fits the other as well.
    let id = mix(place, &bytes);
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&id.to_le_bytes());
    header.extend_from_slice(&place.to_le_bytes());
    for tip in tips {
        put_option(&mut header, tip.as_ref(), |out, tip| put_id(out, tip.0));
    }
    for number in numbers {
        header.extend_from_slice(&number.to_le_bytes());
    }
    header.resize(PAGE_DATA, 0);
    seal_page(&mut header);
    bytes[..PAGE].copy_from_slice(&header);
    replace(path, &bytes)?;
    Ok(id)
}

/// Puts a cache file into place as a whole. It is not flushed: damage is noticed, and costs only time.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().expect("the cache lies in a directory");
    fs::create_dir_all(dir)?;
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    BufWriter::new(&mut file).write_all(bytes)?;
    // Where a file is replaced, some file systems write the new one to the disk at once. Without any, or with this one
    // removed by somebody else, the next reader looks at the refs.
    let _ = fs::remove_file(path);
    file.persist(path)?;
    Ok(())
}

fn put_table<const N: usize>(bytes: &mut Vec<u8>, items: &[[u8; N]], numbers: &mut Vec<u64>) {
    let mut firsts = Vec::new();
    let at = bytes.len() as u64;
    for page in items.chunks(PAGE_DATA / N) {
        let mut data = page.concat();
        firsts.extend_from_slice(&data[..8]);
        data.resize(PAGE_DATA, 0);
        seal_page(&mut data);
        bytes.extend_from_slice(&data);
    }
    let firsts = put_section(bytes, &firsts);
    numbers.extend([at, items.len() as u64, firsts.at, firsts.len]);
}

fn put_section(bytes: &mut Vec<u8>, part: &[u8]) -> Section {
    let section = Section {
        at: bytes.len() as u64,
        len: part.len() as u64,
    };
    bytes.extend_from_slice(part);
    bytes.extend_from_slice(&mix(2, part).to_le_bytes());
    section
}

fn read_section(file: &File, section: Section) -> Result<Vec<u8>, Damaged> {
    let len = usize::try_from(section.len).map_err(|_| Damaged)?;
    if section
        .at
        .checked_add(section.len)
        .is_none_or(|end| file.metadata().map_or(true, |found| end > found.len()))
    {
        return Err(Damaged);
    }
    let mut bytes = vec![0; len + 8];
    read_exact_at(file, &mut bytes, section.at)?;
    let sum = u64::from_le_bytes(bytes[len..].try_into().expect("eight bytes follow"));
    bytes.truncate(len);
    (mix(2, &bytes) == sum).then_some(bytes).ok_or(Damaged)
}

fn seal_page(data: &mut Vec<u8>) {
    let sum = mix(3, data);
    data.extend_from_slice(&sum.to_le_bytes());
}

fn read_page(file: &File, at: u64) -> Result<Vec<u8>, Damaged> {
    let mut bytes = vec![0; PAGE];
    read_exact_at(file, &mut bytes, at)?;
    let sum = u64::from_le_bytes(bytes[PAGE_DATA..].try_into().expect("eight bytes follow"));
    bytes.truncate(PAGE_DATA);
    (mix(3, &bytes) == sum).then_some(bytes).ok_or(Damaged)
}

fn frame(bytes: &[u8; 12]) -> (usize, u64) {
    let (len, sum) = bytes.split_at(4);
    let len = u32::from_le_bytes(len.try_into().expect("four bytes"));
    (
        len as usize,
        u64::from_le_bytes(sum.try_into().expect("eight bytes")),
    )
}

fn checked(body: &[u8], sum: u64) -> Result<Entry, Damaged> {
    if mix(1, body) != sum {
        return Err(Damaged);
    }
    Entry::decode(body).ok_or(Damaged)
}

/// The first eight bytes as a number that sorts like them.
fn sort_key(item: &[u8]) -> u64 {
    u64::from_be_bytes(item[..8].try_into().expect("an item has eight bytes and more"))
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;
    file.read_exact_at(bytes, at)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

/// A note by what names it: its ref, its object.
pub(super) type Name = (crate::ledger::refs::NotesRef, Oid);

/// The name and the blob of an entry.
pub(super) fn name_of(entry: &Entry) -> (Name, BlobId) {
    ((entry.notes_ref, entry.anchor), entry.blob)
}
