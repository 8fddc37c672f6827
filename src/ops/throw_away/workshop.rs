//! A throw-away folder, and the removal of what dead processes left.
//!
//! Each folder has a file below the common directory that names it, and whose owner holds a lock on it as long as it lives.
//! The system gives the lock up when the process dies, however it dies, so the next one knows whose folders to remove.

#![expect(
    clippy::disallowed_methods,
    reason = "makes and removes these folders, and nothing else"
)]

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::ids::hex;

/// What the name of each folder begins with; nothing that is called otherwise is ever removed.
const PREFIX: &str = "git-review-gate-prove-";

/// The longest path that is read from a registration.
const MAX_PATH: u64 = 4096;

/// A folder of its own below the temporary folder; gone when it is dropped.
#[derive(Debug)]
pub struct Workshop {
    dir: PathBuf,
    entry: PathBuf,
    /// Locked while this process lives.
    _lock: File,
}

impl Workshop {
    /// Removes what dead processes left, then makes a folder.
    pub fn open(repo: &Repo) -> Result<Self> {
        let registry = repo.common_dir().join("review-gate").join("prove");
        let temporary = std::env::temp_dir();
        Self::open_in(&registry, &temporary).map_err(|cause| {
            Error::new("worktree-failed", "no throw-away folder could be made")
                .caused_by(&cause)
                .hint(format!("df -h {}", temporary.display()))
        })
    }

    fn open_in(registry: &Path, temporary: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(registry)?;
        // One at a time: between the making of a registration and its lock, another one would take it for abandoned.
        let turn = lock_file(&registry.join("lock"))?;
        turn.lock()?;
        remove_abandoned(registry);
        loop {
            let name = format!("{PREFIX}{}", random());
            let dir = temporary.join(&name);
            let entry = registry.join(&name);
            let mut lock = lock_file(&entry)?;
            lock.try_lock()?;
            lock.write_all(dir.as_os_str().as_encoded_bytes())?;
            lock.flush()?;
            match DirBuilder::new().mode(0o700).create(&dir) {
                Ok(()) => {
                    return Ok(Self {
                        dir,
                        entry,
                        _lock: lock,
                    });
                }
                Err(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => {
                    fs::remove_file(&entry)?;
                }
                Err(cause) => {
                    fs::remove_file(&entry)?;
                    return Err(cause);
                }
            }
        }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Makes a folder in it.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.dir.join(name);
        fs::create_dir_all(&folder).map_err(|cause| {
            Error::new("worktree-failed", "no throw-away folder could be made").caused_by(&cause)
        })?;
        Ok(folder)
    }

    /// Writes a small file.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
        fs::write(path, bytes).map_err(|cause| {
            Error::new(
                "worktree-failed",
                "a file of the throw-away folder cannot be written",
            )
            .caused_by(&cause)
        })
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // What cannot be removed now stays registered, and the next owner tries again.
        if remove(&self.dir).is_ok() {
            let _ = fs::remove_file(&self.entry);
        }
    }
}

fn lock_file(path: &Path) -> std::io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Removes the folders whose owners are dead. What fails stays registered.
fn remove_abandoned(registry: &Path) {
    let Ok(entries) = fs::read_dir(registry) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let path = entry.path();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
            continue;
        };
        let Ok(mut file) = File::open(&path) else {
            continue;
        };
        if file.try_lock().is_err() {
            continue;
        }
        let mut dir = Vec::new();
        let read = (&mut file).take(MAX_PATH).read_to_end(&mut dir);
        // A registration that names no folder of ours is of no use, and nothing is removed for it.
        let dir = String::from_utf8(dir).ok().map(PathBuf::from);
        let dir = dir.filter(|dir| dir.is_absolute() && dir.file_name() == Some(name.as_ref()));
        let removed = match (read, &dir) {
            (Ok(_), Some(dir)) => {
                end_processes_below(dir);
                remove(dir).is_ok()
            }
            (read, None) => read.is_ok(),
            (Err(_), _) => false,
        };
        if removed {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Ends what still runs in a folder whose owner is dead: a command outlives whoever started it. Only where the system
/// shows the folder of each process as a file; elsewhere such a process ends by itself.
fn end_processes_below(dir: &Path) {
    let Ok(dir) = dir.canonicalize() else {
        return;
    };
    let Ok(processes) = fs::read_dir("/proc") else {
        return;
    };
    for process in processes.flatten() {
        let id = process
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
            .and_then(rustix::process::Pid::from_raw);
        let Some(id) = id else {
            continue;
        };
        let works_there = fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(&dir));
        if works_there {
            // It may have ended meanwhile.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}

/// Removes a folder with all that is in it; folders that may not be written are opened first.
fn remove(dir: &Path) -> std::io::Result<()> {
    let gone = |removed: std::io::Result<()>| match removed {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    };
    if dir.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        return Ok(());
    }
    // What is still being ended may write once more.
    for _ in 0..3 {
        if gone(fs::remove_dir_all(dir)).is_ok() {
            return Ok(());
        }
        open_folders(dir);
    }
    gone(fs::remove_dir_all(dir))
}

/// Makes all folders writable; links are not followed.
fn open_folders(dir: &Path) {
    let mut queue = vec![dir.to_owned()];
    while let Some(dir) = queue.pop() {
        let _ = fs::set_permissions(&dir, fs::Permissions::from_mode(0o700));
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        queue.extend(
            entries
                .flatten()
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

fn random() -> String {
    // A new state is seeded at random, which is all that is needed here.
    hex(&RandomState::new().build_hasher().finish().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_dead_go_and_those_of_the_living_stay() {
        let place = tempfile::tempdir().unwrap();
        let (registry, temporary) = (place.path().join("registry"), place.path().join("tmp"));
        fs::create_dir_all(&temporary).unwrap();
        let living = Workshop::open_in(&registry, &temporary).unwrap();
        // What a killed process leaves: a registration without a lock, and folders that may not be written.
        let dead = temporary.join(format!("{PREFIX}dead"));
        fs::create_dir_all(dead.join("a/b")).unwrap();
        fs::write(dead.join("a/b/c"), "").unwrap();
        fs::set_permissions(dead.join("a/b"), fs::Permissions::from_mode(0o500)).unwrap();
        let register = |name: &str, dir: &Path| {
            fs::write(registry.join(name), dir.as_os_str().as_encoded_bytes()).unwrap();
        };
        register(&format!("{PREFIX}dead"), &dead);
        // A registration never leads to anything else.
        let innocent = temporary.join("innocent");
        fs::create_dir_all(&innocent).unwrap();
        register(&format!("{PREFIX}forged"), &innocent);
        let another = Workshop::open_in(&registry, &temporary).unwrap();
        assert!(!dead.exists() && innocent.exists() && living.dir().exists());
        assert_ne!(living.dir(), another.dir());
        drop((living, another));
        let left: Vec<_> = fs::read_dir(&temporary)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(left, ["innocent"]);
        let registered: Vec<_> = fs::read_dir(&registry)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(registered, ["lock"]);
    }
}
