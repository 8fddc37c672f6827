//! The score of each area, the measurements it rests on, and what decided it.

use serde_json::{Value, json};

use super::input::Measured;
use super::input::typed::Campaign;
use super::primitive::{Score, holds, least_of_all, least_of_any, overhead, ratio, time, zero};
use super::table::number;
use crate::model::quality::{Area, AreaStatus, AreaSummary};

pub mod token;

/// One measurement of an area.
#[derive(Debug, Clone)]
pub struct Part {
    score: Score,
    said: String,
}

impl Part {
    /// A measurement and its score.
    pub fn new(score: Score, said: impl Into<String>) -> Self {
        Self {
            score,
            said: said.into(),
        }
    }

    fn ratio(part: u64, whole: u64, what: &str) -> Self {
        Self::new(ratio(part, whole), format!("{part} of {whole} {what}"))
    }

    fn zero(count: u64, what: &str) -> Self {
        Self::new(zero(count), format!("{count} {what}"))
    }

    fn flag(flag: bool, what: &str) -> Self {
        let said = if flag { "holds" } else { "does not hold" };
        Self::new(holds(flag), format!("{what} {said}"))
    }

    fn time(current: Option<f64>, baseline: Option<f64>, what: &str) -> Option<Self> {
        let baseline = baseline?;
        let now = current.map_or_else(|| "missing".to_owned(), |current| current.to_string());
        Some(Self::new(
            time(current, baseline),
            format!("{what} {now} against {baseline}"),
        ))
    }
}

/// Joins the parts by their least score; one that was not measured leaves the area unmeasured.
pub fn of_all(area: Area, parts: &[Part], metrics: Vec<(&str, Value)>) -> AreaSummary {
    let score = least_of_all(parts.iter().map(|part| part.score));
    summary(area, score, parts, metrics)
}

/// Joins the parts by the least measured score.
fn of_any(area: Area, parts: &[Part], metrics: Vec<(&str, Value)>) -> AreaSummary {
    let score = least_of_any(parts.iter().map(|part| part.score));
    summary(area, score, parts, metrics)
}

fn summary(area: Area, score: Score, parts: &[Part], metrics: Vec<(&str, Value)>) -> AreaSummary {
    // What decided: the parts with exactly this score, or those that have none.
    let said: Vec<&str> = parts
        .iter()
        .filter(|part| part.score == score)
        .map(|part| part.said.as_str())
        .collect();
    let said = said.join("; ");
    AreaSummary {
        area,
        score,
        status: AreaStatus::of(score),
        metrics: metrics
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        reason: match score {
            None if said.is_empty() => "not measured".to_owned(),
            None => format!("not measured: {said}"),
            Some(_) => said,
        },
    }
}

/// A measurement that may be unknown.
fn known<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or_else(|| json!("missing"), Into::into)
}

/// All fourteen areas of one input.
pub fn score(input: &Measured) -> Vec<AreaSummary> {
    let areas = Area::ALL.iter().map(|area| match area {
        Area::Coverage => coverage(input),
        Area::Detection => detection(input),
        Area::Precision => precision(input),
        Area::Severity => severity(input),
        Area::Actionability => actionability(input),
        Area::Comments => comments(input),
        Area::Security => security(input),
        Area::Reliability => reliability(input),
        Area::Speed => speed(input),
        Area::TokenEfficiency => token::efficiency(input),
        Area::BatchEfficiency => batches(input),
        Area::MemoryLearning => memory(input),
        Area::Configuration => configuration(input),
        Area::Integration => integration(input),
    });
    areas.collect()
}

fn coverage(input: &Measured) -> AreaSummary {
    let of = &input.coverage;
    of_all(
        Area::Coverage,
        &[
            Part::ratio(of.reviewed_files, of.eligible_files, "files reviewed"),
            Part::ratio(
                of.completed_required_lens_runs,
                of.required_lens_runs,
                "required lens runs completed",
            ),
        ],
        vec![
            ("reviewedFiles", of.reviewed_files.into()),
            ("eligibleFiles", of.eligible_files.into()),
            ("unreviewedFiles", of.unreviewed_files.into()),
        ],
    )
}

fn detection(input: &Measured) -> AreaSummary {
    let of = &input.findings;
    of_all(
        Area::Detection,
        &[Part::ratio(
            of.detected_expected,
            of.expected,
            "expected findings detected",
        )],
        vec![
            ("expected", of.expected.into()),
            ("detectedExpected", of.detected_expected.into()),
            ("detected", of.detected.into()),
        ],
    )
}

fn precision(input: &Measured) -> AreaSummary {
    let of = &input.findings;
    let useful = of
        .detected
        .saturating_sub(of.false_positives.saturating_add(of.duplicates));
    of_all(
        Area::Precision,
        &[Part::ratio(
            useful,
            of.detected,
            "findings neither false nor duplicate",
        )],
        vec![
            ("detected", of.detected.into()),
            ("falsePositives", of.false_positives.into()),
            ("duplicates", of.duplicates.into()),
        ],
    )
}

fn severity(input: &Measured) -> AreaSummary {
    let of = &input.findings;
    let within_one = of.severity_within_one.unwrap_or(of.severity_matches);
    let exact = Part::ratio(of.severity_matches, of.severity_total, "severities exact");
    let near = Part::ratio(within_one, of.severity_total, "severities at most one rank off");
    // All exact is the only 4: all of them near is a 3, and what is worse is judged by the near ones alone.
    let part = match (exact.score, near.score) {
        (Some(4), _) => exact,
        (_, Some(4)) => Part::new(Some(3), format!("{}; {}", exact.said, near.said)),
        _ => near,
    };
    of_all(
        Area::Severity,
        &[part],
        vec![
            ("severityMatches", of.severity_matches.into()),
            ("severityWithinOne", within_one.into()),
            ("severityTotal", of.severity_total.into()),
        ],
    )
}

fn actionability(input: &Measured) -> AreaSummary {
    let (findings, comments) = (&input.findings, &input.comments);
    of_any(
        Area::Actionability,
        &[
            Part::ratio(findings.actionable, findings.detected, "findings say what to do"),
            Part::ratio(comments.actionable, comments.total, "comments say what to do"),
        ],
        vec![
            ("actionableFindings", findings.actionable.into()),
            ("detected", findings.detected.into()),
        ],
    )
}

fn comments(input: &Measured) -> AreaSummary {
    let of = &input.comments;
    of_any(
        Area::Comments,
        &[
            Part::ratio(
                of.inline_valid,
                of.inline_expected,
                "inline comments on a real line",
            ),
            Part::ratio(of.actionable, of.total, "comments say what to do"),
        ],
        vec![
            ("inlineValid", of.inline_valid.into()),
            ("inlineExpected", of.inline_expected.into()),
        ],
    )
}

fn security(input: &Measured) -> AreaSummary {
    let of = &input.security;
    of_all(
        Area::Security,
        &[
            Part::zero(of.secret_leaks, "secret leaks"),
            Part::zero(of.unsafe_actions, "unsafe actions"),
            Part::zero(of.fail_closed_violations, "fail-open events"),
        ],
        vec![
            ("secretLeaks", of.secret_leaks.into()),
            ("unsafeActions", of.unsafe_actions.into()),
            ("failClosedViolations", of.fail_closed_violations.into()),
        ],
    )
}

fn reliability(input: &Measured) -> AreaSummary {
    let of = &input.reliability;
    let mut parts = vec![
        Part::ratio(of.complete_runs, of.runs, "runs complete"),
        Part::zero(of.incomplete_accepted, "incomplete results accepted"),
        Part::zero(of.stale_artifacts_accepted, "stale artifacts accepted"),
        Part::zero(of.silent_failures, "silent failures"),
    ];
    parts.extend(input.campaign.iter().flat_map(campaign_parts));
    of_all(
        Area::Reliability,
        &parts,
        vec![
            ("completeRuns", of.complete_runs.into()),
            ("runs", of.runs.into()),
            ("staleArtifactsAccepted", of.stale_artifacts_accepted.into()),
        ],
    )
}

/// What a campaign adds to reliability. Skipped pull requests are terminal; they are no failures.
pub fn campaign_parts(of: &Campaign) -> Vec<Part> {
    let mut parts = vec![
        Part::ratio(of.terminal, of.discovered, "pull requests terminal"),
        Part::zero(of.cancelled, "pull requests cancelled"),
    ];
    if of.terminal != of.skipped {
        let due = of.terminal.saturating_sub(of.skipped);
        parts.push(Part::ratio(of.completed, due, "pull requests completed"));
    }
    parts
}

fn speed(input: &Measured) -> AreaSummary {
    let of = &input.performance;
    let parts: Vec<Part> = [
        Part::time(Some(of.p95_ms), of.baseline_p95_ms, "p95Ms"),
        Part::time(of.wall_clock_ms, of.baseline_wall_clock_ms, "wallClockMs"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let metrics = vec![
        ("p95Ms", number(of.p95_ms)),
        ("baselineP95Ms", known(of.baseline_p95_ms.map(number))),
        ("wallClockMs", known(of.wall_clock_ms.map(number))),
        (
            "baselineWallClockMs",
            known(of.baseline_wall_clock_ms.map(number)),
        ),
    ];
    if parts.is_empty() {
        return of_all(Area::Speed, &[Part::new(None, "there is no baseline")], metrics);
    }
    of_all(Area::Speed, &parts, metrics)
}

fn batches(input: &Measured) -> AreaSummary {
    let of = &input.batches;
    let wasted = of
        .wasted_calls
        .or(input.campaign.as_ref().map(|campaign| campaign.wasted_calls))
        .unwrap_or(0);
    let calls = of.provider_calls.unwrap_or(of.planned.saturating_add(wasted));
    let attempts = of.planned.saturating_add(of.retried);
    let mut parts = vec![
        Part::ratio(of.completed, of.planned, "batches completed"),
        Part::zero(of.over_budget, "batches over budget"),
        Part::new(
            overhead(of.retried, attempts),
            format!("{} of {attempts} attempts retried", of.retried),
        ),
        Part::new(
            overhead(wasted, calls),
            format!("{wasted} of {calls} calls wasted"),
        ),
    ];
    #[expect(clippy::cast_precision_loss, reason = "counts are at most 2^53")]
    let double = |count: u64| count as f64;
    parts.extend(Part::time(
        of.provider_calls.map(double),
        of.baseline_provider_calls.map(double),
        "providerCalls",
    ));
    of_all(
        Area::BatchEfficiency,
        &parts,
        vec![
            ("planned", of.planned.into()),
            ("completed", of.completed.into()),
            ("retried", of.retried.into()),
            ("wastedCalls", wasted.into()),
            ("overBudget", of.over_budget.into()),
            ("providerCalls", known(of.provider_calls)),
        ],
    )
}

fn memory(input: &Measured) -> AreaSummary {
    let of = &input.memory;
    let last: [(&str, bool); 6] = [
        ("feedbackRecorded", of.feedback_recorded),
        ("rulesApproved", of.rules_approved),
        ("learningEvaluationPass", of.learning_evaluation_pass),
        ("learningDetectionLift", of.learning_detection_lift),
        ("learningPrecisionPass", of.learning_precision_pass),
        ("learningTokenPass", of.learning_token_pass),
    ];
    let mut metrics = vec![("enabled", of.enabled.into())];
    if !of.enabled {
        return AreaSummary {
            status: AreaStatus::NotApplicable,
            reason: "memory is switched off".to_owned(),
            ..of_all(Area::MemoryLearning, &[Part::new(None, "")], metrics)
        };
    }
    metrics.extend(last.map(|(name, flag)| (name, flag.into())));
    let first = [
        ("persistencePass", of.persistence_pass),
        ("loadPass", of.load_pass),
        ("malformedRejected", of.malformed_rejected),
    ];
    flags(Area::MemoryLearning, first.into_iter().chain(last), metrics)
}

fn configuration(input: &Measured) -> AreaSummary {
    let of = &input.configuration;
    let all = [
        ("validAccepted", of.valid_accepted),
        ("invalidRejected", of.invalid_rejected),
        ("schemaAvailable", of.schema_available),
    ];
    let metrics = all.map(|(name, flag)| (name, flag.into()));
    flags(Area::Configuration, all, metrics.to_vec())
}

fn integration(input: &Measured) -> AreaSummary {
    let of = &input.integration;
    let all = [
        ("githubPass", of.github_pass),
        ("orcaPass", of.orca_pass),
        ("releasePass", of.release_pass),
        ("mergeSafetyPass", of.merge_safety_pass),
    ];
    let metrics = all.map(|(name, flag)| (name, flag.into()));
    flags(Area::Integration, all, metrics.to_vec())
}

fn flags<'a>(
    area: Area,
    flags: impl IntoIterator<Item = (&'a str, bool)>,
    metrics: Vec<(&str, Value)>,
) -> AreaSummary {
    let parts: Vec<Part> = flags
        .into_iter()
        .map(|(name, flag)| Part::flag(flag, name))
        .collect();
    let mut summary = of_all(area, &parts, metrics);
    if summary.score == Some(4) {
        "all hold".clone_into(&mut summary.reason);
    }
    summary
}
