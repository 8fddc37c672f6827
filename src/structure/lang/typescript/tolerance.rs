//! Numbers that loosen a test when they move: tolerances, timeouts, retries.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::outline::{Looser, Tolerances};
use crate::structure::vocabulary;

use super::view::View;

/// The tolerances in one statement, if it has any.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> Option<Tolerances> {
    let mut numbers: Vec<(usize, Looser)> = Vec::new();
    // Such words may be nested in the values of others: no place is searched twice.
    let mut searched = range.start;
    for at in range.clone() {
        if let Some(looser) = word(view, at) {
            let place = numbers_at(view, at, range.end);
            let new = place.start.max(searched)..place.end;
            searched = searched.max(place.end);
            let found = new.filter(|at| view.kind(*at) == Some(Kind::Number));
            numbers.extend(found.map(|number| (number, looser)));
        }
    }
    if numbers.is_empty() {
        return None;
    }
    let mut sequence = Sequence::default();
    for token in range.clone() {
        if view.is_idle(token, range.end) {
            continue;
        }
        let is_number = numbers
            .binary_search_by_key(&token, |(number, _)| *number)
            .is_ok();
        sequence.push(if is_number { PLACEHOLDER } else { view.hash(token) });
    }
    Some(Tolerances {
        line: view.line(range.start),
        text: view.shown(range),
        hash_without_numbers: sequence.finish(),
        numbers: numbers
            .into_iter()
            .filter_map(|(at, looser)| parsed(view.text(at)).map(|number| (number, looser)))
            .collect(),
    })
}

/// The statements of a body that have tolerances, but for those that were taken as assertions.
pub(super) fn statements(view: &View<'_>, inside: Range<usize>, taken: &[Range<usize>]) -> Vec<Tolerances> {
    let mut found = Vec::new();
    let mut start = inside.start;
    let mut taken = taken.iter().peekable();
    for at in inside.clone() {
        let brace = view.opens(at, b'{') || (view.closes(at) && view.opens(view.mate(at), b'{'));
        let last = at + 1 == inside.end;
        let begins = at > start && view.begins_statement(at);
        if !(brace || begins || last || view.sign(at, b';')) {
            continue;
        }
        let range = start..if last && !begins { at + 1 } else { at };
        start = if begins { at } else { at + 1 };
        while taken.next_if(|other| other.end <= range.start).is_some() {}
        if taken.peek().is_none_or(|other| other.start >= range.end) {
            found.extend(of(view, range));
        }
    }
    found
}

/// Which way the numbers at this word loosen.
fn word(view: &View<'_>, at: usize) -> Option<Looser> {
    if view.is(at, b"toBeCloseTo") || view.is(at, b"closeTo") {
        return Some(if view.is(at, b"closeTo") {
            Looser::Greater
        } else {
            Looser::Smaller
        });
    }
    view.word(at)
        .then(|| vocabulary::tolerance(view.text(at)))
        .flatten()
}

/// Where the numbers of a word stand: its arguments or its value.
fn numbers_at(view: &View<'_>, at: usize, end: usize) -> Range<usize> {
    let next = at + 1;
    if view.opens(next, b'(') {
        let arguments = view.inside(next);
        if view.is(at, b"toBeCloseTo") || view.is(at, b"closeTo") {
            // The first number is what is expected.
            let last = view.parts(arguments).into_iter().skip(1).last();
            return last.unwrap_or(0..0);
        }
        return arguments.start..arguments.end.min(end);
    }
    // `timeout: 500`, `const timeout = 500`
    if view.sign(next, b':') || (view.sign(next, b'=') && !view.arrow(next) && !view.sign(next + 1, b'=')) {
        return next..view.expression(next + 1, end);
    }
    0..0
}

/// A number without separators.
fn parsed(text: &[u8]) -> Option<f64> {
    let plain = std::str::from_utf8(text).ok()?.replace('_', "");
    plain.trim_end_matches('n').parse().ok()
}
