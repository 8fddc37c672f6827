//! What a reviewer is given to read: sources, what became of each, and the manifest that names a packet.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::canonical;
use super::dimension::Dimension;
use super::ids::{CommitId, Digest, EventId, TreeId};
use super::policy::DeliveryRule;
use super::words::words;

/// The key of the source that holds the contract of the goal.
pub const SCOPE_CONTRACT: &str = "scope-contract";
/// The key of the source that holds the structural baseline.
pub const PRE_POST_DIFF: &str = "pre-post-diff";
/// The key of the source that holds the evidence log.
pub const WITNESSED_RUNS: &str = "witnessed-runs";
/// The key of the source that holds the findings that are not settled.
pub const OPEN_FINDINGS: &str = "open-findings";

/// The dimension whose gate asks for this source, if one does.
pub fn gate_of(key: &str) -> Option<Dimension> {
    match key {
        SCOPE_CONTRACT => Some(Dimension::FunctionalCompleteness),
        PRE_POST_DIFF => Some(Dimension::ExistingFunctionalityIntact),
        _ => None,
    }
}

words! {
    /// Where the text of a source comes from.
    Origin {
        /// The tree of the commit under review.
        Tree = "tree",
        /// The work tree, which the packet says.
        Worktree = "work tree",
        /// Made of the evidence events that count for the tree.
        EvidenceLog = "evidence log",
        /// Made of the findings of the branch.
        FindingsLedger = "findings ledger",
        /// The text of the structural baseline.
        Baseline = "baseline",
    }
}

/// One source as policy and goal describe it, before anything is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpec {
    /// Unique within a packet: `[a-z][a-z0-9-]{0,31}`.
    pub key: String,
    /// Where its text comes from.
    pub origin: Origin,
    /// What status lines name: a path, the name of a log, `baseline:<digest>`. `None` for a contract that the goal does
    /// not name, and for a baseline that could not be computed.
    pub at: Option<String>,
    /// The dimensions that it can back, in their order.
    pub supports: Vec<Dimension>,
    /// How much of it must arrive.
    pub rule: DeliveryRule,
}

/// What stands at the place of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Text that is not blank.
    Text(String),
    /// No such entry; the reason as it is shown.
    Missing(String),
    /// The goal names a path that the commit does not contain.
    NotInTree,
    /// Nothing but blanks: the bytes.
    Empty(Vec<u8>),
    /// Something is there and could not be read; the reason as it is shown.
    Unreadable(String),
}

/// A source with what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it is.
    pub spec: SourceSpec,
    /// What was read.
    pub content: Content,
}

words! {
    /// What became of a source.
    SourceStatus {
        /// All of it is in the packet.
        Found = "found",
        /// Its first bytes are.
        Truncated = "truncated",
        /// There is none.
        Missing = "missing",
        /// The goal names it, the commit does not contain it.
        NotInTree = "not-in-tree",
        /// It is blank.
        Empty = "empty",
        /// It did not fit.
        Omitted = "omitted",
        /// It is there and could not be read.
        Unreadable = "unreadable",
    }
}

impl SourceStatus {
    /// Whether there is text that a reviewer could read, in the packet or left out of it.
    pub const fn has_text(self) -> bool {
        matches!(self, Self::Found | Self::Truncated | Self::Omitted)
    }
}

words! {
    /// Why a source did not fit.
    OmissionCode {
        /// What is kept for others would have been enough.
        Reserved = "reserved",
        /// The budget is spent.
        Exhausted = "exhausted",
    }
}

/// A source that others hold bytes for, and the dimensions it does so for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    /// The source.
    pub key: String,
    /// In their order.
    pub dimensions: Vec<Dimension>,
}

/// Why a source was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// The bytes it needs.
    pub needed: u64,
    /// The bytes that were left.
    pub left: u64,
    /// Whether what is kept for others would have been enough.
    pub code: OmissionCode,
    /// The bytes kept for sources that stand behind it in the list; 0 with `exhausted`.
    pub reserved: u64,
    /// Those sources.
    pub reserved_for: Vec<Reservation>,
}

/// One source in a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestSource {
    /// The SHA-256 of its bytes; null where there is nothing to digest.
    pub digest: Option<Digest>,
    /// How many of its bytes are in the packet.
    pub included: u64,
    /// Its key.
    pub key: String,
    /// What became of it.
    pub status: SourceStatus,
    /// How many bytes it has.
    pub total: u64,
}

/// What a packet is made of: its id is the SHA-256 of the canonical JSON of this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ManifestInJson", into = "ManifestInJson")]
pub struct Manifest {
    /// The merge-base of head and base; the head itself where there is none.
    pub base: CommitId,
    /// The commit under review.
    pub head: CommitId,
    /// Its tree.
    pub head_tree: TreeId,
    /// The digest of the goal.
    pub goal_digest: Digest,
    /// The digest of the base's policy file, that of no bytes where there is none.
    pub policy_digest: Digest,
    /// The digest of the baseline; `None` where none could be computed.
    pub baseline_digest: Option<Digest>,
    /// The newest finding and evidence events of the view, sorted.
    pub ledger_tips: Vec<EventId>,
    /// Every source, in list order.
    pub sources: Vec<ManifestSource>,
}

impl Manifest {
    /// The id of the packet.
    pub fn packet_id(&self) -> Digest {
        let text = canonical::to_text(self).expect("a manifest of texts and sizes serialises");
        canonical::digest_of(&[text.as_bytes()])
    }

    /// The full name of the baseline, as items cite it.
    pub fn baseline_name(&self) -> Option<String> {
        self.baseline_digest.map(|digest| baseline_name(&digest))
    }
}

/// The full name of a baseline, `baseline:<64 hex>`.
pub fn baseline_name(digest: &Digest) -> String {
    format!("baseline:{digest}")
}

/// [`Manifest`] as it stands in JSON, with what tells it from other objects.
#[derive(Serialize, Deserialize)]
struct ManifestInJson {
    base: CommitId,
    baseline_digest: Option<Digest>,
    goal_digest: Digest,
    head: CommitId,
    head_tree: TreeId,
    ledger_tips: Vec<EventId>,
    policy_digest: Digest,
    schema: PacketSchema,
    sources: Vec<ManifestSource>,
    version: PacketVersion,
}

/// The one schema of a manifest: another one is refused when it is read.
#[derive(Serialize, Deserialize)]
enum PacketSchema {
    #[serde(rename = "review-gate/packet")]
    Packet,
}

/// The one version of it, written as a number.
struct PacketVersion;

impl Serialize for PacketVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(1)
    }
}

impl<'de> Deserialize<'de> for PacketVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            1 => Ok(Self),
            other => Err(serde::de::Error::custom(format!(
                "version {other} of a packet is not known"
            ))),
        }
    }
}

impl From<ManifestInJson> for Manifest {
    fn from(json: ManifestInJson) -> Self {
        Self {
            base: json.base,
            head: json.head,
            head_tree: json.head_tree,
            goal_digest: json.goal_digest,
            policy_digest: json.policy_digest,
            baseline_digest: json.baseline_digest,
            ledger_tips: json.ledger_tips,
            sources: json.sources,
        }
    }
}

impl From<Manifest> for ManifestInJson {
    fn from(manifest: Manifest) -> Self {
        Self {
            base: manifest.base,
            baseline_digest: manifest.baseline_digest,
            goal_digest: manifest.goal_digest,
            head: manifest.head,
            head_tree: manifest.head_tree,
            ledger_tips: manifest.ledger_tips,
            policy_digest: manifest.policy_digest,
            schema: PacketSchema::Packet,
            sources: manifest.sources,
            version: PacketVersion,
        }
    }
}

/// The keys of the sources that are delivered, for each dimension; all four are named.
pub type DeliveredKeys = BTreeMap<Dimension, Vec<String>>;

/// The conclusion that arrived, for each source of the conclusion rule that has one.
pub type Conclusions = BTreeMap<String, String>;

/// A dimension for which nothing can be delivered, whatever the budget does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutOfReach {
    /// The dimension.
    pub dimension: Dimension,
    /// Its sources with text, all over the cap.
    pub sources: Vec<OverCap>,
}

/// A source that is over the cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverCap {
    /// Its key.
    pub key: String,
    /// Its size in bytes.
    pub total: u64,
}

/// What there is of a structural baseline for the reviewer. In JSON: the text that it is displayed as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaselineStatus {
    /// Computed, and its conclusion is in the packet.
    Computed,
    /// Computed, and its conclusion is not.
    NotDelivered,
    /// Could not be computed: a code and one sentence, both safe to show.
    Unavailable {
        /// For programs.
        code: String,
        /// For people.
        sentence: String,
    },
}

const COMPUTED: &str = "COMPUTED";
const NOT_DELIVERED: &str = "COMPUTED ON DISK, NOT DELIVERED";
const UNAVAILABLE: &str = "UNAVAILABLE";

impl fmt::Display for BaselineStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Computed => f.write_str(COMPUTED),
            Self::NotDelivered => f.write_str(NOT_DELIVERED),
            Self::Unavailable { code, sentence } => write!(f, "{UNAVAILABLE} ({code}: {sentence})"),
        }
    }
}

impl Serialize for BaselineStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BaselineStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.as_str() {
            COMPUTED => Ok(Self::Computed),
            NOT_DELIVERED => Ok(Self::NotDelivered),
            other => other
                .strip_prefix(UNAVAILABLE)
                .and_then(|rest| rest.strip_prefix(" ("))
                .and_then(|rest| rest.strip_suffix(')'))
                .and_then(|rest| rest.split_once(": "))
                .map(|(code, sentence)| Self::Unavailable {
                    code: code.to_owned(),
                    sentence: sentence.to_owned(),
                })
                .ok_or_else(|| serde::de::Error::custom("not the status of a baseline")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_a_baseline_reads_back() {
        for status in [
            BaselineStatus::Computed,
            BaselineStatus::NotDelivered,
            BaselineStatus::Unavailable {
                code: "no-base".to_owned(),
                sentence: "nothing to compare with: no parent (at all)".to_owned(),
            },
        ] {
            let json = serde_json::to_string(&status).unwrap();
            assert_eq!(serde_json::from_str::<BaselineStatus>(&json).unwrap(), status);
        }
        for wrong in ["\"COMPUTED \"", "\"UNAVAILABLE\"", "\"UNAVAILABLE (x)\"", "1"] {
            assert!(serde_json::from_str::<BaselineStatus>(wrong).is_err(), "{wrong}");
        }
    }
}
