//! Runs the hook that was there before ours, with the same arguments, environment and bytes.

#![expect(
    clippy::disallowed_methods,
    reason = "the chained hook is a program that is neither git nor ours"
)]

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::files;
use crate::error::{Error, Result};

/// What became of the chained hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chained {
    /// There is none.
    Absent,
    /// There is one that git would not have run either: it is not executable.
    NotExecutable,
    /// It ended with exit code 0.
    Succeeded,
    /// It ended otherwise.
    Failed,
}

/// The number of the error of an executable file without `#!` line, on all Unix systems.
const ENOEXEC: i32 = 8;

/// Runs the hook at `path`, if there is one.
pub fn run(path: &Path, args: &[OsString], stdin: &[u8]) -> Result<Chained> {
    if !files::is_taken(path) {
        return Ok(Chained::Absent);
    }
    if !files::is_program(path) {
        return Ok(Chained::NotExecutable);
    }
    // A bare file name would be looked for on PATH.
    let program = if path.components().count() == 1 {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    };
    let fault = |cause: &std::io::Error| {
        Error::new(
            "chained-hook",
            format!("the hook {} could not be run", path.display()),
        )
        .caused_by(cause)
    };
    let spawned = match Command::new(&program).args(args).stdin(Stdio::piped()).spawn() {
        Err(cause) if cause.raw_os_error() == Some(ENOEXEC) => {
            // Git hands such a file to the shell.
            Command::new("sh")
                .arg(&program)
                .args(args)
                .stdin(Stdio::piped())
                .spawn()
        }
        other => other,
    };
    let mut child = spawned.map_err(|cause| fault(&cause))?;
    if let Some(mut pipe) = child.stdin.take() {
        // A hook need not read what it is given.
        let _ = pipe.write_all(stdin);
    }
    let status = child.wait().map_err(|cause| fault(&cause))?;
    Ok(if status.success() {
        Chained::Succeeded
    } else {
        Chained::Failed
    })
}
