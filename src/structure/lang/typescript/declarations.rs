//! Functions, aliases, namespaces and variables.

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{Role, Segment};

use super::callable::{Callable, callable};
use super::items::{Declared, Export, MAX_DEPTH, Scope, Walk};
use super::signature::Signature;
use super::types::type_end;
use super::view::View;

impl Walk<'_, '_> {
    /// `function name(…): T { … }`
    pub(super) fn function(
        &mut self,
        start: usize,
        at: usize,
        end: usize,
        (scope, export, is_async): (&Scope, Export, bool),
    ) -> Option<usize> {
        let view = self.view;
        let from = at - usize::from(is_async);
        let name_at = at + 1 + usize::from(view.sign(at + 1, b'*'));
        let name = view.word(name_at).then(|| view.name(name_at));
        let Callable {
            signature,
            body,
            head_end,
            end: after,
        } = callable(view, from, end)?;
        let name = match export {
            Export::Default => "default".to_owned(),
            _ => name?,
        };
        self.add(
            &scope.chain,
            Declared {
                head: start..head_end,
                tokens: start..after,
                ..Declared::new("function", Role::Symbol, name, export, signature, body)
            },
            export,
        );
        Some(after + usize::from(view.sign(after, b';')))
    }

    /// `type Name<T> = …`
    pub(super) fn alias(
        &mut self,
        start: usize,
        at: usize,
        end: usize,
        (scope, export): (&Scope, Export),
    ) -> Option<usize> {
        let view = self.view;
        let mut signature = Signature::default();
        let mut next = at + 2;
        if let Some(after) = view.angles(next) {
            signature.types(view, next..after);
            next = after;
        }
        if !view.sign(next, b'=') {
            return None;
        }
        let after = type_end(view, next + 1, end);
        signature.word("=");
        signature.types(view, next + 1..after);
        self.add(
            &scope.chain,
            Declared {
                head: start..after,
                tokens: start..after,
                ..Declared::new("type", Role::Symbol, view.name(at + 1), export, signature, None)
            },
            export,
        );
        Some(after + usize::from(view.sign(after, b';')))
    }

    /// `namespace a.b { … }`, `declare module 'm' { … }`, `declare global { … }`
    pub(super) fn namespace(
        &mut self,
        start: usize,
        at: usize,
        (scope, export): (&Scope, Export),
        ambient: bool,
    ) -> Option<usize> {
        let view = self.view;
        let first = at + 1;
        let is_module = view.kind(first) == Some(Kind::Text);
        let mut names = vec![if is_module {
            let text = view.text(first);
            text_of(&super::view::without_quote_escapes(
                &text[1..text.len().max(2) - 1],
            ))
        } else {
            view.name(first)
        }];
        let mut next = first + 1;
        while view.sign(next, b'.') && view.word(next + 1) && names.len() < MAX_DEPTH {
            names.push(view.name(next + 1));
            next += 2;
        }
        let has_body = view.opens(next, b'{');
        if !(has_body || is_module && ambient) {
            return None;
        }
        let after = if has_body { view.next(next) } else { next };
        let mut chain = scope.chain.clone();
        let mut export = if is_module { Export::Named } else { export };
        let depth = scope.depth + names.len();
        let outer = self.out.units.len();
        for name in names {
            let body = has_body.then(|| view.inside(next));
            let segment = Segment {
                kind: "namespace",
                name: name.clone(),
            };
            self.add(
                &chain,
                Declared {
                    head: start..next,
                    tokens: start..after,
                    ..Declared::new(
                        "namespace",
                        Role::Container,
                        name,
                        export,
                        Signature::default(),
                        body,
                    )
                },
                export,
            );
            chain.push(segment);
            // `namespace a.b` exports its inner ones.
            export = Export::Named;
        }
        let inner = self.out.units.len();
        if has_body {
            self.scope(view.inside(next), chain, ambient, depth);
        }
        let behind = self.out.units.len();
        for meta in &mut self.metas[outer..inner] {
            meta.end = behind;
        }
        Some(after)
    }

    /// `const a = …, { b, c: [d] } = …`
    pub(super) fn variables(
        &mut self,
        start: usize,
        at: usize,
        end: usize,
        (scope, export): (&mut Scope, Export),
    ) -> usize {
        let view = self.view;
        let mut next = at + 1;
        let mut from = start;
        while next < end {
            let pattern = next;
            next = view.next(next);
            next += usize::from(view.sign(next, b'!'));
            let mut signature = Signature::default();
            if view.sign(next, b':') {
                let after = type_end(view, next + 1, end);
                signature.word(":");
                signature.types(view, next + 1..after);
                next = after;
            }
            let mut declared = Declared::new("value", Role::Symbol, String::new(), export, signature, None);
            declared.head = from..next;
            if view.sign(next, b'=') {
                let value = next + 1;
                // `const app = module.exports = …`
                self.commonjs(value, end, scope);
                let after = view.expression(value, end);
                next = after;
                let function = callable(view, value, after).filter(|found| found.end == after);
                if let Some(found) = function.filter(|_| view.word(pattern)) {
                    declared.kind = "function";
                    declared.head.end = found.head_end;
                    declared.body = found.body;
                    if !view.sign(pattern + 1, b':') {
                        declared.signature = found.signature;
                    }
                } else {
                    declared.signature.value(view, value..after);
                    if after - value >= 3 {
                        declared.body = Some(value..after);
                    }
                    declared.head.end = after;
                }
            }
            declared.tokens = from..next;
            let mut names = Vec::new();
            bound_names(view, pattern, &mut names);
            for name in names {
                let declared = Declared {
                    name,
                    head: declared.head.clone(),
                    tokens: declared.tokens.clone(),
                    body: declared.body.clone(),
                    ..declared
                };
                self.add(&scope.chain, declared, export);
            }
            if !view.sign(next, b',') {
                break;
            }
            next += 1;
            from = next;
        }
        next + usize::from(view.sign(next, b';'))
    }
}

/// The names that a pattern binds.
fn bound_names(view: &View<'_>, pattern: usize, names: &mut Vec<String>) {
    // Patterns in patterns, taken from a list rather than by recursion: they may be nested deep.
    let mut waiting = vec![pattern];
    while let Some(at) = waiting.pop() {
        if view.word(at) {
            names.push(view.name(at));
            continue;
        }
        if !view.opens(at, b'{') && !view.opens(at, b'[') {
            continue;
        }
        let keyed = view.opens(at, b'{');
        for part in view.parts(view.inside(at)).into_iter().rev() {
            let mut first = part.start;
            if view.spread(first) {
                first += 3;
            }
            let behind = view.next(first);
            if keyed && view.sign(behind, b':') {
                first = behind + 1;
            }
            if first < part.end {
                waiting.push(first);
            }
        }
    }
}
