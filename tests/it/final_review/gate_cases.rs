//! What the gates make of a reply, from what was delivered with its packet.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::model::delivery::BaselineStatus;
use git_review_gate::model::final_review::Gate;
use git_review_gate::model::goal::Criterion;
use git_review_gate::model::policy::EvidencePolicy;
use git_review_gate::model::witness::ProofResult;
use git_review_gate::review::delivered::{self, Delivery};
use git_review_gate::review::gates::artifact::{self, Known};
use git_review_gate::review::gates::{self, Judged};
use git_review_gate::review::reply;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{cases, list, spec, text};

fn texts(value: &Value) -> Vec<String> {
    Vec::deserialize(value).unwrap()
}

fn deliveries(case: &Value) -> Vec<Delivery> {
    list(case, "sources")
        .iter()
        .map(|source| Delivery {
            spec: spec(source),
            status: Deserialize::deserialize(&source["status"]).unwrap(),
            total: source["total"].as_u64().unwrap(),
            included: source["included"].as_u64().unwrap(),
            conclusion: source["conclusion"].as_str().map(str::to_owned),
        })
        .collect()
}

fn baseline(case: &Value, sources: &[Delivery]) -> BaselineStatus {
    let baseline = &case["baseline"];
    match text(baseline, "state") {
        "computed" if delivered::baseline_summary(sources).is_some() => BaselineStatus::Computed,
        "computed" => BaselineStatus::NotDelivered,
        "unavailable" => BaselineStatus::Unavailable {
            code: text(baseline, "code").to_owned(),
            sentence: text(baseline, "sentence").to_owned(),
        },
        other => panic!("{other}"),
    }
}

/// Those of the asked paths that are files or folders of the tree.
fn in_tree(asked: BTreeSet<String>, files: &[String]) -> BTreeSet<String> {
    let is_there = |path: &String| {
        let folder = format!("{path}/");
        files.iter().any(|file| file == path || file.starts_with(&folder))
    };
    asked.into_iter().filter(is_there).collect()
}

pub(super) fn judge(case: &Value) -> Judged {
    let raw = case["reply"].to_string();
    let reply = reply::parse(raw.as_bytes(), text(&case["goal"], "rid")).unwrap();
    let criteria: Vec<Criterion> = texts(&case["goal"]["criteria"])
        .into_iter()
        .map(|id| Criterion {
            id,
            text: "must hold".to_owned(),
        })
        .collect();
    let evidence = EvidencePolicy {
        total_bytes: u32::try_from(case["total"].as_u64().unwrap()).unwrap(),
        coverage: text(&case["policy"], "coverage").parse().unwrap(),
        proof: text(&case["policy"], "proof").parse().unwrap(),
        ..EvidencePolicy::default()
    };
    let sources = deliveries(case);
    let known = &case["known"];
    gates::judge(&gates::Case {
        reply: &reply,
        criteria: &criteria,
        evidence: &evidence,
        sources: &sources,
        baseline: &baseline(case, &sources),
        baseline_name: case["baseline"]["name"].as_str(),
        known: &Known {
            tree: in_tree(artifact::asked(&reply), &texts(&known["tree"])),
            artifacts: texts(&known["artifacts"]).into_iter().collect(),
            evidence: texts(&known["evidence"]).into_iter().collect(),
        },
        proof: Option::<ProofResult>::deserialize(&case["recorded_proof"]).unwrap(),
        red: &BTreeMap::new(),
    })
}

#[test]
fn the_gates_come_to_what_the_cases_say() {
    let file = cases("gates.json");
    for case in list(&file, "cases") {
        let id = text(case, "id");
        let judged = judge(case);
        let expect = &case["expect"];
        assert_eq!(expect["allPass"], json!(judged.result.all_pass), "{id}");
        assert_eq!(
            expect["needsAttention"],
            json!(judged.result.needs_attention),
            "{id}"
        );
        assert_eq!(expect["baseline_attached"], json!(judged.result.attached), "{id}");
        assert_eq!(expect["exit"], json!(i32::from(!judged.result.all_pass)), "{id}");
        for entry in &judged.output.dimensions {
            let expected = &expect["dimensions"][entry.dimension.as_str()];
            assert_eq!(
                expected["verdict"],
                json!(entry.verdict),
                "{id} {}",
                entry.dimension
            );
            assert_eq!(
                expected["confidence"],
                json!(entry.confidence),
                "{id} {}",
                entry.dimension
            );
            let markers = judged
                .markers
                .iter()
                .filter(|one| one.dimension == entry.dimension);
            let seen: Vec<Value> = markers
                .clone()
                .map(|marker| json!({"marker": marker.marker, "effect": marker.effect}))
                .collect();
            assert_eq!(expected["markers"], json!(seen), "{id} {}", entry.dimension);
            for marker in markers {
                assert!(
                    entry
                        .summary
                        .contains(&format!(" [{}: {}]", marker.marker, marker.text)),
                    "{id}"
                );
                for (gate, prefix, name) in [
                    (Gate::ContractEvidence, "missing: ", "missing"),
                    (Gate::Artifact, "not found: ", "unknown"),
                ] {
                    if marker.marker == gate {
                        let expected = format!("{prefix}{}", texts(&expected[name]).join(", "));
                        assert_eq!(marker.text, expected, "{id}");
                    }
                }
            }
        }
    }
}
