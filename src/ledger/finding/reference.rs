//! How people name a finding: `F-` and some digits, or the digits alone.

use crate::error::Error;
use crate::model::ids::FindingId;
use crate::model::text::sanitise;

/// The fewest digits that name a finding.
const MIN_DIGITS: usize = 4;

/// Why a reference names no finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceError {
    /// Not 4 to 64 lower-case hex digits, with or without `F-`.
    Malformed,
    /// No finding has it.
    Unknown,
    /// Several have it: these, sorted.
    Ambiguous(Vec<FindingId>),
}

/// The one finding of `ids` (in any order) that `reference` names.
pub fn resolve(
    reference: &str,
    ids: impl IntoIterator<Item = FindingId>,
) -> Result<FindingId, ReferenceError> {
    let digits = digits(reference).ok_or(ReferenceError::Malformed)?;
    let mut named: Vec<FindingId> = ids
        .into_iter()
        .filter(|id| id.to_hex().starts_with(digits))
        .collect();
    named.sort_unstable();
    named.dedup();
    match named[..] {
        [] => Err(ReferenceError::Unknown),
        [id] => Ok(id),
        _ => Err(ReferenceError::Ambiguous(named)),
    }
}

/// The hex digits of a well-formed reference, for a look-up by prefix.
pub fn digits(reference: &str) -> Option<&str> {
    let digits = reference.strip_prefix("F-").unwrap_or(reference);
    let hex = digits
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (hex && (MIN_DIGITS..=64).contains(&digits.len())).then_some(digits)
}

impl ReferenceError {
    /// The error for people; `candidates` are the lines of the findings that could be meant.
    pub fn explain(&self, reference: &str, candidates: impl IntoIterator<Item = String>) -> Error {
        let reference = sanitise(reference);
        let (kind, message) = match self {
            Self::Malformed => (
                "finding-reference",
                format!("\"{reference}\" is not F- and 4 or more hex digits"),
            ),
            Self::Unknown => ("unknown-finding", format!("no finding here is {reference}")),
            Self::Ambiguous(_) => (
                "ambiguous-finding",
                format!("{reference} is more than one finding"),
            ),
        };
        let error = candidates
            .into_iter()
            .fold(Error::new(kind, message), Error::because);
        error.hint("git review-gate finding list --all")
    }
}
