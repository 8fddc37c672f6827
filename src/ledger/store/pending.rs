//! Events of a command that is under way, safe on the disk before the first ref moves.
//!
//! A file `pending/<pid>-<n>.jsonl` holds one line an event: `{"anchor", "line", "ref"}`. Its writer holds a lock on
//! it that the system gives back when the writer dies, however it dies. So the next command can tell files of dead
//! writers, which it must write into the refs, from those of living ones, which it leaves alone.
//!
//! Whoever is killed leaves the file. For a power cut it is flushed before the first ref moves, together with the
//! objects of the command; a short one, which after a power cut before that is there whole, or empty, or not at all.
//! A long one might be there in part, and is flushed before it gets its name.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: the pending events of the store"
)]

use std::cell::Cell;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::lock::Locked;
use crate::error::{Error, Result};
use crate::ledger::refs::{Addition, NotesRef};
use crate::model::ids::Oid;

/// The most bytes that are read from one file; a command writes far fewer.
const MAX_FILE: u64 = 256 << 20;

/// File systems write so many bytes as a whole.
const BLOCK: usize = 4096;

/// The ending of a file that is not whole yet.
const UNFINISHED: &str = "new";

/// An event as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    anchor: String,
    line: String,
    #[serde(rename = "ref")]
    notes_ref: String,
}

/// The events of one command on disk, locked by this process.
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    additions: Vec<Addition>,
    /// Whether it is on the disk for sure.
    is_flushed: Cell<bool>,
    file: Locked,
}

impl Pending {
    /// Writes the events of a command below `dir`. Before a ref moves, [`Pending::unflushed`] is to be flushed.
    pub fn create(dir: &Path, additions: Vec<Addition>) -> Result<Self> {
        let mut text = Vec::new();
        for addition in &additions {
            let entry = Entry {
                anchor: addition.anchor.to_hex(),
                line: addition.line.to_string(),
                notes_ref: addition.notes_ref.as_str().to_owned(),
            };
            serde_json::to_writer(&mut text, &entry).expect("a struct of texts serialises");
            text.push(b'\n');
        }
        let is_short = text.len() <= BLOCK;
        let (path, file) = write_locked(dir, &text, !is_short).map_err(|cause| {
            Error::new("io", "the events cannot be kept, nothing was written")
                .because(format!("in {}", dir.display()))
                .caused_by(&cause)
        })?;
        Ok(Self {
            path,
            additions,
            is_flushed: Cell::new(!is_short),
            file: Locked(file),
        })
    }

    /// The file, if it must still be flushed before a ref moves.
    pub fn unflushed(&self) -> Option<&File> {
        (!self.is_flushed.get()).then_some(&self.file.0)
    }

    /// Remembers that the file was flushed.
    pub fn set_flushed(&self) {
        self.is_flushed.set(true);
    }

    /// Flushes the file, where no flush was reached: for events that stay where they are.
    pub fn keep(&self) -> Result<()> {
        if let Some(file) = self.unflushed() {
            file.sync_all().map_err(|cause| {
                Error::new("io", "the events cannot be kept")
                    .because(format!("in {}", self.path.display()))
                    .caused_by(&cause)
            })?;
            self.set_flushed();
        }
        Ok(())
    }

    /// The files of writers that died before they were done, locked now by this process. Sorted by name.
    pub fn abandoned(dir: &Path) -> Result<Vec<Self>> {
        let failed = |path: &Path, cause: &io::Error| {
            Error::new("pending", "events of an interrupted command cannot be read")
                .because(format!("in {}", path.display()))
                .caused_by(cause)
                .hint("git review-gate fsck --repair")
        };
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(failed(dir, &cause)),
        };
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.map_err(|cause| failed(dir, &cause))?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                paths.push(path);
            } else if path.extension().is_some_and(|extension| extension == UNFINISHED) {
                remove_unfinished(&path);
            }
        }
        paths.sort();
        let mut found = Vec::new();
        for path in paths {
            let file = match OpenOptions::new().read(true).open(&path) {
                Ok(file) => file,
                // Its writer has just finished.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
                Err(cause) => return Err(failed(&path, &cause)),
            };
            match file.try_lock() {
                Ok(()) => {}
                // Its writer lives, or another command has picked it up.
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(cause)) => return Err(failed(&path, &cause)),
            }
            let mut file = Locked(file);
            // Between opening and locking its writer may have finished and removed it.
            if !path.exists() {
                continue;
            }
            let additions = read(&mut file.0, &path)?;
            found.push(Self {
                path,
                additions,
                is_flushed: Cell::new(true),
                file,
            });
        }
        Ok(found)
    }

    /// The events.
    pub fn additions(&self) -> &[Addition] {
        &self.additions
    }

    /// Where they are kept.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets them: they are in the refs, or nothing was written at all.
    pub fn remove(self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(Error::new(
                "io",
                format!(
                    "{} cannot be removed; its events are written",
                    self.path.display()
                ),
            )
            .caused_by(&cause)),
            _ => Ok(()),
        }
    }
}

/// The first file of a dead writer that cannot be read; `None` when all can.
pub fn damaged(dir: &Path) -> Result<Option<PathBuf>> {
    let failed =
        |cause: &io::Error| Error::new("io", format!("{} cannot be read", dir.display())).caused_by(cause);
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(|cause| failed(&cause))? {
        let path = entry.map_err(|cause| failed(&cause))?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    for path in paths {
        let mut file = Locked(File::open(&path).map_err(|cause| failed(&cause))?);
        if file.0.try_lock().is_ok() && read(&mut file.0, &path).is_err() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Sets a file that cannot be read aside and returns the events of its whole lines; for `fsck --repair`.
pub fn salvage(path: &Path) -> Result<Vec<Addition>> {
    let failed = |cause: &io::Error| {
        Error::new("io", format!("{} cannot be set aside", path.display())).caused_by(cause)
    };
    let bytes = fs::read(path).map_err(|cause| failed(&cause))?;
    let whole = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .filter_map(|line| parse(line).ok())
        .collect();
    fs::rename(path, path.with_extension("damaged")).map_err(|cause| failed(&cause))?;
    Ok(whole)
}

/// Removes what a writer left that died before its file was whole: its events were never safe, nobody was told so.
///
/// That of a living writer is locked. One that is not locked yet is written again under another name. Where it cannot
/// be removed, as on a read-only disk, it does no harm.
fn remove_unfinished(path: &Path) {
    let Ok(file) = OpenOptions::new().read(true).open(path) else {
        return;
    };
    // Held until the file is gone: its writer may be about to lock it.
    let file = Locked(file);
    if file.0.try_lock().is_ok() && path.exists() {
        let _ = fs::remove_file(path);
    }
}

/// A complete file under its final name, locked. The name appears last, so nobody ever sees half a file.
fn write_locked(dir: &Path, text: &[u8], flush: bool) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(dir)?;
    loop {
        let n = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = dir.join(format!("{}-{n}.jsonl", std::process::id()));
        let temporary = path.with_extension(UNFINISHED);
        let opened = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map(|file| (file.try_lock(), file));
        let (locked, mut file) = match opened {
            Ok(opened) => opened,
            // A process of the same number died here, or lives in another container.
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(cause) => return Err(cause),
        };
        match locked {
            Ok(()) => {}
            // Somebody cleans up and took it for that of a dead writer.
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(cause)) => return Err(cause),
        }
        // It may have been cleaned up before it was locked; from now on it is left alone.
        if !temporary.exists() {
            continue;
        }
        // A process of the same number may have died here and left the name taken.
        if path.exists() {
            fs::remove_file(&temporary)?;
            continue;
        }
        let written = file
            .write_all(text)
            .and_then(|()| if flush { file.sync_all() } else { Ok(()) })
            .and_then(|()| fs::rename(&temporary, &path));
        if let Err(cause) = written {
            // Nothing refers to it.
            let _ = fs::remove_file(&temporary);
            return Err(cause);
        }
        return Ok((path, file));
    }
}

fn read(file: &mut File, path: &Path) -> Result<Vec<Addition>> {
    let damaged = |what: String| {
        Error::new(
            "pending",
            format!(
                "events of an interrupted command cannot be read: {}",
                path.display()
            ),
        )
        .because(what)
        .hint("git review-gate fsck --repair")
    };
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|cause| damaged(cause.to_string()))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(damaged(format!("it has more than {MAX_FILE} bytes")));
    }
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| parse(line).map_err(|what| damaged(format!("line {}: {what}", index + 1))))
        .collect()
}

fn parse(line: &[u8]) -> Result<Addition, String> {
    let line = line.strip_suffix(b"\n").ok_or("it has no end")?;
    let entry: Entry = serde_json::from_slice(line).map_err(|cause| cause.to_string())?;
    Ok(Addition {
        notes_ref: NotesRef::named(&entry.notes_ref).ok_or("no such ref")?,
        anchor: entry.anchor.parse::<Oid>().map_err(|cause| cause.to_string())?,
        line: entry.line.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn living_writers_keep_theirs_and_dead_ones_leave_theirs() {
        let dir = tempfile::tempdir().unwrap();
        let additions: Vec<_> = ["one", "tw\u{f6} \"2\""]
            .map(|line| Addition {
                notes_ref: NotesRef::Reviews,
                anchor: "1".repeat(40).parse().unwrap(),
                line: line.into(),
            })
            .into();
        let pending = Pending::create(dir.path(), additions.clone()).unwrap();
        assert_eq!(Pending::abandoned(dir.path()).unwrap().len(), 0);
        pending.keep().unwrap();
        assert_eq!(Pending::abandoned(dir.path()).unwrap().len(), 0);
        // A program that is just being started has a copy of the open file: it must not pass for a living writer.
        let copy = pending.file.0.try_clone().unwrap();
        // Unlocking the file is what the system does for a dead writer.
        drop(pending);
        assert_eq!(Pending::abandoned(dir.path()).unwrap().len(), 1);
        drop(copy);
        let mut found = Pending::abandoned(dir.path()).unwrap();
        assert_eq!(found[0].additions(), additions);
        assert_eq!(
            Pending::abandoned(dir.path()).unwrap().len(),
            0,
            "it is locked now"
        );
        found.remove(0).remove().unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

        let broken = dir.path().join("7-1.jsonl");
        for text in ["{\"anchor\":", "{}\n", "\n"] {
            fs::write(&broken, text).unwrap();
            assert_eq!(
                Pending::abandoned(dir.path()).unwrap_err().kind,
                "pending",
                "{text:?}"
            );
        }
        assert_eq!(salvage(&broken).unwrap(), []);
        assert_eq!(Pending::abandoned(dir.path()).unwrap().len(), 0);
    }

    #[test]
    fn what_a_dead_writer_had_not_finished_is_removed_and_a_living_one_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (dead, living) = (dir.path().join("1-0.new"), dir.path().join("2-0.new"));
        fs::write(&dead, "{\"anchor\"").unwrap();
        let held = File::create(&living).unwrap();
        held.lock().unwrap();
        assert!(Pending::abandoned(dir.path()).unwrap().is_empty());
        assert!(!dead.exists() && living.exists());
    }

    #[test]
    fn nobody_cleans_up_after_a_writer_that_is_just_starting() {
        let dir = tempfile::tempdir().unwrap();
        let writers = std::sync::atomic::AtomicUsize::new(2);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let written = (0..5_000).try_for_each(|_| {
                        let (path, _file) = write_locked(dir.path(), b"", false)?;
                        fs::remove_file(path)
                    });
                    writers.fetch_sub(1, Ordering::SeqCst);
                    written.unwrap();
                });
            }
            while writers.load(Ordering::SeqCst) > 0 {
                for entry in fs::read_dir(dir.path()).unwrap().flatten() {
                    if entry
                        .path()
                        .extension()
                        .is_some_and(|ending| ending == UNFINISHED)
                    {
                        remove_unfinished(&entry.path());
                    }
                }
            }
        });
    }
}
