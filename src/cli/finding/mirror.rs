//! `finding export` and `finding import`.

use std::path::PathBuf;

use crate::cli::args::Format;
use crate::error::Result;
use crate::ops::mirror;
use crate::report::finding as report;
use crate::ui::answer::Answer;

/// Arguments of `finding export`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes docs/superpowers/specs/reviews/<review>-findings.json unless told otherwise; commit it\nyourself where you want the review to be readable without notes.\n\nExamples:\n  git review-gate finding export"
)]
pub struct Export {
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// Where to write
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Export {
    /// Writes the file.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let exported = mirror::export(self.review.as_deref(), self.output.as_deref())?;
        Ok(Answer::done(if json {
            report::json::exported(&exported)
        } else {
            report::exported(&exported)
        }))
    }
}

/// Arguments of `finding import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git review-gate finding import docs/superpowers/specs/reviews")]
pub struct Import {
    /// Exported files, or folders that hold some
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Import {
    /// Unites their events with the notes; all or nothing.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let imported = mirror::import(&self.paths)?;
        let text = if json {
            report::json::imported(&imported)
        } else {
            report::imported(&imported)
        };
        Ok(Answer {
            warnings: imported.warnings,
            ..Answer::done(text)
        })
    }
}
