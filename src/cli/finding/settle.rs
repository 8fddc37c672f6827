//! `finding reopen` and `finding waive`.

use crate::cli::args::Format;
use crate::error::Result;
use crate::ops::finding::settle;
use crate::report::finding as report;
use crate::ui::answer::Answer;

/// Arguments of `finding reopen`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate finding reopen F-a1b2c3d4 --actual \"request 100 still gets 429 over IPv6\""
)]
pub struct Reopen {
    /// The finding whose answer does not hold
    #[arg(value_name = "ID")]
    id: String,
    /// What is, in one line of at most 300 characters
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    actual: String,
    /// A verbatim excerpt that shows it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    evidence: Option<String>,
    /// In whose name; default: the origin that raised it, where there is only one
    #[arg(long, value_name = "NAME")]
    origin: Option<String>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Reopen {
    /// Reopens it.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let reopened = settle::reopen(&settle::Reopen {
            id: self.id,
            actual: self.actual,
            evidence: self.evidence,
            origin: self.origin,
        })?;
        let text = if json {
            report::json::settled("reopened", &reopened.outcome)
        } else {
            report::settled(&reopened.outcome)
        };
        Ok(Answer {
            warnings: reopened.warnings,
            ..Answer::done(text)
        })
    }
}

/// Arguments of `finding waive`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A blocker or major finding can only be waived by those whom the base's policy names.\n\nExamples:\n  git review-gate finding waive F-a1b2c3d4 --reason \"goes away with the old API\" --until 2027-03-31"
)]
pub struct Waive {
    /// The finding
    #[arg(value_name = "ID")]
    id: String,
    /// Why it may stay
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: String,
    /// The last day, in UTC, on which the waiver holds
    #[arg(long, value_name = "YYYY-MM-DD")]
    until: Option<String>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Waive {
    /// Waives it.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let waived = settle::waive(&settle::Waive {
            id: self.id,
            reason: self.reason,
            until: self.until,
        })?;
        let text = if json {
            report::json::settled("waived", &waived.outcome)
        } else {
            report::settled(&waived.outcome)
        };
        Ok(Answer {
            warnings: waived.warnings,
            ..Answer::done(text)
        })
    }
}
