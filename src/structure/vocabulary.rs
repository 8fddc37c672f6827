//! The words of tests that languages share: names of assertions, of tolerances, and ranks.

use super::outline::Looser;

/// How much of the outcome an assertion fixes: all of it.
pub const EQUALITY: u8 = 3;
/// How much of the outcome an assertion fixes: a part, or a bound.
pub const PARTIAL: u8 = 2;
/// How much of the outcome an assertion fixes: that there is one.
pub const EXISTENCE: u8 = 1;
/// How much an assertion fixes is not known.
pub const UNKNOWN: u8 = 0;

/// Names at which a greater number is looser.
const GREATER: [&str; 12] = [
    "abs",
    "rel",
    "delta",
    "epsilon",
    "tolerance",
    "atol",
    "rtol",
    "within",
    "timeout",
    "retries",
    "retry",
    "sleep",
];

/// Names at which a smaller number is looser.
const SMALLER: [&str; 3] = ["places", "digits", "precision"];

/// Whether a called name counts as an assertion in every language: `assert` and `assert_*`/`assert[A-Z]*`, `expect`,
/// and `must`, `verify`, `check` and `should` alone or followed by `_` or an upper-case letter.
pub fn is_assertion(name: &[u8]) -> bool {
    name == b"expect"
        || [&b"assert"[..], b"must", b"verify", b"check", b"should"]
            .into_iter()
            .any(|word| alone_or_part(name, word))
}

/// Whether a name is a word, or begins with it and goes on with `_` or an upper-case letter.
pub fn alone_or_part(name: &[u8], word: &[u8]) -> bool {
    name.strip_prefix(word).is_some_and(|rest| {
        rest.first()
            .is_none_or(|next| *next == b'_' || next.is_ascii_uppercase())
    })
}

/// Whether a name is one of those that the policy counts as assertions.
pub fn is_helper(name: &[u8], helpers: &[String]) -> bool {
    helpers.iter().any(|helper| helper.as_bytes() == name)
}

/// Which way a number at this name loosens a test. Parts of a name count, as in `read_timeout` or `readTimeout`.
pub fn tolerance(name: &[u8]) -> Option<Looser> {
    let any_part = |words: &[&str]| {
        parts(name).any(|part| {
            words
                .iter()
                .any(|word| part.eq_ignore_ascii_case(word.as_bytes()))
        })
    };
    if any_part(&GREATER) {
        Some(Looser::Greater)
    } else if any_part(&SMALLER) {
        Some(Looser::Smaller)
    } else {
        None
    }
}

/// The parts of a name: between `_`, and from one upper-case letter after a lower-case one to the next.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    name.split(|byte| *byte == b'_').flat_map(|word| {
        word.chunk_by(|left, right| !(left.is_ascii_lowercase() && right.is_ascii_uppercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_assertions_and_tolerances() {
        for (name, counts) in [
            ("assert", true),
            ("assertEqual", true),
            ("assert_that", true),
            ("asserting", false),
            ("expect", true),
            ("expected", false),
            ("mustParse", true),
            ("mustard", false),
            ("check_all", true),
            ("checked", false),
        ] {
            assert_eq!(is_assertion(name.as_bytes()), counts, "{name}");
        }
        assert_eq!(tolerance(b"readTimeout"), Some(Looser::Greater));
        assert_eq!(tolerance(b"MAX_RETRIES"), Some(Looser::Greater));
        assert_eq!(tolerance(b"digits"), Some(Looser::Smaller));
        assert_eq!(tolerance(b"times"), None);
    }
}
