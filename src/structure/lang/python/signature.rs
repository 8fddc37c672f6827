//! Signatures: what callers can see of a function, and users of a class.

use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};

use super::decorator::Decorator;
use super::view::View;

/// Adds a word that stands for something rather than being it.
pub(super) fn mark(sequence: &mut Sequence, word: &str) {
    sequence.push(hash::token(word.as_bytes()) ^ hash::PLACEHOLDER);
}

/// Adds the decorators that count, whatever their order.
pub(super) fn push_decorators(sequence: &mut Sequence, view: &View<'_>, decorators: &[Decorator]) {
    let mut names: Vec<&[u8]> = decorators
        .iter()
        .filter(|decorator| decorator.in_signature(view))
        .map(|decorator| decorator.name(view))
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        mark(sequence, "@");
        sequence.push(hash::token(name));
    }
}

/// Adds tokens as they are.
pub(super) fn push(sequence: &mut Sequence, view: &View<'_>, tokens: Range<usize>) {
    for at in tokens {
        if !view.idle_comma(at) {
            sequence.push(view.hash(at));
        }
    }
}

/// Adds parameters: names that callers can use, kinds, annotations, whether there is a default. Answers a hash of the
/// defaults themselves.
pub(super) fn push_parameters(sequence: &mut Sequence, view: &View<'_>, open: usize, is_method: bool) -> u64 {
    let parts = view.arguments(open);
    let slash = parts
        .iter()
        .position(|part| part.len() == 1 && view.sign(part.start, b'/'));
    let mut defaults = Sequence::default();
    for (place, part) in parts.iter().enumerate() {
        mark(sequence, ",");
        let stars = (part.start..part.end)
            .take(2)
            .take_while(|at| view.sign(*at, b'*'))
            .count();
        push(sequence, view, part.start..part.start + stars);
        let name = part.start + stars;
        if view.word(name) {
            // Nobody can use the names of what is passed by place, of the object itself, and of what gathers the rest.
            let hidden = stars > 0 || slash.is_some_and(|slash| place < slash) || (is_method && place == 0);
            if !hidden {
                sequence.push(view.hash(name));
            }
        } else {
            push(sequence, view, name..(name + 1).min(part.end));
        }
        let equals = default_sign(view, name + 1, part.end);
        if view.sign(name + 1, b':') && equals > name + 1 {
            mark(sequence, ":");
            push(sequence, view, view.ungrouped(name + 2..equals));
        }
        if equals < part.end {
            mark(sequence, "=");
            mark(&mut defaults, ",");
            push(&mut defaults, view, equals + 1..part.end);
        }
    }
    mark(sequence, ")");
    if defaults.count() == 0 {
        0
    } else {
        defaults.finish()
    }
}

/// The `=` in front of a default, or `end`.
fn default_sign(view: &View<'_>, at: usize, end: usize) -> usize {
    let mut next = at;
    loop {
        let equals = view.find_flat(next, end, b"=");
        let compared = view.signs(equals, b'=', b'=')
            || (equals > at
                && view.end(equals - 1) == view.start(equals)
                && b"!<>=".iter().any(|sign| view.sign(equals - 1, *sign)));
        if equals >= end || !compared {
            return equals.min(end);
        }
        next = equals + 1;
    }
}
