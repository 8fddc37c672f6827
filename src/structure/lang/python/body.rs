//! Looks into the body of a test: its assertions, the calls it makes, ways around its assertions.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::structure::lexer::{Kind, small};
use crate::structure::outline::{Mark, TestBody, Unit};

use super::rows::Row;
use super::statements::skip_call;
use super::string::Literal;
use super::view::View;
use super::{assertion, doctest, tolerance};

/// Reads the body of a test or of a function that it calls.
pub(super) fn read(source: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
    if unit.segment.kind == "doctest" {
        return doctest::read(source, unit);
    }
    let Some(body) = &unit.body else {
        return TestBody::default();
    };
    let Some(view) = source
        .get(body.bytes.clone())
        .and_then(|code| View::new(code).ok())
    else {
        return TestBody::default();
    };
    let before = source.get(unit.bytes.start..body.bytes.start).unwrap_or_default();
    let above = memchr::memchr_iter(b'\n', before).count();
    Reader {
        view: &view,
        helpers,
        first_line: unit.lines.0.saturating_add(small(above)),
        blocks: Vec::new(),
        found: TestBody::default(),
        calls: BTreeSet::new(),
        asserted: false,
    }
    .read()
}

/// A block of the body that is open.
struct Block {
    /// The first row behind it.
    end: usize,
    kind: Kindof,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kindof {
    /// `if` and what belongs to it.
    Branch,
    /// What fails in it goes unseen.
    Swallowing,
    /// A function or class of its own.
    Nested,
    /// Any other.
    Plain,
}

struct Reader<'v, 'a> {
    view: &'v View<'a>,
    helpers: &'v [String],
    /// The line of the file that the body begins on.
    first_line: u32,
    blocks: Vec<Block>,
    found: TestBody,
    calls: BTreeSet<String>,
    /// An assertion was seen.
    asserted: bool,
}

/// Longest expression in front of the name of a call that belongs to it, in tokens.
const MAX_RECEIVER: usize = 512;

/// Most tokens of a handler that are looked at for what it does with a failure.
const MAX_HANDLER: usize = 4096;

impl Reader<'_, '_> {
    fn read(mut self) -> TestBody {
        let view = self.view;
        let mut empty = true;
        for (number, row) in view.rows.iter().enumerate() {
            while self.blocks.last().is_some_and(|block| block.end <= number) {
                self.blocks.pop();
            }
            let first = row.first as usize;
            let head = first + usize::from(view.is(first, b"async"));
            let has_block = row.after as usize > number + 1;
            let (kind, colon) = self.head(number, head, has_block);
            if let Some(kind) = kind {
                empty = false;
                self.statement(first..colon);
                let end = if has_block { row.after as usize } else { number + 1 };
                self.blocks.push(Block { end, kind });
            }
            let mut at = if kind.is_some() { colon + 1 } else { first };
            while at < row.end as usize {
                let stop = view.find_flat(at, row.end as usize, b";");
                empty = empty && is_idle(view, at..stop);
                self.leaving(at..stop);
                self.statement(at..stop);
                at = stop + 1;
            }
        }
        self.found.empty = empty;
        self.found.calls = std::mem::take(&mut self.calls).into_iter().collect();
        self.found
    }

    /// The block that a row opens, and the colon that ends its head.
    fn head(&self, number: usize, head: usize, has_block: bool) -> (Option<Kindof>, usize) {
        let view = self.view;
        let row = view.rows[number];
        let end = row.end as usize;
        let kind = match view.text(head) {
            b"if" | b"elif" | b"else" => Kindof::Branch,
            b"def" | b"class" => Kindof::Nested,
            b"try" if self.drops_failure(number) => Kindof::Swallowing,
            b"with" if self.suppresses(head..end) => Kindof::Swallowing,
            b"try" | b"with" | b"for" | b"while" | b"except" | b"finally" => Kindof::Plain,
            _ if has_block => Kindof::Plain,
            _ => return (None, end),
        };
        if !view.word(head) && !has_block {
            return (None, end);
        }
        let colon = if has_block {
            end - 1
        } else {
            view.colon(head + 1, end)
        };
        (Some(kind), colon)
    }

    /// Whether the first handler of a `try` that gets failed assertions drops them.
    fn drops_failure(&self, number: usize) -> bool {
        let view = self.view;
        let level = view.rows[number].level;
        let mut at = view.rows[number].after as usize;
        while let Some(row) = view.rows.get(at).filter(|row| row.level == level) {
            let first = row.first as usize;
            if !view.is(first, b"except") {
                return false;
            }
            let end = row.end as usize;
            let colon = view.colon(first + 1, end);
            if catches(view, first + 1..colon) {
                return !self.fails(row, at, colon);
            }
            at = (row.after as usize).max(at + 1);
        }
        false
    }

    /// Whether a handler raises, fails or asserts.
    fn fails(&self, row: &Row, number: usize, colon: usize) -> bool {
        let view = self.view;
        let last = view
            .rows
            .get((row.after as usize).max(number + 1) - 1)
            .unwrap_or(row);
        let body = colon + 1..last.end as usize;
        body.take(MAX_HANDLER).any(|at| {
            let called = view.sign(at + 1, b'(');
            view.is(at, b"raise")
                || view.is(at, b"assert")
                || (called
                    && view.word(at)
                    && (matches!(view.text(at), b"fail" | b"exit")
                        || assertion::is_name(view, at, self.helpers)))
        })
    }

    /// Whether a `with` suppresses failed assertions.
    fn suppresses(&self, head: Range<usize>) -> bool {
        let view = self.view;
        head.into_iter().any(|at| {
            view.is(at, b"suppress")
                && view.sign(at + 1, b'(')
                && catches(view, at + 2..view.mate(at + 1))
                && view.mate(at + 1) > at + 2
        })
    }

    /// Looks for what leaves the test as passed in front of the first assertion.
    fn leaving(&mut self, tokens: Range<usize>) {
        let view = self.view;
        let free = self.blocks.iter().all(|block| block.kind == Kindof::Branch);
        if self.asserted || !free || self.found.early_return.is_some() {
            return;
        }
        let first = tokens.start;
        let mut name = first;
        while view.word(name) && view.sign(name + 1, b'.') {
            name += 2;
        }
        let exits = matches!(view.text(name), b"exit" | b"_exit" | b"quit") && view.sign(name + 1, b'(');
        if view.is(first, b"return") || exits {
            self.found.early_return = Some(self.mark(&tokens));
        }
    }

    fn mark(&self, tokens: &Range<usize>) -> Mark {
        Mark {
            line: self.line(tokens.start),
            text: self.view.shown(tokens.clone()),
            specific: false,
            inherited_from: None,
        }
    }

    fn line(&self, at: usize) -> u32 {
        self.first_line
            .saturating_add(self.view.line(at))
            .saturating_sub(1)
    }

    /// Looks for assertions and calls in one statement, or in the head of a block.
    fn statement(&mut self, tokens: Range<usize>) {
        let view = self.view;
        let nested = self.blocks.iter().any(|block| block.kind == Kindof::Nested);
        let mut inside = tokens.start;
        let mut any = false;
        if view.is(tokens.start, b"assert") {
            self.assertion(assertion::statement(view, tokens.clone()), tokens.start);
            inside = tokens.end;
            any = true;
        }
        for at in tokens.clone() {
            if !view.word(at) || !(view.sign(at + 1, b'(') || view.is(at, b"SkipTest")) {
                continue;
            }
            let defined = at > tokens.start && (view.is(at - 1, b"def") || view.is(at - 1, b"class"));
            if defined {
                continue;
            }
            if !self.asserted && !nested && self.found.skip.is_none() && skip_call(view, at) {
                self.found.skip = Some(self.mark(&tokens));
            }
            if !view.sign(at + 1, b'(') {
                continue;
            }
            self.calls.insert(view.name(at));
            if at < inside || !assertion::is_name(view, at, self.helpers) {
                continue;
            }
            let range = self.receiver(at, tokens.start)..self.chain_end(at, tokens.end);
            inside = range.end;
            any = true;
            self.assertion(assertion::call(view, at, range), at);
        }
        if !any && let Some(mut statement) = tolerance::of(view, tokens) {
            statement.line = self.first_line.saturating_add(statement.line).saturating_sub(1);
            self.found.tolerances.push(statement);
        }
    }

    fn assertion(&mut self, mut found: crate::structure::outline::Assertion, at: usize) {
        self.asserted = true;
        found.line = self.line(at);
        found.tolerances.line = found.line;
        found.swallowed = self.blocks.iter().any(|block| block.kind == Kindof::Swallowing);
        self.found.assertions.push(found);
    }

    /// Where the expression in front of the name of a call begins: `a.b(c)[d].name`.
    fn receiver(&self, at: usize, start: usize) -> usize {
        let view = self.view;
        let mut begin = at;
        while begin >= start + 2 && view.sign(begin - 1, b'.') && at - begin < MAX_RECEIVER {
            let mut before = begin - 2;
            while view.closes(before) && view.mate(before) > start {
                let open = view.mate(before);
                before = open;
                let called = view.word(open - 1) || view.closes(open - 1);
                if !called {
                    break;
                }
                before = open - 1;
            }
            if before < start {
                break;
            }
            begin = before;
        }
        begin
    }

    /// Where the calls that are chained to a call end.
    fn chain_end(&self, at: usize, end: usize) -> usize {
        let view = self.view;
        let mut next = view.mate(at + 1) + 1;
        while next < end && view.sign(next, b'.') && view.word(next + 1) {
            next += 2;
            while view.is_open(next) && next < end {
                next = view.mate(next) + 1;
            }
        }
        next.min(end)
    }
}

/// Whether an `except` clause, or `suppress`, gets failed assertions.
fn catches(view: &View<'_>, clause: Range<usize>) -> bool {
    clause.is_empty()
        || clause
            .into_iter()
            .any(|at| matches!(view.text(at), b"Exception" | b"BaseException" | b"AssertionError"))
}

/// Whether a statement does nothing.
fn is_idle(view: &View<'_>, tokens: Range<usize>) -> bool {
    let constant = |at: usize| view.kind(at) == Some(Kind::Text) && Literal::of(view.text(at)).is_constant();
    let first = view.text(tokens.start);
    match tokens.len() {
        1 if matches!(first, b"pass" | b"..." | b"return") => true,
        2 if first == b"return" && view.is(tokens.start + 1, b"None") => true,
        _ => tokens.into_iter().all(constant),
    }
}
