//! Types with their fields, methods and embedded types.

use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::lexer::{Kind, lines};
use crate::structure::outline::{Import, Role, Segment};

use super::items::{Walk, is_exported, new_unit, type_segment};
use super::signature::{Types, method_end};
use super::view::View;

/// A type that members are taken of.
struct Owner {
    segment: Segment,
    public: bool,
}

/// Names of types that every file knows.
const PREDECLARED: [&[u8]; 22] = [
    b"any",
    b"bool",
    b"byte",
    b"comparable",
    b"complex128",
    b"complex64",
    b"error",
    b"float32",
    b"float64",
    b"int",
    b"int16",
    b"int32",
    b"int64",
    b"int8",
    b"rune",
    b"string",
    b"uint",
    b"uint16",
    b"uint32",
    b"uint64",
    b"uint8",
    b"uintptr",
];

/// Whether a word names a type that every file knows.
pub(super) fn is_predeclared(name: &[u8]) -> bool {
    PREDECLARED.contains(&name)
}

impl Walk<'_, '_> {
    /// `type Name …` and `type ( … )`
    pub(super) fn types(&mut self, keyword: usize) -> usize {
        let view = self.view;
        if !view.sign(keyword + 1, b'(') {
            return self.type_spec(keyword + 1, keyword, view.len());
        }
        let close = view.mate(keyword + 1);
        let mut at = keyword + 2;
        while at < close {
            at = self.type_spec(at, at, close).max(at + 1);
        }
        close + 1
    }

    /// One type; `first` is where its unit begins.
    fn type_spec(&mut self, name_at: usize, first: usize, end: usize) -> usize {
        let view = self.view;
        if !view.word(name_at) {
            return name_at + 1;
        }
        let mut types = Types::default();
        let mut sequence = Sequence::default();
        let mut at = name_at + 1;
        if view.sign(at, b'[') && is_generic(view, at) {
            types.declare(view, at);
            sequence.push(types.constraints(view, at));
            at = view.mate(at) + 1;
        }
        let alias = view.sign(at, b'=');
        if alias {
            sequence.push(view.hash(at));
            at += 1;
        }
        let stop = view.type_end(at, end).max(at);
        let open = at + 1;
        let structure = view.is(at, b"struct") && view.sign(open, b'{');
        let interface = view.is(at, b"interface") && view.sign(open, b'{');
        let holds_members = structure || interface;
        // An interface without elements is a name for any type, and a type of its own kind all the same.
        sequence.push(if holds_members {
            view.hash(at)
        } else {
            types.hash(view, at..stop)
        });
        let name = view.text(name_at);
        let public = self.public(name);
        if name != b"_" {
            let mut unit = new_unit("type", view.name(name_at), view.bytes(&(first..stop)));
            unit.role = Role::Container;
            unit.signature = self.signature(sequence.finish());
            unit.text = spelled(b"type", view, name_at..if holds_members { open } else { stop });
            unit.value = types.tags();
            unit.body = holds_members.then(|| view.body(open, Some(view.hash(name_at))));
            if alias && let Some(target) = self.aliased(at..stop) {
                // Who uses the name uses the type that it leads to.
                unit.role = Role::Symbol;
                self.imports.push(Import {
                    module: self.place.module.clone(),
                    name: view.name(name_at),
                    target,
                    exported: public,
                    line: view.line(name_at),
                });
            }
            self.push(unit, public);
            let owner = Owner {
                segment: type_segment(view, name_at),
                public,
            };
            if structure {
                self.fields(open, &owner, &types);
            } else if interface {
                self.elements(open, &owner, &types);
            }
        }
        stop.max(view.statement_end(at, end))
    }

    /// Where an alias leads: `path/of/package::Name`, with the path as it is imported, or the own package.
    fn aliased(&self, range: Range<usize>) -> Option<String> {
        let view = self.view;
        let name = embedded_name(view, range.clone()).filter(|_| view.word(range.start))?;
        let package = if name == range.start {
            // Every file knows these; they lead nowhere.
            (!is_predeclared(view.text(name))).then(|| self.place.module.clone())?
        } else {
            imported(view, view.text(range.start))
        };
        Some(format!("{package}::{}", view.name(name)))
    }

    /// The fields of a struct type whose braces open at `open`.
    fn fields(&mut self, open: usize, owner: &Owner, generic: &Types) {
        let view = self.view;
        let close = view.mate(open);
        let mut at = open + 1;
        while at < close {
            let end = view.statement_end(at, close);
            if end > at {
                self.field(at..end, owner, generic);
            }
            at = end + usize::from(view.sign(end, b';'));
        }
    }

    /// `A, B int`, `*pkg.Embedded`, each with or without a tag.
    fn field(&mut self, range: Range<usize>, owner: &Owner, generic: &Types) {
        let view = self.view;
        let mut end = range.end;
        let mut tag = 0;
        if view.kind(end - 1) == Some(Kind::Text) {
            tag = view.hash(end - 1);
            end -= 1;
        }
        let mut types = generic.clone();
        if let Some(name) = embedded_name(view, range.start..end) {
            let text = view.text(name);
            let mut unit = new_unit("embed", view.name(name), view.bytes(&range));
            unit.signature = types.hash(view, range.start..end);
            unit.text = view.shown(range);
            unit.value = tag;
            unit.chain = vec![owner.segment.clone()];
            let public = is_exported(text) || is_predeclared(text);
            self.push(unit, owner.public && public);
            return;
        }
        let mut names = Vec::new();
        let mut at = range.start;
        while at < end && view.word(at) {
            names.push(at);
            at += 1;
            if !view.sign(at, b',') {
                break;
            }
            at += 1;
        }
        let signature = types.hash(view, at.min(end)..end);
        let tags = types.tags();
        if tags != 0 {
            tag = hash::join(&[tag, tags]);
        }
        let mut shown = view.shown(at.min(range.end)..range.end);
        if names.len() > MANY_NAMES {
            lines::cut(&mut shown, SHORT_TEXT);
        }
        for name in &names {
            if view.text(*name) == b"_" {
                continue;
            }
            let mut unit = new_unit("field", view.name(*name), view.bytes(&range));
            unit.text = format!("{} {shown}", unit.segment.name);
            lines::truncate(&mut unit.text);
            unit.signature = signature;
            unit.value = tag;
            unit.chain = vec![owner.segment.clone()];
            let public = owner.public && is_exported(view.text(*name));
            self.push(unit, public);
        }
    }

    /// The methods and embedded types of an interface type whose braces open at `open`.
    fn elements(&mut self, open: usize, owner: &Owner, generic: &Types) {
        let view = self.view;
        let close = view.mate(open);
        let mut at = open + 1;
        while at < close {
            let end = view.statement_end(at, close);
            if end > at {
                self.element(at..end, owner, generic);
            }
            at = end + usize::from(view.sign(end, b';'));
        }
    }

    fn element(&mut self, range: Range<usize>, owner: &Owner, generic: &Types) {
        let view = self.view;
        let mut types = generic.clone();
        let first = range.start;
        let method = view.word(first) && view.sign(first + 1, b'(');
        let (kind, name, signature, public) = if method {
            let end = method_end(view, first + 1, range.end);
            let signature = types.function(view, first + 1, end);
            (
                "method",
                view.name(first),
                signature,
                is_exported(view.text(first)),
            )
        } else {
            let name = match embedded_name(view, range.clone()) {
                Some(name) => view.name(name),
                // A set of types is named by what is written, without blanks.
                None => joined(view, range.clone()),
            };
            ("embed", name, types.hash(view, range.clone()), true)
        };
        let mut unit = new_unit(kind, name, view.bytes(&range));
        unit.text = view.shown(range);
        unit.signature = signature;
        unit.required = true;
        unit.chain = vec![owner.segment.clone()];
        self.push(unit, owner.public && public);
    }
}

/// The token of the name of an embedded type: `Name`, `*Name`, `pkg.Name`, `Name[Argument]`; `None` for anything else.
fn embedded_name(view: &View<'_>, range: Range<usize>) -> Option<usize> {
    let mut at = range.start;
    // The type may stand in parentheses, in old code.
    let mut end = range.end;
    while view.sign(at, b'(') && view.mate(at) + 1 == end {
        at += 1;
        end -= 1;
    }
    if view.sign(at, b'*') {
        at += 1;
    }
    if !view.word(at) {
        return None;
    }
    if view.sign(at + 1, b'.') && view.word(at + 2) && at + 2 < end {
        at += 2;
    }
    let after = at + 1;
    let complete = after == end
        || (view.sign(after, b'[') && view.mate(after) + 1 == end && {
            // `a [5]int` has a type behind the brackets, `a []int` too; `List[int]` ends with them.
            view.mate(after) > after + 1
        });
    complete.then_some(at)
}

/// The path that a package is imported by; its name where no import tells.
fn imported(view: &View<'_>, name: &[u8]) -> String {
    let path = (0..view.len())
        .take_while(|at| !view.is(*at, b"func"))
        .filter(|at| view.kind(*at) == Some(Kind::Text))
        .find(|at| {
            let text = view.text(*at);
            let path = text.get(1..text.len() - 1).unwrap_or_default();
            let named = *at > 0 && view.is(*at - 1, name);
            // A last part such as `v2` is no name.
            let mut parts = path.rsplit(|byte| *byte == b'/').take(2);
            named || parts.any(|part| part == name)
        });
    path.map_or_else(
        || lines::text_of(name),
        |at| lines::text_of(&view.text(at)[1..view.text(at).len() - 1]),
    )
}

/// Whether the brackets behind the name of a type hold type parameters, not the length of an array.
pub(super) fn is_generic(view: &View<'_>, open: usize) -> bool {
    let close = view.mate(open);
    let first = open + 1;
    if !view.word(first) || first + 1 >= close {
        return false;
    }
    view.word(first + 1)
        || view.sign(first + 1, b',')
        || view.sign(first + 1, b'~')
        || view.sign(first + 1, b'[')
        || view.signs(first + 1, b'<', b'-')
        || view.find_flat(first, close, b",") < close
        // `[P *T]` is the length of an array, but `[P interface{ *T }]` and `[P *T | U]` are not.
        || (view.sign(first + 1, b'*') && view.find_flat(first, close, b"|~") < close)
}

/// Tokens without what stands between them, bounded.
pub(super) fn joined(view: &View<'_>, range: Range<usize>) -> String {
    let mut text = String::new();
    for at in range {
        lines::push_bytes(&mut text, view.text(at));
        if text.len() > lines::MAX_TEXT {
            break;
        }
    }
    lines::truncate(&mut text);
    text
}

/// More names than this on one line are shown with a shorter text each.
pub(super) const MANY_NAMES: usize = 8;

/// Bytes of such a text.
pub(super) const SHORT_TEXT: usize = 80;

/// A declaration out of a group, with the keyword of the group or a name in front.
pub(super) fn spelled(first: &[u8], view: &View<'_>, range: Range<usize>) -> String {
    let mut text = lines::text_of(first);
    text.push(' ');
    text.push_str(&view.shown(range));
    lines::truncate(&mut text);
    text
}
