//! The functions of test runners: their names, modifiers, tables and options.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash;
use crate::structure::outline::{Mark, Marks};

use super::body::after_dot;
use super::callable::{Callable, callable};
use super::view::View;

/// What a call declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Suite,
    Test,
}

/// A call of the runner.
pub(super) struct Call {
    pub(super) what: What,
    /// The group of its arguments.
    pub(super) open: usize,
    /// The first token of its name.
    pub(super) start: usize,
    pub(super) marks: Marks,
}

/// What a function of a runner declares.
pub(super) fn what_is(name: &[u8]) -> Option<What> {
    match name {
        b"describe" | b"context" | b"suite" => Some(What::Suite),
        b"test" | b"it" | b"specify" | b"bench" => Some(What::Test),
        _ => None,
    }
}

/// The call whose name begins here: `it`, `xdescribe`, `test.describe.only`, `it.each([…])`, `Deno.test`.
pub(super) fn named_call(view: &View<'_>, at: usize) -> Option<Call> {
    if after_dot(view, at) || (at > 0 && (view.is(at - 1, b"function") || view.is(at - 1, b"new"))) {
        return None;
    }
    let name = view.text(at);
    let mut marks = Marks::default();
    let mut next = at;
    let what = if let Some(what) = what_is(name) {
        what
    } else if name == b"Deno" && view.sign(at + 1, b'.') && view.is(at + 2, b"test") {
        next = at + 2;
        What::Test
    } else {
        let (prefix, rest) = name.split_first()?;
        let what = what_is(rest)
            .filter(|_| matches!(rest, b"it" | b"test" | b"describe" | b"context" | b"specify"))?;
        match prefix {
            b'x' => marks.disabled.push(mark(view, at..at + 1)),
            b'f' => marks.focused.push(mark(view, at..at + 1)),
            _ => return None,
        }
        what
    };
    modifiers(view, at, next + 1, what, marks)
}

/// `t.test('…', …)` in a test that was given `t`.
pub(super) fn handle_call(view: &View<'_>, at: usize) -> Option<Call> {
    if after_dot(view, at) || !view.sign(at + 1, b'.') {
        return None;
    }
    let what = match view.text(at + 2) {
        b"test" | b"it" => What::Test,
        b"describe" => What::Suite,
        _ => return None,
    };
    modifiers(view, at, at + 3, what, Marks::default())
}

/// The modifiers behind a name, up to the arguments.
pub(super) fn modifiers(
    view: &View<'_>,
    start: usize,
    at: usize,
    mut what: What,
    mut marks: Marks,
) -> Option<Call> {
    let mut next = at;
    loop {
        if view.opens(next, b'(') {
            return Some(Call {
                what,
                open: next,
                start,
                marks,
            });
        }
        if !view.sign(next, b'.') || !view.word(next + 1) {
            return None;
        }
        let name = next + 1;
        next += 2;
        match view.text(name) {
            b"only" => marks.focused.push(mark(view, start..next)),
            b"skip" | b"todo" | b"fixme" => marks.disabled.push(mark(view, start..next)),
            b"fails" | b"failing" | b"fail" => marks.expected_fail.push(mark(view, start..next)),
            b"concurrent" | b"sequential" | b"serial" | b"parallel" | b"shuffle" => {}
            b"describe" => what = What::Suite,
            b"skipIf" | b"runIf" if view.opens(next, b'(') => {
                next = view.next(next);
                marks.conditional.push(mark(view, start..next));
            }
            b"each" | b"for" => {
                if let Some(after) = view.type_arguments(next) {
                    next = after;
                }
                if view.opens(next, b'(') {
                    let arguments = view.inside(next);
                    marks.rows = rows_of_list(view, arguments);
                    next = view.next(next);
                } else if view.opens(next, b'`') {
                    marks.rows = Some(rows_of_table(view, next));
                    next = view.next(next);
                } else if view.kind(next) == Some(Kind::Text) {
                    next += 1;
                } else {
                    return None;
                }
            }
            _ => return None,
        }
    }
}

/// The rows of `[…]`, one hash each; `None` for anything else.
pub(super) fn rows_of_list(view: &View<'_>, arguments: Range<usize>) -> Option<Vec<u64>> {
    let open = arguments.start;
    if !view.opens(open, b'[') {
        return None;
    }
    let rows = view.parts(view.inside(open));
    // Rows that come from elsewhere cannot be counted.
    if rows.iter().any(|row| view.spread(row.start)) {
        return None;
    }
    Some(
        rows.into_iter()
            .filter(|row| !row.is_empty())
            .map(|row| view.hash_range(row, None).plain)
            .collect(),
    )
}

/// The lines of a tagged table but for its head, one hash each.
pub(super) fn rows_of_table(view: &View<'_>, open: usize) -> Vec<u64> {
    let close = view.mate(open);
    let text = &view.source[view.start(open) + 1..view.end(close).saturating_sub(1)];
    text.split(|byte| *byte == b'\n')
        .map(|line| {
            let cells: Vec<u8> = line
                .iter()
                .copied()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            cells
        })
        .filter(|line| !line.is_empty())
        .skip(1)
        .map(|line| hash::token(&line))
        .collect()
}

/// The function among the arguments of a call: the last one, or the one before a time limit.
pub(super) fn callback(view: &View<'_>, open: usize) -> Option<Callable> {
    let parts = view.parts(view.inside(open));
    parts.iter().rev().take(2).find_map(|part| {
        whole_function(view, part).or_else(|| {
            // `fakeAsync(() => { … })`: what runs is inside.
            let close = part.end.checked_sub(1).filter(|close| view.closes(*close))?;
            let open = view.mate(close);
            let wraps = view.opens(open, b'(') && open > part.start && view.word(open - 1);
            let inner = view.parts(view.inside(open)).pop().filter(|_| wraps)?;
            whole_function(view, &inner)
        })
    })
}

/// The function that an argument is.
fn whole_function(view: &View<'_>, argument: &Range<usize>) -> Option<Callable> {
    let found = callable(view, argument.start, argument.end)?;
    (found.end == argument.end && found.body.is_some()).then_some(found)
}

/// The name of the first parameter of a callback.
pub(super) fn handle(view: &View<'_>, open: usize) -> Vec<u8> {
    let parts = view.parts(view.inside(open));
    let function = parts
        .iter()
        .rev()
        .take(2)
        .find(|part| callable(view, part.start, part.end).is_some_and(|found| found.end == part.end));
    let Some(part) = function else { return Vec::new() };
    let mut at = part.start;
    at += usize::from(view.is(at, b"async"));
    if view.is(at, b"function") {
        at += 1;
        at += usize::from(view.sign(at, b'*'));
        at += usize::from(view.word(at));
    }
    at += usize::from(view.opens(at, b'('));
    if view.word(at) {
        view.text(at).to_vec()
    } else {
        Vec::new()
    }
}

/// Options in an object: `{ skip: true }`, `{ only: true }`, `{ todo: 'later' }`.
pub(super) fn options(view: &View<'_>, arguments: &[Range<usize>], marks: &mut Marks) {
    for argument in arguments
        .iter()
        .filter(|argument| view.opens(argument.start, b'{'))
    {
        for part in view.parts(view.inside(argument.start)) {
            let off = view.sign(part.start + 1, b':')
                && matches!(view.text(part.start + 2), b"false" | b"undefined" | b"null");
            if off {
                continue;
            }
            match view.text(part.start) {
                b"skip" | b"todo" => marks.disabled.push(mark(view, part)),
                b"only" => marks.focused.push(mark(view, part)),
                b"fails" => marks.expected_fail.push(mark(view, part)),
                _ => {}
            }
        }
    }
}

pub(super) enum BodyMark {
    Fails(Mark),
    Skips(Mark),
}

/// `test.fail()` in a test; `test.skip()` without a title in a suite.
pub(super) fn body_mark(view: &View<'_>, at: usize, inside_test: bool) -> Option<BodyMark> {
    if !(view.is(at, b"test") || view.is(at, b"it")) || after_dot(view, at) || !view.sign(at + 1, b'.') {
        return None;
    }
    let open = at + 3;
    if !view.opens(open, b'(') {
        return None;
    }
    let is_call = || mark(view, at..view.next(open));
    let titled = matches!(view.kind(open + 1), Some(Kind::Text)) || view.opens(open + 1, b'`');
    match view.text(at + 2) {
        b"fail" if inside_test => Some(BodyMark::Fails(is_call())),
        b"skip" | b"fixme"
            if !inside_test && !titled && callback(view, open).is_none_or(|_| view.next(open) - open > 2) =>
        {
            let has_test = view.parts(view.inside(open)).len() == 2 && callback(view, open).is_some();
            (!has_test).then(|| BodyMark::Skips(is_call()))
        }
        _ => None,
    }
}

/// The end of the statement behind a condition: its block, or its expression.
pub(super) fn statement_end(view: &View<'_>, at: usize) -> usize {
    if view.opens(at, b'{') {
        view.next(at)
    } else {
        view.expression(at, view.len())
    }
}

/// A mark with its line and text.
pub(super) fn mark(view: &View<'_>, tokens: Range<usize>) -> Mark {
    Mark {
        line: view.line(tokens.start),
        text: view.shown(tokens),
        specific: false,
        inherited_from: None,
    }
}
