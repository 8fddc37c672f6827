//! How much a matcher fixes, and which values are literals.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::vocabulary::{EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::view::View;

/// How much a matcher of `expect` fixes.
pub(super) fn matcher_rank(word: &[u8], negated: bool) -> u8 {
    match word {
        b"toBe"
        | b"toEqual"
        | b"toStrictEqual"
        | b"toBeCloseTo"
        | b"equal"
        | b"eq"
        | b"eql"
        | b"deep"
        | b"toMatchSnapshot"
        | b"toMatchInlineSnapshot"
        | b"toHaveBeenCalledWith"
        | b"toHaveText"
            if !negated =>
        {
            EQUALITY
        }
        b"toBeNull" | b"toBeUndefined" | b"toBeNaN" if !negated => EQUALITY,
        b"toBeNull" | b"toBeUndefined" | b"toBeNaN" | b"toBeDefined" | b"toBeTruthy" | b"toBeFalsy"
        | b"toBeInstanceOf" | b"toBeTypeOf" | b"ok" | b"exist" | b"toHaveBeenCalled" | b"toExist"
        | b"toBeVisible" => EXISTENCE,
        b"toBe"
        | b"toEqual"
        | b"toStrictEqual"
        | b"equal"
        | b"eq"
        | b"eql"
        | b"toMatchObject"
        | b"toContain"
        | b"toContainEqual"
        | b"toMatch"
        | b"toHaveProperty"
        | b"toHaveLength"
        | b"toHaveBeenCalledTimes"
        | b"toContainText"
        | b"match"
        | b"include"
        | b"contain"
        | b"length" => PARTIAL,
        word if word.starts_with(b"toBeGreater") || word.starts_with(b"toBeLess") => PARTIAL,
        _ => UNKNOWN,
    }
}

/// What `should('have.length', 3)` fixes, by the words of its first argument.
pub(super) fn should_rank(view: &View<'_>, open: usize) -> u8 {
    let text = view.text(open + 1);
    let has = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    if has(b"exist") || has(b"visible") || has(b"be.ok") {
        EXISTENCE
    } else if has(b"not") || has(b"include") || has(b"contain") || has(b"match") || has(b"length") {
        PARTIAL
    } else if has(b"equal") || has(b"eq") || has(b"have.text") || has(b"have.value") {
        EQUALITY
    } else {
        UNKNOWN
    }
}

/// A literal that every check for truth accepts.
pub(super) fn is_always_true(view: &View<'_>, range: &Range<usize>) -> bool {
    range.len() == 1 && view.is(range.start, b"true")
        || (range.len() == 1 && view.kind(range.start) == Some(Kind::Number) && !is_falsy(view, range))
}

pub(super) fn is_falsy(view: &View<'_>, range: &Range<usize>) -> bool {
    range.len() == 1
        && matches!(
            view.text(range.start),
            b"false" | b"null" | b"undefined" | b"0" | b"''" | b"\"\"" | b"``" | b"NaN"
        )
}

/// Whether a range is nothing but literals and what holds them together.
pub(super) fn is_literal(view: &View<'_>, range: Range<usize>) -> bool {
    let end = range.end;
    !range.is_empty()
        && range.clone().all(|at| match view.kind(at) {
            Some(Kind::Number | Kind::Text) => true,
            Some(Kind::Open | Kind::Close) => {
                !(view.opens(at, b'(') || view.opens(at, b'<') || view.opens(at, b'`'))
            }
            Some(Kind::Word) => {
                matches!(
                    view.text(at),
                    b"true" | b"false" | b"null" | b"undefined" | b"NaN"
                ) || (at + 1 < end && view.sign(at + 1, b':'))
            }
            Some(Kind::Punct) => b"-+,:".iter().any(|sign| view.sign(at, *sign)),
            _ => false,
        })
}
