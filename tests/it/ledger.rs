//! The pure half of the ledger against its cases, and its laws.

use git_review_gate::ledger::codec;
use git_review_gate::model::event::{Body, Event, EventDraft, Person, Subject};
use git_review_gate::model::ids::{CommitId, EventId};
use serde_json::Value;

mod codec_cases;
mod finding_cases;
mod fold_cases;
mod fold_laws;
mod note_cases;

fn cases(file: &str) -> Value {
    let path = format!("{}/tests/cases/ledger/{file}", env!("CARGO_MANIFEST_DIR"));
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

fn commit() -> CommitId {
    "3f2a91c04b7d5e6f8091a2b3c4d5e6f708192a3b".parse().unwrap()
}

/// An event by Alice about one and the same commit.
fn event(at: &str, after: Vec<EventId>, body: impl Into<Body>) -> Event {
    let draft = EventDraft {
        after,
        at: at.to_owned(),
        by: Person {
            email: "alice@example.org".to_owned(),
            name: "Alice".to_owned(),
        },
        subject: Subject {
            base: commit(),
            change: None,
            commit: commit(),
            tree: "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d00aa11bb".parse().unwrap(),
        },
        body: body.into(),
    };
    codec::encode(&draft).unwrap()
}
