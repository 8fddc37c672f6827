//! The measurements as values; each group and member is described where its table stands.

#![expect(
    missing_docs,
    reason = "the names are those of the document, explained by its table"
)]

use serde::Deserialize;

use crate::model::quality::EvidenceKind;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measured {
    pub run_id: Option<String>,
    pub version: Option<String>,
    pub source_revision: Option<String>,
    pub evidence: Evidence,
    pub coverage: Coverage,
    pub findings: Findings,
    pub comments: Comments,
    pub security: Security,
    pub reliability: Reliability,
    pub performance: Performance,
    pub tokens: Tokens,
    pub batches: Batches,
    pub memory: Memory,
    pub configuration: Configuration,
    pub integration: Integration,
    pub campaign: Option<Campaign>,
    pub cache: Option<Cache>,
    pub verification: Option<Verification>,
    pub limits: Option<Limits>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    pub kind: EvidenceKind,
    pub fixture_id: Option<String>,
    pub repository: Option<String>,
    pub pull_number: Option<u64>,
    pub head_sha: Option<String>,
    pub campaign_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Coverage {
    pub eligible_files: u64,
    pub reviewed_files: u64,
    pub unreviewed_files: u64,
    pub required_lens_runs: u64,
    pub completed_required_lens_runs: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Findings {
    pub expected: u64,
    pub detected_expected: u64,
    pub false_positives: u64,
    pub duplicates: u64,
    pub severity_matches: u64,
    pub severity_total: u64,
    pub actionable: u64,
    pub detected: u64,
    pub severity_within_one: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Comments {
    pub inline_expected: u64,
    pub inline_valid: u64,
    pub actionable: u64,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Security {
    pub secret_leaks: u64,
    pub unsafe_actions: u64,
    pub fail_closed_violations: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reliability {
    pub runs: u64,
    pub complete_runs: u64,
    pub incomplete_accepted: u64,
    pub stale_artifacts_accepted: u64,
    pub silent_failures: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Performance {
    #[serde(rename = "p95Ms")]
    pub p95_ms: f64,
    #[serde(rename = "baselineP95Ms")]
    pub baseline_p95_ms: Option<f64>,
    #[serde(rename = "wallClockMs")]
    pub wall_clock_ms: Option<f64>,
    #[serde(rename = "baselineWallClockMs")]
    pub baseline_wall_clock_ms: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tokens {
    pub changed_lines: u64,
    pub valid_findings: u64,
    pub tokens_used: Option<u64>,
    pub baseline_changed_lines: Option<u64>,
    pub baseline_tokens_per_changed_line: Option<f64>,
    pub baseline_tokens_per_provider_call: Option<f64>,
    #[serde(default)]
    pub accounting: Accounting,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Accounting {
    pub input_tokens: Option<u64>,
    pub cached_input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub reasoning_output_tokens: Option<u64>,
    pub memory_tokens: Option<u64>,
    pub retry_tokens: Option<u64>,
    pub total: Option<u64>,
    pub provider_calls: Option<u64>,
    pub wall_clock_ms: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Batches {
    pub planned: u64,
    pub completed: u64,
    pub retried: u64,
    pub over_budget: u64,
    pub wasted_calls: Option<u64>,
    pub provider_calls: Option<u64>,
    pub baseline_provider_calls: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "so the document has them")]
pub struct Memory {
    pub enabled: bool,
    pub persistence_pass: bool,
    pub load_pass: bool,
    pub malformed_rejected: bool,
    pub feedback_recorded: bool,
    pub rules_approved: bool,
    pub learning_evaluation_pass: bool,
    pub learning_detection_lift: bool,
    pub learning_precision_pass: bool,
    pub learning_token_pass: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Configuration {
    pub valid_accepted: bool,
    pub invalid_rejected: bool,
    pub schema_available: bool,
    pub required_flags: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "so the document has them")]
pub struct Integration {
    pub github_pass: bool,
    pub orca_pass: bool,
    pub release_pass: bool,
    pub merge_safety_pass: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Campaign {
    pub discovered: u64,
    pub terminal: u64,
    pub completed: u64,
    pub partial: u64,
    pub blocked: u64,
    pub skipped: u64,
    pub cancelled: u64,
    pub quality_reports: u64,
    pub retries: u64,
    pub wasted_calls: u64,
    pub wall_clock_ms: f64,
    pub baseline_wall_clock_ms: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cache {
    pub hits: u64,
    pub misses: u64,
    pub corrupt_misses: u64,
    pub stale_misses: u64,
    pub unvalidated_misses: u64,
    pub saved_tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Verification {
    pub candidates: u64,
    pub requests: u64,
    pub votes: u64,
    pub failures: u64,
    pub unverified: u64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    pub campaign: Option<Scope>,
    pub pull_request: Option<Scope>,
    pub context_pack: Option<Scope>,
    pub analysis: Option<Scope>,
    pub verification: Option<Scope>,
}

impl Limits {
    /// Each scope by its name; one that was not recorded has no value.
    pub fn scopes(&self) -> [(&'static str, Option<Scope>); 5] {
        [
            ("campaign", self.campaign),
            ("pullRequest", self.pull_request),
            ("contextPack", self.context_pack),
            ("analysis", self.analysis),
            ("verification", self.verification),
        ]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scope {
    pub limit_tokens: u64,
    pub used_tokens: u64,
}
