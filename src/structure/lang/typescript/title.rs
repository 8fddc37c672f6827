//! The titles of suites and tests as keys show them.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::{cut, push_bytes, text_of};

use super::view::View;

/// Longest title that is no plain text.
const MAX_EXPRESSION: usize = 60;

/// The title of a suite or test as keys show it.
pub(super) fn title(view: &View<'_>, argument: Range<usize>) -> String {
    let at = argument.start;
    if argument.len() == 1 && view.kind(at) == Some(Kind::Text) {
        let text = view.text(at);
        if matches!(text.first(), Some(b'"' | b'\'' | b'`')) {
            return text_of(&resolved(&text[1..text.len().max(2) - 1]));
        }
    }
    if view.opens(at, b'`') && view.next(at) == argument.end {
        return template_title(view, at);
    }
    let mut name = "=".to_owned();
    for token in argument {
        push_bytes(&mut name, view.text(token));
        if name.len() > MAX_EXPRESSION * 4 {
            break;
        }
    }
    cut(&mut name, MAX_EXPRESSION);
    name
}

/// A template whose holes are written `${}`.
pub(super) fn template_title(view: &View<'_>, open: usize) -> String {
    let close = view.mate(open);
    let mut name = String::new();
    let mut at = open;
    while at <= close {
        let text = view.text(at);
        let piece =
            at == open || at == close || (view.kind(at) == Some(Kind::Text) && text.starts_with(b"}"));
        if piece {
            let from = 1.min(text.len());
            let to = if at == close {
                text.len() - 1
            } else {
                text.len().saturating_sub(2)
            };
            push_bytes(&mut name, &resolved(text.get(from..to).unwrap_or_default()));
            if at != close {
                name.push_str("${}");
            }
        }
        at = if at == open { at + 1 } else { view.next(at) };
    }
    name
}

/// A title with `\\'`, `\\"`, `` \\` `` and `\\\\` resolved.
pub(super) fn resolved(inside: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        match bytes.next() {
            Some(escaped @ (b'\'' | b'"' | b'`' | b'\\')) => plain.push(escaped),
            Some(other) => plain.extend([b'\\', other]),
            None => plain.push(b'\\'),
        }
    }
    plain
}
