//! Files that evidence names: digested without loading them, bounded, no link followed.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::model::ids::Digest;
use crate::model::text::sanitise;
use crate::model::witness::{Artifact, Unknown};
use crate::review::evidence::tests::MAX_READ;

/// The largest file that is digested, in bytes.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// A file as it was read.
pub(super) struct Digested {
    pub(super) bytes: u64,
    pub(super) sha256: Digest,
    /// The beginning, one byte more than a report may have.
    pub(super) beginning: Vec<u8>,
}

/// Why a file cannot be read; reads on after its name.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("does not exist")]
    Nothing,
    #[error("is a symbolic link, or lies behind one; none is followed")]
    Link,
    #[error("is not a regular file")]
    NotAFile,
    #[error("was replaced while it was read")]
    Replaced,
    #[error("has more than {MAX_BYTES} bytes")]
    TooLarge,
    #[error("cannot be read: {0}")]
    Io(std::io::Error),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Self::Nothing,
            _ => Self::Io(error),
        }
    }
}

/// Digests the file at `path` below `top`.
pub(super) fn digest_below(top: &Path, path: &str) -> Result<Digested, Fault> {
    let mut place = top.to_owned();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        place.push(name);
        if names.peek().is_some() && place.symlink_metadata()?.file_type().is_symlink() {
            return Err(Fault::Link);
        }
    }
    digest(&place)
}

/// Digests a file that is no link itself.
fn digest(place: &Path) -> Result<Digested, Fault> {
    let looked_at = place.symlink_metadata()?;
    let kind = looked_at.file_type();
    if kind.is_symlink() {
        return Err(Fault::Link);
    }
    if !kind.is_file() {
        return Err(Fault::NotAFile);
    }
    let file = File::open(place)?;
    let opened = file.metadata()?;
    if (opened.dev(), opened.ino()) != (looked_at.dev(), looked_at.ino()) {
        return Err(Fault::Replaced);
    }
    if opened.len() > MAX_BYTES {
        return Err(Fault::TooLarge);
    }
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut beginning = Vec::new();
    let mut file = file.take(MAX_BYTES);
    let mut piece = vec![0; 64 * 1024];
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            break;
        }
        hash.update(&piece[..count]);
        bytes += count as u64;
        let room = (MAX_READ + 1).saturating_sub(beginning.len());
        beginning.extend_from_slice(&piece[..count.min(room)]);
    }
    Ok(Digested {
        bytes,
        sha256: Digest(hash.finalize().into()),
        beginning,
    })
}

/// A report that a command is going to write.
pub(super) struct Report {
    place: PathBuf,
    /// As it is stored: from the top of the work tree where it lies there, else as it was typed.
    path: String,
    before: Option<Stamp>,
}

/// What changes when a file is written.
#[derive(PartialEq, Eq)]
struct Stamp(u64, u64, u64, i64, i64, i64, i64);

impl Stamp {
    fn of(found: &Metadata) -> Self {
        Self(
            found.dev(),
            found.ino(),
            found.len(),
            found.mtime(),
            found.mtime_nsec(),
            found.ctime(),
            found.ctime_nsec(),
        )
    }
}

impl Report {
    /// Notes how the file is before the command runs. `typed` is relative to the current directory.
    pub(super) fn expect(top: &Path, typed: &Path) -> Result<Self> {
        let place = std::path::absolute(typed)
            .map_err(|cause| Error::new("io", "the current directory cannot be read").caused_by(&cause))?;
        // The last name is never followed, so only the folders are resolved; they may not be there yet.
        let folder = place.parent().unwrap_or(Path::new("/"));
        let resolved = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let resolved = resolved.join(place.file_name().unwrap_or_default());
        let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
        let path = resolved.strip_prefix(&top).unwrap_or(typed);
        let path = path.to_str().filter(|path| !path.is_empty()).ok_or_else(|| {
            Error::new(
                "usage",
                format!("{} names no file in UTF-8", sanitise(&typed.to_string_lossy())),
            )
            .hint("--junit FILE")
        })?;
        if path.len() > crate::review::path::MAX_BYTES {
            return Err(
                Error::new("usage", "the path of a report has at most 1024 bytes").hint("--junit FILE")
            );
        }
        Ok(Self {
            path: path.to_owned(),
            before: place.symlink_metadata().ok().map(|found| Stamp::of(&found)),
            place,
        })
    }

    /// Reads it when the command has ended. One that is as it was before was not written by the command.
    pub(super) fn read(&self) -> Result<(Artifact, Vec<u8>), Unknown> {
        let found = self.place.symlink_metadata().map_err(|_| Unknown::NoReport)?;
        if self.before.as_ref() == Some(&Stamp::of(&found)) {
            return Err(Unknown::StaleReport);
        }
        let digested = digest(&self.place).map_err(|_| Unknown::UnreadableReport)?;
        let artifact = Artifact {
            bytes: digested.bytes,
            path: self.path.clone(),
            sha256: digested.sha256,
        };
        Ok((artifact, digested.beginning))
    }

    /// Its path for people.
    pub(super) fn shown(&self) -> String {
        sanitise(&self.path)
    }
}
