//! The events of a spec review.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::extra::Extra;
use super::id::SrId;
use super::sidecar::{Edit, Sidecar};
use super::token::{Choice, Mode, Severity, Verdict};
use super::work::Caps;

/// One thing that happened; `e` names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "e", rename_all = "kebab-case")]
pub enum Event {
    /// A first run begins.
    Init(Init),
    /// A run goes on from a sidecar written elsewhere.
    Import(Import),
    /// A panel is chosen.
    Panel(Panel),
    /// A reviewer returned.
    Intake(Intake),
    /// A reviewer failed twice.
    Absent(Absent),
    /// Two findings were judged.
    Equate(Equate),
    /// All pairs are judged, the new defects have a phrase.
    Seal(Seal),
    /// A challenger returned, or failed twice.
    Verdict(VerdictGiven),
    /// A person answered.
    Decide(Decide),
    /// The fixer's answer was matched.
    Fixes(Fixes),
    /// A person answered at the gate.
    Gate(Gate),
    /// The write begins.
    Writing(Writing),
    /// The write did not happen.
    Unwritten,
    /// The write happened.
    Landed(Landed),
    /// The spec has other bytes than it should.
    Tampered(Tampered),
    /// These bytes are taken as they are.
    Adopt(Adopt),
    /// The run is given up.
    Stop(Stop),
    /// The caps are raised.
    Raise(Raised),
    /// A further run begins.
    NewRun(NewRun),
}

/// Launches and time that an event stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Launches, if not the usual number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Seconds.
    #[serde(default)]
    pub seconds: u64,
}

/// A first run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Init {
    /// Relative to the root of the repository.
    pub spec_path: String,
    /// Of the spec.
    pub hash: String,
    /// Who approves.
    pub mode: Mode,
    /// What it may use.
    pub caps: Caps,
    /// The commit that carries the log.
    #[serde(default)]
    pub anchor: String,
}

/// A sidecar written elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// As it was read.
    pub sidecar: Box<Sidecar>,
    /// Who approves.
    pub mode: Mode,
    /// What it may use.
    pub caps: Caps,
    /// The commit that carries the log.
    #[serde(default)]
    pub anchor: String,
}

/// A panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// As named; a name outside the roster is no panel.
    pub lenses: Vec<String>,
    /// Why these.
    pub rationale: String,
    /// The headings of the sections.
    pub units: Vec<String>,
}

/// What one reviewer found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intake {
    /// Whose.
    pub lens: String,
    /// In its own order.
    pub findings: Vec<Reported>,
    /// Candidates that it dropped itself.
    pub rejected: Vec<String>,
    /// What it cost.
    #[serde(flatten)]
    pub spent: Spent,
}

/// A finding as reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// How bad.
    pub severity: Severity,
    /// As the reviewer named it.
    #[serde(default)]
    pub location: String,
    /// The section it was resolved to.
    pub slug: String,
    /// What is wrong.
    pub description: String,
    /// What would help.
    #[serde(default)]
    pub proposed_fix: String,
    /// A person must say how.
    #[serde(default)]
    pub needs_decision: bool,
    /// Keys of others.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A reviewer that failed twice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Absent {
    /// Whose.
    pub lens: String,
    /// Why.
    pub reason: String,
    /// What it cost.
    #[serde(flatten)]
    pub spent: Spent,
}

/// A judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Equate {
    /// A finding's reference or an entry's id.
    pub a: String,
    /// The other.
    pub b: String,
    /// Whether they are one defect.
    #[serde(rename = "match")]
    pub is_match: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The phrases of the new defects, by the reference of any member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seal {
    /// Reference → phrase.
    pub phrases: BTreeMap<String, String>,
}

/// A verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerdictGiven {
    /// On what.
    pub sr_id: SrId,
    /// Which.
    pub verdict: Verdict,
    /// Why.
    #[serde(default)]
    pub justification: String,
    /// What it cost.
    #[serde(flatten)]
    pub spent: Spent,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decide {
    /// To what.
    pub sr_id: SrId,
    /// `keep-as-is` or `accepted`.
    pub decision: String,
    /// The text agreed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
}

/// What became of each member of the batch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fixes {
    /// By entry.
    #[serde(default)]
    pub results: BTreeMap<SrId, FixResult>,
    /// Whether the fixer failed twice.
    #[serde(default)]
    pub missing: bool,
    /// The fixer's remarks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// What it cost.
    #[serde(flatten)]
    pub spent: Spent,
}

/// What became of one member of the batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub enum FixResult {
    /// It can be written.
    Ok {
        /// With these others.
        group: String,
    },
    /// It cannot.
    Failed {
        /// The reason.
        why: String,
    },
    /// The defect is gone.
    Obsolete {
        /// Text of the spec that shows it.
        evidence: String,
    },
}

/// The answer at the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// Which.
    pub choice: Choice,
    /// For a subset.
    #[serde(default)]
    pub groups: Vec<String>,
}

/// A write begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Writing {
    /// The hash before.
    pub from: String,
    /// The hash after.
    pub to: String,
}

/// A write happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Landed {
    /// Of the new text.
    pub hash: String,
    /// The headings of the new text, if they were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<Vec<String>>,
}

/// Other bytes were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tampered {
    /// Of what was found.
    pub hash: String,
}

/// Other bytes are taken as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Adopt {
    /// Of what was found.
    pub hash: String,
    /// Its sections.
    pub slugs: Vec<String>,
}

/// The run is given up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// `external-edit` or `interaction-unavailable`.
    pub reason: String,
}

/// Higher caps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Raised {
    /// All three.
    pub caps: Caps,
    /// By whom.
    #[serde(default)]
    pub by: String,
}

/// A further run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewRun {
    /// Of the spec.
    pub hash: String,
    /// Its sections.
    pub slugs: Vec<String>,
    /// Who approves.
    pub mode: Mode,
    /// What it may use.
    pub caps: Caps,
    /// The commit that carries the log.
    #[serde(default)]
    pub anchor: String,
}
