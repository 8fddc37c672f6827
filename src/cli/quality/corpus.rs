//! `quality score` and `quality canary`.

use std::path::PathBuf;

use crate::cli::args::Format;
use crate::error::Result;
use crate::ops::quality::corpus as ops;
use crate::report::quality_corpus as report;
use crate::ui::answer::Answer;

/// Arguments of `quality score`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Each case of the corpus needs exactly one complete review, or nothing is counted.\n\nExamples:\n  git review-gate quality score --corpus corpus.json --findings findings.json --output score.json"
)]
pub(super) struct Score {
    /// The labelled corpus
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,
    /// What the reviewer found in it
    #[arg(long, value_name = "FILE")]
    findings: PathBuf,
    /// Where to write the counts
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

impl Score {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let score = ops::score(&self.corpus, &self.findings, self.output.as_ref())?;
        Ok(Answer::done(if self.format.is_json() {
            score.to_text()
        } else {
            report::score(&score)
        }))
    }
}

/// Arguments of `quality canary`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Both files are findings documents with tokensUsed and providerCalls; the one with the rule names it as\napproved.\n\nExamples:\n  git review-gate quality canary --corpus one-case.json --off before.json --on after.json"
)]
pub(super) struct Canary {
    /// A labelled corpus of one case
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,
    /// What was found without the rule
    #[arg(long, value_name = "FILE")]
    off: PathBuf,
    /// What was found with the rule
    #[arg(long, value_name = "FILE")]
    on: PathBuf,
    #[command(flatten)]
    format: Format,
}

impl Canary {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let canary = ops::canary(&self.corpus, &self.off, &self.on)?;
        Ok(Answer::done(if self.format.is_json() {
            canary.to_text()
        } else {
            report::canary(canary)
        }))
    }
}
