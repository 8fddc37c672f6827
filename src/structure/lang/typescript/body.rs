//! Looks into the body of a test: its assertions, the calls it makes, ways around its assertions.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::structure::outline::{Mark, TestBody, Unit};

use super::assertion;
use super::handle::Handle;
use super::inline::inline_snapshot;
use super::tolerance;
use super::view::View;

/// Reads the body of a test or of a function that it calls.
pub(super) fn read(source: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
    let Some(body) = &unit.body else {
        return TestBody::default();
    };
    let Some(code) = source.get(body.bytes.clone()) else {
        return TestBody::default();
    };
    let Ok(view) = View::new(code, true) else {
        return TestBody::default();
    };
    let before = source.get(unit.bytes.start..body.bytes.start).unwrap_or_default();
    let above = memchr::memchr_iter(b'\n', before).count();
    let braces = view.opens(0, b'{') && view.mate(0) + 1 == view.len();
    let inside = if braces { 1..view.len() - 1 } else { 0..view.len() };
    Reader {
        view: &view,
        helpers,
        handle: Handle::of_test(before),
        first_line: unit.lines.0.saturating_add(crate::structure::lexer::small(above)),
        statements: Vec::new(),
        swallowing: Vec::new(),
        assertion_end: 0,
    }
    .read(inside)
}

struct Reader<'v, 'a> {
    view: &'v View<'a>,
    helpers: &'v [String],
    handle: Handle,
    /// The line of the file that the body begins on.
    first_line: u32,
    /// Where the statement began, for each group that is open.
    statements: Vec<usize>,
    /// Ends of the groups whose failures are dropped.
    swallowing: Vec<usize>,
    /// The end of the assertion that is being read.
    assertion_end: usize,
}

impl Reader<'_, '_> {
    fn read(mut self, inside: Range<usize>) -> TestBody {
        let view = self.view;
        let mut body = TestBody {
            empty: is_empty(view, inside.clone()),
            ..TestBody::default()
        };
        let mut calls: BTreeSet<String> = BTreeSet::new();
        let mut taken: Vec<Range<usize>> = Vec::new();
        let mut first_assertion = inside.end;
        let mut first_skip: Option<(usize, Mark)> = None;
        self.statements.push(inside.start);
        let mut at = inside.start;
        while at < inside.end {
            self.follow(at);
            // What a function in an assertion asserts counts on its own.
            let function = at > 0 && (view.closes(at - 1) || view.sign(at - 1, b'>'));
            if function && view.opens(at, b'{') && at < self.assertion_end {
                self.assertion_end = at;
            }
            if !view.word(at) {
                at += 1;
                continue;
            }
            // What stands in a test of its own belongs to that.
            if let Some(after) = self.handle.nested_test(view, at) {
                at = after;
                continue;
            }
            if view.is(at, b"try") && view.opens(at + 1, b'{') && self.drops_failure(at + 1) {
                self.swallowing.push(view.mate(at + 1));
            }
            if first_skip.is_none()
                && let Some(call) = self.handle.skip(view, at)
            {
                first_skip = Some((at, self.mark(call)));
            }
            if let Some(snapshot) = inline_snapshot(view, at, self.line(at)) {
                body.snapshots.push(snapshot);
            }
            if let Some(open) = call_of(view, at) {
                if !after_dot(view, at) {
                    calls.insert(view.name(at));
                }
                if at >= self.assertion_end
                    && let Some(found) = assertion::at(view, at, open, (&self.handle, self.helpers))
                {
                    let start = self.statement(at, found.start);
                    let range = start..found.end;
                    self.assertion_end = found.end;
                    first_assertion = first_assertion.min(at);
                    let mut assertion = assertion::read(view, &found, range.clone());
                    assertion.line = self.line(at);
                    assertion.tolerances.line = assertion.line;
                    assertion.swallowed = !self.swallowing.is_empty();
                    taken.push(range);
                    body.assertions.push(assertion);
                }
            }
            at += 1;
        }
        body.calls = calls.into_iter().collect();
        body.skip = first_skip
            .filter(|(at, _)| *at < first_assertion)
            .map(|(_, mark)| mark);
        body.early_return = self.early_return(inside.clone(), first_assertion);
        body.tolerances = tolerance::statements(view, inside, &taken);
        for statement in &mut body.tolerances {
            statement.line = self.first_line.saturating_add(statement.line).saturating_sub(1);
        }
        body
    }

    fn line(&self, at: usize) -> u32 {
        self.first_line
            .saturating_add(self.view.line(at))
            .saturating_sub(1)
    }

    fn mark(&self, tokens: Range<usize>) -> Mark {
        Mark {
            line: self.line(tokens.start),
            text: self.view.shown(tokens),
            specific: false,
            inherited_from: None,
        }
    }

    /// Keeps track of where the statement around a token began, and of the groups that end.
    fn follow(&mut self, at: usize) {
        let view = self.view;
        while self.swallowing.last().is_some_and(|end| *end <= at) {
            self.swallowing.pop();
        }
        let ends = view.sign(at, b';') || view.sign(at, b',') || (at > 0 && view.arrow(at - 1));
        if view.is_open(at) {
            self.statements.push(at + 1);
        } else if view.closes(at) {
            self.statements.pop();
            if view.begins_statement(at + 1)
                && let Some(start) = self.statements.last_mut()
            {
                *start = at + 1;
            }
        } else if (ends || view.begins_statement(at))
            && let Some(start) = self.statements.last_mut()
        {
            *start = if ends { at + 1 } else { at };
        }
    }

    /// Where the statement of an assertion began: `await` and `return` in front of it belong to it.
    fn statement(&self, at: usize, start: usize) -> usize {
        let begin = self.statements.last().copied().unwrap_or(at).min(start);
        let all_words = (begin..start).all(|at| self.view.is(at, b"await") || self.view.is(at, b"return"));
        if all_words && start - begin <= 2 {
            begin
        } else {
            start
        }
    }

    /// Whether the handler of the block that opens here drops a failure: it neither throws, fails nor asserts.
    fn drops_failure(&self, open: usize) -> bool {
        let view = self.view;
        let mut at = view.next(open);
        if !view.is(at, b"catch") {
            return false;
        }
        at += 1;
        if view.opens(at, b'(') {
            at = view.next(at);
        }
        !view.inside(at).any(|at| {
            view.is(at, b"throw")
                || view.is(at, b"reject")
                || view.is(at, b"fail")
                || call_of(view, at)
                    .and_then(|open| assertion::at(view, at, open, (&self.handle, self.helpers)))
                    .is_some()
        })
    }

    /// The first `return` at the top, or in an `if` or `else` there, in front of the first assertion.
    fn early_return(&self, inside: Range<usize>, first_assertion: usize) -> Option<Mark> {
        let view = self.view;
        // The end of the last block behind a condition, and the place behind the last condition.
        let mut branch = 0;
        let mut at = inside.start;
        let stop = first_assertion.min(inside.end);
        while at < stop {
            if let Some(mark) = self.leaves(at, inside.end, first_assertion) {
                return Some(mark);
            }
            if view.is(at, b"if") && view.opens(at + 1, b'(') {
                at = view.next(at + 1);
                branch = at;
            } else if view.is(at, b"else") {
                at += 1;
                branch = at;
            } else if view.opens(at, b'{') && branch == at {
                let mut inner = at + 1;
                let close = view.mate(at);
                while inner < close.min(stop) {
                    if let Some(mark) = self.leaves(inner, close, first_assertion) {
                        return Some(mark);
                    }
                    inner = view.next(inner);
                }
                at = close + 1;
            } else {
                at = view.next(at);
            }
        }
        None
    }

    /// A `return` or `process.exit(…)` that stands here and leaves the test as passed.
    fn leaves(&self, at: usize, end: usize, first_assertion: usize) -> Option<Mark> {
        let view = self.view;
        let stop = || {
            // A line break behind `return` ends it.
            let alone = view.on_new_line(at + 1) && !view.opens(at + 1, b'(');
            if alone {
                at + 1
            } else {
                view.expression(at + 1, end).max(at + 1)
            }
        };
        let returns = view.is(at, b"return") && !after_dot(view, at);
        let exits = view.is(at, b"exit") && view.opens(at + 1, b'(');
        // A promise or a value that is returned is awaited by the runner.
        let nothing = returns && {
            let stop = stop();
            stop <= at + 1
                || (stop <= first_assertion && self.assertion_end > 0)
                || (at + 1..stop)
                    .all(|at| view.is(at, b"undefined") || view.is(at, b"null") || view.is(at, b"void"))
                || (stop == at + 2 && (view.is(at + 1, b"true") || view.is(at + 1, b"false")))
                || view.on_new_line(at + 1)
        };
        let skips = returns && call_of(view, at + 1).is_some_and(|_| is_done(view, at + 1));
        (nothing || exits || skips).then(|| self.mark(at..stop()))
    }
}

/// `done()` ends a test as passed.
fn is_done(view: &View<'_>, at: usize) -> bool {
    matches!(view.text(at), b"done" | b"next" | b"resolve") && view.mate(at + 1) == at + 2
}

pub(super) fn after_dot(view: &View<'_>, at: usize) -> bool {
    at > 0 && view.sign(at - 1, b'.')
}

/// The group of the arguments when the word is called: `name(`, `name<T>(`, `name?.(`.
pub(super) fn call_of(view: &View<'_>, at: usize) -> Option<usize> {
    if !view.word(at) || (at > 0 && view.is(at - 1, b"function")) {
        return None;
    }
    let mut open = at + 1;
    if let Some(after) = view.type_arguments(open) {
        open = after;
    }
    if view.sign(open, b'?') && view.sign(open + 1, b'.') {
        open += 2;
    }
    view.opens(open, b'(').then_some(open)
}

/// Whether a body holds nothing that runs.
fn is_empty(view: &View<'_>, inside: Range<usize>) -> bool {
    inside
        .filter(|at| !view.sign(*at, b';'))
        .all(|at| view.is(at, b"return") || view.is(at, b"undefined"))
}
