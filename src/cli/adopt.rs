//! `adopt`: record a rewrite that no hook saw.

use std::path::PathBuf;

use super::args::Format;
use crate::error::Result;
use crate::ops::adopt::{self, Request};
use crate::report;
use crate::ui::answer::Answer;
use crate::ui::input;

/// Arguments of `adopt`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Findings follow a commit through rewrites that are recorded; the post-rewrite hook does it by itself.\nThe map has the lines that git gives to post-rewrite: old id, blank, new id, both in full.\n\nExamples:\n  git review-gate adopt ORIG_HEAD HEAD\n  git review-gate adopt --map rewritten.txt"
)]
pub struct Args {
    /// The commit before the rewrite; its full id will do where it is not here any more
    #[arg(value_name = "OLD", required_unless_present = "map", requires = "new")]
    old: Option<String>,
    /// The commit that stands for it now
    #[arg(value_name = "NEW")]
    new: Option<String>,
    /// Take pairs from a file, or from standard input with -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["old", "new"])]
    map: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Records it.
    pub fn run(self) -> Result<Answer> {
        let request = match self.map {
            Some(file) => Request::Map(input::read(&file)?),
            None => Request::Pair {
                old: self.old.unwrap_or_default(),
                new: self.new.unwrap_or_default(),
            },
        };
        let adopted = adopt::adopt(&request)?;
        let text = if self.format.is_json() {
            report::adopt::json(&adopted)
        } else {
            report::adopt::human(&adopted)
        };
        Ok(Answer {
            warnings: adopted.warnings,
            ..Answer::done(text)
        })
    }
}
