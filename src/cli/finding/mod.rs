//! `finding …`: file, list, answer, confirm, reopen, waive, export and import findings.

pub mod add;
pub mod answer;
pub mod list;
pub mod mirror;
pub mod settle;

use clap::Subcommand;

use crate::error::Result;
use crate::ui::answer::Answer;

/// Arguments of `finding`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate finding list\n  git review-gate finding add --origin qa --severity major --expected TEXT --actual TEXT\n  git review-gate finding resolve F-a1b2c3d4"
)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do with findings.
#[derive(Debug, Subcommand)]
enum Action {
    /// File one finding from flags, or one to ten from JSON
    Add(add::Add),
    /// Refuse sign-off: one blocker of the origin `ceo`
    Reject(add::Reject),
    /// List findings, open ones first
    List(list::List),
    /// Show every event of one finding
    Show(list::Show),
    /// Answer findings with the commit that fixes them
    Resolve(answer::Resolve),
    /// Confirm the answers to findings
    Verify(answer::Verify),
    /// Confirm every addressed finding of one origin
    Pass(answer::Pass),
    /// Reopen a finding whose answer does not hold
    Reopen(settle::Reopen),
    /// Waive a finding, with a reason
    Waive(settle::Waive),
    /// Write the events of a review to a tracked file
    Export(mirror::Export),
    /// Unite the events of exported files with the notes
    Import(mirror::Import),
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        match &self.action {
            Action::Add(args) => args.format.is_json(),
            Action::Reject(args) => args.format.is_json(),
            Action::List(args) => args.format.is_json(),
            Action::Show(args) => args.format.is_json(),
            Action::Resolve(args) => args.format.is_json(),
            Action::Verify(args) => args.format.is_json(),
            Action::Pass(args) => args.format.is_json(),
            Action::Reopen(args) => args.format.is_json(),
            Action::Waive(args) => args.format.is_json(),
            Action::Export(args) => args.format.is_json(),
            Action::Import(args) => args.format.is_json(),
        }
    }

    /// Does it.
    pub fn run(self) -> Result<Answer> {
        match self.action {
            Action::Add(args) => args.run(),
            Action::Reject(args) => args.run(),
            Action::List(args) => args.run(),
            Action::Show(args) => args.run(),
            Action::Resolve(args) => args.run(),
            Action::Verify(args) => args.run(),
            Action::Pass(args) => args.run(),
            Action::Reopen(args) => args.run(),
            Action::Waive(args) => args.run(),
            Action::Export(args) => args.run(),
            Action::Import(args) => args.run(),
        }
    }
}
