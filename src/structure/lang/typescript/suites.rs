//! Suites and tests: calls of the functions of a test runner, wherever they stand in a file.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash;
use crate::structure::outline::{Body, Mark, Marks, Role, Segment, Unit, Visibility};

use super::body::after_dot;
use super::callable::{Callable, callable};
use super::runner::{
    BodyMark, Call, What, body_mark, callback, handle, handle_call, mark, named_call, options, statement_end,
    what_is,
};
use super::title::title;
use super::view::View;

/// Suites nested deeper than this are not told apart.
const MAX_SUITES: usize = 64;

/// What the current token stands in.
struct Around {
    end: usize,
    kind: Inside,
}

enum Inside {
    /// A suite: its segment is in the chain.
    Suite,
    /// A test: its segment is in the chain; the name of the handle that it was given.
    Test(Vec<u8>),
    /// What stands behind a condition, from this token on.
    Condition(usize),
}

/// Takes the suites and tests of a file; `collected` tells whether a runner sees them.
pub(super) fn take(view: &View<'_>, module: &str, collected: bool) -> Vec<Unit> {
    Suites {
        view,
        module,
        collected,
        units: Vec::new(),
        around: Vec::new(),
        chain: Vec::new(),
        inherited: vec![Marks::default()],
    }
    .run()
}

struct Suites<'v, 'a> {
    view: &'v View<'a>,
    module: &'v str,
    collected: bool,
    units: Vec<Unit>,
    around: Vec<Around>,
    chain: Vec<Segment>,
    /// The marks that tests inherit, for each thing around the current token, and for the file.
    inherited: Vec<Marks>,
}

impl Suites<'_, '_> {
    fn run(mut self) -> Vec<Unit> {
        let view = self.view;
        let mut at = 0;
        while at < view.len() {
            while self.around.last().is_some_and(|around| around.end <= at) {
                self.leave();
            }
            at = self.step(at);
        }
        while !self.around.is_empty() {
            self.leave();
        }
        self.units
    }

    fn leave(&mut self) {
        self.inherited.pop();
        if let Some(around) = self.around.pop()
            && !matches!(around.kind, Inside::Condition(_))
        {
            self.chain.pop();
        }
    }

    /// Looks at one token; answers the next one to look at.
    fn step(&mut self, at: usize) -> usize {
        let view = self.view;
        if view.opens(at, b'(') {
            // `(condition ? it : it.skip)('…', …)`
            if let Some(call) = self.chosen(at) {
                return self.enter(call);
            }
            return at + 1;
        }
        if !view.word(at) {
            return at + 1;
        }
        if view.is(at, b"if") && !after_dot(view, at) && view.opens(at + 1, b'(') {
            return self.condition(at);
        }
        if view.is(at, b"else") && !view.is(at + 1, b"if") {
            self.enter_condition(at..at + 1);
            return at + 1;
        }
        let inside_test = match self.around.last() {
            Some(Around {
                kind: Inside::Test(handle),
                ..
            }) => Some(handle.as_slice()),
            _ => None,
        };
        if let Some(mark) = body_mark(view, at, inside_test.is_some()) {
            self.mark_around(mark);
            return at + 1;
        }
        let nested = inside_test.is_some_and(|handle| view.text(at) == handle)
            || (inside_test.is_some() && view.is(at, b"t"));
        let found = if nested {
            handle_call(view, at)
        } else if inside_test.is_some() {
            None
        } else {
            named_call(view, at)
        };
        if let Some(call) = found
            && self.declares(&call)
        {
            return self.enter(call);
        }
        if inside_test.is_none() && !self.chain.is_empty() {
            self.helper(at);
        }
        at + 1
    }

    /// Whether the arguments of a call are those of a declaration: a title, or a function behind something else.
    fn declares(&self, call: &Call) -> bool {
        let view = self.view;
        let first = call.open + 1;
        match view.kind(first) {
            Some(Kind::Text) => true,
            Some(Kind::Open) if view.opens(first, b'`') => true,
            _ => callback(view, call.open).is_some(),
        }
    }

    /// `(condition ? it : it.skip)`: the first name in parentheses that are called.
    fn chosen(&self, open: usize) -> Option<Call> {
        let view = self.view;
        let inside = view.inside(open);
        let question = (inside.start..inside.end.min(inside.start + 32)).find(|at| view.sign(*at, b'?'))?;
        let after = view.next(open);
        if !view.opens(after, b'(') || open > 0 && (view.word(open - 1) || view.closes(open - 1)) {
            return None;
        }
        let what = what_is(view.text(question + 1))?;
        let mut marks = Marks::default();
        marks.conditional.push(mark(view, open..after));
        let call = Call {
            what,
            open: after,
            start: open,
            marks,
        };
        self.declares(&call).then_some(call)
    }

    /// Adds the unit of a call; answers the token where its body begins, or the place behind it.
    fn enter(&mut self, call: Call) -> usize {
        let view = self.view;
        let end = view.next(call.open);
        let arguments = view.parts(view.inside(call.open));
        let name = arguments
            .first()
            .map_or_else(|| "=".to_owned(), |first| title(view, first.clone()));
        let function = callback(view, call.open);
        let mut marks = call.marks;
        options(view, &arguments, &mut marks);
        if function.is_none() && call.what == What::Test && arguments.len() < 2 {
            marks.disabled.push(mark(view, call.start..end));
        }
        let inherited = self.inherited.last().cloned().unwrap_or_default();
        let segment = Segment {
            kind: if call.what == What::Test { "test" } else { "suite" },
            name,
        };
        let own = Marks {
            disabled: joined(&marks.disabled, &inherited.disabled),
            conditional: joined(&marks.conditional, &inherited.conditional),
            expected_fail: joined(&marks.expected_fail, &inherited.expected_fail),
            focused: joined(&marks.focused, &inherited.focused),
            rows: marks.rows.clone().or(inherited.rows),
        };
        let body = function.as_ref().and_then(|found| found.body.clone());
        self.units
            .push(self.unit(&segment, call.what, call.start..end, body.clone(), own.clone()));
        let Some(body) = body else { return end };
        if self.chain.len() < MAX_SUITES {
            let from = format!("{} {}", segment.kind, segment.name);
            self.inherited.push(own.inherited_from(&from));
            self.chain.push(segment);
            self.around.push(Around {
                end: body.end,
                kind: match call.what {
                    What::Suite => Inside::Suite,
                    What::Test => Inside::Test(handle(view, call.open)),
                },
            });
        }
        body.start
    }

    fn unit(
        &self,
        segment: &Segment,
        what: What,
        tokens: Range<usize>,
        body: Option<Range<usize>>,
        marks: Marks,
    ) -> Unit {
        let view = self.view;
        let head = match &body {
            Some(body) => tokens.start..body.start,
            None => tokens.clone(),
        };
        Unit {
            module: self.module.to_owned(),
            chain: self.chain.clone(),
            segment: segment.clone(),
            role: match what {
                What::Suite => Role::Suite,
                What::Test if self.collected => Role::Test,
                What::Test => Role::Symbol,
            },
            visibility: Visibility::Narrow,
            bytes: view.bytes(&tokens),
            lines: (
                view.line(tokens.start),
                view.lines().line(view.end(tokens.end - 1).saturating_sub(1)),
            ),
            text: view.shown(head),
            signature: 0,
            value: 0,
            body: body.map(|body| body_of(view, body, 0)),
            member_of: None,
            required: false,
            marks,
        }
    }

    /// A function declared in a suite: tests may call it.
    fn helper(&mut self, at: usize) {
        let view = self.view;
        let (name, value) = if view.is(at, b"function") && view.word(at + 1) {
            (at + 1, at)
        } else if (view.is(at, b"const") || view.is(at, b"let")) && view.sign(at + 2, b'=') {
            (at + 1, at + 3)
        } else {
            return;
        };
        let Some(Callable {
            signature,
            body: Some(body),
            end,
            head_end,
        }) = callable(view, value, view.len())
        else {
            return;
        };
        let own = hash::token(view.text(name));
        let (signature, value) = signature.finish();
        self.units.push(Unit {
            module: self.module.to_owned(),
            chain: self.chain.clone(),
            segment: Segment {
                kind: "function",
                name: view.name(name),
            },
            role: Role::Symbol,
            visibility: Visibility::Narrow,
            bytes: view.bytes(&(at..end)),
            lines: (
                view.line(at),
                view.lines().line(view.end(end - 1).saturating_sub(1)),
            ),
            text: view.shown(at..head_end),
            signature,
            value,
            body: Some(body_of(view, body, own)),
            member_of: None,
            required: false,
            marks: Marks::default(),
        });
    }

    /// `if (…)`: what stands behind it is under a condition.
    fn condition(&mut self, at: usize) -> usize {
        let view = self.view;
        let head = at..view.next(at + 1);
        // Modules with tests of their own ask for the runner: that is no condition on a test.
        let is_runner =
            head.clone().any(|at| view.is(at, b"vitest")) && head.clone().any(|at| view.is(at, b"import"));
        let next = head.end;
        if !is_runner {
            self.enter_condition(head);
        }
        next
    }

    fn enter_condition(&mut self, head: Range<usize>) {
        if self.around.len() >= 4 * MAX_SUITES || self.inside_test() {
            return;
        }
        let end = self.condition_end(&head);
        let from = head.end;
        let mut marks = self.inherited.last().cloned().unwrap_or_default();
        marks.conditional.push(mark(self.view, head));
        self.inherited.push(marks);
        self.around.push(Around {
            end,
            kind: Inside::Condition(from),
        });
    }

    /// Where the statement behind a condition ends.
    fn condition_end(&self, head: &Range<usize>) -> usize {
        let view = self.view;
        match self.around.last() {
            // `if (a) if (b) …`: both end together. Each of many would look over all the others else.
            Some(Around {
                end,
                kind: Inside::Condition(from),
            }) if *from == head.start
                && *end > head.end
                && !view.opens(head.end, b'{')
                && !view.sign(head.end, b'<') =>
            {
                *end
            }
            _ => statement_end(view, head.end),
        }
    }

    fn inside_test(&self) -> bool {
        self.around
            .iter()
            .any(|around| matches!(around.kind, Inside::Test(_)))
    }

    /// A call in a body that says how all around it is run: `test.skip()` in a suite, `test.fail()` in a test.
    fn mark_around(&mut self, mark: BodyMark) {
        let place = self
            .around
            .iter()
            .rposition(|around| !matches!(around.kind, Inside::Condition(_)));
        match mark {
            BodyMark::Fails(mark) => {
                // The unit of the test around is the last one that was added with a body around this place.
                if let Some(unit) = self
                    .units
                    .iter_mut()
                    .rev()
                    .find(|unit| unit.segment.kind == "test")
                {
                    unit.marks.expected_fail.push(mark);
                }
            }
            BodyMark::Skips(mark) => {
                // Without a suite around it the whole file is skipped.
                let place = place.map_or(0, |place| place + 1);
                if let Some(marks) = self.inherited.get_mut(place) {
                    marks.disabled.push(mark);
                }
            }
        }
    }
}

impl Marks {
    /// The same for what stands inside.
    fn inherited_from(&self, from: &str) -> Self {
        let inherit = |marks: &[Mark]| {
            marks
                .iter()
                .map(|mark| Mark {
                    inherited_from: Some(mark.inherited_from.clone().unwrap_or_else(|| from.to_owned())),
                    ..mark.clone()
                })
                .collect()
        };
        Self {
            disabled: inherit(&self.disabled),
            conditional: inherit(&self.conditional),
            expected_fail: inherit(&self.expected_fail),
            focused: inherit(&self.focused),
            rows: self.rows.clone(),
        }
    }
}

/// Own marks first, then inherited ones.
fn joined(own: &[Mark], inherited: &[Mark]) -> Vec<Mark> {
    own.iter().chain(inherited).cloned().collect()
}

fn body_of(view: &View<'_>, body: Range<usize>, own: u64) -> Body {
    let hashed = view.hash_range(body.clone(), (own != 0).then_some(own));
    let braces = body.start > 0 && view.opens(body.start - 1, b'{') && view.mate(body.start - 1) == body.end;
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
}
