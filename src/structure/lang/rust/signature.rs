//! Signatures: the tokens that users of an item depend on, without names that they cannot use.

use std::ops::Range;

use crate::structure::lexer::hash::{Sequence, token};

use super::view::View;

/// Adds a range of tokens, idle commas left out.
pub(super) fn push(sequence: &mut Sequence, view: &View<'_>, range: Range<usize>) {
    for at in range.clone() {
        if !view.idle_comma(at, range.end) {
            sequence.push(view.hash(at));
        }
    }
}

/// Separates parts, so that tokens cannot wander from one into the next.
pub(super) fn mark(sequence: &mut Sequence, word: &str) {
    sequence.push(token(word.as_bytes()));
}

/// Adds the types of a parameter list, without the names and patterns that bind them.
pub(super) fn push_parameters(sequence: &mut Sequence, view: &View<'_>, inside: Range<usize>) {
    let mut at = inside.start;
    while at < inside.end {
        let comma = view.find(at, inside.end, b",");
        let comma = if view.sign(comma, b',') { comma } else { inside.end };
        push_parameter(sequence, view, at..comma);
        mark(sequence, "parameter ends");
        at = comma + 1;
    }
}

fn push_parameter(sequence: &mut Sequence, view: &View<'_>, range: Range<usize>) {
    let mut start = range.start;
    while view.sign(start, b'#') && view.sign(start + 1, b'[') {
        start = view.mate(start + 1) + 1;
    }
    if let Some(own) = receiver(view, start..range.end) {
        // `mut self` is `self` to a caller.
        let skip_mut = view.is(start, b"mut");
        push(sequence, view, start + usize::from(skip_mut)..own + 1);
        push(sequence, view, own + 1..range.end);
        return;
    }
    let colon = colon(view, start..range.end);
    let types = if colon < range.end { colon + 1 } else { start };
    push(sequence, view, types..range.end);
}

/// The index of `self` when the parameter is a receiver.
fn receiver(view: &View<'_>, range: Range<usize>) -> Option<usize> {
    let mut at = range.start;
    if view.sign(at, b'&') {
        at += 1;
        if view.kind(at) == Some(crate::structure::lexer::Kind::Lifetime) {
            at += 1;
        }
    }
    if view.is(at, b"mut") {
        at += 1;
    }
    (at < range.end && view.is(at, b"self") && !view.path_sign(at + 1)).then_some(at)
}

/// The colon between a pattern and its type; the end of the range when there is none.
fn colon(view: &View<'_>, range: Range<usize>) -> usize {
    let mut at = range.start;
    loop {
        at = view.find(at, range.end, b":");
        if at >= range.end || !view.sign(at, b':') {
            return range.end;
        }
        if !view.path_sign(at) {
            return at;
        }
        at += 2;
    }
}
