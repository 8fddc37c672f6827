//! A finding: what a reviewer saw that should be otherwise, and what has become of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::canonical;
use super::ids::{CommitId, EventId, FindingId};
use super::review::ReviewId;
use super::severity::Severity;
use super::text::sanitise;
use super::words::words;

/// Who speaks: the role in whose name a finding is raised and its answer confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Origin(pub String);

impl Origin {
    /// The name of the origin.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What a finding says. Texts are trimmed; absent is `None`, never an empty text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingFields {
    /// How much it matters.
    pub severity: Severity,
    /// What should be.
    pub expected: String,
    /// What is.
    pub actual: String,
    /// Where: a path from the top of the repository, with `/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in that file, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Id of the criterion that it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criterion: Option<String>,
    /// What to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// A verbatim excerpt; may have several lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

impl FindingFields {
    /// The identity of a finding that says this: no line, author, time or severity takes part,
    /// so raising the same again, by anybody and anywhere, is the same finding.
    pub fn identity(&self) -> FindingId {
        #[derive(Serialize)]
        struct Identity<'a> {
            actual: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            criterion: Option<&'a str>,
            expected: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            file: Option<&'a str>,
        }
        let identity = Identity {
            actual: &self.actual,
            criterion: self.criterion.as_deref(),
            expected: &self.expected,
            file: self.file.as_deref(),
        };
        let digest = canonical::digest("review-gate/finding/v1\n", &identity);
        FindingId(digest.expect("a struct of texts serialises").0)
    }

    /// The one line that shows a finding, the same everywhere; never wrapped or cut.
    pub fn line_of(&self, id: FindingId) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{}:{line}", sanitise(file)),
            (Some(file), None) => sanitise(file),
            (None, _) => "—".to_owned(),
        };
        let (severity, expected, actual) = (self.severity, sanitise(&self.expected), sanitise(&self.actual));
        let mut line = format!("[{}] {place} ({severity}) — {expected} → {actual}", id.short());
        if let Some(fix) = &self.fix {
            line.push_str(" → ");
            line.push_str(&sanitise(fix));
        }
        line
    }
}

words! {
    /// What has become of an opening, or of a finding: of several openings the first in this order counts.
    State {
        /// Nothing answers it.
        Open = "open",
        /// A resolution answers it; its origin has not confirmed that.
        Addressed = "addressed",
        /// A waiver that is live today closes it.
        Waived = "waived",
        /// Its own origin confirmed a resolution.
        Verified = "verified",
    }
}

/// A finding as the events of a view leave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is known by.
    pub id: FindingId,
    /// The first of open, addressed, waived, verified that any of its openings has.
    pub state: State,
    /// What it says. The severity is the highest of its open openings, or of all when none is open;
    /// line, fix and evidence are those of the last raising.
    pub fields: FindingFields,
    /// The highest round of its openings.
    pub round: u32,
    /// The origins of all openings, sorted, each once.
    pub origins: Vec<Origin>,
    /// The review of its last raising; `None` when that was filed on a detached HEAD.
    pub review: Option<ReviewId>,
    /// The commit under review at its last raising.
    pub commit: CommitId,
    /// Every `raised` and `reopened` event of it, in causal order, then by id.
    pub openings: Vec<Opening>,
}

impl Finding {
    /// The one line that shows it.
    pub fn line(&self) -> String {
        self.fields.line_of(self.id)
    }

    /// The openings that nothing closes, in causal order, then by id.
    pub fn open(&self) -> impl Iterator<Item = &Opening> {
        self.openings
            .iter()
            .filter(|opening| opening.state == State::Open)
    }

    /// By this findings are listed: open ones first, the worst first, then by file and line, then by id.
    pub fn list_key(&self) -> impl Ord + '_ {
        // The first severity is the worst.
        (
            self.state,
            self.fields.severity,
            &self.fields.file,
            self.fields.line,
            self.id,
        )
    }

    /// Whether a `raised` event is among its openings. Without one only a reopening speaks of it:
    /// what was expected is not known here, and the severity counts as the highest.
    pub fn is_raised(&self) -> bool {
        self.openings
            .iter()
            .any(|opening| opening.kind == OpeningKind::Raised)
    }
}

/// A `raised` or `reopened` event, and what has become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The event.
    pub event: EventId,
    /// Which of the two it is.
    pub kind: OpeningKind,
    /// In whose name.
    pub origin: Origin,
    /// Its own severity; for a reopening the highest of all raisings of the finding.
    pub severity: Severity,
    /// What has become of it.
    pub state: State,
    /// Counted from 1 within its review.
    pub round: u32,
    /// The review in which it counts.
    pub review: Option<ReviewId>,
    /// The commit under review.
    pub commit: CommitId,
    /// The resolutions that answer it, sorted by id.
    pub resolutions: Vec<EventId>,
    /// The live waivers that close it, sorted by id.
    pub waivers: Vec<EventId>,
}

/// Which of the two kinds of opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpeningKind {
    /// `finding.raised`
    Raised,
    /// `finding.reopened`
    Reopened,
}
