//! One line of the ledger: who said what, about which commit, having seen which other events.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::finding::{FindingFields, Origin, Severity};
use super::goal::{Authorization, Criterion, Goal};
use super::ids::{BlobId, CommitId, Digest, EventId, FindingId, TreeId};
use super::review::ReviewId;

/// The version of events that is written, and the highest that is understood.
pub const VERSION: u64 = 1;

/// An event as read from the ledger, or just made; only `ledger::codec` makes one, so its line and id agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// SHA-256 over the canonical JSON of the rest.
    pub id: EventId,
    /// What the writer had seen as heads.
    pub after: Vec<EventId>,
    /// When, as the writer's clock had it. For showing, never for deciding.
    pub at: String,
    /// Who, by git's committer identity.
    pub by: Person,
    /// What it speaks of.
    pub subject: Subject,
    /// What it says.
    pub body: Body,
    /// The line as stored, without its line feed: fields that are not known here are kept in it.
    pub line: Box<str>,
}

impl Event {
    /// The word of its kind, such as `finding.raised`.
    pub fn kind(&self) -> &str {
        self.body.kind()
    }
}

/// An event that has no id yet. The clock and the identity are the caller's.
#[derive(Debug, Clone, PartialEq)]
pub struct EventDraft {
    /// What the writer has seen as heads, of the same review.
    pub after: Vec<EventId>,
    /// When: RFC 3339, UTC, whole seconds.
    pub at: String,
    /// Who.
    pub by: Person,
    /// What it speaks of, pinned when the work started.
    pub subject: Subject,
    /// What it says.
    pub body: Body,
}

/// A committer identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Person {
    /// `user.email`
    pub email: String,
    /// `user.name`
    pub name: String,
}

/// The commit that an event speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The merge-base with the base; the commit itself without one.
    pub base: CommitId,
    /// The digest of author, time and first line of the message of `commit`: an amend, rebase or cherry-pick keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Digest>,
    /// The commit.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
}

/// What an event says, by kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// `finding.raised`
    Raised(Box<Raised>),
    /// `finding.resolved`
    Resolved(Resolved),
    /// `finding.verified`
    Verified(Verified),
    /// `finding.reopened`
    Reopened(Box<Reopened>),
    /// `finding.waived`
    Waived(Waived),
    /// `origin.passed`
    OriginPassed(OriginPassed),
    /// `rewrite`
    Rewrite(Rewrite),
    /// `line.discarded`
    LineDiscarded(LineDiscarded),
    /// `note.discarded`
    NoteDiscarded(NoteDiscarded),
    /// `review.opened`
    ReviewOpened(Box<ReviewOpened>),
    /// `review.amended`
    ReviewAmended(Box<ReviewAmended>),
    /// `review.closed`
    ReviewClosed(ReviewClosed),
    /// Any other kind, known elsewhere or not at all.
    Other(Other),
}

impl Body {
    /// The word of its kind.
    pub fn kind(&self) -> &str {
        match self {
            Self::Raised(_) => Raised::KIND,
            Self::Resolved(_) => Resolved::KIND,
            Self::Verified(_) => Verified::KIND,
            Self::Reopened(_) => Reopened::KIND,
            Self::Waived(_) => Waived::KIND,
            Self::OriginPassed(_) => OriginPassed::KIND,
            Self::Rewrite(_) => Rewrite::KIND,
            Self::LineDiscarded(_) => LineDiscarded::KIND,
            Self::NoteDiscarded(_) => NoteDiscarded::KIND,
            Self::ReviewOpened(_) => ReviewOpened::KIND,
            Self::ReviewAmended(_) => ReviewAmended::KIND,
            Self::ReviewClosed(_) => ReviewClosed::KIND,
            Self::Other(other) => &other.kind,
        }
    }

    /// The review that the body itself names.
    pub fn review(&self) -> Option<&str> {
        match self {
            Self::Raised(body) => body.review.as_ref().map(ReviewId::as_str),
            Self::Reopened(body) => body.review.as_ref().map(ReviewId::as_str),
            Self::OriginPassed(body) => body.review.as_ref().map(ReviewId::as_str),
            Self::ReviewOpened(body) => Some(body.review.as_str()),
            Self::ReviewAmended(body) => Some(body.review.as_str()),
            Self::ReviewClosed(body) => Some(body.review.as_str()),
            Self::Other(other) => other.value.get("review").and_then(Value::as_str),
            Self::Resolved(_)
            | Self::Verified(_)
            | Self::Waived(_)
            | Self::Rewrite(_)
            | Self::LineDiscarded(_)
            | Self::NoteDiscarded(_) => None,
        }
    }
}

/// The body of a kind that is not typed here.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// The word of the kind.
    pub kind: String,
    /// The body as JSON.
    pub value: Value,
}

/// A finding is raised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "RaisedInJson", into = "RaisedInJson")]
pub struct Raised {
    /// The finding, see [`FindingFields::identity`].
    pub finding: FindingId,
    /// Absent on a detached HEAD.
    pub review: Option<ReviewId>,
    /// In whose name.
    pub origin: Origin,
    /// What it says.
    pub fields: FindingFields,
}

/// Some openings are answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    /// The exact openings that it answers.
    pub closes: Vec<EventId>,
    /// The commit that holds the answer.
    pub commit: CommitId,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Some resolutions are accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The resolutions.
    pub confirms: Vec<EventId>,
    /// In whose name.
    pub origin: Origin,
}

/// A resolution does not hold, or a finding is there again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reopened {
    /// What is.
    pub actual: String,
    /// A verbatim excerpt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The finding.
    pub finding: FindingId,
    /// In whose name.
    pub origin: Origin,
    /// Absent on a detached HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewId>,
}

/// Some openings are accepted as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waived {
    /// The exact openings.
    pub closes: Vec<EventId>,
    /// Why.
    pub reason: String,
    /// The last day, UTC, on which it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
}

/// An origin accepts all resolutions of its findings; counts as [`Verified`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginPassed {
    /// The resolutions.
    pub confirms: Vec<EventId>,
    /// The origin.
    pub origin: Origin,
    /// Absent on a detached HEAD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewId>,
}

/// Commits were rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewrite {
    /// Which became which.
    pub pairs: Vec<RewritePair>,
}

/// One commit that took the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewritePair {
    /// The commit after.
    pub new: CommitId,
    /// The commit before.
    pub old: CommitId,
}

/// A corrupt line of the same note is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineDiscarded {
    /// The SHA-256 of its bytes, without the line feed.
    pub line: Digest,
    /// Why.
    pub reason: String,
}

/// A note that is over a limit is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteDiscarded {
    /// The object that the note stands on.
    pub anchor: CommitId,
    /// The note's blob.
    pub blob: BlobId,
    /// Why.
    pub reason: String,
}

/// A review is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewOpened {
    /// The merge-base at that time.
    pub anchor: CommitId,
    /// The base by name; absent where the branch has no base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_ref: Option<String>,
    /// The branch, by its short name.
    pub branch: String,
    /// The digest of the contract, where the goal names one that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract_digest: Option<Digest>,
    /// What is asked.
    pub goal: Goal,
    /// The digest of the goal.
    pub goal_digest: Digest,
    /// The review.
    pub review: ReviewId,
}

impl ReviewOpened {
    /// Whether it opened by itself with the first finding on its branch.
    pub fn is_implicit(&self) -> bool {
        self.review == ReviewId::implicit(&self.branch, self.anchor)
    }
}

/// A review gets more to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewAmended {
    /// Authorisations that are added.
    #[serde(default)]
    pub authorize: Vec<Authorization>,
    /// Criteria that are added.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
    /// The review.
    pub review: ReviewId,
}

/// A review ends; its findings stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewClosed {
    /// The review that takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_review: Option<ReviewId>,
    /// Why.
    pub reason: String,
    /// The review.
    pub review: ReviewId,
}

macro_rules! kinds {
    ($($body:ident $kind:literal $variant:expr;)*) => {
        $(
            impl $body {
                /// The word of this kind.
                pub const KIND: &'static str = $kind;
            }

            impl From<$body> for Body {
                fn from(body: $body) -> Self {
                    $variant(body)
                }
            }
        )*
    };
}

kinds! {
    Raised "finding.raised" |body| Body::Raised(Box::new(body));
    Resolved "finding.resolved" Body::Resolved;
    Verified "finding.verified" Body::Verified;
    Reopened "finding.reopened" |body| Body::Reopened(Box::new(body));
    Waived "finding.waived" Body::Waived;
    OriginPassed "origin.passed" Body::OriginPassed;
    Rewrite "rewrite" Body::Rewrite;
    LineDiscarded "line.discarded" Body::LineDiscarded;
    NoteDiscarded "note.discarded" Body::NoteDiscarded;
    ReviewOpened "review.opened" |body| Body::ReviewOpened(Box::new(body));
    ReviewAmended "review.amended" |body| Body::ReviewAmended(Box::new(body));
    ReviewClosed "review.closed" Body::ReviewClosed;
}

/// [`Raised`] as it stands in JSON, all fields side by side.
#[derive(Serialize, Deserialize)]
struct RaisedInJson {
    actual: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    criterion: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
    expected: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    finding: FindingId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    origin: Origin,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<ReviewId>,
    severity: Severity,
}

impl From<RaisedInJson> for Raised {
    fn from(json: RaisedInJson) -> Self {
        Self {
            finding: json.finding,
            review: json.review,
            origin: json.origin,
            fields: FindingFields {
                severity: json.severity,
                expected: json.expected,
                actual: json.actual,
                file: json.file,
                line: json.line,
                criterion: json.criterion,
                fix: json.fix,
                evidence: json.evidence,
            },
        }
    }
}

impl From<Raised> for RaisedInJson {
    fn from(raised: Raised) -> Self {
        let fields = raised.fields;
        Self {
            actual: fields.actual,
            criterion: fields.criterion,
            evidence: fields.evidence,
            expected: fields.expected,
            file: fields.file,
            finding: raised.finding,
            fix: fields.fix,
            line: fields.line,
            origin: raised.origin,
            review: raised.review,
            severity: fields.severity,
        }
    }
}

/// A day of the calendar, UTC, as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    date: u8,
}

/// Not a day of the calendar as `YYYY-MM-DD`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a day as YYYY-MM-DD")]
pub struct ParseDayError;

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        fn number(digits: &[u8]) -> Option<u16> {
            digits.iter().try_fold(0, |number: u16, digit| {
                digit
                    .is_ascii_digit()
                    .then(|| number * 10 + u16::from(digit - b'0'))
            })
        }
        let parse = || {
            let text: &[u8; 10] = text.as_bytes().try_into().ok()?;
            if text[4] != b'-' || text[7] != b'-' {
                return None;
            }
            let year = number(&text[..4])?;
            let month = u8::try_from(number(&text[5..7])?).ok()?;
            let day = u8::try_from(number(&text[8..])?).ok()?;
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
                4 | 6 | 9 | 11 => 30,
                2 => 28 + u8::from(leap),
                _ => return None,
            };
            (1..=days).contains(&day).then_some(Self {
                year,
                month,
                date: day,
            })
        };
        parse().ok_or(ParseDayError)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.date)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days_of_the_calendar() {
        for day in ["2024-02-29", "2026-12-31", "2000-02-29"] {
            assert_eq!(day.parse::<Day>().unwrap().to_string(), day);
        }
        for no_day in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-1-01",
            "2026-01-00",
            "+026-01-01",
            "",
        ] {
            assert_eq!(no_day.parse::<Day>(), Err(ParseDayError), "{no_day}");
        }
        assert!("2026-12-31".parse::<Day>().unwrap() < "2027-01-01".parse::<Day>().unwrap());
    }
}
