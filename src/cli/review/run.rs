//! `review run`: packet, external reviewer and record in one go.

use super::show::Form;
use crate::error::Result;
use crate::ops::review::run::{self, Request};
use crate::ui::answer::Answer;

/// Arguments of `review run`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The packet goes to the reviewer's standard input, its standard output is the reply. The command is split into\nwords and run without a shell; without --reviewer it is that of the policy at the base, never the branch's own.\n\nExit codes: 0 all pass, 1 stored and not all pass, 2 nothing was stored.\n\nExamples:\n  git review-gate review run\n  git review-gate review run --reviewer \"reviewer --model 'large one'\" --attempts 2"
)]
pub(super) struct Args {
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// The command line of the reviewer
    #[arg(long, value_name = "CMD")]
    reviewer: Option<String>,
    /// How many empty replies end the run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    attempts: Option<u32>,
    #[command(flatten)]
    form: Form,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.form.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let shown = run::run(&Request {
            review: self.review,
            reviewer: self.reviewer,
            attempts: self.attempts,
        })?;
        Ok(self.form.stored(shown))
    }
}
