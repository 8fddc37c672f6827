//! Comments and attributes that silence a checker: counted for each file and token.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem;

use crate::model::fact::{Fact, FactKind, Span};
use crate::model::key::{entry_key, path_text};

/// The token as it stands in keys, and the ways to write it.
const TOKENS: [(&str, &[&str]); 25] = [
    ("eslint-disable", &["eslint-disable"]),
    ("@ts-ignore", &["@ts-ignore"]),
    ("@ts-nocheck", &["@ts-nocheck"]),
    ("@ts-expect-error", &["@ts-expect-error"]),
    ("istanbul-ignore", &["istanbul ignore"]),
    ("noqa", &["noqa"]),
    ("type:ignore", &["type: ignore", "type:ignore"]),
    ("pylint:disable", &["pylint: disable", "pylint:disable"]),
    ("no-cover", &["no cover"]),
    ("#[allow", &["#[allow"]),
    ("#![allow", &["#![allow"]),
    ("#[expect", &["#[expect"]),
    ("nolint", &["nolint"]),
    ("nosec", &["nosec"]),
    ("@SuppressWarnings", &["@SuppressWarnings"]),
    ("@Suppress", &["@Suppress"]),
    ("pragma-warning-disable", &["pragma warning disable"]),
    ("SuppressMessage", &["SuppressMessage"]),
    ("rubocop:disable", &["rubocop:disable"]),
    ("phpstan-ignore", &["phpstan-ignore"]),
    ("NOLINT", &["NOLINT"]),
    ("swiftlint:disable", &["swiftlint:disable"]),
    ("shellcheck-disable", &["shellcheck disable"]),
    ("@nowarn", &["@nowarn"]),
    ("credo:disable", &["credo:disable"]),
];

/// Longer than any way to write a token: what differs is widened by this much on both sides.
const MARGIN: usize = 64;

/// States the tokens of which a file has more than before; a new file had none.
pub fn compare(path: &[u8], before: &[u8], after: &[u8]) -> Vec<Fact> {
    // What both sides begin and end with holds the same tokens on both, so only the rest is counted.
    let (old, new, offset) = differing(before, after);
    if !holds_any(new) {
        return Vec::new();
    }
    TOKENS
        .iter()
        .filter_map(|(token, spellings)| {
            let positions = |text: &[u8]| -> Vec<usize> {
                let mut found: Vec<_> = spellings
                    .iter()
                    .flat_map(|spelling| occurrences(text, spelling.as_bytes()))
                    .collect();
                found.sort_unstable();
                found
            };
            let now = positions(new);
            if now.is_empty() {
                return None;
            }
            let was = positions(old).len();
            let last = now.last().filter(|_| now.len() > was)?;
            let mut fact = Fact::new(
                FactKind::SuppressionAdded,
                entry_key(path, token),
                path_text(path),
            );
            fact.detail.before = Some(count(before, spellings));
            fact.detail.after = Some(count(after, spellings));
            fact.after = Some(line_at(after, offset + last));
            Some(fact)
        })
        .collect()
}

/// Whether any token stands in a text at all: one search instead of one for each.
fn holds_any(text: &[u8]) -> bool {
    static SEARCH: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let spellings = TOKENS.iter().flat_map(|(_, spellings)| spellings.iter());
        AhoCorasick::new(spellings).ok()
    });
    SEARCH.as_ref().is_none_or(|search| search.is_match(text))
}

fn count(text: &[u8], spellings: &[&str]) -> usize {
    spellings
        .iter()
        .map(|spelling| occurrences(text, spelling.as_bytes()).count())
        .sum()
}

/// Where a token stands as a word of its own.
fn occurrences<'a>(text: &'a [u8], token: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    memmem::find_iter(text, token).filter(move |at| {
        let opens = token.first().is_some_and(word);
        let closes = token == b"@Suppress" || token == b"noqa" || token == b"nosec";
        let continues = opens && *at > 0 && word(&text[at - 1]);
        let goes_on = closes && text.get(at + token.len()).is_some_and(word);
        !continues && !goes_on
    })
}

/// The parts in which two texts differ, with a margin, and where the second begins.
fn differing<'a>(before: &'a [u8], after: &'a [u8]) -> (&'a [u8], &'a [u8], usize) {
    let same = |(a, b): (&u8, &u8)| a == b;
    let head = before
        .chunks(256)
        .zip(after.chunks(256))
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len())
        .sum::<usize>();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|pair| same(*pair))
        .count();
    let start = head.saturating_sub(MARGIN);
    let end = tail.saturating_sub(MARGIN);
    (
        &before[start..before.len() - end],
        &after[start..after.len() - end],
        start,
    )
}

/// The line around an offset.
pub(super) fn line_at(text: &[u8], at: usize) -> Span {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
    let number = memchr::memchr_iter(b'\n', &text[..start]).count() + 1;
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    Span::new(number, number, String::from_utf8_lossy(&text[start..end]).trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(before: &str, after: &str) -> Vec<String> {
        let mut keys: Vec<_> = compare(b"a.rs", before.as_bytes(), after.as_bytes())
            .into_iter()
            .map(|fact| fact.key)
            .collect();
        keys.sort();
        keys
    }

    #[test]
    fn counts_that_grew() {
        for (before, after, expected) in [
            ("x", "x  # noqa", vec!["file:a.rs#entry noqa"]),
            ("# noqa\n", "\n# noqa", vec![]),
            (
                "",
                "#[allow(dead_code)] // type: ignore",
                vec!["file:a.rs#entry #[allow", "file:a.rs#entry type:ignore"],
            ),
            (
                "",
                "@SuppressWarnings(1)",
                vec!["file:a.rs#entry @SuppressWarnings"],
            ),
            ("", "nonoqa noqax", vec![]),
            (
                "#[allow(a)]",
                "#[allow(a)]#[allow(b)]",
                vec!["file:a.rs#entry #[allow"],
            ),
        ] {
            assert_eq!(keys(before, after), expected, "{after}");
        }
    }

    proptest! {
        #[test]
        fn only_what_differs_needs_to_be_counted(
            start in "([a-c]|#\\[allow|noqa ){0,200}", old in "([ab]|noqa ){0,9}", new in "([ab]|noqa ){0,9}",
            end in "( noqa|[a-c]){0,200}",
        ) {
            let before = format!("{start}{old}{end}");
            let after = format!("{start}{new}{end}");
            let grew = count(after.as_bytes(), &["noqa"]) > count(before.as_bytes(), &["noqa"]);
            prop_assert_eq!(keys(&before, &after).iter().any(|key| key.ends_with("noqa")), grew);
        }
    }
}
