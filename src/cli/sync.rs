//! `sync`: exchanges notes with a remote.

use std::time::Duration;

use super::args;
use crate::error::Result;
use crate::exit::Exit;
use crate::ops::sync;
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `sync`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Fetches the notes of the remote, unites them with those here line by line, and pushes the result, never by force. Whatever fails, nothing that is here gets lost.\n\nExamples:\n  git review-gate sync\n  git review-gate sync upstream --timeout 120s"
)]
pub struct Args {
    /// Name or address of the remote [default: that of policy, of the branch, or origin]
    remote: Option<String>,
    /// How long it may take altogether [default: that of policy, 60s]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    #[command(flatten)]
    format: args::Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Does it.
    pub fn run(self) -> Result<Answer> {
        let done = sync::run(self.remote.as_deref(), self.timeout)?;
        let text = if self.format.is_json() {
            report::sync::json(&done)
        } else {
            report::sync::human(&done)
        };
        Ok(Answer::with(Exit::Pass, text))
    }
}

/// A number of seconds, with or without an `s`: at least one, at most a day.
fn seconds(text: &str) -> Result<Duration, String> {
    text.strip_suffix('s')
        .unwrap_or(text)
        .parse()
        .ok()
        .filter(|seconds| (1..=86_400).contains(seconds))
        .map(Duration::from_secs)
        .ok_or_else(|| "a number of seconds such as 60s, at most 86400s".to_owned())
}
