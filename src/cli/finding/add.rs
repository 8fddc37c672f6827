//! `finding add` and `finding reject`.

use std::path::PathBuf;

use crate::cli::args::FormatOnly;
use crate::error::{Error, Result};
use crate::model::outcome::finding::Added;
use crate::ops::finding::add::{self, Place, Request};
use crate::report::finding as report;
use crate::ui::answer::Answer;
use crate::ui::input;

/// Arguments of `finding add`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate finding add --origin qa --severity major --file src/api.rs:88 \\\n      --expected \"429 on request 101\" --actual \"request 100 also gets 429\"\n  git review-gate finding add --origin pr_gate --json findings.json\n\nThe JSON is a list of one to ten objects with severity, expected, actual and optionally\nfile, line, criterion, fix, evidence; or an object with that list as \"findings\"."
)]
pub struct Add {
    /// The review it belongs to; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// In whose name: qa, `pr_gate`, pm, ceo, or one that the policy adds
    #[arg(long, value_name = "NAME")]
    origin: String,
    /// The commit under review; default: HEAD
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// One to ten findings from a JSON file, or from standard input with -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["severity", "expected", "actual", "file", "line", "criterion", "fix", "evidence"])]
    json: Option<PathBuf>,
    /// How bad it is: blocker, major, minor or nit
    #[arg(long, required_unless_present = "json")]
    severity: Option<String>,
    /// What should be, in one line of at most 300 characters
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        required_unless_present = "json"
    )]
    expected: Option<String>,
    /// What is, in one line of at most 300 characters
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        required_unless_present = "json"
    )]
    actual: Option<String>,
    /// Where: a path from the top of the repository, with :LINE if you like
    #[arg(long, value_name = "FILE[:LINE]")]
    file: Option<String>,
    /// The line, counted from 1
    #[arg(long, value_name = "N", requires = "file")]
    line: Option<u64>,
    /// The criterion of the review that it breaks, by id or text
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    criterion: Option<String>,
    /// The change that would mend it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    fix: Option<String>,
    /// A verbatim excerpt that shows it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    evidence: Option<String>,
    /// Accept a file that neither the commit nor its base has
    #[arg(long)]
    allow_missing_file: bool,
    #[command(flatten)]
    pub(super) format: FormatOnly,
}

impl Add {
    /// Files the findings.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let place = Place {
            review: self.review,
            commit: self.commit,
            origin: self.origin,
            allow_missing_file: self.allow_missing_file,
        };
        let request = match self.json {
            Some(file) => Request::Json(input::read(&file)?),
            None => Request::Flags(Box::new(add::Flags {
                severity: self
                    .severity
                    .ok_or_else(|| Error::new("usage", "--severity is missing"))?,
                expected: self
                    .expected
                    .ok_or_else(|| Error::new("usage", "--expected is missing"))?,
                actual: self
                    .actual
                    .ok_or_else(|| Error::new("usage", "--actual is missing"))?,
                file: self.file,
                line: self.line,
                criterion: self.criterion,
                fix: self.fix,
                evidence: self.evidence,
            })),
        };
        let added = add::add(&place, request)?;
        Ok(answer(&added, json))
    }
}

/// Arguments of `finding reject`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate finding reject --reason \"the price page still shows the old price\""
)]
pub struct Reject {
    /// Why the change is not signed off
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: String,
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// The commit under review; default: HEAD
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    #[command(flatten)]
    pub(super) format: FormatOnly,
}

impl Reject {
    /// Files the rejection.
    pub fn run(self) -> Result<Answer> {
        let place = Place {
            review: self.review,
            commit: self.commit,
            origin: "ceo".to_owned(),
            allow_missing_file: false,
        };
        let added = add::add(&place, Request::Reject(self.reason))?;
        Ok(answer(&added, self.format.is_json()))
    }
}

fn answer(added: &Added, json: bool) -> Answer {
    let text = if json {
        report::json::added(added)
    } else {
        report::added(added)
    };
    Answer {
        warnings: added.warnings.clone(),
        ..Answer::done(text)
    }
}
