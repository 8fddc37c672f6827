//! Tests in tests: `t.Run("name", …)` with a literal name.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::outline::{Role, Segment};

use super::handles::Handles;
use super::items::{Function, Walk, new_unit};
use super::titles;
use super::view::View;

/// A call of `Run` that makes a test of its own.
pub(super) struct Call {
    /// The literal.
    pub(super) title: usize,
    /// The closing parenthesis.
    pub(super) close: usize,
    /// The function that is run.
    pub(super) function: Range<usize>,
    /// The parenthesis of its parameters, and the brace of its body, where it is written here.
    pub(super) literal: Option<(usize, usize)>,
}

impl Call {
    /// The call whose first word stands at `at`.
    pub(super) fn at(view: &View<'_>, at: usize, handles: &Handles<'_>) -> Option<Self> {
        if !view.is(at + 2, b"Run") || !view.sign(at + 1, b'.') || !view.sign(at + 3, b'(') {
            return None;
        }
        let (title, close) = (at + 4, view.mate(at + 3));
        if view.kind(title) != Some(Kind::Text) || !view.sign(title + 1, b',') || !view.word(at) {
            return None;
        }
        // `a.t.Run` is something else's.
        if at > 0 && view.sign(at - 1, b'.') {
            return None;
        }
        let end = close - usize::from(view.sign(close - 1, b','));
        let function = title + 2..end;
        let literal = function_literal(view, function.start).filter(|(_, body)| view.mate(*body) + 1 == end);
        let name = view.text(at);
        let known = handles.contains(name) || handles.is_receiver(name);
        let told = literal.is_some_and(|(open, _)| {
            let mut own = Handles::default();
            own.add(view, open);
            !own.is_empty()
        });
        (!function.is_empty() && (known || told)).then_some(Self {
            title,
            close,
            function,
            literal,
        })
    }
}

/// The parenthesis and the brace of the function literal that begins here.
pub(super) fn function_literal(view: &View<'_>, at: usize) -> Option<(usize, usize)> {
    if !view.is(at, b"func") || !view.sign(at + 1, b'(') {
        return None;
    }
    let close = view.mate(at + 1);
    let body = if view.sign(close + 1, b'{') {
        close + 1
    } else {
        view.type_end(at, view.len())
    };
    view.sign(body, b'{').then_some((at + 1, body))
}

/// Takes the subtests in the body that opens at `open`; `chain` ends with the function itself.
pub(super) fn take(
    walk: &mut Walk<'_, '_>,
    function: &Function,
    (open, role): (usize, Role),
    mut chain: Vec<Segment>,
) {
    let view = walk.view;
    let mut handles = Handles::of_function(view, function);
    // Where the subtests end that are open, innermost last.
    let mut around: Vec<usize> = Vec::new();
    let close = view.mate(open);
    let mut at = open + 1;
    while at < close && !walk.exhausted() {
        while around.pop_if(|end| *end <= at).is_some() {
            chain.pop();
        }
        if !view.word(at) {
            at += 1;
            continue;
        }
        if view.is(at, b"func") && view.sign(at + 1, b'(') {
            handles.add(view, at + 1);
        }
        let Some(call) = Call::at(view, at, &handles) else {
            at += 1;
            continue;
        };
        let title = titles::of(view, call.title..call.title + 1);
        let mut unit = new_unit("test", title, view.bytes(&(at..call.close + 1)));
        unit.role = role;
        unit.chain.clone_from(&chain);
        let shown = match call.literal {
            Some((_, body)) => at..body,
            None => at..call.close + 1,
        };
        unit.text = view.shown(shown);
        unit.body = Some(match call.literal {
            Some((_, body)) => view.body(body, None),
            None => walk.loose_body(call.function.clone()),
        });
        let segment = unit.segment.clone();
        walk.push(unit, false);
        chain.push(segment);
        around.push(call.close);
        // The title is no name of anything inside.
        at = call.function.start;
    }
}
