//! Walks the items of a file, and of everything nested in it, without recursion.

use std::collections::BTreeSet;

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::{hash, small};
use crate::structure::outline::{Body, FileOutline, Mark, Marks, Role, Segment, Submodule, Visibility};

use super::attribute::Attributes;
use super::implementation::Implementation;
use super::module::Place;
use super::uses::RawImport;
use super::view::View;

use super::head::after_modifiers;
pub(super) use super::head::{Draft, Head, text_value, visibility};

/// The walk over one file.
pub(super) struct Walk<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) place: &'v Place,
    pub(super) out: FileOutline,
    /// Takes names alone: no declarations, bodies, members and examples.
    pub(super) names_only: bool,
    pub(super) scopes: Vec<Scope>,
    pub(super) attributes: Attributes,
    /// Names of macros of this file that make a test of each call.
    pub(super) makers: BTreeSet<&'a [u8]>,
    pub(super) implementations: Vec<Implementation>,
    pub(super) imports: Vec<RawImport>,
    /// Bytes copied into units so far: hostile nesting of long names must not multiply the file.
    spent: usize,
    allowance: usize,
    pub(super) fault: Option<UnmeasuredReason>,
}

/// What is around an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    /// The file or an inline module.
    Module,
    /// `impl Type { … }`
    Inherent,
    /// `impl Trait for Type { … }`
    TraitImpl,
    /// `trait Name { … }`
    Trait,
    /// `extern "C" { … }`
    Extern,
    /// The braces of a macro call.
    Macro,
}

/// One level of nesting.
pub(super) struct Scope {
    /// The index of its closing delimiter.
    pub(super) end: usize,
    pub(super) around: Around,
    pub(super) module: String,
    /// Names of the inline modules from the top of the file.
    pub(super) inline: Vec<Vec<u8>>,
    pub(super) chain: Vec<Segment>,
    /// Public along the whole way from the top of the file.
    pub(super) public: bool,
    /// Compiled for tests only.
    pub(super) test_only: bool,
    /// Conditions that tests in it inherit.
    pub(super) conditions: Vec<Mark>,
    /// Added to the signature of each member: conditions of an `impl`, the ABI of an `extern` block.
    pub(super) signature: u64,
    /// The unit of an inline module.
    unit: Option<usize>,
    /// The impl that it is.
    pub(super) implementation: Option<usize>,
    /// Sum over the members' hashes, in any order.
    members: u64,
    tokens: u32,
}

impl<'v, 'a> Walk<'v, 'a> {
    pub(super) fn new(view: &'v View<'a>, place: &'v Place) -> Self {
        Self {
            view,
            place,
            out: FileOutline {
                module: place.module.clone(),
                units: Vec::with_capacity(view.len() / 40 + 4),
                ..FileOutline::default()
            },
            names_only: false,
            scopes: Vec::new(),
            attributes: Attributes::default(),
            makers: BTreeSet::new(),
            implementations: Vec::new(),
            imports: Vec::new(),
            spent: 0,
            allowance: view.source.len() * 256 + (1 << 20),
            fault: None,
        }
    }

    /// Walks the whole file.
    pub(super) fn run(&mut self) {
        self.find_makers();
        let end = self.view.len();
        self.scopes.push(Scope {
            end,
            around: Around::Module,
            module: self.place.module.clone(),
            inline: Vec::new(),
            chain: Vec::new(),
            public: self.place.library,
            test_only: false,
            conditions: Vec::new(),
            signature: 0,
            unit: None,
            implementation: None,
            members: 0,
            tokens: 0,
        });
        let mut at = self.enter_module(0);
        while let Some(scope) = self.scopes.last() {
            if at < scope.end && self.fault.is_none() {
                at = self.item(at);
            } else {
                at = scope.end + 1;
                self.leave();
            }
        }
    }

    pub(super) fn scope(&self) -> &Scope {
        self.scopes.last().expect("items are walked inside of a scope")
    }

    /// Reads the inner attributes and inner docs of the module that begins here.
    fn enter_module(&mut self, at: usize) -> usize {
        self.attributes.clear();
        let view = self.view;
        let mut next = at;
        while view.sign(next, b'#') && view.sign(next + 1, b'!') && view.sign(next + 2, b'[') {
            // One at a time: an outer attribute behind belongs to the first item.
            next = self.attributes.read(view, next, next + 1);
        }
        let mut conditions = self.attributes.conditions(view);
        let test_only = self.attributes.test_only(view);
        let hidden = self.attributes.hidden(view);
        let scope = self.scopes.last_mut().expect("the module was just entered");
        let name = scope.module.rsplit("::").next().unwrap_or_default();
        for condition in &mut conditions {
            condition.inherited_from = Some(format!("mod {name}"));
        }
        scope.conditions.extend(conditions);
        scope.test_only |= test_only;
        scope.public &= !test_only && !hidden;
        self.module_doctests(at, next);
        next
    }

    /// Enters a nested scope; members are walked next.
    pub(super) fn enter(&mut self, open: usize, around: Around, change: impl FnOnce(&mut Scope)) {
        let outer = self.scope();
        let mut scope = Scope {
            end: self.view.mate(open),
            around,
            module: outer.module.clone(),
            inline: outer.inline.clone(),
            chain: outer.chain.clone(),
            public: outer.public,
            test_only: outer.test_only,
            conditions: outer.conditions.clone(),
            signature: 0,
            unit: None,
            implementation: None,
            members: 0,
            tokens: 0,
        };
        change(&mut scope);
        let cost = scope.module.len()
            + scope.inline.iter().map(Vec::len).sum::<usize>()
            + scope.conditions.iter().map(mark_cost).sum::<usize>();
        self.spend(cost);
        self.scopes.push(scope);
    }

    /// Leaves a scope; an inline module is hashed as the sum of its members.
    fn leave(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        if let Some(implementation) = scope.implementation {
            self.implementations[implementation].units.end = self.out.units.len();
        }
        let Some(index) = scope.unit else {
            if let Some(outer) = self.scopes.last_mut() {
                outer.members = outer.members.wrapping_add(scope.members);
                outer.tokens = outer.tokens.saturating_add(scope.tokens);
            }
            return;
        };
        let unit = &mut self.out.units[index];
        if let Some(body) = &mut unit.body {
            body.hash = scope.members;
            body.hash_without_name = scope.members;
        }
        let name = hash::token(unit.segment.name.as_bytes());
        if let Some(outer) = self.scopes.last_mut() {
            outer.members = outer.members.wrapping_add(hash::join(&[name, scope.members]));
        }
    }

    /// Adds to what was copied; over the allowance the file counts as nested too deep.
    pub(super) fn spend(&mut self, bytes: usize) {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > self.allowance {
            self.fault = Some(UnmeasuredReason::TooDeep);
        }
    }

    /// Adds a unit, and returns its index.
    pub(super) fn push(&mut self, mut draft: Draft) -> usize {
        let nested = self.scopes.len() > 1;
        let scope = self
            .scopes
            .last_mut()
            .expect("items are walked inside of a scope");
        // Modules are entered by their unit, and whether there are tests decides about a macro call.
        let member = !scope.chain.is_empty() || !draft.below.is_empty();
        if self.names_only && member && draft.unit.segment.kind != "mod" && draft.unit.role != Role::Test {
            return self.out.units.len();
        }
        // Changed in place: units are large, and there are many.
        let unit = &mut draft.unit;
        // Only inline modules are hashed by their members.
        if nested {
            let (body, tokens) = unit.body.as_ref().map_or((0, 0), |body| (body.hash, body.tokens));
            let name = hash::token(unit.segment.name.as_bytes());
            let kind = hash::token(unit.segment.kind.as_bytes());
            let member = hash::join(&[kind, name, unit.signature, unit.value, body]);
            scope.members = scope.members.wrapping_add(member);
            scope.tokens = scope.tokens.saturating_add(1 + tokens);
        }
        if let Some(module) = draft.module {
            unit.module = module;
        } else {
            unit.module.clone_from(&scope.module);
            unit.chain.clone_from(&scope.chain);
        }
        if unit.chain.is_empty() {
            unit.chain = draft.below;
        } else {
            unit.chain.extend(draft.below);
        }
        if draft.public {
            unit.visibility = Visibility::Public;
        }
        let marks = &unit.marks;
        let cost = unit.module.len()
            + unit.chain.iter().map(|segment| segment.name.len()).sum::<usize>()
            + unit.text.len()
            + [&marks.disabled, &marks.conditional, &marks.expected_fail]
                .into_iter()
                .flatten()
                .map(mark_cost)
                .sum::<usize>();
        let lines = self.view.lines();
        let last = unit.bytes.end.max(unit.bytes.start + 1) - 1;
        unit.lines = (lines.line(unit.bytes.start), lines.line(last));
        self.out.units.push(draft.unit);
        self.spend(cost);
        self.out.units.len() - 1
    }

    /// Reads the item that begins here, and returns where to go on: behind it, or inside.
    fn item(&mut self, first: usize) -> usize {
        let view = self.view;
        let end = self.scope().end;
        self.attributes.clear();
        let begin = self.attributes.read(view, first, end);
        let (marked, modifiers) = visibility(view, begin);
        let keyword = after_modifiers(view, modifiers, end);
        let head = Head {
            first,
            begin,
            modifiers,
            keyword,
            marked,
            end,
        };
        if keyword >= end {
            return end;
        }
        if !view.word(keyword) {
            // Not an item: a stray `;`, a path that begins with `::`, a block.
            return if view.path_sign(keyword) {
                keyword + 2
            } else {
                view.next(keyword).max(first + 1)
            };
        }
        // Members are functions, constants and types; anything else there is no Rust.
        let members = !matches!(self.scope().around, Around::Module | Around::Macro);
        let next = match view.text(keyword) {
            b"struct" | b"union" | b"enum" | b"trait" | b"impl" | b"mod" | b"use" | b"extern"
            | b"macro_rules"
                if members =>
            {
                keyword + 1
            }
            b"fn" => self.function(&head),
            b"struct" => self.structure(&head, "struct"),
            b"union" if view.word(keyword + 1) => self.structure(&head, "union"),
            b"enum" => self.enumeration(&head),
            b"trait" => self.trait_(&head),
            b"impl" => self.implementation(&head),
            b"type" => self.alias(&head),
            b"const" | b"static" => self.constant(&head),
            b"mod" => self.module(&head),
            b"use" => self.import(&head),
            b"extern" => self.external(&head),
            b"macro_rules" if view.sign(keyword + 1, b'!') => self.macro_rules(&head),
            b"macro" if view.word(keyword + 1) => self.macro_item(&head),
            _ => self.macro_call(&head),
        };
        next.max(first + 1)
    }

    /// Whether an item here is public when it says so itself.
    pub(super) fn public(&self, marked: bool) -> bool {
        let scope = self.scope();
        let marked = match scope.around {
            Around::Trait => true,
            Around::TraitImpl | Around::Macro => false,
            Around::Module | Around::Inherent | Around::Extern => marked,
        };
        marked && scope.public && !self.attributes.hidden(self.view) && !self.attributes.test_only(self.view)
    }

    /// `mod name { … }` and `mod name;`
    pub(super) fn module(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        let open = name_at + 1;
        if !view.word(name_at) || !(view.sign(open, b'{') || view.sign(open, b';')) {
            return name_at;
        }
        let public = self.public(head.marked);
        let name = view.name(name_at);
        let close = view.mate(open);
        let mut draft = Draft::new("mod", name.clone(), view.bytes(&(head.first..close + 1)));
        draft.unit.role = Role::Container;
        draft.public = public;
        draft.unit.text = self.text(head, open);
        draft.unit.signature = self.attributes.signature(view);
        let conditions = self.attributes.conditions(view);
        draft.unit.marks.conditional.clone_from(&conditions);
        let test_only = self.attributes.test_only(view);
        if view.sign(open, b';') {
            self.push_submodule(head, name_at, public, &conditions);
            self.push(draft);
            self.doctests(head, "mod", &name);
            return open + 1;
        }
        draft.unit.body = Some(Body {
            bytes: view.bytes(&(open..close + 1)),
            hash: 0,
            hash_without_name: 0,
            tokens: small(close - open - 1),
        });
        let unit = self.push(draft);
        self.doctests(head, "mod", &name);
        // The members are added to the sum when the module is left; without them it is no part of it.
        let raw = view.text(name_at).to_vec();
        self.enter(open, Around::Module, |scope| {
            scope.module.push_str("::");
            scope.module.push_str(&name);
            scope.inline.push(raw);
            scope.chain.clear();
            scope.public = public;
            scope.test_only |= test_only;
            scope.unit = Some(unit);
            scope.conditions.extend(conditions.into_iter().map(|mut mark| {
                mark.inherited_from = Some(format!("mod {name}"));
                mark
            }));
        });
        self.enter_module(open + 1)
    }

    fn push_submodule(&mut self, head: &Head, name_at: usize, public: bool, conditions: &[Mark]) {
        let view = self.view;
        let scope = self.scope();
        let inline: Vec<&[u8]> = scope.inline.iter().map(Vec::as_slice).collect();
        let path = self
            .attributes
            .named(view, b"path")
            .find_map(|attribute| text_value(view, attribute.arguments(view)));
        let files = match path {
            Some(path) => vec![self.place.attribute_file(&inline, &path)],
            None => self.place.child_files(&inline, view.text(name_at)),
        };
        let module = Place::of(&files[0], Some(&self.place.package)).module;
        let cost = files.iter().map(Vec::len).sum::<usize>() + module.len();
        self.out.submodules.push(Submodule {
            module,
            files,
            visibility: if public {
                Visibility::Public
            } else {
                Visibility::Narrow
            },
            marks: Marks {
                conditional: conditions.to_vec(),
                ..Marks::default()
            },
            line: view.line(head.first),
        });
        self.spend(cost + conditions.iter().map(mark_cost).sum::<usize>());
    }

    /// The declaration as text, from its relevant attributes to the token in front of `until`.
    pub(super) fn text(&self, head: &Head, until: usize) -> String {
        if self.names_only {
            return String::new();
        }
        let mut text = self.attributes.shown(self.view);
        let declaration = self.view.shown(head.begin..until);
        if text.is_empty() {
            return declaration;
        }
        text.push_str(&declaration);
        crate::structure::lexer::lines::truncate(&mut text);
        text
    }
}

fn mark_cost(mark: &Mark) -> usize {
    mark.text.len() + mark.inherited_from.as_ref().map_or(0, String::len)
}
