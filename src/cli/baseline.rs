//! `baseline`: which tests, public symbols and recorded behaviours a range removed, weakened, changed or added.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::model::baseline::{SurfaceMode, Verdict};
use crate::model::measured::Baseline;
use crate::ops::baseline::{self, Outcome, Request};
use crate::ops::output;
use crate::report;
use crate::ui::answer::Answer;

use super::Context;

/// Arguments of `baseline`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 computed, 1 drift (only with --exit-code), 2 not decided.\n\nExamples:\n  git review-gate baseline\n  git review-gate baseline origin/main..topic --exit-code\n  git review-gate baseline v1.0 --tip --path 'src/**' --format markdown"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Args {
    /// What to compare: BASE, BASE..HEAD, or BASE HEAD; without it, a base is looked for
    #[arg(value_name = "BASE[..HEAD] [HEAD]", num_args = 0..=2)]
    range: Vec<String>,
    /// Compare BASE itself with HEAD, not their merge base
    #[arg(long)]
    tip: bool,
    /// Only files that match, gitignore-style from the top; !GLOB takes out again
    #[arg(long = "path", value_name = "GLOB")]
    paths: Vec<String>,
    /// Only this language; golden files stay in
    #[arg(long = "lang", value_name = "LANG")]
    langs: Vec<String>,
    /// Which public symbols count
    #[arg(long, value_enum)]
    surface: Option<Surface>,
    /// Run the probes of the base's policy on both sides too: commands of the project, in throw-away folders
    #[arg(long)]
    probes: bool,
    /// How to print the answer; human unless there is an --output, which is text
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the answer to FILE; standard output gets the verdict line alone
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Exit with 1 on drift
    #[arg(long)]
    exit_code: bool,
}

/// Which public symbols count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Surface {
    /// Those that users can get at from the package's entry point
    Reachable,
    /// All that carry the language's mark of being public
    Declared,
}

/// How to print the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Wrapped, coloured on a terminal
    Human,
    /// The artifact that is kept as evidence
    Text,
    /// One object
    Json,
    /// Tables
    Markdown,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.json || self.format == Some(Format::Json)
    }

    /// Measures, and writes or prints.
    pub fn run(self, context: &Context) -> Result<Answer> {
        let outcome = self.request().and_then(|request| baseline::run(&request));
        let Some(file) = &self.output else {
            let outcome = outcome?;
            let format = if self.json {
                Format::Json
            } else {
                self.format.unwrap_or(Format::Human)
            };
            return Ok(Answer::with(
                self.exit(&outcome),
                show(&outcome, format, context.colour),
            ));
        };
        let format = if self.json {
            Format::Json
        } else {
            self.format.unwrap_or(Format::Text)
        };
        match outcome {
            Ok(outcome) => {
                output::replace(file, show(&outcome, format, false).as_bytes())?;
                let line = outcome.baseline.first_line();
                Ok(Answer::with(self.exit(&outcome), format!("{line}\n")))
            }
            // What an earlier run left in the file must not be taken for an answer.
            Err(error) => {
                output::replace(file, baseline::not_computed(&error).as_bytes())?;
                Err(error)
            }
        }
    }

    fn request(&self) -> Result<Request> {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (base, head) = match &self.range[..] {
            [] => (None, None),
            [one] => match one.split_once("...").or_else(|| one.split_once("..")) {
                Some((base, head)) => (given(base), given(head)),
                None => (given(one), None),
            },
            [base, head, ..] => {
                if base.contains("..") || head.contains("..") {
                    return Err(Error::new("usage", "a range and a second revision")
                        .hint("git review-gate baseline BASE..HEAD"));
                }
                (given(base), given(head))
            }
        };
        Ok(Request {
            base,
            head,
            tip: self.tip,
            paths: self.paths.clone(),
            langs: self.langs.clone(),
            probes: self.probes,
            surface: self.surface.map(|surface| match surface {
                Surface::Reachable => SurfaceMode::Reachable,
                Surface::Declared => SurfaceMode::Declared,
            }),
        })
    }

    fn exit(&self, outcome: &Outcome) -> Exit {
        match &outcome.baseline {
            Baseline::Unavailable(_) => Exit::Undecided,
            Baseline::Computed(measured) => match measured.verdict {
                Verdict::Drift if self.exit_code => Exit::Blocked,
                Verdict::Drift | Verdict::AdditionsOnly | Verdict::NoDrift => Exit::Pass,
                Verdict::Indeterminate | Verdict::NothingMeasured => Exit::Undecided,
            },
        }
    }
}

fn show(outcome: &Outcome, format: Format, colour: bool) -> String {
    match format {
        Format::Human => report::baseline::human(&outcome.baseline, colour),
        Format::Text => outcome.artifact.text.clone(),
        Format::Json => report::baseline_json::json(&outcome.baseline, &outcome.artifact.digest),
        Format::Markdown => report::baseline::markdown(&outcome.baseline),
    }
}
