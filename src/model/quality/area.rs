//! The fourteen areas, their scores from 1 to 4, and what follows from a score.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::model::words::words;

/// The score that every area must reach. Nothing lowers it.
pub const MINIMUM_SCORE: u8 = 3;

words! {
    /// What of a review process is scored.
    Area {
        /// Whether every file was reviewed from every required viewpoint.
        Coverage = "coverage",
        /// Whether known defects were found.
        Detection = "detection",
        /// How little was noise.
        Precision = "precision",
        /// Whether the severities are right.
        Severity = "severity",
        /// Whether findings and comments say what to do.
        Actionability = "actionability",
        /// Whether comments land on real lines.
        Comments = "comments",
        /// Whether secrets leaked or something unsafe was done.
        Security = "security",
        /// Whether runs complete, and nothing incomplete or stale was accepted.
        Reliability = "reliability",
        /// How long it takes.
        Speed = "speed",
        /// How many tokens it takes.
        TokenEfficiency = "token-efficiency",
        /// How few calls are wasted or repeated.
        BatchEfficiency = "batch-efficiency",
        /// Whether what was learned is kept and helps.
        MemoryLearning = "memory-learning",
        /// Whether a configuration is checked.
        Configuration = "configuration",
        /// Whether the systems around it work together.
        Integration = "integration",
    }
}

words! {
    /// What follows from a score.
    AreaStatus {
        /// At least 3.
        Passed = "passed",
        /// 1 or 2.
        Failed = "failed",
        /// There is no score.
        NotMeasured = "not-measured",
        /// There is nothing to measure: what it is about is switched off.
        NotApplicable = "not-applicable",
    }
}

impl AreaStatus {
    /// The status of a score; without one it was not measured.
    pub const fn of(score: Option<u8>) -> Self {
        match score {
            None => Self::NotMeasured,
            Some(MINIMUM_SCORE..) => Self::Passed,
            Some(_) => Self::Failed,
        }
    }

    /// Whether an area with this status may pass.
    pub const fn passes(self) -> bool {
        matches!(self, Self::Passed | Self::NotApplicable)
    }
}

/// What one area came to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AreaSummary {
    /// The area.
    pub area: Area,
    /// From 1 to 4; null where it was not measured or does not apply.
    pub score: Option<u8>,
    /// What follows from it.
    pub status: AreaStatus,
    /// The measurements it rests on; one that is not known is `missing`.
    pub metrics: BTreeMap<String, Value>,
    /// What decided the score, for people.
    pub reason: String,
}

impl AreaSummary {
    /// An area of which nothing is known.
    pub fn not_measured(area: Area, reason: impl Into<String>) -> Self {
        Self {
            area,
            score: None,
            status: AreaStatus::NotMeasured,
            metrics: BTreeMap::new(),
            reason: reason.into(),
        }
    }
}
