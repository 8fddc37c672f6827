//! What a corpus says about a reviewer, what was collected, and the protocol file of a baseline, for people.

use serde_json::{Map, Value};

use super::wrap::wrapped;
use crate::model::quality::corpus::{Canary, CorpusScore, FindingCounts};
use crate::model::text::sanitise;

/// The counts: over all cases, and of the cases that are not as they should be.
pub fn score(of: &CorpusScore) -> String {
    let mut text = String::new();
    let run = of.run_id.as_deref().unwrap_or("an unnamed run");
    let cases = of.cases.len();
    let title = format!("{run} in the corpus {}, {cases} case(s)", of.corpus.name);
    wrapped(&mut text, "", &title);
    text.push('\n');
    let all = &of.findings;
    for (what, count, whole) in [
        ("expected findings detected", all.detected_expected, all.expected),
        ("severities exact", all.severity_matches, all.severity_total),
        (
            "severities within one",
            all.severity_within_one,
            all.severity_total,
        ),
        ("findings actionable", all.actionable, all.detected),
        (
            "comments on a real line",
            of.comments.inline_valid,
            of.comments.inline_expected,
        ),
        ("false positives", all.false_positives, all.detected),
        ("duplicates", all.duplicates, all.detected),
    ] {
        text.push_str(&format!("  {what:<28} {count:>5} of {whole}\n"));
    }
    for (subject, counts) in &of.protected {
        let what = format!("protected {}", sanitise(subject));
        text.push_str(&format!(
            "  {what:<28} {:>5} of {}\n",
            counts.detected_expected, counts.expected
        ));
    }
    let wrong: Vec<_> = of.cases.iter().filter(|case| !is_clean(&case.counts)).collect();
    if !wrong.is_empty() {
        text.push('\n');
    }
    for case in wrong {
        let counts = &case.counts;
        wrapped(
            &mut text,
            "  ",
            &format!(
                "{}: {} of {} detected, {} false, {} duplicate",
                case.id, counts.detected_expected, counts.expected, counts.false_positives, counts.duplicates
            ),
        );
    }
    text
}

fn is_clean(counts: &FindingCounts) -> bool {
    counts.detected_expected == counts.expected && counts.false_positives == 0 && counts.duplicates == 0
}

/// The four answers.
pub fn canary(of: Canary) -> String {
    let lines = [
        ("detects more with the rule", of.learning_detection_lift),
        ("nothing false, nothing twice", of.learning_precision_pass),
        ("at most a tenth more tokens", of.learning_token_pass),
        ("the rule helps", of.learning_evaluation_pass),
    ];
    let lines = lines.map(|(what, holds)| format!("  {what:<29} {}\n", if holds { "yes" } else { "no" }));
    lines.concat()
}

/// What a protocol file holds.
pub fn protocol(document: &Map<String, Value>) -> String {
    let count = |list: &str| document[list].as_array().map_or(0, Vec::len);
    let id = document["baselineId"].as_str().unwrap_or_default();
    format!(
        "baseline {}\n  {} synthetic run(s), {} real run(s), {} real campaign(s)\n",
        sanitise(id),
        count("syntheticRuns"),
        count("realRuns"),
        count("realCampaigns")
    )
}

/// What was computed: path, value and where it comes from; and what `quality evaluate` will miss.
pub fn collected(computed: &[(String, String, &str)], missing: Option<&str>) -> String {
    let mut text = String::new();
    for (path, value, from) in computed {
        text.push_str(&format!("  {path:<36} {} ({from})\n", sanitise(value)));
    }
    text.push('\n');
    match missing {
        None => text.push_str("complete: quality evaluate can read it\n"),
        Some(why) => wrapped(&mut text, "", &format!("not complete: {why}")),
    }
    text
}
