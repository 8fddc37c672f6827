//! What `init` came to.

use schemars::JsonSchema;
use serde::Serialize;

use super::hooks::{HooksChange, Mode};

/// What `init` did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InitReport {
    /// Always `review-gate/init`.
    pub schema: &'static str,
    /// Always 1.
    pub version: u32,
    /// `done`, or `planned` with `--dry-run`.
    pub mode: Mode,
    /// Each part, in the order in which it is done.
    pub parts: Vec<InitPart>,
    /// The hooks in detail; null when they could not be planned.
    pub hooks: Option<HooksChange>,
    /// Commands that are left to the user, in order.
    pub next: Vec<String>,
}

/// One part of setting up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InitPart {
    /// What it is about.
    pub part: PartName,
    /// What became of it.
    pub state: PartState,
    /// The same for people, and why.
    pub note: String,
}

/// The parts of setting up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartName {
    /// `.review-gate.toml`
    Policy,
    /// The hook files.
    Hooks,
    /// Keys of this repository's configuration.
    Settings,
    /// The first exchange of notes with the remote.
    Sync,
}

impl PartName {
    /// The word that people see.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Hooks => "hooks",
            Self::Settings => "settings",
            Self::Sync => "sync",
        }
    }
}

/// What became of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartState {
    /// Done now (or would be, with `--dry-run`).
    Changed,
    /// Was so already.
    Kept,
    /// There is nothing to do here.
    Skipped,
    /// Could not be done; `note` says why.
    Failed,
}

impl InitReport {
    /// Whether every part is in place.
    pub fn is_complete(&self) -> bool {
        self.parts.iter().all(|part| part.state != PartState::Failed)
    }
}
