//! From the bytes of a file to text that can be scanned, or why it cannot be.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::source::ReadFault;
use crate::model::baseline::UnmeasuredReason;

/// Source has at most this many bytes.
pub const MAX_SOURCE: u64 = 32 << 20;

/// In this many bytes at the start a NUL makes a file binary, as with git.
const BINARY_PREFIX: usize = 8000;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Why a file cannot be scanned, with a sentence for people.
pub type Refusal = (UnmeasuredReason, String);

/// Why a file that could not be read cannot be scanned.
pub fn unread(fault: &ReadFault) -> Refusal {
    match fault {
        ReadFault::Missing(blob) => (UnmeasuredReason::MissingBlob, format!("blob {blob}")),
        ReadFault::Damaged(why) => (UnmeasuredReason::DamagedBlob, why.clone()),
        ReadFault::TooLarge(count) => (UnmeasuredReason::TooLarge, format!("{count} bytes")),
    }
}

/// The text of a source file: without byte order mark, UTF-16 with a mark as UTF-8, other bytes as they are.
pub fn source(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Refusal> {
    if bytes.starts_with(b"version https://git-lfs.github.com/spec/") && bytes.len() < 1024 {
        return Err((
            UnmeasuredReason::LfsPointer,
            "a pointer of Git LFS stands in place of the content".to_owned(),
        ));
    }
    let text = match bytes {
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        _ => Cow::Borrowed(bytes.strip_prefix(BOM).unwrap_or(bytes)),
    };
    if matches!(text, Cow::Borrowed(_))
        && let Some(at) = memchr(0, &bytes[..bytes.len().min(BINARY_PREFIX)])
    {
        return Err((
            UnmeasuredReason::BinarySource,
            format!("a zero byte at offset {at}"),
        ));
    }
    match conflict_markers(&text) {
        Some(line) => Err((
            UnmeasuredReason::ConflictMarkers,
            format!("an unfinished merge begins in line {line}"),
        )),
        None => Ok(text),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Vec<u8>, Refusal> {
    let refused = |why: &str| (UnmeasuredReason::BadEncoding, why.to_owned());
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(refused("UTF-16 with an odd number of bytes"));
    }
    let text = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .collect::<Result<String, _>>()
        .map_err(|_| refused("UTF-16 with half of a surrogate pair"))?;
    Ok(text.into_bytes())
}

/// The line in which an unfinished merge begins: seven `<` and a blank, later seven `=`, later seven `>`.
fn conflict_markers(text: &[u8]) -> Option<usize> {
    let line_start = |from: usize, marker: &[u8]| {
        memmem::find_iter(&text[from..], marker)
            .map(|at| from + at)
            .find(|at| *at == 0 || text[at - 1] == b'\n')
    };
    let start = line_start(0, b"<<<<<<< ")?;
    let middle = line_start(start, b"=======")?;
    line_start(middle, b">>>>>>>")?;
    Some(memchr::memchr_iter(b'\n', &text[..start]).count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let le: Vec<u8> = std::iter::once(0xFEFF)
            .chain("class Größe {}".encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(source(&le).unwrap(), "class Größe {}".as_bytes());
        assert_eq!(source(b"\xEF\xBB\xBFx").unwrap(), &b"x"[..]);
        assert_eq!(source(b"a\xff\xfeb").unwrap(), &b"a\xff\xfeb"[..]);
        for (bytes, reason) in [
            (&b"\xFF\xFEa"[..], UnmeasuredReason::BadEncoding),
            (b"\xFF\xFE\x00\xD8", UnmeasuredReason::BadEncoding),
            (b"a\0b", UnmeasuredReason::BinarySource),
            (
                b"x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n",
                UnmeasuredReason::ConflictMarkers,
            ),
            (
                b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
                UnmeasuredReason::LfsPointer,
            ),
        ] {
            assert_eq!(source(bytes).unwrap_err().0, reason);
        }
        for fine in ["// <<<<<<< a\n=======\n>>>>>>> b", "<<<<<<< a\n>>>>>>> b\n"] {
            assert!(source(fine.as_bytes()).is_ok(), "{fine}");
        }
    }
}
