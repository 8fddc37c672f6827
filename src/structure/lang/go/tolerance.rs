//! Numbers that loosen a test when they move: tolerances, timeouts, retries.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::outline::{Looser, Tolerances};
use crate::structure::vocabulary;

use super::view::View;

/// Calls whose last argument is how far two values may be apart.
const APART: [&[u8]; 4] = [b"InDelta", b"InEpsilon", b"WithinDuration", b"BeNumerically"];

/// The tolerances in one statement, if it has any.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> Option<Tolerances> {
    let mut numbers: Vec<(usize, Looser)> = Vec::new();
    // Such words may be nested in the values of others: no place is searched twice.
    let mut searched = range.start;
    for at in range.clone() {
        if !view.word(at) || at < searched {
            continue;
        }
        let (place, looser) = if is_apart(view.text(at)) {
            (last_number(view, at), Looser::Greater)
        } else if let Some(looser) = vocabulary::tolerance(view.text(at)) {
            (numbers_at(view, at, range.end), looser)
        } else {
            continue;
        };
        let new = place.start.max(searched)..place.end.min(range.end);
        searched = searched.max(new.end);
        let found = new.filter(|at| view.kind(*at) == Some(Kind::Number));
        numbers.extend(found.map(|number| (number, looser)));
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

/// The statements of a body that have tolerances, but for those that were taken as assertions; these are in order.
pub(super) fn statements(view: &View<'_>, inside: Range<usize>, taken: &[Range<usize>]) -> Vec<Tolerances> {
    let mut found = Vec::new();
    let mut start = inside.start;
    let mut taken = taken.iter().peekable();
    for at in inside.clone() {
        let separator = view.sign(at, b';') || view.sign(at, b'{') || view.sign(at, b'}');
        let last = view.breaks(at) || at + 1 == inside.end;
        if !separator && !last {
            continue;
        }
        let range = start..if separator { at } else { at + 1 };
        start = at + 1;
        while taken.next_if(|other| other.end <= range.start).is_some() {}
        if !range.is_empty() && taken.peek().is_none_or(|other| other.start >= range.end) {
            found.extend(of(view, range));
        }
    }
    found
}

fn is_apart(name: &[u8]) -> bool {
    APART.contains(&name) || name.strip_suffix(b"f").is_some_and(|name| APART.contains(&name))
}

/// The last argument that is a number, as far as it is written as one.
fn last_number(view: &View<'_>, at: usize) -> Range<usize> {
    if !view.sign(at + 1, b'(') {
        return 0..0;
    }
    let mut arguments = view.parts(at + 2..view.mate(at + 1));
    let holds = |range: &Range<usize>, kind| range.clone().any(|at| view.kind(at) == Some(kind));
    // A message may follow.
    let message = arguments
        .iter()
        .skip(3)
        .position(|argument| holds(argument, Kind::Text));
    arguments.truncate(message.map_or(arguments.len(), |message| message + 3));
    // What is compared comes first.
    let last = arguments.into_iter().skip(2).last();
    last.filter(|argument| holds(argument, Kind::Number))
        .unwrap_or(0..0)
}

/// Where the numbers of a word stand: its arguments, its value, or the bound of `math.Abs(a-b) > 0.1`.
fn numbers_at(view: &View<'_>, at: usize, end: usize) -> Range<usize> {
    let next = at + 1;
    if view.sign(next, b'(') {
        let close = view.mate(next);
        if !view.text(at).eq_ignore_ascii_case(b"abs") {
            return next + 1..close.min(end);
        }
        let bound = close + 1;
        if view.sign(bound, b'<') || view.sign(bound, b'>') {
            let value = bound + 1 + usize::from(view.sign(bound + 1, b'='));
            return value..(value + 1).min(end);
        }
        return 0..0;
    }
    // `timeout := 5`, `Timeout: 5`, `var timeout time.Duration = 5`
    let value = if view.signs(next, b':', b'=') {
        next + 2
    } else if view.sign(next, b'=') && !view.sign(next + 1, b'=') || view.sign(next, b':') {
        next + 1
    } else {
        return 0..0;
    };
    value..view.find_flat(value, end, b",;")
}

/// A number without separators.
fn parsed(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.replace('_', "").parse().ok()
}
