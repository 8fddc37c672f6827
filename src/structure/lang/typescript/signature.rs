//! Signatures: the tokens that callers depend on, without names that they cannot use.

use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};

use super::types::type_end;
use super::view::View;

/// Collects the tokens of a signature, and those that are only values.
#[derive(Clone, Copy, Default)]
pub(super) struct Signature {
    tokens: Sequence,
    values: Sequence,
}

impl Signature {
    /// A word of the signature that may be written in another way.
    pub(super) fn word(&mut self, word: &str) {
        self.tokens.push(hash::token(word.as_bytes()));
    }

    /// Tokens of a type: separators of members and leading `|` change nothing.
    pub(super) fn types(&mut self, view: &View<'_>, range: Range<usize>) {
        // For each open group whether it is one of members.
        let mut members: Vec<bool> = Vec::new();
        let mut leading = true;
        for at in range.clone() {
            let separator = view.sign(at, b';') || view.sign(at, b',');
            let inside = members.last() == Some(&true);
            if (separator && inside) || view.is_idle(at, range.end) {
                leading = true;
                continue;
            }
            if leading && (view.sign(at, b'|') || view.sign(at, b'&')) {
                continue;
            }
            if view.sign(at, b',') && view.sign(at + 1, b'>') {
                continue;
            }
            if view.is_open(at) {
                members.push(view.opens(at, b'{'));
            } else if view.closes(at) {
                members.pop();
            }
            let arrow = at > range.start && view.arrow(at - 1);
            leading = arrow || view.is_open(at) || b"=:,<|&".iter().any(|sign| view.sign(at, *sign));
            self.tokens.push(view.hash(at));
        }
    }

    /// Tokens that are only a value.
    pub(super) fn value(&mut self, view: &View<'_>, range: Range<usize>) {
        self.values.push(view.hash_range(range, None).plain);
    }

    /// The parameters of the group that opens here, then the return type behind it; answers the place behind both.
    ///
    /// `arrow` tells a function whose body follows an arrow.
    pub(super) fn callable(&mut self, view: &View<'_>, open: usize, end: usize) -> usize {
        self.parameters(view, view.inside(open));
        let mut at = view.next(open);
        if view.sign(at, b':') {
            let after = type_end(view, at + 1, end);
            self.word(":");
            self.types(view, at + 1..after);
            at = after;
        }
        at
    }

    /// Parameters without their names.
    pub(super) fn parameters(&mut self, view: &View<'_>, range: Range<usize>) {
        self.word("(");
        for part in view.parts(range) {
            self.parameter(view, part);
            self.word(",");
        }
        self.word(")");
    }

    fn parameter(&mut self, view: &View<'_>, part: Range<usize>) {
        let mut at = part.start;
        let mut end = part.end;
        at = skip_decorators(view, at, end);
        while view.word(at)
            && is_parameter_modifier(view.text(at))
            && (view.word(at + 1) || view.is_open(at + 1))
        {
            at += 1;
        }
        if view.spread(at) {
            self.word("...");
            at += 3;
        }
        let pattern = at;
        at = view.next(at);
        if view.opens(pattern, b'{') {
            self.keys(view, pattern);
        } else if view.is(pattern, b"this") {
            self.word("this");
        }
        let value = default_of(view, at, end);
        if let Some(value) = value {
            end = value;
        }
        if view.sign(at, b'?') {
            self.word("?");
            at += 1;
        }
        if view.sign(at, b':') {
            self.word(":");
            self.types(view, at + 1..end);
        }
        if let Some(value) = value {
            self.word("=");
            self.value(view, value + 1..part.end);
        }
    }

    /// The keys of a destructured parameter: callers use them, in any order.
    fn keys(&mut self, view: &View<'_>, open: usize) {
        let mut keys: Vec<u64> = view
            .parts(view.inside(open))
            .into_iter()
            .map(|part| {
                let at = if view.spread(part.start) {
                    part.start + 2
                } else {
                    part.start
                };
                view.hash(at)
            })
            .collect();
        keys.sort_unstable();
        self.word("{");
        for key in keys {
            self.tokens.push(key);
        }
        self.word("}");
    }

    /// The hashes of the signature and of what is only a value.
    pub(super) fn finish(&self) -> (u64, u64) {
        (self.tokens.finish(), self.values.finish())
    }
}

/// The place behind decorators: `@name`, `@name.name(…)`, `@(…)`.
pub(super) fn skip_decorators(view: &View<'_>, mut at: usize, end: usize) -> usize {
    while at < end && view.sign(at, b'@') {
        at += 1;
        if view.opens(at, b'(') {
            at = view.next(at);
            continue;
        }
        at += 1;
        while view.sign(at, b'.') {
            at += 2;
        }
        if let Some(after) = view.type_arguments(at) {
            at = after;
        }
        if view.opens(at, b'(') {
            at = view.next(at);
        }
    }
    at.min(end)
}

/// Words in front of a parameter of a constructor.
pub(super) fn is_parameter_modifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"public" | b"private" | b"protected" | b"readonly" | b"override"
    )
}

/// The place of the `=` in front of a default value.
fn default_of(view: &View<'_>, at: usize, end: usize) -> Option<usize> {
    let mut next = at;
    while next < end {
        if view.arrow(next) {
            next += 2;
        } else if view.sign(next, b'=') {
            return Some(next);
        } else if let Some(after) = view.angles(next) {
            next = after;
        } else {
            next = view.next(next);
        }
    }
    None
}
