//! The answer of a reviewer, what the gates make of it, and what of that is kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::dimension::{Dimension, DimensionVerdict};
use super::witness::EvidenceKind;
use super::words::words;

words! {
    /// How sure a verdict is, from least to most.
    Confidence {
        /// Neither of the two.
        Low = "low",
        /// Concrete evidence, but for a part.
        Medium = "medium",
        /// Concrete and repeatable evidence.
        High = "high",
    }
}

/// The answer to all four questions: as a reviewer gives it, or as it stands after the gates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinalReviewOutput {
    /// The review it answers.
    pub rid: String,
    /// When it was written, RFC 3339 with a zone.
    pub generated_at: String,
    /// The four answers, in the order of the dimensions.
    pub dimensions: Vec<DimensionOutput>,
    /// What there is to say about all of it.
    pub overall_summary: String,
    /// Whether all four pass and nothing needs attention. Optional in a reply, always there in a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_pass: Option<bool>,
    /// What a person must look at, in the order of the dimensions. Optional in a reply, always there in a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_attention: Option<Vec<Dimension>>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DimensionOutput {
    /// The question.
    pub dimension: Dimension,
    /// The answer.
    pub verdict: DimensionVerdict,
    /// Why, in words.
    pub summary: String,
    /// What it rests on.
    pub evidence: Vec<EvidenceItem>,
    /// How sure it is.
    pub confidence: Confidence,
}

/// One thing that a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceItem {
    /// What it is.
    pub kind: EvidenceKind,
    /// What it shows.
    pub description: String,
    /// A path of the commit, `evidence:<id>` or the name of the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<String>,
    /// A web address or a commit id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl FinalReviewOutput {
    /// The answer to one question; a checked reply has all four.
    pub fn dimension(&self, dimension: Dimension) -> Option<&DimensionOutput> {
        self.dimensions.iter().find(|entry| entry.dimension == dimension)
    }
}

words! {
    /// The gates that a reply goes through, in their order.
    Gate {
        /// A conclusion was delivered that a person must look at.
        PrePostDiffDrift = "pre-post-diff-drift-gate",
        /// Inconclusive cannot be sure.
        Confidence = "confidence-gate",
        /// A pass needs a source that was delivered.
        Evidence = "evidence-gate",
        /// A pass on existing functionality needs a baseline that measured something.
        PrePostDiff = "pre-post-diff-gate",
        /// A pass on completeness needs the contract, whole.
        ScopeContract = "scope-contract-gate",
        /// A dimension out of reach cannot pass.
        Reachability = "delivery-reachability",
        /// A pass needs the items that its question asks for.
        ContractEvidence = "contract-evidence-gate",
        /// What is cited must exist.
        Artifact = "artifact-gate",
        /// A pass needs that no newest witnessed run failed.
        WitnessedRed = "witnessed-red-gate",
        /// The reviewer withheld the overall pass.
        ReviewerWithheld = "reviewer-withheld",
    }
}

words! {
    /// What a gate did.
    Effect {
        /// A pass became inconclusive with low confidence.
        Downgraded = "downgraded",
        /// The verdict was no pass already.
        Unchanged = "unchanged",
        /// The verdict stays, and a person must look.
        Flagged = "flagged",
        /// High confidence became medium.
        Clamped = "clamped",
    }
}

/// What one gate says about one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Marker {
    /// The question.
    pub dimension: Dimension,
    /// What it did.
    pub effect: Effect,
    /// The gate.
    pub marker: Gate,
    /// Why, at most 500 characters; safe to show.
    pub text: String,
}

/// What stands for one dimension after the gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Outcome {
    /// How sure it is.
    pub confidence: Confidence,
    /// The answer.
    pub verdict: DimensionVerdict,
}

/// What a record keeps of the answer; the texts are those of the raw reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewResult {
    /// Whether nothing needs attention.
    pub all_pass: bool,
    /// Whether the baseline was added to the items of existing functionality.
    pub attached: bool,
    /// What stands, for all four.
    pub dimensions: BTreeMap<Dimension, Outcome>,
    /// What a person must look at, in the order of the dimensions.
    pub needs_attention: Vec<Dimension>,
}
