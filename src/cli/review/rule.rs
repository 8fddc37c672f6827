//! `review rule`: a person decides one dimension.

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use super::show::Form;
use crate::error::{Error, Result};
use crate::model::dimension::Dimension;
use crate::model::event::RuledVerdict;
use crate::ops::review::rule::{self, Request};
use crate::ui::answer::Answer;

/// Arguments of `review rule`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A ruling settles the records that stand now and no later ones; it stays visible with name and reason.\n\nExit codes: 0 all pass, 1 stored and not all pass, 2 nothing was stored.\n\nExamples:\n  git review-gate review rule existing-functionality-intact pass \\\n      --reason \"the removed test covered what AC-2 takes away\"\n  git review-gate review rule no-new-bugs fail --reason \"the neighbour breaks on empty input\""
)]
pub(super) struct Args {
    /// The question
    #[arg(value_name = "DIMENSION", value_parser = PossibleValuesParser::new(Dimension::ALL.iter().map(|one| one.as_str())))]
    dimension: String,
    /// The ruling
    #[arg(value_enum, value_name = "pass|fail")]
    verdict: Verdict,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    #[command(flatten)]
    form: Form,
}

/// What a person can rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Verdict {
    /// It passes
    Pass,
    /// It does not
    Fail,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.form.is_json()
    }

    pub(super) fn run(self) -> Result<Answer> {
        let dimension: Dimension = self
            .dimension
            .parse()
            .map_err(|unknown| Error::new("usage", "no such dimension").caused_by(&unknown))?;
        let shown = rule::rule(&Request {
            review: self.review,
            dimension,
            verdict: match self.verdict {
                Verdict::Pass => RuledVerdict::Pass,
                Verdict::Fail => RuledVerdict::Fail,
            },
            reason: self.reason,
        })?;
        Ok(self.form.stored(shown))
    }
}
