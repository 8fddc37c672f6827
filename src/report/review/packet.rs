//! Packets for programs; people read the text of the packet itself.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::delivery::{Conclusions, DeliveredKeys, Manifest};
use crate::model::outcome::review::Assembled;

/// `review packet`
#[derive(Debug, Serialize, JsonSchema)]
pub struct PacketJson<'a> {
    schema: &'static str,
    version: u32,
    /// Its id: the SHA-256 of the canonical JSON of the manifest.
    packet: String,
    /// What it is made of.
    #[schemars(with = "serde_json::Value")]
    manifest: &'a Manifest,
    /// The keys of the sources that are delivered, for each dimension.
    #[schemars(with = "std::collections::BTreeMap<String, Vec<String>>")]
    delivered: &'a DeliveredKeys,
    /// The conclusions that are in it, by the key of their source.
    conclusions: &'a Conclusions,
    /// The dimensions for which nothing can be delivered.
    reachability: Vec<OutOfReachJson<'a>>,
    /// What there is of a structural baseline.
    baseline_status: String,
    /// What the reviewer reads.
    prompt: &'a str,
}

/// A dimension for which nothing can be delivered.
#[derive(Debug, Serialize, JsonSchema)]
struct OutOfReachJson<'a> {
    /// The dimension.
    dimension: &'static str,
    /// Its sources with text, all over the cap.
    sources: Vec<OverCapJson<'a>>,
}

/// A source that is over the cap.
#[derive(Debug, Serialize, JsonSchema)]
struct OverCapJson<'a> {
    /// Its key.
    key: &'a str,
    /// Its size in bytes.
    total: u64,
}

/// As JSON.
pub fn json(assembled: &Assembled) -> String {
    let body = &assembled.body;
    let reachability = body.reachability.iter().map(|entry| OutOfReachJson {
        dimension: entry.dimension.as_str(),
        sources: entry
            .sources
            .iter()
            .map(|source| OverCapJson {
                key: &source.key,
                total: source.total,
            })
            .collect(),
    });
    let object = PacketJson {
        schema: "review-gate/review-packet",
        version: 1,
        packet: body.packet.to_hex(),
        manifest: &body.manifest,
        delivered: &body.delivered,
        conclusions: &body.conclusions,
        reachability: reachability.collect(),
        baseline_status: body.baseline_status.to_string(),
        prompt: &assembled.prompt,
    };
    let mut text = serde_json::to_string_pretty(&object).expect("structs of texts serialise");
    text.push('\n');
    text
}
