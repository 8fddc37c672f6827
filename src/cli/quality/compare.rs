//! `quality compare`.

use crate::cli::args::Format;
use crate::ops::quality::compare as ops;
use crate::report::quality as report;
use crate::ui::answer::Answer;

/// Arguments of `quality compare`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reports, inputs, or revisions with a record; file:… and rev:… say which.\n\nExamples:\n  git review-gate quality compare before.json after.json\n  git review-gate quality compare v1.1.0 HEAD --max-score-drop 0"
)]
pub(super) struct Args {
    /// The baseline
    #[arg(value_name = "A")]
    baseline: String,
    /// What is compared with it
    #[arg(value_name = "B")]
    current: String,
    /// The largest drop of a score that is tolerated, 0 to 3; default: that of the policy
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    max_score_drop: Option<String>,
    #[command(flatten)]
    format: Format,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    pub(super) fn run(self) -> Answer {
        let compared = ops::run(&self.baseline, &self.current, self.max_score_drop.as_deref());
        let text = if self.format.is_json() {
            compared.to_text()
        } else {
            report::compared(&compared)
        };
        Answer::with(ops::exit(&compared), text)
    }
}
