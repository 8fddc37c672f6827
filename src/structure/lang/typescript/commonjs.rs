//! Assignments to `exports` and `module.exports`.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{Import, Role};

use super::items::{Declared, Export, Listed, Scope, Walk};
use super::place::target_of;
use super::signature::Signature;
use super::view::without_quote_escapes;

/// What is assigned to.
enum Target {
    /// One name of the exports.
    Name(String),
    /// All of them.
    Module,
    /// Only the variable `exports`.
    Alias,
}

impl Walk<'_, '_> {
    /// Takes the assignment that begins here, if it is one to `exports`; answers the place behind it.
    pub(super) fn commonjs(&mut self, at: usize, end: usize, scope: &mut Scope) -> Option<usize> {
        let view = self.view;
        // `module.exports = exports = …`, `exports.a = exports.b = …`
        let mut names = Vec::new();
        let mut value = at;
        while let Some((name, next)) = self.target(value) {
            names.push(name);
            value = next;
        }
        if names.is_empty() {
            return None;
        }
        let after = view.expression(value, end);
        for name in names {
            match name {
                Target::Name(name) => self.assign(name, at, value..after, scope),
                Target::Module => self.assign_all(at, value..after, scope),
                Target::Alias => {}
            }
        }
        Some(after + usize::from(view.sign(after, b';') || view.sign(after, b',')))
    }

    /// What is assigned to here, and the place of the value.
    fn target(&self, at: usize) -> Option<(Target, usize)> {
        let view = self.view;
        let (mut next, mut target) = if view.is(at, b"exports") {
            (at + 1, Target::Alias)
        } else if view.is(at, b"module") && view.sign(at + 1, b'.') && view.is(at + 2, b"exports") {
            (at + 3, Target::Module)
        } else {
            return None;
        };
        if view.sign(next, b'.') && view.word(next + 1) {
            target = Target::Name(view.name(next + 1));
            next += 2;
        } else if view.opens(next, b'[') && view.mate(next) == next + 2 {
            target = Target::Name(text_of(&self.text_at(next + 1)?));
            next += 3;
        }
        let assigns = view.sign(next, b'=') && !view.sign(next + 1, b'=') && !view.arrow(next);
        assigns.then_some((target, next + 1))
    }

    /// `exports.name = value`
    fn assign(&mut self, name: String, start: usize, value: Range<usize>, scope: &mut Scope) {
        let view = self.view;
        let is_void = view.is(value.start, b"void") || view.is(value.start, b"undefined");
        if is_void || self.assigned.contains(&name) {
            return;
        }
        self.required(&value, None);
        self.export_value(&name, start, value, scope);
        self.assigned.insert(name);
    }

    /// `module.exports = value`
    fn assign_all(&mut self, start: usize, value: Range<usize>, scope: &mut Scope) {
        let view = self.view;
        if view.opens(value.start, b'{') && view.next(value.start) == value.end {
            for part in view.parts(view.inside(value.start)) {
                self.property(part, scope);
            }
            return;
        }
        self.required(&value, Some("*"));
        self.assign("default".to_owned(), start, value, scope);
    }

    /// One property of the object that is exported.
    fn property(&mut self, part: Range<usize>, scope: &mut Scope) {
        let view = self.view;
        let mut at = part.start;
        if view.spread(at) || part.is_empty() {
            self.required(&(at + 3..part.end), Some("*"));
            return;
        }
        while at + 1 < part.end
            && matches!(view.text(at), b"async" | b"get" | b"set")
            && (view.word(at + 1) || view.kind(at + 1) == Some(Kind::Text) || view.sign(at + 1, b'*'))
        {
            at += 1;
        }
        at += usize::from(view.sign(at, b'*'));
        let name = match view.kind(at) {
            Some(Kind::Word | Kind::Number) => view.name(at),
            Some(Kind::Text) => {
                let text = view.text(at);
                text_of(&without_quote_escapes(&text[1..text.len().max(2) - 1]))
            }
            _ => return,
        };
        if self.assigned.contains(&name) {
            return;
        }
        let next = at + 1;
        if view.sign(next, b':') {
            self.assign(name, part.start, next + 1..part.end, scope);
            return;
        }
        if view.opens(next, b'(') {
            self.method(name.clone(), next, part, scope);
        } else {
            scope.listed.push(Listed {
                local: name.clone(),
                name: name.clone(),
                tokens: part,
            });
        }
        self.assigned.insert(name);
    }

    /// `name(…) { … }` in the object that is exported.
    fn method(&mut self, name: String, open: usize, part: Range<usize>, scope: &Scope) {
        let view = self.view;
        let mut signature = Signature::default();
        if (part.start..open).any(|at| view.is(at, b"async")) && !view.is(open - 1, b"async") {
            signature.word("async");
        }
        if (part.start..open).any(|at| view.sign(at, b'*')) {
            signature.word("*");
        }
        let after = signature.callable(view, open, part.end);
        let body = view.opens(after, b'{').then(|| view.inside(after));
        let declared = Declared {
            head: part.start..after,
            tokens: part,
            ..Declared::new("function", Role::Symbol, name, Export::Named, signature, body)
        };
        self.add(&scope.chain, declared, Export::Named);
    }

    /// Notes the module whose names, or which as a whole, the value is: `require('./m')`.
    fn required(&mut self, value: &Range<usize>, name: Option<&str>) {
        let view = self.view;
        if !(view.is(value.start, b"require") && view.opens(value.start + 1, b'(')) {
            return;
        }
        let whole = view.next(value.start + 1) == value.end;
        let Some(text) = self.text_at(value.start + 2).filter(|_| whole) else {
            return;
        };
        self.out.imports.push(Import {
            module: self.out.module.clone(),
            name: name.unwrap_or("require").to_owned(),
            target: target_of(self.path, &text),
            exported: true,
            line: view.line(value.start),
        });
    }
}
