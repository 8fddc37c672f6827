//! `review packet`: assemble what the reviewer reads.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::Result;
use crate::ops::output;
use crate::ops::review::packet::{self, Request};
use crate::report::review::packet as report;
use crate::ui::answer::Answer;

/// Arguments of `review packet`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The packet holds the goal, the structural baseline and the evidence in the tree of the commit, fenced,\nwithin the budget of the policy at the base. Equal commit, goal, policy and events give equal bytes.\n\nExamples:\n  git review-gate review packet > packet.txt\n  git review-gate review packet --output packet.txt\n  git review-gate review packet --rev topic~1 --format json"
)]
pub(super) struct Args {
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// The commit under review; default: HEAD
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
    /// How to print the packet
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the packet to FILE; standard output gets its id alone
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The forms of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// What the reviewer reads
    Text,
    /// One JSON object
    Json,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        // With a file, standard output gets one line for people.
        (self.json || self.format == Format::Json) && self.output.is_none()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let json = self.json || self.format == Format::Json;
        let assembled = packet::packet(&Request {
            review: self.review,
            rev: self.rev,
        })?;
        let text = if json {
            report::json(&assembled)
        } else {
            assembled.prompt.clone()
        };
        let stdout = match &self.output {
            Some(file) => {
                output::replace(file, text.as_bytes())?;
                format!("{}\n", assembled.body.packet)
            }
            None => text,
        };
        Ok(Answer {
            warnings: assembled.warnings,
            ..Answer::done(stdout)
        })
    }
}
