//! What `adopt` recorded, for people and as JSON.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::ids::CommitId;
use crate::model::outcome::adopt::Adopted;

/// One line a pair.
pub fn human(adopted: &Adopted) -> String {
    let mut text = String::new();
    for (verb, pairs) in [
        ("Recorded", &adopted.recorded),
        ("Recorded already", &adopted.known),
    ] {
        for (old, new) in pairs {
            let _ = writeln!(text, "{verb}: {} became {}.", old.short(), new.short());
        }
    }
    text
}

/// As one object.
pub fn json(adopted: &Adopted) -> String {
    let pair = |is_new: bool| {
        move |(old, new): &(CommitId, CommitId)| AdoptPair {
            old: old.to_string(),
            new: new.to_string(),
            is_new,
        }
    };
    let mut pairs: Vec<AdoptPair> = adopted.recorded.iter().map(pair(true)).collect();
    pairs.extend(adopted.known.iter().map(pair(false)));
    pairs.sort_by(|a, b| (&a.new, &a.old).cmp(&(&b.new, &b.old)));
    let object = AdoptJson {
        schema: "review-gate/adopt",
        version: 1,
        pairs,
    };
    let value = serde_json::to_value(object).expect("structs of texts serialise");
    format!("{value:#}\n")
}

/// What `adopt` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdoptJson {
    schema: &'static str,
    version: u32,
    /// Sorted by the new commit, then the old one.
    pairs: Vec<AdoptPair>,
}

/// One commit that stands for another.
#[derive(Debug, Serialize, JsonSchema)]
struct AdoptPair {
    /// The commit before the rewrite.
    old: String,
    /// The commit that stands for it.
    new: String,
    /// Whether it was recorded just now.
    is_new: bool,
}
