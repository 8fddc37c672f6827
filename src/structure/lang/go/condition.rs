//! Conditions: the head of an `if`, and what a condition says about its operands.

use std::ops::Range;

use crate::structure::lang::reading::Reading;
use crate::structure::lexer::Kind;
use crate::structure::vocabulary::{EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::subtests::function_literal;
use super::types::is_predeclared;
use super::view::View;

/// The head of an `if`.
#[derive(Debug, Clone)]
pub(super) struct If {
    /// From `if` to the brace.
    pub(super) whole: Range<usize>,
    /// The statement in front of the condition; empty where there is none.
    pub(super) init: Range<usize>,
    /// The condition.
    pub(super) condition: Range<usize>,
    /// The brace of its block.
    pub(super) open: usize,
}

/// The head of the `if` that stands at `at`.
pub(super) fn at(view: &View<'_>, at: usize, end: usize) -> Option<If> {
    let mut next = at + 1;
    let mut init = next..next;
    while next < end {
        if view.sign(next, b'{') {
            return Some(If {
                whole: at..next,
                condition: init.end.max(at + 1)..next,
                init: at + 1..init.end.saturating_sub(1).max(at + 1),
                open: next,
            });
        }
        // Nothing of the kind stands in a head; without this check each of many would be read to the end.
        if view.is(next, b"if") || view.sign(next, b'}') || view.breaks(view.next(next) - 1) {
            return None;
        }
        if view.sign(next, b';') {
            init = at + 1..next + 1;
        }
        next = match function_literal(view, next) {
            Some((_, body)) => view.mate(body) + 1,
            // Types with braces of their own.
            None if (view.is(next, b"struct") || view.is(next, b"interface"))
                && view.sign(next + 1, b'{') =>
            {
                view.mate(next + 1) + 1
            }
            None => view.next(next),
        };
    }
    None
}

/// Functions that compare their first two arguments.
const COMPARES: [&[u8]; 5] = [b"DeepEqual", b"Equal", b"EqualFold", b"EqualFunc", b"Same"];

/// Functions that look at a part of their first argument.
const LOOKS: [&[u8]; 13] = [
    b"As",
    b"Contains",
    b"ContainsAny",
    b"ContainsFunc",
    b"ContainsRune",
    b"HasPrefix",
    b"HasSuffix",
    b"Is",
    b"Match",
    b"MatchString",
    b"Before",
    b"After",
    b"Has",
];

/// Reads a condition that must hold; one that must not when `negated`.
pub(super) fn reading(view: &View<'_>, condition: Range<usize>, negated: bool) -> Reading {
    let mut range = condition;
    let mut negated = negated;
    // Parentheses around all of it, and what negates it, do not change what it is about.
    loop {
        if range.len() > 1 && view.sign(range.start, b'!') {
            negated = !negated;
            range.start += 1;
        } else if range.len() > 1 && view.sign(range.start, b'(') && view.mate(range.start) + 1 == range.end {
            range = range.start + 1..range.end - 1;
        } else {
            break;
        }
    }
    let constant = |range: &Range<usize>, word: &[u8]| range.len() == 1 && view.is(range.start, word);
    if constant(&range, if negated { b"false" } else { b"true" }) {
        return Reading {
            vacuous: true,
            ..Reading::default()
        };
    }
    match operator(view, range.clone()) {
        Some(Operator::Logic { or, parts }) => {
            // `… || true` always holds; of a condition that must not hold, `… && false`.
            let always = if negated { &b"false"[..] } else { b"true" };
            Reading {
                vacuous: or != negated && parts.iter().any(|part| constant(part, always)),
                subject: Some(range),
                rank: EXISTENCE,
                expected: None,
                error: None,
            }
        }
        Some(Operator::Comparison { equal, left, right }) => match equal {
            Some(equal) => {
                let nil = view.is(right.start, b"nil") || view.is(left.start, b"nil");
                let rank = match (equal != negated, nil) {
                    // That there is no error is no stronger a check than that there is one.
                    (true, true) => UNKNOWN,
                    (true, false) => EQUALITY,
                    (false, true) => EXISTENCE,
                    (false, false) => PARTIAL,
                };
                comparison(view, &left, &right, rank)
            }
            None => comparison(view, &left, &right, PARTIAL),
        },
        None => predicate(view, range, negated),
    }
}

/// Two operands that are compared.
pub(super) fn comparison(view: &View<'_>, left: &Range<usize>, right: &Range<usize>, rank: u8) -> Reading {
    let reading = Reading::comparison(
        left,
        right,
        rank,
        |range| is_literal(view, range),
        |range| view.hash_range(range, None).plain,
    );
    Reading {
        subject: reading.subject.map(|subject| compared(view, subject)),
        ..reading
    }
}

/// What is compared by a call that answers with the difference: the first argument of `cmp.Diff(got, want)`.
fn compared(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let close = range.end - 1;
    if view.sign(close, b')') && view.mate(close) > range.start && view.is(view.mate(close) - 1, b"Diff") {
        let arguments = view.parts(view.mate(close) + 1..close);
        return arguments.into_iter().next().unwrap_or(range);
    }
    range
}

/// A condition that is a call or a value.
fn predicate(view: &View<'_>, range: Range<usize>, negated: bool) -> Reading {
    let exists = Reading {
        subject: Some(range.clone()),
        rank: EXISTENCE,
        ..Reading::default()
    };
    let Some(close) = range.end.checked_sub(1).filter(|close| view.sign(*close, b')')) else {
        return exists;
    };
    let open = view.mate(close);
    if open <= range.start || !view.word(open - 1) {
        return exists;
    }
    let name = view.text(open - 1);
    let mut operands = view.parts(open + 1..close);
    // `a.Equal(b)` compares its receiver, `bytes.Equal(a, b)` its arguments.
    if operands.len() == 1 && open > range.start + 2 && view.sign(open - 2, b'.') {
        operands.insert(0, range.start..open - 2);
    }
    let [left, right, ..] = &operands[..] else {
        return exists;
    };
    if COMPARES.contains(&name) {
        return comparison(view, left, right, if negated { PARTIAL } else { EQUALITY });
    }
    if LOOKS.contains(&name) {
        return comparison(view, left, right, PARTIAL);
    }
    exists
}

enum Operator {
    Logic {
        or: bool,
        parts: Vec<Range<usize>>,
    },
    /// `equal` is `None` for an order.
    Comparison {
        equal: Option<bool>,
        left: Range<usize>,
        right: Range<usize>,
    },
}

/// The loosest operator outside of groups.
fn operator(view: &View<'_>, range: Range<usize>) -> Option<Operator> {
    let mut parts = Vec::new();
    let mut or = false;
    let mut part = range.start;
    let mut comparison = None;
    let mut at = range.start;
    while at < range.end {
        let inside = at > part;
        if inside && (view.signs(at, b'&', b'&') || view.signs(at, b'|', b'|')) {
            or |= view.sign(at, b'|');
            parts.push(part..at);
            part = at + 2;
            at += 2;
            continue;
        }
        if comparison.is_none() && inside {
            if view.signs(at, b'=', b'=') || view.signs(at, b'!', b'=') {
                comparison = Some((Some(view.sign(at, b'=')), at, at + 2));
                at += 2;
                continue;
            }
            let shifts =
                view.signs(at, b'<', b'<') || view.signs(at, b'>', b'>') || view.signs(at, b'<', b'-');
            if shifts {
                at += 2;
                continue;
            }
            if view.sign(at, b'<') || view.sign(at, b'>') {
                let with_equals = view.signs(at, b'<', b'=') || view.signs(at, b'>', b'=');
                comparison = Some((None, at, at + 1 + usize::from(with_equals)));
            }
        }
        at = view.next(at);
    }
    if !parts.is_empty() {
        parts.push(part..range.end);
        return Some(Operator::Logic { or, parts });
    }
    comparison.map(|(equal, left, right)| Operator::Comparison {
        equal,
        left: range.start..left,
        right: right.min(range.end)..range.end,
    })
}

/// Whether a range is nothing but literals and what holds them together.
pub(super) fn is_literal(view: &View<'_>, range: Range<usize>) -> bool {
    !range.is_empty()
        && range.clone().all(|at| match view.kind(at) {
            Some(Kind::Number | Kind::Text | Kind::Char | Kind::Open | Kind::Close) => true,
            Some(Kind::Word) => {
                matches!(
                    view.text(at),
                    b"true" | b"false" | b"nil" | b"map" | b"struct" | b"interface"
                ) || is_predeclared(view.text(at))
            }
            Some(Kind::Punct) => b"-+&*,.:".iter().any(|sign| view.sign(at, *sign)),
            _ => false,
        })
}
