//! Functions and tests, constants, statics and type aliases.

use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::outline::{Body, Role};

use super::items::{Around, Draft, Head, Walk};
use super::signature::{mark, push, push_parameters};

impl Walk<'_, '_> {
    /// `fn name(…) { … }` and `fn name(…);`
    pub(super) fn function(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        let generics = name_at + 1;
        let open = view.after_generics(generics, head.end);
        if !view.word(name_at) || !view.sign(open, b'(') {
            return name_at;
        }
        let close = view.mate(open);
        let body_at = view.find(close + 1, head.end, b"{;");
        let has_body = view.sign(body_at, b'{');
        let last = if has_body { view.mate(body_at) } else { body_at };
        let around = self.scope().around;

        let mut sequence = Sequence::default();
        push(&mut sequence, view, head.modifiers..head.keyword + 1);
        push(&mut sequence, view, generics..open);
        mark(&mut sequence, "(");
        push_parameters(&mut sequence, view, open + 1..close);
        push(&mut sequence, view, close + 1..body_at);
        if around == Around::Trait && has_body {
            mark(&mut sequence, "default body");
        }

        let test = self.attributes.is_test(view) && has_body;
        let name = view.name(name_at);
        let kind = if test { "test" } else { "fn" };
        let last_byte = view.end(last);
        let mut draft = Draft::new(kind, name.clone(), view.start(head.first)..last_byte);
        draft.unit.text = self.text(head, body_at);
        draft.unit.signature = self.signature(sequence.finish());
        draft.unit.required = around == Around::Trait && !has_body;
        if has_body {
            draft.unit.body = Some(self.body(body_at, Some(name_at)));
        }
        if test {
            draft.unit.role = Role::Test;
            draft.unit.marks = self.attributes.marks(view);
            let inherited = self.scope().conditions.clone();
            draft.unit.marks.conditional.extend(inherited);
        } else {
            draft.public = self.public(head.marked);
        }
        self.push(draft);
        self.doctests(head, kind, &name);
        last + 1
    }

    /// The signature of an item: its own tokens, its attributes, and what its scope adds.
    pub(super) fn signature(&self, own: u64) -> u64 {
        let around = self
            .attributes
            .signature(self.view)
            .wrapping_add(self.scope().signature);
        hash::join(&[own, around])
    }

    /// The body in the group that opens at `open`.
    pub(super) fn body(&self, open: usize, name_at: Option<usize>) -> Body {
        let view = self.view;
        let close = view.mate(open);
        if self.names_only {
            return Body {
                bytes: view.bytes(&(open..close + 1)),
                hash: 0,
                hash_without_name: 0,
                tokens: 0,
            };
        }
        let hashed = view.hash_range(open + 1..close, name_at.map(|at| view.hash(at)));
        Body {
            bytes: view.bytes(&(open..close + 1)),
            hash: hashed.plain,
            hash_without_name: hashed.without_name,
            tokens: hashed.tokens,
        }
    }

    /// `const NAME: Type = value;` and `static NAME: Type = value;`
    pub(super) fn constant(&mut self, head: &Head) -> usize {
        let view = self.view;
        let mutable = view.is(head.keyword + 1, b"mut");
        let name_at = head.keyword + 1 + usize::from(mutable);
        if !view.word(name_at) {
            return name_at;
        }
        let equals = view.find(name_at + 1, head.end, b"=;");
        let semicolon = view.find_flat(equals, head.end, b";");
        let has_value = view.sign(equals, b'=');
        if view.is(name_at, b"_") {
            return semicolon + 1;
        }
        let kind = if view.is(head.keyword, b"static") {
            "static"
        } else {
            "const"
        };
        let name = view.name(name_at);
        let in_trait = self.scope().around == Around::Trait;
        let mut draft = Draft::new(kind, name.clone(), view.bytes(&(head.first..semicolon + 1)));
        let mut sequence = Sequence::default();
        push(&mut sequence, view, head.modifiers..name_at);
        push(&mut sequence, view, name_at + 1..equals);
        if in_trait && has_value {
            mark(&mut sequence, "default value");
        }
        draft.unit.signature = self.signature(sequence.finish());
        if has_value {
            draft.unit.value = view.hash_range(equals + 1..semicolon, None).plain;
        }
        draft.unit.required = in_trait && !has_value;
        draft.public = self.public(head.marked);
        draft.unit.text = self.text(head, semicolon);
        self.push(draft);
        self.doctests(head, kind, &name);
        semicolon + 1
    }

    /// `type Name = Type;`, and an associated type.
    pub(super) fn alias(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        let semicolon = view.find_flat(name_at, head.end, b";");
        if !view.word(name_at) {
            return name_at;
        }
        let name = view.name(name_at);
        let equals = view.find(name_at + 1, semicolon, b"=");
        let mut draft = Draft::new("type", name.clone(), view.bytes(&(head.first..semicolon + 1)));
        let mut sequence = Sequence::default();
        push(&mut sequence, view, head.modifiers..name_at);
        push(&mut sequence, view, name_at + 1..semicolon);
        draft.unit.signature = self.signature(sequence.finish());
        draft.unit.required = self.scope().around == Around::Trait && !view.sign(equals, b'=');
        draft.public = self.public(head.marked);
        draft.unit.text = self.text(head, semicolon);
        self.push(draft);
        self.doctests(head, "type", &name);
        semicolon + 1
    }
}
