//! One assertion: what it is about, how strong it is, whether it can fail.

use std::ops::Range;

use crate::structure::lang::reading::Reading;
use crate::structure::outline::{Assertion, ExpectedError};
use crate::structure::vocabulary::{EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::condition;
use super::tolerance;
use super::view::View;

/// Whether the word at `at`, which is called, names an assertion.
pub(super) fn is_name(view: &View<'_>, at: usize, helpers: &[String]) -> bool {
    let name = view.text(at);
    if helpers.iter().any(|helper| helper.as_bytes() == name) {
        return true;
    }
    let receiver = |of: &[u8]| at > 1 && view.sign(at - 1, b'.') && view.is(at - 2, of);
    let free = at == 0 || !view.sign(at - 1, b'.');
    match name {
        b"expect" => true,
        b"fail" => receiver(b"self"),
        b"raises" | b"warns" => free || receiver(b"pytest"),
        _ => [&b"assert"[..], b"must", b"verify", b"check", b"should"]
            .iter()
            .any(|word| {
                name.strip_prefix(*word).is_some_and(|rest| {
                    rest.first()
                        .is_none_or(|next| *next == b'_' || next.is_ascii_uppercase())
                })
            }),
    }
}

/// Reads the statement `assert condition, message`; `range` is all of it.
pub(super) fn statement(view: &View<'_>, range: Range<usize>) -> Assertion {
    let condition = view
        .split(range.start + 1..range.end)
        .into_iter()
        .next()
        .unwrap_or(range.end..range.end);
    let reading = condition::read(view, condition.clone());
    // The message changes nothing.
    let mut found = assertion(view, range.start..condition.end, reading);
    found.text = view.shown(range);
    found
}

/// Reads the call whose name stands at `at`; `range` is all of it, with what stands in front of its name.
pub(super) fn call(view: &View<'_>, at: usize, range: Range<usize>) -> Assertion {
    let open = at + 1;
    let arguments = view.arguments(open);
    let reading = match view.text(at) {
        name @ (b"raises"
        | b"warns"
        | b"assertRaises"
        | b"assertWarns"
        | b"assertRaisesRegex"
        | b"assertWarnsRegex"
        | b"assertRaisesRegexp"
        | b"assertRaisesMessage") => {
            let expected = expected_error(view, name, &arguments);
            let keyword = arguments.iter().find_map(|argument| view.keyword(argument));
            Reading {
                expected: keyword.map(|(_, value)| value),
                error: Some(expected),
                ..Reading::default()
            }
        }
        b"expect" => expectation(view, open, &arguments, &range),
        name if at > range.start + 1 && name.starts_with(b"assert_") => {
            mock(view, name, &arguments, range.start..at - 1)
        }
        name => condition::named(view, name, &arguments),
    };
    assertion(view, range, reading)
}

/// Which error a call expects.
fn expected_error(view: &View<'_>, name: &[u8], arguments: &[Range<usize>]) -> ExpectedError {
    let error = arguments
        .first()
        .filter(|argument| view.keyword(argument).is_none());
    let general = error.is_none_or(|error| {
        let mut words = error.clone().map(|at| view.text(at));
        words.any(|word| matches!(word, b"Exception" | b"BaseException" | b"Warning"))
    });
    let mut named = arguments.iter().filter_map(|argument| view.keyword(argument));
    let by_name = named.any(|(name, _)| matches!(name, b"match" | b"check" | b"expected_regex"));
    let by_place = name.len() > b"assertRaises".len() && arguments.len() > 1;
    ExpectedError {
        hash: error.map_or(0, |error| view.hash_range(error.clone())),
        general,
        matched: by_name || by_place,
    }
}

/// `expect(x).to_equal(…)`
fn expectation(view: &View<'_>, open: usize, arguments: &[Range<usize>], range: &Range<usize>) -> Reading {
    let matcher = (view.mate(open)..range.end)
        .rev()
        .find(|at| view.word(*at) && view.sign(*at - 1, b'.') && view.sign(*at + 1, b'('));
    let has = |words: &[&[u8]]| {
        matcher.is_some_and(|at| {
            let mut parts = view.text(at).split(|byte| *byte == b'_');
            parts.any(|part| words.contains(&part))
        })
    };
    let negated = has(&[b"not"]);
    let rank = match () {
        () if has(&[b"truthy", b"exist", b"visible", b"attached", b"defined"]) => EXISTENCE,
        () if has(&[b"equal", b"eq", b"be", b"exactly"]) && !negated => EQUALITY,
        () if matcher.is_some() => PARTIAL,
        () => UNKNOWN,
    };
    let inside = matcher.map(|at| view.arguments(at + 1)).unwrap_or_default();
    Reading {
        subject: arguments.first().cloned(),
        rank,
        vacuous: false,
        expected: inside
            .into_iter()
            .find(|argument| condition::is_literal(view, argument.clone())),
        error: None,
    }
}

/// `mock.assert_called_once_with(…)`
fn mock(view: &View<'_>, name: &[u8], arguments: &[Range<usize>], receiver: Range<usize>) -> Reading {
    let rank = match name {
        b"assert_called" | b"assert_awaited" => EXISTENCE,
        b"assert_called_once" | b"assert_awaited_once" | b"assert_any_call" | b"assert_any_await" => PARTIAL,
        b"assert_called_with"
        | b"assert_called_once_with"
        | b"assert_has_calls"
        | b"assert_not_called"
        | b"assert_awaited_with"
        | b"assert_awaited_once_with"
        | b"assert_has_awaits"
        | b"assert_not_awaited" => EQUALITY,
        // No mock: a function of a module, such as `numpy.testing.assert_allclose(…)`.
        _ => return condition::named(view, name, arguments),
    };
    Reading {
        subject: Some(receiver),
        rank,
        vacuous: false,
        expected: arguments
            .iter()
            .find(|argument| condition::is_literal(view, (*argument).clone()))
            .cloned(),
        error: None,
    }
}

/// An assertion over a range of tokens.
fn assertion(view: &View<'_>, range: Range<usize>, reading: Reading) -> Assertion {
    let tokens = range.clone().filter(|at| !view.idle_comma(*at));
    let subject = reading.subject.clone();
    reading.assertion(
        view.shown(range.clone()),
        tokens.map(|at| (at, view.hash(at))),
        subject.map(|subject| view.hash_range(condition::bare(view, subject))),
        tolerance::of(view, range.clone()),
    )
}
