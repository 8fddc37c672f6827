//! Walks through the statements of a file or namespace.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::Kind;
use crate::structure::lexer::hash;
use crate::structure::outline::{Body, FileOutline, Marks, Role, Segment, Unit, Visibility};

use super::signature::{Signature, skip_decorators};
use super::view::View;

/// Namespaces and blocks nested deeper than this are not looked into.
pub(super) const MAX_DEPTH: usize = 64;

/// What is known of a unit besides the unit.
#[derive(Clone, Copy)]
pub(super) struct Meta {
    /// The index behind its last member.
    pub(super) end: usize,
    /// Its name here is one that users know.
    pub(super) exported: bool,
    /// It stands behind its overloads, and is none itself.
    pub(super) dropped: bool,
}

/// A name of an export list, or of an assignment to `exports`.
pub(super) struct Listed {
    /// The name of the declaration.
    pub(super) local: String,
    /// The name that users know.
    pub(super) name: String,
    /// Where it is listed.
    pub(super) tokens: Range<usize>,
}

/// The statements of a file or namespace.
pub(super) struct Scope {
    /// What they stand in.
    pub(super) chain: Vec<Segment>,
    /// Every declaration is exported, whether it says so or not.
    pub(super) ambient: bool,
    /// Names that it gets from elsewhere, and from where.
    pub(super) imported: HashMap<String, String>,
    /// Names that are exported by a list.
    pub(super) listed: Vec<Listed>,
    /// The index of its first unit.
    pub(super) first: usize,
    /// How many namespaces and blocks it stands in.
    pub(super) depth: usize,
}

/// How a declaration is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Export {
    /// Not by itself.
    No,
    /// Under its name.
    Named,
    /// As `default`.
    Default,
}

/// What is declared.
pub(super) struct Declared {
    pub(super) kind: &'static str,
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) visibility: Visibility,
    /// All of its tokens.
    pub(super) tokens: Range<usize>,
    /// The tokens that are shown.
    pub(super) head: Range<usize>,
    pub(super) signature: Signature,
    pub(super) body: Option<Range<usize>>,
    pub(super) required: bool,
}

/// Goes through a file.
pub(super) struct Walk<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) path: &'a [u8],
    pub(super) out: FileOutline,
    pub(super) metas: Vec<Meta>,
    /// Names that were assigned to `exports`.
    pub(super) assigned: HashSet<String>,
    pub(super) fault: Option<UnmeasuredReason>,
}

impl<'v, 'a> Walk<'v, 'a> {
    /// Nothing taken yet.
    pub(super) fn new(view: &'v View<'a>, path: &'a [u8], module: String) -> Self {
        Self {
            view,
            path,
            out: FileOutline {
                module,
                ..FileOutline::default()
            },
            metas: Vec::new(),
            assigned: HashSet::new(),
            fault: None,
        }
    }

    /// Takes the declarations of the whole file.
    pub(super) fn run(&mut self) {
        self.scope(0..self.view.len(), Vec::new(), false, 0);
        self.finish();
    }

    /// Takes the statements of a file or namespace.
    pub(super) fn scope(&mut self, range: Range<usize>, chain: Vec<Segment>, ambient: bool, depth: usize) {
        if depth > MAX_DEPTH {
            self.fault = Some(UnmeasuredReason::TooDeep);
            return;
        }
        let mut scope = Scope {
            chain,
            ambient,
            imported: HashMap::new(),
            listed: Vec::new(),
            first: self.out.units.len(),
            depth,
        };
        self.statements(range, &mut scope, false);
        self.drop_implementations(scope.first);
        self.resolve(scope);
    }

    fn statements(&mut self, range: Range<usize>, scope: &mut Scope, block: bool) {
        let mut at = range.start;
        while at < range.end {
            at = self.statement(at, range.end, scope, block).max(at + 1);
        }
    }

    /// Takes the statement that begins here; in a block only what it assigns to `exports`.
    fn statement(&mut self, start: usize, end: usize, scope: &mut Scope, block: bool) -> usize {
        let view = self.view;
        let at = skip_decorators(view, start, end);
        if view.word(at) && !block {
            let taken = match view.text(at) {
                b"export" => self.export(start, at, end, scope),
                b"import" if !view.opens(at + 1, b'(') && !view.sign(at + 1, b'.') => {
                    self.import(at, end, scope)
                }
                _ => {
                    let export = if scope.ambient { Export::Named } else { Export::No };
                    self.declaration(start..at, end, scope, export)
                }
            };
            if let Some(next) = taken {
                return next;
            }
        }
        if let Some(next) = self.commonjs(at, end, scope) {
            return next;
        }
        self.other(at, end, scope)
    }

    /// Any other statement: blocks are looked into, expressions are skipped.
    fn other(&mut self, at: usize, end: usize, scope: &mut Scope) -> usize {
        let view = self.view;
        if view.opens(at, b'{') {
            if scope.depth < MAX_DEPTH {
                scope.depth += 1;
                self.statements(view.inside(at), scope, true);
                scope.depth -= 1;
            }
            return view.next(at);
        }
        if view.word(at) && matches!(view.text(at), b"if" | b"while" | b"for" | b"switch" | b"with") {
            // The statement behind the head stands on its own.
            let mut next = at + 1;
            if view.is(next, b"await") {
                next += 1;
            }
            if view.opens(next, b'(') {
                return view.next(next);
            }
        }
        if view.word(at) && matches!(view.text(at), b"else" | b"try" | b"finally" | b"do" | b"catch") {
            let next = at + 1;
            return if view.opens(next, b'(') {
                view.next(next)
            } else {
                next
            };
        }
        let stop = view.expression(at, end);
        stop + usize::from(view.sign(stop, b';') || view.sign(stop, b','))
    }

    /// Takes the declaration whose first keyword stands at the end of `lead`; `None` if there is none.
    pub(super) fn declaration(
        &mut self,
        lead: Range<usize>,
        end: usize,
        scope: &mut Scope,
        export: Export,
    ) -> Option<usize> {
        let view = self.view;
        let mut at = lead.end;
        // In a file of declarations everything is ambient.
        let declarations = super::place::is_declarations(self.path);
        let (mut is_async, mut is_abstract, mut is_ambient) = (false, false, scope.ambient || declarations);
        loop {
            let follows = view.word(at + 1) && !view.on_new_line(at + 1);
            match view.text(at) {
                b"declare" if follows => is_ambient = true,
                b"abstract" if follows && view.is(at + 1, b"class") => is_abstract = true,
                b"async" if follows && view.is(at + 1, b"function") => is_async = true,
                _ => break,
            }
            at += 1;
        }
        let start = lead.start;
        let named = view.word(at + 1) && !view.on_new_line(at + 1);
        match view.text(at) {
            b"function" => self.function(start, at, end, (scope, export, is_async)),
            b"class" if view.word(at + 1) || view.opens(at + 1, b'{') => {
                self.class(start, at, end, (scope, export, is_abstract))
            }
            b"interface" if named => self.interface(start, at, end, (scope, export)),
            b"type" if named && (view.sign(at + 2, b'=') || view.sign(at + 2, b'<')) => {
                self.alias(start, at, end, (scope, export))
            }
            b"enum" if named => self.enumeration(start, at, end, (scope, export)),
            b"const" if view.is(at + 1, b"enum") => self.enumeration(start, at + 1, end, (scope, export)),
            b"const" | b"let" | b"var" if view.word(at + 1) || view.is_open(at + 1) => {
                Some(self.variables(start, at, end, (scope, export)))
            }
            b"namespace" | b"module" if named || view.kind(at + 1) == Some(Kind::Text) => {
                self.namespace(start, at, (scope, export), is_ambient)
            }
            b"global" if is_ambient && view.opens(at + 1, b'{') => {
                self.namespace(start, at - 1, (scope, Export::Named), true)
            }
            _ => None,
        }
    }

    /// Adds a unit; answers its index.
    pub(super) fn add(&mut self, chain: &[Segment], declared: Declared, export: Export) -> usize {
        let view = self.view;
        let own = hash::token(declared.name.as_bytes());
        let (signature, value) = declared.signature.finish();
        let last = declared.tokens.end.max(declared.tokens.start + 1) - 1;
        let body = declared.body.map(|body| {
            let hashed = view.hash_range(body.clone(), Some(own));
            // The delimiters around a body belong to it, but are not among its tokens.
            let braces =
                body.start > 0 && view.opens(body.start - 1, b'{') && view.mate(body.start - 1) == body.end;
            let around = if braces {
                body.start - 1..body.end + 1
            } else {
                body
            };
            Body {
                bytes: view.bytes(&around),
                hash: hashed.plain,
                hash_without_name: hashed.without_name,
                tokens: hashed.tokens,
            }
        });
        self.out.units.push(Unit {
            module: self.out.module.clone(),
            chain: chain.to_vec(),
            segment: Segment {
                kind: declared.kind,
                name: declared.name,
            },
            role: declared.role,
            visibility: declared.visibility,
            bytes: view.bytes(&declared.tokens),
            lines: (
                view.line(declared.tokens.start),
                view.lines().line(view.end(last).saturating_sub(1)),
            ),
            text: view.shown(declared.head),
            signature,
            value,
            body,
            member_of: None,
            required: declared.required,
            marks: Marks::default(),
        });
        self.metas.push(Meta {
            end: self.out.units.len(),
            exported: export != Export::No,
            dropped: false,
        });
        self.out.units.len() - 1
    }
}

impl Declared {
    /// A declaration without places yet.
    pub(super) fn new(
        kind: &'static str,
        role: Role,
        name: String,
        export: Export,
        signature: Signature,
        body: Option<Range<usize>>,
    ) -> Self {
        Self {
            kind,
            role,
            name: if export == Export::Default {
                "default".to_owned()
            } else {
                name
            },
            visibility: if export == Export::No {
                Visibility::Narrow
            } else {
                Visibility::Public
            },
            tokens: 0..0,
            head: 0..0,
            signature,
            body,
            required: false,
        }
    }
}
