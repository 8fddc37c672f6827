//! Patterns for ref names: `*` stands for any characters, `/` included.

use memchr::memmem;

/// A pattern for whole ref names. Matching is linear in the name and the pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RefPattern(String);

/// Why a text is not a pattern for refs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// No ref could ever match it, because refs have no short names here.
    #[error("a pattern begins with `refs/`, such as `refs/heads/main`")]
    NotBelowRefs,
    /// Git allows this character in no ref, so the pattern could never match.
    #[error("no ref name contains {0:?}, so this pattern never matches")]
    NeverInARef(char),
    /// Over the limit.
    #[error("a pattern has at most {} bytes", RefPattern::MAX)]
    TooLong,
}

impl RefPattern {
    /// The longest pattern, in bytes.
    pub const MAX: usize = 1024;

    /// Checks a pattern. One that no ref could match is refused: it would switch a gate off in silence.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        if text.len() > Self::MAX {
            return Err(PatternError::TooLong);
        }
        if let Some(wrong) = text
            .chars()
            .find(|c| c.is_ascii_control() || " ~^:?[\\".contains(*c))
        {
            return Err(PatternError::NeverInARef(wrong));
        }
        // `*`, `refs*` and the like cover everything below refs/.
        let fixed = text.split_once('*').map_or(text, |(fixed, _)| fixed);
        let possible = if fixed.len() == text.len() {
            text.starts_with("refs/") && text.len() > "refs/".len()
        } else {
            fixed.starts_with("refs/") || "refs/".starts_with(fixed)
        };
        if possible {
            Ok(Self(text.to_owned()))
        } else {
            Err(PatternError::NotBelowRefs)
        }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the pattern covers the whole name.
    pub fn matches(&self, name: &[u8]) -> bool {
        let mut pieces = self.0.as_bytes().split(|byte| *byte == b'*');
        let first = pieces.next().unwrap_or_default();
        let Some(last) = pieces.next_back() else {
            return name == first;
        };
        let Some(rest) = name.strip_prefix(first) else {
            return false;
        };
        let Some(mut rest) = rest.strip_suffix(last) else {
            return false;
        };
        // What stands between two stars may match at the first place where it occurs: a later one leaves less behind it.
        for piece in pieces {
            match memmem::find(rest, piece) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_star_matches_slashes_and_nothing_else_is_special() {
        for (pattern, name, expected) in [
            ("refs/heads/main", "refs/heads/main", true),
            ("refs/heads/main", "refs/heads/Main", false),
            ("refs/heads/main", "refs/heads/main2", false),
            ("refs/heads/*", "refs/heads/a/b/c", true),
            ("refs/heads/*", "refs/heads/", true),
            ("refs/heads/*", "refs/tags/a", false),
            ("refs/heads/release/*", "refs/heads/release", false),
            ("refs/*/v*", "refs/tags/x/v1", true),
            ("refs/*/v*-rc", "refs/tags/v1-rc", true),
            ("refs/*ab*ab", "refs/ab", false),
            ("refs/*ab*ab", "refs/abab", true),
            ("*", "refs/anything", true),
        ] {
            let pattern = RefPattern::new(pattern).unwrap();
            assert_eq!(pattern.matches(name.as_bytes()), expected, "{pattern:?} {name}");
        }
    }

    #[test]
    fn refuses_patterns_that_never_match() {
        for wrong in [
            "",
            "main",
            "refs",
            "refs/",
            "heads/*",
            "origin*",
            "refs/heads/[ab]",
            "refs/heads/a b",
            "refs/heads/?",
        ] {
            assert!(RefPattern::new(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            RefPattern::new(&format!("refs/{}", "a".repeat(1024))),
            Err(PatternError::TooLong)
        );
    }

    /// The definition, without any care for time.
    fn plain(pattern: &[u8], name: &[u8]) -> bool {
        match pattern.split_first() {
            None => name.is_empty(),
            Some((b'*', rest)) => (0..=name.len()).any(|at| plain(rest, &name[at..])),
            Some((byte, rest)) => name.first() == Some(byte) && plain(rest, &name[1..]),
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(pattern in "[ab*]{0,8}", name in "[ab]{0,10}") {
            let whole = RefPattern::new(&format!("refs/{pattern}*")).unwrap();
            let text = format!("refs/{name}");
            prop_assert_eq!(whole.matches(text.as_bytes()), plain(whole.as_str().as_bytes(), text.as_bytes()));
        }
    }
}
