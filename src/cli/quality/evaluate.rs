//! `quality evaluate` and `quality campaign`.

use std::path::PathBuf;

use crate::cli::args::Format;
use crate::ops::quality::evaluate::{self as ops, Finished, Keeping, Request, Subject};
use crate::report::quality as report;
use crate::ui::answer::Answer;

/// Arguments of `quality evaluate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What was not measured blocks, and so does everything that is malformed: there is always a report.\n\nExamples:\n  git review-gate quality evaluate --input run.json\n  git review-gate quality evaluate --input run.json --baseline v1.1.0 --record\n  runner | git review-gate quality evaluate --input - --release --output report.json"
)]
pub(super) struct Evaluate {
    #[command(flatten)]
    shared: Shared,
}

/// Arguments of `quality campaign`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The least score of each area counts; an area that one report did not measure is not measured.\n\nExamples:\n  git review-gate quality campaign --input campaign.json\n  git review-gate quality campaign --input campaign.json --report run-1.json --report run-2.json"
)]
pub(super) struct Campaign {
    /// A report to append to those of the input: a file, or a revision with a record
    #[arg(long = "report", value_name = "FILE|REV")]
    reports: Vec<String>,
    #[command(flatten)]
    shared: Shared,
}

/// What both take.
#[derive(Debug, clap::Args)]
struct Shared {
    /// The measurements, or standard input with -
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Scores to compare with: a file, or a revision with a record; file:… and rev:… say which
    #[arg(long, value_name = "FILE|REV")]
    baseline: Option<String>,
    /// Where to write the report
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The largest drop of a score that is tolerated, 0 to 3; default: that of the policy
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    max_score_drop: Option<String>,
    /// Refuse members that are not known
    #[arg(long)]
    strict: bool,
    /// Ask for all that a release relies on
    #[arg(long)]
    release: bool,
    /// The judged commit; default: HEAD
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// Keep the report in the notes of the judged commit
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    format: Format,
}

impl Evaluate {
    pub(super) fn wants_json(&self) -> bool {
        self.shared.format.is_json()
    }

    pub(super) fn run(self) -> Answer {
        self.shared.run(Subject::Run)
    }
}

impl Campaign {
    pub(super) fn wants_json(&self) -> bool {
        self.shared.format.is_json()
    }

    pub(super) fn run(self) -> Answer {
        self.shared.run(Subject::Campaign(self.reports))
    }
}

impl Shared {
    fn run(self, subject: Subject) -> Answer {
        let json = self.format.is_json();
        let finished = ops::run(&Request {
            subject,
            input: self.input,
            baseline: self.baseline,
            max_score_drop: self.max_score_drop,
            is_strict: self.strict,
            is_release: self.release,
            commit: self.commit,
            keeping: Keeping {
                output: self.output,
                record: self.record,
            },
        });
        answer(&finished, json)
    }
}

/// A report as an answer.
pub(super) fn answer(finished: &Finished, json: bool) -> Answer {
    let text = if json {
        finished.document.to_text()
    } else {
        report::report(&finished.document)
    };
    Answer {
        warnings: finished.warnings.clone(),
        ..Answer::with(finished.exit(), text)
    }
}
