//! Runs a program that is neither git nor ours: an argument array and no shell, in a process group of its own, with a
//! time limit. What it prints is handed on piece by piece, so nothing is kept that the caller does not keep.

#![expect(
    clippy::disallowed_methods,
    reason = "starts the program, and waiting for it is the task"
)]

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::error::{Error, Result};
use crate::model::text::sanitise;

/// How often the clock and our own signals are looked at.
const TICK: Duration = Duration::from_millis(20);

/// What a program has between the request to end and being ended.
const GRACE: Duration = Duration::from_secs(2);

/// How long the output is listened to after the program ended: something that it started may hold it open for ever.
const AFTERWARDS: Duration = Duration::from_millis(300);

/// One call, not started yet.
#[derive(Debug)]
pub struct Call {
    argv: Vec<String>,
    dir: Option<PathBuf>,
    env: Vec<(OsString, Option<OsString>)>,
    stdin: Option<Vec<u8>>,
    errors: Errors,
    timeout: Option<Duration>,
}

/// Where standard error goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// To our own, untouched.
    PassedOn,
    /// To the caller.
    HandedOver,
}

/// Which stream a piece is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// What the caller wants after a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The rest.
    GoOn,
    /// No more: the program is ended.
    Stop,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It took too long; its whole process group was ended.
    Timeout,
    /// The caller had enough; its whole process group was ended.
    Stopped,
    /// We were asked to end by this signal; its whole process group was ended.
    Interrupted(i32),
}

impl Call {
    /// A program with its arguments, here, with our environment and without input.
    pub fn new(argv: &[String]) -> Self {
        Self {
            argv: argv.to_vec(),
            dir: None,
            env: Vec::new(),
            stdin: None,
            errors: Errors::PassedOn,
            timeout: None,
        }
    }

    /// Runs in this directory.
    #[must_use]
    pub fn in_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env
            .push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Takes a variable out of the environment.
    #[must_use]
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), None));
        self
    }

    /// Takes out every variable of git, so that the program works where it is started and nowhere else.
    #[must_use]
    pub fn without_git(mut self) -> Self {
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                self = self.env_remove(name);
            }
        }
        self
    }

    /// Feeds these bytes to standard input; otherwise it is empty.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// Says where standard error goes.
    #[must_use]
    pub fn errors(mut self, errors: Errors) -> Self {
        self.errors = errors;
        self
    }

    /// Ends the whole process group after this time.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Runs to the end and hands over what is printed; an error means that it could not be started.
    pub fn run(mut self, mut each: impl FnMut(Stream, &[u8]) -> Next) -> Result<Ended> {
        let interrupted = Interrupts::listen()?;
        let input = self.stdin.take();
        let mut child = self.spawn(input.is_some())?;
        let group = Pid::from_child(&child);
        if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), input) {
            // A program need not read what it is given.
            thread::spawn(move || pipe.write_all(&bytes));
        }
        let pieces = listen(&mut child);
        let deadline = self.timeout.map(|timeout| Instant::now() + timeout);
        let mut ended: Option<(ExitStatus, Instant)> = None;
        loop {
            let is_over = match pieces.recv_timeout(TICK) {
                Ok((stream, bytes)) => {
                    if each(stream, &bytes) == Next::Stop {
                        end(group, &mut child);
                        return Ok(Ended::Stopped);
                    }
                    false
                }
                Err(RecvTimeoutError::Timeout) => {
                    ended.is_some_and(|(_, since)| since.elapsed() > AFTERWARDS)
                }
                Err(RecvTimeoutError::Disconnected) => {
                    if ended.is_none() {
                        // Both streams are closed; it may go on without them.
                        thread::sleep(Duration::from_millis(1));
                    }
                    ended.is_some()
                }
            };
            if ended.is_none() {
                let status = child.try_wait().map_err(|cause| self.failed(&cause))?;
                ended = status.map(|status| (status, Instant::now()));
            }
            if is_over && let Some((status, _)) = ended {
                return Ok(match (status.code(), status.signal()) {
                    (Some(code), _) => Ended::Code(code),
                    (None, signal) => Ended::Signal(signal.unwrap_or_default()),
                });
            }
            if let Some(signal) = interrupted.signal() {
                end(group, &mut child);
                return Ok(Ended::Interrupted(signal));
            }
            if ended.is_none() && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                end(group, &mut child);
                return Ok(Ended::Timeout);
            }
        }
    }

    fn spawn(&self, has_input: bool) -> Result<Child> {
        let Some((program, args)) = self.argv.split_first() else {
            return Err(Error::new("usage", "there is no command to run"));
        };
        let mut command = Command::new(program);
        command
            .args(args)
            .stdin(if has_input { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(match self.errors {
                Errors::PassedOn => Stdio::inherit(),
                Errors::HandedOver => Stdio::piped(),
            })
            .process_group(0);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.spawn().map_err(|cause| self.failed(&cause))
    }

    fn failed(&self, cause: &std::io::Error) -> Error {
        let program = self.argv.first().map_or("", String::as_str);
        Error::new("start-failed", format!("{} cannot be run", sanitise(program))).caused_by(cause)
    }
}

/// Asks the whole group to end, and ends it when it does not.
fn end(group: Pid, child: &mut Child) {
    // A group that is gone already is what is wanted.
    let _ = kill_process_group(group, Signal::TERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(TICK);
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

type Piece = (Stream, Vec<u8>);

/// Reads the piped streams, each in its own thread so that none can block the other.
fn listen(child: &mut Child) -> Receiver<Piece> {
    let (sender, pieces) = sync_channel(16);
    if let Some(stdout) = child.stdout.take() {
        read(Stream::Out, stdout, sender.clone());
    }
    if let Some(stderr) = child.stderr.take() {
        read(Stream::Err, stderr, sender);
    }
    pieces
}

fn read(stream: Stream, mut from: impl Read + Send + 'static, to: SyncSender<Piece>) {
    thread::spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            // Nobody listens any more once the program is ended.
            if to.send((stream, bytes[..count].to_vec())).is_err() {
                break;
            }
        }
    });
}

/// Notes the signals that ask us to end while a program runs: its group is not ours, so the terminal does not tell it.
#[derive(Debug)]
pub struct Interrupts {
    signal: Arc<AtomicUsize>,
    registered: Vec<signal_hook::SigId>,
}

impl Interrupts {
    /// Listens until it is dropped.
    pub fn listen() -> Result<Self> {
        let signal = Arc::new(AtomicUsize::new(0));
        let mut registered = Vec::new();
        for (number, noted) in [(SIGHUP, 1), (SIGINT, 2), (SIGTERM, 15)] {
            let id = signal_hook::flag::register_usize(number, Arc::clone(&signal), noted)
                .map_err(|cause| Error::new("io", "signals cannot be listened to").caused_by(&cause))?;
            registered.push(id);
        }
        Ok(Self { signal, registered })
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<i32> {
        let signal = self.signal.load(Ordering::Relaxed);
        i32::try_from(signal).ok().filter(|signal| *signal != 0)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Call {
        Call::new(&["sh".to_owned(), "-c".to_owned(), script.to_owned()]).errors(Errors::HandedOver)
    }

    fn ran(call: Call) -> (Ended, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let ended = call
            .run(|stream, bytes| {
                match stream {
                    Stream::Out => out.extend_from_slice(bytes),
                    Stream::Err => err.extend_from_slice(bytes),
                }
                Next::GoOn
            })
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (ended, text(out), text(err))
    }

    #[test]
    fn both_streams_and_the_end_are_seen() {
        let (ended, out, err) = ran(sh("cat; echo no >&2; exit 3").stdin("yes"));
        assert_eq!(
            (ended, out.as_str(), err.as_str()),
            (Ended::Code(3), "yes", "no\n")
        );
        assert_eq!(ran(sh("kill -9 $$")).0, Ended::Signal(9));
        // It neither reads its input nor waits for what it started.
        let (ended, out, _) = ran(sh("sleep 60 & echo done").stdin(vec![b'x'; 1 << 20]));
        assert_eq!((ended, out.as_str()), (Ended::Code(0), "done\n"));
        let error = Call::new(&["no-such-program".to_owned()]).run(|_, _| Next::GoOn);
        assert_eq!(error.unwrap_err().kind, "start-failed");
    }

    #[test]
    fn the_whole_group_is_ended() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let script = format!("(sleep 3; touch {}) & wait", mark.display());
        let started = Instant::now();
        let (ended, ..) = ran(sh(&script).timeout(Duration::from_millis(200)));
        assert_eq!(ended, Ended::Timeout);
        let (ended, ..) =
            ran(sh("trap '' TERM; while :; do sleep 0.1; done").timeout(Duration::from_millis(200)));
        assert_eq!(ended, Ended::Timeout);
        assert!(started.elapsed() < Duration::from_secs(20));
        let stopped = sh("yes").run(|_, _| Next::Stop).unwrap();
        assert_eq!(stopped, Ended::Stopped);
        // By now the first one's child would have left its mark.
        let (ended, ..) = ran(sh("sleep 2"));
        assert_eq!(ended, Ended::Code(0));
        assert!(!mark.exists());
    }
}
