//! A structural baseline that was computed, or why it was not: everything that the outputs show.

use std::collections::BTreeMap;

use serde::Serialize;

use super::baseline::{SurfaceMode, Unmeasured, UnmeasuredReason, Verdict};
use super::evidence::plural;
use super::fact::{Class, Fact, FactKind, Surface};
use super::ids::BlobId;
use super::range::{Range, Unavailable};

/// Raised whenever any rule changes results.
pub const RULES: u32 = 1;

/// What a baseline came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Baseline {
    /// It was computed.
    Computed(Box<Measured>),
    /// There is none.
    Unavailable(Unavailable),
}

/// A computed baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// What was compared.
    pub range: Range,
    /// How.
    pub options: Options,
    /// How many files.
    pub files: Files,
    /// Sorted; drift and authorisation are decided.
    pub facts: Vec<Fact>,
    /// What should have been compared and could not be, sorted.
    pub unmeasured: Vec<Unmeasured>,
    /// The rules that left files out, sorted.
    pub excluded: Vec<Excluded>,
    /// Globs of the goal that matched no fact, sorted.
    pub unused: Vec<Unused>,
    /// Whether there were too many candidates for renames: only those with equal content were found.
    pub renames_over_limit: bool,
    /// The phrase.
    pub verdict: Verdict,
}

/// What decided the comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Which public symbols count.
    pub surface: SurfaceMode,
    /// As given with `--path`.
    pub paths: Vec<String>,
    /// As given with `--lang`.
    pub langs: Vec<String>,
    /// Whether the probes of the policy were run.
    pub probes: bool,
    /// The kinds that are drift, in order.
    pub drift: Vec<FactKind>,
    /// The policy file; `None` for the built-in policy.
    pub policy: Option<BlobId>,
    /// The digest of the goal; `None` without one.
    pub goal: Option<String>,
}

/// How many changed files were what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Files {
    /// All that differ; a rename is one.
    pub changed: usize,
    /// Compared.
    pub measured: usize,
    /// Left out by a rule.
    pub excluded: usize,
    /// Of no known language and not golden.
    pub other: usize,
    /// Should have been compared and could not be.
    pub unmeasured: usize,
    /// Measured files of each language, and `golden`.
    pub by_language: BTreeMap<String, usize>,
    /// Packages whose entry could not be read: they were measured as declared.
    pub declared_only: Vec<String>,
}

/// A rule that left files out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Excluded {
    /// The rule, such as `folder vendor`.
    pub rule: String,
    /// Where it stands: `built in`, `policy`, `file`, or the path of an attributes file.
    pub source: String,
    /// How many files it left out.
    pub files: usize,
}

/// A glob of the goal that matched no fact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unused {
    /// The criterion.
    pub criterion: String,
    /// The surface it is for.
    pub surface: Surface,
    /// As written.
    pub glob: String,
}

/// How many facts of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// All.
    pub total: usize,
    /// In the drift set and not authorised.
    pub drift: usize,
    /// In the drift set and authorised.
    pub authorised: usize,
}

/// The section of the artifact in which a fact is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// In the drift set, not authorised.
    Drift,
    /// In the drift set, authorised.
    Authorised,
    /// Reported only.
    Note,
    /// Something new.
    Added,
}

impl Section {
    /// Where a fact belongs.
    pub fn of(fact: &Fact) -> Self {
        if fact.drift {
            Self::Drift
        } else if !fact.authorised_by.is_empty() {
            Self::Authorised
        } else if fact.kind.class() == Class::Add {
            Self::Added
        } else {
            Self::Note
        }
    }
}

impl Measured {
    /// The facts of a section, in order.
    pub fn section(&self, section: Section) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(move |fact| Section::of(fact) == section)
    }

    /// Counts of all kinds that occur, in the order of the kinds.
    pub fn counts(&self) -> Vec<(FactKind, Count)> {
        let mut counts: BTreeMap<FactKind, Count> = BTreeMap::new();
        for fact in &self.facts {
            let count = counts.entry(fact.kind).or_default();
            count.total += 1;
            match Section::of(fact) {
                Section::Drift => count.drift += 1,
                Section::Authorised => count.authorised += 1,
                Section::Note | Section::Added => {}
            }
        }
        counts.into_iter().collect()
    }

    /// The first that holds of: drift, something unmeasured, nothing to measure, additions, nothing.
    pub fn decide(facts: &[Fact], unmeasured: &[Unmeasured], anything_known: bool) -> Verdict {
        let has = |section| facts.iter().any(|fact| Section::of(fact) == section);
        if has(Section::Drift) {
            Verdict::Drift
        } else if !unmeasured.is_empty() {
            Verdict::Indeterminate
        } else if !anything_known {
            Verdict::NothingMeasured
        } else if facts.iter().any(|fact| fact.kind.class() == Class::Add) {
            Verdict::AdditionsOnly
        } else {
            Verdict::NoDrift
        }
    }

    /// What stands behind the phrase, for people: with its colon, or empty.
    pub fn verdict_rest(&self) -> String {
        let listed = |section: Section| -> Vec<String> {
            let mut counts: BTreeMap<FactKind, usize> = BTreeMap::new();
            for fact in self.section(section) {
                *counts.entry(fact.kind).or_default() += 1;
            }
            counts
                .into_iter()
                .map(|(kind, count)| format!("{count} {}", kind.word()))
                .collect()
        };
        let aside = |section: Section, one: &str, many: &str| {
            let count = self.section(section).count();
            (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
        };
        let parts: Vec<String> = match self.verdict {
            Verdict::Drift => listed(Section::Drift),
            Verdict::Indeterminate => {
                let is_probe = |entry: &&Unmeasured| entry.reason == UnmeasuredReason::ProbeFailed;
                let probes = self.unmeasured.iter().filter(is_probe).count();
                let what: Vec<_> = [(self.unmeasured.len() - probes, "file"), (probes, "probe")]
                    .into_iter()
                    .filter(|(count, _)| *count > 0)
                    .map(|(count, word)| plural(count, word))
                    .collect();
                vec![
                    format!("{} could not be measured", what.join(" and ")),
                    "none of the measured drifted".to_owned(),
                ]
            }
            Verdict::NothingMeasured => {
                vec!["no file of a known language or golden pattern on either side".to_owned()]
            }
            Verdict::AdditionsOnly | Verdict::NoDrift => listed(Section::Added)
                .into_iter()
                .chain(aside(Section::Note, "note", "notes"))
                .chain(aside(Section::Authorised, "authorised", "authorised"))
                .collect(),
        };
        if parts.is_empty() {
            String::new()
        } else {
            format!(": {}", parts.join(", "))
        }
    }

    /// `sha1` or `sha256`.
    pub fn object_format(&self) -> &'static str {
        if self.range.head.as_bytes().len() == 20 {
            "sha1"
        } else {
            "sha256"
        }
    }
}

impl Baseline {
    /// The first line of the artifact: `VERDICT: …`, or `STATUS: UNAVAILABLE (…)`.
    pub fn first_line(&self) -> String {
        match self {
            Self::Computed(measured) => format!(
                "{}{}{}",
                super::baseline::VERDICT_MARKER,
                measured.verdict.phrase(),
                measured.verdict_rest()
            ),
            Self::Unavailable(reason) => format!(
                "{}UNAVAILABLE ({})",
                super::baseline::STATUS_MARKER,
                reason.sentence()
            ),
        }
    }
}
