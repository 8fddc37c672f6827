//! One assertion: what it is about, how strong it is, whether it can fail.

use std::ops::Range;

use crate::structure::lang::reading::Reading;
use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::PLACEHOLDER;
use crate::structure::outline::Assertion;
use crate::structure::vocabulary::{self, EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::snapshot;
use super::tolerance;
use super::view::View;

/// How a name is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Macro,
    Function,
    Method,
}

/// Calls at the end of an operand that only unwrap what it is about.
const WRAPPERS: [&[u8]; 8] = [
    b"unwrap",
    b"expect",
    b"unwrap_err",
    b"expect_err",
    b"as_ref",
    b"as_deref",
    b"clone",
    b"await",
];

/// Words that may stand in an expected value without making it more than a literal.
const LITERAL_WORDS: [&[u8]; 12] = [
    b"true",
    b"false",
    b"None",
    b"Some",
    b"Ok",
    b"Err",
    b"vec",
    b"String",
    b"from",
    b"to_string",
    b"to_owned",
    b"into",
];

/// Whether a call of this name is an assertion.
pub(super) fn is_name(name: &[u8], place: Place, helpers: &[String]) -> bool {
    if vocabulary::is_helper(name, helpers) {
        return true;
    }
    match place {
        Place::Macro
            if [&b"assert"[..], b"debug_assert", b"prop_assert"]
                .iter()
                .any(|word| name.starts_with(word)) =>
        {
            true
        }
        Place::Function if name == b"expect" => true,
        // `.expect(…)` unwraps a value.
        _ => name != b"expect" && vocabulary::is_assertion(name),
    }
}

/// Reads the assertion whose name stands at `at` and whose arguments open at `open`; `range` is all of it.
pub(super) fn read(view: &View<'_>, at: usize, open: usize, range: Range<usize>, place: Place) -> Assertion {
    let arguments = split(view, open + 1..view.mate(open));
    let name = view.text(at);
    let name = [&b"debug_"[..], b"prop_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(*prefix))
        .unwrap_or(name);
    let reading = if place == Place::Macro {
        match (name, &arguments[..]) {
            (b"assert", [condition, ..]) => condition_reading(view, condition.clone()),
            (b"assert_eq", [left, right, ..]) => comparison(view, left, right, EQUALITY),
            (b"assert_ne", [left, right, ..]) => comparison(view, left, right, PARTIAL),
            (name, [first, rest @ ..]) => named(view, name, first, rest),
            _ => Reading::default(),
        }
    } else {
        called(view, at, &arguments, &range, place)
    };
    let inline = snapshot::texts_in(view, range.clone());
    let mut next_inline = inline.iter().peekable();
    let tokens = range.clone().filter(|at| !view.idle_comma(*at, range.end));
    let hashed = tokens.map(|at| {
        let inline = next_inline.next_if(|text| **text == at).is_some();
        (at, if inline { PLACEHOLDER } else { view.hash(at) })
    });
    let subject = reading
        .subject
        .clone()
        .map(|subject| hash(view, bare(view, subject)));
    reading.assertion(
        view.shown(range.clone()),
        hashed,
        subject,
        tolerance::of(view, range.clone()),
    )
}

/// `assert!(condition)`
fn condition_reading(view: &View<'_>, condition: Range<usize>) -> Reading {
    let mut range = condition;
    // Parentheses around all of it, and what negates it, do not change what it is about.
    let mut negated = false;
    loop {
        if view.sign(range.start, b'!') && !range.is_empty() {
            negated = !negated;
            range.start += 1;
        } else if view.sign(range.start, b'(') && view.mate(range.start) + 1 == range.end {
            range = range.start + 1..range.end - 1;
        } else {
            break;
        }
    }
    let constant = if negated { b"false".as_slice() } else { b"true" };
    if range.len() == 1 && view.is(range.start, constant) {
        return Reading {
            vacuous: true,
            ..Reading::default()
        };
    }
    match operator(view, range.clone()) {
        Some(Operator::Logic { or, parts }) => {
            let always = |part: &Range<usize>| part.len() == 1 && view.is(part.start, b"true");
            Reading {
                vacuous: or && !negated && parts.iter().any(always),
                subject: Some(range),
                rank: EXISTENCE,
                expected: None,
                error: None,
            }
        }
        Some(Operator::Comparison { equal, left, right }) => {
            let rank = if equal && !negated { EQUALITY } else { PARTIAL };
            comparison(view, &left, &right, rank)
        }
        None => predicate(view, range, negated),
    }
}

/// Two operands that are compared.
fn comparison(view: &View<'_>, left: &Range<usize>, right: &Range<usize>, rank: u8) -> Reading {
    Reading::comparison(
        left,
        right,
        rank,
        |range| is_literal(view, range),
        |range| hash(view, range),
    )
}

fn hash(view: &View<'_>, range: Range<usize>) -> u64 {
    view.hash_range(range, None).plain
}

/// An expression that ends in a question: `x.is_some()`, `matches!(x, …)`, or is one itself.
fn predicate(view: &View<'_>, range: Range<usize>, negated: bool) -> Reading {
    if view.is(range.start, b"matches") && view.sign(range.start + 1, b'!') {
        let open = range.start + 2;
        return Reading {
            subject: split(view, open + 1..view.mate(open)).into_iter().next(),
            rank: PARTIAL,
            ..Reading::default()
        };
    }
    let Some((name, receiver)) = last_method(view, &range) else {
        return Reading {
            subject: Some(range),
            rank: EXISTENCE,
            ..Reading::default()
        };
    };
    let arguments = name + 2..range.end - 1;
    let rank = match view.text(name) {
        // The last two fix the outcome as an equality with `None` or an empty list does.
        b"eq" | b"is_none" | b"is_empty" if !negated => EQUALITY,
        b"contains" | b"contains_key" | b"starts_with" | b"ends_with" | b"matches" | b"eq" | b"is_match"
        | b"any" | b"all" => PARTIAL,
        _ => EXISTENCE,
    };
    Reading {
        subject: Some(receiver),
        rank,
        vacuous: false,
        expected: is_literal(view, arguments.clone()).then_some(arguments),
        error: None,
    }
}

/// Assertion macros of other crates, by the words in their names.
fn named(view: &View<'_>, name: &[u8], first: &Range<usize>, rest: &[Range<usize>]) -> Reading {
    let has = |word: &[u8]| name.split(|byte| *byte == b'_').any(|part| part == word);
    let rank = if has(b"ne") {
        PARTIAL
    } else if has(b"eq") || has(b"snapshot") {
        EQUALITY
    } else if has(b"matches") || has(b"contains") || has(b"lt") || has(b"le") || has(b"gt") || has(b"ge") {
        PARTIAL
    } else if has(b"ok") || has(b"err") || has(b"some") || has(b"none") {
        EXISTENCE
    } else {
        UNKNOWN
    };
    match rest.first() {
        Some(second) if has(b"eq") || has(b"ne") => comparison(view, first, second, rank),
        _ => Reading {
            subject: Some(first.clone()),
            rank,
            ..Reading::default()
        },
    }
}

/// Functions and methods that assert: about their receiver, else their first argument that is no literal.
fn called(
    view: &View<'_>,
    at: usize,
    arguments: &[Range<usize>],
    range: &Range<usize>,
    place: Place,
) -> Reading {
    let subject = match place {
        Place::Method if at > range.start + 1 => Some(range.start..at - 1),
        _ => arguments
            .iter()
            .find(|argument| !is_literal(view, (*argument).clone()))
            .cloned(),
    };
    let expected = arguments
        .iter()
        .rev()
        .find(|argument| is_literal(view, (*argument).clone()))
        .cloned();
    let is_equality = view
        .text(at)
        .split(|byte| *byte == b'_')
        .any(|part| part == b"eq");
    Reading {
        subject,
        rank: if is_equality { EQUALITY } else { UNKNOWN },
        vacuous: false,
        expected,
        error: None,
    }
}

enum Operator {
    Logic {
        or: bool,
        parts: Vec<Range<usize>>,
    },
    Comparison {
        equal: bool,
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
        let adjacent = view.end(at) == view.start(at + 1);
        if view.is(at, b"as") || (view.path_sign(at) && view.sign(at + 2, b'<')) {
            // Types hold angle brackets that compare nothing.
            at = view.after_generics(at + 2, range.end);
            continue;
        }
        let twice = |sign: u8| view.sign(at, sign) && view.sign(at + 1, sign) && adjacent;
        // At the start of an operand these are a closure and a reference of a reference.
        let inside = at > part;
        if inside && (twice(b'&') || twice(b'|')) {
            or |= view.sign(at, b'|');
            parts.push(part..at);
            part = at + 2;
            at += 2;
            continue;
        }
        let with_equals = adjacent && view.sign(at + 1, b'=');
        if comparison.is_none() && inside {
            if (view.sign(at, b'=') || view.sign(at, b'!')) && with_equals {
                comparison = Some((view.sign(at, b'='), at, at + 2));
                at += 2;
                continue;
            }
            if (view.sign(at, b'<') || view.sign(at, b'>'))
                && !view.arrow_ends(at)
                && !twice(b'<')
                && !twice(b'>')
            {
                comparison = Some((false, at, at + 1 + usize::from(with_equals)));
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
        right: right..range.end,
    })
}

/// The name of the method call that ends a range, and its receiver.
fn last_method(view: &View<'_>, range: &Range<usize>) -> Option<(usize, Range<usize>)> {
    let close = range.end.checked_sub(1)?;
    if !view.sign(close, b')') {
        return None;
    }
    let name = view.mate(close).checked_sub(1)?;
    let dot = name.checked_sub(1)?;
    (view.word(name) && view.sign(dot, b'.') && dot > range.start).then_some((name, range.start..dot))
}

/// A subject without references in front of it and without calls that only unwrap it.
fn bare(view: &View<'_>, mut range: Range<usize>) -> Range<usize> {
    while range.len() > 1
        && (view.sign(range.start, b'&') || view.sign(range.start, b'*') || view.is(range.start, b"mut"))
    {
        range.start += 1;
    }
    loop {
        let last = range.end - 1;
        if range.len() > 2 && view.sign(last, b'?') {
            range.end -= 1;
        } else if range.len() > 2 && view.is(last, b"await") && view.sign(last - 1, b'.') {
            range.end -= 2;
        } else if let Some((name, receiver)) = last_method(view, &range)
            && WRAPPERS.contains(&view.text(name))
        {
            range = receiver;
        } else {
            return range;
        }
        if range.is_empty() {
            return range;
        }
    }
}

/// Whether a range is nothing but literals and what holds them together.
pub(super) fn is_literal(view: &View<'_>, range: Range<usize>) -> bool {
    !range.is_empty()
        && range.clone().all(|at| match view.kind(at) {
            Some(Kind::Number | Kind::Text | Kind::Char | Kind::Open | Kind::Close) => true,
            Some(Kind::Word) => LITERAL_WORDS.contains(&view.text(at)),
            Some(Kind::Punct) => b"-&,.:!".iter().any(|sign| view.sign(at, *sign)),
            _ => false,
        })
}

/// Arguments between commas.
fn split(view: &View<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let comma = view.find_flat(at, range.end, b",");
        parts.push(at..comma);
        at = comma + 1;
    }
    parts
}
