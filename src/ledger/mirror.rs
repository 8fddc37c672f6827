//! A review's events as a tracked file: readable on any forge, there in a plain clone without notes.
//!
//! A mirror is a copy: what it holds is checked by the ids of its events, and only ever united with the notes.

use serde_json::{Value, json};

use super::codec::{self, Line};
use crate::error::{Error, Result};
use crate::model::canonical;
use crate::model::event::{Body, Event, OriginPassed};
use crate::model::ids::CommitId;
use crate::model::review::ReviewId;

/// What the file says it is.
const SCHEMA: &str = "review-gate/mirror";

/// The version that is written and understood.
const VERSION: u64 = 1;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// A mirror that was read: every event in it has its right id.
#[derive(Debug, Clone, PartialEq)]
pub struct Mirror {
    /// The review.
    pub review: ReviewId,
    /// Its events, sorted by id, each once.
    pub events: Vec<Event>,
}

/// Whether a mirror takes events of this kind: findings, reviews and rulings, but no evidence and no rewrites.
pub fn holds(event: &Event) -> bool {
    let kind = event.kind();
    kind.starts_with("finding.") || kind.starts_with("review.") || kind == OriginPassed::KIND
}

/// Where the note stands that holds such an event: on the merge-base for what opens or amends a review,
/// else on the commit that it speaks of.
pub fn anchor(event: &Event) -> CommitId {
    match &event.body {
        Body::ReviewOpened(body) => body.anchor,
        Body::ReviewAmended(_) => event.subject.base,
        _ => event.subject.commit,
    }
}

/// The text of the mirror of `review`: one event a line, sorted by id. Takes only what a mirror [`holds`].
pub fn encode<'a>(review: &ReviewId, events: impl IntoIterator<Item = &'a Event>) -> String {
    let mut events: Vec<&Event> = events.into_iter().filter(|event| holds(event)).collect();
    events.sort_unstable_by_key(|event| event.id);
    events.dedup_by_key(|event| event.id);
    let lines: Vec<&str> = events.iter().map(|event| &*event.line).collect();
    let list = if lines.is_empty() {
        "[]".to_owned()
    } else {
        format!("[\n{}\n]", lines.join(",\n"))
    };
    let (schema, review) = (json!(SCHEMA), json!(review));
    format!("{{\"schema\": {schema}, \"version\": {VERSION}, \"review\": {review}, \"events\": {list}}}\n")
}

/// Reads a mirror. How the file is laid out does not matter; an event that is not what its id says is an error.
pub fn decode(text: &[u8]) -> Result<Mirror> {
    let invalid =
        |message: String| Error::new("mirror-invalid", message).hint("git review-gate finding export");
    if text.len() > MAX_BYTES {
        return Err(invalid(format!(
            "the mirror has {} bytes, at most {MAX_BYTES} are read",
            text.len()
        )));
    }
    let file: Value = serde_json::from_slice(text)
        .map_err(|error| invalid("the mirror is not JSON".to_owned()).caused_by(&error))?;
    if file["schema"] != SCHEMA {
        return Err(invalid(format!("not a mirror: its schema is not \"{SCHEMA}\"")));
    }
    if file["version"] != VERSION {
        return Err(
            invalid(format!("the version of the mirror is not {VERSION}")).hint("upgrade git-review-gate")
        );
    }
    let review = file["review"]
        .as_str()
        .ok_or_else(|| invalid("the mirror names no review".to_owned()))?;
    let given = file["events"]
        .as_array()
        .ok_or_else(|| invalid("the mirror has no list of events".to_owned()))?;
    let mut events = Vec::with_capacity(given.len());
    for (event, number) in given.iter().zip(1..) {
        let fault = |error: &(dyn std::error::Error + 'static)| {
            invalid(format!("event {number} of the mirror is corrupt")).caused_by(error)
        };
        let line = canonical::to_text(event).map_err(|error| fault(&error))?;
        match codec::decode(line.as_bytes()).map_err(|corrupt| fault(&corrupt))? {
            Line::Event(event) if holds(&event) => events.push(event),
            Line::Event(event) => {
                return Err(
                    invalid(format!("event {number} of the mirror is no event of a review"))
                        .because(crate::model::text::sanitise(event.kind())),
                );
            }
            Line::Newer { v, .. } => {
                return Err(invalid(format!("event {number} of the mirror has version {v}"))
                    .hint("upgrade git-review-gate"));
            }
        }
    }
    events.sort_unstable_by_key(|event| event.id);
    events.dedup_by_key(|event| event.id);
    Ok(Mirror {
        review: ReviewId(review.to_owned()),
        events,
    })
}
