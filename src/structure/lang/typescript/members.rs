//! Classes, interfaces and enums with their members.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash;
use crate::structure::outline::{Role, Segment, Visibility};

use super::callable::{annotation, callable};
use super::items::{Declared, Export, Scope, Walk};
use super::signature::{Signature, is_parameter_modifier, skip_decorators};
use super::view::{View, without_quote_escapes};

/// Words in front of a member that may also be its name.
const MODIFIERS: [&[u8]; 12] = [
    b"public",
    b"private",
    b"protected",
    b"static",
    b"abstract",
    b"readonly",
    b"override",
    b"declare",
    b"async",
    b"get",
    b"set",
    b"accessor",
];

/// A member on its way.
struct Member {
    signature: Signature,
    visibility: Visibility,
    kind: &'static str,
    required: bool,
}

impl Walk<'_, '_> {
    /// `class Name<T> extends A implements B { … }`
    pub(super) fn class(
        &mut self,
        start: usize,
        at: usize,
        end: usize,
        (scope, export, is_abstract): (&Scope, Export, bool),
    ) -> Option<usize> {
        let view = self.view;
        let mut next = at + 1;
        let named = view.word(next) && !view.is(next, b"extends") && !view.is(next, b"implements");
        let name = named.then(|| view.name(next));
        next += usize::from(named);
        let open = self.body_of(next, end)?;
        let mut signature = Signature::default();
        if is_abstract {
            signature.word("abstract");
        }
        signature.types(view, next..open);
        let name = match export {
            Export::Default => "default".to_owned(),
            _ => name?,
        };
        let after = view.next(open);
        self.container(
            &scope.chain,
            (start, open, export),
            ("class", name, signature),
            |walk, chain| {
                walk.class_members(view.inside(open), chain);
            },
        );
        Some(after)
    }

    /// `interface Name<T> extends A { … }`
    pub(super) fn interface(
        &mut self,
        start: usize,
        at: usize,
        end: usize,
        (scope, export): (&Scope, Export),
    ) -> Option<usize> {
        let view = self.view;
        let open = self.body_of(at + 2, end)?;
        let mut signature = Signature::default();
        signature.types(view, at + 2..open);
        let name = view.name(at + 1);
        self.container(
            &scope.chain,
            (start, open, export),
            ("interface", name, signature),
            |walk, chain| walk.interface_members(view.inside(open), chain),
        );
        Some(view.next(open))
    }

    /// `enum Name { … }`
    pub(super) fn enumeration(
        &mut self,
        start: usize,
        at: usize,
        end: usize,
        (scope, export): (&Scope, Export),
    ) -> Option<usize> {
        let view = self.view;
        let open = at + 2;
        if open >= end || !view.opens(open, b'{') {
            return None;
        }
        let mut signature = Signature::default();
        if at > 0 && view.is(at - 1, b"const") {
            signature.word("const");
        }
        let name = view.name(at + 1);
        self.container(
            &scope.chain,
            (start, open, export),
            ("enum", name, signature),
            |walk, chain| {
                for part in view.parts(view.inside(open)) {
                    let mut signature = Signature::default();
                    // A member has the value that it is given.
                    signature.types(view, part.start + 1..part.end);
                    let name = member_name(view, part.start);
                    let declared = Declared {
                        tokens: part.clone(),
                        head: part,
                        ..Declared::new("member", Role::Symbol, name, Export::Named, signature, None)
                    };
                    walk.add(chain, declared, Export::Named);
                }
            },
        );
        Some(view.next(open))
    }

    /// Adds a container with its members.
    fn container(
        &mut self,
        chain: &[Segment],
        (start, open, export): (usize, usize, Export),
        (kind, name, signature): (&'static str, String, Signature),
        members: impl FnOnce(&mut Self, &[Segment]),
    ) {
        let view = self.view;
        let declared = Declared {
            head: start..open,
            tokens: start..view.next(open),
            ..Declared::new(
                kind,
                Role::Container,
                name,
                export,
                signature,
                Some(view.inside(open)),
            )
        };
        let mut inner = chain.to_vec();
        inner.push(Segment {
            kind,
            name: declared.name.clone(),
        });
        let unit = self.add(chain, declared, export);
        members(self, &inner);
        self.drop_implementations(unit + 1);
        self.metas[unit].end = self.out.units.len();
    }

    /// The brace that opens the body of a type, behind its parameters and bases.
    fn body_of(&self, at: usize, end: usize) -> Option<usize> {
        let view = self.view;
        let mut next = at;
        let mut operand = false;
        while next < end {
            if view.opens(next, b'{') && (operand || next == at || !view.is(next - 1, b"extends")) {
                return Some(next);
            }
            if view.sign(next, b';') || view.closes(next) {
                return None;
            }
            operand = !matches!(
                view.text(next),
                b"extends" | b"implements" | b"," | b"&" | b"|" | b"."
            );
            next = view.angles(next).unwrap_or_else(|| view.next(next));
        }
        None
    }

    fn class_members(&mut self, range: Range<usize>, chain: &[Segment]) {
        let view = self.view;
        let mut at = range.start;
        while at < range.end {
            if view.sign(at, b';') || view.sign(at, b',') {
                at += 1;
                continue;
            }
            if view.is(at, b"static") && view.opens(at + 1, b'{') {
                at = view.next(at + 1);
                continue;
            }
            at = self.member(at, range.end, chain, true).max(at + 1);
        }
    }

    fn interface_members(&mut self, range: Range<usize>, chain: &[Segment]) {
        let view = self.view;
        let mut at = range.start;
        while at < range.end {
            if view.sign(at, b';') || view.sign(at, b',') {
                at += 1;
                continue;
            }
            at = self.member(at, range.end, chain, false).max(at + 1);
        }
    }

    /// Takes the member that begins here; answers the place behind it.
    fn member(&mut self, start: usize, end: usize, chain: &[Segment], in_class: bool) -> usize {
        let view = self.view;
        let mut at = skip_decorators(view, start, end);
        let mut member = Member {
            signature: Signature::default(),
            visibility: Visibility::Public,
            kind: "property",
            required: !in_class,
        };
        let mut modifiers = 0;
        while view.word(at) && MODIFIERS.contains(&view.text(at)) && goes_on(view, at, end) {
            match view.text(at) {
                b"private" => member.visibility = Visibility::Narrow,
                b"protected" => member.visibility = Visibility::Protected,
                b"public" | b"override" | b"declare" | b"accessor" => {}
                word => {
                    if word == b"abstract" {
                        member.required = true;
                    }
                    if matches!(word, b"get" | b"set") {
                        member.kind = "accessor";
                    }
                    modifiers |= modifier_bit(word);
                }
            }
            at += 1;
        }
        // In any order they mean the same.
        member.signature.word(&format!("modifiers {modifiers}"));
        if view.sign(at, b'*') {
            member.signature.word("*");
            at += 1;
        }
        let signature_member = !in_class || view.opens(at, b'[');
        if let Some(after) = signature_member
            .then(|| self.unnamed(at, end, &mut member))
            .flatten()
        {
            let (name, after) = after;
            return self.add_member((start, after), chain, &member, (name, None, after));
        }
        if !(view.word(at)
            || view.opens(at, b'[')
            || matches!(view.kind(at), Some(Kind::Text | Kind::Number)))
        {
            return view.next(at);
        }
        let name_at = at;
        let name = member_name(view, at);
        if name.starts_with('#') {
            member.visibility = Visibility::Narrow;
        }
        at = view.next(at);
        if view.sign(at, b'?') {
            member.signature.word("?");
            member.required = false;
            at += 1;
        } else if view.sign(at, b'!') {
            at += 1;
        }
        let generics = view.angles(at);
        if view.opens(generics.unwrap_or(at), b'(') {
            if let Some(after) = generics {
                member.signature.types(view, at..after);
                at = after;
            }
            let open = at;
            at = member.signature.callable(view, at, end);
            if member.kind == "property" {
                member.kind = "method";
            }
            let body = view.opens(at, b'{').then(|| view.inside(at));
            let head_end = at;
            let after = if body.is_some() { view.next(at) } else { at };
            let end = self.add_member((start, after), chain, &member, (name, body, head_end));
            if in_class && view.is(name_at, b"constructor") {
                self.parameter_properties(open, chain);
            }
            return end;
        }
        at = annotation(view, at, end, &mut member.signature);
        let mut body = None;
        let mut head_end = at;
        if view.sign(at, b'=') && in_class {
            let value = at + 1;
            let after = view.expression(value, end);
            if let Some(found) = callable(view, value, after).filter(|found| found.end == after) {
                body = found.body;
                head_end = found.head_end;
            } else {
                member.signature.value(view, value..after);
                head_end = after;
            }
            at = after;
        }
        self.add_member((start, at), chain, &member, (name, body, head_end))
    }

    /// Members without a name: index, call and construct signatures.
    fn unnamed(&self, at: usize, end: usize, member: &mut Member) -> Option<(String, usize)> {
        let view = self.view;
        if view.opens(at, b'[') && view.word(at + 1) && view.sign(at + 2, b':') {
            // `[key: string]: T`: the name of the key is of no use to anyone.
            let inside = view.inside(at);
            let mut name = "[".to_owned();
            for token in at + 3..inside.end {
                name.push_str(&view.name(token));
            }
            name.push(']');
            member.required = false;
            let after = annotation(view, view.next(at), end, &mut member.signature);
            return Some((name, after));
        }
        let construct = view.is(at, b"new") && (view.opens(at + 1, b'(') || view.sign(at + 1, b'<'));
        let open = at + usize::from(construct);
        let generics = view.angles(open);
        let parameters = generics.unwrap_or(open);
        if !view.opens(parameters, b'(') || !(construct || parameters == at || generics.is_some()) {
            return None;
        }
        if let Some(after) = generics {
            member.signature.types(view, open..after);
        }
        member.kind = "method";
        let after = member.signature.callable(view, parameters, end);
        let name = if construct { "new" } else { "()" };
        Some((name.to_owned(), after))
    }

    /// Parameters of a constructor that are properties too.
    fn parameter_properties(&mut self, open: usize, chain: &[Segment]) {
        let view = self.view;
        for part in view.parts(view.inside(open)) {
            let mut at = skip_decorators(view, part.start, part.end);
            let first = at;
            let mut member = Member {
                signature: Signature::default(),
                visibility: Visibility::Public,
                kind: "property",
                required: false,
            };
            let mut modifiers = 0;
            while view.word(at) && is_parameter_modifier(view.text(at)) && view.word(at + 1) {
                match view.text(at) {
                    b"private" => member.visibility = Visibility::Narrow,
                    b"protected" => member.visibility = Visibility::Protected,
                    b"readonly" => modifiers |= modifier_bit(b"readonly"),
                    _ => {}
                }
                at += 1;
            }
            if at == first {
                continue;
            }
            member.signature.word(&format!("modifiers {modifiers}"));
            let name = view.name(at);
            let mut next = at + 1;
            if view.sign(next, b'?') {
                member.signature.word("?");
                next += 1;
            }
            let after = annotation(view, next, part.end, &mut member.signature);
            self.add_member((first, after), chain, &member, (name, None, after));
        }
    }

    fn add_member(
        &mut self,
        (start, after): (usize, usize),
        chain: &[Segment],
        member: &Member,
        (name, body, head_end): (String, Option<Range<usize>>, usize),
    ) -> usize {
        let declared = Declared {
            visibility: member.visibility,
            tokens: start..after.max(start + 1),
            head: start..head_end.max(start + 1),
            required: member.required,
            ..Declared::new(
                member.kind,
                Role::Symbol,
                name,
                Export::Named,
                member.signature,
                body,
            )
        };
        self.add(chain, declared, Export::Named);
        after
    }
}

/// A number with one bit for each modifier that counts.
fn modifier_bit(word: &[u8]) -> u32 {
    MODIFIERS
        .iter()
        .position(|modifier| *modifier == word)
        .map_or(0, |place| 1 << place)
}

/// Whether a modifier is one: something that may be a name follows.
fn goes_on(view: &View<'_>, at: usize, end: usize) -> bool {
    let next = at + 1;
    if next >= end {
        return false;
    }
    let name = view.word(next)
        || view.opens(next, b'[')
        || view.opens(next, b'{')
        || view.sign(next, b'*')
        || matches!(view.kind(next), Some(Kind::Text | Kind::Number));
    // A property without type or value may end with its line.
    name && (!view.on_new_line(next) || !matches!(view.text(at), b"get" | b"set" | b"async" | b"accessor"))
}

/// The name of a member as keys show it: strings without quotes, computed names with their brackets.
fn member_name(view: &View<'_>, at: usize) -> String {
    let text = view.text(at);
    if view.kind(at) == Some(Kind::Text) && text.len() >= 2 {
        return crate::structure::lexer::lines::text_of(&without_quote_escapes(&text[1..text.len() - 1]));
    }
    if !view.opens(at, b'[') {
        return view.name(at);
    }
    let range = at..view.next(at);
    if range.len() > 32 {
        // Too long for a name; still the same for the same expression.
        let hash = view.hash_range(range, None).plain;
        return format!("[{:016x}]", hash ^ hash::PLACEHOLDER);
    }
    range.map(|at| view.name(at)).collect()
}
