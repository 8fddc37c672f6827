//! One input → its report.

use super::areas;
use super::document::{self, Operational, Surroundings};
use super::gates;
use super::input::{Input, Malformed};
use crate::model::quality::Document;

/// The report on an input, or on why it cannot be used. With a malformed input the baseline is not looked at.
pub fn evaluate(input: Result<Input, Malformed>, around: &Surroundings) -> Document {
    let input = match input {
        Ok(input) => input,
        Err(malformed) => return document::blocked(malformed, around),
    };
    let operational = Operational {
        evidence: &input.measured.evidence,
        limits: input.measured.limits.as_ref(),
        lacking: &[],
    };
    document::decide(scored(&input), &operational, around)
}

/// Areas and gates that depend on the input alone.
pub fn scored(input: &Input) -> Document {
    let measured = &input.measured;
    let group = |key: &str| input.raw.get(key).and_then(|group| group.as_object().cloned());
    Document {
        run_id: measured.run_id.clone(),
        library_version: measured.version.clone(),
        source_revision: measured.source_revision.clone(),
        evidence: group("evidence"),
        campaign: group("campaign"),
        areas: areas::score(measured),
        absolute_gates: gates::of_input(measured),
        warnings: input.warnings.clone(),
        input_error: None,
        raw_input: Some(input.raw.clone()),
        ..Document::blocked("")
    }
}
