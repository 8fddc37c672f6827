//! `status`: what stands between the checked-out branch and its gate.

use super::args::Format;
use crate::error::Result;
use crate::exit::Exit;
use crate::model::decision::Overall;
use crate::ops::status;
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `status`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code 0 whatever it reports, 2 when the gate could not be decided.\n\nExamples:\n  git review-gate status\n  git review-gate status --json"
)]
pub struct Args {
    #[command(flatten)]
    format: Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Reports it.
    pub fn run(self) -> Result<Answer> {
        let status = status::status()?;
        let exit = match status.decision.outcome() {
            Overall::Undecided => Exit::Undecided,
            Overall::Pass | Overall::Blocked => Exit::Pass,
        };
        let json = self.format.is_json();
        let text = if json {
            report::status::json(&status)
        } else {
            report::status::human(&status)
        };
        Ok(Answer::with(exit, text))
    }
}
