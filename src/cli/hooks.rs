//! `hooks install|uninstall|status`.

use clap::Subcommand;

use super::args;
use crate::error::Result;
use crate::exit::Exit;
use crate::model::hooks::{HookName, HooksChange, Mode};
use crate::ops::hooks::{self, Proof, Where};
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `hooks`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate hooks install\n  git review-gate hooks status --probe\n  git review-gate hooks uninstall"
)]
pub struct Args {
    #[command(subcommand)]
    command: HooksCommand,
}

/// What to do with hooks.
#[derive(Debug, Subcommand)]
enum HooksCommand {
    /// Let git run us: before a push, after commits were rewritten, and where pushes are received
    #[command(
        after_help = "A hook that is there already is kept and runs after ours. Where a hook manager (husky, lefthook, pre-commit, prek, hk, overcommit) keeps the hooks, the lines for its configuration are printed and the exit code is 2.\n\nExamples:\n  git review-gate hooks install\n  git review-gate hooks install --pre-push --dry-run\n  git review-gate hooks install --pre-receive"
    )]
    Install(Change),
    /// Take our hooks out again and put back what was there
    #[command(
        after_help = "A file that is not ours, or not ours alone any more, is left as it is.\n\nExamples:\n  git review-gate hooks uninstall"
    )]
    Uninstall(Change),
    /// Say for every worktree whether git really runs us
    #[command(
        after_help = "Exit code 1 when a hook that should run does not.\n\nExamples:\n  git review-gate hooks status\n  git review-gate hooks status --probe --format json"
    )]
    Status(Status),
}

/// Arguments of `hooks install` and `hooks uninstall`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Change {
    /// The hook that judges a push; without any of these three, `install` means the first two and `uninstall` all
    #[arg(long)]
    pre_push: bool,
    /// The hook that records amended and rebased commits
    #[arg(long)]
    post_rewrite: bool,
    /// The hook that judges what this repository receives; for the one that others push to
    #[arg(long)]
    pre_receive: bool,
    /// Use git's configuration instead of hook files (git 2.54 and later; older ones skip it)
    #[arg(long)]
    config: bool,
    /// For every repository that shares the hooks directory; with --config, for all of this user
    #[arg(long)]
    global: bool,
    /// Change nothing, only say what would be done
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: args::Format,
}

/// Arguments of `hooks status`.
#[derive(Debug, clap::Args)]
struct Status {
    /// Prove it: a dry run of a push to an empty temporary repository (hooks that come before ours run too)
    #[arg(long)]
    probe: bool,
    #[command(flatten)]
    format: args::Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        match &self.command {
            HooksCommand::Install(change) | HooksCommand::Uninstall(change) => change.format.is_json(),
            HooksCommand::Status(status) => status.format.is_json(),
        }
    }

    /// Does it.
    pub fn run(self) -> Result<Answer> {
        match self.command {
            HooksCommand::Install(change) => {
                let done = hooks::install(&change.hooks(&HookName::SENDING), change.place(), change.mode())?;
                // Until the manager's configuration names us, pushes are not judged.
                let exit = if done.waits_for_manager() {
                    Exit::Undecided
                } else {
                    Exit::Pass
                };
                Ok(change.answer(exit, &done))
            }
            HooksCommand::Uninstall(change) => {
                let done = hooks::uninstall(&change.hooks(&HookName::ALL), change.place(), change.mode())?;
                Ok(change.answer(Exit::Pass, &done))
            }
            HooksCommand::Status(status) => {
                let proof = if status.probe { Proof::Push } else { Proof::Look };
                let found = hooks::status(proof)?;
                let exit = if found.live { Exit::Pass } else { Exit::Blocked };
                let text = if status.format.is_json() {
                    report::hooks::status_json(&found)
                } else {
                    report::hooks::status_human(&found)
                };
                Ok(Answer::with(exit, text))
            }
        }
    }
}

impl Change {
    /// The hooks that are named, or these where none is.
    fn hooks(&self, unnamed: &[HookName]) -> Vec<HookName> {
        let named = HookName::ALL.into_iter().filter(|hook| match hook {
            HookName::PrePush => self.pre_push,
            HookName::PostRewrite => self.post_rewrite,
            HookName::PreReceive => self.pre_receive,
        });
        let named: Vec<_> = named.collect();
        if named.is_empty() { unnamed.to_vec() } else { named }
    }

    const fn place(&self) -> Where {
        match (self.config, self.global) {
            (false, false) => Where::Files,
            (false, true) => Where::SharedFiles,
            (true, false) => Where::Config,
            (true, true) => Where::GlobalConfig,
        }
    }

    const fn mode(&self) -> Mode {
        if self.dry_run { Mode::DryRun } else { Mode::Do }
    }

    fn answer(&self, exit: Exit, change: &HooksChange) -> Answer {
        let text = if self.format.is_json() {
            report::hooks::change_json(change)
        } else {
            report::hooks::change_human(change)
        };
        Answer::with(exit, text)
    }
}
