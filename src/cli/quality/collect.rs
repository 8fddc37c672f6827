//! `quality collect`.

use std::path::PathBuf;

use crate::cli::args::Format;
use crate::error::Result;
use crate::model::quality::document;
use crate::ops::quality::collect::{self as ops, Request};
use crate::report::quality_corpus as report;
use crate::ui::answer::Answer;

/// Arguments of `quality collect`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What git, the ledger, a corpus or an earlier run knows is computed; what nobody knows is left out, never\nwritten as 0. A value in --merge that contradicts a computed one is refused.\n\nExamples:\n  git review-gate quality collect --base origin/main --merge measured.json --output run.json\n  git review-gate quality collect --repository acme/widgets --pull 7 --run-id run-9 --score score.json --baseline v1.1.0 --merge measured.json --output run.json"
)]
pub(super) struct Args {
    /// The judged commit; default: HEAD
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// What it is compared with; default: the base of the policy
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Where the pull request is
    #[arg(long, value_name = "O/N")]
    repository: Option<String>,
    /// Its number
    #[arg(long, value_name = "N")]
    pull: Option<u64>,
    /// The run
    #[arg(long, value_name = "ID")]
    run_id: Option<String>,
    /// The output of `quality score`: the groups findings and comments
    #[arg(long, value_name = "FILE")]
    score: Option<PathBuf>,
    /// The run whose measurements are the baseline: a file, or a revision with a record
    #[arg(long, value_name = "FILE|REV")]
    baseline: Option<String>,
    /// What else was measured, in the form of an input
    #[arg(long, value_name = "FILE")]
    merge: Option<PathBuf>,
    /// Where to write the input
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let collected = ops::run(&Request {
            commit: self.commit,
            base: self.base,
            repository: self.repository,
            pull: self.pull,
            run_id: self.run_id,
            score: self.score,
            baseline: self.baseline,
            merge: self.merge,
            output: self.output,
        })?;
        let text = if json {
            document::text(&collected.input)
        } else {
            report::collected(&collected.computed, collected.missing.as_deref())
        };
        Ok(Answer {
            warnings: collected.warnings,
            ..Answer::done(text)
        })
    }
}
