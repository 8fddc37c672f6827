//! What a labelled corpus says about a reviewer, as counts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::document;

/// Counts of findings. Their names are those of the input of `quality evaluate`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FindingCounts {
    /// Expectations.
    pub expected: u64,
    /// Those that took a finding.
    pub detected_expected: u64,
    /// Findings that fit no expectation of their case.
    pub false_positives: u64,
    /// Findings that fit an expectation and that none took.
    pub duplicates: u64,
    /// Taken findings of the expected severity.
    pub severity_matches: u64,
    /// Taken findings at most one rank off.
    pub severity_within_one: u64,
    /// Taken findings.
    pub severity_total: u64,
    /// Findings with a rationale and a suggestion.
    pub actionable: u64,
    /// All findings.
    pub detected: u64,
}

impl FindingCounts {
    /// The sum of both.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            expected: self.expected + other.expected,
            detected_expected: self.detected_expected + other.detected_expected,
            false_positives: self.false_positives + other.false_positives,
            duplicates: self.duplicates + other.duplicates,
            severity_matches: self.severity_matches + other.severity_matches,
            severity_within_one: self.severity_within_one + other.severity_within_one,
            severity_total: self.severity_total + other.severity_total,
            actionable: self.actionable + other.actionable,
            detected: self.detected + other.detected,
        }
    }
}

/// Counts of comments: each finding is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentCounts {
    /// All of them.
    pub inline_expected: u64,
    /// Those on a line that the source has.
    pub inline_valid: u64,
    /// Those with a rationale and a suggestion.
    pub actionable: u64,
    /// All of them.
    pub total: u64,
}

/// What `quality score` came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CorpusScore {
    /// `review-gate/quality-score`
    pub schema: &'static str,
    /// 1
    pub version: u32,
    /// Which corpus.
    pub corpus: CorpusName,
    /// The run that is scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Over all cases.
    pub findings: FindingCounts,
    /// Over all cases.
    pub comments: CommentCounts,
    /// For each case, in the order of the corpus.
    pub cases: Vec<CaseCounts>,
    /// For each subject that the corpus protects.
    pub protected: BTreeMap<String, Protected>,
}

impl CorpusScore {
    /// The value of `schema`.
    pub const SCHEMA: &'static str = "review-gate/quality-score";

    /// As JSON: sorted keys, two spaces, a final line feed.
    pub fn to_text(&self) -> String {
        document::text(self)
    }
}

/// Which corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CorpusName {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
}

/// The counts of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CaseCounts {
    /// The case.
    pub id: String,
    /// Its counts.
    #[serde(flatten)]
    pub counts: FindingCounts,
}

/// How much of a protected subject was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Protected {
    /// Expectations.
    pub expected: u64,
    /// Those that took a finding.
    pub detected_expected: u64,
}

/// What `quality canary` came to: whether a learned rule helps. The names are those of the input's group `memory`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "so the input has them")]
pub struct Canary {
    /// `review-gate/quality-canary`
    pub schema: &'static str,
    /// 1
    pub version: u32,
    /// All of the others hold, and everything expected is detected with the rule.
    pub learning_evaluation_pass: bool,
    /// More is detected with the rule.
    pub learning_detection_lift: bool,
    /// Nothing false and nothing twice with the rule.
    pub learning_precision_pass: bool,
    /// A call takes at most a tenth more tokens with the rule.
    pub learning_token_pass: bool,
}

impl Canary {
    /// The value of `schema`.
    pub const SCHEMA: &'static str = "review-gate/quality-canary";

    /// As JSON: sorted keys, two spaces, a final line feed.
    pub fn to_text(&self) -> String {
        document::text(self)
    }
}
