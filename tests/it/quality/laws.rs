//! Laws: worse measurements never look better, and no bytes whatever make a panic.

use git_review_gate::model::quality::{BaselineUsed, Source};
use git_review_gate::model::quality::{Decision, Document};
use git_review_gate::quality::document::{Baseline, Surroundings};
use git_review_gate::quality::input::{self, Input, Malformed, Unknown};
use git_review_gate::quality::{campaign, compare, corpus, evaluate, protocol, stored, table};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::world::{base, merge, set};

/// Counts that may be anything, before the smaller ones are held below the larger ones.
const COUNTS: &[&str] = &[
    "coverage.eligibleFiles",
    "coverage.reviewedFiles",
    "coverage.unreviewedFiles",
    "coverage.requiredLensRuns",
    "coverage.completedRequiredLensRuns",
    "findings.expected",
    "findings.detectedExpected",
    "findings.falsePositives",
    "findings.duplicates",
    "findings.severityMatches",
    "findings.severityWithinOne",
    "findings.severityTotal",
    "findings.actionable",
    "findings.detected",
    "comments.inlineExpected",
    "comments.inlineValid",
    "comments.actionable",
    "comments.total",
    "security.secretLeaks",
    "reliability.runs",
    "reliability.completeRuns",
    "reliability.silentFailures",
    "performance.p95Ms",
    "performance.baselineP95Ms",
    "performance.wallClockMs",
    "performance.baselineWallClockMs",
    "tokens.changedLines",
    "tokens.tokensUsed",
    "tokens.baselineChangedLines",
    "tokens.baselineTokensPerChangedLine",
    "tokens.baselineTokensPerProviderCall",
    "batches.planned",
    "batches.completed",
    "batches.retried",
    "batches.overBudget",
    "batches.wastedCalls",
    "batches.providerCalls",
    "batches.baselineProviderCalls",
    "verification.failures",
    "verification.unverified",
    "limits.analysis.usedTokens",
    "limits.analysis.limitTokens",
];

/// What may be left out.
const OPTIONAL: &[&[&str]] = &[
    &["findings", "severityWithinOne"],
    &["performance", "baselineP95Ms"],
    &["performance", "wallClockMs"],
    &["performance", "baselineWallClockMs"],
    &["tokens", "accounting"],
    &["tokens", "tokensUsed"],
    &["tokens", "baselineChangedLines"],
    &["batches", "wastedCalls"],
    &["batches", "providerCalls"],
    &["batches", "baselineProviderCalls"],
    &["verification"],
    &["limits"],
    &["campaign"],
    &["tokens", "accounting", "total"],
    &["tokens", "accounting", "retryTokens"],
    &["tokens", "accounting", "providerCalls"],
];

/// The first must not exceed the second.
const ORDER: &[(&str, &str)] = &[
    ("coverage.reviewedFiles", "coverage.eligibleFiles"),
    ("coverage.completedRequiredLensRuns", "coverage.requiredLensRuns"),
    ("findings.detectedExpected", "findings.expected"),
    ("findings.severityWithinOne", "findings.severityTotal"),
    ("findings.severityMatches", "findings.severityWithinOne"),
    ("findings.severityMatches", "findings.severityTotal"),
    ("findings.actionable", "findings.detected"),
    ("comments.inlineValid", "comments.inlineExpected"),
    ("comments.actionable", "comments.total"),
    ("reliability.completeRuns", "reliability.runs"),
    ("batches.completed", "batches.planned"),
    ("verification.unverified", "verification.candidates"),
];

/// Worse when larger.
const UP: &[&str] = &[
    "coverage.unreviewedFiles",
    "findings.falsePositives",
    "findings.duplicates",
    "security.secretLeaks",
    "security.unsafeActions",
    "security.failClosedViolations",
    "reliability.incompleteAccepted",
    "reliability.staleArtifactsAccepted",
    "reliability.silentFailures",
    "performance.p95Ms",
    "performance.wallClockMs",
    "tokens.tokensUsed",
    "tokens.accounting.inputTokens",
    "tokens.accounting.cachedInputTokens",
    "tokens.accounting.outputTokens",
    "tokens.accounting.reasoningOutputTokens",
    "tokens.accounting.memoryTokens",
    "tokens.accounting.retryTokens",
    "batches.retried",
    "batches.overBudget",
    "batches.wastedCalls",
    "campaign.wastedCalls",
    "campaign.partial",
    "campaign.blocked",
    "campaign.cancelled",
    "verification.failures",
    "verification.unverified",
    "limits.analysis.usedTokens",
];

/// Worse when larger, where there is something to measure at all.
const UP_FROM_ONE: &[&str] = &[
    "coverage.eligibleFiles",
    "coverage.requiredLensRuns",
    "findings.expected",
    "findings.severityTotal",
    "comments.inlineExpected",
    "comments.total",
    "reliability.runs",
    "campaign.discovered",
];

/// Worse when smaller.
const DOWN: &[&str] = &[
    "coverage.reviewedFiles",
    "coverage.completedRequiredLensRuns",
    "findings.detectedExpected",
    "findings.severityMatches",
    "findings.severityWithinOne",
    "findings.actionable",
    "comments.inlineValid",
    "comments.actionable",
    "reliability.completeRuns",
    "batches.completed",
    "campaign.completed",
    "performance.baselineP95Ms",
    "performance.baselineWallClockMs",
    "tokens.baselineTokensPerChangedLine",
    "tokens.baselineTokensPerProviderCall",
    "batches.baselineProviderCalls",
    "limits.analysis.limitTokens",
];

/// Worse when false.
const FALSE: &[&str] = &[
    "memory.persistencePass",
    "memory.loadPass",
    "memory.malformedRejected",
    "memory.feedbackRecorded",
    "memory.rulesApproved",
    "memory.learningEvaluationPass",
    "memory.learningDetectionLift",
    "memory.learningPrecisionPass",
    "memory.learningTokenPass",
    "configuration.validAccepted",
    "configuration.invalidRejected",
    "configuration.schemaAvailable",
    "integration.githubPass",
    "integration.orcaPass",
    "integration.releasePass",
    "integration.mergeSafetyPass",
];

fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, step| value.get(step))
}

/// Inputs of all sorts: most of them near the base example, so that many pass.
fn inputs() -> impl Strategy<Value = Value> {
    let counts = prop::collection::vec((0..COUNTS.len(), 0..14_u64), 0..7);
    let left_out = prop::collection::vec(0..OPTIONAL.len(), 0..4);
    let campaign = (0..12_u64, 0..3_u64, 0..2_u64, 0..2_u64);
    (counts, left_out, campaign, any::<bool>()).prop_map(|(counts, left_out, campaign, memory)| {
        let mut input = base();
        let (completed, skipped, partial, missing) = campaign;
        let terminal = completed + skipped + partial;
        merge(
            &mut input,
            &json!({
                "memory": {"enabled": memory},
                "verification": {"candidates": 5, "requests": 1, "votes": 1, "failures": 0, "unverified": 0},
                "limits": {"analysis": {"limitTokens": 9, "usedTokens": 9}},
                "campaign": {
                    "discovered": terminal + missing, "terminal": terminal, "completed": completed,
                    "partial": partial, "blocked": 0, "skipped": skipped, "cancelled": 0,
                    "qualityReports": completed, "retries": 0, "wastedCalls": 0, "wallClockMs": 1,
                },
            }),
        );
        for (index, value) in counts {
            set(&mut input, COUNTS[index], &json!(value));
        }
        for path in left_out.into_iter().map(|index| OPTIONAL[index]) {
            let (last, groups) = path.split_last().unwrap();
            let group = groups
                .iter()
                .try_fold(&mut input, |value, step| value.get_mut(step));
            group
                .and_then(Value::as_object_mut)
                .map(|group| group.remove(*last));
        }
        for (low, high) in ORDER {
            if let (Some(below), Some(above)) = (at(&input, low), at(&input, high))
                && below.as_u64() > above.as_u64()
            {
                let above = above.clone();
                set(&mut input, low, &above);
            }
        }
        input
    })
}

fn read(input: &Value) -> Result<Input, Malformed> {
    input::read(input.to_string().as_bytes(), Unknown::Refused)
}

fn judged(input: &Value, around: &Surroundings) -> Document {
    evaluate::evaluate(read(input), around)
}

/// Compared with the base example.
fn around(max_score_drop: u8) -> Surroundings {
    let areas = judged(&base(), &Surroundings::default()).areas;
    let used = BaselineUsed {
        source: Source::File,
        sha256: String::new(),
        commit: None,
        run_id: None,
    };
    Surroundings {
        baseline: Some(Ok(Baseline { used, areas })),
        max_score_drop,
        ..Surroundings::default()
    }
}

/// Makes one number worse, where it is there.
fn worsened(input: &Value, which: usize, by: u64) -> Option<Value> {
    let mut worse = input.clone();
    let all: Vec<(&str, char)> = [(UP, 'u'), (UP_FROM_ONE, 'o'), (DOWN, 'd'), (FALSE, 'f')]
        .iter()
        .flat_map(|(paths, how)| paths.iter().map(|path| (*path, *how)))
        .collect();
    let (path, how) = all[which % all.len()];
    let now = at(input, path)?;
    let value = match how {
        'f' => json!(false),
        'd' => json!(now.as_u64()?.checked_sub(by)?),
        'o' if now.as_u64()? == 0 => return None,
        _ => json!(now.as_u64()? + by),
    };
    set(&mut worse, path, &value);
    Some(worse)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn what_is_worse_never_scores_better_and_never_passes(
        input in inputs(), which in 0..1000_usize, by in 1..9_u64, drop in 0..4_u8,
    ) {
        prop_assert!(read(&input).is_ok(), "{:?}", read(&input));
        let worse = worsened(&input, which, by);
        prop_assume!(worse.is_some());
        let worse = worse.unwrap();
        let around = around(drop);
        let (before, after) = (judged(&input, &around), judged(&worse, &around));
        for (one, other) in before.areas.iter().zip(&after.areas) {
            prop_assert!(other.score <= one.score, "{}: {one:?} {other:?}", one.area);
        }
        let became = (before.decision, after.decision);
        prop_assert_ne!(became, (Decision::Blocked, Decision::Pass));
    }

    #[test]
    fn a_larger_tolerance_never_blocks_and_equals_are_no_regression(input in inputs()) {
        let decisions: Vec<Decision> = (0..4).map(|drop| judged(&input, &around(drop)).decision).collect();
        prop_assert!(decisions.windows(2).all(|pair| pair != [Decision::Pass, Decision::Blocked]));
        let areas = judged(&input, &Surroundings::default()).areas;
        let same = compare::compare(&areas, &areas, 0);
        prop_assert!(same.regressions.is_empty() && same.material_regressions.is_empty() && same.improved.is_empty());
    }

    #[test]
    fn a_report_reads_back_as_it_is(input in inputs(), drop in 0..4_u8) {
        let document = judged(&input, &around(drop));
        let node = table::parse(document.to_text().as_bytes(), "report").unwrap();
        let stored = stored::read(&node).map_err(TestCaseError::fail)?;
        prop_assert_eq!(stored.decision, document.decision);
        let scores = |areas: &[git_review_gate::model::quality::AreaSummary]| {
            areas.iter().map(|area| (area.area, area.score, area.status)).collect::<Vec<_>>()
        };
        prop_assert_eq!(scores(&stored.areas), scores(&document.areas));
        // White space and the spelling of a number change nothing.
        let spread = format!(" {input:#}\n").replace("\"planned\": 3,", "\"planned\": 3.0e0,");
        let again = evaluate::evaluate(input::read(spread.as_bytes(), Unknown::Refused), &Surroundings::default());
        prop_assert_eq!(again.to_text(), judged(&input, &Surroundings::default()).to_text());
    }

    #[test]
    fn no_bytes_make_a_panic(place in 0..3000_usize, bytes in prop::collection::vec(any::<u8>(), 0..12), cut in any::<bool>()) {
        let document = judged(&base(), &Surroundings::default()).to_text();
        for text in [base().to_string(), document] {
            let mut text = text.into_bytes();
            let place = place.min(text.len());
            let end = if cut { text.len() } else { (place + bytes.len()).min(text.len()) };
            text.splice(place..end, bytes.iter().copied());
            for text in [&text[..], &bytes[..]] {
                let _ = input::read(text, Unknown::Named);
                let _ = campaign::read(text, &[], Unknown::Named);
                let _ = stored::scores(text);
                let _ = corpus::read(text);
                let _ = corpus::read_findings(text, corpus::Sort::Arm, "off");
                let _ = protocol::read(text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn another_report_never_makes_a_campaign_better(
        inputs in prop::collection::vec(inputs(), 1..4), more in inputs(),
    ) {
        let report = |number: usize, input: &Value| {
            let mut document = judged(input, &Surroundings::default());
            document.run_id = Some(format!("run-{number}"));
            serde_json::from_str::<Value>(&document.to_text()).unwrap()
        };
        let mut reports: Vec<Value> = inputs.iter().enumerate().map(|(number, input)| report(number, input)).collect();
        let campaign = |reports: &[Value]| {
            let count = reports.len();
            let input = json!({
                "evidence": {"kind": "real-campaign", "campaignId": "c"},
                "campaign": {"discovered": count, "terminal": count, "completed": count, "partial": 0, "blocked": 0,
                    "skipped": 0, "cancelled": 0, "qualityReports": count, "retries": 0, "wastedCalls": 0,
                    "wallClockMs": 1},
                "pullRequestReports": reports,
            });
            let read = campaign::read(input.to_string().as_bytes(), &[], Unknown::Refused);
            campaign::evaluate(read, &Surroundings::default())
        };
        let before = campaign(&reports);
        prop_assert!(before.input_error.is_none(), "{:?}", before.input_error);
        reports.push(report(reports.len(), &more));
        let after = campaign(&reports);
        for (one, other) in before.areas.iter().zip(&after.areas) {
            // What applied to no report may apply to the new one.
            if one.status != git_review_gate::model::quality::AreaStatus::NotApplicable {
                prop_assert!(other.score <= one.score, "{}: {one:?} {other:?}", one.area);
            }
        }
        let node = table::parse(after.to_text().as_bytes(), "report").unwrap();
        stored::read(&node).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn a_campaign_of_a_thousand_reports_takes_no_second() {
    let mut report: Value =
        serde_json::from_str(&judged(&base(), &Surroundings::default()).to_text()).unwrap();
    let reports: Vec<Value> = (1..=1000)
        .map(|number| {
            merge(
                &mut report,
                &json!({"runId": format!("run-{number}"), "evidence": {"kind": "synthetic", "fixtureId": "f"}}),
            );
            report.clone()
        })
        .collect();
    let input = json!({
        "evidence": {"kind": "real-campaign", "campaignId": "c"},
        "campaign": {"discovered": 1000, "terminal": 1000, "completed": 1000, "partial": 0, "blocked": 0,
            "skipped": 0, "cancelled": 0, "qualityReports": 1000, "retries": 0, "wastedCalls": 0, "wallClockMs": 1},
        "pullRequestReports": reports,
    })
    .to_string();
    let start = std::time::Instant::now();
    let read = campaign::read(input.as_bytes(), &[], Unknown::Refused);
    let document = campaign::evaluate(read, &Surroundings::default());
    let text = document.to_text();
    assert!(
        document.areas.iter().all(|area| area.score == Some(4)),
        "{}",
        &text[..200]
    );
    // Not optimised, and on a busy machine: an optimised build takes a small part of it.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
