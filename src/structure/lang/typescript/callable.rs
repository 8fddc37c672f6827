//! Functions and arrows wherever they stand: as declarations, initialisers, arguments.

use std::ops::Range;

use super::signature::Signature;
use super::types::type_end;
use super::view::View;

/// A function or arrow.
pub(super) struct Callable {
    pub(super) signature: Signature,
    /// The tokens of its body, without the braces around them; an arrow may have an expression.
    pub(super) body: Option<Range<usize>>,
    /// The place behind what is shown of it.
    pub(super) head_end: usize,
    /// The place behind it.
    pub(super) end: usize,
}

/// The function or arrow that begins here.
pub(super) fn callable(view: &View<'_>, at: usize, end: usize) -> Option<Callable> {
    let mut signature = Signature::default();
    let mut next = at;
    if view.is(next, b"async") && !view.on_new_line(next + 1) && !view.arrow(next + 1) {
        signature.word("async");
        next += 1;
    }
    let is_function = view.is(next, b"function");
    if is_function {
        next += 1;
        if view.sign(next, b'*') {
            signature.word("*");
            next += 1;
        }
        next += usize::from(view.word(next));
    } else if view.word(next) && view.arrow(next + 1) {
        // `x => …` has one plain parameter.
        for word in ["(", ",", ")"] {
            signature.word(word);
        }
        return arrow_body(view, next + 1, end, signature);
    }
    if let Some(after) = view.angles(next) {
        signature.types(view, next..after);
        next = after;
    }
    if next >= end || !view.opens(next, b'(') {
        return None;
    }
    let behind = view.next(next);
    if !is_function && !view.arrow(behind) && !view.sign(behind, b':') {
        return None;
    }
    let after = signature.callable(view, next, end);
    if !is_function {
        return view
            .arrow(after)
            .then(|| arrow_body(view, after, end, signature))
            .flatten();
    }
    let has_body = view.opens(after, b'{') && after < end;
    Some(Callable {
        signature,
        body: has_body.then(|| view.inside(after)),
        head_end: after,
        end: if has_body { view.next(after) } else { after },
    })
}

fn arrow_body(view: &View<'_>, arrow: usize, end: usize, signature: Signature) -> Option<Callable> {
    let body = arrow + 2;
    if body >= end {
        return None;
    }
    let (body, after) = if view.opens(body, b'{') {
        (view.inside(body), view.next(body))
    } else {
        let after = view.expression(body, end);
        (body..after, after)
    };
    Some(Callable {
        signature,
        body: Some(body),
        head_end: arrow,
        end: after,
    })
}

/// The place of the first type behind a colon, if one stands here; answers the place behind it.
pub(super) fn annotation(view: &View<'_>, at: usize, end: usize, signature: &mut Signature) -> usize {
    if !view.sign(at, b':') {
        return at;
    }
    let after = type_end(view, at + 1, end);
    signature.word(":");
    signature.types(view, at + 1..after);
    after
}
