//! The bodies of evidence: a claim, a run that was seen, and a proof that a test shows the change.

use serde::{Deserialize, Serialize};

use crate::model::dimension::Dimension;
use crate::model::ids::{Digest, TreeId};
use crate::model::review::ReviewId;
use crate::model::witness::{
    Artifact, Counts, Coverage, EvidenceKind, ProofReason, ProofResult, RunClass, RunExit, RunFormat, Unknown,
};

/// Somebody says that something is so. Nobody but them saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceAdded {
    /// The file that shows it, as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// What is said.
    pub description: String,
    /// The question it speaks to.
    pub dimension: Dimension,
    /// What it is.
    pub kind: EvidenceKind,
    /// Where there is more to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The review.
    pub review: ReviewId,
}

/// A command ran, and this is what was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceRun {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// How many tests came to what, where that could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// Why there are no counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts_reason: Option<Unknown>,
    /// What the run reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// The questions it speaks to, in their order.
    pub dimensions: Vec<Dimension>,
    /// The work tree was not that of the commit; such a run counts for no commit.
    pub dirty: bool,
    /// How long it took.
    pub duration_ms: u64,
    /// How it ended.
    pub exit: RunExit,
    /// How its output or report was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<RunFormat>,
    /// What it is.
    pub kind: EvidenceKind,
    /// The reports it wrote.
    pub reports: Vec<Artifact>,
    /// The review.
    pub review: ReviewId,
    /// The digest of its standard error.
    pub stderr: Digest,
    /// The digest of its standard output.
    pub stdout: Digest,
    /// The last bytes of both streams together; absent when that was not wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
}

/// Some tests ran without the change and with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceProof {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// What the runs on the base with the tests of the head came to, in order.
    pub base_runs: Vec<RunClass>,
    /// The tree of the base; that of the head is the subject's.
    pub base_tree: TreeId,
    /// What the runs on the head came to, in order.
    pub head_runs: Vec<RunClass>,
    /// How many runs a side.
    pub n: u64,
    /// Why it was not proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ProofReason>,
    /// What was shown.
    pub result: ProofResult,
    /// The review.
    pub review: ReviewId,
    /// Paths of the test files that were laid over the base, sorted.
    pub tests: Vec<String>,
}
