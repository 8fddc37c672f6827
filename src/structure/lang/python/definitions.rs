//! Functions and classes, tests among them.

use std::ops::Range;

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::hash::Sequence;
use crate::structure::outline::{Marks, Role, Visibility};

use super::decorator::{Lists, rows};
use super::items::{Class, Inside, MAX_CLASSES, Scope, Walk};
use super::signature::{mark, push, push_decorators, push_parameters};

/// Whether a name stands between two underscores on each side.
fn is_dunder(name: &[u8]) -> bool {
    name.len() > 4 && name.starts_with(b"__") && name.ends_with(b"__")
}

impl Walk<'_, '_> {
    /// `def name(…) -> …: …`, with `definition` at `def`.
    pub(super) fn function(&mut self, number: usize, definition: usize) {
        let view = self.view;
        let row = view.rows[number];
        let (first, end) = (row.first as usize, row.end as usize);
        let name_at = definition + 1;
        let open = view.find_flat(name_at + 1, end, b"(:");
        if !view.sign(open, b'(') {
            self.decorators.clear();
            return;
        }
        let close = view.mate(open);
        let colon = view.colon(close + 1, end);
        let decorators = std::mem::take(&mut self.decorators);
        let begin = decorators
            .first()
            .map_or(first, |decorator| decorator.tokens.start - 1);
        let name = view.text(name_at);
        let in_class = self.class_around().is_some();
        let in_tests = self
            .class_around()
            .map_or(self.place.is_test_file, |class| class.tests);
        let is_test = in_tests && name.starts_with(b"test") && !self.is_main();

        let is_static = decorators
            .iter()
            .any(|decorator| decorator.name(view) == b"staticmethod");
        let mut sequence = Sequence::default();
        push_decorators(&mut sequence, view, &decorators);
        push(&mut sequence, view, first..definition);
        push(&mut sequence, view, name_at + 1..open);
        let defaults = push_parameters(&mut sequence, view, open, in_class && !is_static);
        if view.signs(close + 1, b'-', b'>') {
            mark(&mut sequence, "->");
            push(&mut sequence, view, view.ungrouped(close + 3..colon));
        }

        let kind = if is_test { "test" } else { "def" };
        let mut unit = self.unit(kind, view.name(name_at), begin..self.last_token(number) + 1);
        unit.text = view.shown(first..colon);
        unit.signature = sequence.finish();
        unit.value = defaults;
        unit.body = Some(self.body(number, colon, name_at));
        let method = in_class && is_dunder(name);
        if (method || !name.starts_with(b"_")) && !self.is_main() {
            unit.visibility = Visibility::Public;
        }
        unit.required = self.class_around().is_some_and(|class| class.is_protocol)
            || decorators
                .iter()
                .any(|decorator| matches!(decorator.name(view), b"abstractmethod" | b"abstractproperty"));
        if is_test {
            unit.role = Role::Test;
            let mut lists = Lists::default();
            for decorator in &decorators {
                decorator.mark(view, &mut unit.marks, &mut lists);
            }
            unit.marks.rows = lists.rows();
            unit.marks.conditional = self.conditions();
            self.copies(unit.marks.conditional.iter().map(|mark| mark.text.len()).sum());
            let wanted = view.arguments(open);
            let names = wanted.into_iter().map(|part| view.text(part.start)).collect();
            self.wants.push((self.out.units.len(), names));
        }
        for decorator in &decorators {
            if let Some(list) = decorator.fixture_parameters(view) {
                let named = decorator
                    .argument(view, b"name")
                    .map(|value| view.text(value.start));
                let literal = named.map(|text| super::string::Literal::of(text).content);
                self.fixtures.insert(literal.unwrap_or(name), rows(view, &list));
            }
        }
        self.copies(unit.chain.iter().map(|segment| segment.name.len()).sum());
        self.out.units.push(unit);
        self.doctests_below(number, self.out.units.len() - 1);
    }

    /// `class Name(…): …`
    pub(super) fn class(&mut self, number: usize) {
        let view = self.view;
        let row = view.rows[number];
        let (first, end) = (row.first as usize, row.end as usize);
        let name_at = first + 1;
        let open = view.find_flat(name_at + 1, end, b"(:");
        let has_bases = view.sign(open, b'(');
        let close = if has_bases { view.mate(open) } else { open };
        let colon = view.colon(if has_bases { close + 1 } else { close }, end);
        let decorators = std::mem::take(&mut self.decorators);
        let begin = decorators
            .first()
            .map_or(first, |decorator| decorator.tokens.start - 1);
        let name = view.text(name_at);
        let bases = if has_bases {
            view.arguments(open)
        } else {
            Vec::new()
        };
        let tests = self.holds_tests(name, &bases, number);
        let is_protocol = bases.iter().any(|base| {
            let generic = view.find_flat(base.start, base.end, b"[");
            view.is(generic.saturating_sub(1), b"Protocol")
        });

        let mut sequence = Sequence::default();
        push_decorators(&mut sequence, view, &decorators);
        push(&mut sequence, view, name_at + 1..open);
        for base in &bases {
            mark(&mut sequence, ",");
            push(&mut sequence, view, base.clone());
        }

        let mut unit = self.unit("class", view.name(name_at), begin..self.last_token(number) + 1);
        if unit.chain.len() >= MAX_CLASSES {
            self.fault = Some(UnmeasuredReason::TooDeep);
            return;
        }
        unit.role = if tests { Role::Suite } else { Role::Container };
        unit.text = view.shown(first..colon);
        unit.signature = sequence.finish();
        unit.body = Some(self.body(number, colon, name_at));
        if !name.starts_with(b"_") && !self.is_main() {
            unit.visibility = Visibility::Public;
        }
        let mut marks = Marks::default();
        if tests {
            let mut lists = Lists::default();
            for decorator in &decorators {
                decorator.mark(view, &mut marks, &mut lists);
            }
            marks.rows = lists.rows();
        }
        let index = self.out.units.len();
        self.copies(unit.chain.iter().map(|segment| segment.name.len()).sum());
        self.out.units.push(unit);
        self.doctests_below(number, index);
        let below = row.after as usize;
        self.scopes.push(Scope {
            inside: Inside::Class(Class {
                unit: index,
                tests,
                is_protocol,
                marks,
            }),
            start: number,
            end: below.max(number + 1),
        });
        if below <= number + 1 {
            self.statements(colon + 1..end, number);
        }
    }

    /// Whether the runner looks for tests in a class.
    fn holds_tests(&self, name: &[u8], bases: &[Range<usize>], number: usize) -> bool {
        let view = self.view;
        let around = self.class_around().is_none_or(|class| class.tests);
        if !self.place.is_test_file || !around || self.is_main() {
            return false;
        }
        let is_case = bases
            .iter()
            .any(|base| view.keyword(base).is_none() && view.text(base.end - 1).ends_with(b"TestCase"));
        is_case || (name.starts_with(b"Test") && !self.defines_init(number))
    }

    /// Whether a class defines `__init__`.
    fn defines_init(&self, number: usize) -> bool {
        let view = self.view;
        let mut at = number + 1;
        let end = view.rows[number].after as usize;
        while at < end {
            let row = view.rows[at];
            let first = row.first as usize;
            if view.is(first, b"def") && view.is(first + 1, b"__init__") {
                return true;
            }
            at = (row.after as usize).max(at + 1);
        }
        false
    }
}
