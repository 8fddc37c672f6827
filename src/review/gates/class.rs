//! What the conclusion of a baseline says, by its first words.

use crate::model::baseline::Verdict;

/// The verdict that `summary`, the text behind the marker, opens with; `None` where it opens with none of the known
/// phrases, which is handled like drift.
///
/// A phrase ends where no letter or digit follows: what merely begins like one is another.
pub fn of(summary: &str) -> Option<Verdict> {
    Verdict::ALL.into_iter().find(|verdict| {
        summary
            .strip_prefix(verdict.phrase())
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_ends_before_anything_but_letters_and_digits() {
        for verdict in Verdict::ALL {
            let phrase = verdict.phrase();
            for rest in ["", ": 2 test-removed", " x", ",", "\u{a0}"] {
                assert_eq!(of(&format!("{phrase}{rest}")), Some(verdict));
            }
            for other in [
                format!("{phrase}S"),
                format!("{phrase}é"),
                format!("{phrase}2"),
                format!(" {phrase}"),
            ] {
                assert_eq!(of(&other), None, "{other}");
            }
            assert_eq!(of(&phrase.to_lowercase()), None);
        }
    }
}
