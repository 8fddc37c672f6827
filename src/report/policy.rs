//! The policy in force for a ref, with where each value came from.

use serde_json::{Value, json};

use crate::model::policy::Policy;
use crate::model::policy::effective::{EffectiveGate, PolicySide};
use crate::model::policy::levels::GateKey;
use crate::model::policy::listing::{Entry, ExplainedPolicy, PolicySource, entries};
use crate::model::text::sanitise;

/// The name of the JSON form.
pub const SCHEMA: &str = "review-gate/policy";

/// For people, in the order of the file; after each value the sides it came from.
pub fn human(policy: &ExplainedPolicy) -> String {
    let mut text = format!("policy for {}\n", sanitise(&policy.ref_name));
    for source in &policy.sources {
        text.push_str(&format!("  {:<9} {}\n", source.side, place(source)));
    }
    match &policy.gate {
        None => text.push_str("\nno gate is for this ref\n"),
        Some(gate) => {
            text.push_str(&format!("\n[[gate]]  # {}\n", names(gate)));
            for key in GateKey::ALL {
                let from: Vec<_> = gate.from(*key).iter().map(|side| side.as_str()).collect();
                text.push_str(&line(key.as_str(), &written(gate, *key), &from.join(", ")));
            }
        }
    }
    let mut section = "";
    for (entry, from) in with_sources(policy) {
        if entry.section != section {
            text.push_str(&format!("\n{}\n", entry.section));
            section = entry.section;
        } else if section.is_empty() {
            text.push('\n');
        }
        text.push_str(&line(&entry.key, &entry.value, from));
    }
    text
}

/// The text on a rule or a kind of fact as JSON: `review-gate/explanation`, version 1.
pub fn text_json(name: &str, text: &str) -> String {
    let object = json!({"schema": "review-gate/explanation", "version": 1, "name": name, "text": text});
    format!("{object:#}\n")
}

/// As JSON: `review-gate/policy`, version 1.
pub fn json(policy: &ExplainedPolicy) -> String {
    let sources: Vec<Value> = policy
        .sources
        .iter()
        .map(|source| {
            json!({
                "side": source.side,
                "commit": source.commit.map(|id| id.to_string()),
                "blob": source.blob.map(|id| id.to_string()),
            })
        })
        .collect();
    let gate = policy.gate.as_ref().map(|gate| {
        let keys = GateKey::ALL
            .iter()
            .map(|key| json!({"key": key, "value": gate.levels.value(*key), "from": gate.from(*key)}));
        json!({"name": gate.name().to_string(), "keys": keys.collect::<Vec<_>>()})
    });
    let entries: Vec<Value> = with_sources(policy)
        .map(|(entry, from)| json!({"section": entry.section, "key": entry.key, "value": entry.value, "from": from}))
        .collect();
    let value = json!({
        "schema": SCHEMA,
        "version": 1,
        "ref": policy.ref_name,
        "sources": sources,
        "gate": gate,
        "entries": entries,
    });
    format!("{value:#}\n")
}

fn place(source: &PolicySource) -> String {
    match (source.commit, source.blob) {
        (Some(commit), Some(blob)) => format!("{}: .review-gate.toml {}", commit.short(), blob.short()),
        (Some(commit), None) => format!("{}: no .review-gate.toml, built in", commit.short()),
        (None, _) => "there is none: built in".to_owned(),
    }
}

fn names(gate: &EffectiveGate) -> String {
    let names: Vec<String> = gate
        .sides
        .iter()
        .map(|side| match side.gate {
            Some(name) => format!("{}: {name}", side.side),
            None => format!("{}: none", side.side),
        })
        .collect();
    names.join("; ")
}

/// The value of a gate key as the file writes it.
fn written(gate: &EffectiveGate, key: GateKey) -> String {
    let value = gate.levels.value(key);
    if key == GateKey::Severities {
        value
    } else {
        format!("\"{value}\"")
    }
}

/// Keys outside the gates are the base's alone; those that have their built-in value say so.
fn with_sources(policy: &ExplainedPolicy) -> impl Iterator<Item = (Entry, &'static str)> {
    let built_in = entries(&Policy::default());
    entries(&policy.base).into_iter().map(move |entry| {
        let from = if built_in.contains(&entry) {
            "built in"
        } else {
            PolicySide::Base.as_str()
        };
        (entry, from)
    })
}

fn line(key: &str, value: &str, from: &str) -> String {
    format!(
        "  {:<22} {}  # {from}\n",
        format!("{} =", sanitise(key)),
        sanitise(value)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::policy::effective::Policies;
    use crate::model::policy::levels::{FindingsLevel, Levels};
    use crate::model::policy::pattern::RefPattern;
    use crate::model::policy::{Gate, QualityPolicy};

    fn explained() -> ExplainedPolicy {
        let mut levels = Levels::built_in();
        levels.findings = FindingsLevel::Verified;
        let base = Policy {
            gates: vec![Gate {
                refs: vec![RefPattern::new("refs/heads/*").unwrap()],
                levels,
            }],
            quality: QualityPolicy {
                max_score_drop: 2,
                ..QualityPolicy::default()
            },
            ..Policy::default()
        };
        let head = Policy::default();
        let policies = Policies {
            base: &base,
            base_tip: None,
            head: Some(&head),
        };
        ExplainedPolicy {
            ref_name: "refs/heads/main".to_owned(),
            sources: [PolicySide::Base, PolicySide::Head]
                .map(|side| PolicySource {
                    side,
                    commit: None,
                    blob: None,
                })
                .into(),
            gate: policies.effective(b"refs/heads/main"),
            base: base.clone(),
        }
    }

    #[test]
    fn says_where_each_value_came_from() {
        let text = human(&explained());
        for expected in [
            "[[gate]]  # base: gate 1; head: the built-in gate\n",
            "  findings =             \"verified\"  # base\n",
            "  review =               \"if-present\"  # base, head\n",
            "  max_score_drop =       2  # base\n",
            "  timeout =              \"60s\"  # built in\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let value: Value = serde_json::from_str(&json(&explained())).unwrap();
        assert_eq!(value["gate"]["keys"][0]["from"], json!(["base"]));
    }
}
