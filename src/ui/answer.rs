//! What a command has to say, complete before anything is printed.

use crate::exit::Exit;

/// What a command has to say, complete before anything is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What was decided.
    pub exit: Exit,
    /// The answer itself, for standard output; long ones go through the pager on a terminal.
    pub stdout: String,
    /// What belongs on standard error besides warnings: a hook's failures.
    pub stderr: String,
    /// Each is printed to standard error as `warning: …`, whatever the format.
    pub warnings: Vec<String>,
}

impl Answer {
    /// Done, with this on standard output.
    pub fn done(stdout: impl Into<String>) -> Self {
        Self::with(Exit::Pass, stdout)
    }

    /// An answer with this exit code and this on standard output.
    pub fn with(exit: Exit, stdout: impl Into<String>) -> Self {
        Self {
            exit,
            stdout: stdout.into(),
            stderr: String::new(),
            warnings: Vec::new(),
        }
    }
}
