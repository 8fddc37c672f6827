//! Goes through the statements of a module and its classes, and takes what they define.

use std::collections::HashMap;

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::Kind;
use crate::structure::lexer::hash;
use crate::structure::outline::{Body, FileOutline, Mark, Marks, Role, Segment, Unit, Visibility};

use super::decorator::Decorator;
use super::exports::Exports;
use super::place::Place;
use super::rows::Row;
use super::string::Literal;
use super::view::View;

/// Deepest nesting of classes; Python itself refuses more blocks than this.
pub(super) const MAX_CLASSES: usize = 100;

/// Marks that a test inherits from all around it.
pub(super) const MAX_INHERITED: usize = 8;

/// Words that open a block in which names are defined as around it.
const HEADS: [&[u8]; 9] = [
    b"if", b"elif", b"else", b"try", b"except", b"finally", b"with", b"for", b"while",
];

/// What the statements are looked at for.
pub(super) struct Walk<'v, 'a> {
    pub(super) view: &'v View<'a>,
    pub(super) place: &'v Place,
    /// Doc examples are tests.
    pub(super) doctests: bool,
    pub(super) out: FileOutline,
    pub(super) fault: Option<UnmeasuredReason>,
    pub(super) scopes: Vec<Scope>,
    /// The decorators of the definition that follows.
    pub(super) decorators: Vec<Decorator>,
    pub(super) exports: Exports,
    /// Marks that the module puts on all of its tests.
    pub(super) module_marks: Marks,
    /// Fixtures of this file with their literal parameters; `None` where these are not literal.
    pub(super) fixtures: HashMap<&'a [u8], Option<Vec<u64>>>,
    /// For tests that are functions: the names of their parameters.
    pub(super) wants: Vec<(usize, Vec<&'a [u8]>)>,
    /// Variables of each class (or of the module), with the last block that assigns them.
    pub(super) variables: HashMap<(Option<usize>, &'a [u8]), Assigned>,
    /// For each depth of blocks, whether the last head of a block there was an `if` or `elif`.
    branches: Vec<bool>,
    /// Bytes that were copied for units inside of others: names of classes, marks.
    copied: usize,
}

/// Where a variable was assigned.
#[derive(Clone, Copy)]
pub(super) struct Assigned {
    /// The last row.
    pub(super) row: usize,
    /// The end of the block that reaches farthest.
    pub(super) end: usize,
}

/// A block whose statements are looked at.
pub(super) struct Scope {
    pub(super) inside: Inside,
    /// Its first row.
    pub(super) start: usize,
    /// The first row behind it.
    pub(super) end: usize,
}

/// What a block is.
pub(super) enum Inside {
    /// The body of a class.
    Class(Class),
    /// `if`, `try`, `with`, a loop: names are defined as around it.
    Arm {
        /// The condition, for `if` and what belongs to it.
        condition: Option<Mark>,
        /// Assignments here are steps of a computation.
        repeated: bool,
        /// Runs only when the file is a program of its own.
        main: bool,
    },
}

/// A class that is open.
pub(super) struct Class {
    /// Its unit.
    pub(super) unit: usize,
    /// Its methods `test*` are tests.
    pub(super) tests: bool,
    /// Others implement it: a protocol.
    pub(super) is_protocol: bool,
    /// Marks for each test in it.
    pub(super) marks: Marks,
}

impl<'v, 'a> Walk<'v, 'a> {
    /// Nothing looked at yet.
    pub(super) fn new(view: &'v View<'a>, place: &'v Place, doctests: bool) -> Self {
        Self {
            view,
            place,
            doctests,
            out: FileOutline {
                module: place.module.clone(),
                ..FileOutline::default()
            },
            fault: None,
            scopes: Vec::new(),
            decorators: Vec::new(),
            exports: Exports::default(),
            module_marks: Marks::default(),
            fixtures: HashMap::new(),
            wants: Vec::new(),
            variables: HashMap::new(),
            branches: Vec::new(),
            copied: 0,
        }
    }

    /// Looks at all statements.
    pub(super) fn run(&mut self) {
        self.module_doctests();
        let rows = self.view.rows.len();
        let mut at = 0;
        while at < rows && self.fault.is_none() {
            while self.scopes.last().is_some_and(|scope| scope.end <= at) {
                self.leave();
            }
            at = self.row(at).max(at + 1);
        }
        while !self.scopes.is_empty() {
            self.leave();
        }
        self.finish();
    }

    /// Looks at one row; answers which is next.
    fn row(&mut self, number: usize) -> usize {
        let view = self.view;
        let row = view.rows[number];
        let (first, end) = (row.first as usize, row.end as usize);
        if view.sign(first, b'@') {
            self.decorators.push(Decorator::of(view, first + 1..end));
            return number + 1;
        }
        let definition = first + usize::from(view.is(first, b"async"));
        if view.is(definition, b"def") && view.word(definition + 1) {
            self.function(number, definition);
            return row.after as usize;
        }
        if view.is(first, b"class") && view.word(first + 1) {
            self.class(number);
            return number + 1;
        }
        self.decorators.clear();
        let head = first + usize::from(view.is(first, b"async"));
        let is_head = view.word(head) && HEADS.contains(&view.text(head));
        let has_block = row.after as usize > number + 1;
        if !is_head && !has_block {
            self.statements(first..end, number);
            return number + 1;
        }
        let colon = if has_block {
            end - 1
        } else {
            view.colon(head + 1, end)
        };
        let inside = self.arm(number, head, first..colon, is_head);
        self.scopes.push(Scope {
            inside,
            start: number,
            end: if has_block { row.after as usize } else { number + 1 },
        });
        if !has_block {
            self.statements(colon + 1..end, number);
        }
        number + 1
    }

    /// The block that begins with the word at `head`.
    fn arm(&mut self, number: usize, head: usize, range: std::ops::Range<usize>, known: bool) -> Inside {
        let view = self.view;
        let word = view.text(head);
        // The `else` of a loop or of `try` is no condition.
        let level = self.view.rows[number].level as usize;
        self.branches.resize(level + 1, false);
        match word {
            b"if" | b"elif" => self.branches[level] = true,
            b"else" | b"except" | b"finally" => {}
            _ => self.branches[level] = false,
        }
        let conditional = matches!(word, b"if" | b"elif" | b"else") && self.branches[level];
        let is_main = view.is(head, b"if")
            && view.is(head + 1, b"__name__")
            && (head..range.end).any(|at| {
                view.kind(at) == Some(Kind::Text) && Literal::of(view.text(at)).content == b"__main__"
            });
        Inside::Arm {
            condition: (conditional && self.place.is_test_file).then(|| Mark {
                line: view.line(head),
                text: view.shown(range),
                specific: false,
                inherited_from: None,
            }),
            repeated: !known || matches!(word, b"for" | b"while"),
            main: is_main,
        }
    }

    /// Counts bytes that are copied for one more unit. Far more of them than the file has are a sign of hostility.
    pub(super) fn copies(&mut self, bytes: usize) {
        self.copied = self.copied.saturating_add(bytes);
        if self.copied > self.view.source.len().saturating_mul(16).saturating_add(1 << 20) {
            self.fault = Some(UnmeasuredReason::TooDeep);
        }
    }

    /// The class around, if any.
    pub(super) fn class_around(&self) -> Option<&Class> {
        self.scopes.iter().rev().find_map(|scope| match &scope.inside {
            Inside::Class(class) => Some(class),
            Inside::Arm { .. } => None,
        })
    }

    /// The class around, if any, to be changed.
    pub(super) fn class_around_mut(&mut self) -> Option<&mut Class> {
        self.scopes
            .iter_mut()
            .rev()
            .find_map(|scope| match &mut scope.inside {
                Inside::Class(class) => Some(class),
                Inside::Arm { .. } => None,
            })
    }

    /// The blocks around up to the nearest class, from inside.
    fn arms(&self) -> impl Iterator<Item = &Scope> {
        let scopes = self.scopes.iter().rev();
        scopes.take_while(|scope| matches!(scope.inside, Inside::Arm { .. }))
    }

    /// Whether what stands here is run again and again, or only when the file is a program.
    pub(super) fn is_passing(&self) -> bool {
        self.arms()
            .any(|scope| matches!(scope.inside, Inside::Arm { repeated, main, .. } if repeated || main))
    }

    /// Whether what stands here is there only when the file is a program of its own.
    pub(super) fn is_main(&self) -> bool {
        self.scopes
            .iter()
            .any(|scope| matches!(scope.inside, Inside::Arm { main: true, .. }))
    }

    /// The conditions around, from outside, those of classes included.
    pub(super) fn conditions(&self) -> Vec<Mark> {
        let all = self.scopes.iter().rev().filter_map(|scope| match &scope.inside {
            Inside::Arm {
                condition: Some(condition),
                ..
            } => Some(condition.clone()),
            _ => None,
        });
        let mut conditions: Vec<_> = all.take(MAX_INHERITED).collect();
        conditions.reverse();
        conditions
    }

    /// The containers around, from outside.
    pub(super) fn chain(&self) -> Vec<Segment> {
        let Some(class) = self.class_around() else {
            return Vec::new();
        };
        let unit = &self.out.units[class.unit];
        let mut chain = Vec::with_capacity(unit.chain.len() + 1);
        chain.extend_from_slice(&unit.chain);
        chain.push(unit.segment.clone());
        chain
    }

    /// The rows of the innermost block, from its head on; those of the module have no end.
    pub(super) fn block(&self) -> (usize, usize) {
        self.scopes
            .last()
            .map_or((0, usize::MAX), |scope| (scope.start, scope.end))
    }

    /// Closes the innermost block: marks of a class go to its tests.
    fn leave(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        if let Inside::Class(class) = scope.inside {
            let segment = &self.out.units[class.unit].segment;
            let from = format!("{} {}", segment.kind, segment.name);
            self.inherit(class.unit + 1, &class.marks, &from);
        }
    }

    /// Gives marks to all tests from a unit on.
    pub(super) fn inherit(&mut self, from: usize, marks: &Marks, name: &str) {
        let nothing = marks.disabled.is_empty() && marks.expected_fail.is_empty() && marks.rows.is_none();
        if nothing {
            return;
        }
        let size = |marks: &[Mark]| -> usize { marks.iter().map(|mark| mark.text.len() + name.len()).sum() };
        let bytes =
            size(&marks.disabled) + size(&marks.expected_fail) + 8 * marks.rows.as_ref().map_or(0, Vec::len);
        for at in from..self.out.units.len() {
            if self.out.units[at].role != Role::Test {
                continue;
            }
            self.copies(bytes);
            if self.fault.is_some() {
                return;
            }
            let unit = &mut self.out.units[at];
            let inherit = |own: &mut Vec<Mark>, outer: &[Mark]| {
                let room = MAX_INHERITED.saturating_sub(own.len());
                own.extend(outer.iter().take(room).map(|mark| Mark {
                    inherited_from: Some(name.to_owned()),
                    ..mark.clone()
                }));
            };
            inherit(&mut unit.marks.disabled, &marks.disabled);
            inherit(&mut unit.marks.expected_fail, &marks.expected_fail);
            if let Some(rows) = &marks.rows {
                unit.marks.rows.get_or_insert_default().extend(rows);
            }
        }
    }

    /// The rows of the block below a row, or nothing when it stands on the line itself.
    pub(super) fn block_below(&self, number: usize) -> &'v [Row] {
        let row = &self.view.rows[number];
        self.view
            .rows
            .get(number + 1..row.after as usize)
            .unwrap_or_default()
    }

    /// The body of a definition whose head ends at `colon`.
    pub(super) fn body(&self, number: usize, colon: usize, name: usize) -> Body {
        let view = self.view;
        let own = Some(hash::token(view.text(name)));
        let row = view.rows[number];
        let block = self.block_below(number);
        let (hashed, bytes) = if let (Some(first), Some(last)) = (block.first(), block.last()) {
            let start = view.start(first.first as usize);
            // From the start of its line, so that the indentation can be told.
            let above = memchr::memrchr2(b'\n', b'\r', &view.source[..start]);
            let start = above.map_or(0, |above| above + 1);
            (view.hash_rows(block, own), start..view.end(last.end as usize - 1))
        } else {
            let suite = (colon + 1).min(row.end as usize)..row.end as usize;
            let end = view.end(row.end as usize - 1);
            let start = view.start(suite.start).min(end);
            (view.hash_suite(suite, own), start..end)
        };
        Body {
            bytes,
            hash: hashed.plain,
            hash_without_name: hashed.without_name,
            tokens: hashed.tokens,
        }
    }

    /// The last token of the block below a row, or of the row.
    pub(super) fn last_token(&self, number: usize) -> usize {
        let last = self.block_below(number).last().unwrap_or(&self.view.rows[number]);
        last.end as usize - 1
    }

    /// A unit over a range of tokens, everything else left open.
    pub(super) fn unit(&self, kind: &'static str, name: String, tokens: std::ops::Range<usize>) -> Unit {
        let view = self.view;
        let last = tokens.end.saturating_sub(1).max(tokens.start);
        Unit {
            module: self.place.module.clone(),
            chain: self.chain(),
            segment: Segment { kind, name },
            role: Role::Symbol,
            visibility: Visibility::Narrow,
            bytes: view.start(tokens.start)..view.end(last).max(view.start(tokens.start)),
            lines: (view.line(tokens.start), view.last_line(last)),
            text: String::new(),
            signature: 0,
            value: 0,
            body: None,
            member_of: None,
            required: false,
            marks: Marks::default(),
        }
    }
}
