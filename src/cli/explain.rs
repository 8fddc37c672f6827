//! `explain RULE|KIND|policy`: what a rule or a kind of fact means, and which policy holds.

use super::args::Format;
use crate::error::Result;
use crate::ops::explain::{self, Explanation};
use crate::report;
use crate::ui::answer::Answer;

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate explain findings-open\n  git review-gate explain test-removed\n  git review-gate explain policy"
)]
pub struct Args {
    /// The id of a rule, a kind of fact, or the word `policy`
    #[arg(value_name = "RULE|KIND|policy")]
    name: String,
    /// The ref whose gate is meant, for `policy`; default: that of the checked-out branch
    #[arg(long = "ref", value_name = "REF")]
    ref_name: Option<String>,
    #[command(flatten)]
    format: Format,
}

impl Args {
    /// Whether JSON is asked for.
    pub fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Explains it.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        Ok(Answer::done(match explain::explain(&self.name)? {
            Explanation::Text(text) if json => report::policy::text_json(&self.name, &text),
            Explanation::Text(text) => report::wrap::paragraphs(&text),
            Explanation::Policy => {
                let policy = explain::policy(self.ref_name.as_deref())?;
                if json {
                    report::policy::json(&policy)
                } else {
                    report::policy::human(&policy)
                }
            }
        }))
    }
}
