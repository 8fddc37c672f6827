//! Numbers that loosen a test when they move: tolerances, timeouts, retries.

use std::ops::Range;

use crate::structure::lang::tolerances::{self, untaken};
use crate::structure::outline::{Looser, Tolerances};
use crate::structure::vocabulary;

use super::view::View;

/// The tolerances in one statement, if it has any.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> Option<Tolerances> {
    let counted = range.clone().filter(|at| !view.is_idle(*at, range.end));
    tolerances::of(
        view,
        &range,
        |at| place(view, at, range.end),
        counted.map(|at| (at, view.hash(at))),
        || view.shown(range.clone()),
        // A big integer.
        &["n"],
    )
}

/// The statements of a body that have tolerances, but for those that were taken as assertions.
pub(super) fn statements(view: &View<'_>, inside: Range<usize>, taken: &[Range<usize>]) -> Vec<Tolerances> {
    let mut start = inside.start;
    let statements = inside.clone().filter_map(|at| {
        let brace = view.opens(at, b'{') || (view.closes(at) && view.opens(view.mate(at), b'{'));
        let last = at + 1 == inside.end;
        let begins = at > start && view.begins_statement(at);
        (brace || begins || last || view.sign(at, b';')).then(|| {
            let range = start..if last && !begins { at + 1 } else { at };
            start = if begins { at } else { at + 1 };
            range
        })
    });
    untaken(statements, taken)
        .filter_map(|range| of(view, range))
        .collect()
}

/// Where the numbers that the word at `at` says something about stand, and which way they loosen.
fn place(view: &View<'_>, at: usize, end: usize) -> Option<(Range<usize>, Looser)> {
    let looser = match view.text(at) {
        b"toBeCloseTo" => Looser::Smaller,
        b"closeTo" => Looser::Greater,
        name => vocabulary::tolerance(name)?,
    };
    Some((numbers_at(view, at, end), looser))
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
