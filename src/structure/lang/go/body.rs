//! Looks into the body of a test: its assertions, the calls it makes, its rows, ways around its assertions.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::structure::outline::{Mark, TestBody, Unit};

use super::assertion::{self, Call};
use super::condition::{self, If};
use super::example;
use super::handles::Handles;
use super::items::Function;
use super::subtests;
use super::tolerance;
use super::view::View;
use super::{failure, rows};

/// Reads the body of a test or of a function that it calls.
pub(super) fn read(source: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
    let Some(code) = source.get(unit.bytes.clone()) else {
        return TestBody::default();
    };
    let Some(body) = &unit.body else {
        return TestBody::default();
    };
    // A part of a file that could be split into tokens can be split as well.
    let Ok(view) = View::new(code) else {
        return TestBody::default();
    };
    let start = body.bytes.start.saturating_sub(unit.bytes.start);
    let end = body.bytes.end.saturating_sub(unit.bytes.start);
    let first = view.at_byte(start);
    let inside = if view.sign(first, b'{') && view.end(view.mate(first)) == end {
        first + 1..view.mate(first)
    } else {
        first..view.at_byte(end)
    };
    let mut handles = match Function::at(&view, 0) {
        Some(function) if view.is(0, b"func") => Handles::of_function(&view, &function),
        _ => Handles::default(),
    };
    if view.is(2, b"Run") && view.sign(1, b'.') {
        handles.insert(view.text(0));
    }
    for at in 0..inside.start {
        if view.is(at, b"func") && view.sign(at + 1, b'(') {
            handles.add(&view, at + 1);
        }
    }
    let mut found = Reader {
        view: &view,
        helpers,
        first_line: unit.lines.0,
        handles,
        ifs: Vec::new(),
        blocks: Vec::new(),
        inside_assertion: 0,
        nested: Vec::new(),
        taken: Vec::new(),
    }
    .read(inside.clone());
    if unit.value != 0
        && let Some(output) = example::output(&view, first)
    {
        let line = unit
            .lines
            .0
            .saturating_add(view.lines().line(output.at))
            .saturating_sub(1);
        found.assertions.push(output.assertion(line));
    }
    found
}

/// Deepest nesting of assertions in assertions that is read.
const MAX_NESTED: usize = 16;

/// Longest head of an `if` that is read as part of the assertions in its block, in tokens.
const MAX_HEAD: usize = 512;

struct Reader<'v, 'a> {
    view: &'v View<'a>,
    helpers: &'v [String],
    /// The line of the file that the unit begins on.
    first_line: u32,
    handles: Handles<'a>,
    /// Conditions whose block is still to come, the next one last.
    ifs: Vec<If>,
    /// The braces that are open, each with the condition in front of it.
    blocks: Vec<(usize, Option<If>)>,
    /// The end of the outermost assertion that is being read.
    inside_assertion: usize,
    /// Ends of the assertions that are being read, one inside of the other.
    nested: Vec<usize>,
    /// The tokens of all assertions.
    taken: Vec<Range<usize>>,
}

impl Reader<'_, '_> {
    fn read(mut self, inside: Range<usize>) -> TestBody {
        let view = self.view;
        let mut body = TestBody {
            empty: is_empty(view, inside.clone()),
            ..TestBody::default()
        };
        let mut calls: BTreeSet<String> = BTreeSet::new();
        let mut first_assertion = inside.end;
        let mut tables = rows::Tables::default();
        let mut subtests: Vec<Range<usize>> = Vec::new();
        let mut at = inside.start;
        while at < inside.end {
            self.follow_blocks(at, inside.end);
            tables.take(view, at);
            if !view.word(at) {
                at += 1;
                continue;
            }
            if view.is(at, b"func") && view.sign(at + 1, b'(') {
                self.handles.add(view, at + 1);
            }
            if let Some(call) = subtests::Call::at(view, at, &self.handles) {
                // What it holds is its own.
                subtests.push(at..call.close + 1);
                at = call.close + 1;
                continue;
            }
            if !view.sign(at + 1, b'(') || view.is(at, b"func") {
                at += 1;
                continue;
            }
            calls.insert(view.name(at));
            if body.skip.is_none() && first_assertion == inside.end && self.skips(at) {
                body.skip = Some(self.mark(at, view.mate(at + 1) + 1));
            }
            let block = self.blocks.last().and_then(|(_, condition)| condition.as_ref());
            let block = block.filter(|condition| condition.whole.len() <= MAX_HEAD);
            let call = Call::at(view, at, &self.handles, self.helpers);
            self.nested.retain(|end| at < *end);
            let readable = self.nested.len() < MAX_NESTED;
            if let Some(call) =
                call.filter(|call| readable && (at >= self.inside_assertion || call.is_explicit()))
            {
                first_assertion = first_assertion.min(at);
                let mut found = match (&call, block) {
                    (Call::Failure { range }, Some(condition)) => {
                        self.taken.push(condition.whole.clone());
                        failure::read(view, condition, range.clone())
                    }
                    _ => assertion::read(view, &call, &self.handles),
                };
                let range = call.range();
                found.line = self.line(range.start);
                found.tolerances.line = found.line;
                self.inside_assertion = self.inside_assertion.max(range.end);
                self.nested.push(range.end);
                self.taken.push(range);
                body.assertions.push(found);
            }
            at += 1;
        }
        if inside.len() == 1 && view.word(inside.start) {
            // A function that is only named is run all the same.
            calls.insert(view.name(inside.start));
        }
        body.calls = calls.into_iter().collect();
        body.rows = tables.rows;
        body.early_return = self.early_return(inside.clone(), first_assertion);
        self.taken.extend(subtests);
        self.taken.sort_by_key(|range| (range.start, range.end));
        body.tolerances = tolerance::statements(view, inside, &self.taken);
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

    fn mark(&self, from: usize, to: usize) -> Mark {
        let view = self.view;
        // The receiver belongs to the call.
        let from = if from > 1 && view.sign(from - 1, b'.') && view.word(from - 2) {
            from - 2
        } else {
            from
        };
        Mark {
            line: self.line(from),
            text: view.shown(from..to),
            specific: false,
            inherited_from: None,
        }
    }

    /// Keeps track of the blocks around a token and of the conditions in front of them.
    fn follow_blocks(&mut self, at: usize, end: usize) {
        let view = self.view;
        while self.blocks.pop_if(|(close, _)| *close <= at).is_some() {}
        if view.is(at, b"if")
            && let Some(found) = condition::at(view, at, end)
        {
            self.ifs.push(found);
        } else if view.sign(at, b'{') {
            let condition = self.ifs.pop_if(|found| found.open == at);
            self.blocks.push((view.mate(at), condition));
        }
    }

    /// Whether a call skips the test.
    fn skips(&self, at: usize) -> bool {
        let view = self.view;
        if !matches!(view.text(at), b"Skip" | b"Skipf" | b"SkipNow") {
            return false;
        }
        let bare = at == 0 || !view.sign(at - 1, b'.');
        // `Skip("…")` of ginkgo stands alone or behind the name of its package.
        (bare && view.is(at, b"Skip"))
            || assertion::on_handle(view, at, &self.handles)
            || (at > 1 && view.is(at - 2, b"ginkgo"))
    }

    /// The first `return` at the top, or in an `if` or `else` there, in front of the first assertion.
    fn early_return(&self, inside: Range<usize>, first_assertion: usize) -> Option<Mark> {
        let view = self.view;
        let mut at = inside.start;
        let limit = first_assertion.min(inside.end);
        while at < limit {
            if let Some(mark) = self.leaves(at, inside.end) {
                return Some(mark);
            }
            let block = if view.is(at, b"if") {
                condition::at(view, at, inside.end).map(|found| found.open)
            } else {
                (view.is(at, b"else") && view.sign(at + 1, b'{')).then_some(at + 1)
            };
            let Some(open) = block else {
                at = view.next(at);
                continue;
            };
            let close = view.mate(open);
            let mut inner = open + 1;
            while inner < close.min(limit) {
                if let Some(mark) = self.leaves(inner, close) {
                    return Some(mark);
                }
                inner = view.next(inner);
            }
            at = close + 1;
        }
        None
    }

    /// A `return` or exit that stands here and leaves the test as passed.
    fn leaves(&self, at: usize, end: usize) -> Option<Mark> {
        let view = self.view;
        let exits = (view.is(at, b"Exit") || view.is(at, b"Goexit")) && view.sign(at + 1, b'(');
        (exits || view.is(at, b"return")).then(|| self.mark(at, view.statement_end(at, end).max(at + 1)))
    }
}

/// Whether a body holds nothing that runs.
fn is_empty(view: &View<'_>, inside: Range<usize>) -> bool {
    inside
        .into_iter()
        .all(|at| view.sign(at, b';') || view.is(at, b"return"))
}
