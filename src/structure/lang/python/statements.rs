//! Simple statements: assignments, type aliases, marks on a module or class, calls that skip a module.

use std::ops::Range;

use crate::structure::lexer::hash::Sequence;
use crate::structure::outline::{Mark, Marks, Visibility};

use super::decorator::{self, Lists};
use super::items::{Assigned, Inside, Scope, Walk};
use super::signature::{mark, push};
use super::view::View;

/// Statements that assign more names than this show only the name.
const MAX_SHOWN: usize = 8;

/// What an assignment binds, and to what.
pub(super) struct Assignment {
    /// The tokens of the names, in order.
    pub(super) names: Vec<usize>,
    /// The annotation; empty without one.
    annotation: Range<usize>,
    /// The value; empty without one.
    pub(super) value: Range<usize>,
}

impl Walk<'_, '_> {
    /// Statements with semicolons between.
    pub(super) fn statements(&mut self, tokens: Range<usize>, number: usize) {
        let mut at = tokens.start;
        while at < tokens.end {
            let stop = self.view.find_flat(at, tokens.end, b";");
            if stop > at {
                self.statement(at..stop, number);
            }
            at = stop + 1;
        }
    }

    fn statement(&mut self, tokens: Range<usize>, number: usize) {
        let view = self.view;
        let first = tokens.start;
        if view.is(first, b"import") || view.is(first, b"from") {
            if self.class_around().is_none() {
                self.import(tokens);
            }
            return;
        }
        if self.place.is_test_file {
            self.module_skip(&tokens);
        }
        if view.is(first, b"__all__") && self.class_around().is_none() {
            self.exports.change(view, &tokens);
            return;
        }
        if !view.identifier(first) && !view.is_open(first) && !view.sign(first, b'*') {
            return;
        }
        if view.is(first, b"type") && view.identifier(first + 1) && first + 1 < tokens.end {
            self.alias(tokens, number);
            return;
        }
        let Some(assignment) = assignment(view, &tokens) else {
            return;
        };
        self.marks_assigned(&assignment, &tokens);
        if !self.is_passing() {
            self.variables(&tokens, &assignment, number);
        }
    }

    /// `type Name[T] = …`
    fn alias(&mut self, tokens: Range<usize>, number: usize) {
        let view = self.view;
        let name = tokens.start + 1;
        let mut sequence = Sequence::default();
        mark(&mut sequence, "type");
        push(&mut sequence, view, name + 1..tokens.end);
        if self.is_new(name, number) {
            self.variable(name, tokens.clone(), view.shown(tokens), (sequence.finish(), 0));
        }
    }

    fn variables(&mut self, tokens: &Range<usize>, assignment: &Assignment, number: usize) {
        let view = self.view;
        let in_class = self.class_around().is_some();
        let mut sequence = Sequence::default();
        push(&mut sequence, view, view.ungrouped(assignment.annotation.clone()));
        // A field with a default need not be given.
        if in_class && !assignment.annotation.is_empty() && !assignment.value.is_empty() {
            mark(&mut sequence, "=");
        }
        let signature = sequence.finish();
        let value = if assignment.value.is_empty() {
            0
        } else {
            view.hash_range(assignment.value.clone())
        };
        let single = assignment.names.len() == 1;
        for name in &assignment.names {
            if !self.is_new(*name, number) {
                continue;
            }
            let text = if assignment.names.len() <= MAX_SHOWN {
                view.shown(tokens.clone())
            } else {
                view.shown(*name..*name + 1)
            };
            let place = if single { tokens.clone() } else { *name..*name + 1 };
            self.variable(*name, place, text, (signature, value));
        }
    }

    fn variable(&mut self, name: usize, place: Range<usize>, text: String, (signature, value): (u64, u64)) {
        let mut unit = self.unit("var", self.view.name(name), place);
        unit.text = text;
        unit.signature = signature;
        unit.value = value;
        if !self.view.text(name).starts_with(b"_") {
            unit.visibility = Visibility::Public;
        }
        self.copies(unit.chain.iter().map(|segment| segment.name.len()).sum());
        self.out.units.push(unit);
    }

    /// Whether an assignment defines a variable: the first one does, and one in another branch.
    fn is_new(&mut self, name: usize, number: usize) -> bool {
        let class = self.class_around().map(|class| class.unit);
        let (start, end) = self.block();
        // What was assigned before in a block that is still open, or in one inside of this one, is assigned again.
        let known = self.variables.get(&(class, self.view.text(name))).copied();
        let again = known.is_some_and(|known| known.end > number || known.row >= start);
        let end = known.map_or(end, |known| known.end.max(end));
        let assigned = Assigned { row: number, end };
        self.variables.insert((class, self.view.text(name)), assigned);
        !again
    }

    /// `pytestmark = …` and `__test__ = False`, of a module or class.
    fn marks_assigned(&mut self, assignment: &Assignment, tokens: &Range<usize>) {
        let view = self.view;
        let [name] = assignment.names[..] else { return };
        if !self.place.is_test_file {
            return;
        }
        let mut marks = Marks::default();
        let mut lists = Lists::default();
        match view.text(name) {
            b"pytestmark" => {
                for listed in decorator::listed(view, assignment.value.clone()) {
                    listed.mark(view, &mut marks, &mut lists);
                }
                marks.rows = lists.rows();
            }
            b"__test__" if view.is(assignment.value.start, b"False") && assignment.value.len() == 1 => {
                marks.disabled.push(self.plain_mark(tokens));
            }
            _ => return,
        }
        let target = match self.class_around_mut() {
            Some(class) => &mut class.marks,
            None => &mut self.module_marks,
        };
        target.disabled.extend(marks.disabled);
        target.expected_fail.extend(marks.expected_fail);
        if let Some(rows) = marks.rows {
            target.rows.get_or_insert_default().extend(rows);
        }
    }

    /// A call that skips the module: `pytest.skip(…)`, `pytest.importorskip(…)`, `raise SkipTest`.
    fn module_skip(&mut self, tokens: &Range<usize>) {
        let view = self.view;
        let in_class = self
            .scopes
            .iter()
            .any(|Scope { inside, .. }| matches!(inside, Inside::Class(_)));
        if in_class || self.is_main() {
            return;
        }
        let skips = tokens.clone().any(|at| skip_call(view, at));
        if skips {
            let mark = self.plain_mark(tokens);
            self.module_marks.disabled.push(mark);
        }
    }

    fn plain_mark(&self, tokens: &Range<usize>) -> Mark {
        Mark {
            line: self.view.line(tokens.start),
            text: self.view.shown(tokens.clone()),
            specific: false,
            inherited_from: None,
        }
    }
}

/// Whether a word is the name of a call that ends a test, or the loading of a module, as skipped.
pub(super) fn skip_call(view: &View<'_>, at: usize) -> bool {
    let called = view.sign(at + 1, b'(');
    let method = at > 0 && view.sign(at - 1, b'.');
    match view.text(at) {
        b"importorskip" | b"skipTest" => called,
        b"skip" | b"xfail" => {
            called
                && (!method || view.is(at.wrapping_sub(2), b"pytest"))
                && !view.is(at.wrapping_sub(1), b"def")
        }
        b"SkipTest" => raised(view, at),
        _ => false,
    }
}

/// Longest path in front of the name of an exception, in tokens.
const MAX_PATH: usize = 32;

/// Whether the exception named here is raised by its statement.
fn raised(view: &View<'_>, mut at: usize) -> bool {
    let first = at.saturating_sub(MAX_PATH);
    while at >= first + 2 && view.sign(at - 1, b'.') && view.word(at - 2) {
        at -= 2;
    }
    at > 0 && view.is(at - 1, b"raise")
}

/// Reads an assignment; `None` where a statement is something else.
pub(super) fn assignment(view: &View<'_>, tokens: &Range<usize>) -> Option<Assignment> {
    let first = tokens.start;
    let mut equals = assign_sign(view, first, tokens.end);
    let colon = view.find_flat(first, equals, b":");
    let mut names = Vec::new();
    if colon < equals && colon == first + 1 && view.identifier(first) && !view.signs(colon, b':', b'=') {
        names.push(first);
        return Some(Assignment {
            names,
            annotation: colon + 1..equals,
            value: (equals + 1).min(tokens.end)..tokens.end,
        });
    }
    if equals >= tokens.end {
        return None;
    }
    let mut begin = first;
    while equals < tokens.end {
        let flat_lambda = (begin..equals).contains(&first_lambda(view, begin, equals));
        if flat_lambda {
            break;
        }
        targets(view, begin..equals, &mut names);
        begin = equals + 1;
        equals = assign_sign(view, begin, tokens.end);
    }
    Some(Assignment {
        names,
        annotation: first..first,
        value: begin.min(tokens.end)..tokens.end,
    })
}

/// The first `lambda` outside of groups, or `end`.
fn first_lambda(view: &View<'_>, at: usize, end: usize) -> usize {
    let mut next = at;
    while next < end && !view.is(next, b"lambda") {
        next = view.next(next);
    }
    next.min(end)
}

/// The first `=` that assigns, outside of groups, or `end`.
fn assign_sign(view: &View<'_>, at: usize, end: usize) -> usize {
    let mut next = at;
    loop {
        let equals = view.find_flat(next, end, b"=");
        if equals >= end {
            return end;
        }
        if view.signs(equals, b'=', b'=') {
            next = equals + 2;
            continue;
        }
        let joined = equals > at && view.end(equals - 1) == view.start(equals);
        let augmented = joined && b"!<>+-*/%&|^@:=".iter().any(|sign| view.sign(equals - 1, *sign));
        if !augmented {
            return equals;
        }
        next = equals + 1;
    }
}

/// The names in a list of targets; attributes and elements are none.
fn targets(view: &View<'_>, tokens: Range<usize>, names: &mut Vec<usize>) {
    let mut waiting = vec![tokens];
    while let Some(mut part) = waiting.pop() {
        while view.sign(part.start, b'*') && part.len() > 1 {
            part.start += 1;
        }
        if part.len() == 1 {
            if view.identifier(part.start) {
                names.push(part.start);
            }
            continue;
        }
        let grouped =
            view.is_open(part.start) && !view.sign(part.start, b'{') && view.mate(part.start) + 1 == part.end;
        let inner = if grouped {
            part.start + 1..part.end - 1
        } else {
            part
        };
        let parts = view.split(inner.clone());
        // Not a list: an attribute or an element.
        if !grouped && parts.len() == 1 && parts[0] == inner {
            continue;
        }
        waiting.extend(parts.into_iter().rev());
    }
}
