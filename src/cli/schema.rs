//! `schema [NAME]`: the JSON Schema of what a command prints.

use crate::error::{Error, Result};
use crate::report::schemas::{self, Form};
use crate::ui::answer::Answer;

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate schema\n  git review-gate schema decision\n  git review-gate schema review-gate/hooks-status"
)]
pub struct Args {
    /// The name, as in the key `schema` of the output; without it, all names
    name: Option<String>,
}

impl Args {
    /// Prints the schema, or the names.
    pub fn run(self) -> Result<Answer> {
        let Some(name) = self.name else {
            return Ok(Answer::done(schemas::list()));
        };
        let form = Form::named(&name).ok_or_else(|| {
            Error::new("usage", format!("there is no schema {name}")).hint("git review-gate schema")
        })?;
        Ok(Answer::done(form.schema()))
    }
}
