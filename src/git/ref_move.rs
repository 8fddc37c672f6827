//! Moves one ref from the value that was read to a new one, or not at all; the new value is on the disk before it counts.
//!
//! Uses the lock file of git (`<ref>.lock`), so that git and this program exclude each other. The lock appears by
//! linking a file that is complete and flushed already: what becomes visible is always whole, and a lock left behind
//! by a writer of ours that was killed can be told from one of git's by the file it is linked to.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: refs and their logs"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Repo;
use super::durable::temporary;
use super::identity::Identity;
use crate::error::{Error, Result};
use crate::model::ids::CommitId;
use crate::model::text::sanitise;

/// Where a ref is to be moved.
#[derive(Debug, Clone)]
pub struct RefMove<'a> {
    /// Full name.
    pub name: &'a str,
    /// The value that was read; the ref moves only if it still has it. `None`: there was no such ref.
    pub from: Option<CommitId>,
    /// The new value; its objects are flushed already.
    pub to: CommitId,
    /// For the reflog.
    pub who: &'a Identity,
    /// For the reflog: seconds since the epoch.
    pub at: i64,
    /// For the reflog.
    pub message: &'a str,
}

/// What came of moving a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// It has the new value, and that is on the disk.
    Yes,
    /// Somebody else holds its lock, or it has another value by now. Nothing was changed.
    Lost,
}

/// Whether other writers of this program are kept out for the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Nobody else of this program writes now: a lock that one of us left behind is stale and is removed.
    Alone,
    /// Others may write at the same time: no lock but one's own is touched.
    Many,
}

/// What must be on the disk when a ref has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flush {
    /// That it has moved.
    Move,
    /// The value only: an older one is as good after a power cut.
    Value,
}

/// The new value of a ref in a file of its own. Whoever moves a ref to it must have flushed it before.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    file: File,
}

impl Staged {
    /// The file, for flushing it.
    pub const fn file(&self) -> &File {
        &self.file
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // It may have been put into place, or be swept away later.
        let _ = fs::remove_file(&self.path);
    }
}

impl Repo {
    /// Moves a ref if it still has the value that was read.
    pub fn move_ref(&self, ref_move: &RefMove<'_>, writers: Writers) -> Result<Moved> {
        let staged = self.stage(ref_move.to)?;
        staged.file.sync_all().map_err(|cause| failed(ref_move, &cause))?;
        self.move_staged(ref_move, &staged, writers, Flush::Move)
    }

    /// Writes the new value of a ref, not flushed yet; see [`super::batch::Batch::flush_with`].
    pub fn stage(&self, to: CommitId) -> Result<Staged> {
        self.refuse_read_only()?;
        let dir = self.staging();
        let staged = fs::create_dir_all(&dir)
            .and_then(|()| temporary(&dir, "ref"))
            .and_then(|(path, file)| {
                let mut staged = Staged { path, file };
                staged.file.write_all(format!("{to}\n").as_bytes())?;
                Ok(staged)
            });
        staged.map_err(|cause| {
            Error::new(
                "io",
                "the new value of a ref cannot be written, nothing was changed",
            )
            .because(format!("in {}", dir.display()))
            .caused_by(&cause)
        })
    }

    /// Moves a ref to a value that is staged and flushed, if it still has the value that was read.
    pub fn move_staged(
        &self,
        ref_move: &RefMove<'_>,
        staged: &Staged,
        writers: Writers,
        flush: Flush,
    ) -> Result<Moved> {
        if let Some(target) = self.symbolic_target(ref_move.name)? {
            return Err(Error::new(
                "not-supported",
                format!("{} stands for {}", sanitise(ref_move.name), sanitise(&target)),
            )
            .hint(format!("git symbolic-ref --delete {}", sanitise(ref_move.name))));
        }
        let path = self.common_dir().join(ref_move.name);
        let lock =
            take_lock(&self.staging(), &path, staged, writers).map_err(|cause| failed(ref_move, &cause))?;
        let Some(lock) = lock else {
            return Ok(Moved::Lost);
        };
        // Under the lock the value cannot change any more, packed or not.
        let found = self.ref_target(ref_move.name)?;
        if found != ref_move.from.map(|commit| commit.0) {
            return Ok(Moved::Lost);
        }
        self.log_move(ref_move)
            .map_err(|cause| failed(ref_move, &cause))?;
        lock.commit(&path, flush)
            .map_err(|cause| failed(ref_move, &cause))?;
        Ok(Moved::Yes)
    }

    /// The folder of staged ref values.
    fn staging(&self) -> PathBuf {
        self.common_dir().join("review-gate").join("refs")
    }

    /// Appends to the reflog where git would: unless it is switched off, or in a bare repository.
    fn log_move(&self, ref_move: &RefMove<'_>) -> io::Result<()> {
        let path = self.common_dir().join("logs").join(ref_move.name);
        let wanted = match self.gix.config_snapshot().string("core.logAllRefUpdates") {
            Some(value) if value.eq_ignore_ascii_case(b"always") => true,
            Some(_) => self.gix.config_snapshot().boolean("core.logAllRefUpdates") == Some(true),
            None => !self.is_bare(),
        } && (ref_move.name.starts_with("refs/notes/") || path.exists());
        if !wanted {
            return Ok(());
        }
        fs::create_dir_all(path.parent().expect("a log lies in a directory"))?;
        let from = ref_move.from.map_or_else(|| self.zero_id(), |commit| commit.0);
        let line = format!(
            "{from} {} {} <{}> {} +0000\t{}\n",
            ref_move.to,
            ref_move.who.name,
            ref_move.who.email,
            ref_move.at,
            ref_move.message.replace('\n', " ")
        );
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)?
            .write_all(line.as_bytes())
    }
}

fn failed(ref_move: &RefMove<'_>, cause: &io::Error) -> Error {
    Error::new(
        "io",
        format!(
            "ref {} cannot be moved, nothing was changed",
            sanitise(ref_move.name)
        ),
    )
    .caused_by(cause)
}

/// Creates the lock of a ref with its new value in it; `None` when somebody else has it.
fn take_lock(staging: &Path, path: &Path, staged: &Staged, writers: Writers) -> io::Result<Option<Lock>> {
    fs::create_dir_all(path.parent().expect("a ref lies in a directory"))?;
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let lock = PathBuf::from(lock);
    let taken = match writers {
        Writers::Alone => {
            remove_stale(staging, &lock)?;
            fs::hard_link(&staged.path, &lock)
        }
        // Without the link to the staged file nobody takes this lock for a stale one.
        Writers::Many => OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&lock)
            .and_then(|_| fs::rename(&staged.path, &lock)),
    };
    match taken {
        Ok(()) => Ok(Some(Lock {
            path: lock,
            held: true,
        })),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// A held lock of a ref; given back when dropped.
struct Lock {
    path: PathBuf,
    held: bool,
}

impl Lock {
    /// Gives the ref the value in the lock, and flushes the directory where that matters.
    fn commit(mut self, path: &Path, flush: Flush) -> io::Result<()> {
        if let Err(cause) = fs::rename(&self.path, path) {
            // An empty directory of that name is what a deleted ref below it leaves.
            if !path.is_dir() || fs::remove_dir(path).is_err() {
                return Err(cause);
            }
            fs::rename(&self.path, path)?;
        }
        self.held = false;
        match flush {
            Flush::Move => File::open(path.parent().expect("a ref lies in a directory"))?.sync_all(),
            Flush::Value => Ok(()),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.held {
            // Nothing better can be done with a lock that cannot be removed than to leave it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes what killed writers of ours left: the lock, when it is one of the staged files, then those.
fn remove_stale(staging: &Path, lock: &Path) -> io::Result<()> {
    let lock_id = match fs::symlink_metadata(lock) {
        Ok(found) => Some(file_id(&found)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => None,
        Err(cause) => return Err(cause),
    };
    for entry in fs::read_dir(staging)? {
        let path = entry?.path();
        let found = match fs::symlink_metadata(&path) {
            Ok(found) => found,
            // A writer that does not wait for its turn has just put it in place.
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => continue,
            Err(cause) => return Err(cause),
        };
        if lock_id.is_some() && lock_id == Some(file_id(&found)) {
            fs::remove_file(lock)?;
            fs::remove_file(&path)?;
        } else if found.modified()?.elapsed().is_ok_and(|age| age.as_secs() > 3600) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn file_id(found: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

/// Without file ids no lock is ever taken for a stale one.
#[cfg(not(unix))]
fn file_id(_: &fs::Metadata) -> (u64, u64) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    (0, NEXT.fetch_add(1, Ordering::Relaxed))
}
