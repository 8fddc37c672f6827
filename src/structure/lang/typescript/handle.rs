//! The handle that a runner gives to a test: `t` of `(t) => …`.

use std::ops::Range;

use crate::structure::lexer::Kind;

use super::body::after_dot;
use super::view::View;

/// The handle that a test was given by its runner: `t` of `(t) => …`.
pub(super) struct Handle(Vec<u8>);

/// Methods of a handle that assert nothing.
const NO_ASSERTIONS: [&[u8]; 18] = [
    b"test",
    b"it",
    b"describe",
    b"step",
    b"skip",
    b"todo",
    b"plan",
    b"diagnostic",
    b"comment",
    b"log",
    b"before",
    b"after",
    b"beforeEach",
    b"afterEach",
    b"teardown",
    b"mock",
    b"timeout",
    b"end",
];

impl Handle {
    /// The handle of a test, from what stands in front of its body: `…, async (t) => `.
    pub(super) fn of_test(head: &[u8]) -> Self {
        let head = head.trim_ascii_end();
        let head = head.strip_suffix(b"=>").map_or(head, <[u8]>::trim_ascii_end);
        let mut inside = head.strip_suffix(b")").unwrap_or(head);
        if let Some(open) = memchr::memrchr(b'(', inside) {
            inside = &inside[open + 1..];
        } else if let Some(comma) = memchr::memrchr(b',', inside) {
            inside = &inside[comma + 1..];
        }
        let first = inside
            .split(|byte| matches!(byte, b',' | b':'))
            .next()
            .unwrap_or_default()
            .trim_ascii();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        Self(if first.iter().all(is_word) {
            first.to_vec()
        } else {
            Vec::new()
        })
    }

    /// Whether the word is the handle.
    pub(super) fn is(&self, view: &View<'_>, at: usize) -> bool {
        view.word(at)
            && !after_dot(view, at)
            && (view.text(at) == b"t" || (!self.0.is_empty() && view.text(at) == self.0))
    }

    /// Whether a method of a handle asserts nothing.
    pub(super) fn asserts_nothing(name: &[u8]) -> bool {
        NO_ASSERTIONS.contains(&name)
    }

    /// The place behind a nested test that begins here.
    pub(super) fn nested_test(&self, view: &View<'_>, at: usize) -> Option<usize> {
        let names = matches!(view.text(at + 2), b"test" | b"it");
        let open = at + 3;
        let titled = view.kind(open + 1) == Some(Kind::Text) || view.opens(open + 1, b'`');
        (self.is(view, at) && view.sign(at + 1, b'.') && names && view.opens(open, b'(') && titled)
            .then(|| view.next(open))
    }

    /// The call that skips the rest of the test, if one begins here: `t.skip()`, `this.skip()`, `test.skip()`.
    pub(super) fn skip(&self, view: &View<'_>, at: usize) -> Option<Range<usize>> {
        let receiver = self.is(view, at)
            || (!after_dot(view, at)
                && matches!(view.text(at), b"this" | b"test" | b"it" | b"ctx" | b"context"));
        let name = matches!(view.text(at + 2), b"skip" | b"todo" | b"fixme");
        let open = at + 3;
        (receiver && view.sign(at + 1, b'.') && name && view.opens(open, b'(')).then(|| at..view.next(open))
    }
}
