//! `init`: sets this clone up.

use super::args;
use crate::error::Result;
use crate::exit::Exit;
use crate::model::hooks::Mode;
use crate::ops::init;
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `init`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes .review-gate.toml where there is none, installs the hooks, tells git how to merge our notes, and exchanges notes with the remote. Nothing is committed, nothing else is touched, and running it again changes nothing. Exit code 2 when a part could not be done; the others are done all the same.\n\nExamples:\n  git review-gate init\n  git review-gate init --dry-run"
)]
pub struct Args {
    /// Change nothing, only say what would be done
    #[arg(long)]
    dry_run: bool,
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
        let done = init::run(if self.dry_run { Mode::DryRun } else { Mode::Do })?;
        let exit = if done.is_complete() {
            Exit::Pass
        } else {
            Exit::Undecided
        };
        let text = if self.format.is_json() {
            report::init::json(&done)
        } else {
            report::init::human(&done)
        };
        Ok(Answer::with(exit, text))
    }
}
