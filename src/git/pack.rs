//! Writes one pack with its index (version 2): whole objects, no deltas; `git gc` makes them small later.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: the object store"
)]

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use gix::objs::Kind;

use super::batch::Deflate;
use super::durable::{Temporaries, temporary};

/// An entry of the index that is being written.
struct Indexed {
    id: gix::ObjectId,
    crc: u32,
    offset: u64,
}

/// Writes these objects below `store`, flushed to the disk in the same time as `also`; the index gets its name last,
/// which makes them visible.
pub(super) fn write(
    store: &Path,
    hash: gix::hash::Kind,
    objects: impl ExactSizeIterator<Item = (gix::ObjectId, Kind, Vec<u8>)>,
    also: &[&fs::File],
) -> io::Result<()> {
    let dir = store.join("pack");
    fs::create_dir_all(&dir)?;
    let mut temporaries = Temporaries::default();
    let (path, file) = temporary(&dir, "tmp_pack")?;
    temporaries.add(path, file.try_clone()?, dir.join("pack"));
    let mut out = Hashed::new(BufWriter::new(file), hash);
    let mut index = write_pack(&mut out, objects)?;
    let checksum = out.finish()?;
    index.sort_unstable_by_key(|entry| entry.id);
    let (path, file) = temporary(&dir, "tmp_idx")?;
    temporaries.add(path, file.try_clone()?, dir.join("idx"));
    let mut out = Hashed::new(BufWriter::new(file), hash);
    write_index(&mut out, &index, checksum)?;
    out.finish()?;
    let name = dir.join(format!("pack-{checksum}"));
    temporaries.finish(also, |end| {
        name.with_extension(end.file_name().unwrap_or_default())
    })
}

fn write_pack(
    out: &mut Hashed<impl Write>,
    objects: impl ExactSizeIterator<Item = (gix::ObjectId, Kind, Vec<u8>)>,
) -> io::Result<Vec<Indexed>> {
    let count = u32::try_from(objects.len()).map_err(io::Error::other)?;
    out.write_all(b"PACK\0\0\0\x02")?;
    out.write_all(&count.to_be_bytes())?;
    let mut deflate = Deflate::new(gix::zlib::Compression::BEST_SPEED);
    // Trees are mostly object ids, which hardly get smaller.
    let mut store = Deflate::new(gix::zlib::Compression::NONE);
    let mut index = Vec::with_capacity(objects.len());
    let mut entry = Vec::new();
    for (id, kind, data) in objects {
        entry.clear();
        entry_header(&mut entry, kind, data.len());
        let packed = if kind == Kind::Tree {
            store.all(&data)?
        } else {
            deflate.all(&data)?
        };
        entry.extend_from_slice(&packed);
        index.push(Indexed {
            id,
            crc: crc32(&entry),
            offset: out.written,
        });
        out.write_all(&entry)?;
    }
    Ok(index)
}

/// Type and size of an entry: four bits of size in the first byte, seven in each that follows.
fn entry_header(out: &mut Vec<u8>, kind: Kind, size: usize) {
    let kind: u8 = match kind {
        Kind::Commit => 1,
        Kind::Tree => 2,
        Kind::Blob => 3,
        Kind::Tag => 4,
    };
    let mut rest = size >> 4;
    let low = u8::try_from(size & 0xf).expect("four bits fit");
    out.push(kind << 4 | low | if rest > 0 { 0x80 } else { 0 });
    while rest > 0 {
        let low = u8::try_from(rest & 0x7f).expect("seven bits fit");
        rest >>= 7;
        out.push(low | if rest > 0 { 0x80 } else { 0 });
    }
}

fn write_index(out: &mut Hashed<impl Write>, index: &[Indexed], checksum: gix::ObjectId) -> io::Result<()> {
    out.write_all(b"\xfftOc\0\0\0\x02")?;
    for byte in 0..=u8::MAX {
        let up_to = index.partition_point(|entry| entry.id.as_bytes()[0] <= byte);
        out.write_all(&u32::try_from(up_to).map_err(io::Error::other)?.to_be_bytes())?;
    }
    for entry in index {
        out.write_all(entry.id.as_bytes())?;
    }
    for entry in index {
        out.write_all(&entry.crc.to_be_bytes())?;
    }
    // Offsets of 2 GiB and more stand in a second table, marked by the highest bit.
    let mut large = Vec::new();
    for entry in index {
        let word = match u32::try_from(entry.offset) {
            Ok(small) if small < 1 << 31 => small,
            _ => {
                large.push(entry.offset);
                u32::try_from(large.len() - 1).map_err(io::Error::other)? | 1 << 31
            }
        };
        out.write_all(&word.to_be_bytes())?;
    }
    for offset in large {
        out.write_all(&offset.to_be_bytes())?;
    }
    out.write_all(checksum.as_bytes())
}

/// Hashes and counts what passes through.
struct Hashed<W> {
    inner: W,
    hasher: gix::hash::Hasher,
    written: u64,
}

impl<W: Write> Hashed<W> {
    fn new(inner: W, hash: gix::hash::Kind) -> Self {
        Self {
            inner,
            hasher: gix::hash::hasher(hash),
            written: 0,
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.written += bytes.len() as u64;
        self.inner.write_all(bytes)
    }
}

impl Hashed<BufWriter<fs::File>> {
    /// Appends the checksum over everything so far.
    fn finish(mut self) -> io::Result<gix::ObjectId> {
        let checksum = self.hasher.try_finalize().map_err(io::Error::other)?;
        self.inner.write_all(checksum.as_bytes())?;
        self.inner.flush()?;
        Ok(checksum)
    }
}

/// The CRC-32 that pack indexes use.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut n = 0;
        while n < 256 {
            #[expect(clippy::cast_possible_truncation, reason = "the index is below 256")]
            let mut word = n as u32;
            let mut bit = 0;
            while bit < 8 {
                word = if word & 1 == 1 {
                    0xedb8_8320 ^ word >> 1
                } else {
                    word >> 1
                };
                bit += 1;
            }
            table[n] = word;
            n += 1;
        }
        table
    };
    let mut crc = u32::MAX;
    for byte in bytes {
        crc = TABLE[usize::from(crc.to_le_bytes()[0] ^ byte)] ^ crc >> 8;
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_and_header_are_those_of_the_format() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        for (size, wanted) in [
            (0, vec![0x30]),
            (15, vec![0x3f]),
            (16, vec![0xb0, 1]),
            (5000, vec![0xb8, 0xb8, 2]),
        ] {
            let mut header = Vec::new();
            entry_header(&mut header, Kind::Blob, size);
            assert_eq!(header, wanted, "{size}");
        }
    }
}
