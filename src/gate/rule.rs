//! What a rule is: its id, its documentation, and a function from a case to a judgement.

use super::facts::{Facts, Given, Reading, Update};
use crate::model::decision::{NamedFinding, Outcome, RuleDecision, RuleId};
use crate::model::fact::Fact;
use crate::model::finding::Finding;
use crate::model::policy::effective::EffectiveGate;
use crate::model::policy::levels::Levels;

/// One rule of the gate.
#[derive(Debug)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// One sentence: when it blocks.
    pub blocks: &'static str,
    /// What it means, what to do, and which policy key controls it; paragraphs, for `explain`.
    pub explain: &'static str,
    /// Judges one case.
    pub judge: fn(&Case<'_>) -> Judgement,
}

/// What a rule judges.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// What is known.
    pub facts: &'a Facts,
    /// What each side's policy says.
    pub gate: &'a EffectiveGate,
    /// The values that decide.
    pub levels: Levels,
}

impl Case<'_> {
    /// Why rules about content do not apply at all: a deletion, or a tag of known commits.
    pub(super) fn no_content(&self) -> Option<&'static str> {
        match self.facts.update {
            Update::Push => None,
            Update::KnownTag => Some("a tag of commits that the remote has"),
            Update::Delete => Some("a deletion"),
        }
    }

    /// A pass, but only where the state that could say otherwise was read whole.
    pub(super) fn pass_if_readable(&self, judgement: Judgement) -> Judgement {
        match (&self.facts.state, &self.facts.history) {
            (Reading::Whole, Reading::Whole) => judgement,
            _ if judgement.outcome == Outcome::Pass => {
                Judgement::skipped("review state or history could not be read whole")
            }
            _ => judgement,
        }
    }
}

/// What a rule says about a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What it came to.
    pub outcome: Outcome,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
    /// Findings it names.
    pub findings: Vec<NamedFinding>,
    /// Structural facts it names.
    pub facts: Vec<Fact>,
    /// The command that helps.
    pub command: Option<String>,
}

impl Judgement {
    fn with(outcome: Outcome, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self {
            outcome,
            reasons: if reason.is_empty() {
                Vec::new()
            } else {
                vec![reason]
            },
            findings: Vec::new(),
            facts: Vec::new(),
            command: None,
        }
    }

    pub(super) fn pass(reason: impl Into<String>) -> Self {
        Self::with(Outcome::Pass, reason)
    }

    pub(super) fn skipped(reason: impl Into<String>) -> Self {
        Self::with(Outcome::Skipped, reason)
    }

    pub(super) fn blocked(reason: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            command: Some(command.into()),
            ..Self::with(Outcome::Blocked, reason)
        }
    }

    pub(super) fn undecided(reason: impl Into<String>, command: impl Into<String>) -> Self {
        Self {
            command: Some(command.into()),
            ..Self::with(Outcome::Undecided, reason)
        }
    }

    pub(super) fn because(mut self, reasons: impl IntoIterator<Item = String>) -> Self {
        self.reasons.extend(reasons);
        self
    }

    pub(super) fn naming<'a>(mut self, findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        self.findings = findings.into_iter().map(NamedFinding::from).collect();
        self
    }

    pub(super) fn showing(mut self, facts: Vec<Fact>) -> Self {
        self.facts = facts;
        self
    }

    pub(super) fn of(self, id: RuleId) -> RuleDecision {
        RuleDecision {
            id,
            outcome: self.outcome,
            reasons: self.reasons,
            findings: self.findings,
            facts: self.facts,
            command: self.command,
        }
    }
}

/// Whether the gate cannot do without a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Missing, it leaves the rule undecided.
    Required,
    /// Missing, it is passed over and said.
    Optional,
}

/// The fact, or what a rule answers without it.
pub(super) fn known<T>(given: &Given<T>, need: Need) -> Result<&T, Judgement> {
    match (given, need) {
        (Given::Known(fact), _) => Ok(fact),
        (Given::NotApplicable(why), _) | (Given::NotAvailable(why), Need::Optional) => {
            Err(Judgement::skipped(why.clone()))
        }
        // No command can bring about what this version does not have; the policy says who asks for it.
        (Given::NotAvailable(why), Need::Required) => Err(Judgement::undecided(
            why.clone(),
            "git review-gate explain policy",
        )),
    }
}

/// `1 finding`, `2 findings`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
