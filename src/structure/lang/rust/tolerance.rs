//! Numbers that loosen a test when they move: tolerances, timeouts, retries.

use std::ops::Range;

use crate::structure::lang::tolerances::{self, untaken};
use crate::structure::outline::{Looser, Tolerances};
use crate::structure::vocabulary;

use super::view::View;

/// The types that may stand behind a number.
const TYPES: [&str; 14] = [
    "f32", "f64", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
];

/// The tolerances in one statement, if it has any.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> Option<Tolerances> {
    let counted = range.clone().filter(|at| !view.idle_comma(*at, range.end));
    tolerances::of(
        view,
        &range,
        |at| place(view, at, range.end),
        counted.map(|at| (at, view.hash(at))),
        || view.shown(range.clone()),
        &TYPES,
    )
}

/// The statements of a body that have tolerances, but for those that were taken as assertions.
pub(super) fn statements(view: &View<'_>, inside: Range<usize>, taken: &[Range<usize>]) -> Vec<Tolerances> {
    let mut start = inside.start;
    let statements = inside.clone().filter_map(|at| {
        let last = at + 1 == inside.end;
        let ends = view.sign(at, b';') || view.sign(at, b'{') || view.sign(at, b'}') || last;
        ends.then(|| {
            let range = start..if last { at + 1 } else { at };
            start = at + 1;
            range
        })
    });
    untaken(statements, taken)
        .filter_map(|range| of(view, range))
        .collect()
}

/// Where the numbers that the word at `at` says something about stand, and which way they loosen.
fn place(view: &View<'_>, at: usize, end: usize) -> Option<(Range<usize>, Looser)> {
    let looser = vocabulary::tolerance(view.text(at))?;
    Some((numbers_at(view, at, end), looser))
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
