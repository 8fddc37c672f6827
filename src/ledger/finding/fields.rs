//! The rules of the single fields of a finding.

use serde_json::Value;

use super::input;
use super::path;
use super::placeholder::is_placeholder;
use super::refusal::{Reason, Refusal};
use super::{Context, Entry, MissingFile, Side};
use crate::error::Result;
use crate::model::finding::FindingFields;
use crate::model::severity::Severity;

/// All fields, in the order in which faults are named.
const FIELDS: [&str; 8] = [
    "severity",
    "expected",
    "actual",
    "file",
    "line",
    "criterion",
    "fix",
    "evidence",
];

/// The longest `expected` and `actual`, in characters.
pub(super) const MAX_TEXT: usize = 300;

/// The longest `fix`, in characters.
const MAX_FIX: usize = 500;

/// The longest `evidence`, in characters.
pub(super) const MAX_EVIDENCE: usize = 2000;

/// The longest `criterion`, in characters.
const MAX_CRITERION: usize = 1000;

/// Judges one entry. The outer error: a tree cannot be read.
pub(super) fn check(
    entry: &input::Entry,
    context: &Context<'_>,
) -> Result<Result<FindingFields, Vec<Refusal>>> {
    let Some(members) = &entry.members else {
        return Ok(Err(vec![entry.refusal(None, Reason::NotAnObject)]));
    };
    let given = Given { members };
    let mut faults: Vec<(&str, Reason)> = Vec::new();
    let severity = given
        .severity()
        .map_err(|reason| faults.push(("severity", reason)));
    let expected = given
        .required("expected")
        .map_err(|reason| faults.push(("expected", reason)));
    let actual = given
        .required("actual")
        .map_err(|reason| faults.push(("actual", reason)));
    let file = checked_file(given, context)?.map_err(|reason| faults.push(("file", reason)));
    let line = match checked_line(given, file.as_ref().ok().and_then(Option::as_deref), context)? {
        // A line cannot be judged against a file that is refused itself.
        Err(Reason::NeedsFile) if file.is_err() => Ok(None),
        line => line,
    };
    let line = line.map_err(|reason| faults.push(("line", reason)));
    let criterion = given
        .criterion(context)
        .map_err(|reason| faults.push(("criterion", reason)));
    let fix = given
        .line_of_text("fix", MAX_FIX)
        .map_err(|reason| faults.push(("fix", reason)));
    let evidence = given
        .evidence()
        .map_err(|reason| faults.push(("evidence", reason)));

    let mut refusals: Vec<Refusal> = faults
        .into_iter()
        .map(|(field, reason)| entry.refusal(Some(field), reason))
        .collect();
    for (place, (key, _)) in members.iter().enumerate() {
        if !FIELDS.contains(&key.as_str()) {
            refusals.push(entry.refusal(Some(key), Reason::UnknownField));
        } else if members[..place].iter().any(|(earlier, _)| earlier == key) {
            refusals.push(entry.refusal(Some(key), Reason::DuplicateField));
        }
    }
    match (severity, expected, actual, file, line, criterion, fix, evidence) {
        (
            Ok(severity),
            Ok(expected),
            Ok(actual),
            Ok(file),
            Ok(line),
            Ok(criterion),
            Ok(fix),
            Ok(evidence),
        ) if refusals.is_empty() => Ok(Ok(FindingFields {
            severity,
            expected,
            actual,
            file,
            line,
            criterion,
            fix,
            evidence,
        })),
        _ => Ok(Err(refusals)),
    }
}

/// The members of an entry.
#[derive(Clone, Copy)]
struct Given<'a> {
    members: &'a [(String, Value)],
}

impl<'a> Given<'a> {
    /// A member; null is absent.
    fn value(self, field: &str) -> Option<&'a Value> {
        let member = self.members.iter().find(|(key, _)| key == field);
        member.map(|(_, value)| value).filter(|value| !value.is_null())
    }

    fn text(self, field: &str) -> Result<Option<&'a str>, Reason> {
        self.value(field)
            .map(|value| value.as_str().ok_or(Reason::WrongType))
            .transpose()
    }

    fn severity(self) -> Result<Severity, Reason> {
        let word = self.text("severity")?.ok_or(Reason::Missing)?;
        word.parse().map_err(|_| Reason::UnknownSeverity)
    }

    fn required(self, field: &str) -> Result<String, Reason> {
        self.line_of_text(field, MAX_TEXT)?.ok_or(Reason::Missing)
    }

    fn line_of_text(self, field: &str, max: usize) -> Result<Option<String>, Reason> {
        self.text(field)?.map(|text| one_line(text, max)).transpose()
    }

    fn criterion(self, context: &Context<'_>) -> Result<Option<String>, Reason> {
        let Some(text) = self.text("criterion")?.map(str::trim) else {
            return Ok(None);
        };
        if text.is_empty() {
            return Err(Reason::Empty);
        }
        if text.chars().count() > MAX_CRITERION {
            return Err(Reason::TooLong);
        }
        let mut named = context
            .criteria
            .iter()
            .filter(|criterion| criterion.id == text || criterion.text.trim() == text);
        match (named.next(), named.next()) {
            (Some(criterion), None) => Ok(Some(criterion.id.clone())),
            _ => Err(Reason::UnknownCriterion),
        }
    }

    fn evidence(self) -> Result<Option<String>, Reason> {
        let Some(text) = self.text("evidence")? else {
            return Ok(None);
        };
        // Verbatim: only the line ends around it go, the first line may be indented.
        let text = text.trim_matches(['\n', '\r']);
        if text.trim().is_empty() {
            return Err(Reason::Empty);
        }
        if text.chars().count() > MAX_EVIDENCE {
            return Err(Reason::TooLong);
        }
        if is_placeholder(text) {
            return Err(Reason::Placeholder);
        }
        Ok(Some(text.to_owned()))
    }
}

/// A text of one line, trimmed: not empty, not a placeholder, at most `max` characters, no control character.
pub(super) fn one_line(text: &str, max: usize) -> Result<String, Reason> {
    let text = text.trim();
    if text.is_empty() {
        Err(Reason::Empty)
    } else if text.chars().any(char::is_control) {
        Err(Reason::ControlCharacter)
    } else if text.chars().count() > max {
        Err(Reason::TooLong)
    } else if is_placeholder(text) {
        Err(Reason::Placeholder)
    } else {
        Ok(text.to_owned())
    }
}

/// The side on which a path is a file: the commit under review, else its base.
fn side_of(path: &str, context: &Context<'_>) -> Result<Result<Option<Side>, Reason>> {
    let mut other = false;
    for side in [Side::Subject, Side::Base] {
        match context.files.entry(side, path)? {
            Entry::File => return Ok(Ok(Some(side))),
            Entry::Other => other = true,
            Entry::Absent => {}
        }
    }
    Ok(match context.missing_file {
        MissingFile::Allow => Ok(None),
        MissingFile::Refuse if other => Err(Reason::NotAFile),
        MissingFile::Refuse => Err(Reason::NotInTree),
    })
}

fn checked_file(given: Given<'_>, context: &Context<'_>) -> Result<Result<Option<String>, Reason>> {
    let path = match given.text("file") {
        Ok(Some(path)) => path,
        Ok(None) => return Ok(Ok(None)),
        Err(reason) => return Ok(Err(reason)),
    };
    match (path::fault(path), context.missing_file) {
        (None, _) => {}
        // No tree has such a path. For a URL or a remark in place of a path, that says more than its slashes do.
        (Some(Reason::EmptySegment), MissingFile::Refuse) => return Ok(Err(Reason::NotInTree)),
        (Some(reason), _) => return Ok(Err(reason)),
    }
    Ok(side_of(path, context)?.map(|_| Some(path.to_owned())))
}

/// `file` has been accepted already.
fn checked_line(
    given: Given<'_>,
    file: Option<&str>,
    context: &Context<'_>,
) -> Result<Result<Option<u64>, Reason>> {
    let Some(value) = given.value("line") else {
        return Ok(Ok(None));
    };
    let Some(line) = value.as_u64() else {
        let negative = value.as_i64().is_some();
        return Ok(Err(if negative {
            Reason::NotPositive
        } else {
            Reason::WrongType
        }));
    };
    if line == 0 {
        return Ok(Err(Reason::NotPositive));
    }
    let Some(file) = file else {
        return Ok(Err(Reason::NeedsFile));
    };
    if let Ok(Some(side)) = side_of(file, context)?
        && line > context.files.lines(side, file)?
    {
        return Ok(Err(Reason::PastEnd));
    }
    Ok(Ok(Some(line)))
}
