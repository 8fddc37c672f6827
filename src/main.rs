//! The binary: parse, run, print, return the exit code.

use std::process::ExitCode;

use git_review_gate::cli::{self, Context};
use git_review_gate::exit::Exit;
use git_review_gate::ui::streams;

fn main() -> ExitCode {
    let parsed = match cli::parse(std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(usage) => {
            // Help and version come this way too; clap picks the stream and the exit code 0 or 2.
            let _ = usage.print();
            return if usage.use_stderr() {
                Exit::Undecided
            } else {
                Exit::Pass
            }
            .into();
        }
    };
    let context = Context {
        colour: false,
        quiet: parsed.global.quiet,
    };
    let json = parsed.command.wants_json();
    match parsed.command.run(&context) {
        Ok(answer) => {
            streams::print(&answer);
            answer.exit.into()
        }
        Err(error) => {
            streams::print_error(&error, json);
            Exit::Undecided.into()
        }
    }
}
