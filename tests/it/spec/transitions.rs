//! The state machine: every case comes out as it must, and a refused event changes nothing.

use git_review_gate::model::spec::Sidecar;
use git_review_gate::spec::machine::{apply, read_event};
use serde_json::{Map, Value, json};

use crate::support::json_fixture;

/// The parts of a state that a case may name.
fn part(state: &Sidecar, name: &str) -> Value {
    let x = state.x_review_gate.as_ref().unwrap();
    match name {
        "phase" => json!(x.phase),
        "pending" => json!(x.pending),
        "owed" => json!(x.owed),
        "stale" => x.stale.iter().map(|stale| json!(stale.sr_id)).collect(),
        "rounds" => (state.rounds.iter())
            .map(|round| -> Value {
                (round.findings.iter())
                    .map(|row| (row.sr_id.to_string(), json!(row.outcome)))
                    .collect::<Map<_, _>>()
                    .into()
            })
            .collect(),
        "registry" => (state.registry.iter())
            .map(|entry| (entry.sr_id.to_string(), json!(entry)))
            .collect::<Map<_, _>>()
            .into(),
        _ => json!(state)[name].clone(),
    }
}

/// Whether all that is said of a value holds; entries are named in part.
fn holds(said: &Value, found: &Value, name: &str) -> bool {
    match (name, said, found) {
        ("registry", Value::Object(said), Value::Object(found)) => {
            said.len() == found.len()
                && said.iter().all(|(id, entry)| {
                    let fields = entry.as_object().unwrap();
                    fields
                        .iter()
                        .all(|(field, value)| found.get(id).is_some_and(|entry| entry[field] == *value))
                })
        }
        _ => said == found,
    }
}

#[test]
fn every_case_comes_out_as_it_must() {
    let cases = json_fixture("cases/spec-review/transitions.json");
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 51);
    let mut faults = Vec::new();
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let events = case["events"].as_array().unwrap();
        let mut state: Option<Sidecar> = None;
        let mut refused = Value::Null;
        for (at, event) in events.iter().enumerate() {
            match read_event(event.clone()).and_then(|event| apply(state.as_ref(), &event)) {
                Ok(next) => {
                    // The file holds the whole state.
                    let read = Sidecar::read(next.to_text().as_bytes()).unwrap();
                    assert_eq!(read, next, "{name}");
                    state = Some(read);
                }
                Err(code) if at + 1 == events.len() => refused = json!(code),
                Err(code) => faults.push(format!("{name}: event {at}: {code}")),
            }
        }
        for (key, said) in case["expect"].as_object().unwrap() {
            let found = match key.as_str() {
                "error" => refused.clone(),
                key => state.as_ref().map_or(Value::Null, |state| part(state, key)),
            };
            if !holds(said, &found, key) {
                faults.push(format!("{name}: {key}: said {said}, found {found}"));
            }
        }
        if case["expect"].get("error").is_none() && !refused.is_null() {
            faults.push(format!("{name}: refused: {refused}"));
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}
