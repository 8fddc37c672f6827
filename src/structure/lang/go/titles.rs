//! Titles of tests: what a literal says, or how another expression is written.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::{cut, push_bytes};

use super::types::joined;
use super::view::View;

/// Longest title of an expression that is no literal.
const MAX_EXPRESSION: usize = 60;

/// The title that stands in a range of tokens.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> String {
    if range.len() == 1 && view.kind(range.start) == Some(Kind::Text) {
        return literal(view.text(range.start));
    }
    let mut title = format!("={}", joined(view, range));
    cut(&mut title, MAX_EXPRESSION);
    title
}

/// The text of a literal: quotes and backslashes as they are meant, everything else as it is written.
fn literal(text: &[u8]) -> String {
    let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let mut title = String::with_capacity(inside.len());
    if text.first() == Some(&b'`') {
        push_bytes(&mut title, inside);
        return title;
    }
    let mut plain = Vec::with_capacity(inside.len());
    let mut at = 0;
    while let Some(byte) = inside.get(at) {
        let escapes = *byte == b'\\' && matches!(inside.get(at + 1), Some(b'\'' | b'"' | b'`' | b'\\'));
        at += usize::from(escapes);
        plain.push(inside[at]);
        at += 1;
    }
    push_bytes(&mut title, &plain);
    title
}
