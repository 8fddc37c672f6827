//! `quality schema`.

use clap::ValueEnum;

use crate::cli::args::Format;
use crate::model::quality::document;
use crate::ops::quality::schema as ops;
use crate::report::schemas::Form;
use crate::ui::answer::Answer;

/// Arguments of `quality schema`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate quality schema\n  git review-gate quality schema campaign"
)]
pub(super) struct Args {
    /// The document
    #[arg(value_enum, value_name = "NAME", default_value_t = Name::Input)]
    name: Name,
    // A schema is JSON in either form; a caller that asks every command for JSON is not refused.
    #[command(flatten)]
    format: Format,
}

/// A document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// The measurements of one run.
    Input,
    /// The report.
    Report,
    /// The input of a campaign.
    Campaign,
    /// A labelled corpus.
    Corpus,
    /// What a reviewer found in a corpus.
    Findings,
    /// The protocol file of a baseline.
    Protocol,
}

impl Args {
    pub(super) fn wants_json(&self) -> bool {
        self.format.is_json()
    }

    /// Prints the JSON Schema.
    pub(super) fn run(&self) -> Answer {
        let name = match self.name {
            Name::Report => {
                let form = Form::named("quality-report").expect("the form of the report is listed");
                return Answer::done(form.schema());
            }
            Name::Input => ops::DocumentName::Input,
            Name::Campaign => ops::DocumentName::Campaign,
            Name::Corpus => ops::DocumentName::Corpus,
            Name::Findings => ops::DocumentName::Findings,
            Name::Protocol => ops::DocumentName::Protocol,
        };
        Answer::done(document::text(&ops::schema(name)))
    }
}
