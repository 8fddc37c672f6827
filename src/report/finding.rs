//! Findings for people: lists, single findings, and what a command did to them.

pub mod json;

use std::fmt::Write as _;

use crate::model::event::{Body, Event};
use crate::model::finding::{Finding, State};
use crate::model::outcome::finding::{Added, Exported, Imported, Listed, Passed, Resolved, Shown};
use crate::model::text::sanitise;

/// The lines of some findings under the states they are in.
fn lines(text: &mut String, findings: &[Finding]) {
    let mut state = None;
    for finding in findings {
        if state != Some(finding.state) {
            state = Some(finding.state);
            let _ = writeln!(text, "{}:", finding.state);
        }
        let _ = writeln!(text, "  {}", finding.line());
    }
}

/// `1 finding`, `3 findings`.
fn count(number: usize) -> String {
    format!("{number} finding{}", if number == 1 { "" } else { "s" })
}

/// `finding add` and `finding reject`.
pub fn added(added: &Added) -> String {
    let mut text = String::new();
    for finding in &added.findings {
        let _ = writeln!(text, "{}", finding.line());
    }
    match (&added.review, added.opened) {
        (Some(review), true) => {
            let _ = writeln!(text, "Opened the review {review} for them.");
        }
        (Some(review), false) => {
            let _ = writeln!(text, "Filed in the review {review}.");
        }
        (None, _) => text.push_str("Filed on the commit alone: no branch is checked out.\n"),
    }
    text
}

/// `finding resolve`.
pub fn resolved(resolved: &Resolved) -> String {
    let mut text = String::new();
    for (finding, commit) in &resolved.answered {
        let _ = writeln!(text, "{} is answered by {}.", finding.id.short(), commit.short());
    }
    if !resolved.warnings.is_empty() {
        return text;
    }
    if resolved.still_open.is_empty() {
        text.push_str("Nothing is open any more.\n");
    } else {
        let _ = writeln!(text, "{} still open:", count(resolved.still_open.len()));
        for finding in &resolved.still_open {
            let _ = writeln!(text, "  {}", finding.line());
        }
    }
    text
}

/// `finding verify`.
pub fn confirmed(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let _ = writeln!(text, "{} is {}.", finding.id.short(), finding.state);
    }
    text
}

/// `finding pass`.
pub fn passed(passed: &Passed) -> String {
    match passed {
        Passed::Confirmed { origin, findings } if findings.is_empty() => {
            format!(
                "No finding of {} waits for confirmation.\n",
                sanitise(origin.as_str())
            )
        }
        Passed::Confirmed { origin, findings } => {
            let mut text = format!(
                "{} confirmed for {}:\n",
                count(findings.len()),
                sanitise(origin.as_str())
            );
            for finding in findings {
                let _ = writeln!(text, "  {}", finding.line());
            }
            text
        }
        Passed::Refused { origin, open } => {
            let mut text = format!(
                "Not passed: {} of {} open:\n",
                count(open.len()),
                sanitise(origin.as_str())
            );
            for finding in open {
                let _ = writeln!(text, "  {}", finding.line());
            }
            text
        }
    }
}

/// `finding reopen` and `finding waive`.
pub fn settled(finding: &Finding) -> String {
    format!("{}\nIt is {} now.\n", finding.line(), finding.state)
}

/// `finding list`.
pub fn list(listed: &Listed) -> String {
    let mut text = String::new();
    lines(&mut text, &listed.findings);
    if listed.origins.is_empty() {
        text.push_str("No findings.\n");
        return text;
    }
    if listed.findings.is_empty() {
        text.push_str("No finding matches.\n");
    }
    text.push('\n');
    let width = listed
        .origins
        .keys()
        .map(|origin| origin.as_str().chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    let _ = write!(text, "{:width$}", "origin");
    for state in State::ALL {
        let _ = write!(text, "  {state:>9}");
    }
    text.push('\n');
    for (origin, states) in &listed.origins {
        let _ = write!(text, "{:width$}", sanitise(origin.as_str()));
        for state in State::ALL {
            let _ = write!(text, "  {:>9}", states.get(state).copied().unwrap_or(0));
        }
        text.push('\n');
    }
    text
}

/// `finding show`.
pub fn show(shown: &Shown) -> String {
    let finding = &shown.finding;
    let fields = &finding.fields;
    let mut text = format!("{}\n", finding.line());
    let origins: Vec<_> = finding
        .origins
        .iter()
        .map(|origin| sanitise(origin.as_str()))
        .collect();
    for (name, value) in [
        ("id", Some(finding.id.to_hex())),
        ("state", Some(finding.state.to_string())),
        ("round", Some(finding.round.to_string())),
        ("origins", Some(origins.join(", "))),
        (
            "review",
            finding.review.as_ref().map(|review| sanitise(review.as_str())),
        ),
        ("commit", Some(finding.commit.to_hex())),
        ("criterion", fields.criterion.as_deref().map(sanitise)),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "{name:<10} {value}");
        }
    }
    if let Some(evidence) = &fields.evidence {
        text.push_str("evidence\n");
        for line in evidence.lines() {
            let _ = writeln!(text, "    {}", sanitise(line));
        }
    }
    text.push('\n');
    for event in &shown.events {
        show_event(&mut text, event, shown);
    }
    text
}

fn show_event(text: &mut String, event: &Event, shown: &Shown) {
    let opening = shown
        .finding
        .openings
        .iter()
        .find(|opening| opening.event == event.id);
    let round = opening
        .map(|opening| format!(", round {}", opening.round))
        .unwrap_or_default();
    let claim = if shown.claims.contains(&event.id) {
        ", a claim that does not count"
    } else {
        ""
    };
    let _ = writeln!(
        text,
        "{}  {}  {} <{}>{round}{claim}",
        sanitise(&event.at),
        sanitise(event.kind()),
        sanitise(&event.by.name),
        sanitise(&event.by.email),
    );
    let detail = match &event.body {
        Body::Raised(body) => Some(format!(
            "{} for {}",
            body.fields.severity,
            sanitise(body.origin.as_str())
        )),
        Body::Reopened(body) => Some(format!(
            "{} for {}",
            sanitise(&body.actual),
            sanitise(body.origin.as_str())
        )),
        Body::Resolved(body) => Some(match &body.note {
            Some(note) => format!("by commit {}: {}", body.commit.short(), sanitise(note)),
            None => format!("by commit {}", body.commit.short()),
        }),
        Body::Verified(body) => Some(format!("for {}", sanitise(body.origin.as_str()))),
        Body::OriginPassed(body) => Some(format!("for {}", sanitise(body.origin.as_str()))),
        Body::Waived(body) => Some(match body.until {
            Some(until) => format!("until {until}: {}", sanitise(&body.reason)),
            None => sanitise(&body.reason),
        }),
        _ => None,
    };
    if let Some(detail) = detail {
        let _ = writeln!(text, "    {detail}");
    }
}

/// `finding export`.
pub fn exported(exported: &Exported) -> String {
    format!(
        "Wrote {} events of the review {} to {}.\nCommit it where you want the review to be readable without notes.\n",
        exported.events, exported.review, exported.path
    )
}

/// `finding import`.
pub fn imported(imported: &Imported) -> String {
    format!(
        "{} events in {} files, {} of them new.\n",
        imported.events, imported.files, imported.new
    )
}
