//! What commands about findings came to.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::event::Event;
use crate::model::finding::{Finding, Origin, State};
use crate::model::ids::{CommitId, EventId};
use crate::model::review::ReviewId;

/// Findings were filed.
#[derive(Debug, Clone)]
pub struct Added {
    /// The findings as they stand now, in the order in which they were given.
    pub findings: Vec<Finding>,
    /// The review they belong to; `None` on a detached HEAD.
    pub review: Option<ReviewId>,
    /// Whether that review was opened by this call.
    pub opened: bool,
    /// What deserves a remark.
    pub warnings: Vec<String>,
}

/// Findings were answered.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The findings that are answered now, each with the commit that mends it.
    pub answered: Vec<(Finding, CommitId)>,
    /// What the gate still sees as open.
    pub still_open: Vec<Finding>,
    /// What could not be told.
    pub warnings: Vec<String>,
}

/// What `finding pass` came to.
#[derive(Debug, Clone)]
pub enum Passed {
    /// Every answer to these is confirmed now.
    Confirmed {
        /// In whose name.
        origin: Origin,
        /// The findings.
        findings: Vec<Finding>,
    },
    /// Refused: these are open.
    Refused {
        /// In whose name.
        origin: Origin,
        /// The open findings.
        open: Vec<Finding>,
    },
}

/// A list of findings.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Open first, then by severity and place.
    pub findings: Vec<Finding>,
    /// How many findings of the scope are in each state, before the filter.
    pub states: BTreeMap<State, usize>,
    /// The same for each origin; a finding of two origins counts for both.
    pub origins: BTreeMap<Origin, BTreeMap<State, usize>>,
}

/// One finding with its history.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Its state by all of its events, wherever they are.
    pub finding: Finding,
    /// Its events and those that name them, oldest first in causal order.
    pub events: Vec<Event>,
    /// Events that do not count, because their author may not speak for the origin.
    pub claims: BTreeSet<EventId>,
}

/// A mirror was written.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The review.
    pub review: ReviewId,
    /// Where, as people would name it; safe to show.
    pub path: String,
    /// How many events.
    pub events: usize,
}

/// Mirrors were united with the notes.
#[derive(Debug, Clone)]
pub struct Imported {
    /// How many files.
    pub files: usize,
    /// How many events they hold together, each once.
    pub events: usize,
    /// How many of them were new.
    pub new: usize,
    /// Notes that were put back before.
    pub warnings: Vec<String>,
}
