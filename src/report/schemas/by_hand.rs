//! Schemas of forms that are written key by key, in a given order, and so have no type to derive one from.

use serde_json::{Map, Value, json};

use crate::model::policy::levels::GateKey;

/// `review-gate/policy`
pub fn policy() -> Value {
    let keys: Vec<&str> = GateKey::ALL.iter().map(|key| key.as_str()).collect();
    let source = object(&[
        ("side", text()),
        ("commit", or_null(&text())),
        ("blob", or_null(&text())),
    ]);
    let key = object(&[("key", one_of(&keys)), ("value", text()), ("from", list(&text()))]);
    let gate = object(&[("name", text()), ("keys", list(&key))]);
    let entry = object(&[
        ("section", text()),
        ("key", text()),
        ("value", text()),
        ("from", text()),
    ]);
    form(
        "policy",
        &[
            ("ref", text()),
            ("sources", list(&source)),
            ("gate", or_null(&gate)),
            ("entries", list(&entry)),
        ],
    )
}

/// `review-gate/quality-records`
pub fn quality_records() -> Value {
    let record = object(&[
        ("event", text()),
        ("at", text()),
        ("by", object(&[("email", text()), ("name", text())])),
        ("counts", json!({"type": "boolean"})),
        ("decision", or_null(&one_of(&["PASS", "BLOCKED"]))),
        ("fault", or_null(&text())),
        ("report", text()),
    ]);
    form(
        "quality-records",
        &[("commit", text()), ("records", list(&record))],
    )
}

/// A whole form: `schema` and `version` besides these keys.
fn form(name: &str, keys: &[(&str, Value)]) -> Value {
    let mut all = vec![
        ("schema", json!({"const": format!("review-gate/{name}")})),
        ("version", json!({"const": 1})),
    ];
    all.extend(keys.iter().cloned());
    let mut schema = object(&all);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema
}

/// An object that has all of these keys; readers must ignore others.
fn object(keys: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    let properties: Map<String, Value> = keys
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

fn one_of(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

fn text() -> Value {
    json!({"type": "string"})
}
