//! Failures that a condition guards: `if got != want { t.Errorf(…) }` asserts that both are equal.

use std::ops::Range;

use crate::structure::lexer::lines::truncate;
use crate::structure::outline::Assertion;

use super::condition::{self, If};
use super::tolerance;
use super::view::View;

/// Reads the call at `call` in the block of a condition.
pub(super) fn read(view: &View<'_>, guard: &If, call: Range<usize>) -> Assertion {
    let reading = condition::reading(view, guard.condition.clone(), true);
    let tokens = [guard.whole.clone(), call.clone()]
        .into_iter()
        .flat_map(|range| range.clone().filter(move |at| !view.is_idle(*at, range.end)));
    let mut text = format!(
        "{} {{ {} }}",
        view.shown(guard.whole.clone()),
        view.shown(call.clone())
    );
    truncate(&mut text);
    let subject = reading.subject.clone().map(|subject| {
        let subject = defined(view, guard, &subject).unwrap_or(subject);
        view.hash_range(subject, None).plain
    });
    reading.assertion(
        text,
        tokens.map(|at| (at, view.hash(at))),
        subject,
        tolerance::of(view, guard.whole.clone()),
    )
}

/// What the statement in front of the condition gives to the variable that it is about: `f()` in `if err := f(); err != nil`.
fn defined(view: &View<'_>, guard: &If, subject: &Range<usize>) -> Option<Range<usize>> {
    let init = guard.init.clone();
    let equals = view.find_flat(init.start, init.end, b"=");
    let named = init.start..equals;
    let name = view.text(subject.start);
    (subject.len() == 1 && equals < init.end && named.into_iter().any(|at| view.is(at, name)))
        .then_some(equals + 1..init.end)
}
