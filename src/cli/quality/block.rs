//! `quality block`.

use std::path::PathBuf;

use crate::cli::args::Format;
use crate::ops::quality::block::{self as ops, Request};
use crate::ops::quality::evaluate::Keeping;
use crate::ui::answer::Answer;

/// Arguments of `quality block`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A runner blocks first and evaluates last: a run that ends early never leaves an older result on display.\nAlways exit code 2.\n\nExamples:\n  git review-gate quality block --run-id run-9 --reason \"the run has not finished\" --output report.json --record"
)]
pub(super) struct Args {
    /// The run
    #[arg(long, value_name = "ID")]
    run_id: String,
    /// Why nothing was measured
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The campaign that it is part of
    #[arg(long, value_name = "ID")]
    campaign_id: Option<String>,
    /// The judged commit; default: HEAD
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// Where to write the report
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep the report in the notes of the judged commit
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    format: Format,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    pub(super) fn run(self) -> Answer {
        let json = self.format.is_json();
        let finished = ops::run(&Request {
            run_id: self.run_id,
            reason: self.reason,
            campaign_id: self.campaign_id,
            commit: self.commit,
            keeping: Keeping {
                output: self.output,
                record: self.record,
            },
        });
        super::evaluate::answer(&finished, json)
    }
}
