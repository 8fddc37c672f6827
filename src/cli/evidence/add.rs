//! `evidence add`: register a claim.

use super::super::args::Format;
use crate::error::Result;
use crate::ops::evidence::add;
use crate::report::evidence as report;
use crate::ui::answer::Answer;

/// Arguments of `evidence add`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Kinds: test-result, test-coverage, manual-spot-check, pre-post-diff, regression-suite, ac-mapping.\nDimensions: functional-completeness, problem-resolution, no-new-bugs, existing-functionality-intact.\n\nExamples:\n  git review-gate evidence add --kind manual-spot-check --dimension problem-resolution \\\n      --description \"The login page shows the new text\" --artifact docs/screens/login.png"
)]
pub struct Add {
    /// What it is
    #[arg(long, value_name = "KIND")]
    kind: String,
    /// The question it speaks to
    #[arg(long, value_name = "DIMENSION")]
    dimension: String,
    /// What is claimed
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: String,
    /// A file that shows it, by its path from the top of the repository
    #[arg(long, value_name = "PATH")]
    artifact: Option<String>,
    /// A page, or the id of an object
    #[arg(long, value_name = "URL")]
    link: Option<String>,
    /// The review; default: the open review of the current branch
    #[arg(long, value_name = "ID")]
    review: Option<String>,
    #[command(flatten)]
    pub(super) format: Format,
}

impl Add {
    /// Registers the claim.
    pub fn run(self) -> Result<Answer> {
        let json = self.format.is_json();
        let added = add::add(&add::Request {
            review: self.review,
            kind: self.kind,
            dimension: self.dimension,
            description: self.description,
            artifact: self.artifact,
            link: self.link,
        })?;
        let text = if json {
            report::added_json(&added)
        } else {
            report::added(&added)
        };
        Ok(super::answer(true, text, added.warnings))
    }
}
