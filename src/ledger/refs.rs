//! The notes refs of the ledger, and the marks that go with each.

use crate::error::{Error, Result};
use crate::model::ids::Oid;

/// Where the notes refs lie unless policy says otherwise.
pub const DEFAULT_PREFIX: &str = "refs/notes/review-gate";

/// One of the notes refs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotesRef {
    /// Findings: raised, resolved, verified, waived, reopened. Anchored on the commit under review.
    Findings,
    /// Reviews, packets, records, rulings, evidence, rewrites. Anchored on the commit it speaks of.
    Reviews,
    /// Spec-review events. Anchored on the commit that was `HEAD` when the run started.
    Specs,
    /// Quality-matrix results. Anchored on the judged commit.
    Quality,
}

impl NotesRef {
    /// All of them, in the order in which they are written: a review is there before its findings.
    pub const ALL: [Self; 4] = [Self::Reviews, Self::Findings, Self::Specs, Self::Quality];

    /// The last part of its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Findings => "findings",
            Self::Reviews => "reviews",
            Self::Specs => "specs",
            Self::Quality => "quality",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|notes_ref| notes_ref.as_str() == name)
    }

    /// The ref that holds the last tip seen, so that its objects stay and a rollback is noticed.
    pub fn seen(self) -> String {
        format!("refs/review-gate/seen/{}", self.as_str())
    }
}

/// One line for the note of one object in one of the notes refs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Addition {
    /// In which ref.
    pub notes_ref: NotesRef,
    /// The object the note is about.
    pub anchor: Oid,
    /// The event as it is stored, without line feed.
    pub line: Box<str>,
}

/// Where the notes refs of a repository lie: below `refs/notes/`, as policy says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix(String);

impl Default for Prefix {
    fn default() -> Self {
        Self(DEFAULT_PREFIX.to_owned())
    }
}

impl Prefix {
    /// Takes a prefix such as `refs/notes/review-gate`.
    pub fn new(prefix: &str) -> Result<Self> {
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let below = prefix.strip_prefix("refs/notes/").unwrap_or_default();
        let fits = !below.is_empty()
            && below.split('/').all(|part| {
                !part.is_empty()
                    && !part.starts_with('.')
                    && !part.to_ascii_lowercase().ends_with(".lock")
                    && !part.contains("..")
                    && part
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
            });
        if fits {
            Ok(Self(prefix.to_owned()))
        } else {
            Err(Error::new(
                "config",
                format!(
                    "{} is no prefix for notes refs",
                    crate::model::text::sanitise(prefix)
                ),
            )
            .because("it must lie below refs/notes/ and hold letters, digits, `-`, `_` and `.` only"))
        }
    }

    /// The prefix without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The full name of one of the notes refs.
    pub fn full(&self, notes_ref: NotesRef) -> String {
        format!("{}/{}", self.0, notes_ref.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_lie_below_refs_notes() {
        assert_eq!(
            Prefix::new("refs/notes/team/gate/").unwrap().as_str(),
            "refs/notes/team/gate"
        );
        for wrong in [
            "",
            "refs/notes",
            "refs/notes/",
            "refs/heads/x",
            "refs/notes/../heads",
            "refs/notes/a b",
            "refs/notes/a.lock",
        ] {
            assert!(Prefix::new(wrong).is_err(), "{wrong}");
        }
    }
}
