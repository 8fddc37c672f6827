//! What is kept of a command's output while it passes: digests, the beginning for counting, and the end.

#![expect(
    clippy::disallowed_methods,
    reason = "the environment says what is secret, and how long a command takes is measured here"
)]

use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::error::Result;
use crate::model::ids::Digest;
use crate::ops::child::{Call, Ended, Errors, Next, Stream};
use crate::review::evidence::tail::{Secrets, Tail};
use crate::review::evidence::tests::MAX_READ;

/// Where output goes on to while it is captured.
pub type Sink<'a> = &'a mut dyn FnMut(Stream, &[u8]);

/// What a command printed and how long it took.
pub(super) struct Captured {
    pub(super) ended: Ended,
    pub(super) took: Duration,
    pub(super) stdout: Kept,
    pub(super) stderr: Kept,
    pub(super) tail: String,
}

/// What is kept of one stream.
#[derive(Default)]
pub(super) struct Kept {
    hash: Sha256,
    /// The beginning, one byte more than is parsed.
    pub(super) beginning: Vec<u8>,
}

impl Kept {
    fn push(&mut self, piece: &[u8]) {
        self.hash.update(piece);
        let room = (MAX_READ + 1).saturating_sub(self.beginning.len());
        self.beginning.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// The SHA-256 of the whole stream.
    pub(super) fn digest(&self) -> Digest {
        Digest(self.hash.clone().finalize().into())
    }
}

/// The values of this process's environment that must not be kept.
pub(super) fn secrets() -> Secrets {
    let variables: Vec<_> = std::env::vars_os().collect();
    Secrets::of(
        variables
            .iter()
            .map(|(name, value)| (name.as_bytes(), value.as_bytes())),
    )
}

/// Runs the command to its end; every piece is handed on at once.
pub(super) fn run(call: Call, secrets: Secrets, pass_on: Sink<'_>) -> Result<Captured> {
    let mut tail = Tail::new(secrets);
    let (mut stdout, mut stderr) = (Kept::default(), Kept::default());
    let started = Instant::now();
    let ended = call.errors(Errors::HandedOver).run(|stream, piece| {
        pass_on(stream, piece);
        tail.push(piece);
        match stream {
            Stream::Out => stdout.push(piece),
            Stream::Err => stderr.push(piece),
        }
        Next::GoOn
    })?;
    Ok(Captured {
        ended,
        took: started.elapsed(),
        stdout,
        stderr,
        tail: tail.text(),
    })
}
