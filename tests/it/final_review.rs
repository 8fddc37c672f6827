//! The pure half of the final review against its cases, and its laws.

use git_review_gate::model::delivery::{Origin, SourceSpec};
use git_review_gate::model::dimension::Dimension;
use git_review_gate::model::policy::DeliveryRule;
use serde::Deserialize;
use serde_json::Value;

mod allocation_cases;
mod gate_cases;
mod laws;
mod material;
mod packet_text;
mod reply_cases;
mod reply_laws;
mod situations;
mod standing;
mod standing_laws;
mod stored;
mod world;

fn cases(file: &str) -> Value {
    let path = format!("{}/tests/cases/final-review/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The list `name` of a case file, which is not empty.
fn list<'a>(cases: &'a Value, name: &str) -> &'a [Value] {
    let list = cases[name].as_array().unwrap();
    assert!(!list.is_empty());
    list
}

/// A text member that must be there.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// A source as the cases describe it.
fn spec(case: &Value) -> SourceSpec {
    let at = case["at"].as_str().map(str::to_owned);
    SourceSpec {
        key: text(case, "key").to_owned(),
        origin: match text(case, "key") {
            "pre-post-diff" => Origin::Baseline,
            "witnessed-runs" => Origin::EvidenceLog,
            "open-findings" => Origin::FindingsLedger,
            _ => Origin::Tree,
        },
        at,
        supports: Vec::<Dimension>::deserialize(&case["supports"]).unwrap(),
        rule: match text(case, "rule") {
            "whole" => DeliveryRule::Whole,
            "conclusion" => DeliveryRule::Conclusion {
                marker: case["marker"]
                    .as_str()
                    .unwrap_or(match text(case, "key") {
                        "pre-post-diff" => "VERDICT: ",
                        _ => "RESULT: ",
                    })
                    .to_owned(),
            },
            other => panic!("{other}"),
        },
    }
}
