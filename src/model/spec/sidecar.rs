//! The sidecar file beside a spec: format v1, and what this tool keeps under its one key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::extra::Extra;
use super::id::SrId;
use super::token::{Decision, Lens, Outcome, Severity, Status};
use super::work::ReviewGate;

/// The most bytes of a sidecar that are read.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The whole state of the review of one spec.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sidecar {
    /// Relative to the root of the repository.
    pub spec_path: String,
    /// The sha256 of the spec's bytes as they were last written or adopted.
    pub last_written_hash: String,
    /// Where the run stands.
    pub status: Status,
    /// From 1.
    pub run: u32,
    /// The recorded rounds of this run.
    pub iterations_used: u32,
    /// The launches of this run, repeated ones too.
    pub dispatches_used: u64,
    /// The time of this run without waiting for people.
    pub active_seconds: u64,
    /// What people said, by entry.
    pub decisions: BTreeMap<SrId, DecisionMade>,
    /// Every defect ever found, by ascending id.
    pub registry: Vec<Entry>,
    /// The recorded rounds of this run.
    pub rounds: Vec<Round>,
    /// What format v1 has no place for; absent in files that another tool wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x_review_gate: Option<Box<ReviewGate>>,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionMade {
    /// Which.
    pub decision: Decision,
    /// The text agreed on, if it is `accepted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One replacement of literal text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// What stands there.
    pub old: String,
    /// What takes its place; may be empty.
    pub new: String,
}

/// One defect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id, never given twice.
    pub sr_id: SrId,
    /// The section it is in; fixed once given.
    pub slug: String,
    /// The defect in one to ten words; fixed once given.
    pub phrase: String,
    /// The sha256 of slug, bar and phrase.
    pub key: String,
    /// The highest that any row had.
    pub severity: Severity,
    /// All lenses that found it, in order of arrival.
    pub lenses: Vec<Lens>,
    /// A person must say how it is fixed.
    pub needs_decision: bool,
    /// A batched fix is not in the text.
    pub unlanded: bool,
    /// Serious, without a full set of verdicts.
    pub unconfirmed: bool,
    /// Failed fixes since `unlanded` was last clear.
    pub fix_failures: u32,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One recorded round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// From 1.
    pub round: u32,
    /// The lenses asked.
    pub panel: Vec<Lens>,
    /// Why these.
    pub panel_rationale: String,
    /// The headings of the sections, as written.
    pub units: Vec<String>,
    /// One row for each entry found or carried.
    pub findings: Vec<Finding>,
    /// What reviewers dropped themselves.
    pub rejected: Vec<Rejected>,
    /// Every judgement of sameness.
    pub equivalence_log: Vec<Judgement>,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One row: an entry as it was in this round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Whose row.
    pub sr_id: SrId,
    /// In this round.
    pub severity: Severity,
    /// Those that found it in this round.
    pub lenses: Vec<Lens>,
    /// What became of it.
    pub outcome: Outcome,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A candidate that a reviewer dropped itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// Whose.
    pub lens: Lens,
    /// Word for word.
    pub candidate: String,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A judgement whether two findings are the same defect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// A finding's reference or an entry's id.
    pub a: String,
    /// The other.
    pub b: String,
    /// Whether they are one defect.
    #[serde(rename = "match")]
    pub is_match: bool,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Why bytes are no sidecar.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Too long.
    #[error("longer than 16 MiB")]
    TooLong,
    /// Not JSON of this shape.
    #[error(transparent)]
    Shape(#[from] serde_json::Error),
}

impl Sidecar {
    /// Reads a file; its layout and the order of its keys are free.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.len() > MAX_BYTES {
            return Err(Unreadable::TooLong);
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The bytes of the file: two spaces of indentation, known keys first, one line feed at the end.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a sidecar has only texts for keys");
        text.push('\n');
        text
    }

    /// The entry of an id.
    pub fn entry(&self, id: SrId) -> Option<&Entry> {
        self.registry.iter().find(|entry| entry.sr_id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::Sidecar;

    const FOREIGN: &str = r#"{"zeta": {"b": 1, "a": [1.5, null, "ż"]}, "run": 1, "spec_path": "d/a.md",
        "last_written_hash": "00", "status": "STOPPED(budget)", "iterations_used": 1,
        "dispatches_used": 3, "active_seconds": 0, "decisions": {"SR-001": {"why": "x", "decision": "keep-as-is"}},
        "registry": [], "alpha": true, "rounds": [{"note": "n", "round": 1, "panel": ["ux"],
        "panel_rationale": "", "units": [], "findings": [{"sr_id": "SR-001", "severity": "nit", "lenses": [],
        "outcome": "confirmed (not fixed — stopped)", "more": 1}], "rejected": [], "equivalence_log": []}]}"#;

    #[test]
    fn unknown_keys_are_kept_after_the_known_ones_in_the_order_read() {
        let sidecar = Sidecar::read(FOREIGN.as_bytes()).unwrap();
        let text = sidecar.to_text();
        let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} in {text}"));
        assert!(place("\"rounds\"") < place("\"zeta\"") && place("\"zeta\"") < place("\"alpha\""));
        assert!(place("\"b\": 1") < place("\"a\": ["));
        assert!(place("\"decision\"") < place("\"why\""));
        assert!(place("\"equivalence_log\"") < place("\"note\""));
        assert!(place("— stopped)\"") < place("\"more\""));
        assert!(text.starts_with("{\n  \"spec_path\"") && text.ends_with("}\n") && text.contains('ż'));
        assert_eq!(Sidecar::read(text.as_bytes()).unwrap(), sidecar);
    }

    #[test]
    fn a_wrong_word_or_a_missing_key_is_refused() {
        assert!(Sidecar::read(FOREIGN.replace("STOPPED(budget)", "STOPPED").as_bytes()).is_err());
        assert!(Sidecar::read(FOREIGN.replace("\"run\": 1,", "").as_bytes()).is_err());
    }
}
