//! Two sets of scores side by side: what is worse, and by how much.

use schemars::JsonSchema;
use serde::Serialize;

use super::area::Area;
use super::document::{self, BaselineUsed, Decision};

/// What became of the scores of a baseline; in the order of the areas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The largest drop of a score that is tolerated.
    pub max_score_drop: u8,
    /// Areas that score less than before.
    pub regressions: Vec<Change>,
    /// Those that block, and areas that are not measured any more.
    pub material_regressions: Vec<Change>,
    /// Areas that score more than before.
    pub improved: Vec<Area>,
}

/// One area whose score is another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change {
    /// The area.
    pub area: Area,
    /// The score of the baseline.
    pub from: u8,
    /// The score now; null where it is not measured.
    pub to: Option<u8>,
}

/// What `quality compare` came to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    /// `review-gate/quality-comparison`
    pub schema: &'static str,
    /// 1
    pub version: u32,
    /// The first of the two; absent where it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Operand>,
    /// The second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Operand>,
    /// What is different; absent where one of the two cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// PASS where nothing is materially worse and the second one is itself PASS.
    pub decision: Decision,
    /// Why it could not be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_error: Option<String>,
}

impl Compared {
    /// The value of `schema`.
    pub const SCHEMA: &'static str = "review-gate/quality-comparison";

    /// As JSON: sorted keys, two spaces, a final line feed.
    pub fn to_text(&self) -> String {
        document::text(self)
    }
}

/// One of the two that are compared.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Operand {
    /// Where it was read.
    #[serde(flatten)]
    pub read: BaselineUsed,
    /// What it says itself.
    pub decision: Decision,
}
