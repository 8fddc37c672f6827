//! `quality …`: judge the review process by what was measured of it.

mod baseline;
mod block;
mod collect;
mod compare;
mod corpus;
mod evaluate;
mod schema;
mod show;

use clap::Subcommand;

use crate::error::Result;
use crate::ui::answer::Answer;

/// Arguments of `quality`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 the report says PASS, or the command is done; 2 anything else.\n\nExamples:\n  git review-gate quality evaluate --input run.json\n  git review-gate quality evaluate --input run.json --release --record\n  git review-gate quality show v1.2.0"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Action {
    /// Score the measurements of one run
    Evaluate(evaluate::Evaluate),
    /// Score a campaign: the reports of many runs
    Campaign(evaluate::Campaign),
    /// Put an input together from what this repository knows
    Collect(collect::Args),
    /// Compare two reports or inputs
    Compare(compare::Args),
    /// Write the blocked report of a run that failed early or is still going
    Block(block::Args),
    /// Count what a reviewer found in a labelled corpus
    Score(corpus::Score),
    /// Count whether a learned rule helps
    Canary(corpus::Canary),
    /// Check or make the protocol file of a baseline
    Baseline(baseline::Args),
    /// Show the report that is recorded on a commit
    Show(show::Args),
    /// Print the JSON Schema of a document
    Schema(schema::Args),
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        match &self.action {
            Action::Evaluate(args) => args.wants_json(),
            Action::Campaign(args) => args.wants_json(),
            Action::Collect(args) => args.wants_json(),
            Action::Compare(args) => args.wants_json(),
            Action::Block(args) => args.wants_json(),
            Action::Score(args) => args.wants_json(),
            Action::Canary(args) => args.wants_json(),
            Action::Baseline(args) => args.wants_json(),
            Action::Show(args) => args.wants_json(),
            Action::Schema(args) => args.wants_json(),
        }
    }

    /// Does it.
    pub fn run(self) -> Result<Answer> {
        match self.action {
            Action::Evaluate(args) => Ok(args.run()),
            Action::Campaign(args) => Ok(args.run()),
            Action::Collect(args) => args.run(),
            Action::Compare(args) => Ok(args.run()),
            Action::Block(args) => Ok(args.run()),
            Action::Score(args) => args.run(),
            Action::Canary(args) => args.run(),
            Action::Baseline(args) => args.run(),
            Action::Show(args) => args.run(),
            Action::Schema(args) => Ok(args.run()),
        }
    }
}
