//! Reports on the quality of the review process, for people; as JSON they are printed as they are stored.

use serde_json::{Value, json};

use super::wrap::{WIDTH, wrapped};
use crate::model::outcome::quality::{Recorded, Records};
use crate::model::quality::{
    AreaStatus, AreaSummary, Change, Compared, Comparison, Decision, Document, Operand, Overview, document,
};
use crate::model::text::sanitise;

/// The table of a report: which area or gate blocks, and why.
pub fn report(document: &Document) -> String {
    let mut text = overview(&document.overview());
    if let Some(comparison) = &document.comparison {
        // Before the closing line.
        let end = text.rfind("\ndecision:").unwrap_or(text.len());
        text.insert_str(end, &against(comparison));
    }
    text
}

fn overview(of: &Overview) -> String {
    let mut text = String::new();
    let run = of.run_id.as_deref().unwrap_or("of an unnamed run");
    let mut title = format!("quality {}", sanitise(run));
    if let Some(commit) = &of.commit {
        title.push_str(&format!(" at {}", sanitise(commit.get(..12).unwrap_or(commit))));
    }
    wrapped(&mut text, "", &title);
    for (what, why) in [("input", &of.input_error), ("baseline", &of.baseline_error)] {
        if let Some(why) = why {
            wrapped(&mut text, "", &format!("{what} cannot be used: {why}"));
        }
    }
    text.push('\n');
    if of.input_error.is_none() {
        for area in &of.areas {
            let score = area
                .score
                .map_or_else(|| "-".to_owned(), |score| score.to_string());
            let status = match area.status {
                AreaStatus::Failed => "FAILED",
                AreaStatus::NotMeasured => "NOT MEASURED",
                AreaStatus::Passed => "passed",
                AreaStatus::NotApplicable => "does not apply",
            };
            let first = format!("  {score}  {status:<14} {:<16} ", area.area.as_str());
            text.push_str(&hung(&first, in_short(area)));
        }
        text.push('\n');
    }
    let failed: Vec<_> = of.gates.iter().filter(|gate| !gate.passed).collect();
    if failed.is_empty() {
        text.push_str(&format!("all {} gates pass\n", of.gates.len()));
    }
    for gate in &failed {
        wrapped(&mut text, "  ", &format!("FAILED {}: {}", gate.name, gate.detail));
    }
    for warning in &of.warnings {
        wrapped(&mut text, "", &format!("note: {warning}"));
    }
    let areas = of.areas.iter().filter(|area| !area.status.passes()).count();
    text.push_str(&format!("\ndecision: {}", of.decision));
    if of.input_error.is_some() {
        text.push_str(", nothing was measured");
    } else if of.decision == Decision::Blocked {
        let count = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        text.push_str(&format!(
            " by {} and {}",
            count(areas, "area"),
            count(failed.len(), "gate")
        ));
    }
    text.push('\n');
    text
}

/// What decided the score; where all is well, the first of it will do.
fn in_short(area: &AreaSummary) -> &str {
    match area.score {
        Some(4) => area.reason.split("; ").next().unwrap_or_default(),
        _ => area.reason.strip_prefix("not measured: ").unwrap_or(&area.reason),
    }
}

/// A row whose last column is broken between words and stands beneath itself.
fn hung(first: &str, reason: &str) -> String {
    let indent = first.chars().count();
    let room = WIDTH.saturating_sub(indent).max(20);
    let mut lines = vec![String::new()];
    for word in sanitise(reason).split(' ') {
        let line = lines.last_mut().expect("there is one");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let rest = format!("\n{}", " ".repeat(indent));
    format!("{first}{}", lines.join(&rest)).trim_end().to_owned() + "\n"
}

/// What became of the scores of a baseline.
fn against(comparison: &Comparison) -> String {
    let mut text = String::new();
    let said = |change: &Change| {
        let to = change
            .to
            .map_or_else(|| "not measured".to_owned(), |to| to.to_string());
        format!("{} {} → {to}", change.area, change.from)
    };
    let material = &comparison.material_regressions;
    let tolerated = comparison
        .regressions
        .iter()
        .filter(|change| !material.contains(change));
    let tolerated: Vec<String> = tolerated.map(said).collect();
    let worse: Vec<String> = material.iter().map(said).collect();
    let improved: Vec<&str> = comparison.improved.iter().map(|area| area.as_str()).collect();
    for (what, areas) in [
        ("materially worse", worse.join(", ")),
        ("tolerably worse", tolerated.join(", ")),
        ("better", improved.join(", ")),
    ] {
        if !areas.is_empty() {
            wrapped(&mut text, "", &format!("{what} than the baseline: {areas}"));
        }
    }
    if text.is_empty() {
        text.push_str("as good as the baseline\n");
    }
    text
}

/// Two reports side by side.
pub fn compared(of: &Compared) -> String {
    let mut text = String::new();
    let operand = |text: &mut String, what: &str, operand: &Operand| {
        let run = operand.read.run_id.as_deref().unwrap_or("an unnamed run");
        wrapped(text, "", &format!("{what}: {run}, {}", operand.decision));
    };
    if let Some(why) = &of.input_error {
        wrapped(&mut text, "", &format!("cannot be compared: {why}"));
    }
    if let Some(baseline) = &of.baseline {
        operand(&mut text, "baseline", baseline);
    }
    if let Some(current) = &of.current {
        operand(&mut text, "current", current);
    }
    if let Some(comparison) = &of.comparison {
        text.push('\n');
        text.push_str(&against(comparison));
    }
    text.push_str(&format!("\ndecision: {}\n", of.decision));
    text
}

/// The record that counts, or all of them.
pub fn shown(records: &Records, which: Which) -> String {
    let mut text = String::new();
    for one in &records.records {
        match which {
            Which::All => wrapped(&mut text, if one.counts { "* " } else { "  " }, &line(one)),
            Which::Counting if one.counts => match (&one.overview, &one.fault) {
                (Some(of), _) => text.push_str(&overview(of)),
                (None, fault) => {
                    let why = fault.as_deref().unwrap_or_default();
                    wrapped(
                        &mut text,
                        "",
                        &format!("the record does not hold together: {why}"),
                    );
                }
            },
            Which::Counting => {}
        }
    }
    text
}

/// Which records are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The one that counts.
    Counting,
    /// All of them, one line each.
    All,
}

fn line(one: &Recorded) -> String {
    let decision = one.decision.map_or("UNREADABLE", Decision::as_str);
    let run = one
        .overview
        .as_ref()
        .and_then(|of| of.run_id.as_deref())
        .unwrap_or("an unnamed run");
    format!(
        "{} {} {decision}, {run} by {}",
        &one.event.to_hex()[..12],
        one.at,
        one.by.email
    )
}

/// The record that counts, byte for byte; or all of them as one object.
pub fn shown_json(records: &Records, which: Which) -> String {
    if which == Which::Counting {
        let counting = records.records.iter().find(|one| one.counts);
        return counting.map(|one| one.text.clone()).unwrap_or_default();
    }
    let all: Vec<Value> = records
        .records
        .iter()
        .map(|one| {
            json!({
                "event": one.event, "at": one.at, "by": one.by, "counts": one.counts,
                "decision": one.decision, "fault": one.fault, "report": one.text,
            })
        })
        .collect();
    document::text(&json!({
        "schema": "review-gate/quality-records", "version": 1, "commit": records.commit, "records": all,
    }))
}
