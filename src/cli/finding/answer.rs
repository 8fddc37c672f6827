//! `finding resolve`, `finding verify` and `finding pass`.

use std::path::PathBuf;

use crate::cli::args::{Format, FormatOnly};
use crate::error::Result;
use crate::exit::Exit;
use crate::model::outcome::Said;
use crate::model::outcome::finding::Passed;
use crate::ops::finding::confirm;
use crate::ops::finding::resolve::{self, Request};
use crate::report::finding as report;
use crate::ui::answer::Answer;
use crate::ui::input;

/// Arguments of `finding resolve`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate finding resolve F-a1b2c3d4\n  git review-gate finding resolve F-a1b2=HEAD~1 F-c3d4 --note \"limit is exclusive now\"\n  git review-gate finding resolve --again\n\nThe JSON is a list of {\"finding_id\", \"commit\", \"note\"}; commit and note may be left out."
)]
pub struct Resolve {
    /// Findings, each with the commit that mends it; default: HEAD
    #[arg(value_name = "ID[=COMMIT]", required_unless_present_any = ["json", "again"])]
    ids: Vec<String>,
    /// A remark that is kept with the answer
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    note: Option<String>,
    /// Answers from a JSON file, or from standard input with -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ids", "again", "note"])]
    json: Option<PathBuf>,
    /// Repeat your own answers that a rewrite cut off, for HEAD
    #[arg(long, conflicts_with = "ids")]
    again: bool,
    #[command(flatten)]
    pub(super) format: FormatOnly,
}

impl Resolve {
    /// Answers them.
    pub fn run(self) -> Result<Answer> {
        let request = match self.json {
            Some(file) => Request::Json(input::read(&file)?),
            None if self.again => Request::Again { note: self.note },
            None => Request::Ids {
                ids: self.ids,
                note: self.note,
            },
        };
        let resolved = resolve::resolve(request)?;
        let json = self.format.is_json();
        let text = if json {
            report::json::resolved(&resolved)
        } else {
            report::resolved(&resolved)
        };
        Ok(Answer {
            warnings: resolved.warnings,
            ..Answer::done(text)
        })
    }
}

/// Arguments of `finding verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git review-gate finding verify F-a1b2c3d4")]
pub struct Verify {
    /// Findings whose answers hold
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Verify {
    /// Confirms them.
    pub fn run(self) -> Result<Answer> {
        let verified = confirm::verify(&self.ids)?;
        let text = if self.format.is_json() {
            report::json::confirmed(&verified.outcome)
        } else {
            report::confirmed(&verified.outcome)
        };
        Ok(Answer {
            warnings: verified.warnings,
            ..Answer::done(text)
        })
    }
}

/// Arguments of `finding pass`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Refuses with exit code 1 while a finding of that origin is open in the branch's review.\n\nExamples:\n  git review-gate finding pass --origin qa"
)]
pub struct Pass {
    /// Whose findings
    #[arg(long, value_name = "NAME")]
    origin: String,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Pass {
    /// Confirms all of them.
    pub fn run(self) -> Result<Answer> {
        let Said {
            outcome: passed,
            warnings,
        } = confirm::pass(&self.origin)?;
        let json = self.format.is_json();
        let exit = match passed {
            Passed::Confirmed { .. } => Exit::Pass,
            Passed::Refused { .. } => Exit::Blocked,
        };
        let text = if json {
            report::json::passed(&passed)
        } else {
            report::passed(&passed)
        };
        Ok(Answer {
            warnings,
            ..Answer::with(exit, text)
        })
    }
}
