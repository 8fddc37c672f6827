//! Mocks of the very module that a test file is named after.

use crate::structure::lexer::Kind;
use crate::structure::outline::Mark;

use super::items::{MAX_INHERITED, Walk};
use super::string::Literal;

impl Walk<'_, '_> {
    /// Finds `patch("shop.cart.total")` and `patch.object(cart, …)` in `test_cart.py`.
    pub(super) fn mocked_subject(&mut self) {
        if !self.place.is_test_file {
            return;
        }
        let name = self.place.module.rsplit('.').next().unwrap_or_default();
        let subject = name
            .strip_prefix("test_")
            .or_else(|| name.strip_suffix("_test"))
            .unwrap_or_default()
            .to_owned();
        if subject.is_empty() || memchr::memmem::find(self.view.source, b"patch").is_none() {
            return;
        }
        let view = self.view;
        for at in 0..view.len() {
            if !view.is(at, b"patch") {
                continue;
            }
            let by_object = view.sign(at + 1, b'.') && view.is(at + 2, b"object");
            let open = if by_object { at + 3 } else { at + 1 };
            if !view.sign(open, b'(') {
                continue;
            }
            let first = open + 1;
            let named = match view.kind(first) {
                Some(Kind::Text) => Literal::of(view.text(first)).text().is_some_and(|path| {
                    let mut parts = path.split('.');
                    parts.any(|part| part == subject)
                }),
                _ => {
                    by_object
                        && view.text(view.find_flat(first, view.mate(open), b",").saturating_sub(1))
                            == subject.as_bytes()
                }
            };
            if named {
                self.out.mocked_subject.push(Mark {
                    line: view.line(at),
                    text: view
                        .shown(at..(view.find_flat(first, view.mate(open), b",") + 1).min(view.mate(open))),
                    specific: false,
                    inherited_from: None,
                });
            }
            if self.out.mocked_subject.len() >= MAX_INHERITED {
                return;
            }
        }
    }
}
