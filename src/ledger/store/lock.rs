//! The advisory lock that lets local writers take turns. Without it they are only slower, never wrong.
#![expect(
    clippy::disallowed_methods,
    reason = "the lock is a file, and waiting for it is the task"
)]

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// An open file whose lock is given back when this is dropped, or by the system when the process dies.
///
/// Closing the file would not do: a program that another thread is just starting has a copy of every open file until
/// it runs, and with it the lock.
#[derive(Debug)]
pub(super) struct Locked(pub(super) File);

impl Drop for Locked {
    fn drop(&mut self) {
        // Then closing it has to do.
        let _ = self.0.unlock();
    }
}

/// The turn of this process; given up when dropped, or by the system when the process dies.
#[derive(Debug)]
pub struct Turn {
    _file: Locked,
}

impl Turn {
    /// Waits until it is this process's turn, at most until `deadline`.
    ///
    /// `None` when others took all of that time, or the file system has no locks: then one writes without a turn.
    pub fn take(dir: &Path, deadline: Instant) -> Option<Self> {
        fs::create_dir_all(dir).ok()?;
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(dir.join("lock"))
            .ok()?;
        match file.try_lock() {
            Ok(()) => return Some(Self { _file: Locked(file) }),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return None,
        }
        // Waiting in the system keeps an order among many, which asking again and again does not. It cannot be
        // interrupted, so a thread of its own waits; when it comes too late, dropping the file gives the turn back.
        let (sender, turn) = mpsc::channel();
        thread::spawn(move || {
            if file.lock().is_ok() {
                let _ = sender.send(Locked(file));
            }
        });
        let left = deadline.saturating_duration_since(Instant::now());
        turn.recv_timeout(left).ok().map(|file| Self { _file: file })
    }
}

/// A random part of `longest`, between half and all of it: writers that met once shall not meet again.
pub fn jitter(longest: Duration) -> Duration {
    // A new state is seeded at random, which is all that is needed here.
    let random = RandomState::new().build_hasher().finish();
    let half = longest / 2;
    half + half.mul_f64(f64::from(u32::try_from(random >> 32).expect("32 bits remain")) / f64::from(u32::MAX))
}
