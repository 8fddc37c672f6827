//! `quality baseline check` and `quality baseline capture`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::cli::args::Format;
use crate::error::Result;
use crate::model::quality::document;
use crate::ops::quality::protocol::{self as ops, Protocol};
use crate::report::quality_corpus as report;
use crate::ui::answer::Answer;

/// Arguments of `quality baseline`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate quality baseline check protocol.json\n  git review-gate quality baseline capture -h"
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do with a protocol file.
#[derive(Debug, Subcommand)]
enum Action {
    /// Check a protocol file: nothing left out, nothing unknown, the id that of its identity
    Check(Check),
    /// Make a protocol file of reports
    Capture(Capture),
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        match &self.action {
            Action::Check(args) => args.format.is_json(),
            Action::Capture(args) => args.format.is_json(),
        }
    }

    pub(super) fn run(self) -> Result<Answer> {
        match self.action {
            Action::Check(args) => Ok(answer(&ops::check(&args.file)?, args.format.is_json())),
            Action::Capture(args) => args.run(),
        }
    }
}

/// Arguments of `quality baseline check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  git review-gate quality baseline check protocol.json")]
struct Check {
    /// The file, or standard input with -
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    format: Format,
}

/// Arguments of `quality baseline capture`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Outcomes: APPROVED, CHANGES_REQUESTED, BLOCKED, SKIPPED, MERGED, CANCELLED. What a report does not know is\nwritten as null; a report without a wall clock is refused.\n\nExamples:\n  git review-gate quality baseline capture --library-version 0.6.0 --source-revision 1f2e3d4 --policy policy.json --prompt prompt.txt --model model-x --run report.json=APPROVED --output ../protocol.json"
)]
struct Capture {
    /// The version of the review library
    #[arg(long, value_name = "V")]
    library_version: String,
    /// Its source revision
    #[arg(long, value_name = "R")]
    source_revision: String,
    /// The policy that was in force; its bytes are fingerprinted
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// The prompt; its bytes are fingerprinted
    #[arg(long, value_name = "FILE")]
    prompt: PathBuf,
    /// The model
    #[arg(long, value_name = "NAME")]
    model: String,
    /// A report (a file, or a revision with a record), and how its run ended
    #[arg(long = "run", value_name = "SOURCE=OUTCOME", required = true, num_args = 1..)]
    runs: Vec<String>,
    /// Where to write; outside of the work tree and the git directory
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    format: Format,
}

impl Capture {
    fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let made = ops::capture(&ops::Capture {
            library_version: self.library_version,
            source_revision: self.source_revision,
            policy: self.policy,
            prompt: self.prompt,
            model: self.model,
            runs: self.runs,
            output: self.output,
        })?;
        Ok(answer(&made, json))
    }
}

fn answer(protocol: &Protocol, json: bool) -> Answer {
    Answer::done(if json {
        document::text(&protocol.document)
    } else {
        report::protocol(&protocol.document)
    })
}
