//! Assembles a packet: what it is made of, what is delivered in it, and the text that the reviewer reads.

use super::budget::{self, Allocation};
use super::delivered;
use super::goal;
use super::packet_text::{self, Prompt};
use crate::error::{Error, Result};
use crate::model::delivery::{
    BaselineStatus, Conclusions, DeliveredKeys, Manifest, OutOfReach, SCOPE_CONTRACT, Source,
};
use crate::model::event::ReviewPacket;
use crate::model::goal::Goal;
use crate::model::ids::{CommitId, Digest, EventId, TreeId};
use crate::model::policy::EvidencePolicy;
use crate::model::range::Unavailable;
use crate::model::review::ReviewId;
use crate::model::text::sanitise;

/// What a packet is made of. Equal values give equal bytes.
#[derive(Debug, Clone)]
pub struct Material<'a> {
    /// The review.
    pub review: &'a ReviewId,
    /// Its goal after all amendments.
    pub goal: &'a Goal,
    /// The digest of the contract when the review was opened, where it was there.
    pub contract_then: Option<Digest>,
    /// The merge-base; the head itself where there is none.
    pub base: CommitId,
    /// The commit under review.
    pub head: CommitId,
    /// Its tree.
    pub head_tree: TreeId,
    /// The digest of the base's policy file, that of no bytes where there is none.
    pub policy_digest: Digest,
    /// `[evidence]` of the base's policy.
    pub evidence: &'a EvidencePolicy,
    /// The digest of the baseline that the source `pre-post-diff` holds, or why there is none.
    pub baseline: std::result::Result<Digest, &'a Unavailable>,
    /// The newest finding and evidence events of the view, in any order.
    pub ledger_tips: &'a [EventId],
    /// The sources, in list order.
    pub sources: &'a [Source],
}

/// A packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// Its id.
    pub id: Digest,
    /// What it is made of.
    pub manifest: Manifest,
    /// What each source got.
    pub allocation: Allocation,
    /// Which sources are delivered for what.
    pub delivered: DeliveredKeys,
    /// The conclusions that are in it.
    pub conclusions: Conclusions,
    /// The dimensions that nothing can be delivered for.
    pub reachability: Vec<OutOfReach>,
    /// What there is of a baseline.
    pub baseline_status: BaselineStatus,
    /// What the reviewer reads.
    pub prompt: String,
}

impl Packet {
    /// What is stored of it.
    pub fn body(&self, review: &ReviewId) -> ReviewPacket {
        ReviewPacket {
            baseline_status: self.baseline_status.clone(),
            conclusions: self.conclusions.clone(),
            delivered: self.delivered.clone(),
            manifest: self.manifest.clone(),
            packet: self.id,
            reachability: self.reachability.clone(),
            review: review.clone(),
        }
    }
}

/// Assembles the packet.
pub fn assemble(material: &Material<'_>) -> Result<Packet> {
    if !material.review.is_path_safe() {
        return Err(Error::new(
            "no-review",
            format!(
                "the id of review {:?} is not one that was made here",
                sanitise(material.review.as_str())
            ),
        )
        .hint("git review-gate review start --replace"));
    }
    if let Some(key) = budget::repeated_keys(material.sources).first() {
        return Err(
            Error::new("policy", format!("two sources are called {}", sanitise(key)))
                .hint("git review-gate explain policy"),
        );
    }
    let allocation = budget::allocate(material.sources, u64::from(material.evidence.total_bytes));
    let deliveries = allocation.deliveries();
    let summary = delivered::baseline_summary(&deliveries);
    let baseline_status = match (material.baseline, summary) {
        (Err(reason), _) => BaselineStatus::Unavailable {
            code: reason.code.to_string(),
            sentence: sanitise(&reason.message),
        },
        (Ok(_), Some(_)) => BaselineStatus::Computed,
        (Ok(_), None) => BaselineStatus::NotDelivered,
    };
    let mut ledger_tips = material.ledger_tips.to_vec();
    ledger_tips.sort_unstable();
    ledger_tips.dedup();
    let manifest = Manifest {
        base: material.base,
        head: material.head,
        head_tree: material.head_tree,
        goal_digest: goal::digest(material.review, material.goal),
        policy_digest: material.policy_digest,
        baseline_digest: material.baseline.ok(),
        ledger_tips,
        sources: allocation.manifest_sources(),
    };
    let reachability = delivered::out_of_reach(&deliveries, allocation.cap);
    let id = manifest.packet_id();
    let prompt = packet_text::write(&Prompt {
        material,
        id,
        allocation: &allocation,
        reachability: &reachability,
        baseline: (&baseline_status, summary),
        contract: contract_change(material, &allocation),
    });
    Ok(Packet {
        id,
        delivered: delivered::delivered(&deliveries),
        conclusions: delivered::conclusions(&deliveries),
        manifest,
        allocation,
        reachability,
        baseline_status,
        prompt,
    })
}

/// Whether the contract is still what it was when the review was opened.
fn contract_change(material: &Material<'_>, allocation: &Allocation) -> &'static str {
    if material.goal.contract.is_none() {
        return "none";
    }
    let source = allocation
        .sources
        .iter()
        .find(|source| source.delivery.spec.key == SCOPE_CONTRACT);
    if source.and_then(|source| source.digest) == material.contract_then {
        "unchanged since the review was opened"
    } else {
        "changed since the review was opened"
    }
}
