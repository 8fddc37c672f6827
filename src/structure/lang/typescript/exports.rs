//! Imports, exports and re-exports of modules.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{Import, Role};

use super::callable::callable;
use super::items::{Declared, Export, Listed, Scope, Walk};
use super::place::target_of;
use super::signature::Signature;
use super::view::{View, without_quote_escapes};

/// One name between the braces of an import or export.
struct Specifier {
    /// The name on the left.
    from: String,
    /// The name on the right, or the same.
    to: String,
    tokens: Range<usize>,
}

impl Walk<'_, '_> {
    /// Takes the export statement whose keyword stands at `at`.
    pub(super) fn export(&mut self, start: usize, at: usize, end: usize, scope: &mut Scope) -> Option<usize> {
        let view = self.view;
        let next = at + 1;
        if view.is(next, b"default") {
            return Some(self.export_default(start, next, end, scope));
        }
        if view.sign(next, b'=') {
            let after = view.expression(next + 1, end);
            self.export_value("default", start, next + 1..after, scope);
            return Some(after + usize::from(view.sign(after, b';')));
        }
        if view.is(next, b"as") && view.is(next + 1, b"namespace") {
            return Some(next + 3);
        }
        let is_type = view.is(next, b"type") && (view.opens(next + 1, b'{') || view.sign(next + 1, b'*'));
        let clause = next + usize::from(is_type);
        if view.sign(clause, b'*') {
            return self.export_all(at, clause, scope);
        }
        if view.opens(clause, b'{') {
            return Some(self.export_list(at, clause, scope));
        }
        if view.is(next, b"import") {
            return self.import(next, end, scope).inspect(|_| {
                if view.word(next + 1) {
                    scope.listed.push(Listed {
                        local: view.name(next + 1),
                        name: view.name(next + 1),
                        tokens: at..next + 2,
                    });
                }
            });
        }
        let first = super::signature::skip_decorators(view, next, end);
        let _ = start;
        self.declaration(start..first, end, scope, Export::Named)
    }

    fn export_default(&mut self, start: usize, at: usize, end: usize, scope: &mut Scope) -> usize {
        let view = self.view;
        let value = super::signature::skip_decorators(view, at + 1, end);
        let declares = matches!(
            view.text(value),
            b"function" | b"class" | b"interface" | b"abstract" | b"async"
        );
        if declares && let Some(after) = self.declaration(start..value, end, scope, Export::Default) {
            return after;
        }
        let after = view.expression(value, end);
        self.export_value("default", start, value..after, scope);
        after + usize::from(view.sign(after, b';'))
    }

    /// Exports the value of an expression under a name: what it is when it is a name, a function or a class.
    pub(super) fn export_value(&mut self, name: &str, start: usize, value: Range<usize>, scope: &mut Scope) {
        let view = self.view;
        if value.len() == 1 && view.word(value.start) && !is_literal_word(view.text(value.start)) {
            scope.listed.push(Listed {
                local: view.name(value.start),
                name: name.to_owned(),
                tokens: start..value.end,
            });
            return;
        }
        let first = self.out.units.len();
        if view.is(value.start, b"class")
            && self
                .class(start, value.start, value.end, (scope, Export::Default, false))
                .is_some()
        {
            self.rename(first, name);
            return;
        }
        let function = callable(view, value.start, value.end).filter(|found| found.end == value.end);
        let declared = if let Some(found) = function {
            Declared {
                head: start..found.head_end,
                tokens: start..value.end,
                ..Declared::new(
                    "function",
                    Role::Symbol,
                    name.to_owned(),
                    Export::Named,
                    found.signature,
                    found.body,
                )
            }
        } else {
            let mut signature = Signature::default();
            signature.value(view, value.clone());
            let body = (value.len() >= 3).then_some(value.clone());
            Declared {
                head: start..value.end,
                tokens: start..value.end,
                ..Declared::new(
                    "value",
                    Role::Symbol,
                    name.to_owned(),
                    Export::Named,
                    signature,
                    body,
                )
            }
        };
        self.add(&scope.chain, declared, Export::Named);
    }

    /// `export * from 'm'`, `export * as n from 'm'`
    fn export_all(&mut self, at: usize, star: usize, scope: &Scope) -> Option<usize> {
        let view = self.view;
        let alias = view.is(star + 1, b"as").then_some(star + 2);
        let from = alias.map_or(star + 1, |alias| alias + 1);
        let specifier = self.specifier(from)?;
        let tokens = at..from + 2;
        let target = target_of(self.path, &specifier);
        let (name, unit) = match alias {
            Some(alias) => (plain_name(view, alias), plain_name(view, alias)),
            None => ("*".to_owned(), format!("* from {}", text_of(&specifier))),
        };
        self.reexport(scope, tokens.clone(), (unit, name, target));
        Some(self.after_from(tokens.end))
    }

    /// `export { a, b as c }`, `export { a } from 'm'`
    fn export_list(&mut self, at: usize, open: usize, scope: &mut Scope) -> usize {
        let view = self.view;
        let names = specifiers(view, open);
        let after = view.next(open);
        let Some(specifier) = self.specifier(after) else {
            scope
                .listed
                .extend(names.into_iter().map(|Specifier { from, to, tokens }| Listed {
                    local: from,
                    name: to,
                    tokens,
                }));
            return after + usize::from(view.sign(after, b';'));
        };
        let module = target_of(self.path, &specifier);
        let single = names.len() == 1;
        for Specifier { from, to, tokens } in names {
            let tokens = if single { at..after + 2 } else { tokens };
            self.reexport(scope, tokens, (to.clone(), to, format!("{module}::{from}")));
        }
        self.after_from(after + 2)
    }

    fn reexport(
        &mut self,
        scope: &Scope,
        tokens: Range<usize>,
        (unit, name, target): (String, String, String),
    ) {
        let mut signature = Signature::default();
        signature.word(&target);
        if scope.chain.is_empty() {
            self.out.imports.push(Import {
                module: self.out.module.clone(),
                name,
                target,
                exported: true,
                line: self.view.line(tokens.start),
            });
        }
        let declared = Declared {
            head: tokens.clone(),
            tokens,
            ..Declared::new("reexport", Role::Symbol, unit, Export::Named, signature, None)
        };
        self.add(&scope.chain, declared, Export::Named);
    }

    /// Takes the import statement whose keyword stands at `at`.
    pub(super) fn import(&mut self, at: usize, _end: usize, scope: &mut Scope) -> Option<usize> {
        let view = self.view;
        let line = view.line(at);
        let mut next = at + 1;
        if view.kind(next) == Some(Kind::Text) {
            return Some(self.after_from(next + 1));
        }
        if view.is(next, b"type") && !view.is(next + 1, b"from") && !view.sign(next + 1, b'=') {
            next += 1;
        }
        let mut found: Vec<(String, Option<String>)> = Vec::new();
        if view.word(next) {
            found.push((view.name(next), Some("default".to_owned())));
            next += 1;
            if view.sign(next, b'=') {
                // `import x = require('m')`, `import x = A.B`
                let call = next + 1;
                if view.is(call, b"require") && view.opens(call + 1, b'(') {
                    let target = self.text_at(call + 2).map(|text| target_of(self.path, &text));
                    self.import_names(scope, &found, &target.unwrap_or_default(), line);
                    return Some(view.next(call + 1));
                }
                let mut after = call + 1;
                while view.sign(after, b'.') {
                    after += 2;
                }
                self.import_names(scope, &found, "package", line);
                return Some(after);
            }
            next += usize::from(view.sign(next, b','));
        }
        if view.sign(next, b'*') && view.is(next + 1, b"as") {
            found.push((view.name(next + 2), None));
            next += 3;
        } else if view.opens(next, b'{') {
            let names = specifiers(view, next);
            found.extend(names.into_iter().map(|name| (name.to, Some(name.from))));
            next = view.next(next);
        }
        let specifier = self.specifier(next)?;
        let target = target_of(self.path, &specifier);
        self.import_names(scope, &found, &target, line);
        Some(self.after_from(next + 2))
    }

    fn import_names(
        &mut self,
        scope: &mut Scope,
        found: &[(String, Option<String>)],
        target: &str,
        line: u32,
    ) {
        for (name, from) in found {
            let target = match from {
                Some(from) => format!("{target}::{from}"),
                None => target.to_owned(),
            };
            scope.imported.insert(name.clone(), target.clone());
            if scope.chain.is_empty() {
                self.out.imports.push(Import {
                    module: self.out.module.clone(),
                    name: name.clone(),
                    target,
                    exported: false,
                    line,
                });
            }
        }
    }

    /// The text behind the `from` that stands here.
    fn specifier(&self, at: usize) -> Option<Vec<u8>> {
        self.view.is(at, b"from").then(|| self.text_at(at + 1)).flatten()
    }

    /// The string that stands here.
    pub(super) fn text_at(&self, at: usize) -> Option<Vec<u8>> {
        let text = self.view.text(at);
        (self.view.kind(at) == Some(Kind::Text) && text.len() >= 2)
            .then(|| without_quote_escapes(&text[1..text.len() - 1]))
    }

    /// The place behind import attributes and the semicolon.
    fn after_from(&self, mut at: usize) -> usize {
        let view = self.view;
        if (view.is(at, b"with") || view.is(at, b"assert"))
            && view.opens(at + 1, b'{')
            && !view.on_new_line(at)
        {
            at = view.next(at + 1);
        }
        at + usize::from(view.sign(at, b';'))
    }
}

/// The names between braces.
fn specifiers(view: &View<'_>, open: usize) -> Vec<Specifier> {
    view.parts(view.inside(open))
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| {
            let words = part.len();
            // `type a`, `type a as b`; but `type as b` and `type as as b` begin with a name.
            let is_type = view.is(part.start, b"type")
                && (words == 2 || words == 4 || (words == 3 && !view.is(part.start + 1, b"as")));
            let first = part.start + usize::from(is_type);
            let from = plain_name(view, first);
            let to = if view.is(first + 1, b"as") && first + 2 < part.end {
                plain_name(view, first + 2)
            } else {
                from.clone()
            };
            Specifier {
                from,
                to,
                tokens: part,
            }
        })
        .collect()
}

/// A name, which may be written as a string.
fn plain_name(view: &View<'_>, at: usize) -> String {
    let text = view.text(at);
    if view.kind(at) == Some(Kind::Text) && text.len() >= 2 {
        return text_of(&without_quote_escapes(&text[1..text.len() - 1]));
    }
    view.name(at)
}

/// Words that are values of their own.
pub(super) fn is_literal_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"true" | b"false" | b"null" | b"undefined" | b"this" | b"NaN" | b"Infinity"
    )
}
