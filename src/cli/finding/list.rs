//! `finding list` and `finding show`.

use crate::cli::args::Format;
use crate::error::Result;
use crate::model::finding::State;
use crate::model::severity::Severity;
use crate::ops::finding::list::{self, Filter};
use crate::report::finding as report;
use crate::ui::answer::Answer;

/// Arguments of `finding list`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without RANGE or REVIEW: what the gate sees for the current branch.\n\nExamples:\n  git review-gate finding list\n  git review-gate finding list --status open --severity blocker\n  git review-gate finding list main..topic --format json"
)]
pub struct List {
    /// A range of commits (BASE..HEAD), or the id of a review
    #[arg(value_name = "RANGE|REVIEW")]
    scope: Option<String>,
    /// Only these states: open, addressed, waived, verified
    #[arg(long, value_name = "STATE", value_delimiter = ',')]
    status: Vec<State>,
    /// Only findings of these origins
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    origin: Vec<String>,
    /// Only these severities
    #[arg(long, value_name = "SEVERITY", value_delimiter = ',')]
    severity: Vec<Severity>,
    /// Every finding of the ledger, whatever its branch
    #[arg(long, conflicts_with = "scope")]
    all: bool,
    #[command(flatten)]
    pub(super) format: Format,
}

impl List {
    /// Lists them.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let filter = Filter {
            scope: self.scope,
            states: self.status,
            origins: self.origin,
            severities: self.severity,
            all: self.all,
        };
        let listed = list::list(&filter)?;
        let text = if json {
            report::json::list(&listed)
        } else {
            report::list(&listed)
        };
        Ok(Answer::done(text))
    }
}

/// Arguments of `finding show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git review-gate finding show F-a1b2c3d4")]
pub struct Show {
    /// The finding: any unambiguous beginning of its id, at least 4 digits
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Show {
    /// Shows it.
    pub fn run(self) -> Result<Answer> {
        let shown = list::show(&self.id)?;
        let json = self.format.is_json();
        Ok(Answer::done(if json {
            report::json::show(&shown)
        } else {
            report::show(&shown)
        }))
    }
}
