//! `evidence run`: run a command and record what was seen of it.

use std::path::PathBuf;
use std::time::Duration;

use super::super::args::Format;
use crate::error::Result;
use crate::ops::evidence::run::{self, KeepTail, Stream};
use crate::report::evidence as report;
use crate::ui::answer::Answer;
use crate::ui::streams;

/// Arguments of `evidence run`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The output of the command is passed through. What was seen is stored also when it fails: exit code,\ntime, digests, the end of the output, and counts of tests where the runner is known (libtest, nextest,\npytest, jest, vitest, go test) or writes JUnit XML. A run counts for the tree of HEAD, and for none when\nthe work tree has changes.\n\nExit codes: 0 the command succeeded, 1 it failed, 2 nothing was recorded.\n\nExamples:\n  git review-gate evidence run -- cargo test\n  git review-gate evidence run --kind regression-suite --junit junit.xml -- pytest --junit-xml junit.xml\n  git review-gate evidence run --kind test-coverage --lcov lcov.info -- cargo llvm-cov --lcov --output-path lcov.info"
)]
pub struct Run {
    /// What it is
    #[arg(long, value_name = "KIND", default_value = "test-result")]
    kind: String,
    /// The question it speaks to, where the kind does not say it; may be repeated
    #[arg(long, value_name = "DIMENSION")]
    dimension: Vec<String>,
    /// The JUnit XML that the command writes; its counts are taken in the place of those in the output
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// The lcov records that the command writes
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// The Cobertura XML that the command writes
    #[arg(long, value_name = "FILE")]
    cobertura: Option<PathBuf>,
    /// End the command, and all that it started, after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: Option<u64>,
    /// Keep nothing of the output but digests and counts
    #[arg(long)]
    no_tail: bool,
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    #[command(flatten)]
    pub(super) format: Format,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

impl Run {
    /// Runs and records.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let request = run::Request {
            review: self.review,
            kind: self.kind,
            dimensions: self.dimension,
            junit: self.junit,
            lcov: self.lcov,
            cobertura: self.cobertura,
            timeout: self.timeout.map(Duration::from_secs),
            tail: if self.no_tail { KeepTail::No } else { KeepTail::Yes },
            argv: self.command,
        };
        let ran = run::run(&request, &mut |stream, piece| match stream {
            // The JSON object has standard output to itself.
            Stream::Out if !json => streams::pass_out(piece),
            Stream::Out | Stream::Err => streams::pass_err(piece),
        })?;
        let text = if json {
            report::ran_json(&ran)
        } else {
            report::ran(&ran)
        };
        Ok(super::answer(ran.body.exit.success(), text, ran.warnings))
    }
}
