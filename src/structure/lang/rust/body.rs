//! Looks into the body of a test: its assertions, the calls it makes, ways around its assertions.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::structure::outline::{Mark, TestBody, Unit};

use super::assertion::{self, Place};
use super::doctest::example_code;
use super::snapshot;
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
    let example;
    let code = if unit.segment.kind == "doctest" {
        example = example_code(source, body.bytes.clone());
        &example
    } else {
        code
    };
    // The code of an example need not be Rust that can be split into tokens; then nothing is said about it.
    let Ok(view) = View::new(code) else {
        return TestBody::default();
    };
    let before = source.get(unit.bytes.start..body.bytes.start).unwrap_or_default();
    let above = memchr::memchr_iter(b'\n', before).count();
    let first_line = unit.lines.0.saturating_add(crate::structure::lexer::small(above));
    let inside = if view.is_open(0) && view.mate(0) + 1 == view.len() && unit.segment.kind != "doctest" {
        1..view.len() - 1
    } else {
        0..view.len()
    };
    Reader {
        view: &view,
        helpers,
        first_line,
        statements: Vec::new(),
        swallowing: Vec::new(),
        inside_assertion: 0,
        nested: Vec::new(),
        catches: 0,
    }
    .read(inside)
}

struct Reader<'v, 'a> {
    view: &'v View<'a>,
    helpers: &'v [String],
    /// The line of the file that the body begins on.
    first_line: u32,
    /// Where the statement began, for each group that is open.
    statements: Vec<usize>,
    /// Ends of the groups whose failures are dropped.
    swallowing: Vec<usize>,
    /// The end of the outermost assertion that is being read.
    inside_assertion: usize,
    /// Ends of the assertions that are being read, one inside of the other.
    nested: Vec<usize>,
    catches: usize,
}

/// Deepest nesting of assertions in assertions that is read.
const MAX_NESTED: usize = 16;

/// Longest statement in front of a call that belongs to it.
const MAX_STATEMENT: usize = 512;

/// Most uses of `catch_unwind` in one body whose results are followed.
const MAX_CATCHES: usize = 64;

impl Reader<'_, '_> {
    fn read(mut self, inside: Range<usize>) -> TestBody {
        let view = self.view;
        let mut body = TestBody {
            empty: is_empty(view, inside.clone()),
            ..TestBody::default()
        };
        let mut calls: BTreeSet<String> = BTreeSet::new();
        let mut first_assertion = inside.end;
        let mut taken: Vec<Range<usize>> = Vec::new();
        self.statements.push(inside.start);
        for at in inside.clone() {
            self.follow_statement(at);
            if !view.word(at) {
                if let Some(found) = snapshot::at(view, at) {
                    body.snapshots.push(found.into_snapshot(view, self.line(at)));
                }
                continue;
            }
            let Some(call) = self.call(at) else { continue };
            calls.insert(view.name(at));
            if call.is_catch {
                self.catches += 1;
                // Beyond the limit the worse is assumed.
                if self.catches > MAX_CATCHES || self.drops_failure(at, &call, inside.end) {
                    self.swallowing.push(view.mate(call.open));
                }
            }
            let counts = assertion::is_name(view.text(at), call.place, self.helpers);
            let operand = at < self.inside_assertion && call.place != Place::Macro;
            self.nested.retain(|end| at < *end);
            if !counts || operand || self.nested.len() >= MAX_NESTED {
                continue;
            }
            let close = view.mate(call.open);
            let range = match call.place {
                Place::Macro => at..close + 1,
                _ => self.statement(at)..close + 1,
            };
            first_assertion = first_assertion.min(at);
            self.inside_assertion = self.inside_assertion.max(close);
            self.nested.push(close);
            let mut found = assertion::read(view, at, call.open, range.clone(), call.place);
            found.line = self.line(at);
            found.tolerances.line = found.line;
            found.swallowed = self.swallowing.iter().any(|end| at < *end);
            taken.push(range);
            body.assertions.push(found);
        }
        body.calls = calls.into_iter().collect();
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

    /// Keeps track of where the statement around a token began.
    fn follow_statement(&mut self, at: usize) {
        let view = self.view;
        while self.swallowing.last().is_some_and(|end| *end <= at) {
            self.swallowing.pop();
        }
        if view.is_open(at) {
            self.statements.push(at + 1);
        } else if view.closes(at) {
            self.statements.pop();
            // A block ends the statement before it, unless more follows.
            if view.sign(at, b'}')
                && !view.sign(at + 1, b'.')
                && let Some(start) = self.statements.last_mut()
            {
                *start = at + 1;
            }
        } else if (view.sign(at, b';') || view.sign(at, b',') || (view.sign(at, b'>') && view.arrow_ends(at)))
            && let Some(start) = self.statements.last_mut()
        {
            *start = at + 1;
        }
    }

    /// Where the statement around a token began.
    fn statement(&self, at: usize) -> usize {
        let start = self.statements.last().copied().unwrap_or(at).min(at);
        if at - start > MAX_STATEMENT { at } else { start }
    }

    /// The call whose name stands here.
    fn call(&self, at: usize) -> Option<Call> {
        let view = self.view;
        let mut open = at + 1;
        let mut place = Place::Function;
        if view.sign(open, b'!') && view.is_open(open + 1) {
            open += 1;
            place = Place::Macro;
        } else {
            if view.path_sign(open) && view.sign(open + 2, b'<') {
                open = view.after_generics(open + 2, view.len());
            }
            if !view.sign(open, b'(') || (at > 0 && view.is(at - 1, b"fn")) {
                return None;
            }
            if at > 0 && view.sign(at - 1, b'.') {
                place = Place::Method;
            }
        }
        Some(Call {
            open,
            is_catch: view.is(at, b"catch_unwind"),
            place,
        })
    }

    /// Whether what `catch_unwind` returns is dropped, so that a failure inside goes unseen.
    fn drops_failure(&self, at: usize, call: &Call, end: usize) -> bool {
        const FAILS: [&[u8]; 8] = [
            b"unwrap",
            b"expect",
            b"unwrap_err",
            b"expect_err",
            b"resume_unwind",
            b"panic",
            b"is_err",
            b"is_ok",
        ];
        if at < self.inside_assertion {
            return false;
        }
        let view = self.view;
        let fails = |range: Range<usize>| {
            range.into_iter().any(|at| {
                FAILS.contains(&view.text(at))
                    || assertion::is_name(view.text(at), Place::Macro, self.helpers)
            })
        };
        let close = view.mate(call.open);
        let start = self.statement(at);
        // A block behind it (`match`, `if let`) belongs to the statement.
        let mut stop = view.find_flat(close + 1, end, b";{");
        if view.sign(stop, b'{') {
            stop = view.mate(stop);
        }
        if view.sign(close + 1, b'?') || fails(close + 1..stop) {
            return false;
        }
        let bound = start + 1 + usize::from(view.is(start + 1, b"mut"));
        let name = view.text(bound);
        let kept = view.is(start, b"let") && view.word(bound) && name != b"_" && !view.is_open(bound + 1);
        !(kept && (stop..end).any(|at| view.text(at) == name))
    }

    /// The first `return` at the top, or in an `if` or `else` there, in front of the first assertion.
    fn early_return(&self, inside: Range<usize>, first_assertion: usize) -> Option<Mark> {
        let view = self.view;
        let mut at = inside.start;
        let mut branch = false;
        while at < first_assertion.min(inside.end) {
            if let Some(mark) = self.leaves(at, inside.end) {
                return Some(mark);
            }
            if view.is(at, b"if") || view.is(at, b"else") {
                branch = true;
            } else if view.sign(at, b';') {
                branch = false;
            } else if view.sign(at, b'{') {
                if branch {
                    let close = view.mate(at);
                    let mut inner = at + 1;
                    while inner < close.min(first_assertion) {
                        if let Some(mark) = self.leaves(inner, close) {
                            return Some(mark);
                        }
                        inner = view.next(inner);
                    }
                }
                branch = view.is(view.mate(at) + 1, b"else");
            }
            at = view.next(at);
        }
        None
    }

    /// A `return` or `exit(…)` that stands here and leaves the test as passed.
    fn leaves(&self, at: usize, end: usize) -> Option<Mark> {
        let view = self.view;
        let returns = view.is(at, b"return") && !view.is(at + 1, b"Err");
        let exits = view.is(at, b"exit") && view.sign(at + 1, b'(');
        (returns || exits).then(|| {
            let stop = view.find_flat(at, end, b";");
            Mark {
                line: self.line(at),
                text: view.shown(at..stop.max(at + 1)),
                specific: false,
                inherited_from: None,
            }
        })
    }
}

struct Call {
    open: usize,
    is_catch: bool,
    place: Place,
}

/// Whether a body holds nothing that runs.
fn is_empty(view: &View<'_>, inside: Range<usize>) -> bool {
    let mut at = inside.start;
    while at < inside.end {
        let stop = view.find_flat(at, inside.end, b";");
        let words: Vec<&[u8]> = (at..stop.min(at + 8)).map(|at| view.text(at)).collect();
        let idle = match words[..] {
            []
            | [b"return"]
            | [b"(", b")"]
            | [b"return", b"(", b")"]
            | [b"Ok", b"(", b"(", b")", b")"]
            | [b"return", b"Ok", b"(", b"(", b")", b")"] => true,
            [b"todo" | b"unimplemented", b"!", ..] => view.mate(at + 2) + 1 == stop,
            _ => false,
        };
        if !idle {
            return false;
        }
        at = stop + 1;
    }
    true
}
