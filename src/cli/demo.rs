//! `demo`: a throw-away repository that shows the whole way, from a blocked push to the push through.

use std::path::PathBuf;

use crate::error::Result;
use crate::exit::Exit;
use crate::ops::demo;
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 0 only if every step came out as it should. Uses no network.\n\nExamples:\n  git review-gate demo\n  git review-gate demo --keep /tmp/review-gate-demo"
)]
pub struct Args {
    /// Keep the repositories in this folder, which must be empty or absent
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl Args {
    /// Runs every step and tells what came of it.
    pub fn run(self) -> Result<Answer> {
        let transcript = demo::run(self.keep.as_deref())?;
        let exit = if transcript.is_as_expected() {
            Exit::Pass
        } else {
            Exit::Blocked
        };
        Ok(Answer::with(exit, report::demo::human(&transcript)))
    }
}
