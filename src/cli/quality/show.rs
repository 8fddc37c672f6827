//! `quality show`.

use crate::cli::args::Format;
use crate::error::Result;
use crate::ops::quality::show as ops;
use crate::report::quality::{self as report, Which};
use crate::ui::answer::Answer;

/// Arguments of `quality show`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The latest record counts; of several made at once without knowing of each other, a blocked one.\nExit code 2 where it is BLOCKED or there is none.\n\nExamples:\n  git review-gate quality show\n  git review-gate quality show v1.2.0 --all"
)]
pub(super) struct Args {
    /// The commit; default: HEAD
    #[arg(value_name = "REV")]
    revision: Option<String>,
    /// Every record, the earliest first; * marks the one that counts
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    format: Format,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let records = ops::run(self.revision.as_deref())?;
        let which = if self.all { Which::All } else { Which::Counting };
        let text = if self.format.is_json() {
            report::shown_json(&records, which)
        } else {
            report::shown(&records, which)
        };
        Ok(Answer::with(ops::exit(&records), text))
    }
}
