//! The report on a review process: scores of all areas, the absolute gates, and the decision.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::area::{Area, AreaSummary, MINIMUM_SCORE};
use super::comparison::Comparison;
use crate::model::ids::CommitId;
use crate::model::text::escape_json;
use crate::model::words::words;

words! {
    /// What is decided.
    Decision {
        /// Every area and every gate passes.
        Pass = "PASS",
        /// Something does not, or was not measured.
        Blocked = "BLOCKED",
    }
}

words! {
    /// What sort of evidence the measurements are.
    EvidenceKind {
        /// Made up, to show that the scoring works.
        Synthetic = "synthetic",
        /// One review of one change.
        RealRun = "real-run",
        /// Many reviews.
        RealCampaign = "real-campaign",
    }
}

words! {
    /// Where a baseline was read.
    Source {
        /// A file.
        File = "file",
        /// The record that counts on a commit.
        Record = "record",
    }
}

/// One absolute gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GateResult {
    /// Its name.
    pub name: String,
    /// Whether it passes.
    pub passed: bool,
    /// The counts, for people.
    pub detail: String,
}

/// What the scores were compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BaselineUsed {
    /// Where it was read.
    pub source: Source,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// The commit that it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The run that it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
}

/// A report. It holds no time and no name of a machine: equal input gives equal bytes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// `review-gate/quality-report`
    pub schema: &'static str,
    /// 1
    pub version: u32,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The version of the review library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library_version: Option<String>,
    /// Its source revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_revision: Option<String>,
    /// The full id of the judged commit; absent outside of a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub commit: Option<CommitId>,
    /// What sort of evidence it is, as in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Map<String, Value>>,
    /// The counters of the campaign, as in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub campaign: Option<Map<String, Value>>,
    /// 3
    pub minimum_score: u8,
    /// What is decided.
    pub decision: Decision,
    /// Whether a release may rely on it.
    pub release_eligible: bool,
    /// All fourteen, in their order.
    pub areas: Vec<AreaSummary>,
    /// The gates, in their order.
    pub absolute_gates: Vec<GateResult>,
    /// What deserves a remark.
    pub warnings: Vec<String>,
    /// What it was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineUsed>,
    /// What came of comparing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Why nothing was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_error: Option<String>,
    /// Why the baseline could not be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_error: Option<String>,
    /// The SHA-256 of the bytes of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_sha256: Option<String>,
    /// The known members of a valid input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_input: Option<Map<String, Value>>,
}

impl Document {
    /// The value of `schema`.
    pub const SCHEMA: &'static str = "review-gate/quality-report";

    /// A report in which nothing was measured, and why. It blocks.
    pub fn blocked(input_error: impl Into<String>) -> Self {
        let why = input_error.into();
        let areas = Area::ALL
            .iter()
            .map(|area| AreaSummary::not_measured(*area, "nothing was measured"));
        Self {
            schema: Self::SCHEMA,
            version: 1,
            run_id: None,
            library_version: None,
            source_revision: None,
            commit: None,
            evidence: None,
            campaign: None,
            minimum_score: MINIMUM_SCORE,
            decision: Decision::Blocked,
            release_eligible: false,
            areas: areas.collect(),
            absolute_gates: vec![GateResult {
                name: "valid-quality-input".to_owned(),
                passed: false,
                detail: why.clone(),
            }],
            warnings: Vec::new(),
            baseline: None,
            comparison: None,
            input_error: Some(why),
            baseline_error: None,
            input_sha256: None,
            raw_input: None,
        }
    }

    /// As JSON: sorted keys, two spaces, a final line feed; the same bytes wherever it goes.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

/// What people want to see of a report at a glance.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// The run.
    pub run_id: Option<String>,
    /// The judged commit.
    pub commit: Option<String>,
    /// What is decided.
    pub decision: Decision,
    /// All fourteen areas.
    pub areas: Vec<AreaSummary>,
    /// The gates.
    pub gates: Vec<GateResult>,
    /// What deserves a remark.
    pub warnings: Vec<String>,
    /// Why nothing was measured.
    pub input_error: Option<String>,
    /// Why the baseline could not be used.
    pub baseline_error: Option<String>,
}

impl Document {
    /// The report at a glance.
    pub fn overview(&self) -> Overview {
        Overview {
            run_id: self.run_id.clone(),
            commit: self.commit.map(|commit| commit.to_string()),
            decision: self.decision,
            areas: self.areas.clone(),
            gates: self.absolute_gates.clone(),
            warnings: self.warnings.clone(),
            input_error: self.input_error.clone(),
            baseline_error: self.baseline_error.clone(),
        }
    }
}

/// As JSON with sorted keys, safe for a terminal.
pub fn text<T: Serialize>(document: &T) -> String {
    let value = serde_json::to_value(document).expect("texts, finite numbers and words only");
    escape_json(format!("{value:#}\n"))
}
