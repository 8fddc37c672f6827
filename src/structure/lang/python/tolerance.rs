//! Numbers that loosen a test when they move: tolerances, timeouts, retries, digits.

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
        let Some((place, looser)) = place(view, at, range.end) else {
            continue;
        };
        let new = place.start.max(searched)..place.end;
        searched = searched.max(place.end);
        let found = new.filter(|at| view.kind(*at) == Some(Kind::Number));
        numbers.extend(found.map(|number| (number, looser)));
    }
    if numbers.is_empty() {
        return None;
    }
    let mut sequence = Sequence::default();
    for token in range.clone() {
        if view.idle_comma(token) {
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

/// Where the numbers that a word says something about stand, and which way they loosen.
fn place(view: &View<'_>, at: usize, end: usize) -> Option<(Range<usize>, Looser)> {
    if !view.word(at) {
        return None;
    }
    let name = view.text(at);
    let open = at + 1;
    let called = view.sign(open, b'(');
    match name {
        b"abs" if called => {
            // `abs(a - b) < 0.1`
            let sign = view.mate(open) + 1;
            let value = sign + 1 + usize::from(view.sign(sign + 1, b'='));
            let bound = view.sign(sign, b'<') && value < end;
            return bound.then_some((value..value + 1, Looser::Greater));
        }
        b"round" | b"assertAlmostEqual" | b"assertNotAlmostEqual" | b"assertAlmostEquals" if called => {
            let arguments = view.arguments(open);
            let last = arguments.get(if name == b"round" { 1 } else { 2 })?;
            let plain = view.keyword(last).is_none();
            return plain.then(|| (last.clone(), Looser::Smaller));
        }
        _ => {}
    }
    let looser = vocabulary::tolerance(name)?;
    if called {
        let close = view.mate(open);
        return (close > open + 1).then_some((open + 1..close.min(end), looser));
    }
    // `epsilon=1e-6`, `timeout: float = 5`
    let valued = (view.sign(open, b'=') && !view.signs(open, b'=', b'=')) || view.sign(open, b':');
    valued.then(|| (open..view.find_flat(open, end, b",;"), looser))
}

fn parsed(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.replace('_', "").parse().ok()
}
