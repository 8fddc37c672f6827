//! `review record`: check and store a reviewer's answer.

use std::path::PathBuf;

use super::show::Form;
use crate::error::Result;
use crate::ops::review::record::{self, Request};
use crate::ui::answer::Answer;
use crate::ui::input;

/// Arguments of `review record`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The reply is one JSON document, bare or in one fenced block. It is checked against its packet; every claim\nthat nothing delivered can carry is lowered; the result is stored on the commit of the packet.\n\nExit codes: 0 all pass, 1 stored and not all pass, 2 nothing was stored.\n\nExamples:\n  git review-gate review record reply.json\n  reviewer < packet.txt | git review-gate review record --origin alice -"
)]
pub(super) struct Args {
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    /// The packet that is answered, by at least eight digits of its id; default: the newest one of HEAD
    #[arg(long, value_name = "ID")]
    packet: Option<String>,
    /// In whose name
    #[arg(long, value_name = "NAME", default_value = record::REVIEWER)]
    origin: String,
    /// The reply, or standard input with -
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    form: Form,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.form.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let reply = input::read(&self.file)?;
        let shown = record::record(&Request {
            review: self.review,
            packet: self.packet,
            origin: Some(self.origin),
            reply,
        })?;
        Ok(self.form.stored(shown))
    }
}
