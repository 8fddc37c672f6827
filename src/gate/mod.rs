//! One decision from policy, facts, ledger view and records; pure, one rule a file.
//!
//! [`decide`] asks every rule of [`RULES`] about one ref. [`disposition`] says first which lines of a push are
//! judged at all, and by which gate. [`explain`] holds what `explain` prints.

pub mod disposition;
pub mod explain;
pub mod facts;
pub mod rule;
mod rules;

use self::facts::Facts;
use self::rule::Case;
pub use self::rules::RULES;
use crate::error::Error;
use crate::exit::Exit;
use crate::model::decision::{Overall, RefDecision, RefFault};
use crate::model::ids::CommitId;
use crate::model::policy::effective::EffectiveGate;

/// Which ref is judged, and between which commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Full name of the ref, safe to show.
    pub ref_name: String,
    /// What it is compared with; `None` where no base exists.
    pub base: Option<CommitId>,
    /// The judged commit; `None` for a deletion.
    pub head: Option<CommitId>,
    /// What is said beside the rules, safe to show.
    pub notes: Vec<String>,
}

/// Asks every rule about one ref. The worst outcome is the ref's.
pub fn decide(subject: Subject, gate: &EffectiveGate, facts: &Facts) -> RefDecision {
    let case = Case {
        facts,
        gate,
        levels: gate.levels.clone(),
    };
    RefDecision {
        ref_name: subject.ref_name,
        base: subject.base,
        head: subject.head,
        notes: subject.notes,
        rules: RULES.iter().map(|rule| (rule.judge)(&case).of(rule.id)).collect(),
        fault: None,
    }
}

impl From<Error> for RefFault {
    fn from(error: Error) -> Self {
        Self {
            kind: error.kind,
            message: error.message,
            causes: error.causes,
            hints: error.hints,
        }
    }
}

impl From<Overall> for Exit {
    fn from(overall: Overall) -> Self {
        match overall {
            Overall::Pass => Self::Pass,
            Overall::Blocked => Self::Blocked,
            Overall::Undecided => Self::Undecided,
        }
    }
}
