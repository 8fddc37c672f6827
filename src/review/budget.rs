//! Which sources get into a packet: every question first gets one that can answer it, then the rest by list order.
//!
//! A source gets all that it may have or nothing: *truncated* only ever means over the cap, *omitted* only ever means
//! that it did not fit.

use std::collections::{BTreeMap, BTreeSet};

use super::delivered::{self, Delivery, prefix};
use crate::model::canonical;
use crate::model::delivery::{
    Content, ManifestSource, Omission, OmissionCode, Reservation, Source, SourceStatus, gate_of,
};
use crate::model::dimension::Dimension;
use crate::model::ids::Digest;
use crate::model::policy::DeliveryRule;

/// What all sources get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The budget in bytes.
    pub total: u64,
    /// What one source gets at most: a quarter.
    pub cap: u64,
    /// The bytes of the sources that hold a floor.
    pub reserved: u64,
    /// The source that holds the floor of each dimension that has one.
    pub holders: BTreeMap<Dimension, String>,
    /// Every source, in list order.
    pub sources: Vec<Allocated>,
}

/// What one source gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocated {
    /// What became of it.
    pub delivery: Delivery,
    /// The SHA-256 of its bytes, where there are any.
    pub digest: Option<Digest>,
    /// Why it is missing or unreadable, as it is shown.
    pub reason: Option<String>,
    /// Why it did not fit.
    pub omission: Option<Omission>,
    /// The dimensions whose floor it holds, in their order.
    pub floor: Vec<Dimension>,
}

impl Allocation {
    /// How many bytes are in the packet.
    pub fn included(&self) -> u64 {
        self.sources.iter().map(|source| source.delivery.included).sum()
    }

    /// What became of each source.
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.sources
            .iter()
            .map(|source| source.delivery.clone())
            .collect()
    }

    /// The sources as a manifest lists them.
    pub fn manifest_sources(&self) -> Vec<ManifestSource> {
        let of = |source: &Allocated| ManifestSource {
            digest: source.digest,
            included: source.delivery.included,
            key: source.delivery.spec.key.clone(),
            status: source.delivery.status,
            total: source.delivery.total,
        };
        self.sources.iter().map(of).collect()
    }
}

/// What serving needs to know of one source.
struct Claim<'a> {
    source: &'a Source,
    text: Option<&'a str>,
    /// The bytes that it gets if it gets any.
    unit: usize,
    /// Whether it would be delivered with them.
    can: bool,
    floor: Vec<Dimension>,
}

/// Shares `total` bytes out among the sources, given in list order.
pub fn allocate(sources: &[Source], total: u64) -> Allocation {
    let cap = total / 4;
    let mut claims: Vec<Claim<'_>> = sources.iter().map(|source| claim(source, cap)).collect();
    let holders = hold_floors(&mut claims);
    let reserved: u64 = claims
        .iter()
        .filter(|claim| !claim.floor.is_empty())
        .map(|claim| claim.unit as u64)
        .sum();

    let mut left = total;
    let mut included = vec![0_usize; claims.len()];
    let mut omissions: BTreeMap<usize, Omission> = BTreeMap::new();
    // Floor holders, then others that can be delivered, then those that a reader can at least look at.
    let step = |claim: &Claim<'_>| match (claim.floor.is_empty(), claim.can) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    for wanted in 0..3 {
        for (at, claim) in claims.iter().enumerate() {
            if claim.text.is_none() || step(claim) != wanted {
                continue;
            }
            let needed = claim.unit as u64;
            if needed <= left {
                included[at] = claim.unit;
                left -= needed;
            } else {
                omissions.insert(at, omission(needed, left, &claims[at + 1..]));
            }
        }
    }
    let allocated = claims.iter().enumerate().map(|(at, claim)| {
        let omission = omissions.remove(&at);
        allocated(claim, included[at], omission)
    });
    Allocation {
        total,
        cap,
        reserved,
        holders,
        sources: allocated.collect(),
    }
}

fn claim(source: &Source, cap: u64) -> Claim<'_> {
    let text = match &source.content {
        Content::Text(text) => Some(text.as_str()),
        Content::Missing(_) | Content::NotInTree | Content::Empty(_) | Content::Unreadable(_) => None,
    };
    let limit = usize::try_from(cap).unwrap_or(usize::MAX);
    let unit = text.map_or(0, |text| prefix(text, limit).len());
    let can = text.is_some_and(|text| match &source.spec.rule {
        DeliveryRule::Whole => unit == text.len(),
        DeliveryRule::Conclusion { marker } => delivered::marker_line(text, marker, unit).is_some(),
    });
    Claim {
        source,
        text,
        unit,
        can,
        floor: Vec::new(),
    }
}

/// Gives each dimension the source that answers it first, if there is one.
fn hold_floors(claims: &mut [Claim<'_>]) -> BTreeMap<Dimension, String> {
    let mut holders = BTreeMap::new();
    for dimension in Dimension::ALL {
        // A gate asks for its source by name: that one holds the floor also when it is over the cap.
        let gate_source = claims
            .iter()
            .position(|claim| claim.text.is_some() && gate_of(&claim.source.spec.key) == Some(*dimension));
        let holder = gate_source.or_else(|| {
            claims
                .iter()
                .position(|claim| claim.can && claim.source.spec.supports.contains(dimension))
        });
        if let Some(at) = holder {
            claims[at].floor.push(*dimension);
            holders.insert(*dimension, claims[at].source.spec.key.clone());
        }
    }
    holders
}

/// Why a source does not fit. `behind` are those that stand after it in the list.
fn omission(needed: u64, left: u64, behind: &[Claim<'_>]) -> Omission {
    let holding: Vec<&Claim<'_>> = behind.iter().filter(|claim| !claim.floor.is_empty()).collect();
    let reserved: u64 = holding.iter().map(|claim| claim.unit as u64).sum();
    if left + reserved < needed {
        return Omission {
            needed,
            left,
            code: OmissionCode::Exhausted,
            reserved: 0,
            reserved_for: Vec::new(),
        };
    }
    let reserved_for = holding.iter().map(|claim| Reservation {
        key: claim.source.spec.key.clone(),
        dimensions: claim.floor.clone(),
    });
    Omission {
        needed,
        left,
        code: OmissionCode::Reserved,
        reserved,
        reserved_for: reserved_for.collect(),
    }
}

fn allocated(claim: &Claim<'_>, included: usize, omission: Option<Omission>) -> Allocated {
    let (status, bytes, reason): (_, Option<&[u8]>, _) = match &claim.source.content {
        Content::Text(text) => {
            let status = match included {
                0 => SourceStatus::Omitted,
                all if all == text.len() => SourceStatus::Found,
                _ => SourceStatus::Truncated,
            };
            (status, Some(text.as_bytes()), None)
        }
        Content::Missing(reason) => (SourceStatus::Missing, None, Some(reason.clone())),
        Content::NotInTree => (SourceStatus::NotInTree, None, None),
        Content::Empty(bytes) => (SourceStatus::Empty, Some(bytes), None),
        Content::Unreadable(reason) => (SourceStatus::Unreadable, None, Some(reason.clone())),
    };
    let conclusion = match (&claim.source.spec.rule, claim.text) {
        (DeliveryRule::Conclusion { marker }, Some(text)) => delivered::marker_line(text, marker, included),
        _ => None,
    };
    Allocated {
        delivery: Delivery {
            spec: claim.source.spec.clone(),
            status,
            total: bytes.map_or(0, |bytes| bytes.len() as u64),
            included: included as u64,
            conclusion: conclusion.map(str::to_owned),
        },
        digest: bytes.map(|bytes| canonical::digest_of(&[bytes])),
        reason,
        omission,
        floor: claim.floor.clone(),
    }
}

/// The keys that stand in the list more than once; a packet with one is refused.
pub fn repeated_keys(sources: &[Source]) -> BTreeSet<&str> {
    let mut seen = BTreeSet::new();
    sources
        .iter()
        .map(|source| source.spec.key.as_str())
        .filter(|key| !seen.insert(*key))
        .collect()
}
