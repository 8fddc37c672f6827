//! Reads a report back. What it says of itself is computed again where it can be, never believed.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::campaign::{self, CampaignInput};
use super::document::decision;
use super::evaluate;
use super::gates;
use super::input::members::RUN_EVIDENCE;
use super::input::typed::Evidence;
use super::input::{self, Unknown};
use super::table::{self, Faults};
use crate::model::json::Node;
use crate::model::quality::{Area, AreaStatus, AreaSummary, Decision, GateResult};

/// A report that holds together.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The run.
    pub run_id: Option<String>,
    /// The version of the review library.
    pub library_version: Option<String>,
    /// Its source revision.
    pub source_revision: Option<String>,
    /// The judged commit.
    pub commit: Option<String>,
    /// The evidence, where it is that of one run and complete.
    pub run: Option<Evidence>,
    /// What it decides.
    pub decision: Decision,
    /// All fourteen, in their order.
    pub areas: Vec<AreaSummary>,
    /// The gates.
    pub gates: Vec<GateResult>,
    /// Why nothing was measured.
    pub input_error: Option<String>,
    /// Whether a release may rely on it, as it says itself.
    pub release_eligible: bool,
    /// Whether it was compared with a baseline.
    pub is_compared: bool,
    /// What was measured, checked.
    pub raw_input: Option<RawInput>,
    /// The known members without `rawInput`.
    pub known: Map<String, Value>,
}

/// The input that a report keeps.
#[derive(Debug, Clone)]
pub enum RawInput {
    /// Of one run.
    Run(Box<input::Input>),
    /// Of a campaign.
    Campaign(Box<CampaignInput>),
}

/// What stands in a report besides areas and gates, as far as it may be kept.
const KEPT: [&str; 10] = [
    "schema",
    "version",
    "runId",
    "libraryVersion",
    "sourceRevision",
    "commit",
    "minimumScore",
    "decision",
    "releaseEligible",
    "inputError",
];

/// Reads a report. The fault begins with the path of the member, from the root of the report.
pub fn read(node: &Node) -> Result<Stored, String> {
    if !matches!(node, Node::Object(_)) {
        return Err("must be an object".to_owned());
    }
    let is_one = matches!(node.get("version"), Some(Node::Number(number)) if table::count(number) == Some(1));
    if !is_one {
        return Err("version must be 1".to_owned());
    }
    let areas = areas(node.get("areas"))?;
    let gates = read_gates(node.get("absoluteGates"))?;
    let input_error = text(node, "inputError")?;
    check_gates(node, &gates, input_error.is_some())?;
    if input_error.is_some() && areas.iter().any(|area| area.status != AreaStatus::NotMeasured) {
        return Err("inputError stands beside areas that were measured".to_owned());
    }
    let said = node.get("decision").and_then(Node::text).unwrap_or_default();
    let follows = decision(&areas, &gates);
    if said != follows.as_str() {
        return Err(format!(
            "decision must be {follows}, as follows from areas and gates"
        ));
    }
    let raw_input = match node.get("rawInput") {
        None => None,
        Some(raw) => Some(read_raw(raw, &areas, &gates)?),
    };
    Ok(Stored {
        run_id: text(node, "runId")?,
        library_version: text(node, "libraryVersion")?,
        source_revision: text(node, "sourceRevision")?,
        commit: text(node, "commit")?,
        run: node.get("evidence").and_then(complete_run),
        decision: follows,
        input_error,
        release_eligible: matches!(node.get("releaseEligible"), Some(Node::Bool(true))),
        is_compared: matches!(node.get("comparison"), Some(Node::Object(_))),
        raw_input,
        known: known(node, &areas, &gates),
        areas,
        gates,
    })
}

/// An optional text at the root.
fn text(node: &Node, key: &str) -> Result<Option<String>, String> {
    match node.get(key) {
        None => Ok(None),
        Some(Node::Text(text)) if !text.is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(format!("{key} must be a non-empty string")),
    }
}

fn areas(node: Option<&Node>) -> Result<Vec<AreaSummary>, String> {
    let Some(Node::List(items)) = node else {
        return Err("areas must be a list".to_owned());
    };
    let mut found: Vec<AreaSummary> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = format!("areas[{index}]");
        let area = item
            .get("area")
            .and_then(Node::text)
            .and_then(|word| word.parse::<Area>().ok())
            .ok_or_else(|| format!("{at}.area must be one of the fourteen areas"))?;
        if found.iter().any(|other| other.area == area) {
            return Err(format!("areas has {area} twice"));
        }
        let score = match item.get("score") {
            Some(Node::Null) => None,
            Some(Node::Number(number)) => match table::count(number) {
                Some(score @ 1..=4) => u8::try_from(score).ok(),
                _ => return Err(format!("{at}.score must be 1 to 4 or null")),
            },
            _ => return Err(format!("{at}.score must be 1 to 4 or null")),
        };
        let status = item
            .get("status")
            .and_then(Node::text)
            .and_then(|word| word.parse::<AreaStatus>().ok());
        let follows = AreaStatus::of(score);
        let may_not_apply = area == Area::MemoryLearning && score.is_none();
        let status = match status {
            Some(AreaStatus::NotApplicable) if may_not_apply => AreaStatus::NotApplicable,
            Some(status) if status == follows => status,
            _ => return Err(format!("{at}.status of {area} must be {follows}")),
        };
        found.push(AreaSummary {
            area,
            score,
            status,
            metrics: metrics(item.get("metrics")),
            reason: item
                .get("reason")
                .and_then(Node::text)
                .unwrap_or_default()
                .to_owned(),
        });
    }
    if let Some(missing) = Area::ALL
        .iter()
        .find(|area| found.iter().all(|summary| summary.area != **area))
    {
        return Err(format!("areas lacks {missing}"));
    }
    found.sort_by_key(|summary| summary.area);
    Ok(found)
}

/// Numbers, flags and the few words that a metric can be; anything else is none of ours and not kept.
fn metrics(node: Option<&Node>) -> std::collections::BTreeMap<String, Value> {
    const WORDS: [&str; 5] = ["missing", "complete", "partial", "changed-line", "provider-call"];
    let members = node.map(Node::members).unwrap_or_default();
    let kept = members.iter().filter_map(|(name, value)| {
        let value = match value {
            Node::Number(number) => Value::Number(number.clone()),
            Node::Bool(flag) => Value::Bool(*flag),
            Node::Text(word) if WORDS.contains(&word.as_str()) => Value::String(word.clone()),
            _ => return None,
        };
        Some((name.clone(), value))
    });
    kept.collect()
}

fn read_gates(node: Option<&Node>) -> Result<Vec<GateResult>, String> {
    let Some(Node::List(items)) = node else {
        return Err("absoluteGates must be a list".to_owned());
    };
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = format!("absoluteGates[{index}]");
        let name = match item.get("name").and_then(Node::text) {
            Some(name) if !name.is_empty() => name,
            _ => return Err(format!("{at}.name must be a non-empty string")),
        };
        let Some(Node::Bool(passed)) = item.get("passed") else {
            return Err(format!("{at}.passed must be a boolean"));
        };
        if !names.insert(name) {
            return Err(format!("{at}.name {name} is there twice"));
        }
        let detail = item.get("detail").and_then(Node::text).unwrap_or_default();
        found.push(gates::gate(name, *passed, detail));
    }
    Ok(found)
}

/// Whether the gates are there that a report of its sort must have.
fn check_gates(node: &Node, gates: &[GateResult], has_input_error: bool) -> Result<(), String> {
    if has_input_error {
        return match gates {
            [only] if only.name == gates::INPUT && !only.passed => Ok(()),
            _ => Err(format!(
                "inputError asks for {} as the only gate, failed, in absoluteGates",
                gates::INPUT
            )),
        };
    }
    let kind = node
        .get("evidence")
        .and_then(|evidence| evidence.get("kind"))
        .and_then(Node::text);
    let has = |name: &str| gates.iter().any(|gate| gate.name == name);
    let of_campaign = has(gates::IDENTITY) && kind.is_none_or(|kind| kind == "real-campaign");
    let mut wanted: Vec<&str> = if of_campaign {
        gates::OF_CAMPAIGN.to_vec()
    } else {
        gates::ALWAYS.to_vec()
    };
    if kind == Some("real-run") {
        wanted.push(gates::BOUND);
    }
    match wanted.into_iter().find(|name| !has(name)) {
        Some(name) => Err(format!("absoluteGates lacks {name}")),
        None => Ok(()),
    }
}

/// Reads the input that a report keeps, and compares what follows from it with what the report says.
fn read_raw(raw: &Node, areas: &[AreaSummary], gates: &[GateResult]) -> Result<RawInput, String> {
    let wrong = |why: String| format!("rawInput: {why}");
    let (again, input) = if raw.get("pullRequestReports").is_some() {
        let input =
            campaign::read_node(raw, &[], Unknown::Named).map_err(|malformed| wrong(malformed.why))?;
        let again = campaign::scored(&input);
        (again, RawInput::Campaign(Box::new(input)))
    } else {
        let input = input::read_node(raw, Unknown::Named).map_err(|malformed| wrong(malformed.why))?;
        let again = evaluate::scored(&input);
        (again, RawInput::Run(Box::new(input)))
    };
    for (said, computed) in areas.iter().zip(&again.areas) {
        if (said.score, said.status) != (computed.score, computed.status) {
            return Err(wrong(format!(
                "the score of {} does not follow from it",
                said.area
            )));
        }
    }
    let passed = |gates: &[GateResult], name: &str| {
        gates
            .iter()
            .find(|gate| gate.name == name)
            .map(|gate| gate.passed)
    };
    for gate in &again.absolute_gates {
        if passed(gates, &gate.name) != Some(gate.passed) {
            return Err(wrong(format!("the gate {} does not follow from it", gate.name)));
        }
    }
    for name in gates::OF_GROUPS {
        if passed(gates, name) != passed(&again.absolute_gates, name) {
            return Err(wrong(format!("the gate {name} does not follow from it")));
        }
    }
    Ok(input)
}

/// Evidence of one run, where all of it is there.
fn complete_run(node: &Node) -> Option<Evidence> {
    let mut faults = Faults::default();
    let value = table::check(node, &RUN_EVIDENCE, "evidence", &mut faults)?;
    if !faults.wrong.is_empty() {
        return None;
    }
    Some(input::typed(value.as_object()?))
}

/// What of a report may be kept in another one.
fn known(node: &Node, areas: &[AreaSummary], gates: &[GateResult]) -> Map<String, Value> {
    let mut known = Map::new();
    for key in KEPT {
        let value = match node.get(key) {
            Some(Node::Text(text)) => Value::String(text.clone()),
            Some(Node::Number(number)) => Value::Number(number.clone()),
            Some(Node::Bool(flag)) => Value::Bool(*flag),
            _ => continue,
        };
        known.insert(key.to_owned(), value);
    }
    if let Some(evidence) = node.get("evidence") {
        let mut faults = Faults::default();
        let checked = table::check(evidence, &input::members::EVIDENCE, "evidence", &mut faults);
        if let Some(evidence) = checked {
            known.insert("evidence".to_owned(), evidence);
        }
    }
    // Scores and gates are computed again from these; metrics and reasons are not, and a campaign of a thousand reports
    // must still fit into a note.
    let areas = areas
        .iter()
        .map(|area| json!({"area": area.area, "score": area.score, "status": area.status}));
    known.insert("areas".to_owned(), areas.collect());
    known.insert("absoluteGates".to_owned(), json!(gates));
    known
}

/// What a document gives to compare with: a report, or an input, which is evaluated.
#[derive(Debug, Clone)]
pub struct Scores {
    /// All fourteen.
    pub areas: Vec<AreaSummary>,
    /// The commit that it speaks of.
    pub commit: Option<String>,
    /// The run that it speaks of.
    pub run_id: Option<String>,
}

/// Reads what is compared with. An input is scored without asking which commit it is about.
pub fn scores(bytes: &[u8]) -> Result<Scores, String> {
    let node = table::parse(bytes, "baseline")?;
    if node.get("areas").is_some() {
        let stored = read(&node)?;
        if let Some(why) = stored.input_error {
            return Err(format!("its inputError says that nothing was measured: {why}"));
        }
        return Ok(Scores {
            areas: stored.areas,
            commit: stored.commit,
            run_id: stored.run_id,
        });
    }
    let (scored, run_id) = if node.get("pullRequestReports").is_some() {
        let input = campaign::read_node(&node, &[], Unknown::Named).map_err(|malformed| malformed.why)?;
        let run_id = input.evidence.campaign_id.clone();
        (campaign::scored(&input), run_id)
    } else {
        let input = input::read_node(&node, Unknown::Named).map_err(|malformed| malformed.why)?;
        let run_id = input.measured.run_id.clone();
        (evaluate::scored(&input), run_id)
    };
    Ok(Scores {
        areas: scored.areas,
        commit: None,
        run_id,
    })
}
