//! `evidence prove`: show that a test fails without the change and passes with it.

use std::time::Duration;

use super::super::Context;
use super::super::args::Format;
use crate::error::Result;
use crate::model::witness::ProofResult;
use crate::ops::evidence::prove::{self, BuildFailure};
use crate::report::evidence as report;
use crate::ui::answer::Answer;
use crate::ui::streams;

/// Arguments of `evidence prove`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The test files of HEAD are laid over the base, and the command runs there and on HEAD, in throw-away\nfolders below the temporary folder. The work tree, the index and HEAD stay as they are. Files that git\nignores, such as installed packages, are not in these folders: let the command install them.\n\nExit codes: 0 proven, 1 not proven, 2 nothing was recorded.\n\nExamples:\n  git review-gate evidence prove --test tests/limits.rs -- cargo test --test limits\n  git review-gate evidence prove --test \"python -m pytest tests\" -n 5"
)]
pub struct Prove {
    /// What the change is compared with; default: the base of the review
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// A test file or folder of HEAD to lay over the base, or, without -- CMD, the command line; may be repeated.
    /// Without a file all test files that the change adds or touches are taken
    #[arg(long, value_name = "PATH|CMD")]
    test: Vec<String>,
    /// How many runs a side
    #[arg(short, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    n: u32,
    /// End a run, and all that it started, after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: u64,
    /// Take a base that does not even build for a proof, under its own name
    #[arg(long)]
    allow_build_failure: bool,
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    #[command(flatten)]
    pub(super) format: Format,
    /// The program and its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

impl Prove {
    /// Runs both sides and records.
    pub fn run(self, context: &Context) -> Result<Answer> {
        let json = self.format.is_json();
        let quiet = context.quiet;
        let request = prove::Request {
            review: self.review,
            base: self.base,
            tests: self.test,
            n: self.n,
            timeout: Duration::from_secs(self.timeout),
            build_failure: if self.allow_build_failure {
                BuildFailure::Allowed
            } else {
                BuildFailure::Refused
            },
            argv: self.command,
        };
        let proved = prove::prove(&request, &mut |_, piece| {
            if !quiet {
                streams::pass_err(piece);
            }
        })?;
        let text = if json {
            report::proved_json(&proved)
        } else {
            report::proved(&proved)
        };
        let proven = proved.body.result != ProofResult::NotProven;
        Ok(super::answer(proven, text, proved.warnings))
    }
}
