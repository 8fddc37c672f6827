//! Shows on standard error that work goes on, once it takes longer than half a second.

use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two pictures.
const TICK: Duration = Duration::from_millis(100);

/// Whether progress may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// On a terminal.
    OnTerminal,
    /// Never: `--quiet`, hooks.
    Off,
}

/// Work in progress; the line on the terminal goes away when this is dropped.
#[derive(Debug)]
#[must_use = "progress ends when this is dropped"]
pub struct Running {
    worker: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts to show `what` (such as `reading history`) after half a second.
    pub fn start(self, what: &'static str) -> Running {
        if self == Self::Off || !std::io::stderr().is_terminal() {
            return Running { worker: None };
        }
        let (ended, end) = mpsc::channel();
        let worker = std::thread::spawn(move || {
            if end.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(what);
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Running {
            worker: Some((ended, worker)),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some((ended, worker)) = self.worker.take() {
            drop(ended);
            // It only draws; a panic in it changes nothing.
            let _ = worker.join();
        }
    }
}
