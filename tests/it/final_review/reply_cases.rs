//! Which replies are accepted, and why the others are not.

use git_review_gate::error::Error;
use git_review_gate::model::final_review::FinalReviewOutput;
use git_review_gate::review::reply::{self, Incomplete};
use serde_json::{Value, json};

use super::{cases, list, text};

#[test]
fn replies_are_accepted_or_refused_for_the_first_reason() {
    let file = cases("replies.json");
    for case in list(&file, "cases") {
        let id = text(case, "id");
        let expect = &case["expect"];
        match reply::parse(text(case, "reply").as_bytes(), text(case, "rid")) {
            Ok(reply) => {
                assert_eq!(expect["accepted"], json!(true), "{id}");
                assert_eq!(reply.dimensions.len(), 4, "{id}");
                assert!(reply.dimensions.is_sorted_by_key(|entry| entry.dimension), "{id}");
                // What is accepted is what the reply says.
                let read: FinalReviewOutput =
                    serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap();
                assert_eq!(read, reply, "{id}");
            }
            Err(incomplete) => refused(id, expect, incomplete),
        }
    }
}

fn refused(id: &str, expect: &Value, incomplete: Incomplete) {
    assert_eq!(expect["accepted"], json!(false), "{id}: {incomplete:?}");
    assert_eq!(expect["reason"], json!(incomplete.reason), "{id}");
    if let Some(at) = expect["at"].as_str() {
        assert_eq!(incomplete.faults[0].at, at, "{id}: {incomplete:?}");
    }
    if expect.get("names").is_some() {
        assert_eq!(expect["names"], json!(incomplete.names), "{id}");
    }
    if expect.get("got").is_some() {
        assert_eq!(expect["got"], json!(incomplete.got), "{id}");
    }
    let error = Error::from(incomplete);
    assert_eq!(error.kind, "IncompleteFinalReview", "{id}");
    assert!(!error.hints.is_empty(), "{id}");
}
