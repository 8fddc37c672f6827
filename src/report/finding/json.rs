//! Findings as JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::event::{Body, Event};
use crate::model::finding::{Finding, OpeningKind, State};
use crate::model::outcome::finding::{Added, Exported, Imported, Listed, Passed, Resolved, Shown};
use crate::model::severity::Severity;

/// One finding. Absent values are `null`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// `F-` and the first 8 hex digits.
    id: String,
    /// The whole identity.
    finding: String,
    /// What has become of it.
    state: State,
    /// How much it matters.
    severity: Severity,
    /// The highest round of its openings.
    round: u32,
    /// The origins that raised it.
    origins: Vec<&'a str>,
    /// The review it belongs to.
    review: Option<&'a str>,
    /// The commit under review at its last raising.
    commit: String,
    /// Where: a path from the top of the repository.
    file: Option<&'a str>,
    /// The line there, counted from 1.
    line: Option<u64>,
    /// The criterion that it breaks.
    criterion: Option<&'a str>,
    /// What should be.
    expected: &'a str,
    /// What is.
    actual: &'a str,
    /// The change that would mend it.
    fix: Option<&'a str>,
    /// A verbatim excerpt.
    evidence: Option<&'a str>,
}

impl<'a> From<&'a Finding> for Row<'a> {
    fn from(finding: &'a Finding) -> Self {
        let fields = &finding.fields;
        Self {
            id: finding.id.short(),
            finding: finding.id.to_hex(),
            state: finding.state,
            severity: fields.severity,
            round: finding.round,
            origins: finding
                .origins
                .iter()
                .map(crate::model::finding::Origin::as_str)
                .collect(),
            review: finding
                .review
                .as_ref()
                .map(crate::model::review::ReviewId::as_str),
            commit: finding.commit.to_hex(),
            file: fields.file.as_deref(),
            line: fields.line,
            criterion: fields.criterion.as_deref(),
            expected: &fields.expected,
            actual: &fields.actual,
            fix: fields.fix.as_deref(),
            evidence: fields.evidence.as_deref(),
        }
    }
}

fn rows(findings: &[Finding]) -> Vec<Row<'_>> {
    findings.iter().map(Row::from).collect()
}

/// `finding list`
#[derive(Debug, Serialize, JsonSchema)]
pub struct List<'a> {
    schema: &'static str,
    version: u32,
    /// Open first, then by severity and place.
    findings: Vec<Row<'a>>,
    /// Counts of the whole scope, whatever the filter.
    totals: Totals,
}

/// Counts of findings.
#[derive(Debug, Serialize, JsonSchema)]
struct Totals {
    /// By state.
    states: BTreeMap<State, usize>,
    /// By origin and state; a finding of two origins counts for both.
    origins: BTreeMap<String, BTreeMap<State, usize>>,
}

/// What a command did to findings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change<'a> {
    schema: &'static str,
    version: u32,
    /// `added`, `resolved`, `confirmed`, `refused`, `reopened` or `waived`.
    action: &'static str,
    /// The findings it is about, as they are now.
    findings: Vec<Row<'a>>,
    /// The review they were filed in, for `added`.
    review: Option<&'a str>,
    /// The commit that mends each finding, for `resolved`.
    commits: BTreeMap<String, String>,
    /// What the gate still sees as open, for `resolved`.
    open: Vec<Row<'a>>,
}

/// `finding show`
#[derive(Debug, Serialize, JsonSchema)]
pub struct Show<'a> {
    schema: &'static str,
    version: u32,
    /// The finding as it is now.
    finding: Row<'a>,
    /// Every raising and reopening, in causal order.
    openings: Vec<OpeningRow>,
    /// Every event, in causal order.
    events: Vec<EventRow<'a>>,
}

/// One raising or reopening.
#[derive(Debug, Serialize, JsonSchema)]
struct OpeningRow {
    event: String,
    kind: &'static str,
    origin: String,
    severity: Severity,
    state: State,
    round: u32,
    review: Option<String>,
    commit: String,
}

/// One event.
#[derive(Debug, Serialize, JsonSchema)]
struct EventRow<'a> {
    id: String,
    kind: &'a str,
    at: &'a str,
    /// Who wrote it.
    by: Author<'a>,
    /// Whether it counts, as far as its author may speak for the origin.
    counts: bool,
    /// The round, for raisings and reopenings.
    round: Option<u32>,
    /// The event as stored.
    #[schemars(with = "serde_json::Value")]
    event: serde_json::Value,
}

/// A committer identity.
#[derive(Debug, Serialize, JsonSchema)]
struct Author<'a> {
    email: &'a str,
    name: &'a str,
}

/// `finding export` and `finding import`
#[derive(Debug, Serialize, JsonSchema)]
pub struct Mirror<'a> {
    schema: &'static str,
    version: u32,
    /// `exported` or `imported`.
    action: &'static str,
    /// The exported review.
    review: Option<&'a str>,
    /// Where it was written.
    path: Option<&'a str>,
    /// How many files were read.
    files: usize,
    /// How many events they hold, each once.
    events: usize,
    /// How many of them were new to the notes.
    new: usize,
}

fn text<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("structs of texts and numbers serialise");
    text.push('\n');
    text
}

fn change<'a>(action: &'static str, findings: &'a [Finding]) -> Change<'a> {
    Change {
        schema: "review-gate/finding-change",
        version: 1,
        action,
        findings: rows(findings),
        review: None,
        commits: BTreeMap::new(),
        open: Vec::new(),
    }
}

/// `finding add` and `finding reject`.
pub fn added(added: &Added) -> String {
    let review = added.review.as_ref().map(crate::model::review::ReviewId::as_str);
    text(&Change {
        review,
        ..change("added", &added.findings)
    })
}

/// `finding resolve`.
pub fn resolved(resolved: &Resolved) -> String {
    let findings: Vec<Finding> = resolved
        .answered
        .iter()
        .map(|(finding, _)| finding.clone())
        .collect();
    let commits = resolved
        .answered
        .iter()
        .map(|(finding, commit)| (finding.id.short(), commit.to_hex()));
    text(&Change {
        commits: commits.collect(),
        open: rows(&resolved.still_open),
        ..change("resolved", &findings)
    })
}

/// `finding verify`.
pub fn confirmed(findings: &[Finding]) -> String {
    text(&change("confirmed", findings))
}

/// `finding pass`.
pub fn passed(passed: &Passed) -> String {
    match passed {
        Passed::Confirmed { findings, .. } => confirmed(findings),
        Passed::Refused { open, .. } => text(&change("refused", open)),
    }
}

/// `finding reopen` and `finding waive`.
pub fn settled(action: &'static str, finding: &Finding) -> String {
    text(&change(action, std::slice::from_ref(finding)))
}

/// `finding list`.
pub fn list(listed: &Listed) -> String {
    let origins = listed
        .origins
        .iter()
        .map(|(origin, states)| (origin.as_str().to_owned(), states.clone()));
    text(&List {
        schema: "review-gate/findings",
        version: 1,
        findings: rows(&listed.findings),
        totals: Totals {
            states: listed.states.clone(),
            origins: origins.collect(),
        },
    })
}

/// `finding show`.
pub fn show(shown: &Shown) -> String {
    let openings = shown.finding.openings.iter().map(|opening| OpeningRow {
        event: opening.event.to_hex(),
        kind: match opening.kind {
            OpeningKind::Raised => "raised",
            OpeningKind::Reopened => "reopened",
        },
        origin: opening.origin.as_str().to_owned(),
        severity: opening.severity,
        state: opening.state,
        round: opening.round,
        review: opening.review.as_ref().map(|review| review.as_str().to_owned()),
        commit: opening.commit.to_hex(),
    });
    text(&Show {
        schema: "review-gate/finding",
        version: 1,
        finding: Row::from(&shown.finding),
        openings: openings.collect(),
        events: shown.events.iter().map(|event| event_row(event, shown)).collect(),
    })
}

fn event_row<'a>(event: &'a Event, shown: &Shown) -> EventRow<'a> {
    let round = match event.body {
        Body::Raised(_) | Body::Reopened(_) => shown
            .finding
            .openings
            .iter()
            .find(|opening| opening.event == event.id)
            .map(|opening| opening.round),
        _ => None,
    };
    EventRow {
        id: event.id.to_hex(),
        kind: event.kind(),
        at: &event.at,
        by: Author {
            email: &event.by.email,
            name: &event.by.name,
        },
        counts: !shown.claims.contains(&event.id),
        round,
        event: serde_json::from_str(&event.line).expect("the line of an event is JSON"),
    }
}

/// `finding export`.
pub fn exported(exported: &Exported) -> String {
    text(&Mirror {
        schema: "review-gate/mirror-change",
        version: 1,
        action: "exported",
        review: Some(exported.review.as_str()),
        path: Some(&exported.path),
        files: 1,
        events: exported.events,
        new: 0,
    })
}

/// `finding import`.
pub fn imported(imported: &Imported) -> String {
    text(&Mirror {
        schema: "review-gate/mirror-change",
        version: 1,
        action: "imported",
        review: None,
        path: None,
        files: imported.files,
        events: imported.events,
        new: imported.new,
    })
}
