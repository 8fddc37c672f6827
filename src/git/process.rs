//! Runs the git program: argument arrays, no shell, no prompt, a time limit, and its output bounded.

#![expect(
    clippy::disallowed_methods,
    reason = "the home of the git program, and waiting for it is the task"
)]

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::model::text::sanitise_bytes;

/// The most bytes that are taken from one output stream; more is an error.
const MAX_OUTPUT: u64 = 1 << 30;

/// The variables that tie a git process to one repository, as `git rev-parse --local-env-vars` lists them.
const LOCAL_VARIABLES: [&str; 18] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_REFERENCE_BACKEND",
    "GIT_QUARANTINE_PATH",
];

/// One call of the git program, not started yet.
#[derive(Debug)]
pub struct Git {
    args: Vec<OsString>,
    dir: Option<PathBuf>,
    env: Vec<(OsString, Option<OsString>)>,
    timeout: Option<Duration>,
    input: Vec<u8>,
}

/// What a finished call left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Output {
    /// Whether the exit code is 0.
    pub const fn success(&self) -> bool {
        matches!(self.code, Some(0))
    }

    /// Standard error as one safe line, at most 2,000 characters.
    pub fn error_text(&self) -> String {
        let text = self.stderr.trim_ascii();
        let lines: Vec<_> = text
            .split(|byte| *byte == b'\n')
            .map(|line| sanitise_bytes(line.trim_ascii()))
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("; ").chars().take(2000).collect()
    }
}

impl Git {
    /// `git` with these arguments, in the current directory and environment, without prompts.
    pub fn new<I, S>(args: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        Self {
            args: args.into_iter().map(|arg| arg.as_ref().to_owned()).collect(),
            dir: None,
            env: vec![
                ("GIT_TERMINAL_PROMPT".into(), Some("0".into())),
                ("GCM_INTERACTIVE".into(), Some("never".into())),
                // Messages are compared and shown: keep them in one language.
                ("LC_ALL".into(), Some("C".into())),
                ("GIT_OPTIONAL_LOCKS".into(), Some("0".into())),
            ],
            timeout: None,
            input: Vec::new(),
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
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Takes a variable out of the environment.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.env.push((name.into(), None));
        self
    }

    /// Forgets which repository this process works in, for calls in another one.
    #[must_use]
    pub fn without_local_environment(mut self) -> Self {
        self.env.extend(LOCAL_VARIABLES.map(|name| (name.into(), None)));
        self
    }

    /// Ends the call after this time; that is an error of kind `timeout`.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Feeds these bytes to standard input; otherwise it is empty.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Runs to the end, whatever the exit code.
    pub fn run(self) -> Result<Output> {
        let shown = self.shown();
        let limit = self.timeout;
        let mut child = self.spawn(&shown)?;
        let started = Instant::now();
        let (stdout, stderr) = match collect(&mut child, self.input, limit) {
            Ok(streams) => streams,
            Err(failure) => {
                // Killing fails only when it has already ended.
                let _ = child.kill();
                let _ = child.wait();
                return Err(failure.into_error(&shown, limit));
            }
        };
        let code = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status.code(),
                Ok(None) if limit.is_some_and(|limit| started.elapsed() > limit) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(Failure::Timeout.into_error(&shown, limit));
                }
                // Both streams are closed: it is about to end.
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(cause) => return Err(Failure::Io(cause).into_error(&shown, limit)),
            }
        };
        Ok(Output { code, stdout, stderr })
    }

    /// Runs to the end and returns standard output; any exit code but 0 is an error that quotes standard error.
    pub fn run_ok(self) -> Result<Vec<u8>> {
        let shown = self.shown();
        let output = self.run()?;
        if output.success() {
            return Ok(output.stdout);
        }
        let code = output
            .code
            .map_or("a signal".to_owned(), |code| format!("code {code}"));
        Err(Error::new("git-failed", format!("{shown} ended with {code}")).because(output.error_text()))
    }

    /// The command as people would type it, for messages.
    fn shown(&self) -> String {
        let mut text = String::from("git");
        for arg in &self.args {
            text.push(' ');
            text.push_str(&sanitise_bytes(arg.as_encoded_bytes()));
        }
        text
    }

    fn spawn(&self, shown: &str) -> Result<Child> {
        let mut command = Command::new("git");
        command
            .args(&self.args)
            .stdin(if self.input.is_empty() {
                Stdio::null()
            } else {
                Stdio::piped()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        for (name, value) in &self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.spawn().map_err(|cause| {
            Error::new("git-failed", format!("{shown} could not be started"))
                .caused_by(&cause)
                .hint("git --version")
        })
    }
}

/// Why the output of a call could not be collected.
enum Failure {
    Timeout,
    TooMuch,
    Io(std::io::Error),
}

impl Failure {
    fn into_error(self, shown: &str, limit: Option<Duration>) -> Error {
        match self {
            Self::Timeout => Error::new(
                "timeout",
                format!(
                    "{shown} took longer than {} s",
                    limit.unwrap_or_default().as_secs()
                ),
            ),
            Self::TooMuch => Error::new(
                "git-failed",
                format!("{shown} printed more than {MAX_OUTPUT} bytes"),
            ),
            Self::Io(cause) => {
                Error::new("git-failed", format!("{shown} could not be listened to")).caused_by(&cause)
            }
        }
    }
}

/// Feeds standard input and reads both streams to their end, each in its own thread so that none can block another.
fn collect(
    child: &mut Child,
    input: Vec<u8>,
    limit: Option<Duration>,
) -> Result<(Vec<u8>, Vec<u8>), Failure> {
    if let Some(mut stdin) = child.stdin.take() {
        // A child that ends without reading all of its input is judged by its exit code.
        thread::spawn(move || stdin.write_all(&input));
    }
    let (sender, finished) = mpsc::channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|stream| Box::new(stream) as _),
        child.stderr.take().map(|stream| Box::new(stream) as _),
    ];
    for (index, stream) in streams.into_iter().enumerate() {
        let stream = stream.expect("both streams are piped and not taken yet");
        let sender = sender.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = stream.take(MAX_OUTPUT + 1).read_to_end(&mut bytes);
            // Nobody listens any more once the time is up.
            let _ = sender.send((index, read.map(|_| bytes)));
        });
    }
    let started = Instant::now();
    let mut collected = [Vec::new(), Vec::new()];
    for _ in 0..2 {
        let received = match limit {
            None => finished.recv().map_err(|_| Failure::Timeout),
            Some(limit) => finished
                .recv_timeout(limit.saturating_sub(started.elapsed()))
                .map_err(|_| Failure::Timeout),
        };
        let (index, read) = received?;
        let bytes = read.map_err(Failure::Io)?;
        if bytes.len() as u64 > MAX_OUTPUT {
            return Err(Failure::TooMuch);
        }
        collected[index] = bytes;
    }
    let [stdout, stderr] = collected;
    Ok((stdout, stderr))
}
