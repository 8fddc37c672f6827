//! `review …`: open a review of the branch, have it reviewed, and show where it stands.

mod packet;
mod record;
mod rule;
mod run;
mod show;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::args::Format;
use crate::error::Result;
use crate::model::outcome::review::Opened;
use crate::ops::review::{amend, start};
use crate::report::review as report;
use crate::ui::answer::Answer;
use crate::ui::input;

/// Arguments of `review`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate review start --criterion \"AC-1: requests over the limit get 429\""
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do with reviews.
#[derive(Debug, Subcommand)]
enum Action {
    /// Open a review of the current branch
    Start(Start),
    /// Add criteria and authorisations to the open review
    Amend(Amend),
    /// Assemble what the reviewer reads
    Packet(packet::Args),
    /// Check and store a reviewer's answer
    Record(record::Args),
    /// Have an external reviewer answer: packet, reviewer and record in one go
    Run(run::Args),
    /// Decide one dimension, as a person
    Rule(rule::Args),
    /// Show where the review stands
    Show(show::Args),
}

/// Arguments of `review start`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A goal file is TOML or JSON: summary, problem, criteria ({id, text}), contract (path of the\napproved spec), authorize ({criterion, api, tests, golden}).\n\nExamples:\n  git review-gate review start --criterion \"AC-1: requests over the limit get 429\"\n  git review-gate review start --goal goal.toml --base origin/main"
)]
struct Start {
    /// The base; default: the one that the gate finds
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// The goal as a TOML or JSON file, or from standard input with -
    #[arg(long, value_name = "FILE", conflicts_with = "criterion")]
    goal: Option<PathBuf>,
    /// What must hold; may be repeated
    #[arg(long, value_name = "ID: TEXT")]
    criterion: Vec<String>,
    /// Path of the approved spec inside the repository
    #[arg(long, value_name = "PATH")]
    contract: Option<String>,
    /// The case that the branch was opened for, in the reporter's words
    #[arg(long, value_name = "TEXT")]
    problem: Option<String>,
    /// Take the place of the open review
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    format: Format,
}

/// Arguments of `review amend`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Nothing is edited: a known id with the same text is passed over, with another text refused.\n\nExamples:\n  git review-gate review amend --criterion \"AC-3: the old name is gone\" \\\n      --authorize \"AC-3 api src/legacy.rs\""
)]
struct Amend {
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// Take criteria and authorisations from a goal file, or from standard input with -
    #[arg(long, value_name = "FILE")]
    goal: Option<PathBuf>,
    /// What must hold besides; may be repeated
    #[arg(long, value_name = "ID: TEXT")]
    criterion: Vec<String>,
    /// What may drift under a criterion; may be repeated
    #[arg(long, value_name = "ID api|tests|golden GLOB")]
    authorize: Vec<String>,
    #[command(flatten)]
    format: Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        match &self.action {
            Action::Start(args) => args.format.is_json(),
            Action::Amend(args) => args.format.is_json(),
            Action::Packet(args) => args.wants_json(),
            Action::Record(args) => args.wants_json(),
            Action::Run(args) => args.wants_json(),
            Action::Rule(args) => args.wants_json(),
            Action::Show(args) => args.wants_json(),
        }
    }

    /// Does it.
    pub fn run(self) -> Result<Answer> {
        let json = self.wants_json();
        let opened = match self.action {
            Action::Packet(args) => return args.run(),
            Action::Record(args) => return args.run(),
            Action::Run(args) => return args.run(),
            Action::Rule(args) => return args.run(),
            Action::Show(args) => return args.run(),
            Action::Start(args) => start::start(&start::Request {
                base: args.base,
                goal_file: args.goal.as_deref().map(goal_file).transpose()?,
                criteria: args.criterion,
                contract: args.contract,
                problem: args.problem,
                replace: args.replace,
            })?,
            Action::Amend(args) => amend::amend(&amend::Request {
                review: args.review,
                goal_file: args.goal.as_deref().map(goal_file).transpose()?,
                criteria: args.criterion,
                authorize: args.authorize,
            })?,
        };
        Ok(answer(opened, json))
    }
}

fn goal_file(path: &Path) -> Result<(String, Vec<u8>)> {
    let bytes = input::read(path)?;
    Ok((path.to_string_lossy().into_owned(), bytes))
}

fn answer(opened: Opened, json: bool) -> Answer {
    let text = if json {
        report::json(&opened)
    } else {
        report::human(&opened)
    };
    Answer {
        warnings: opened.warnings,
        ..Answer::done(text)
    }
}
