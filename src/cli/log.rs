//! `log`: the audit trail.

use super::args::Format;
use crate::error::Result;
use crate::ops::log;
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `log`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "JSON is JSON Lines: one object an event.\n\nExamples:\n  git review-gate log\n  git review-gate log main..topic\n  git review-gate log --json | jq .event.kind"
)]
pub struct Args {
    /// The id of a review, or a range of commits; default: everything
    #[arg(value_name = "REVIEW|RANGE")]
    scope: Option<String>,
    #[command(flatten)]
    format: Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Prints it, newest first.
    pub fn run(self) -> Result<Answer> {
        let entries = log::log(self.scope.as_deref())?;
        let json = self.format.is_json();
        Ok(Answer::done(if json {
            report::log::json_lines(&entries)
        } else {
            report::log::human(&entries)
        }))
    }
}
