//! `__all__`: the names that a module says are public.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::structure::lexer::Kind;

use super::string::Literal;
use super::view::View;

/// What `__all__` holds, as far as the source says it.
#[derive(Debug, Default)]
pub(super) struct Exports {
    /// The names, each with the token that gives it; `None` without a literal list.
    pub(super) names: Option<BTreeMap<String, usize>>,
    /// The token that first names it.
    pub(super) at: Option<usize>,
}

impl Exports {
    /// Takes a statement that begins with `__all__`: an assignment, `+=`, or a call of one of its methods.
    pub(super) fn change(&mut self, view: &View<'_>, tokens: &Range<usize>) {
        self.at.get_or_insert(tokens.start);
        let at = tokens.start + 1;
        if view.sign(at, b'.') {
            let open = at + 2;
            if !view.sign(open, b'(') {
                return;
            }
            let inside = open + 1..view.mate(open);
            match view.text(at + 1) {
                b"extend" => self.add(view, inside),
                b"append" => self.add_texts(view, inside),
                b"remove" => {
                    if let (Some(names), Some(name)) = (&mut self.names, text(view, inside.start)) {
                        names.remove(&name);
                    }
                }
                _ => {}
            }
            return;
        }
        if view.signs(at, b'+', b'=') {
            self.add(view, at + 2..tokens.end);
            return;
        }
        let equals = if view.sign(at, b':') {
            view.find(at, tokens.end, b"=")
        } else {
            at
        };
        if view.sign(equals, b'=') && equals + 1 < tokens.end {
            let value = equals + 1..tokens.end;
            // Branches may each assign it: all of their names are meant.
            if is_literal(view, value.clone()) {
                self.names.get_or_insert_default();
            }
            self.add(view, value);
        }
    }

    /// Adds the texts of the literal lists in a sum.
    fn add(&mut self, view: &View<'_>, value: Range<usize>) {
        let mut at = value.start;
        while at < value.end {
            let called = at > value.start && (view.identifier(at - 1) || view.closes(at - 1));
            if view.opens(at) && !called {
                let inside = at + 1..view.mate(at);
                let computed = inside.clone().any(|at| view.is(at, b"for"));
                if !computed {
                    self.add_texts(view, inside);
                }
            } else if view.kind(at) == Some(Kind::Text) && value.len() > 1 {
                // Texts with commas between are a tuple without parentheses.
                let alone = |at: usize| at == value.end || view.sign(at, b',');
                if alone(at + 1) {
                    self.add_texts(view, at..at + 1);
                }
            }
            at = view.next(at);
        }
    }

    fn add_texts(&mut self, view: &View<'_>, tokens: Range<usize>) {
        for part in view.split(tokens) {
            if let Some(name) = text(view, part.start).filter(|_| part.len() == 1) {
                self.names
                    .get_or_insert_default()
                    .entry(name)
                    .or_insert(part.start);
            }
        }
    }
}

/// Whether a value is a list or tuple of texts, or a sum that begins with one.
fn is_literal(view: &View<'_>, value: Range<usize>) -> bool {
    let first = value.start;
    if view.kind(first) == Some(Kind::Text) {
        return value.len() > 1;
    }
    (view.sign(first, b'[') || view.sign(first, b'('))
        && !(first + 1..view.mate(first)).any(|at| view.is(at, b"for"))
        && (view.mate(first) == first + 1 || view.kind(first + 1) == Some(Kind::Text))
}

fn text(view: &View<'_>, at: usize) -> Option<String> {
    (view.kind(at) == Some(Kind::Text)).then(|| Literal::of(view.text(at)).text())?
}
