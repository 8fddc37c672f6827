//! A decision for programs: `review-gate/decision`, version 1.

use schemars::JsonSchema;
use serde::Serialize;

use super::decision::place;
use crate::model::decision::{Decision, NamedFinding, Outcome, Overall, RefDecision, RuleDecision, RuleId};
use crate::model::fact::Fact;

/// The name of this form.
pub const SCHEMA: &str = "review-gate/decision";

/// The version of this form; raised when a field is removed or changes its meaning.
pub const VERSION: u32 = 1;

/// A decision. Readers must ignore fields they do not know.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "review-gate/decision")]
struct DecisionV1 {
    /// Always `review-gate/decision`.
    schema: &'static str,
    /// Always 1.
    version: u32,
    /// The worst of all refs.
    outcome: Overall,
    /// In the order in which they were asked.
    refs: Vec<RefV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RefV1 {
    /// Full name of the ref.
    r#ref: String,
    /// What it was compared with.
    base: Option<String>,
    /// The commit that was judged.
    head: Option<String>,
    /// The worst of its rules; `undecided` where it could not be judged at all.
    outcome: Overall,
    /// What is said beside the rules.
    notes: Vec<String>,
    /// Why it could not be judged at all.
    error: Option<ErrorV1>,
    /// Every rule, in order; empty where none was asked.
    rules: Vec<RuleV1>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ErrorV1 {
    /// A stable word.
    kind: &'static str,
    /// One sentence.
    message: String,
    /// What to do next.
    hints: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RuleV1 {
    /// Which rule.
    id: RuleId,
    /// What it came to.
    outcome: Outcome,
    /// Why.
    reasons: Vec<String>,
    /// The findings it names.
    findings: Vec<FindingV1>,
    /// The structural facts it names.
    facts: Vec<FactV1>,
    /// The command that helps.
    command: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FindingV1 {
    /// Short id.
    id: String,
    /// Whole id.
    finding: String,
    /// What has become of it.
    state: &'static str,
    /// How bad it is.
    severity: &'static str,
    /// Where.
    file: Option<String>,
    /// The line there.
    line: Option<u64>,
    /// The line that shows it.
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FactV1 {
    /// The kind of fact.
    kind: &'static str,
    /// The unit it speaks of.
    key: String,
    /// Path, and line where there is one.
    place: String,
}

/// The decision as JSON, with a final line feed.
pub fn json(decision: &Decision) -> String {
    let form = DecisionV1 {
        schema: SCHEMA,
        version: VERSION,
        outcome: decision.outcome(),
        refs: decision.refs.iter().map(of_ref).collect(),
    };
    // By way of a value: that sorts the keys.
    let value = serde_json::to_value(form).expect("texts, numbers and lists have a JSON form");
    format!("{value:#}\n")
}

/// The JSON Schema of [`json`].
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(DecisionV1).to_value()
}

fn of_ref(of: &RefDecision) -> RefV1 {
    RefV1 {
        r#ref: of.ref_name.clone(),
        base: of.base.map(|id| id.to_string()),
        head: of.head.map(|id| id.to_string()),
        outcome: of.outcome(),
        notes: of.notes.clone(),
        error: of.fault.as_ref().map(|fault| ErrorV1 {
            kind: fault.kind,
            message: std::iter::once(&fault.message)
                .chain(&fault.causes)
                .cloned()
                .collect::<Vec<_>>()
                .join(": "),
            hints: fault.hints.clone(),
        }),
        rules: of.rules.iter().map(of_rule).collect(),
    }
}

fn of_rule(rule: &RuleDecision) -> RuleV1 {
    RuleV1 {
        id: rule.id,
        outcome: rule.outcome,
        reasons: rule.reasons.clone(),
        findings: rule.findings.iter().map(of_finding).collect(),
        facts: rule.facts.iter().map(of_fact).collect(),
        command: rule.command.clone(),
    }
}

fn of_finding(finding: &NamedFinding) -> FindingV1 {
    FindingV1 {
        id: finding.id.short(),
        finding: finding.id.to_hex(),
        state: finding.state.as_str(),
        severity: finding.severity.as_str(),
        file: finding.file.clone(),
        line: finding.line,
        text: finding.text.clone(),
    }
}

fn of_fact(fact: &Fact) -> FactV1 {
    FactV1 {
        kind: fact.kind.word(),
        key: fact.key.clone(),
        place: place(fact),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::decision;
    use super::*;
    use crate::model::decision::RefFault;

    #[test]
    fn has_the_promised_shape_and_fits_its_schema() {
        let mut decision = decision();
        decision.refs.push(RefDecision::undecided(
            "refs/heads/b",
            RefFault {
                kind: "bad-policy",
                message: "not valid".to_owned(),
                causes: vec!["line 1".to_owned()],
                hints: Vec::new(),
            },
        ));
        let value: serde_json::Value = serde_json::from_str(&json(&decision)).unwrap();
        assert!(jsonschema::is_valid(&schema(), &value), "{value:#}");
        assert_eq!(value["schema"], SCHEMA);
        assert_eq!(value["outcome"], "undecided");
        assert_eq!(value["refs"][0]["outcome"], "blocked");
        let rule = &value["refs"][0]["rules"][0];
        assert_eq!(
            (rule["id"].as_str(), rule["outcome"].as_str()),
            (Some("findings-open"), Some("blocked"))
        );
        assert_eq!(rule["findings"][0]["id"], "F-01010101");
        assert_eq!(value["refs"][1]["error"]["message"], "not valid: line 1");
        assert!(!jsonschema::is_valid(
            &schema(),
            &serde_json::json!({"outcome": "fine"})
        ));
    }
}
