//! What the rules are told: facts about one ref, each of them computed, or said not to be there and why.

use std::collections::BTreeMap;

use crate::model::baseline::Verdict;
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::fact::Fact;
use crate::model::finding::Finding;
use crate::model::policy::spec::{SpecPolicy, StopReason};

/// Everything that is known about one ref.
#[derive(Debug, Clone)]
pub struct Facts {
    /// What happens to the ref.
    pub update: Update,
    /// The findings of the view, in scope, as the events leave them.
    pub findings: Vec<Finding>,
    /// What stands of the final review.
    pub review: Given<ReviewFact>,
    /// What the structural baseline says. May be left uncomputed where the gate does not ask for it.
    pub baseline: Given<BaselineFact>,
    /// The spec reviews that the range touches.
    pub specs: Given<Vec<SpecFact>>,
    /// `[spec]` of the base's policy.
    pub spec_policy: SpecPolicy,
    /// The quality record that counts; `None` where there is no record.
    pub quality: Given<Option<QualityFact>>,
    /// Whether the review state could be read whole.
    pub state: Reading,
    /// Whether history could be walked whole.
    pub history: Reading,
}

impl Facts {
    /// A push about which nothing is known that could stop it; for building others from.
    pub fn clean() -> Self {
        Self {
            update: Update::Push,
            findings: Vec::new(),
            review: Given::Known(ReviewFact::Absent),
            baseline: Given::Known(BaselineFact {
                result: BaselineResult::Computed {
                    verdict: Verdict::NoDrift,
                    facts: Vec::new(),
                    note: String::new(),
                },
                ruling: None,
            }),
            specs: Given::Known(Vec::new()),
            spec_policy: SpecPolicy::default(),
            quality: Given::Known(None),
            state: Reading::Whole,
            history: Reading::Whole,
        }
    }
}

/// What happens to a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// It is created or moved.
    Push,
    /// It is a tag whose commits the remote has already: only a quality record may be asked for.
    KnownTag,
    /// It is deleted.
    Delete,
}

/// A fact, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Given<T> {
    /// It is known.
    Known(T),
    /// There is nothing that it could be about, as in an empty range: the rules answer `skipped`.
    NotApplicable(String),
    /// It could not be found out: `undecided` where the gate requires it, else `skipped`.
    NotAvailable(String),
}

/// Whether something could be read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Yes.
    Whole,
    /// No: what is wrong, one sentence each, and the command that helps.
    Broken {
        /// What is wrong; safe to show.
        reasons: Vec<String>,
        /// The command that helps.
        command: String,
    },
}

/// What stands of the final review for the judged commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewFact {
    /// There is no record.
    Absent,
    /// A record counts.
    Counts(Standing),
    /// There is a record, for other content; why it does not count.
    Stale(Standing, String),
    /// The packet or the record is not valid; why.
    Invalid(String),
}

/// What stands, dimension by dimension. A dimension that is not named does not pass.
pub type Standing = BTreeMap<Dimension, StandingDimension>;

/// What stands for one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingDimension {
    /// The worst verdict of all records that count.
    pub verdict: DimensionVerdict,
    /// It is listed in needsAttention.
    pub needs_attention: bool,
    /// The ruling that stands.
    pub ruling: Option<Ruling>,
    /// Why it does not pass, one sentence each; safe to show.
    pub why: Vec<String>,
}

/// What a person ruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It passes.
    Pass,
    /// It does not.
    Fail,
}

impl StandingDimension {
    /// Whether the dimension passes: as it stands, or because a person ruled so.
    pub fn passes(&self) -> bool {
        match self.ruling {
            Some(Ruling::Pass) => true,
            Some(Ruling::Fail) => false,
            None => self.verdict == DimensionVerdict::Pass && !self.needs_attention,
        }
    }
}

/// What the structural baseline says.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineFact {
    /// What was computed.
    pub result: BaselineResult,
    /// Who ruled that existing functionality is intact for this commit, and why; clears drift and doubt alike.
    pub ruling: Option<String>,
}

/// What was computed.
#[derive(Debug, Clone, PartialEq)]
pub enum BaselineResult {
    /// Two trees were compared.
    Computed {
        /// The verdict.
        verdict: Verdict,
        /// The facts; those with `drift` set are unauthorised.
        facts: Vec<Fact>,
        /// What the verdict line says behind its phrase.
        note: String,
    },
    /// Nothing could be compared; why.
    Unavailable(String),
}

/// One spec review that the range touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFact {
    /// Path of the spec.
    pub spec: String,
    /// Its sidecar.
    pub sidecar: Sidecar,
}

/// The sidecar of a spec at the judged commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sidecar {
    /// The range changed the spec and there is none.
    None,
    /// It cannot be read; why.
    Faulty(String),
    /// What it says.
    Read {
        /// Where the run stands.
        status: SpecStatus,
        /// Outcomes that block, one sentence each.
        blocking: Vec<String>,
        /// Whether the spec at the judged commit is the one that was reviewed.
        blob: SpecBlob,
        /// Invariants that it breaks and that block, one sentence each.
        broken: Vec<String>,
    },
}

/// Where a run of the spec-review loop stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecStatus {
    /// Not ended.
    InProgress,
    /// Ended well.
    Converged,
    /// Ended well, with few eyes.
    ConvergedLowConfidence,
    /// Ended otherwise.
    Stopped(StopReason),
}

/// Whether a spec is the one that was reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecBlob {
    /// It is.
    Reviewed,
    /// It was edited afterwards, or is gone.
    Edited,
}

/// The quality record that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualityFact {
    /// Whether it is PASS, also when it is evaluated again, and fit for a release.
    pub passed: bool,
    /// Whether it speaks of exactly the judged commit.
    pub same_commit: bool,
    /// What the record says, for people.
    pub note: String,
}
