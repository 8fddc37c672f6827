//! Calls that assert: of `testing`, testify and gomega, and helpers by their names.

use std::ops::Range;

use crate::structure::lang::reading::Reading;
use crate::structure::outline::{Assertion, ExpectedError};
use crate::structure::vocabulary::{self, EQUALITY, UNKNOWN};

use super::condition::{self, is_literal};
use super::handles::Handles;
use super::matchers::{self, Shape};
use super::tolerance;
use super::view::View;

/// A call that asserts.
pub(super) enum Call {
    /// `t.Error(…)` and its like: fails whenever it is reached.
    Failure {
        /// All of it.
        range: Range<usize>,
    },
    /// `assert.Equal(t, …)`, `require.…`, `s.…` of a suite.
    Testify {
        /// All of it.
        range: Range<usize>,
        /// Its name.
        name: usize,
    },
    /// `Expect(…).To(…)`
    Gomega {
        /// All of the chain.
        range: Range<usize>,
        /// `Expect`
        name: usize,
    },
    /// A helper whose name says so.
    Helper {
        /// All of it.
        range: Range<usize>,
        /// Its name.
        name: usize,
    },
}

/// Methods of a handle that fail the test.
const FAILURES: [&[u8]; 6] = [b"Error", b"Errorf", b"Fatal", b"Fatalf", b"Fail", b"FailNow"];

impl Call {
    /// The assertion whose name stands at `at`, in front of a parenthesis.
    pub(super) fn at(view: &View<'_>, at: usize, handles: &Handles<'_>, helpers: &[String]) -> Option<Self> {
        let name = view.text(at);
        let close = view.mate(at + 1);
        let method = at > 1 && view.sign(at - 1, b'.');
        let start = if method { receiver_start(view, at - 1) } else { at };
        let range = start..close + 1;
        if FAILURES.contains(&name) && on_handle(view, at, handles) {
            return Some(Self::Failure { range });
        }
        if method && matchers::is_made(name) && on_testify(view, at, handles) {
            return Some(Self::Testify { range, name: at });
        }
        if name == b"Expect" {
            let mut end = close;
            while view.sign(end + 1, b'.') && view.word(end + 2) && view.sign(end + 3, b'(') {
                end = view.mate(end + 3);
            }
            return Some(Self::Gomega {
                range: start..end + 1,
                name: at,
            });
        }
        let counts = vocabulary::is_helper(name, helpers) || vocabulary::is_assertion(name);
        counts.then_some(Self::Helper { range, name: at })
    }

    /// Whether it asserts whatever stands around it: not a helper inside of the arguments of another assertion.
    pub(super) fn is_explicit(&self) -> bool {
        !matches!(self, Self::Helper { .. })
    }

    /// All of its tokens.
    pub(super) fn range(&self) -> Range<usize> {
        match self {
            Self::Failure { range }
            | Self::Testify { range, .. }
            | Self::Gomega { range, .. }
            | Self::Helper { range, .. } => range.clone(),
        }
    }
}

/// Longest receiver in front of a call that belongs to it, in steps.
const MAX_STEPS: usize = 8;

/// Where the receiver of the call with this dot begins: `s.Require()` in `s.Require().Equal(…)`.
fn receiver_start(view: &View<'_>, dot: usize) -> usize {
    let mut start = dot;
    for _ in 0..MAX_STEPS {
        if start > 0 && view.sign(start - 1, b')') {
            let open = view.mate(start - 1);
            if open == 0 || !view.word(open - 1) {
                return open;
            }
            start = open - 1;
        } else if start > 0 && view.word(start - 1) {
            start -= 1;
        } else {
            return start;
        }
        if start > 0 && view.sign(start - 1, b'.') {
            start -= 1;
        } else {
            return start;
        }
    }
    start
}

/// Whether a method is called on a handle: `t.Error`, `s.T().Error`, `GinkgoT().Error`.
pub(super) fn on_handle(view: &View<'_>, at: usize, handles: &Handles<'_>) -> bool {
    if at < 2 || !view.sign(at - 1, b'.') {
        return false;
    }
    let receiver = at - 2;
    if view.word(receiver) {
        let plain = receiver == 0 || !view.sign(receiver - 1, b'.');
        return plain && handles.contains(view.text(receiver));
    }
    called(view, receiver).is_some_and(|name| matches!(name, b"T" | b"GinkgoT"))
}

/// The name of the call without arguments that ends here.
fn called<'a>(view: &View<'a>, close: usize) -> Option<&'a [u8]> {
    let open = view.mate(close);
    (view.sign(close, b')') && open + 1 == close && open > 0).then(|| view.text(open - 1))
}

/// Whether a method is called on what testify makes: its packages, a suite, `s.Require()`.
fn on_testify(view: &View<'_>, at: usize, handles: &Handles<'_>) -> bool {
    let receiver = at - 2;
    if view.word(receiver) {
        let plain = receiver == 0 || !view.sign(receiver - 1, b'.');
        let name = view.text(receiver);
        let package = matches!(name, b"assert" | b"require");
        return plain && (package || (handles.is_receiver(name) && matchers::is_known(view.text(at))));
    }
    called(view, receiver).is_some_and(|name| matches!(name, b"Require" | b"Assert"))
}

/// Reads an assertion that nothing guards.
pub(super) fn read(view: &View<'_>, call: &Call, handles: &Handles<'_>) -> Assertion {
    let range = call.range();
    let reading = match call {
        Call::Failure { .. } => Reading::default(),
        Call::Testify { name, .. } => {
            let operands = operands(view, *name, handles);
            Reading {
                error: expected_error(view, *name, &operands),
                ..testify(view, *name, &operands)
            }
        }
        Call::Gomega { name, range } => gomega(view, *name, range.end),
        Call::Helper { name, .. } => helper(view, *name, &operands(view, *name, handles)),
    };
    let tokens = range.clone().filter(|at| !view.is_idle(*at, range.end));
    let subject = reading.subject.clone();
    reading.assertion(
        view.shown(range.clone()),
        tokens.map(|at| (at, view.hash(at))),
        subject.map(|subject| view.hash_range(subject, None).plain),
        tolerance::of(view, range.clone()),
    )
}

/// The arguments of a call without the handle in front.
fn operands(view: &View<'_>, name: usize, handles: &Handles<'_>) -> Vec<Range<usize>> {
    let mut operands = view.parts(name + 2..view.mate(name + 1));
    let is_handle = operands.first().is_some_and(|first| {
        (first.len() == 1 && handles.contains(view.text(first.start)))
            || (first.len() > 2
                && called(view, first.end - 1).is_some_and(|name| matches!(name, b"T" | b"GinkgoT")))
    });
    if is_handle {
        operands.remove(0);
    }
    operands
}

fn testify(view: &View<'_>, name: usize, operands: &[Range<usize>]) -> Reading {
    let (rank, shape) = matchers::testify(view.text(name)).unwrap_or((UNKNOWN, Shape::One));
    match (shape, operands) {
        (Shape::True | Shape::False, [condition, ..]) => {
            condition::reading(view, condition.clone(), shape == Shape::False)
        }
        (Shape::Two, [left, right, ..]) => condition::comparison(view, left, right, rank),
        (Shape::With, [left, right, ..]) => Reading {
            vacuous: false,
            ..condition::comparison(view, left, right, rank)
        },
        (Shape::One, [first, ..]) => {
            let literal = is_literal(view, first.clone());
            Reading {
                subject: Some(first.clone()).filter(|_| !literal),
                rank,
                vacuous: literal && matchers::always_holds(view, name, first),
                expected: None,
                error: None,
            }
        }
        _ => Reading {
            rank,
            ..Reading::default()
        },
    }
}

/// The error that a call of testify expects.
fn expected_error(view: &View<'_>, name: usize, operands: &[Range<usize>]) -> Option<ExpectedError> {
    let (general, matched) = matchers::error(view.text(name))?;
    Some(ExpectedError {
        hash: operands
            .get(1)
            .filter(|_| !general)
            .map_or(0, |operand| view.hash_range(operand.clone(), None).plain),
        general,
        matched,
    })
}

/// `Expect(subject).To(Matcher(expected))`; `name` is `Expect`, `end` the end of the chain.
fn gomega(view: &View<'_>, name: usize, end: usize) -> Reading {
    let close = view.mate(name + 1);
    let subject = view.parts(name + 2..close).into_iter().next();
    let nothing = Reading {
        subject: subject.clone(),
        ..Reading::default()
    };
    // The last link of the chain holds the matcher.
    let mut link = close + 2;
    while link < end && view.sign(view.mate(link + 1) + 1, b'.') && view.mate(link + 1) + 2 < end {
        link = view.mate(link + 1) + 2;
    }
    let (Some(subject), true) = (subject, link < end) else {
        return nothing;
    };
    let negated = matches!(view.text(link), b"NotTo" | b"ToNot" | b"ShouldNot");
    let mut matcher = link + 2;
    if view.sign(matcher + 1, b'.') && view.word(matcher + 2) {
        matcher += 2;
    }
    if !view.sign(matcher + 1, b'(') {
        return nothing;
    }
    let name = view.text(matcher);
    let expected = view.parts(matcher + 2..view.mate(matcher + 1)).into_iter().next();
    let error = matchers::gomega_error(name)
        .filter(|_| !negated)
        .map(|general| ExpectedError {
            hash: expected
                .clone()
                .map_or(0, |expected| view.hash_range(expected, None).plain),
            general,
            matched: false,
        });
    let rank = matchers::gomega(name, negated);
    let reading = match (name, expected) {
        (b"BeTrue" | b"BeFalse", _) => condition::reading(view, subject, (name == b"BeFalse") != negated),
        (_, Some(expected)) if rank == EQUALITY => condition::comparison(view, &subject, &expected, rank),
        (_, expected) => Reading {
            subject: Some(subject),
            rank,
            vacuous: false,
            expected: expected.filter(|expected| is_literal(view, expected.clone())),
            error: None,
        },
    };
    Reading { error, ..reading }
}

/// A helper: about its first argument that is no literal.
fn helper(view: &View<'_>, name: usize, operands: &[Range<usize>]) -> Reading {
    let literal = |operand: &&Range<usize>| is_literal(view, (*operand).clone());
    let text = view.text(name);
    let equality = memchr::memmem::find(text, b"Equal").is_some()
        || text.split(|byte| *byte == b'_').any(|part| part == b"eq");
    Reading {
        subject: operands.iter().find(|operand| !literal(operand)).cloned(),
        rank: if equality { EQUALITY } else { UNKNOWN },
        vacuous: text == b"assert"
            && operands.len() == 1
            && operands[0].len() == 1
            && view.is(operands[0].start, b"true"),
        expected: operands.iter().rev().find(literal).cloned(),
        error: None,
    }
}
