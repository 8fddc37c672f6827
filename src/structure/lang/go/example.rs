//! What an example must print: the comment `// Output: …` that ends its body.

use crate::structure::lexer::hash;
use crate::structure::lexer::lines::{folded, truncate};
use crate::structure::outline::{Assertion, Tolerances};
use crate::structure::vocabulary::EQUALITY;

use super::view::View;

/// The comment of an example.
pub(super) struct Output {
    /// Where it begins.
    pub(super) at: usize,
    /// The text behind `Output:`, lines trimmed, with what makes it unordered in front.
    pub(super) text: Vec<u8>,
}

impl Output {
    /// What the example prints, as an assertion with all of the text as the expected literal.
    pub(super) fn assertion(&self, line: u32) -> Assertion {
        let mut text = format!("// Output: {}", folded(&self.text));
        truncate(&mut text);
        Assertion {
            line,
            text,
            hash: hash::join(&[hash::PLACEHOLDER, hash::token(&self.text)]),
            hash_without_expected: hash::PLACEHOLDER,
            vacuous: false,
            subject: None,
            rank: EQUALITY,
            expects_error: None,
            swallowed: false,
            tolerances: Tolerances::default(),
        }
    }
}

/// The output comment of the body that opens at `open`: its last group of comments, if that begins with `Output:`.
pub(super) fn output(view: &View<'_>, open: usize) -> Option<Output> {
    let close = view.mate(open);
    // From the end: comments stand between tokens.
    let mut before = close;
    let (from, to) = loop {
        let (from, to) = (view.end(before - 1), view.start(before));
        let between = view.source.get(from..to)?;
        if between.contains(&b'/') {
            break (from, to);
        }
        before -= 1;
        if before <= open {
            return None;
        }
    };
    let (at, lines) = last_group(view.source, from, to)?;
    let mut lines = lines.into_iter().skip_while(|line| line.is_empty());
    let first = lines.next()?;
    let (unordered, rest) = match strip_word(first, b"unordered") {
        Some(rest) if rest.first().is_some_and(u8::is_ascii_whitespace) => (true, rest.trim_ascii_start()),
        _ => (false, first),
    };
    let rest = strip_word(rest, b"output:")?;
    let mut text = Vec::new();
    if unordered {
        text.extend_from_slice(b"unordered ");
    }
    text.extend_from_slice(rest.trim_ascii());
    for line in lines {
        text.push(b'\n');
        text.extend_from_slice(line);
    }
    Some(Output {
        at,
        text: text.trim_ascii_end().to_vec(),
    })
}

fn strip_word<'a>(text: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// The lines of the last group of comments in a gap between tokens, trimmed and without their signs, and where it begins.
///
/// Comments with an empty line between are two groups, and so is one that stands behind a statement on its line.
fn last_group(source: &[u8], from: usize, to: usize) -> Option<(usize, Vec<&[u8]>)> {
    let mut group: Option<(usize, Vec<&[u8]>)> = None;
    let mut at = from;
    let mut feeds = 0;
    let mut behind_statement = true;
    while at < to {
        if source[at] == b'\n' {
            feeds += 1;
            if behind_statement {
                group = None;
                behind_statement = false;
            }
        }
        if source[at] != b'/' {
            at += 1;
            continue;
        }
        if feeds > 1 {
            group = None;
        }
        feeds = 0;
        let block = source.get(at + 1) == Some(&b'*');
        let end = if block {
            memchr::memmem::find(source.get(at + 2..to)?, b"*/").map_or(to, |found| at + 2 + found)
        } else {
            memchr::memchr(b'\n', &source[at..to]).map_or(to, |found| at + found)
        };
        let (_, lines) = group.get_or_insert((at, Vec::new()));
        let text = source.get(at + 2..end).unwrap_or_default();
        lines.extend(text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii));
        at = if block { end + 2 } else { end };
    }
    group
}
