//! The head of an item: where its attributes, visibility, modifiers and keyword stand, and the unit it becomes.

use std::ops::Range;

use crate::structure::outline::{Marks, Role, Segment, Unit, Visibility};

use super::view::View;

/// A unit before its place is added.
pub(super) struct Draft {
    /// Everything but its place: module, chain, visibility and lines are filled in.
    pub(super) unit: Unit,
    pub(super) public: bool,
    /// Containers between the scope and the unit.
    pub(super) below: Vec<Segment>,
    /// Replaces the module of the scope, and its chain.
    pub(super) module: Option<String>,
}

impl Draft {
    pub(super) fn new(kind: &'static str, name: String, bytes: Range<usize>) -> Self {
        Self {
            unit: Unit {
                module: String::new(),
                chain: Vec::new(),
                segment: Segment { kind, name },
                role: Role::Symbol,
                visibility: Visibility::Narrow,
                bytes,
                lines: (0, 0),
                text: String::new(),
                signature: 0,
                value: 0,
                body: None,
                member_of: None,
                required: false,
                marks: Marks::default(),
            },
            public: false,
            below: Vec::new(),
            module: None,
        }
    }
}

/// An item whose attributes and visibility have been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    /// The first token, attributes included.
    pub(super) first: usize,
    /// The first token behind the attributes.
    pub(super) begin: usize,
    /// The first token behind the visibility.
    pub(super) modifiers: usize,
    /// The keyword that says what it is.
    pub(super) keyword: usize,
    /// Has a bare `pub`.
    pub(super) marked: bool,
    /// Where the scope ends.
    pub(super) end: usize,
}

/// The value of a plain text literal, if the range is one.
pub(super) fn text_value(view: &View<'_>, range: Range<usize>) -> Option<Vec<u8>> {
    let [b'"', inner @ .., b'"'] = view.text(range.start) else {
        return None;
    };
    (range.len() == 1).then(|| inner.to_vec())
}

/// Whether a bare `pub` stands here, and where the visibility ends.
pub(super) fn visibility(view: &View<'_>, at: usize) -> (bool, usize) {
    if !view.is(at, b"pub") {
        // An old form of `pub(crate)`.
        if view.is(at, b"crate") && view.word(at + 1) {
            return (false, at + 1);
        }
        return (false, at);
    }
    let open = at + 1;
    if view.sign(open, b'(') {
        let close = view.mate(open);
        let limited = match view.text(open + 1) {
            b"in" => true,
            b"crate" | b"self" | b"super" => close == open + 2,
            _ => false,
        };
        if limited {
            return (false, close + 1);
        }
    }
    (true, at + 1)
}

/// The index of the keyword that says what an item is, behind `const`, `async`, `unsafe` and the like.
pub(super) fn after_modifiers(view: &View<'_>, mut at: usize, end: usize) -> usize {
    while at + 1 < end && view.word(at) {
        let next = match view.text(at) {
            b"unsafe" => at + 1,
            b"default" | b"auto" | b"safe" | b"gen" | b"async" if view.word(at + 1) => at + 1,
            b"const"
                if [
                    &b"fn"[..],
                    b"async",
                    b"unsafe",
                    b"extern",
                    b"gen",
                    b"trait",
                    b"impl",
                ]
                .contains(&view.text(at + 1)) =>
            {
                at + 1
            }
            b"extern" => {
                let abi = if view.word(at + 1) { at + 1 } else { at + 2 };
                if view.is(abi, b"fn") { abi } else { return at }
            }
            _ => return at,
        };
        at = next;
    }
    at
}
