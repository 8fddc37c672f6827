//! The rejection of a sign-off, as a finding.

use super::fields::{MAX_EVIDENCE, MAX_TEXT, one_line};
use super::refusal::Reason;
use crate::model::finding::{FindingFields, Origin};
use crate::model::severity::Severity;

/// The finding that rejects a sign-off for this reason, and in whose name it is raised.
///
/// A reason that is too long for `actual` is kept whole as `evidence`; `actual` is its beginning and says how much
/// is left out.
pub fn reject(reason: &str) -> Result<(Origin, FindingFields), Reason> {
    let reason = one_line(reason, MAX_EVIDENCE)?;
    let length = reason.chars().count();
    let (actual, evidence) = if length > MAX_TEXT {
        (beginning(&reason, length), Some(reason))
    } else {
        (reason, None)
    };
    let fields = FindingFields {
        severity: Severity::Blocker,
        expected: "sign-off".to_owned(),
        actual,
        file: None,
        line: None,
        criterion: None,
        fix: None,
        evidence,
    };
    Ok((Origin("ceo".to_owned()), fields))
}

/// As much of the beginning as leaves room for saying how much is left out, within the limit.
fn beginning(reason: &str, length: usize) -> String {
    let mark = |omitted: usize| format!("…[{omitted} characters omitted]");
    // The mark gets longer with its number, at most once on the way down.
    let kept = (0..MAX_TEXT)
        .rev()
        .find(|kept| kept + mark(length - kept).chars().count() <= MAX_TEXT);
    let kept = kept.expect("the mark alone is shorter than the limit");
    reason
        .chars()
        .take(kept)
        .chain(mark(length - kept).chars())
        .collect()
}
