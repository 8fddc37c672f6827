//! Exit codes: what a command decided, fixed before the first byte is printed.

use std::process::ExitCode;

/// What a command came to. An [`crate::error::Error`] is [`Exit::Undecided`], or
/// [`Exit::Interrupted`] where its kind says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: decided, may pass; or the command is done.
    Pass,
    /// 1: decided, blocked; or the checked thing fails.
    Blocked,
    /// 2: not decided: usage, configuration, unreadable state, race lost, I/O.
    Undecided,
    /// 130: a signal asked us to end before the work was done.
    Interrupted,
}

impl Exit {
    /// What an error comes to.
    pub fn of(error: &crate::error::Error) -> Self {
        if error.kind == "interrupted" {
            Self::Interrupted
        } else {
            Self::Undecided
        }
    }

    /// The number that the process returns.
    pub const fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Blocked => 1,
            Self::Undecided => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
