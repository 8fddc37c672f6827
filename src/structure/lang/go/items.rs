//! The walk over the declarations of a file: functions and methods; types, constants and variables are in their own files.

use std::ops::Range;

use crate::structure::lexer::hash;
use crate::structure::outline::{Body, Import, Marks, Role, Segment, Unit, Visibility};

use super::example;
use super::place::{Constraint, Place};
use super::runner::Runner;
use super::signature::Types;
use super::subtests;
use super::view::View;

/// Walks one file.
pub(super) struct Walk<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) place: &'v Place,
    /// Part of the signature of every declaration; 0 without a build constraint.
    constraint: u64,
    /// What is declared here can be imported.
    importable: bool,
    /// What the test runner sees in this file.
    pub(super) runner: Runner,
    pub(super) units: Vec<Unit>,
    /// Aliases: names that lead to types of this or another package.
    pub(super) imports: Vec<Import>,
    /// Bytes that were copied into units, and how many may be: hostile nesting copies the same names over and over.
    spent: usize,
    allowance: usize,
}

/// A unit with nothing but a name and a place in the file.
pub(super) fn new_unit(kind: &'static str, name: String, bytes: Range<usize>) -> Unit {
    Unit {
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
    }
}

/// Where the parts of a function stand.
pub(super) struct Function {
    /// The parenthesis of the receiver.
    pub(super) receiver: Option<usize>,
    pub(super) name: usize,
    /// The bracket of the type parameters.
    pub(super) generics: Option<usize>,
    /// The parenthesis of the parameters.
    pub(super) open: usize,
    /// Behind the results.
    pub(super) end: usize,
    /// The brace of the body.
    pub(super) body: Option<usize>,
}

impl Function {
    /// Reads the declaration that begins with `func`, if it is one.
    pub(super) fn at(view: &View<'_>, keyword: usize) -> Option<Self> {
        let receiver = view.sign(keyword + 1, b'(').then_some(keyword + 1);
        let name = receiver.map_or(keyword + 1, |open| view.mate(open) + 1);
        if !view.word(name) {
            return None;
        }
        let generics = view.sign(name + 1, b'[').then_some(name + 1);
        let open = generics.map_or(name + 1, |open| view.mate(open) + 1);
        if !view.sign(open, b'(') {
            return None;
        }
        let close = view.mate(open);
        let end = if view.breaks(close) || !view.begins_type(close + 1) {
            close + 1
        } else {
            view.type_end(close + 1, view.len())
        };
        let body = (!view.breaks(end - 1) && view.sign(end, b'{')).then_some(end);
        Some(Self {
            receiver,
            name,
            generics,
            open,
            end,
            body,
        })
    }

    /// The token behind the declaration.
    pub(super) fn after(&self, view: &View<'_>) -> usize {
        self.body.map_or(self.end, |open| view.mate(open) + 1)
    }
}

impl<'v, 'a> Walk<'v, 'a> {
    pub(super) fn new(
        view: &'v View<'a>,
        place: &'v Place,
        constraint: Option<&Constraint>,
        clause: usize,
    ) -> Self {
        let main = view.is(clause, b"package") && view.is(clause + 1, b"main");
        Self {
            view,
            place,
            constraint: constraint.map_or(0, |constraint| constraint.signature),
            importable: place.importable && !main,
            runner: Runner::of(view, place, clause),
            units: Vec::with_capacity(view.len() / 40 + 4),
            imports: Vec::new(),
            spent: 0,
            allowance: view.source.len() * 256 + (1 << 20),
        }
    }

    /// Walks the file from a token on.
    pub(super) fn run(&mut self, from: usize) {
        let view = self.view;
        let mut at = from;
        while at < view.len() && !self.exhausted() {
            let next = match view.text(at) {
                b"func" => self.function(at),
                b"type" => self.types(at),
                b"const" => self.constants(at),
                b"var" => self.variables(at),
                _ => view.next(at),
            };
            at = next.max(at + 1);
        }
    }

    /// Whether more was copied than any file of this size that people write needs.
    pub(super) fn exhausted(&self) -> bool {
        self.spent > self.allowance
    }

    /// Whether something of this name is public at the top of the file.
    pub(super) fn public(&self, name: &[u8]) -> bool {
        self.importable && is_exported(name)
    }

    /// A signature, with the build constraint of the file.
    pub(super) fn signature(&self, own: u64) -> u64 {
        if self.constraint == 0 {
            own
        } else {
            hash::join(&[own, self.constraint])
        }
    }

    /// Adds a unit of this package.
    pub(super) fn push(&mut self, mut unit: Unit, public: bool) {
        unit.module.clone_from(&self.place.module);
        if public {
            unit.visibility = Visibility::Public;
        }
        let lines = &self.view.lines();
        let last = unit.bytes.end.max(unit.bytes.start + 1) - 1;
        unit.lines = (lines.line(unit.bytes.start), lines.line(last));
        let marks = [&unit.marks.disabled, &unit.marks.focused].into_iter().flatten();
        let around = unit.chain.iter().map(|segment| segment.name.len() + 32);
        // What stands in other units was hashed for each of them.
        let hashed = if unit.chain.is_empty() {
            0
        } else {
            unit.body.as_ref().map_or(0, |body| body.tokens as usize * 4)
        };
        self.spent += hashed
            + unit.module.len()
            + unit.text.len()
            + around.sum::<usize>()
            + marks.map(|mark| mark.text.len() + 32).sum::<usize>();
        self.units.push(unit);
    }

    /// `func name(…) … { … }` and `func (receiver) name(…) … { … }`
    fn function(&mut self, keyword: usize) -> usize {
        let view = self.view;
        let Some(function) = Function::at(view, keyword) else {
            return keyword + 1;
        };
        let after = function.after(view);
        let name = view.text(function.name);
        let receiver = function.receiver.map(|open| Receiver::of(view, open));
        if name == b"_" {
            return after;
        }
        let mut types = Types::default();
        let mut parts = [0_u64; 3];
        match &receiver {
            Some(receiver) => {
                parts[0] = u64::from(receiver.pointer);
                if let Some(open) = receiver.arguments {
                    types.declare(view, open);
                }
            }
            None => {
                if let Some(open) = function.generics {
                    types.declare(view, open);
                    parts[1] = types.constraints(view, open);
                }
            }
        }
        parts[2] = types.function(view, function.open, function.end);
        let owner = receiver.as_ref().map(|receiver| view.text(receiver.name));
        let role = self.runner.role(view, &function, owner);
        let kind = match (role, owner) {
            (Role::Test, _) => "test",
            (_, Some(_)) => "method",
            (_, None) => "func",
        };
        let mut unit = new_unit(kind, view.name(function.name), view.bytes(&(keyword..after)));
        unit.text = view.shown(keyword..function.end);
        unit.signature = self.signature(hash::join(&parts));
        unit.role = role;
        unit.body = function
            .body
            .map(|open| view.body(open, Some(view.hash(function.name))));
        if let Some(receiver) = &receiver {
            unit.chain = vec![type_segment(view, receiver.name)];
        }
        let public = role != Role::Test && self.public(name) && owner.is_none_or(is_exported);
        if role == Role::Test
            && name.starts_with(b"Example")
            && let Some(open) = function.body
        {
            // What it must print is no token.
            unit.value = example::output(view, open).map_or(0, |output| hash::token(&output.text));
        }
        let nested = self.runner.nested_role(view, &function, role);
        let mut chain = unit.chain.clone();
        chain.push(unit.segment.clone());
        self.push(unit, public);
        if let (Some(role), Some(open)) = (nested, function.body) {
            subtests::take(self, &function, (open, role), chain);
        }
        if function.body.is_some() && role != Role::Test && self.runner.ginkgo {
            self.specs(function.open..after);
        }
        after
    }

    /// The body of a unit as a range of tokens that is no group of its own.
    pub(super) fn loose_body(&self, range: Range<usize>) -> Body {
        let hashed = self.view.hash_range(range.clone(), None);
        Body {
            bytes: self.view.bytes(&range),
            hash: hashed.plain,
            hash_without_name: hashed.without_name,
            tokens: hashed.tokens,
        }
    }
}

/// `(c *Cart[T])`
pub(super) struct Receiver {
    /// The token of the variable, where it has a name.
    pub(super) variable: Option<usize>,
    /// The token of the type's name.
    pub(super) name: usize,
    pub(super) pointer: bool,
    /// The bracket of its type arguments.
    pub(super) arguments: Option<usize>,
}

impl Receiver {
    /// Reads the receiver in the parentheses at `open`.
    pub(super) fn of(view: &View<'_>, open: usize) -> Self {
        let close = view.mate(open);
        let mut at = open + 1;
        let named = at + 1 < close && !view.sign(at + 1, b'[') && !view.sign(at + 1, b'.');
        let variable = (view.word(at) && named).then_some(at);
        if variable.is_some() {
            at += 1;
        }
        let mut pointer = false;
        // The type may stand in parentheses of its own.
        while view.sign(at, b'*') || view.sign(at, b'(') {
            pointer |= view.sign(at, b'*');
            at += 1;
        }
        // Only names of this package can have methods; what else is written there is told by its own name.
        if view.word(at) && view.sign(at + 1, b'.') && view.word(at + 2) {
            at += 2;
        }
        let arguments = (view.word(at) && view.sign(at + 1, b'[')).then_some(at + 1);
        Self {
            variable,
            name: at,
            pointer,
            arguments,
        }
    }
}

/// `type T` in the chain of a member; `at` is its name.
pub(super) fn type_segment(view: &View<'_>, at: usize) -> Segment {
    Segment {
        kind: "type",
        name: view.name(at),
    }
}

/// Whether a name begins with an upper-case letter.
pub(super) fn is_exported(name: &[u8]) -> bool {
    match name.first() {
        Some(first) if first.is_ascii() => first.is_ascii_uppercase(),
        _ => first_char(name).is_some_and(char::is_uppercase),
    }
}

/// The character that a name begins with.
pub(super) fn first_char(name: &[u8]) -> Option<char> {
    name.utf8_chunks().next()?.valid().chars().next()
}
