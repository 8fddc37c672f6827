//! The command line: one file a subcommand, arguments and a short `run`.
//!
//! A subcommand returns an [`Answer`]; the exit code in it is fixed before the first byte is printed.

pub mod adopt;
pub mod args;
pub mod baseline;
pub mod check;
pub mod completions;
pub mod demo;
pub mod evidence;
pub mod explain;
pub mod finding;
pub mod fsck;
pub mod hook;
pub mod hooks;
pub mod init;
pub mod log;
pub mod man;
pub mod quality;
pub mod review;
pub mod schema;
pub mod status;
pub mod sync;

use std::ffi::OsString;

use clap::{Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::error::Result;
use crate::model::text::escape_json;
use crate::ui::answer::Answer;
use crate::ui::progress::Progress;

/// `git review-gate`
#[derive(Debug, Parser)]
#[command(
    name = "git-review-gate",
    bin_name = "git review-gate",
    version,
    about = "Review findings, structural baselines and a push gate, kept in git itself",
    after_help = "Exit codes: 0 may pass or done, 1 blocked, 2 not decided, 130 interrupted.",
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// Options that every subcommand takes.
    #[command(flatten)]
    pub global: args::Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Record a rewrite that no hook saw: which commit became which
    Adopt(adopt::Args),
    /// Compare two commits: which tests, public API and golden behaviour are gone, weaker, different or new
    Baseline(baseline::Args),
    /// Decide whether the branch may be pushed
    Check(check::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Show the whole way in a throw-away repository
    Demo(demo::Args),
    /// Register claims, witness runs of commands, and prove that a test shows the change
    Evidence(evidence::Args),
    /// Explain a rule, a kind of fact, or the policy in force
    Explain(explain::Args),
    /// File, list, answer and confirm findings
    Finding(finding::Args),
    /// Examine every line of the ledger, and repair it
    Fsck(fsck::Args),
    /// Answer a call of git; for hook files
    #[command(hide = true)]
    Hook(hook::Args),
    /// Install, remove and examine the hooks that judge pushes
    Hooks(hooks::Args),
    /// Set this clone up: policy file, hooks, settings, and a first exchange of notes
    Init(init::Args),
    /// Write the manual pages
    Man(man::Args),
    /// Print the JSON Schema of what a command prints
    Schema(schema::Args),
    /// Show the audit trail, newest first
    Log(log::Args),
    /// Judge the review process by what was measured of it
    Quality(quality::Args),
    /// Open a review of the branch, and add to its goal
    Review(review::Args),
    /// Show what stands between the branch and its gate, and the next step
    Status(status::Args),
    /// Exchange notes with a remote
    Sync(sync::Args),
}

/// What every `run` is given besides its own arguments.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Whether to colour. What is printed loses its colours again where the terminal or git's configuration want none.
    pub colour: bool,
    /// No progress, no hints for people.
    pub quiet: bool,
}

impl Command {
    /// Whether the answer, and so an error too, is asked for as JSON.
    pub fn wants_json(&self) -> bool {
        match self {
            Self::Completions(_) | Self::Demo(_) | Self::Hook(_) | Self::Man(_) | Self::Schema(_) => false,
            Self::Adopt(args) => args.wants_json(),
            Self::Finding(args) => args.wants_json(),
            Self::Fsck(args) => args.wants_json(),
            Self::Baseline(args) => args.wants_json(),
            Self::Check(args) => args.wants_json(),
            Self::Evidence(args) => args.wants_json(),
            Self::Explain(args) => args.wants_json(),
            Self::Log(args) => args.wants_json(),
            Self::Status(args) => args.wants_json(),
            Self::Hooks(args) => args.wants_json(),
            Self::Init(args) => args.wants_json(),
            Self::Quality(args) => args.wants_json(),
            Self::Review(args) => args.wants_json(),
            Self::Sync(args) => args.wants_json(),
        }
    }

    /// Does it; on a terminal, what takes long shows that it goes on.
    pub fn run(self, context: &Context) -> Result<Answer> {
        let progress = match self {
            // The output of git, or of the command that is run, is not to be painted over.
            Self::Hook(_) | Self::Evidence(_) => Progress::Off,
            _ if context.quiet => Progress::Off,
            _ => Progress::OnTerminal,
        };
        let _running = progress.start("working");
        let json = self.wants_json();
        let mut answer = self.answer(*context)?;
        if json {
            answer.stdout = escape_json(answer.stdout);
        }
        Ok(answer)
    }

    fn answer(self, context: Context) -> Result<Answer> {
        match self {
            Self::Adopt(args) => args.run(),
            Self::Baseline(args) => args.run(&context),
            Self::Check(args) => args.run(),
            Self::Completions(args) => Ok(args.run()),
            Self::Evidence(args) => args.run(&context),
            Self::Explain(args) => args.run(),
            Self::Log(args) => args.run(),
            Self::Status(args) => args.run(),
            Self::Demo(args) => args.run(),
            Self::Finding(args) => args.run(),
            Self::Fsck(args) => args.run(),
            Self::Hook(args) => args.run(),
            Self::Hooks(args) => args.run(),
            Self::Init(args) => args.run(),
            Self::Man(args) => args.run(),
            Self::Quality(args) => args.run(),
            Self::Review(args) => args.run(),
            Self::Schema(args) => args.run(),
            Self::Sync(args) => args.run(),
        }
    }
}

/// Parses the command line; `Err` holds what clap wants to say (help and version included).
pub fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    // What its own part of the definition takes, the whole one takes as well; help, and what is wrong, the whole one says.
    match parse_part(args) {
        Some(parsed) => Ok(parsed),
        None => Cli::try_parse_from(args),
    }
}

/// Parses the command line of a command that runs in hooks and in loops, by its own part of the definition: putting
/// together all the others would take longer than most of what it does.
fn parse_part(args: &[OsString]) -> Option<Cli> {
    let (name, part): (_, fn(clap::Command) -> clap::Command) = match args.get(1)?.to_str()? {
        "check" => ("check", check::Args::augment_args),
        "finding" => ("finding", finding::Args::augment_args),
        "hook" => ("hook", hook::Args::augment_args),
        "status" => ("status", status::Args::augment_args),
        _ => return None,
    };
    let root = args::Global::augment_args(clap::Command::new("git-review-gate"));
    let root = root.subcommand(part(clap::Command::new(name)));
    Cli::from_arg_matches(&root.try_get_matches_from(args).ok()?).ok()
}

/// The definition that completions and manual pages are made from.
pub fn definition() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_part_of_the_definition_parses_as_the_whole_does() {
        for line in [
            "g check",
            "g check --color=never main..HEAD --format github -q",
            "g finding list --all",
            "g finding add --origin qa --severity minor --expected a --actual b",
            "g hook pre-push -- origin url --chained",
            "g status --json",
        ] {
            let part = parse_part(&words(line)).expect(line);
            let whole = Cli::try_parse_from(words(line)).unwrap();
            assert_eq!(format!("{part:?}"), format!("{whole:?}"), "{line}");
        }
    }

    #[test]
    fn help_and_faults_are_left_to_the_whole_definition() {
        for line in [
            "g",
            "g check --help",
            "g check --fromat",
            "g finding",
            "g -q check",
            "g chek",
        ] {
            assert!(parse_part(&words(line)).is_none(), "{line}");
        }
    }
}
