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
        if view.idle_comma(token, range.end) {
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
        let ends = view.sign(at, b';') || view.sign(at, b'{') || view.sign(at, b'}') || at + 1 == inside.end;
        if !ends {
            continue;
        }
        let range = start..if at + 1 == inside.end { at + 1 } else { at };
        start = at + 1;
        while taken.next_if(|other| other.end <= range.start).is_some() {}
        if taken.peek().is_none_or(|other| other.start >= range.end) {
            found.extend(of(view, range));
        }
    }
    found
}

/// Which way the numbers at this word loosen.
fn word(view: &View<'_>, at: usize) -> Option<Looser> {
    if !view.word(at) {
        return None;
    }
    vocabulary::tolerance(view.text(at))
}

/// Where the numbers of a word stand: its arguments, its value, or the bound of `.abs() < 0.1`.
fn numbers_at(view: &View<'_>, at: usize, end: usize) -> Range<usize> {
    let next = at + 1;
    if view.sign(next, b'(') {
        let close = view.mate(next);
        if close > next + 1 {
            return next + 1..close.min(end);
        }
        let bound = close + 1;
        if view.sign(bound, b'<') {
            let value = bound + 1 + usize::from(view.sign(bound + 1, b'='));
            return value..(value + 1).min(end);
        }
        return 0..0;
    }
    // `epsilon = 1e-6`, `timeout: 5`, `let timeout: u64 = 5`
    if view.sign(next, b'=') || (view.sign(next, b':') && !view.path_sign(next)) {
        let stop = view.find_flat(next, end, b",;");
        return next..stop.min(end);
    }
    0..0
}

/// A number without separators and type.
fn parsed(text: &[u8]) -> Option<f64> {
    let mut plain: String = std::str::from_utf8(text).ok()?.replace('_', "");
    for suffix in [
        "f32", "f64", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
    ] {
        if let Some(number) = plain.strip_suffix(suffix) {
            plain.truncate(number.len());
            break;
        }
    }
    plain.parse().ok()
}
