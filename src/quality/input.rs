//! The measurements of one review run, read strictly: every fault is named, nothing is guessed.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::typed::Measured;
use super::table::{self, Faults};
use crate::model::json::Node;

pub mod members;
pub mod typed;

/// A valid input.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// What was measured.
    pub measured: Measured,
    /// The same as it was given, without unknown members.
    pub raw: Map<String, Value>,
    /// Members that are not known.
    pub warnings: Vec<String>,
}

/// Why an input cannot be used, and what of it can.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Malformed {
    /// What is wrong.
    pub why: String,
    /// The members that say whose input it is, where they are well-formed.
    pub known: Map<String, Value>,
}

impl Malformed {
    /// Nothing of it can be used.
    pub fn because(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            known: Map::new(),
        }
    }
}

/// What becomes of members that are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// They are named and left out.
    Named,
    /// They are faults.
    Refused,
}

/// Reads an input.
pub fn read(bytes: &[u8], unknown: Unknown) -> Result<Input, Malformed> {
    let node = table::parse(bytes, "input").map_err(Malformed::because)?;
    read_node(&node, unknown)
}

/// The same from a document that is parsed already.
pub fn read_node(node: &Node, unknown: Unknown) -> Result<Input, Malformed> {
    let kind = node
        .get("evidence")
        .and_then(|evidence| evidence.get("kind"))
        .and_then(Node::text);
    let members = match kind {
        Some("real-campaign") => members::INPUT_OF_CAMPAIGN,
        _ => members::INPUT,
    };
    let mut faults = Faults::default();
    let raw = table::check_root(node, members, "input", &mut faults);
    check_order(&raw, &mut faults);
    if unknown == Unknown::Refused {
        faults.refuse_unknown();
    }
    if !faults.wrong.is_empty() {
        return Err(malformed(&faults, raw));
    }
    Ok(Input {
        measured: typed(&raw),
        raw,
        warnings: faults.unknown(),
    })
}

/// The members that say whose document it is, as far as they are well-formed; whatever else is wrong with it.
pub fn identity(bytes: &[u8]) -> Map<String, Value> {
    let Ok(node) = table::parse(bytes, "input") else {
        return Map::new();
    };
    let mut faults = Faults::default();
    let raw = table::check_root(&node, members::INPUT, "input", &mut faults);
    malformed(&faults, raw).known
}

/// What is wrong, and the members that say whose document it is.
pub fn malformed(faults: &Faults, mut known: Map<String, Value>) -> Malformed {
    let evidence_is_wrong = faults.wrong.iter().any(|fault| fault.starts_with("evidence"));
    known.retain(|key, _| match key.as_str() {
        "runId" | "version" | "sourceRevision" => true,
        "evidence" => !evidence_is_wrong,
        _ => false,
    });
    Malformed {
        why: faults.sentence(),
        known,
    }
}

/// A checked document as a value.
pub fn typed<T: DeserializeOwned>(raw: &Map<String, Value>) -> T {
    serde_json::from_value(Value::Object(raw.clone())).expect("a document that its table has checked")
}

/// Pairs of members of which the first must not exceed the second.
const ORDER: [(&str, &str); 15] = [
    ("coverage.reviewedFiles", "coverage.eligibleFiles"),
    ("coverage.completedRequiredLensRuns", "coverage.requiredLensRuns"),
    ("reliability.completeRuns", "reliability.runs"),
    ("batches.completed", "batches.planned"),
    ("verification.unverified", "verification.candidates"),
    ("findings.detectedExpected", "findings.expected"),
    ("findings.severityMatches", "findings.severityWithinOne"),
    ("findings.severityMatches", "findings.severityTotal"),
    ("findings.severityWithinOne", "findings.severityTotal"),
    ("findings.actionable", "findings.detected"),
    ("comments.inlineValid", "comments.inlineExpected"),
    ("comments.actionable", "comments.total"),
    (
        "tokens.accounting.cachedInputTokens",
        "tokens.accounting.inputTokens",
    ),
    (
        "tokens.accounting.reasoningOutputTokens",
        "tokens.accounting.outputTokens",
    ),
    ("campaign.terminal", "campaign.discovered"),
];

/// Checks what must not exceed what, where both are there.
pub fn check_order(raw: &Map<String, Value>, faults: &mut Faults) {
    let (campaign, run): (Vec<_>, Vec<_>) = ORDER
        .iter()
        .partition(|(first, _)| first.starts_with("campaign."));
    for (first, second) in run {
        exceeds(raw, first, second, faults);
    }
    let accounting = |key: &str| count(raw, &format!("tokens.accounting.{key}"));
    if let (Some(total), Some(input), Some(output)) = (
        accounting("total"),
        accounting("inputTokens"),
        accounting("outputTokens"),
    ) && total < input + output
    {
        faults.wrong.push(
            "tokens.accounting.total must not be less than tokens.accounting.inputTokens plus \
             tokens.accounting.outputTokens"
                .to_owned(),
        );
    }
    for (first, second) in campaign {
        exceeds(raw, first, second, faults);
    }
    exceeds(raw, "campaign.skipped", "campaign.terminal", faults);
    if let (Some(completed), Some(terminal), Some(skipped)) = (
        count(raw, "campaign.completed"),
        count(raw, "campaign.terminal"),
        count(raw, "campaign.skipped"),
    ) && completed > terminal.saturating_sub(skipped)
    {
        faults
            .wrong
            .push("campaign.completed must not exceed campaign.terminal minus campaign.skipped".to_owned());
    }
}

fn exceeds(raw: &Map<String, Value>, first: &str, second: &str, faults: &mut Faults) {
    if let (Some(low), Some(high)) = (count(raw, first), count(raw, second))
        && low > high
    {
        faults.wrong.push(format!("{first} must not exceed {second}"));
    }
}

/// The count at a dotted path.
pub fn count(raw: &Map<String, Value>, path: &str) -> Option<u64> {
    let mut steps = path.split('.');
    let mut value = raw.get(steps.next()?)?;
    for step in steps {
        value = value.get(step)?;
    }
    value.as_u64()
}
