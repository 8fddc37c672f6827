//! `evidence …`: register claims, witness runs, and prove that a test shows the change.

pub mod add;
pub mod prove;
pub mod run;

use clap::Subcommand;

use super::Context;
use crate::error::Result;
use crate::exit::Exit;
use crate::ui::answer::Answer;

/// Arguments of `evidence`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate evidence run -- cargo test\n  git review-gate evidence prove --test tests/limits.rs -- cargo test --test limits\n  git review-gate evidence add --kind manual-spot-check --dimension no-new-bugs \\\n      --description \"The export of an empty table still works\""
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do about evidence.
#[derive(Debug, Subcommand)]
enum Action {
    /// Register a claim; it is never shown as witnessed
    Add(add::Add),
    /// Run a command and record what was seen of it
    Run(run::Run),
    /// Show that a test fails without the change and passes with it
    Prove(prove::Prove),
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        match &self.action {
            Action::Add(args) => args.format.is_json(),
            Action::Run(args) => args.format.is_json(),
            Action::Prove(args) => args.format.is_json(),
        }
    }

    /// Does it.
    pub fn run(self, context: &Context) -> Result<Answer> {
        match self.action {
            Action::Add(args) => args.run(),
            Action::Run(args) => args.run(),
            Action::Prove(args) => args.run(context),
        }
    }
}

/// An answer that is no pass where what was checked failed.
fn answer(passed: bool, text: String, warnings: Vec<String>) -> Answer {
    let exit = if passed { Exit::Pass } else { Exit::Blocked };
    Answer {
        warnings,
        ..Answer::with(exit, text)
    }
}
