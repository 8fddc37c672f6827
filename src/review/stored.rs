//! Reads a stored packet: what it says of itself is computed again, never believed.

use super::delivered::{self, Delivery};
use crate::error::{Error, Result};
use crate::model::delivery::{BaselineStatus, ManifestSource, SourceSpec, SourceStatus};
use crate::model::event::ReviewPacket;
use crate::model::policy::DeliveryRule;
use crate::model::text::sanitise;

/// What became of each source of a stored packet. `specs` are the sources that policy and goal describe, in list
/// order, and `total` is the budget.
///
/// Fails with `packet-mismatch` where the id is not that of the manifest, where the manifest does not list these
/// sources, or where what is said of delivery does not follow from it. Whether the sources still have these digests is
/// for the caller to see.
pub fn deliveries(packet: &ReviewPacket, specs: &[SourceSpec], total: u64) -> Result<Vec<Delivery>> {
    let id = packet.manifest.packet_id();
    if id != packet.packet {
        return Err(mismatch(format!(
            "its id is {}, that of its manifest is {id}",
            packet.packet
        )));
    }
    let sources = &packet.manifest.sources;
    if !sources
        .iter()
        .map(|source| &source.key)
        .eq(specs.iter().map(|spec| &spec.key))
    {
        return Err(mismatch("the policy and the goal of now describe other sources"));
    }
    let cap = total / 4;
    let deliveries: Vec<Delivery> = sources
        .iter()
        .zip(specs)
        .map(|(source, spec)| delivery(packet, source, spec, cap))
        .collect::<Result<_>>()?;
    let included: u64 = sources.iter().map(|source| source.included).sum();
    if included > total {
        return Err(mismatch(format!(
            "{included} bytes are included, the budget is {total}"
        )));
    }
    let known: usize = deliveries
        .iter()
        .filter(|source| source.conclusion.is_some())
        .count();
    if known != packet.conclusions.len() {
        return Err(mismatch("it names the conclusion of a source that is not in it"));
    }
    if delivered::delivered(&deliveries) != packet.delivered {
        return Err(mismatch(
            "what it calls delivered does not follow from its manifest",
        ));
    }
    if delivered::out_of_reach(&deliveries, cap) != packet.reachability {
        return Err(mismatch(
            "what it calls out of reach does not follow from its manifest",
        ));
    }
    let is_delivered = delivered::baseline_summary(&deliveries).is_some();
    let fits = match &packet.baseline_status {
        BaselineStatus::Computed => is_delivered && packet.manifest.baseline_digest.is_some(),
        BaselineStatus::NotDelivered => !is_delivered && packet.manifest.baseline_digest.is_some(),
        BaselineStatus::Unavailable { .. } => !is_delivered && packet.manifest.baseline_digest.is_none(),
    };
    if !fits {
        return Err(mismatch(
            "what it says of the baseline does not follow from its manifest",
        ));
    }
    Ok(deliveries)
}

fn delivery(packet: &ReviewPacket, source: &ManifestSource, spec: &SourceSpec, cap: u64) -> Result<Delivery> {
    let ManifestSource {
        included,
        total,
        status,
        ..
    } = *source;
    let fits = included <= cap
        && match status {
            SourceStatus::Found => included == total && total > 0,
            // The cut may step back from the cap, by less than one character.
            SourceStatus::Truncated => total > cap && included + 3 >= cap,
            SourceStatus::Omitted => included == 0 && total > 0,
            SourceStatus::Empty => included == 0,
            SourceStatus::Missing | SourceStatus::NotInTree | SourceStatus::Unreadable => {
                included == 0 && total == 0
            }
        };
    let conclusion = packet.conclusions.get(&source.key);
    let fits_conclusion = match (&spec.rule, conclusion) {
        (_, None) => true,
        (DeliveryRule::Whole, Some(_)) => false,
        (DeliveryRule::Conclusion { marker }, Some(line)) => {
            line.starts_with(marker.as_str()) && line.len() as u64 <= included && !line.contains('\n')
        }
    };
    let needs_digest = status.has_text() || status == SourceStatus::Empty;
    if !fits || !fits_conclusion || needs_digest != source.digest.is_some() {
        let key = sanitise(&source.key);
        return Err(mismatch(format!(
            "source {key}: {status}, {included} of {total} bytes"
        )));
    }
    Ok(Delivery {
        spec: spec.clone(),
        status,
        total,
        included,
        conclusion: conclusion.cloned(),
    })
}

fn mismatch(why: impl Into<String>) -> Error {
    Error::new(
        "packet-mismatch",
        "the packet is not one that was made from this commit",
    )
    .because(why)
    .hint("git review-gate review packet")
}
