//! `fsck`: examines the ledger, and repairs it.

use super::args;
use crate::error::Result;
use crate::exit::Exit;
use crate::ops::fsck::{self, Action};
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `fsck`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 1 when something is wrong. --repair takes lines only from the history of the ref and from what it was seen to hold. --discard sets a corrupt line aside by an event that says who did it and why; nothing is deleted.\n\nExamples:\n  git review-gate fsck\n  git review-gate fsck --repair\n  git review-gate fsck --discard 5f2c… --reason \"written by a broken script\""
)]
pub struct Args {
    /// Put back what is lost, and join what lies apart
    #[arg(long, conflicts_with = "discard")]
    repair: bool,
    /// Set aside the corrupt line, or the note over a limit, with this digest
    #[arg(long, value_name = "DIGEST", requires = "reason")]
    discard: Option<String>,
    /// Why it may be set aside
    #[arg(long, value_name = "TEXT", requires = "discard")]
    reason: Option<String>,
    #[command(flatten)]
    format: args::Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Does it.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let action = match (self.discard, self.reason) {
            (Some(digest), Some(reason)) => Action::Discard { digest, reason },
            _ if self.repair => Action::Repair,
            _ => Action::Examine,
        };
        let found = fsck::run(&action)?;
        let exit = if found.is_sound() {
            Exit::Pass
        } else {
            Exit::Blocked
        };
        let text = if json {
            report::fsck::json(&found)
        } else {
            report::fsck::human(&found)
        };
        Ok(Answer::with(exit, text))
    }
}
