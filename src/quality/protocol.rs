//! The protocol file of a baseline: which versioned runs it rests on. Strict: nothing left out, nothing unknown.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::input::members::HEAD;
use super::table::{self, Faults, Member, Shape, must};
use crate::model::canonical;

/// How a run ended.
pub const OUTCOMES: [&str; 6] = [
    "APPROVED",
    "CHANGES_REQUESTED",
    "BLOCKED",
    "SKIPPED",
    "MERGED",
    "CANCELLED",
];

const OUTCOME: Shape = Shape::Word(&OUTCOMES);
const COUNT_OR_NULL: Shape = Shape::OrNull(&Shape::Count);
const TIME_OR_NULL: Shape = Shape::OrNull(&Shape::Number);

const TOKENS: Shape = Shape::Object(&[
    must("input", COUNT_OR_NULL),
    must("cachedInput", COUNT_OR_NULL),
    must("output", COUNT_OR_NULL),
    must("reasoning", COUNT_OR_NULL),
    must("memory", COUNT_OR_NULL),
    must("retry", COUNT_OR_NULL),
    must("total", COUNT_OR_NULL),
]);

const DURATION: Shape = Shape::Object(&[
    must("wallClockMs", Shape::Number),
    must("preflightMs", TIME_OR_NULL),
    must("providerMs", TIME_OR_NULL),
    must("verificationMs", TIME_OR_NULL),
    must("publishingMs", TIME_OR_NULL),
    must("mergeMs", TIME_OR_NULL),
]);

const ORIGIN_REAL: Shape = Shape::Word(&["real"]);

const SYNTHETIC_RUN: Shape = Shape::Object(&[
    must("runId", Shape::Text),
    must("fixtureId", Shape::Text),
    must(
        "evidence",
        Shape::Object(&[
            must("origin", Shape::Word(&["synthetic"])),
            must("fixtureId", Shape::Text),
            must("fingerprint", Shape::LowerHex(64)),
        ]),
    ),
    must("outcome", OUTCOME),
    must("tokens", TOKENS),
    must("duration", DURATION),
]);

const REAL_RUN: Shape = Shape::Object(&[
    must("runId", Shape::Text),
    must("repository", Shape::OwnerName),
    must("pullNumber", Shape::Positive),
    must("headSha", HEAD),
    must(
        "evidence",
        Shape::Object(&[
            must("origin", ORIGIN_REAL),
            must("repository", Shape::OwnerName),
            must("pullNumber", Shape::Positive),
            must("headSha", HEAD),
        ]),
    ),
    must("outcome", OUTCOME),
    must("tokens", TOKENS),
    must("duration", DURATION),
]);

const REAL_CAMPAIGN: Shape = Shape::Object(&[
    must("campaignId", Shape::Text),
    must("discovered", Shape::Count),
    must("terminal", Shape::Count),
    must("completed", Shape::Count),
    must("blocked", Shape::Count),
    must(
        "evidence",
        Shape::Object(&[must("origin", ORIGIN_REAL), must("campaignId", Shape::Text)]),
    ),
    must("tokens", TOKENS),
    must("duration", DURATION),
]);

/// The members of a protocol file.
pub const PROTOCOL: &[Member] = &[
    must("schemaVersion", Shape::Version(2)),
    must("baselineId", Shape::LowerHex(64)),
    must(
        "identity",
        Shape::Object(&[
            must("libraryVersion", Shape::Text),
            must("sourceRevision", Shape::Text),
            must("model", Shape::Text),
            must("policyFingerprint", Shape::LowerHex(64)),
            must("promptFingerprint", Shape::LowerHex(64)),
        ]),
    ),
    must("syntheticRuns", Shape::List(&SYNTHETIC_RUN)),
    must("realRuns", Shape::List(&REAL_RUN)),
    must("realCampaigns", Shape::List(&REAL_CAMPAIGN)),
];

/// Reads a protocol file; it comes back as it is.
pub fn read(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let node = table::parse(bytes, "protocol")?;
    let mut faults = Faults::default();
    let raw = table::check_root(&node, PROTOCOL, "protocol", &mut faults);
    // Members whose types are wrong are not compared.
    if faults.wrong.is_empty() {
        relate(&raw, &mut faults.wrong);
    }
    faults.refuse_unknown();
    if faults.wrong.is_empty() {
        Ok(raw)
    } else {
        Err(faults.sentence())
    }
}

/// The id of a baseline: the SHA-256 of the canonical JSON of its identity.
pub fn id_of(identity: &Value) -> String {
    let text = canonical::to_text(identity).expect("texts only");
    canonical::digest_of(&[text.as_bytes()]).to_hex()
}

fn relate(raw: &Map<String, Value>, wrong: &mut Vec<String>) {
    if raw["baselineId"] != json!(id_of(&raw["identity"])) {
        wrong.push("baselineId must be the SHA-256 of the canonical JSON of identity".to_owned());
    }
    let mut ids = BTreeSet::new();
    for (list, same, id) in [
        ("syntheticRuns", &["fixtureId"][..], "runId"),
        ("realRuns", &["repository", "pullNumber", "headSha"], "runId"),
        ("realCampaigns", &["campaignId"], "campaignId"),
    ] {
        for (index, run) in raw[list].as_array().into_iter().flatten().enumerate() {
            let at = format!("{list}[{index}]");
            for key in same {
                if run[key] != run["evidence"][key] {
                    wrong.push(format!("{at}.{key} must be that of {at}.evidence"));
                }
            }
            if !ids.insert((id, run[id].as_str().unwrap_or_default())) {
                wrong.push(format!("{at}.{id} is there twice"));
            }
            if list == "realCampaigns" {
                let count = |key: &str| run[key].as_u64().unwrap_or_default();
                if count("terminal") > count("discovered") {
                    wrong.push(format!("{at}.terminal must not exceed {at}.discovered"));
                }
                if count("completed") + count("blocked") > count("terminal") {
                    wrong.push(format!(
                        "{at}.completed plus {at}.blocked must not exceed {at}.terminal"
                    ));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_that_of_the_canonical_identity() {
        let identity = json!({
            "promptFingerprint": "2".repeat(64), "policyFingerprint": "1".repeat(64),
            "model": "model-x", "sourceRevision": "0f".repeat(20), "libraryVersion": "0.6.0",
        });
        assert_eq!(
            id_of(&identity),
            "4968c9f7edf13843dd1f754d1353ad7c2e32db8d98d6a9804da6f5e55f90c051"
        );
    }
}
