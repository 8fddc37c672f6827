//! Files that are written under a temporary name, flushed to the disk, and only then given their own.
#![expect(
    clippy::disallowed_methods,
    reason = "one of the homes of file writes: objects and refs"
)]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Files that have not got their names yet: where each is, and what it is to be called.
///
/// What is left over when something fails is removed; `git gc` would do so as well.
#[derive(Default)]
pub(super) struct Temporaries(Vec<(PathBuf, File, PathBuf)>);

impl Temporaries {
    /// Takes a file that is to be called `path` in the end.
    pub(super) fn add(&mut self, temporary: PathBuf, file: File, path: PathBuf) -> &mut File {
        self.0.push((temporary, file, path));
        &mut self.0.last_mut().expect("one was pushed").1
    }

    /// Makes all of them read-only, flushes them and `also` at the same time, and gives them their names in order.
    /// `name` may still change what each is called.
    pub(super) fn finish(mut self, also: &[&File], name: impl Fn(&Path) -> PathBuf) -> io::Result<()> {
        for (_, file, _) in &self.0 {
            let mut permissions = file.metadata()?.permissions();
            permissions.set_readonly(true);
            file.set_permissions(permissions)?;
        }
        let files: Vec<&File> = self
            .0
            .iter()
            .map(|(_, file, _)| file)
            .chain(also.iter().copied())
            .collect();
        sync_all(&files)?;
        self.0.reverse();
        while let Some((temporary, _, path)) = self.0.last() {
            let path = name(path);
            match fs::create_dir(path.parent().expect("an object lies in a directory")) {
                Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(cause),
                _ => fs::rename(temporary, path)?,
            }
            self.0.pop();
        }
        Ok(())
    }
}

impl Drop for Temporaries {
    fn drop(&mut self) {
        for (path, _, _) in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// Flushes files to the disk at the same time: the journal of a file system takes them together.
fn sync_all(files: &[&File]) -> io::Result<()> {
    match files {
        [] => Ok(()),
        [only] => only.sync_all(),
        [first, others @ ..] => thread::scope(|scope| {
            let others: Vec<_> = others
                .iter()
                .map(|file| scope.spawn(|| file.sync_all()))
                .collect();
            let mut synced = first.sync_all();
            for other in others {
                synced = synced.and(other.join().expect("flushing does not panic"));
            }
            synced
        }),
    }
}

/// A new file of a name that nobody else uses, `prefix_…` as git names those that it may clean up.
pub(super) fn temporary(dir: &Path, prefix: &str) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let n = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = dir.join(format!("{prefix}_{}_{n}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            // A process of the same number died here before.
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
            Err(cause) => return Err(cause),
        }
    }
}
