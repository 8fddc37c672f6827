//! One assertion: what it is about, how strong it is, whether it can fail.

use std::ops::Range;

use crate::structure::lang::reading::Reading;
use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::PLACEHOLDER;
use crate::structure::outline::{Assertion, ExpectedError};
use crate::structure::vocabulary::{self, EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::body::{after_dot, call_of};
use super::handle::Handle;
use super::inline::inline_text;
use super::matcher::{is_always_true, is_falsy, is_literal, matcher_rank, should_rank};
use super::tolerance;
use super::view::View;

/// Where an assertion stands.
pub(super) struct Found {
    /// The first token of its expression.
    pub(super) start: usize,
    /// The place behind it.
    pub(super) end: usize,
    form: Form,
}

/// How it is written.
enum Form {
    /// `expect(subject).not.toBe(…)`: the group of `expect`, the matcher and its arguments.
    Chain {
        subject: usize,
        matcher: Option<(usize, usize)>,
        negated: bool,
    },
    /// `assert.equal(…)`, `t.is(…)`, `assert(…)`, and functions that count as assertions.
    Call { name: usize, open: usize },
    /// `cy.get('…').should('…', …)`, `x.should.equal(…)`
    Should { name: usize, open: usize },
}

/// The assertion whose name stands at `at` and whose arguments open at `open`.
pub(super) fn at(
    view: &View<'_>,
    at: usize,
    open: usize,
    (handle, helpers): (&Handle, &[String]),
) -> Option<Found> {
    let name = view.text(at);
    let method = after_dot(view, at);
    if name == b"expect" && !method {
        return Some(chain(view, at, open));
    }
    if method {
        let receiver = at.checked_sub(2)?;
        if name == b"should" {
            return Some(Found {
                start: at,
                end: view.next(open),
                form: Form::Should { name: at, open },
            });
        }
        let start = if view.is(receiver, b"strict") && receiver >= 2 && view.sign(receiver - 1, b'.') {
            receiver - 2
        } else {
            receiver
        };
        let on_assert = matches!(view.text(start), b"assert" | b"assertions") && !after_dot(view, start);
        let on_handle = handle.is(view, start) && !Handle::asserts_nothing(name);
        if start == receiver && view.is(receiver, b"expect") && !after_dot(view, receiver) && name == b"soft"
        {
            return Some(chain(view, receiver, open));
        }
        if !(on_assert || on_handle || vocabulary::is_helper(name, helpers)) {
            return None;
        }
        return Some(Found {
            start,
            end: view.next(open),
            form: Form::Call { name: at, open },
        });
    }
    let counts =
        (vocabulary::is_assertion(name) && name != b"expect") || vocabulary::is_helper(name, helpers);
    counts.then(|| Found {
        start: at,
        end: view.next(open),
        form: Form::Call { name: at, open },
    })
}

/// `expect(…)` with everything that is attached to it.
fn chain(view: &View<'_>, start: usize, open: usize) -> Found {
    let mut negated = false;
    let mut matcher = None;
    let mut at = view.next(open);
    while view.sign(at, b'.') && view.word(at + 1) {
        let name = at + 1;
        negated |= view.is(name, b"not");
        at = name + 1;
        if let Some(arguments) = call_of(view, name) {
            matcher = Some((name, arguments));
            at = view.next(arguments);
        } else if matcher.is_none()
            && !matches!(view.text(name), b"not" | b"resolves" | b"rejects" | b"to" | b"be")
        {
            matcher = Some((name, name));
        }
    }
    Found {
        start,
        end: at,
        form: Form::Chain {
            subject: open,
            matcher,
            negated,
        },
    }
}

/// Reads an assertion; `range` is all of its statement.
pub(super) fn read(view: &View<'_>, found: &Found, range: Range<usize>) -> Assertion {
    let reading = match found.form {
        Form::Chain {
            subject,
            matcher,
            negated,
        } => chained(view, subject, matcher, negated),
        Form::Call { name, open } => called(view, name, open),
        Form::Should { name, open } => Reading {
            rank: should_rank(view, open),
            expected: None,
            subject: (name > range.start + 1).then(|| range.start..name - 1),
            ..Reading::default()
        },
    };
    let inline = inline_text(view, &range);
    let tokens = range.clone().filter(|at| !view.is_idle(*at, range.end));
    let hashed = tokens.map(|at| {
        let inline = inline.as_ref().is_some_and(|text| text.contains(&at));
        (at, if inline { PLACEHOLDER } else { view.hash(at) })
    });
    let subject = reading.subject.clone();
    reading.assertion(
        view.shown(range.clone()),
        hashed,
        subject.map(|subject| view.hash_range(subject, None).plain),
        tolerance::of(view, range.clone()),
    )
}

/// `expect(subject).matcher(arguments)`
fn chained(view: &View<'_>, subject: usize, matcher: Option<(usize, usize)>, negated: bool) -> Reading {
    let subject = view.inside(subject);
    let Some((name, open)) = matcher else {
        return Reading {
            subject: Some(subject),
            ..Reading::default()
        };
    };
    let arguments = if open == name {
        Vec::new()
    } else {
        view.parts(view.inside(open))
    };
    let first = arguments.first().cloned();
    let word = view.text(name);
    let rank = matcher_rank(word, negated);
    let same = first.as_ref().is_some_and(|first| {
        view.hash_range(first.clone(), None).plain == view.hash_range(subject.clone(), None).plain
    });
    let literal = is_literal(view, subject.clone());
    let always = match word {
        b"toBe" | b"toEqual" | b"toStrictEqual" | b"equal" | b"eq" | b"eql" => same && !negated,
        b"toBeTruthy" | b"toBeDefined" | b"ok" => literal && !is_falsy(view, &subject) && !negated,
        b"toBeFalsy" => literal && is_falsy(view, &subject) && !negated,
        b"toBeNull" | b"toBeUndefined" => literal && negated,
        _ => false,
    };
    let raises = matches!(
        word,
        b"toThrow" | b"toThrowError" | b"throw" | b"throws" | b"toThrowErrorMatchingInlineSnapshot"
    );
    let expected = first.clone().filter(|first| is_literal(view, first.clone()));
    Reading {
        vacuous: always || (literal && is_always_true(view, &subject)),
        // A literal is no subject.
        subject: (!literal).then_some(subject),
        rank,
        expected: expected.filter(|_| !raises),
        error: (raises && !negated).then(|| error(view, first.as_ref())),
    }
}

/// Which error is expected; none named, or the one that all are, is general.
fn error(view: &View<'_>, expected: Option<&Range<usize>>) -> ExpectedError {
    let general = expected.is_none_or(|range| range.len() == 1 && view.is(range.start, b"Error"));
    ExpectedError {
        hash: expected.map_or(0, |range| view.hash_range(range.clone(), None).plain),
        general,
        matched: expected.is_some_and(|range| view.kind(range.start) == Some(Kind::Text)),
    }
}

/// `assert.equal(actual, expected)`, `assert(value)`, `t.is(actual, expected)`
fn called(view: &View<'_>, name: usize, open: usize) -> Reading {
    let arguments = view.parts(view.inside(open));
    let Some(first) = arguments.first() else {
        return Reading::default();
    };
    let word = view.text(name);
    match word {
        b"equal"
        | b"strictEqual"
        | b"deepEqual"
        | b"deepStrictEqual"
        | b"is"
        | b"same"
        | b"eq"
        | b"assertEquals"
        | b"assertStrictEquals"
        | b"equals"
        | b"snapshot" => comparison(view, first, arguments.get(1), EQUALITY),
        b"notEqual"
        | b"notStrictEqual"
        | b"notDeepEqual"
        | b"notDeepStrictEqual"
        | b"match"
        | b"doesNotMatch"
        | b"regex"
        | b"like"
        | b"not"
        | b"notSame"
        | b"includes"
        | b"include"
        | b"partialDeepStrictEqual" => comparison(view, first, arguments.get(1), PARTIAL),
        b"throws" | b"rejects" | b"throwsAsync" | b"assertThrows" | b"assertRejects" => Reading {
            subject: Some(first.clone()),
            rank: EXISTENCE,
            error: Some(error(view, arguments.get(1))),
            ..Reading::default()
        },
        b"assert" | b"ok" | b"true" | b"truthy" => condition(view, first.clone()),
        _ => Reading {
            subject: arguments
                .iter()
                .find(|range| !is_literal(view, (*range).clone()))
                .cloned(),
            rank: UNKNOWN,
            expected: arguments
                .iter()
                .skip(1)
                .find(|range| is_literal(view, (*range).clone()))
                .cloned(),
            ..Reading::default()
        },
    }
}

/// Two operands that are compared.
fn comparison(view: &View<'_>, left: &Range<usize>, right: Option<&Range<usize>>, rank: u8) -> Reading {
    let Some(right) = right else {
        return Reading {
            subject: Some(left.clone()),
            rank,
            ..Reading::default()
        };
    };
    Reading::comparison(
        left,
        right,
        rank,
        |range| is_literal(view, range),
        |range| view.hash_range(range, None).plain,
    )
}

/// `assert(condition)`
fn condition(view: &View<'_>, range: Range<usize>) -> Reading {
    if is_always_true(view, &range) {
        return Reading {
            vacuous: true,
            ..Reading::default()
        };
    }
    let mut at = range.start;
    let mut comparison_at = None;
    while at < range.end {
        let adjacent = view.touches(at);
        let double = |sign: u8| view.sign(at, sign) && view.sign(at + 1, sign) && adjacent;
        if double(b'|') || double(b'&') {
            let or_true = view.sign(at, b'|') && at + 3 == range.end && view.is(at + 2, b"true");
            return Reading {
                vacuous: or_true,
                subject: Some(range),
                rank: EXISTENCE,
                ..Reading::default()
            };
        }
        let equals = view.sign(at + 1, b'=') && adjacent;
        if comparison_at.is_none() && at > range.start {
            if equals && (view.sign(at, b'=') || view.sign(at, b'!')) {
                let strict = usize::from(view.sign(at + 2, b'=') && view.touches(at + 1));
                let rank = if view.sign(at, b'=') { EQUALITY } else { PARTIAL };
                comparison_at = Some((at, at + 2 + strict, rank));
                at += 2 + strict;
                continue;
            }
            let angle = (view.sign(at, b'<') || view.sign(at, b'>'))
                && !(view.sign(at - 1, b'=') && view.touches(at - 1));
            if angle || view.is(at, b"in") || view.is(at, b"instanceof") {
                let rank = if view.is(at, b"instanceof") {
                    EXISTENCE
                } else {
                    PARTIAL
                };
                comparison_at = Some((at, at + 1 + usize::from(equals && angle), rank));
            }
        }
        at = view.next(at);
    }
    match comparison_at {
        Some((left, right, rank)) => comparison(view, &(range.start..left), Some(&(right..range.end)), rank),
        None => Reading {
            subject: Some(range),
            rank: EXISTENCE,
            ..Reading::default()
        },
    }
}
