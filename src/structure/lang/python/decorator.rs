//! Decorators and marks: what they say about a definition, and about a test.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::outline::{Mark, Marks};

use super::view::View;

/// One decorator.
#[derive(Debug, Clone)]
pub(super) struct Decorator {
    /// Its tokens, without the `@`.
    pub(super) tokens: Range<usize>,
    /// The last name in front of its arguments.
    name: usize,
    /// Where its arguments open.
    open: Option<usize>,
}

/// Decorators that change what a definition is to its users.
const IN_SIGNATURE: [&[u8]; 10] = [
    b"property",
    b"staticmethod",
    b"classmethod",
    b"abstractmethod",
    b"overload",
    b"deprecated",
    b"cached_property",
    b"setter",
    b"deleter",
    b"abstractproperty",
];

impl Decorator {
    /// Takes a decorator, or a mark that is written like one.
    pub(super) fn of(view: &View<'_>, tokens: Range<usize>) -> Self {
        let open = view.find_flat(tokens.start, tokens.end, b"(");
        let name = open.saturating_sub(1).max(tokens.start);
        Self {
            open: (open < tokens.end).then_some(open),
            tokens,
            name,
        }
    }

    /// The last name of its path: `skipif` for `@pytest.mark.skipif(…)`.
    pub(super) fn name<'a>(&self, view: &View<'a>) -> &'a [u8] {
        if view.word(self.name) {
            view.text(self.name)
        } else {
            &[]
        }
    }

    /// Whether it is part of the signature of what it stands on.
    pub(super) fn in_signature(&self, view: &View<'_>) -> bool {
        IN_SIGNATURE.contains(&self.name(view))
    }

    /// The arguments, where there are any.
    pub(super) fn arguments(&self, view: &View<'_>) -> Vec<Range<usize>> {
        self.open.map(|open| view.arguments(open)).unwrap_or_default()
    }

    /// The value of a named argument.
    pub(super) fn argument(&self, view: &View<'_>, name: &[u8]) -> Option<Range<usize>> {
        let arguments = self.arguments(view);
        let named = arguments.iter().filter_map(|argument| view.keyword(argument));
        named
            .filter(|(own, _)| *own == name)
            .map(|(_, value)| value)
            .next()
    }

    /// The argument at a place, whatever it is called there.
    fn argument_or(&self, view: &View<'_>, place: usize, name: &[u8]) -> Option<Range<usize>> {
        let named = self.argument(view, name);
        named.or_else(|| {
            let arguments = self.arguments(view);
            let argument = arguments.get(place)?;
            view.keyword(argument).is_none().then(|| argument.clone())
        })
    }

    /// Adds what this says about a test.
    pub(super) fn mark(&self, view: &View<'_>, marks: &mut Marks, lists: &mut Lists) {
        let mark = |specific: bool| {
            // The sign in front belongs to a decorator.
            let sign = self.tokens.start > 0 && view.sign(self.tokens.start - 1, b'@');
            Mark {
                line: view.line(self.tokens.start),
                text: view.shown(self.tokens.start - usize::from(sign)..self.tokens.end),
                specific,
                inherited_from: None,
            }
        };
        match self.name(view) {
            b"skip" | b"skipif" | b"skipIf" | b"skipUnless" => marks.disabled.push(mark(false)),
            b"xfail" | b"expectedFailure" => {
                let specific = self.argument(view, b"raises").is_some();
                marks.expected_fail.push(mark(specific));
            }
            b"parametrize" => lists.add(view, self.argument_or(view, 1, b"argvalues")),
            b"expand" => lists.add(view, self.argument_or(view, 0, b"input")),
            _ => {}
        }
    }

    /// The list of parameters of a fixture; `None` if it is none or has none.
    pub(super) fn fixture_parameters(&self, view: &View<'_>) -> Option<Range<usize>> {
        (self.name(view) == b"fixture")
            .then(|| self.argument(view, b"params"))
            .flatten()
    }
}

/// The lists of parameters of one test, or of a class of tests.
#[derive(Debug, Default)]
pub(super) struct Lists {
    rows: Vec<u64>,
    found: bool,
    computed: bool,
}

impl Lists {
    /// Adds a list; one that is not literal makes no claim, and then none can be made.
    fn add(&mut self, view: &View<'_>, list: Option<Range<usize>>) {
        self.found = true;
        match list.and_then(|list| rows(view, &list)) {
            Some(rows) => self.rows.extend(rows),
            None => self.computed = true,
        }
    }

    /// The rows of all lists.
    pub(super) fn rows(self) -> Option<Vec<u64>> {
        (self.found && !self.computed).then_some(self.rows)
    }
}

/// The marks that a list, or a single one, names: the value of `pytestmark`.
pub(super) fn listed(view: &View<'_>, value: Range<usize>) -> Vec<Decorator> {
    let is_list = view.is_open(value.start) && view.mate(value.start) + 1 == value.end;
    let parts = if is_list {
        view.arguments(value.start)
    } else {
        vec![value]
    };
    parts.into_iter().map(|part| Decorator::of(view, part)).collect()
}

/// The rows of a literal list, one hash each; those that are marked to be skipped do not run and do not count.
pub(super) fn rows(view: &View<'_>, list: &Range<usize>) -> Option<Vec<u64>> {
    let open = list.start;
    if !view.is_open(open) || view.mate(open) + 1 != list.end {
        return None;
    }
    let parts = view.arguments(open);
    // Parentheses without a comma hold no list.
    if view.sign(open, b'(')
        && parts.len() == 1
        && view.find_flat(open + 1, list.end - 1, b",") == list.end - 1
    {
        return None;
    }
    let mut rows = Vec::with_capacity(parts.len());
    for part in parts {
        let mut at = part.start;
        while at < part.end {
            if view.is(at, b"for") {
                return None;
            }
            at = view.next(at);
        }
        if view.sign(part.start, b'*') {
            return None;
        }
        if !is_skipped(view, &part) {
            rows.push(view.hash_range(part));
        }
    }
    Some(rows)
}

/// Whether a row is `pytest.param(…, marks=pytest.mark.skip)`.
fn is_skipped(view: &View<'_>, row: &Range<usize>) -> bool {
    if !view.word(row.start) || view.kind(row.end - 1) != Some(Kind::Close) {
        return false;
    }
    let call = Decorator::of(view, row.clone());
    let Some(value) = call
        .argument(view, b"marks")
        .filter(|_| call.name(view) == b"param")
    else {
        return false;
    };
    let mut marks = Marks::default();
    for mark in listed(view, value) {
        mark.mark(view, &mut marks, &mut Lists::default());
    }
    !marks.disabled.is_empty()
}
