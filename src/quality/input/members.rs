//! The table of an input: what measurements are called, of what type, and in what order they stand.

use crate::quality::table::{Member, Shape, may, must};

use Shape::{Count, Flag, Number, Object, Text};

/// Of which sort the evidence is, and what must be known of it.
pub const EVIDENCE: Shape = Shape::Tagged(
    "kind",
    &[
        ("synthetic", &evidence(Sort::Synthetic)),
        ("real-run", &evidence(Sort::Run)),
        ("real-campaign", &evidence(Sort::Campaign)),
    ],
);

/// The evidence of a campaign.
pub const CAMPAIGN_EVIDENCE: Shape = Shape::Tagged("kind", &[("real-campaign", &evidence(Sort::Campaign))]);

/// Evidence of one run: complete.
pub const RUN_EVIDENCE: Shape = Shape::Tagged("kind", &[("real-run", &evidence(Sort::Run))]);

/// Which members of evidence must be there.
#[derive(Clone, Copy)]
enum Sort {
    Synthetic,
    Run,
    Campaign,
}

const fn evidence(sort: Sort) -> [Member; 6] {
    let run = matches!(sort, Sort::Run);
    [
        must("kind", Shape::Word(&["synthetic", "real-run", "real-campaign"])),
        when(matches!(sort, Sort::Synthetic), "fixtureId", Text),
        when(run, "repository", Text),
        when(run, "pullNumber", Shape::Positive),
        when(run, "headSha", HEAD),
        when(matches!(sort, Sort::Campaign), "campaignId", Text),
    ]
}

/// A member that must be there only sometimes.
const fn when(is_required: bool, key: &'static str, shape: Shape) -> Member {
    Member {
        key,
        is_required,
        shape,
    }
}

/// The id of a commit, which may be shortened.
pub const HEAD: Shape = Shape::Hex(7, 64);

/// The counters of a campaign.
pub const CAMPAIGN: Shape = Object(&[
    must("discovered", Count),
    must("terminal", Count),
    must("completed", Count),
    must("partial", Count),
    must("blocked", Count),
    must("skipped", Count),
    must("cancelled", Count),
    must("qualityReports", Count),
    must("retries", Count),
    must("wastedCalls", Count),
    must("wallClockMs", Number),
    may("baselineWallClockMs", Number),
]);

const SCOPE: Shape = Object(&[must("limitTokens", Count), must("usedTokens", Count)]);

/// The limits that a run was held to.
pub const LIMITS: Shape = Object(&[
    may("campaign", SCOPE),
    may("pullRequest", SCOPE),
    may("contextPack", SCOPE),
    may("analysis", SCOPE),
    may("verification", SCOPE),
]);

const COVERAGE: Shape = Object(&[
    must("eligibleFiles", Count),
    must("reviewedFiles", Count),
    must("unreviewedFiles", Count),
    must("requiredLensRuns", Count),
    must("completedRequiredLensRuns", Count),
]);

/// Counts of findings.
pub const FINDINGS: Shape = Object(&[
    must("expected", Count),
    must("detectedExpected", Count),
    must("falsePositives", Count),
    must("duplicates", Count),
    must("severityMatches", Count),
    must("severityTotal", Count),
    must("actionable", Count),
    must("detected", Count),
    may("severityWithinOne", Count),
]);

/// Counts of comments.
pub const COMMENTS: Shape = Object(&[
    must("inlineExpected", Count),
    must("inlineValid", Count),
    must("actionable", Count),
    must("total", Count),
]);

const SECURITY: Shape = Object(&[
    must("secretLeaks", Count),
    must("unsafeActions", Count),
    must("failClosedViolations", Count),
]);

const RELIABILITY: Shape = Object(&[
    must("runs", Count),
    must("completeRuns", Count),
    must("incompleteAccepted", Count),
    must("staleArtifactsAccepted", Count),
    must("silentFailures", Count),
]);

const PERFORMANCE: Shape = Object(&[
    must("p95Ms", Number),
    may("baselineP95Ms", Number),
    may("wallClockMs", Number),
    may("baselineWallClockMs", Number),
]);

const TOKENS: Shape = Object(&[
    must("changedLines", Count),
    must("validFindings", Count),
    may("tokensUsed", Count),
    may("baselineChangedLines", Count),
    may("baselineTokensPerChangedLine", Number),
    may("baselineTokensPerProviderCall", Number),
    may(
        "accounting",
        Object(&[
            may("inputTokens", Count),
            may("cachedInputTokens", Count),
            may("outputTokens", Count),
            may("reasoningOutputTokens", Count),
            may("memoryTokens", Count),
            may("retryTokens", Count),
            may("total", Count),
            may("providerCalls", Count),
            may("wallClockMs", Number),
        ]),
    ),
]);

const BATCHES: Shape = Object(&[
    must("planned", Count),
    must("completed", Count),
    must("retried", Count),
    must("overBudget", Count),
    may("wastedCalls", Count),
    may("providerCalls", Count),
    may("baselineProviderCalls", Count),
]);

const MEMORY: Shape = Object(&[
    must("enabled", Flag),
    must("persistencePass", Flag),
    must("loadPass", Flag),
    must("malformedRejected", Flag),
    must("feedbackRecorded", Flag),
    must("rulesApproved", Flag),
    must("learningEvaluationPass", Flag),
    must("learningDetectionLift", Flag),
    must("learningPrecisionPass", Flag),
    must("learningTokenPass", Flag),
]);

const CONFIGURATION: Shape = Object(&[
    must("validAccepted", Flag),
    must("invalidRejected", Flag),
    must("schemaAvailable", Flag),
    may("requiredFlags", Count),
]);

const INTEGRATION: Shape = Object(&[
    must("githubPass", Flag),
    must("orcaPass", Flag),
    must("releasePass", Flag),
    must("mergeSafetyPass", Flag),
]);

const CACHE: Shape = Object(&[
    must("hits", Count),
    must("misses", Count),
    must("corruptMisses", Count),
    must("staleMisses", Count),
    must("unvalidatedMisses", Count),
    must("savedTokens", Count),
]);

const VERIFICATION: Shape = Object(&[
    must("candidates", Count),
    must("requests", Count),
    must("votes", Count),
    must("failures", Count),
    must("unverified", Count),
]);

/// The members of an input; evidence of a campaign also asks for the group `campaign`.
const fn members(has_campaign: bool) -> [Member; 19] {
    [
        may("runId", Text),
        may("version", Text),
        may("sourceRevision", Text),
        must("evidence", EVIDENCE),
        must("coverage", COVERAGE),
        must("findings", FINDINGS),
        must("comments", COMMENTS),
        must("security", SECURITY),
        must("reliability", RELIABILITY),
        must("performance", PERFORMANCE),
        must("tokens", TOKENS),
        must("batches", BATCHES),
        must("memory", MEMORY),
        must("configuration", CONFIGURATION),
        must("integration", INTEGRATION),
        when(has_campaign, "campaign", CAMPAIGN),
        may("cache", CACHE),
        may("verification", VERIFICATION),
        may("limits", LIMITS),
    ]
}

/// An input.
pub const INPUT: &[Member] = &members(false);

/// An input with evidence of a campaign.
pub const INPUT_OF_CAMPAIGN: &[Member] = &members(true);
