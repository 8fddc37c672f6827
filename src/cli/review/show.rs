//! `review show`, and how `record`, `run` and `rule` answer: with what stands.

use clap::ValueEnum;

use crate::error::Result;
use crate::exit::Exit;
use crate::model::outcome::review::{Basis, Shown};
use crate::ops::review::show::{self, Request};
use crate::report::review::show as report;
use crate::ui::answer::Answer;

/// Arguments of `review show`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What stands for a dimension is the worst verdict of all records that count and are not superseded, until a\nperson rules. inconclusive is shown as needs-human.\n\nExit codes: 0 all pass, 1 not all pass, 2 no record counts.\n\nExamples:\n  git review-gate review show\n  git review-gate review show topic~1 --format json\n  git review-gate review show --format markdown > review.md"
)]
pub(super) struct Args {
    /// The commit; default: HEAD
    #[arg(value_name = "REV")]
    rev: Option<String>,
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    #[command(flatten)]
    form: Form,
}

/// How an answer is printed.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Form {
    /// How to print the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// A table for a forge
    Markdown,
}

impl Form {
    pub(super) fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    /// The answer with this exit code.
    fn answer(&self, shown: Shown, exit: Exit) -> Answer {
        let text = if self.is_json() {
            report::json(&shown)
        } else if self.format == Format::Markdown {
            report::markdown(&shown)
        } else {
            report::human(&shown)
        };
        Answer {
            warnings: shown.warnings,
            ..Answer::with(exit, text)
        }
    }

    /// The answer to a command that wrote something: it is stored, whether or not all pass.
    pub(super) fn stored(&self, shown: Shown) -> Answer {
        let exit = if shown.all_pass { Exit::Pass } else { Exit::Blocked };
        self.answer(shown, exit)
    }
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.form.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let shown = show::show(&Request {
            review: self.review,
            rev: self.rev,
        })?;
        let exit = match shown.basis {
            Basis::None | Basis::Stale | Basis::Invalid => Exit::Undecided,
            Basis::Counting if shown.all_pass => Exit::Pass,
            Basis::Counting => Exit::Blocked,
        };
        Ok(self.form.answer(shown, exit))
    }
}
