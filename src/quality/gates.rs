//! The absolute gates: what blocks whatever the scores are.

use super::input::Measured;
use super::input::typed::{Campaign, Limits, Verification};
use crate::model::quality::GateResult;

/// The gates that every report on one input has.
pub const ALWAYS: [&str; 7] = [
    "complete-file-coverage",
    "no-secret-leaks",
    "no-unsafe-actions",
    "no-stale-acceptance",
    "no-incomplete-acceptance",
    "no-invalid-inline-comments",
    "no-silent-failures",
];

/// The gates that every report on a campaign has.
pub const OF_CAMPAIGN: [&str; 3] = [TERMINAL, REPORTS, IDENTITY];

/// Gates that depend on groups which an input may leave out.
pub const OF_GROUPS: [&str; 4] = [VERIFICATION, LIMITS, TERMINAL, REPORTS];

/// Whether every finding was verified.
pub const VERIFICATION: &str = "verification-complete";
/// Whether every scope stayed within its limit.
pub const LIMITS: &str = "limits-respected";
/// Whether every pull request of a campaign came to an end.
pub const TERMINAL: &str = "campaign-terminal-coverage";
/// Whether every completed pull request has its report.
pub const REPORTS: &str = "campaign-quality-report-coverage";
/// Whether the reports of a campaign belong together, and each to its own pull request.
pub const IDENTITY: &str = "campaign-report-identity";
/// Whether the evidence is about the judged commit.
pub const BOUND: &str = "evidence-bound-to-commit";
/// Whether the input could be read.
pub const INPUT: &str = "valid-quality-input";

/// One gate.
pub fn gate(name: &str, passed: bool, detail: impl Into<String>) -> GateResult {
    GateResult {
        name: name.to_owned(),
        passed,
        detail: detail.into(),
    }
}

/// The gates that depend on the input alone.
pub fn of_input(input: &Measured) -> Vec<GateResult> {
    let mut gates = vec![coverage(input)];
    let (security, reliability, comments) = (&input.security, &input.reliability, &input.comments);
    gates.push(none(ALWAYS[1], &[(security.secret_leaks, "secret leak(s)")]));
    gates.push(none(
        ALWAYS[2],
        &[
            (security.unsafe_actions, "unsafe action(s)"),
            (security.fail_closed_violations, "fail-open event(s)"),
        ],
    ));
    gates.push(none(
        ALWAYS[3],
        &[(reliability.stale_artifacts_accepted, "stale artifact(s) accepted")],
    ));
    gates.push(none(
        ALWAYS[4],
        &[(reliability.incomplete_accepted, "incomplete result(s) accepted")],
    ));
    gates.push(none(
        ALWAYS[5],
        &[(
            comments.inline_expected.saturating_sub(comments.inline_valid),
            "inline comment(s) on no real line",
        )],
    ));
    gates.push(none(
        ALWAYS[6],
        &[(reliability.silent_failures, "silent failure(s)")],
    ));
    gates.extend(input.verification.as_ref().map(verification));
    gates.extend(input.limits.as_ref().map(limits));
    if let Some(campaign) = &input.campaign {
        gates.push(terminal(campaign));
        gates.push(reports(campaign, None));
    }
    gates
}

fn coverage(input: &Measured) -> GateResult {
    let of = &input.coverage;
    // What was reviewed is compared as well: the number of what was left is only what somebody says.
    let left = of
        .unreviewed_files
        .max(of.eligible_files.saturating_sub(of.reviewed_files));
    let missing = of
        .required_lens_runs
        .saturating_sub(of.completed_required_lens_runs);
    none(
        ALWAYS[0],
        &[
            (left, "unreviewed file(s)"),
            (missing, "required lens run(s) missing"),
        ],
    )
}

/// Passes where all counts are 0.
fn none(name: &str, counts: &[(u64, &str)]) -> GateResult {
    let passed = counts.iter().all(|(count, _)| *count == 0);
    let detail: Vec<String> = counts
        .iter()
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    gate(name, passed, detail.join("; "))
}

fn verification(of: &Verification) -> GateResult {
    none(
        VERIFICATION,
        &[
            (of.failures, "failed batch(es)"),
            (of.unverified, "unverified finding(s)"),
        ],
    )
}

/// Every scope stays within its limit: a child over its own has eaten what its parent held in reserve.
pub fn limits(of: &Limits) -> GateResult {
    let over: Vec<String> = of
        .scopes()
        .iter()
        .filter_map(|(name, scope)| scope.map(|scope| (name, scope)))
        .filter(|(_, scope)| scope.used_tokens > scope.limit_tokens)
        .map(|(name, scope)| {
            format!(
                "{name} used {} of {} tokens",
                scope.used_tokens, scope.limit_tokens
            )
        })
        .collect();
    let detail = if over.is_empty() {
        "every recorded scope is within its limit".to_owned()
    } else {
        over.join("; ")
    };
    gate(LIMITS, over.is_empty(), detail)
}

/// Whether every pull request of a campaign came to an end, and to a known one.
pub fn terminal(of: &Campaign) -> GateResult {
    let ends = [of.completed, of.partial, of.blocked, of.skipped, of.cancelled];
    let told: u128 = ends.into_iter().map(u128::from).sum();
    let passed = of.discovered >= 1 && of.terminal == of.discovered && told == u128::from(of.terminal);
    gate(
        TERMINAL,
        passed,
        format!(
            "{} of {} pull request(s) terminal; {told} of them with an outcome",
            of.terminal, of.discovered
        ),
    )
}

/// Whether every completed pull request has a report; `handed_in` tells how many there really are, where that is known.
pub fn reports(of: &Campaign, handed_in: Option<u64>) -> GateResult {
    let passed =
        of.quality_reports == of.completed && handed_in.is_none_or(|reports| reports == of.quality_reports);
    let mut detail = format!(
        "{} report(s) counted for {} completed pull request(s)",
        of.quality_reports, of.completed
    );
    if let Some(reports) = handed_in {
        detail.push_str(&format!("; {reports} handed in"));
    }
    gate(REPORTS, passed, detail)
}
