//! The policy of a repository: what `.review-gate.toml` can say, and what holds where it says nothing.
//!
//! [`Policy::default`] is the built-in policy. Reading the file is the work of `crate::policy`; which side decides
//! for a ref is said in [`effective`].

pub mod effective;
pub mod levels;
pub mod listing;
pub mod pattern;
pub mod spec;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use self::levels::Levels;
use self::pattern::RefPattern;
use self::spec::SpecPolicy;
use super::baseline::SurfaceMode;
use super::dimension::Dimension;
use super::fact::{Class, FactKind};
use super::words::words;

/// Where the policy stands in a tree.
pub const POLICY_FILE: &str = ".review-gate.toml";

/// Everything that a policy file can say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// The branch or remote-tracking branch that others are compared with, such as `origin/main`.
    pub base: Option<String>,
    /// In file order; the first that matches a ref decides.
    pub gates: Vec<Gate>,
    /// `[baseline]`
    pub baseline: BaselinePolicy,
    /// `[evidence]`
    pub evidence: EvidencePolicy,
    /// `[reviewer]`
    pub reviewer: ReviewerPolicy,
    /// `[origins]`
    pub origins: OriginsPolicy,
    /// `[rule] by`: who may rule on a dimension.
    pub rule: Speakers,
    /// `[authorize] by`: who may authorise drift.
    pub authorize: Speakers,
    /// `[waive]`
    pub waive: WaivePolicy,
    /// `[spec]`
    pub spec: SpecPolicy,
    /// `[quality]`
    pub quality: QualityPolicy,
    /// `[sync]`
    pub sync: SyncPolicy,
}

/// One `[[gate]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// The refs it is for; at least one pattern.
    pub refs: Vec<RefPattern>,
    /// What it asks for; keys left out of the file have their built-in values.
    pub levels: Levels,
}

/// Which gate of a policy decides for a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GateName {
    /// The gate at this place in the file, counted from 0.
    Number(usize),
    /// None of the file matches a branch or tag.
    BuiltIn,
}

impl std::fmt::Display for GateName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "gate {}", number + 1),
            Self::BuiltIn => f.write_str("the built-in gate"),
        }
    }
}

impl Policy {
    /// The gate for a full ref name; `None` for a ref outside branches and tags that no gate names.
    pub fn gate(&self, ref_name: &[u8]) -> Option<(GateName, Levels)> {
        let written = self
            .gates
            .iter()
            .enumerate()
            .find(|(_, gate)| gate.refs.iter().any(|pattern| pattern.matches(ref_name)));
        match written {
            Some((number, gate)) => Some((GateName::Number(number), gate.levels.clone())),
            None if ref_name.starts_with(b"refs/heads/") || ref_name.starts_with(b"refs/tags/") => {
                Some((GateName::BuiltIn, Levels::built_in()))
            }
            None => None,
        }
    }

    /// Whether a ref holds our own state: the notes below `[sync] notes_prefix`.
    pub fn is_own_ref(&self, ref_name: &[u8]) -> bool {
        ref_name
            .strip_prefix(self.sync.notes_prefix.as_bytes())
            .is_some_and(|rest| rest.first() == Some(&b'/'))
    }
}

/// Who may speak: with a list only those of it, else anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Speakers(pub Option<Vec<String>>);

impl Speakers {
    /// Whether an event by this email counts. Emails are compared byte for byte.
    pub fn allow(&self, email: &str) -> bool {
        self.0
            .as_ref()
            .is_none_or(|list| list.iter().any(|one| one == email))
    }
}

/// `[baseline]`: always the base tree's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselinePolicy {
    /// Which symbols are API.
    pub surface: SurfaceMode,
    /// The kinds of facts that are drift.
    pub drift: DriftKinds,
    /// Globs of files that are measured in spite of the exclusions.
    pub include: Vec<String>,
    /// Globs of files that are left out.
    pub exclude: Vec<String>,
    /// Globs of golden files beside the built-in ones.
    pub golden: Vec<String>,
    /// Globs of files that are not golden.
    pub not_golden: Vec<String>,
    /// Names of functions that count as assertions.
    pub helpers: Vec<String>,
    /// Globs of test files for each language.
    pub test_files: BTreeMap<String, Vec<String>>,
    /// Commands whose output is compared, only with `--probes`.
    pub probes: Vec<Probe>,
}

impl Default for BaselinePolicy {
    fn default() -> Self {
        Self {
            surface: SurfaceMode::Reachable,
            drift: DriftKinds::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            golden: Vec::new(),
            not_golden: Vec::new(),
            helpers: Vec::new(),
            test_files: BTreeMap::new(),
            probes: Vec::new(),
        }
    }
}

/// The kinds of facts that are drift.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriftKinds {
    /// The default set is part of it.
    pub default: bool,
    /// Kinds named one by one, such as `api-widened`.
    pub kinds: BTreeSet<FactKind>,
}

impl DriftKinds {
    /// Whether a fact of this kind is drift.
    pub fn contains(&self, kind: FactKind) -> bool {
        self.kinds.contains(&kind) || (self.default && kind.class() == Class::Drift)
    }
}

impl Default for DriftKinds {
    fn default() -> Self {
        Self {
            default: true,
            kinds: BTreeSet::new(),
        }
    }
}

/// `[[baseline.probe]]`: a command that is run on both commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Unique, part of the key of its facts.
    pub name: String,
    /// Program and arguments; run without a shell.
    pub command: Vec<String>,
    /// After which it is stopped.
    pub timeout: Duration,
    /// Regular expressions whose matches are taken out of the output.
    pub normalize: Vec<String>,
}

/// `[evidence]`: what the packet of a final review holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidencePolicy {
    /// Bytes of evidence in a packet; one source gets at most a quarter.
    pub total_bytes: u32,
    /// Whether a pass on functional completeness needs a test-coverage item.
    pub coverage: Coverage,
    /// Whether a pass on problem resolution needs a proof.
    pub proof: Proof,
    /// Whether a record counts after a clean rebase without a new run.
    pub replay: Replay,
    /// In file order.
    pub sources: Vec<EvidenceSource>,
}

impl EvidencePolicy {
    /// Bytes that one source gets at most.
    pub const fn per_file_bytes(&self) -> u32 {
        self.total_bytes / 4
    }
}

impl Default for EvidencePolicy {
    fn default() -> Self {
        Self {
            total_bytes: 40_960,
            coverage: Coverage::Off,
            proof: Proof::Off,
            replay: Replay::Run,
            sources: Vec::new(),
        }
    }
}

words! {
    /// Whether coverage is part of what a pass must carry.
    Coverage {
        /// No.
        Off = "off",
        /// Yes.
        Required = "required",
    }
}

words! {
    /// Whether a proof is part of what a pass must carry.
    Proof {
        /// No.
        Off = "off",
        /// A test that failed before and passes now.
        Required = "required",
        /// That, or one that did not even build before.
        OrBuildFailure = "or-build-failure",
    }
}

words! {
    /// What a record needs to count after a clean rebase.
    Replay {
        /// A green witnessed run for the new tree.
        Run = "run",
        /// Nothing more.
        Trust = "trust",
    }
}

words! {
    /// Where the file of a source is read.
    ReadFrom {
        /// From the tree of the commit under review.
        Tree = "tree",
        /// From the work tree, which the packet says.
        Worktree = "worktree",
    }
}

/// `[[evidence.source]]`: a source of its own, or the path of a built-in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvidenceSource {
    /// Another place for a source that is built in.
    BuiltIn {
        /// Its key.
        key: String,
        /// The path, with `{review}` and `{branch}`; `None` keeps the default.
        path: Option<String>,
        /// Where it is read.
        from: ReadFrom,
    },
    /// One more source.
    Own {
        /// Unique among all sources.
        key: String,
        /// The path, with `{review}` and `{branch}`.
        path: String,
        /// The dimensions it can back; at least one.
        supports: Vec<Dimension>,
        /// How much of it must arrive.
        rule: DeliveryRule,
        /// Where it is read.
        from: ReadFrom,
    },
}

impl EvidenceSource {
    /// The key that names the source.
    pub fn key(&self) -> &str {
        match self {
            Self::BuiltIn { key, .. } | Self::Own { key, .. } => key,
        }
    }
}

/// How much of a source must arrive before it backs anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryRule {
    /// All of it.
    Whole,
    /// The line that starts with this marker.
    Conclusion {
        /// 1 to 64 characters without a line end.
        marker: String,
    },
}

/// `[reviewer]`: the program that `review run` asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewerPolicy {
    /// Program and arguments; empty where none is set.
    pub command: Vec<String>,
    /// After which it is stopped.
    pub timeout: Duration,
    /// How often an empty reply is asked for again.
    pub attempts: u32,
}

impl Default for ReviewerPolicy {
    fn default() -> Self {
        Self {
            command: Vec::new(),
            timeout: Duration::from_secs(600),
            attempts: 3,
        }
    }
}

/// `[origins]`: who files findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginsPolicy {
    /// Origins beside the built-in ones.
    pub extra: Vec<String>,
    /// The emails that may speak for an origin; an origin without an entry is open to anybody.
    pub speakers: BTreeMap<String, Vec<String>>,
}

impl OriginsPolicy {
    /// The origins that are always there.
    pub const BUILT_IN: [&str; 4] = ["qa", "pr_gate", "pm", "ceo"];

    /// Whether the policy knows this origin.
    pub fn knows(&self, origin: &str) -> bool {
        Self::BUILT_IN.contains(&origin) || self.extra.iter().any(|one| one == origin)
    }

    /// Whether an event by this email may speak for the origin.
    pub fn allow(&self, origin: &str, email: &str) -> bool {
        self.speakers
            .get(origin)
            .is_none_or(|list| list.iter().any(|one| one == email))
    }
}

/// `[waive]`: who may waive findings that nobody else may.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaivePolicy {
    /// Emails that may waive a `major` finding.
    pub major: Vec<String>,
    /// Emails that may waive a `blocker`.
    pub blocker: Vec<String>,
}

/// `[quality]`: the quality matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QualityPolicy {
    /// The largest drop of a score that is tolerated.
    pub max_score_drop: u32,
    /// A record counts only with a comparison.
    pub require_baseline: bool,
}

impl Default for QualityPolicy {
    fn default() -> Self {
        Self {
            max_score_drop: 1,
            require_baseline: false,
        }
    }
}

words! {
    /// What the pre-push hook does with the notes once a push may pass.
    OnPush {
        /// Nothing; no network at all.
        Off = "off",
        /// Sends them; a failure warns.
        Try = "try",
        /// Sends them; a failure stops the push.
        Require = "require",
    }
}

/// `[sync]`: how the state travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncPolicy {
    /// The remote; `None` leaves the choice to git's own configuration.
    pub remote: Option<String>,
    /// What the pre-push hook does.
    pub on_push: OnPush,
    /// Time for `sync`.
    pub timeout: Duration,
    /// Time for the hook's part.
    pub push_timeout: Duration,
    /// Where the notes refs stand: below `refs/notes/`, without a final slash.
    pub notes_prefix: String,
}

impl Default for SyncPolicy {
    fn default() -> Self {
        Self {
            remote: None,
            on_push: OnPush::Try,
            timeout: Duration::from_secs(60),
            push_timeout: Duration::from_secs(15),
            notes_prefix: "refs/notes/review-gate".to_owned(),
        }
    }
}
