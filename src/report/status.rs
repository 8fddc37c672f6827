//! The status of a branch for people and programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::decision::{Outcome, Overall};
use crate::model::finding::State;
use crate::model::outcome::status::Status;

/// `status`
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusJson<'a> {
    schema: &'static str,
    version: u32,
    /// Short name of the branch.
    branch: &'a str,
    /// What the gate decides now.
    outcome: Overall,
    /// Ids of the rules that stand in the way.
    rules: Vec<&'static str>,
    /// The open review.
    review: Option<&'a str>,
    /// How many findings are in each state.
    findings: &'a BTreeMap<State, usize>,
    /// What else deserves a look.
    remarks: &'a [String],
    /// The next step: a command.
    next: Option<&'a str>,
}

/// As JSON.
pub fn json(status: &Status) -> String {
    let object = StatusJson {
        schema: "review-gate/status",
        version: 1,
        branch: &status.branch,
        outcome: status.decision.outcome(),
        rules: standing(status).map(|rule| rule.id.as_str()).collect(),
        review: status.review.as_deref(),
        findings: &status.states,
        remarks: &status.remarks,
        next: status.next.as_deref(),
    };
    let mut text = serde_json::to_string_pretty(&object).expect("structs of texts serialise");
    text.push('\n');
    text
}

fn standing(status: &Status) -> impl Iterator<Item = &crate::model::decision::RuleDecision> {
    status
        .decision
        .rules
        .iter()
        .filter(|rule| matches!(rule.outcome, Outcome::Blocked | Outcome::Undecided))
}

/// For people.
pub fn human(status: &Status) -> String {
    let mut text = String::new();
    let line = |text: &mut String, name: &str, value: &str| {
        let _ = writeln!(text, "{name:<9} {value}");
    };
    line(&mut text, "branch", &status.branch);
    let gate = match status.decision.outcome() {
        Overall::Pass => "may pass",
        Overall::Blocked => "blocked",
        Overall::Undecided => "not decided",
    };
    line(&mut text, "gate", gate);
    if let Some(fault) = &status.decision.fault {
        line(&mut text, "", &fault.message);
        for cause in &fault.causes {
            line(&mut text, "", &format!("caused by: {cause}"));
        }
    }
    for rule in standing(status) {
        line(&mut text, "", rule.id.as_str());
        for reason in &rule.reasons {
            line(&mut text, "", &format!("  {reason}"));
        }
    }
    line(
        &mut text,
        "review",
        status.review.as_deref().unwrap_or("none open"),
    );
    let states: Vec<String> = status
        .states
        .iter()
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let findings = if states.is_empty() {
        "none".to_owned()
    } else {
        states.join(", ")
    };
    line(&mut text, "findings", &findings);
    for note in &status.decision.notes {
        line(&mut text, "note", note);
    }
    for remark in &status.remarks {
        line(&mut text, "note", remark);
    }
    if let Some(next) = &status.next {
        line(&mut text, "next", next);
    }
    text
}
