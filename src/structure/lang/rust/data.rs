//! Structs, unions and enums with their fields, variants and derives.

use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::outline::{Role, Segment};

use super::attribute::Attributes;
use super::items::{Draft, Head, Walk, visibility};
use super::signature::{mark, push};

impl Walk<'_, '_> {
    /// `struct Name { … }`, `struct Name(…);`, `struct Name;` and `union Name { … }`
    pub(super) fn structure(&mut self, head: &Head, kind: &'static str) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        if !view.word(name_at) {
            return name_at;
        }
        let generics = name_at + 1;
        let after = view.after_generics(generics, head.end);
        let open = view.find(after, head.end, b"({;");
        let tuple = view.sign(open, b'(') && open == after;
        // A bound such as `where F: Fn(u8)` holds parentheses too; only those behind the generics are fields.
        let open = if tuple {
            open
        } else {
            view.find(after, head.end, b"{;")
        };
        let last = match () {
            () if tuple => view.find(view.mate(open) + 1, head.end, b";"),
            () => view.last_of(open),
        };
        let name = view.name(name_at);
        let mut sequence = Sequence::default();
        push(&mut sequence, view, head.modifiers..name_at);
        push(&mut sequence, view, generics..open);
        if tuple {
            push(&mut sequence, view, view.mate(open) + 1..last);
        }
        let public = self.public(head.marked);
        let mut draft = Draft::new(kind, name.clone(), view.start(head.first)..view.end(last));
        draft.unit.role = Role::Container;
        draft.unit.signature = self.signature(sequence.finish());
        draft.public = public;
        draft.unit.text = self.text(head, if view.sign(open, b'{') { open } else { last });
        if view.is_open(open) {
            draft.unit.body = Some(self.body(open, Some(name_at)));
        }
        self.push(draft);
        self.doctests(head, kind, &name);
        self.derives(&name, public);
        if view.is_open(open) {
            let owner = Segment { kind, name };
            self.fields(open, &owner, public, tuple);
        }
        last + 1
    }

    /// The fields in the group that opens at `open`.
    fn fields(&mut self, open: usize, owner: &Segment, owner_public: bool, tuple: bool) {
        if self.names_only {
            return;
        }
        let view = self.view;
        let close = view.mate(open);
        let mut at = open + 1;
        let mut number = 0_usize;
        while at < close && self.fault.is_none() {
            let first = at;
            self.attributes.clear();
            let begin = self.attributes.read(view, at, close);
            let (marked, start) = visibility(view, begin);
            let comma = view.find(start, close, b",");
            let named = view.word(start) && view.sign(start + 1, b':');
            if (tuple && start < comma) || named {
                let name = if tuple {
                    number.to_string()
                } else {
                    view.name(start)
                };
                let types = if tuple { start } else { start + 2 };
                let mut draft = Draft::new("field", name.clone(), view.bytes(&(first..comma)));
                draft.unit.signature = self.signature(view.hash_range(types..comma, None).plain);
                draft.public = owner_public && marked && !self.attributes.hidden(view);
                draft.unit.text = view.shown(begin..comma);
                draft.below = vec![owner.clone()];
                self.push(draft);
                let head = Head {
                    first,
                    begin,
                    modifiers: start,
                    keyword: start,
                    marked,
                    end: close,
                };
                self.doctests_below(&head, std::slice::from_ref(owner), "field", &name);
                number += 1;
            }
            at = comma.max(at) + 1;
        }
    }

    /// `enum Name { … }`
    pub(super) fn enumeration(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        let open = view.find(name_at + 1, head.end, b"{;");
        if !view.word(name_at) || !view.sign(open, b'{') {
            return name_at;
        }
        let close = view.mate(open);
        let name = view.name(name_at);
        let mut sequence = Sequence::default();
        push(&mut sequence, view, head.modifiers..name_at);
        push(&mut sequence, view, name_at + 1..open);
        let public = self.public(head.marked);
        let mut draft = Draft::new("enum", name.clone(), view.bytes(&(head.first..close + 1)));
        draft.unit.role = Role::Container;
        draft.unit.signature = self.signature(sequence.finish());
        draft.public = public;
        draft.unit.text = self.text(head, open);
        draft.unit.body = Some(self.body(open, Some(name_at)));
        self.push(draft);
        self.doctests(head, "enum", &name);
        self.derives(&name, public);
        self.variants(open + 1..close, &Segment { kind: "enum", name }, public);
        close + 1
    }

    fn variants(&mut self, inside: Range<usize>, owner: &Segment, owner_public: bool) {
        if self.names_only {
            return;
        }
        let view = self.view;
        let mut at = inside.start;
        while at < inside.end && self.fault.is_none() {
            let first = at;
            self.attributes.clear();
            let begin = self.attributes.read(view, at, inside.end);
            let (marked, start) = visibility(view, begin);
            // A discriminant is an expression, where `<` is no bracket.
            let comma = view.find_flat(start, inside.end, b",");
            if view.word(start) {
                let name = view.name(start);
                let mut draft = Draft::new("variant", name.clone(), view.bytes(&(first..comma)));
                draft.unit.signature = self.signature(self.variant_signature(start + 1..comma));
                draft.public = owner_public && !self.attributes.hidden(view);
                draft.unit.text = view.shown(begin..comma);
                draft.below = vec![owner.clone()];
                self.push(draft);
                let head = Head {
                    first,
                    begin,
                    modifiers: start,
                    keyword: start,
                    marked,
                    end: inside.end,
                };
                self.doctests_below(&head, std::slice::from_ref(owner), "variant", &name);
            }
            at = comma.max(at) + 1;
        }
    }

    /// The payload and the discriminant; the order of named fields does not count.
    fn variant_signature(&self, range: Range<usize>) -> u64 {
        let view = self.view;
        let mut sequence = Sequence::default();
        let mut at = range.start;
        if view.sign(at, b'{') {
            let close = view.mate(at);
            let mut sum = 0_u64;
            let mut field = at + 1;
            while field < close {
                let comma = view.find(field, close, b",");
                sum = sum.wrapping_add(self.payload_signature(field..comma));
                field = comma.max(field) + 1;
            }
            mark(&mut sequence, "{");
            sequence.push(sum);
            at = close + 1;
        } else if view.sign(at, b'(') {
            let close = view.mate(at);
            let mut field = at + 1;
            mark(&mut sequence, "(");
            while field < close {
                let comma = view.find(field, close, b",");
                sequence.push(self.payload_signature(field..comma));
                field = comma.max(field) + 1;
            }
            at = close + 1;
        }
        push(&mut sequence, view, at..range.end);
        sequence.finish()
    }

    /// One field of a variant: its relevant attributes, name and type.
    fn payload_signature(&self, range: Range<usize>) -> u64 {
        let view = self.view;
        let mut attributes = Attributes::default();
        let begin = attributes.read(view, range.start, range.end);
        let (_, start) = visibility(view, begin);
        let field = view.hash_range(start..range.end.max(start), None).plain;
        hash::join(&[field, attributes.signature(view)])
    }

    /// One `impl Trait for Name` for each derived trait.
    fn derives(&mut self, name: &str, public: bool) {
        if self.names_only {
            return;
        }
        let view = self.view;
        let derives: Vec<Range<usize>> = self
            .attributes
            .named(view, b"derive")
            .map(|attribute| attribute.arguments(view))
            .collect();
        for range in derives {
            let mut at = range.start;
            while at < range.end {
                let comma = view.find_flat(at, range.end, b",");
                // The last segment of the path.
                let last = comma - 1;
                if comma > at && view.word(last) {
                    let derived = view.name(last);
                    let mut draft =
                        Draft::new("impl", format!("{derived} for {name}"), view.bytes(&(at..comma)));
                    draft.public = public;
                    draft.unit.text = format!("#[derive({derived})]");
                    draft.unit.signature = hash::join(&[]);
                    draft.unit.member_of = Some(name.to_owned());
                    self.push(draft);
                }
                at = comma + 1;
            }
        }
    }
}
