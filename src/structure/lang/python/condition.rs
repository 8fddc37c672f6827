//! Conditions and the operands of assertions: which part is the subject, and what is said about it.

use std::ops::Range;

use crate::structure::lang::reading::Reading;
use crate::structure::lexer::Kind;
use crate::structure::vocabulary::{EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::string::Literal;
use super::view::View;

/// Words that may stand in an expected value without making it more than a literal.
const LITERAL_WORDS: [&[u8]; 14] = [
    b"True",
    b"False",
    b"None",
    b"pytest",
    b"approx",
    b"Decimal",
    b"Fraction",
    b"set",
    b"frozenset",
    b"dict",
    b"list",
    b"tuple",
    b"bytes",
    b"float",
];

/// Reads a condition.
pub(super) fn read(view: &View<'_>, condition: Range<usize>) -> Reading {
    let mut range = condition;
    let mut negated = false;
    loop {
        if let Some(part) = logic(view, &range) {
            let vacuous = part.or && !negated && part.always;
            return Reading {
                subject: Some(range),
                rank: EXISTENCE,
                vacuous,
                expected: None,
                error: None,
            };
        }
        if view.is(range.start, b"not") {
            negated = !negated;
            range.start += 1;
        } else if view.sign(range.start, b'(') && view.mate(range.start) + 1 == range.end {
            let inner = range.start + 1..range.end - 1;
            if view.find_flat(inner.start, inner.end, b",") < inner.end {
                // A tuple that is not empty holds, whatever is in it.
                return Reading {
                    vacuous: !negated,
                    ..Reading::default()
                };
            }
            range = inner;
        } else {
            break;
        }
    }
    if range.len() == 1 && truth(view, range.start) == Some(!negated) {
        return Reading {
            vacuous: true,
            ..Reading::default()
        };
    }
    match comparison(view, &range) {
        Some(found) => found.read(view, negated),
        None => predicate(view, range, negated),
    }
}

/// The truth of a literal.
fn truth(view: &View<'_>, at: usize) -> Option<bool> {
    match (view.kind(at)?, view.text(at)) {
        (Kind::Word, b"True") => Some(true),
        (Kind::Word, b"False" | b"None") => Some(false),
        (Kind::Number, text) => Some(text.iter().any(|byte| (b'1'..=b'9').contains(byte))),
        (Kind::Text, text) => Some(!Literal::of(text).content.is_empty()),
        _ => None,
    }
}

struct Logic {
    or: bool,
    /// One of the parts always holds.
    always: bool,
}

/// Whether a condition is made of several: `and`, `or`, `… if … else …`.
fn logic(view: &View<'_>, range: &Range<usize>) -> Option<Logic> {
    let mut found = false;
    let mut or = false;
    let mut always = false;
    let mut part = range.start;
    let mut at = range.start;
    loop {
        let ends = at >= range.end;
        let joins = !ends && (view.is(at, b"or") || view.is(at, b"and"));
        if ends || joins {
            always |= at == part + 1 && truth(view, part) == Some(true);
            part = at + 1;
        }
        if ends {
            break;
        }
        or |= view.is(at, b"or");
        found |= joins || view.is(at, b"if") || view.is(at, b"lambda");
        if view.is(at, b"lambda") {
            break;
        }
        at = view.next(at);
    }
    found.then_some(Logic { or, always })
}

/// Two operands that are compared, by the first operator.
pub(super) struct Comparison {
    left: Range<usize>,
    right: Range<usize>,
    sign: Sign,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equal,
    Unequal,
    Is,
    IsNot,
    Other,
}

fn comparison(view: &View<'_>, range: &Range<usize>) -> Option<Comparison> {
    let mut at = range.start;
    while at < range.end {
        let inside = at > range.start;
        let is_not = view.is(at, b"is") && view.is(at + 1, b"not");
        let not_in = view.is(at, b"not") && view.is(at + 1, b"in");
        let equals = |sign: u8| view.signs(at, sign, b'=');
        let shift = view.signs(at, b'<', b'<') || view.signs(at, b'>', b'>');
        let arrow = view.signs(at, b'-', b'>');
        let (sign, length) = match () {
            () if is_not => (Sign::IsNot, 2),
            () if not_in => (Sign::Other, 2),
            () if view.is(at, b"is") => (Sign::Is, 1),
            () if view.is(at, b"in") => (Sign::Other, 1),
            () if equals(b'=') => (Sign::Equal, 2),
            () if equals(b'!') => (Sign::Unequal, 2),
            () if equals(b'<') || equals(b'>') => (Sign::Other, 2),
            () if shift || arrow => {
                at += 2;
                continue;
            }
            () if view.sign(at, b'<') || view.sign(at, b'>') => (Sign::Other, 1),
            () => {
                at = view.next(at);
                continue;
            }
        };
        return inside.then(|| Comparison {
            left: range.start..at,
            right: (at + length).min(range.end)..range.end,
            sign,
        });
    }
    None
}

impl Comparison {
    fn read(self, view: &View<'_>, negated: bool) -> Reading {
        let none = self.right.len() == 1 && view.is(self.right.start, b"None");
        let rank = match (self.sign, negated) {
            (Sign::Equal | Sign::Is, false) | (Sign::Unequal | Sign::IsNot, true) => EQUALITY,
            (Sign::IsNot, false) | (Sign::Is, true) if none => EXISTENCE,
            _ => PARTIAL,
        };
        operands(view, &self.left, &self.right, rank)
    }
}

/// Two operands that are compared, and how strongly.
fn operands(view: &View<'_>, left: &Range<usize>, right: &Range<usize>, rank: u8) -> Reading {
    let literal = |range: &Range<usize>| is_literal(view, range.clone());
    let (subject, expected) = match (literal(left), literal(right)) {
        (true, false) => (Some(right), Some(left)),
        (false, true) => (Some(left), Some(right)),
        (false, false) => (Some(left), None),
        (true, true) => (None, Some(right)),
    };
    Reading {
        subject: subject.cloned(),
        rank,
        vacuous: rank == EQUALITY
            && !left.is_empty()
            && view.hash_range(left.clone()) == view.hash_range(right.clone()),
        expected: expected.cloned(),
        error: None,
    }
}

/// An expression that is a question itself: a call, or anything taken for true or false.
fn predicate(view: &View<'_>, range: Range<usize>, negated: bool) -> Reading {
    let whole = |range: Range<usize>, rank| Reading {
        subject: Some(range),
        rank,
        ..Reading::default()
    };
    // What is false, empty or nothing is fixed by that.
    let plain = if negated { EQUALITY } else { EXISTENCE };
    let close = range.end.saturating_sub(1);
    let open = view.mate(close);
    if !view.sign(close, b')') || open <= range.start || !view.word(open - 1) {
        return whole(range, plain);
    }
    let arguments = view.arguments(open);
    let name = open - 1;
    let receiver = (name > range.start + 1 && view.sign(name - 1, b'.')).then(|| range.start..name - 1);
    let literal = |arguments: &[Range<usize>]| {
        arguments
            .iter()
            .find(|argument| is_literal(view, (*argument).clone()))
            .cloned()
    };
    match (view.text(name), &arguments[..]) {
        (b"isinstance" | b"hasattr" | b"callable" | b"issubclass" | b"bool", [first, ..]) => {
            whole(first.clone(), EXISTENCE)
        }
        (b"match" | b"search" | b"fullmatch", [_, second, ..]) => whole(second.clone(), PARTIAL),
        (b"isclose" | b"allclose" | b"array_equal" | b"compare_digest", [first, second, ..]) => {
            operands(view, first, second, if negated { PARTIAL } else { EQUALITY })
        }
        (b"startswith" | b"endswith" | b"issubset" | b"issuperset" | b"isdisjoint", arguments) => Reading {
            expected: literal(arguments),
            ..whole(receiver.unwrap_or(range), PARTIAL)
        },
        (b"all" | b"any", _) => whole(range, PARTIAL),
        _ => whole(range, plain),
    }
}

/// Assertions that are functions or methods of a test case, by their names.
pub(super) fn named(view: &View<'_>, name: &[u8], arguments: &[Range<usize>]) -> Reading {
    let (first, second) = (arguments.first(), arguments.get(1));
    let rest = name.strip_prefix(b"assert").unwrap_or(name);
    let lower = rest.to_ascii_lowercase();
    let word = |word: &[u8]| memchr::memmem::find(&lower, word).is_some();
    let Some(first) = first else {
        return Reading::default();
    };
    let is_not = word(b"not");
    match (rest, second) {
        (b"True" | b"_" | b"_true", _) => read(view, first.clone()),
        (b"False" | b"_false", _) => {
            let mut reading = read(view, first.clone());
            reading.vacuous = first.len() == 1 && truth(view, first.start) == Some(false);
            reading.rank = match reading.rank {
                EQUALITY => PARTIAL,
                _ => EQUALITY,
            };
            reading
        }
        (b"IsNone", _) => Reading {
            vacuous: first.len() == 1 && view.is(first.start, b"None"),
            ..subject(view, arguments, EQUALITY)
        },
        (b"IsNotNone" | b"IsInstance", _) => subject(view, arguments, EXISTENCE),
        (b"Is", Some(second)) => operands(view, first, second, EQUALITY),
        _ if word(b"equal")
            || word(b"close")
            || word(b"same")
            || lower.split(|b| *b == b'_').any(|p| p == b"eq") =>
        {
            match second {
                Some(second) => operands(view, first, second, if is_not { PARTIAL } else { EQUALITY }),
                None => subject(view, arguments, UNKNOWN),
            }
        }
        (b"In" | b"NotIn", Some(second)) => operands(view, second, first, PARTIAL),
        _ if [
            &b"in"[..],
            b"contains",
            b"greater",
            b"less",
            b"regex",
            b"match",
            b"isnot",
            b"startswith",
            b"endswith",
        ]
        .iter()
        .any(|part| word(part)) =>
        {
            subject(view, arguments, PARTIAL)
        }
        _ => subject(view, arguments, UNKNOWN),
    }
}

/// About the first argument that is no literal.
fn subject(view: &View<'_>, arguments: &[Range<usize>], rank: u8) -> Reading {
    let is_literal = |argument: &&Range<usize>| is_literal(view, (*argument).clone());
    Reading {
        subject: arguments.iter().find(|argument| !is_literal(argument)).cloned(),
        rank,
        vacuous: false,
        expected: arguments.iter().rev().find(is_literal).cloned(),
        error: None,
    }
}

/// A subject without parentheses around it, and without `await`.
pub(super) fn bare(view: &View<'_>, mut range: Range<usize>) -> Range<usize> {
    loop {
        if range.len() > 1 && view.is(range.start, b"await") {
            range.start += 1;
        } else if range.len() > 2 && view.sign(range.start, b'(') && view.mate(range.start) + 1 == range.end {
            range = range.start + 1..range.end - 1;
        } else {
            return range;
        }
    }
}

/// Whether a range is nothing but literals and what holds them together.
pub(super) fn is_literal(view: &View<'_>, range: Range<usize>) -> bool {
    // The name of an argument is no value.
    let named = |at: usize| at + 1 < range.end && view.sign(at + 1, b'=') && !view.signs(at + 1, b'=', b'=');
    !range.is_empty()
        && range.clone().all(|at| match view.kind(at) {
            Some(Kind::Number | Kind::Text | Kind::Open | Kind::Close) => true,
            Some(Kind::Word) => LITERAL_WORDS.contains(&view.text(at)) || named(at),
            Some(Kind::Punct) => b"-+,:.=*".iter().any(|sign| view.sign(at, *sign)),
            _ => false,
        })
}
