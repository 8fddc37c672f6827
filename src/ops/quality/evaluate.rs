//! `quality evaluate` and `quality campaign`: one report, printed, written and recorded alike.

use std::path::PathBuf;

use super::place::Place;
use super::{record, source};
use crate::exit::Exit;
use crate::model::quality::{Decision, Document};
use crate::ops::output;
use crate::quality::document::{Purpose, Surroundings};
use crate::quality::input::{self, Malformed, Unknown};
use crate::quality::{campaign, evaluate};

/// What is evaluated.
#[derive(Debug, Clone)]
pub enum Subject {
    /// One run.
    Run,
    /// A campaign; these reports, files or revisions, are appended to its own.
    Campaign(Vec<String>),
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// A run or a campaign.
    pub subject: Subject,
    /// The file of the input, or `-`.
    pub input: Option<PathBuf>,
    /// The file or revision to compare with.
    pub baseline: Option<String>,
    /// The largest drop of a score that is tolerated, as it was written.
    pub max_score_drop: Option<String>,
    /// Whether members that are not known are faults.
    pub is_strict: bool,
    /// Whether a release asks for it.
    pub is_release: bool,
    /// The judged commit; HEAD where it is not named.
    pub commit: Option<String>,
    /// Where the report goes.
    pub keeping: Keeping,
}

/// Where a report goes besides standard output.
#[derive(Debug, Clone, Default)]
pub struct Keeping {
    /// Into this file.
    pub output: Option<PathBuf>,
    /// Into the notes of the judged commit.
    pub record: bool,
}

/// A report, and what else should be said.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The report, as it was written and recorded.
    pub document: Document,
    /// What deserves a remark.
    pub warnings: Vec<String>,
}

impl Finished {
    /// The exit code: only PASS is 0.
    pub fn exit(&self) -> Exit {
        match self.document.decision {
            Decision::Pass => Exit::Pass,
            Decision::Blocked => Exit::Undecided,
        }
    }
}

/// Evaluates. Whatever is wrong, there is a report, which then blocks.
pub fn run(request: &Request) -> Finished {
    let mut problems = Vec::new();
    let place = match Place::find(request.commit.as_deref()) {
        Ok(place) => place,
        Err(error) => {
            problems.push(if request.commit.is_some() {
                format!("--commit: {error}")
            } else {
                error.to_string()
            });
            Place {
                repo: None,
                commit: None,
            }
        }
    };
    let bytes = match &request.input {
        None => Err("--input: no file is named".to_owned()),
        Some(path) => source::read(path).map_err(|why| format!("--input: {why}")),
    };
    if let Err(why) = &bytes {
        problems.push(why.clone());
    }
    let max_score_drop = match max_score_drop(&place, request) {
        Ok(drop) => drop,
        Err(why) => {
            problems.push(why);
            0
        }
    };
    let mut around = Surroundings {
        commit: place.commit,
        purpose: if request.is_release {
            Purpose::Release
        } else {
            Purpose::Any
        },
        max_score_drop,
        input_sha256: bytes.as_ref().ok().map(|bytes| source::sha256(bytes)),
        ..Surroundings::default()
    };
    let document = match (bytes, problems.is_empty()) {
        (Ok(bytes), true) => judge(&place, request, &bytes, &mut around),
        (bytes, _) => {
            let malformed = Malformed {
                known: bytes.map(|bytes| input::identity(&bytes)).unwrap_or_default(),
                ..Malformed::because(problems.join("; "))
            };
            evaluate::evaluate(Err(malformed), &around)
        }
    };
    finish(&place, document, &request.keeping)
}

fn judge(place: &Place, request: &Request, bytes: &[u8], around: &mut Surroundings) -> Document {
    let bind = |around: &mut Surroundings, head: Option<&str>| {
        around.binding = head.map(|head| place.binding(head));
        around.baseline = request
            .baseline
            .as_deref()
            .map(|named| source::baseline(place, named));
    };
    let unknown = if request.is_strict {
        Unknown::Refused
    } else {
        Unknown::Named
    };
    match &request.subject {
        Subject::Run => {
            let input = input::read(bytes, unknown);
            if let Ok(input) = &input {
                bind(around, input.measured.evidence.head_sha.as_deref());
            }
            evaluate::evaluate(input, around)
        }
        Subject::Campaign(named) => {
            let mut reports = Vec::new();
            for name in named {
                match source::find(place, name) {
                    Ok(found) => reports.push((format!("--report {name}"), found.bytes)),
                    Err(why) => {
                        let malformed = Malformed::because(format!("--report: {why}"));
                        return campaign::evaluate(Err(malformed), around);
                    }
                }
            }
            let input = campaign::read(bytes, &reports, unknown);
            if let Ok(input) = &input {
                bind(around, input.evidence.head_sha.as_deref());
            }
            campaign::evaluate(input, around)
        }
    }
}

/// The largest drop that is tolerated: as it is written, else as the policy says, else 1.
fn max_score_drop(place: &Place, request: &Request) -> Result<u8, String> {
    match &request.max_score_drop {
        Some(written) => parse_drop(written),
        // Nobody asks for it.
        None if request.baseline.is_none() => Ok(1),
        None => policy_drop(place),
    }
}

/// The drop that the policy tolerates.
pub fn policy_drop(place: &Place) -> Result<u8, String> {
    let policy = place.policy().map_err(|error| format!("policy: {error}"))?;
    u8::try_from(policy.quality.max_score_drop)
        .ok()
        .filter(|drop| *drop <= 3)
        .ok_or_else(|| "policy: max_score_drop must be 0, 1, 2 or 3".to_owned())
}

/// One of the four words; anything else must not switch the rule off.
pub fn parse_drop(written: &str) -> Result<u8, String> {
    match written {
        "0" => Ok(0),
        "1" => Ok(1),
        "2" => Ok(2),
        "3" => Ok(3),
        _ => Err(format!("--max-score-drop must be 0, 1, 2 or 3, not {written:?}")),
    }
}

/// Writes and records the report. Where that fails, the report says so and blocks: what is printed, written and
/// recorded is one and the same.
pub fn finish(place: &Place, mut document: Document, keeping: &Keeping) -> Finished {
    let mut warnings = Vec::new();
    let failed = |document: &Document, option: &str, error: &crate::error::Error| Document {
        run_id: document.run_id.clone(),
        library_version: document.library_version.clone(),
        source_revision: document.source_revision.clone(),
        evidence: document.evidence.clone(),
        commit: document.commit,
        input_sha256: document.input_sha256.clone(),
        ..Document::blocked(format!("{option}: {error}"))
    };
    if let Some(path) = &keeping.output
        && let Err(error) = output::replace(path, document.to_text().as_bytes())
    {
        document = failed(&document, "--output", &error);
    }
    if keeping.record {
        let kept = place
            .commit()
            .and_then(|commit| record::keep(place.repo()?, commit, &document.to_text()));
        match kept {
            Ok(more) => warnings.extend(more),
            Err(error) => {
                document = failed(&document, "--record", &error);
                warnings.extend(error.hints.iter().map(|hint| format!("not recorded; {hint}")));
                if let Some(path) = &keeping.output
                    && let Err(error) = output::replace(path, document.to_text().as_bytes())
                {
                    warnings.push(format!("--output: {error}"));
                }
            }
        }
    }
    Finished { document, warnings }
}
