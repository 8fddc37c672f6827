//! What a review is asked to judge: the goal, its criteria, and what the change may remove or weaken.

use serde::{Deserialize, Serialize};

/// The goal of a review. All of it may be absent: that of an implicit review is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Goal {
    /// What the change is for, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The case that the branch was opened for, in the reporter's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What must hold, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Criterion>,
    /// Path of the approved spec inside the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// What may drift, and under which criterion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authorize: Vec<Authorization>,
}

/// One acceptance criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// Short and unique within the goal, such as `AC-1`.
    pub id: String,
    /// What must hold.
    pub text: String,
}

/// Drift that a criterion allows; the lists hold globs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authorization {
    /// Id of the criterion.
    pub criterion: String,
    /// Public API that may change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub api: Vec<String>,
    /// Tests that may be removed or weakened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Golden files that may change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub golden: Vec<String>,
}

impl Goal {
    /// The criterion that `reference` names by its id or by its whole text, if exactly one does.
    pub fn criterion(&self, reference: &str) -> Option<&Criterion> {
        let mut named = self
            .criteria
            .iter()
            .filter(|criterion| criterion.id == reference || criterion.text == reference);
        named.next().filter(|_| named.next().is_none())
    }
}
