//! The binary: parse, run, print, return the exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use git_review_gate::cli::{self, Context, args};
use git_review_gate::error::Error;
use git_review_gate::exit::Exit;
use git_review_gate::ops::settings;
use git_review_gate::ui::colour::{self, Choice, GitColour};
use git_review_gate::ui::streams;

fn main() -> ExitCode {
    end_panics_undecided();
    let raw: Vec<OsString> = std::env::args_os().collect();
    let parsed = match cli::parse(&raw) {
        Ok(parsed) => parsed,
        Err(usage) => return explain_usage(&usage, &raw),
    };
    let choice = match parsed.global.color {
        args::Color::Auto => Choice::Auto,
        args::Color::Always => Choice::Always,
        args::Color::Never => Choice::Never,
    };
    let context = Context {
        colour: choice != Choice::Never,
        quiet: parsed.global.quiet,
    };
    let json = parsed.command.wants_json();
    let colour = || {
        colour::wanted(choice, &streams::surroundings(), || {
            GitColour::from_config(settings::color_ui().as_deref())
        })
    };
    let printed = parsed.command.run(&context).and_then(|answer| {
        streams::print(&answer, colour, settings::pager)?;
        Ok(answer.exit)
    });
    match printed {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = Exit::of(&error);
            streams::print_error(&error.or_hint(), json);
            exit.into()
        }
    }
}

/// Prints what clap has to say: help and version (exit code 0), or what is wrong with the command line.
fn explain_usage(usage: &clap::Error, raw: &[OsString]) -> ExitCode {
    // A closed pipe changes nothing; clap picks the stream.
    let _ = usage.print();
    if !usage.use_stderr() {
        return Exit::Pass.into();
    }
    if asks_for_json(raw) {
        let text = usage.render().to_string();
        let message = text.lines().next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let error = Error::new("usage", message).hint("git review-gate -h");
        streams::print_json(&streams::error_json(&error));
    }
    Exit::Undecided.into()
}

/// Whether a command line that could not be parsed seems to ask for JSON.
fn asks_for_json(raw: &[OsString]) -> bool {
    let has = |word: &str| raw.iter().any(|arg| arg == word);
    // For these two, `--json` names their input.
    let reads_json = has("finding") && (has("add") || has("resolve"));
    has("--format=json")
        || raw
            .windows(2)
            .any(|pair| pair[0] == "--format" && pair[1] == "json")
        || (has("--json") && !reads_json)
}

/// A panic is a fault of ours, so nothing was decided: exit code 2 whatever the build, as callers rely on it.
fn end_panics_undecided() {
    let show = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        show(panic);
        #[expect(clippy::exit, reason = "a panic has no return value to carry the exit code")]
        std::process::exit(i32::from(Exit::Undecided.code()));
    }));
}
