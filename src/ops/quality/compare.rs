//! `quality compare`: two reports or inputs side by side.

use super::evaluate::{parse_drop, policy_drop};
use super::place::Place;
use super::source::{self, Found};
use crate::exit::Exit;
use crate::model::json::Node;
use crate::model::quality::{AreaSummary, BaselineUsed, Compared, Decision, Operand};
use crate::model::text::sanitise;
use crate::quality::compare;
use crate::quality::document::Surroundings;
use crate::quality::input::{self, Unknown};
use crate::quality::{campaign, evaluate, stored, table};

/// The exit code: only PASS is 0.
pub fn exit(compared: &Compared) -> Exit {
    match compared.decision {
        Decision::Pass => Exit::Pass,
        Decision::Blocked => Exit::Undecided,
    }
}

/// Compares. What cannot be read blocks.
pub fn run(baseline: &str, current: &str, max_score_drop: Option<&str>) -> Compared {
    match compared(baseline, current, max_score_drop) {
        Ok(compared) => compared,
        Err(why) => Compared {
            schema: Compared::SCHEMA,
            version: 1,
            baseline: None,
            current: None,
            comparison: None,
            decision: Decision::Blocked,
            input_error: Some(why),
        },
    }
}

fn compared(baseline: &str, current: &str, max_score_drop: Option<&str>) -> Result<Compared, String> {
    let place = Place::find(None).map_err(|error| error.to_string())?;
    let drop = match max_score_drop {
        Some(written) => parse_drop(written)?,
        None => policy_drop(&place)?,
    };
    let (before, from) = operand(&place, baseline)?;
    let (now, to) = operand(&place, current)?;
    let comparison = compare::compare(&from, &to, drop);
    let passes = now.decision == Decision::Pass && comparison.material_regressions.is_empty();
    Ok(Compared {
        schema: Compared::SCHEMA,
        version: 1,
        baseline: Some(before),
        current: Some(now),
        comparison: Some(comparison),
        decision: if passes { Decision::Pass } else { Decision::Blocked },
        input_error: None,
    })
}

/// Reads one of the two: a report as it says itself, an input as `quality evaluate` judges it now.
fn operand(place: &Place, named: &str) -> Result<(Operand, Vec<AreaSummary>), String> {
    let found = source::find(place, named)?;
    let name = sanitise(named);
    let node = table::parse(&found.bytes, &name)?;
    let at = |why: String| format!("{name}: {why}");
    if node.get("areas").is_some() {
        let stored = stored::read(&node).map_err(at)?;
        if let Some(why) = stored.input_error {
            return Err(at(format!(
                "its inputError says that nothing was measured: {why}"
            )));
        }
        let commit = stored.commit.clone();
        return Ok((
            operand_of(found, (commit, stored.run_id), stored.decision),
            stored.areas,
        ));
    }
    let document = document(place, &node);
    if let Some(why) = document.input_error {
        return Err(at(why));
    }
    Ok((
        operand_of(found, (None, document.run_id), document.decision),
        document.areas,
    ))
}

fn document(place: &Place, node: &Node) -> crate::model::quality::Document {
    let mut around = Surroundings {
        commit: place.commit,
        ..Surroundings::default()
    };
    if node.get("pullRequestReports").is_some() {
        let input = campaign::read_node(node, &[], Unknown::Named);
        if let Ok(input) = &input {
            around.binding = input.evidence.head_sha.as_deref().map(|head| place.binding(head));
        }
        return campaign::evaluate(input, &around);
    }
    let input = input::read_node(node, Unknown::Named);
    if let Ok(input) = &input {
        let head = input.measured.evidence.head_sha.as_deref();
        around.binding = head.map(|head| place.binding(head));
    }
    evaluate::evaluate(input, &around)
}

fn operand_of(
    found: Found,
    (commit, run_id): (Option<String>, Option<String>),
    decision: Decision,
) -> Operand {
    Operand {
        read: BaselineUsed {
            source: found.source,
            sha256: found.sha256,
            commit: found.commit.or(commit),
            run_id,
        },
        decision,
    }
}
