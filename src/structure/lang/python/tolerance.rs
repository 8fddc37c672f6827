//! Numbers that loosen a test when they move: tolerances, timeouts, retries, digits.

use std::ops::Range;

use crate::structure::lang::tolerances;
use crate::structure::outline::{Looser, Tolerances};
use crate::structure::vocabulary;

use super::view::View;

/// The tolerances in one statement, if it has any.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> Option<Tolerances> {
    let counted = range.clone().filter(|at| !view.idle_comma(*at));
    tolerances::of(
        view,
        &range,
        |at| place(view, at, range.end),
        counted.map(|at| (at, view.hash(at))),
        || view.shown(range.clone()),
        // An imaginary number.
        &["j"],
    )
}

/// Where the numbers that the word at `at` says something about stand, and which way they loosen.
fn place(view: &View<'_>, at: usize, end: usize) -> Option<(Range<usize>, Looser)> {
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
