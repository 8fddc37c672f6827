//! Documents that a command names: files, standard input, and records on commits.

use std::io::Read as _;
use std::path::Path;

use super::place::Place;
use super::record;
use crate::model::canonical;
use crate::model::quality::{BaselineUsed, Source};
use crate::model::text::sanitise;
use crate::quality::document::Baseline;
use crate::quality::stored;

/// The most bytes that a document may have.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A document as it was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where.
    pub source: Source,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its SHA-256.
    pub sha256: String,
    /// The commit whose record it is.
    pub commit: Option<String>,
}

/// The bytes of a file, or of standard input for `-`. The fault names it.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let shown = sanitise(&path.to_string_lossy());
    let mut bytes = Vec::new();
    let limit = MAX_BYTES + 1;
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|cause| format!("{shown} cannot be read: {cause}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("{shown} has more than {MAX_BYTES} bytes"));
    }
    Ok(bytes)
}

/// The SHA-256 of some bytes, in hex.
pub fn sha256(bytes: &[u8]) -> String {
    canonical::digest_of(&[bytes]).to_hex()
}

/// Finds what `named` means: the file of that name, else the record that counts on the commit of that name. Where it
/// is both, or neither, the fault names it; `file:` and `rev:` say which.
pub fn find(place: &Place, named: &str) -> Result<Found, String> {
    if let Some(path) = named.strip_prefix("file:") {
        return file(Path::new(path));
    }
    if let Some(revision) = named.strip_prefix("rev:") {
        return of_record(place, revision);
    }
    let is_file = Path::new(named).exists();
    let is_revision = place
        .repo
        .as_ref()
        .is_some_and(|repo| !named.is_empty() && repo.resolve(named).is_ok());
    let shown = sanitise(named);
    match (is_file, is_revision) {
        (true, true) => Err(format!(
            "{shown} is a file and a revision; say file:{shown} or rev:{shown}"
        )),
        (true, false) => file(Path::new(named)),
        (false, true) => of_record(place, named),
        (false, false) => Err(format!("{shown} is neither a file nor a revision")),
    }
}

fn file(path: &Path) -> Result<Found, String> {
    let bytes = read(path)?;
    Ok(Found {
        source: Source::File,
        sha256: sha256(&bytes),
        commit: None,
        bytes,
    })
}

fn of_record(place: &Place, revision: &str) -> Result<Found, String> {
    let shown = sanitise(revision);
    let fault = |error: crate::error::Error| format!("{shown}: {error}");
    let repo = place.repo().map_err(fault)?;
    let commit = repo.resolve(revision).map_err(fault)?;
    let policy = place.policy().map_err(fault)?;
    let counting = record::counting(repo, &policy.sync.notes_prefix, commit).map_err(fault)?;
    let Some(held) = counting else {
        return Err(format!("{shown} has no quality record"));
    };
    Ok(Found {
        source: Source::Record,
        sha256: sha256(held.text.as_bytes()),
        bytes: held.text.into_bytes(),
        commit: Some(commit.to_string()),
    })
}

/// The scores to compare with.
pub fn baseline(place: &Place, named: &str) -> Result<Baseline, String> {
    let found = find(place, named)?;
    let scores = stored::scores(&found.bytes).map_err(|why| format!("{}: {why}", sanitise(named)))?;
    Ok(Baseline {
        used: BaselineUsed {
            source: found.source,
            sha256: found.sha256,
            commit: found.commit.or(scores.commit),
            run_id: scores.run_id,
        },
        areas: scores.areas,
    })
}
