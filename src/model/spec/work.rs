//! What the sidecar keeps under `x_review_gate`: the round in work, caps, and what a person still owes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::FixResult;
use super::extra::Extra;
use super::id::SrId;
use super::sidecar::{Judgement, Rejected, Sidecar};
use super::token::{Lens, Mode, Outcome, Phase, Severity, Verdict};

/// The newest version that this tool writes.
pub const VERSION: u32 = 1;

/// All that format v1 has no place for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewGate {
    /// A higher one than [`VERSION`] is read, never written.
    pub version: u32,
    /// The commit that carries the log.
    #[serde(default)]
    pub anchor: String,
    /// The id of the log's last event.
    #[serde(default)]
    pub log_head: String,
    /// The number of the log's last event.
    #[serde(default)]
    pub seq: u64,
    /// Who approves.
    pub mode: Mode,
    /// What the run waits for.
    pub phase: Phase,
    /// What the run may use.
    pub caps: Caps,
    /// Caps that were raised.
    #[serde(default)]
    pub raises: Vec<Raise>,
    /// The number of the next new entry.
    pub next_id: u32,
    /// Entries that were dropped because their section is gone.
    #[serde(default)]
    pub stale: Vec<Stale>,
    /// Old slug → the slug it was renamed to by the loop's own edit.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// Entries whose question was skipped.
    #[serde(default)]
    pub pending: Vec<SrId>,
    /// Entries with an accepted edit that has not landed.
    #[serde(default)]
    pub owed: Vec<SrId>,
    /// All runs, this one last.
    #[serde(default)]
    pub runs: Vec<Run>,
    /// A write that has begun.
    #[serde(default)]
    pub intent: Option<Intent>,
    /// The round in work.
    #[serde(default)]
    pub open_round: Option<OpenRound>,
    /// What is kept of each recorded round.
    #[serde(default)]
    pub rounds: Vec<Kept>,
    /// The phase that a change from outside interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Phase>,
    /// What a raise of the caps goes back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_stop: Option<Box<BeforeStop>>,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// Rounds.
    pub rounds: u32,
    /// Launches.
    pub dispatches: u64,
    /// Seconds.
    pub seconds: u64,
}

/// Caps that were raised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Raise {
    /// By which event.
    pub seq: u64,
    /// To what.
    pub caps: Caps,
    /// By whom.
    #[serde(default)]
    pub by: String,
}

/// An entry whose section is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stale {
    /// Which.
    pub sr_id: SrId,
    /// What was outstanding: `unlanded`, `unconfirmed`, `pending`, `owed`.
    pub was: Vec<String>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// From 1.
    pub run: u32,
    /// The commit that carries its log.
    #[serde(default)]
    pub anchor: String,
    /// The first id that was free at its start.
    pub first_id: u32,
    /// The hash of the spec at its start.
    pub pre_hash: String,
    /// The copy of the spec, if one was taken.
    #[serde(default)]
    pub snapshot: Option<String>,
    /// The files of this run that were moved aside.
    #[serde(default)]
    pub archives: Vec<String>,
    /// What it used, once another has begun.
    #[serde(default)]
    pub totals: Option<Totals>,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Rounds.
    pub rounds: u32,
    /// Launches.
    pub dispatches: u64,
    /// Seconds.
    pub seconds: u64,
}

/// A write that has begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// The hash before.
    pub from: String,
    /// The hash after.
    pub to: String,
    /// The groups written.
    pub groups: Vec<String>,
}

/// A raw finding: what the reviewer said, where it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Raw {
    /// `r<round>.<lens>.<n>`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The entry it belongs to, once the round is sealed.
    #[serde(default)]
    pub sr_id: Option<SrId>,
    /// Who found it.
    pub lens: Lens,
    /// How bad.
    pub severity: Severity,
    /// As the reviewer named it.
    pub location: String,
    /// The section it was resolved to.
    pub slug: String,
    /// What is wrong.
    pub description: String,
    /// What would help.
    pub proposed_fix: String,
    /// A person must say how.
    pub needs_decision: bool,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A lens that did not return.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotReturned {
    /// Which.
    pub lens: Lens,
    /// Why.
    pub reason: String,
}

/// A challenger's verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// On what.
    pub sr_id: SrId,
    /// Which.
    pub verdict: Verdict,
    /// Why.
    pub justification: String,
}

/// A row in work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Whose.
    pub sr_id: SrId,
    /// In this round.
    pub severity: Severity,
    /// In this round.
    pub lenses: Vec<Lens>,
    /// Whether this round's panel found it; else it is carried.
    pub found: bool,
    /// How many verdicts it wants.
    pub wanted: u32,
    /// Once it is known.
    #[serde(default)]
    pub outcome: Option<Outcome>,
}

/// The round in work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenRound {
    /// From 1.
    pub round: u32,
    /// The hash of the text that the panel reads.
    pub source_hash: String,
    /// The lenses asked.
    pub panel: Vec<Lens>,
    /// Why these.
    pub panel_rationale: String,
    /// The headings of the sections, as written.
    pub units: Vec<String>,
    /// The lenses that returned.
    pub returned: Vec<Lens>,
    /// The lenses that did not.
    pub not_returned: Vec<NotReturned>,
    /// All findings so far; in order of discovery once all lenses are in.
    pub raw: Vec<Raw>,
    /// All candidates that reviewers dropped.
    pub rejected: Vec<Rejected>,
    /// All judgements so far.
    pub equivalence_log: Vec<Judgement>,
    /// The rows, once the round is sealed.
    #[serde(default)]
    pub rows: Option<Vec<Row>>,
    /// All verdicts so far.
    pub verdicts: Vec<Given>,
    /// What goes to the fixer.
    pub batch: Vec<SrId>,
    /// What came back.
    #[serde(default)]
    pub results: Option<BTreeMap<SrId, FixResult>>,
    /// The groups to be written.
    pub groups: Vec<String>,
    /// The fixer's remarks.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// What is kept of a recorded round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// From 1.
    pub round: u32,
    /// The hash of the text that the panel read.
    pub source_hash: String,
    /// The lenses that returned.
    pub returned: Vec<Lens>,
    /// The lenses that did not.
    pub not_returned: Vec<NotReturned>,
    /// The rows that the panel did not find.
    pub carried: Vec<SrId>,
    /// All verdicts.
    pub verdicts: Vec<Given>,
    /// All findings.
    pub raw: Vec<Raw>,
    /// Remarks.
    pub notes: Vec<String>,
    /// The outcomes that a stop replaced.
    pub settled: BTreeMap<SrId, Outcome>,
}

/// The check that stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// Before so many reviewers.
    Reviewers(u32),
    /// Before so many challengers.
    Challengers(u32),
    /// Before the fixer.
    Fixer,
    /// After a recorded round.
    Rounds,
}

/// The state before a budget check failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeforeStop {
    /// Which check.
    pub check: Check,
    /// The state before it.
    pub state: Sidecar,
}
