//! Snapshots that stand in the test itself: `@"…"` of insta, `expect![[…]]` of expect-test.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::InlineSnapshot;

use super::view::View;

/// A snapshot that was found; the index of its text.
pub(super) struct Found {
    text: usize,
}

impl Found {
    pub(super) fn into_snapshot(self, view: &View<'_>, line: u32) -> InlineSnapshot {
        InlineSnapshot {
            line,
            text: dedented(&value(view.text(self.text))),
        }
    }
}

/// The snapshot that begins with this sign.
pub(super) fn at(view: &View<'_>, at: usize) -> Option<Found> {
    if view.sign(at, b'@') && view.kind(at + 1) == Some(Kind::Text) {
        return Some(Found { text: at + 1 });
    }
    // `expect![[r"…"]]` and `expect!["…"]`: found at the opening delimiter, once.
    let named = at >= 2 && view.is(at - 2, b"expect") && view.sign(at - 1, b'!') && view.sign(at, b'[');
    if !named {
        return None;
    }
    let text = if view.sign(at + 1, b'[') { at + 2 } else { at + 1 };
    (view.kind(text) == Some(Kind::Text)).then_some(Found { text })
}

/// The indexes of the texts of all snapshots in a range.
pub(super) fn texts_in(view: &View<'_>, range: Range<usize>) -> Vec<usize> {
    range
        .filter_map(|token| at(view, token))
        .map(|found| found.text)
        .collect()
}

/// The value of a string literal.
fn value(literal: &[u8]) -> String {
    let (raw, quoted) = match literal {
        [b'r', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let hashes = quoted.iter().take_while(|byte| **byte == b'#').count();
    let inner = quoted
        .get(hashes + 1..quoted.len().saturating_sub(hashes + 1))
        .unwrap_or_default();
    let text = text_of(inner).replace("\r\n", "\n");
    if raw { text } else { unescaped(&text) }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('0') => plain.push('\0'),
            Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                plain.extend(code_point(&digits));
            }
            Some('u') => {
                let digits: String = chars
                    .by_ref()
                    .skip_while(|c| *c == '{')
                    .take_while(|c| *c != '}')
                    .filter(|c| *c != '_')
                    .collect();
                plain.extend(code_point(&digits));
            }
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

fn code_point(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// Takes the common indentation away, and empty lines at both ends.
fn dedented(text: &str) -> String {
    if !text.contains('\n') {
        return text.trim_end().to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let indent = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let kept: Vec<&str> = lines
        .iter()
        .map(|line| line.get(indent..).unwrap_or_default().trim_end())
        .collect();
    kept.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_the_library_compares() {
        for (literal, expected) in [
            ("\"a\\n\\\"b\\\" \\u{e9}\\x41\"", "a\n\"b\" éA"),
            ("r#\"a\\n\"#", "a\\n"),
            ("r\"\n    a\n      b\n    \"", "a\n  b"),
            ("\"a \\\n   b\"", "a b"),
        ] {
            assert_eq!(dedented(&value(literal.as_bytes())), expected, "{literal}");
        }
    }
}
