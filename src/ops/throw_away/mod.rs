//! Throw-away folders with the files of a commit, for commands that must not see or change the real work tree.

pub mod checkout;
pub mod workshop;

use crate::error::Error;

/// Why a command that runs others ended early.
pub fn interrupted(kept: &str) -> Error {
    Error::new(
        "interrupted",
        format!("interrupted; what was made was removed, and {kept}"),
    )
    .hint("run it again")
}
