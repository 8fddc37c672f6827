//! Why findings are refused: which entry, which field, which rule.

use std::fmt;

use crate::error::Error;
use crate::model::text::sanitise;
use crate::model::words::words;

words! {
    /// The rule that a field breaks.
    Reason {
        /// A required field is not there.
        Missing = "missing",
        /// Nothing but white space.
        Empty = "empty",
        /// A word that stands for a text still to be written.
        Placeholder = "placeholder",
        /// Over the limit of the field.
        TooLong = "too-long",
        /// Not the JSON type of the field.
        WrongType = "wrong-type",
        /// Not one of the four severities.
        UnknownSeverity = "unknown-severity",
        /// A line end or control character in a text of one line.
        ControlCharacter = "control-character",
        /// The path starts at the root of a file system.
        Absolute = "absolute",
        /// The path starts with a drive.
        DriveLetter = "drive-letter",
        /// The path has a backslash.
        Backslash = "backslash",
        /// The path has a segment `.` or `..`.
        DotSegment = "dot-segment",
        /// The path has an empty segment.
        EmptySegment = "empty-segment",
        /// Neither the commit nor its base has the file.
        NotInTree = "not-in-tree",
        /// A folder or submodule stands there.
        NotAFile = "not-a-file",
        /// A line without a file.
        NeedsFile = "needs-file",
        /// A line below 1.
        NotPositive = "not-positive",
        /// A line after the last one of the file.
        PastEnd = "past-end",
        /// Not exactly one criterion of the review.
        UnknownCriterion = "unknown-criterion",
        /// An origin that the policy does not know.
        UnknownOrigin = "unknown-origin",
        /// A field that findings do not have.
        UnknownField = "unknown-field",
        /// The same field twice.
        DuplicateField = "duplicate-field",
        /// The same finding twice in one call.
        SameFinding = "same-finding",
        /// No finding at all.
        NoneGiven = "none-given",
        /// Over ten findings.
        TooMany = "too-many",
        /// An entry is not an object.
        NotAnObject = "not-an-object",
        /// The whole is not a list of findings.
        NotAList = "not-a-list",
        /// The whole is not JSON.
        NotJson = "not-json",
    }
}

impl Reason {
    /// What is wrong, for people.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Missing => "is required",
            Self::Empty => "is empty",
            Self::Placeholder => "is a placeholder, not a description",
            Self::TooLong => "is too long, and nothing is cut",
            Self::WrongType => "is of the wrong type",
            Self::UnknownSeverity => "is none of blocker, major, minor, nit",
            Self::ControlCharacter => "has a line end or control character",
            Self::Absolute => "is absolute, not relative to the repository",
            Self::DriveLetter => "starts with a drive letter",
            Self::Backslash => "has a backslash, paths are written with /",
            Self::DotSegment => "has a segment . or ..",
            Self::EmptySegment => "has an empty segment",
            Self::NotInTree => "is in neither the commit nor its base",
            Self::NotAFile => "is not a file",
            Self::NeedsFile => "needs a file",
            Self::NotPositive => "is below 1",
            Self::PastEnd => "is past the end of the file",
            Self::UnknownCriterion => "is not exactly one criterion of the review",
            Self::UnknownOrigin => "is not known to the policy",
            Self::UnknownField => "is not a field of a finding",
            Self::DuplicateField => "is given twice",
            Self::SameFinding => "is the same finding as an entry before it",
            Self::NoneGiven => "no finding is given",
            Self::TooMany => "more than 10 findings are given at once",
            Self::NotAnObject => "is not an object",
            Self::NotAList => "is not a list of findings",
            Self::NotJson => "is not JSON",
        }
    }
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The entry, counted from 0; `None`: the whole call.
    pub index: Option<usize>,
    /// The field or, for the whole call, the part of it.
    pub field: Option<String>,
    /// The rule.
    pub reason: Reason,
}

impl Refusal {
    /// A fault of the call as a whole.
    pub(super) fn of_call(field: Option<&str>, reason: Reason) -> Self {
        Self {
            index: None,
            field: field.map(str::to_owned),
            reason,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "entry {index}: ")?;
        }
        if let Some(field) = &self.field {
            write!(f, "{} ", sanitise(field))?;
        }
        write!(f, "{} ({})", self.reason.explanation(), self.reason)
    }
}

/// The error that names every fault; nothing was stored.
pub fn refused(refusals: &[Refusal]) -> Error {
    let error = Error::new("finding-invalid", "the findings are refused, nothing is stored");
    let error = refusals
        .iter()
        .fold(error, |error, refusal| error.because(refusal.to_string()));
    let points_nowhere = refusals.iter().any(|refusal| refusal.reason == Reason::NotInTree);
    let error = error.hint("git review-gate finding add --help");
    if points_nowhere {
        error.hint("--allow-missing-file takes a file that neither tree has")
    } else {
        error
    }
}
