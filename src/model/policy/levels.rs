//! What a gate asks for, key by key, each key with an order of strictness.

use std::collections::BTreeSet;

use crate::model::severity::Severity;
use crate::model::words::words;

words! {
    /// How far findings must have come. Later is stricter, here and in the other levels.
    FindingsLevel {
        /// Findings do not matter.
        None = "none",
        /// Nothing is open.
        Addressed = "addressed",
        /// Every answer has been confirmed.
        Verified = "verified",
    }
}

words! {
    /// Whether a final review is asked for.
    ReviewLevel {
        /// Reviews do not matter.
        Off = "off",
        /// None is needed; one that does not pass blocks.
        IfPresent = "if-present",
        /// All four dimensions pass, for exactly this change.
        Required = "required",
    }
}

words! {
    /// What drift of the structural baseline does.
    BaselineLevel {
        /// It is not computed.
        Off = "off",
        /// It is shown.
        Report = "report",
        /// It blocks unless it is authorised or ruled on.
        Required = "required",
    }
}

words! {
    /// Whether the spec reviews that a range touches must be closed.
    SpecsLevel {
        /// Spec reviews do not matter.
        Off = "off",
        /// None is needed; one that is not sound and closed blocks.
        IfPresent = "if-present",
        /// Every changed spec has one, sound and closed.
        Required = "required",
    }
}

words! {
    /// Whether a quality record is asked for.
    QualityLevel {
        /// None is looked at.
        Off = "off",
        /// A passing one for exactly this commit.
        Required = "required",
    }
}

words! {
    /// Whether the ref may be deleted.
    DeletionsLevel {
        /// Yes.
        Allow = "allow",
        /// No.
        Deny = "deny",
    }
}

words! {
    /// The keys of a gate that say what it asks for.
    GateKey {
        /// How far findings must have come.
        Findings = "findings",
        /// Which severities count.
        Severities = "severities",
        /// Whether a final review is needed.
        Review = "review",
        /// What drift does.
        Baseline = "baseline",
        /// Whether spec reviews must be closed.
        Specs = "specs",
        /// Whether a quality record is needed.
        Quality = "quality",
        /// Whether the ref may be deleted.
        Deletions = "deletions",
    }
}

/// One value for each key of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    /// How far findings must have come.
    pub findings: FindingsLevel,
    /// The severities that count; findings of others never block.
    pub severities: BTreeSet<Severity>,
    /// Whether a final review is needed.
    pub review: ReviewLevel,
    /// What drift does.
    pub baseline: BaselineLevel,
    /// Whether spec reviews must be closed.
    pub specs: SpecsLevel,
    /// Whether a quality record is needed.
    pub quality: QualityLevel,
    /// Whether the ref may be deleted.
    pub deletions: DeletionsLevel,
}

impl Levels {
    /// The built-in gate, and what a key has that a gate leaves out.
    pub fn built_in() -> Self {
        Self {
            findings: FindingsLevel::Addressed,
            severities: Severity::ALL.iter().copied().collect(),
            review: ReviewLevel::IfPresent,
            baseline: BaselineLevel::Report,
            specs: SpecsLevel::IfPresent,
            quality: QualityLevel::Off,
            deletions: DeletionsLevel::Allow,
        }
    }

    /// Asks for nothing: where a policy has no gate for a ref at all.
    pub fn nothing() -> Self {
        Self {
            findings: FindingsLevel::None,
            severities: BTreeSet::new(),
            review: ReviewLevel::Off,
            baseline: BaselineLevel::Off,
            specs: SpecsLevel::Off,
            quality: QualityLevel::Off,
            deletions: DeletionsLevel::Allow,
        }
    }

    /// The value of one key as it would be written in the file, without quotes around single words.
    pub fn value(&self, key: GateKey) -> String {
        match key {
            GateKey::Findings => self.findings.to_string(),
            GateKey::Severities => {
                let words: Vec<_> = self
                    .severities
                    .iter()
                    .map(|severity| format!("\"{severity}\""))
                    .collect();
                format!("[{}]", words.join(", "))
            }
            GateKey::Review => self.review.to_string(),
            GateKey::Baseline => self.baseline.to_string(),
            GateKey::Specs => self.specs.to_string(),
            GateKey::Quality => self.quality.to_string(),
            GateKey::Deletions => self.deletions.to_string(),
        }
    }

    /// Whether this side asks for something under `key` that `other` does not ask for.
    pub fn stricter_than(&self, other: &Self, key: GateKey) -> bool {
        match key {
            GateKey::Findings => self.findings > other.findings,
            GateKey::Severities => !self.severities.is_subset(&other.severities),
            GateKey::Review => self.review > other.review,
            GateKey::Baseline => self.baseline > other.baseline,
            GateKey::Specs => self.specs > other.specs,
            GateKey::Quality => self.quality > other.quality,
            GateKey::Deletions => self.deletions > other.deletions,
        }
    }

    /// For each key the stricter of the two values; severities are united.
    #[must_use]
    pub fn stricter(&self, other: &Self) -> Self {
        Self {
            findings: self.findings.max(other.findings),
            severities: self.severities.union(&other.severities).copied().collect(),
            review: self.review.max(other.review),
            baseline: self.baseline.max(other.baseline),
            specs: self.specs.max(other.specs),
            quality: self.quality.max(other.quality),
            deletions: self.deletions.max(other.deletions),
        }
    }

    /// These values with the value of one key taken from `other`.
    #[must_use]
    pub fn with(mut self, key: GateKey, other: &Self) -> Self {
        match key {
            GateKey::Findings => self.findings = other.findings,
            GateKey::Severities => self.severities.clone_from(&other.severities),
            GateKey::Review => self.review = other.review,
            GateKey::Baseline => self.baseline = other.baseline,
            GateKey::Specs => self.specs = other.specs,
            GateKey::Quality => self.quality = other.quality,
            GateKey::Deletions => self.deletions = other.deletions,
        }
        self
    }
}

impl Default for Levels {
    fn default() -> Self {
        Self::built_in()
    }
}
