//! Failures that a condition guards: `if got != want { t.Errorf(…) }` asserts that both are equal.

use std::ops::Range;

use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::lexer::lines::truncate;
use crate::structure::outline::Assertion;

use super::condition::{self, If};
use super::tolerance;
use super::view::View;

/// Reads the call at `call` in the block of a condition.
pub(super) fn read(view: &View<'_>, guard: &If, call: Range<usize>) -> Assertion {
    let reading = condition::reading(view, guard.condition.clone(), true);
    let mut plain = Sequence::default();
    let mut without_expected = Sequence::default();
    for range in [guard.whole.clone(), call.clone()] {
        for at in range.clone() {
            if view.is_idle(at, range.end) {
                continue;
            }
            let hash = view.hash(at);
            plain.push(hash);
            match &reading.expected {
                Some(expected) if expected.contains(&at) => {
                    if at == expected.start {
                        without_expected.push(PLACEHOLDER);
                    }
                }
                _ => without_expected.push(hash),
            }
        }
    }
    let mut text = format!("{} {{ {} }}", view.shown(guard.whole.clone()), view.shown(call));
    truncate(&mut text);
    let subject = reading.subject.map(|subject| {
        let subject = defined(view, guard, &subject).unwrap_or(subject);
        view.hash_range(subject, None).plain
    });
    Assertion {
        line: 0,
        text,
        hash: plain.finish(),
        hash_without_expected: without_expected.finish(),
        vacuous: reading.vacuous,
        subject,
        rank: reading.rank,
        expects_error: None,
        swallowed: false,
        tolerances: tolerance::of(view, guard.whole.clone()).unwrap_or_default(),
    }
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
