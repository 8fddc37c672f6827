//! Numbers that loosen a test when they move: tolerances, timeouts, retries.

use std::ops::Range;

use crate::structure::lang::tolerances::{self, untaken};
use crate::structure::lexer::Kind;
use crate::structure::outline::{Looser, Tolerances};
use crate::structure::vocabulary;

use super::view::View;

/// Calls whose last argument is how far two values may be apart.
const APART: [&[u8]; 4] = [b"InDelta", b"InEpsilon", b"WithinDuration", b"BeNumerically"];

/// The most tokens of an argument that is taken for a message.
const MESSAGE_TOKENS: usize = 64;

/// The tolerances in one statement, if it has any.
pub(super) fn of(view: &View<'_>, range: Range<usize>) -> Option<Tolerances> {
    let counted = range.clone().filter(|at| !view.is_idle(*at, range.end));
    tolerances::of(
        view,
        &range,
        |at| place(view, at, range.end),
        counted.map(|at| (at, view.hash(at))),
        || view.shown(range.clone()),
        // An imaginary number.
        &["i"],
    )
}

/// The statements of a body that have tolerances, but for those that were taken as assertions; these are in order.
pub(super) fn statements(view: &View<'_>, inside: Range<usize>, taken: &[Range<usize>]) -> Vec<Tolerances> {
    let mut start = inside.start;
    let statements = inside.clone().filter_map(|at| {
        let separator = view.sign(at, b';') || view.sign(at, b'{') || view.sign(at, b'}');
        let last = view.breaks(at) || at + 1 == inside.end;
        (separator || last).then(|| {
            let range = start..if separator { at } else { at + 1 };
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
    if is_apart(view.text(at)) {
        return Some((last_number(view, at), Looser::Greater));
    }
    let looser = vocabulary::tolerance(view.text(at))?;
    Some((numbers_at(view, at, end), looser))
}

fn is_apart(name: &[u8]) -> bool {
    APART.contains(&name) || name.strip_suffix(b"f").is_some_and(|name| APART.contains(&name))
}

/// The last argument that may be a number, as far as it is written as one.
fn last_number(view: &View<'_>, at: usize) -> Range<usize> {
    if !view.sign(at + 1, b'(') {
        return 0..0;
    }
    let mut arguments = view.parts(at + 2..view.mate(at + 1));
    let holds = |range: &Range<usize>, kind| range.clone().any(|at| view.kind(at) == Some(kind));
    // A message may follow. It is short: calls nested in one another are not all searched for one.
    let message = arguments
        .iter()
        .skip(3)
        .position(|argument| argument.len() <= MESSAGE_TOKENS && holds(argument, Kind::Text));
    arguments.truncate(message.map_or(arguments.len(), |message| message + 3));
    // What is compared comes first.
    let last = arguments.into_iter().skip(2).last();
    last.unwrap_or(0..0)
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
