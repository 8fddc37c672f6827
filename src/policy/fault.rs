//! What is wrong with a policy file, and where.

use std::fmt;

use crate::error::Error;
use crate::model::text::sanitise;

/// The first fault of a policy file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong there, safe to show.
    pub message: String,
    /// The known key or word that was probably meant.
    pub nearest: Option<&'static str>,
}

impl Fault {
    /// The error for a policy file that people know as `name`, such as `.review-gate.toml` or one with its commit.
    pub fn into_error(self, name: &str) -> Error {
        Error::new("bad-policy", format!("{} is not valid", sanitise(name)))
            .because(self.to_string())
            .hint("correct the file and commit it; git review-gate explain policy then shows what holds")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// A fault at a byte offset, before it has a line and a column.
#[derive(Debug)]
pub(super) struct FaultAt {
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) nearest: Option<&'static str>,
}

impl FaultAt {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
            nearest: None,
        }
    }

    /// Counts lines and characters up to the offset.
    pub(super) fn locate(self, text: &str) -> Fault {
        let before = &text[..floor_char_boundary(text, self.offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Fault {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: self.message,
            nearest: self.nearest,
        }
    }
}

/// The last character boundary at or before `offset`.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .expect("0 is a character boundary")
}

/// A foreign text as it may stand in a message: one line, at most 60 characters.
pub(super) fn shown(text: &str) -> String {
    let safe = sanitise(text);
    match safe.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &safe[..end]),
        None => safe,
    }
}

/// The candidate that a mistyped word is nearest to, if one is near: at most a third of its letters differ.
pub(super) fn nearest(word: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    // Longer than any candidate by far: not a slip of the finger, and the distance costs length times length.
    if word.len() > 64 {
        return None;
    }
    candidates
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The edit distance: insertions, deletions, replacements and swaps of neighbours.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(a != b))
                .min(rows[i][j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_what_is_near_and_nothing_else() {
        let keys = ["findings", "severities", "deletions", "base"];
        for (word, expected) in [
            ("findngs", Some("findings")),
            ("fidnings", Some("findings")),
            ("deletion", Some("deletions")),
            ("bse", Some("base")),
            ("colour", None),
        ] {
            assert_eq!(nearest(word, keys.into_iter()), expected, "{word}");
        }
        assert_eq!(nearest(&"a".repeat(1 << 20), keys.into_iter()), None);
    }

    #[test]
    fn columns_count_characters() {
        let fault = FaultAt::new("a\nö x".len() - 1, "m").locate("a\nö x");
        assert_eq!((fault.line, fault.column), (2, 3));
    }
}
