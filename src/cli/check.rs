//! `check`: judge the checked-out branch, a revision or a range.

use clap::ValueEnum;

use crate::error::Result;
use crate::ops::check::{self, Request};
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 may pass, 1 blocked, 2 not decided.\n\nExamples:\n  git review-gate check\n  git review-gate check origin/main..HEAD --format json\n  git review-gate check --ref refs/heads/main --branch topic --format github"
)]
pub struct Args {
    /// A range, or a revision; default: HEAD against the base that the gate finds
    #[arg(value_name = "BASE..HEAD|REV")]
    scope: Option<String>,
    /// Judge by the gate of this ref; default: that of the checked-out branch
    #[arg(long = "ref", value_name = "REF")]
    ref_name: Option<String>,
    /// Whose reviews are meant, where the gate of another ref is asked for
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// How to print the decision
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    format: Format,
    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How a decision is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// One JSON object.
    Json,
    /// Workflow annotations on file and line, and a summary table.
    Github,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    /// Judges.
    pub fn run(self) -> Result<Answer> {
        let json = self.wants_json();
        let request = Request {
            scope: self.scope,
            ref_name: self.ref_name,
            branch: self.branch,
        };
        let decision = check::check(&request)?;
        let text = match self.format {
            _ if json => report::decision_json::json(&decision),
            Format::Github => report::github::github(&decision),
            _ => report::decision::human(&decision),
        };
        Ok(Answer::with(decision.outcome().into(), text))
    }
}
