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
    /// More names are put into it by a computation: which, the source does not say.
    pub(super) computed: bool,
    /// The token that first names it.
    pub(super) at: Option<usize>,
}

impl Exports {
    /// Whether it names this.
    pub(super) fn lists(&self, name: &str) -> bool {
        self.names.as_ref().is_some_and(|names| names.contains_key(name))
    }

    /// Whether it is all that is public: a literal list. Where it is not known what is listed, what could be counts.
    pub(super) fn is_complete(&self) -> bool {
        self.names.is_some() && !self.computed
    }

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
            view.find_flat(at, tokens.end, b"=")
        } else {
            at
        };
        if view.sign(equals, b'=') && equals + 1 < tokens.end {
            // Branches may each assign it: all of their names are meant.
            self.add(view, equals + 1..tokens.end);
        }
    }

    /// Adds a sum: the texts of its literal lists, and the lists of other modules, whose names are imported.
    fn add(&mut self, view: &View<'_>, value: Range<usize>) {
        let value = view.ungrouped(value);
        let mut at = value.start;
        while at < value.end {
            let plus = view.find_flat(at, value.end, b"+");
            self.add_list(view, view.ungrouped(at..plus));
            at = plus + 1;
        }
    }

    fn add_list(&mut self, view: &View<'_>, list: Range<usize>) {
        let first = list.start;
        let grouped = (view.sign(first, b'[') || view.sign(first, b'(')) && view.mate(first) + 1 == list.end;
        let inside = if grouped {
            first + 1..list.end - 1
        } else {
            list.clone()
        };
        let bare = view.kind(first) == Some(Kind::Text) && list.len() > 1;
        if grouped || bare {
            self.add_texts(view, inside);
        } else if !is_of_module(view, &list) {
            self.computed = true;
        }
    }

    fn add_texts(&mut self, view: &View<'_>, tokens: Range<usize>) {
        let parts = view.split(tokens);
        if parts.is_empty() {
            self.names.get_or_insert_default();
        }
        for part in parts {
            match text(view, part.start).filter(|_| part.len() == 1) {
                Some(name) => {
                    self.names
                        .get_or_insert_default()
                        .entry(name)
                        .or_insert(part.start);
                }
                None if view.sign(part.start, b'*') && is_of_module(view, &part) => {}
                None => self.computed = true,
            }
        }
    }
}

/// Whether an expression ends as `module.__all__`.
fn is_of_module(view: &View<'_>, tokens: &Range<usize>) -> bool {
    tokens.len() > 2 && view.is(tokens.end - 1, b"__all__") && view.sign(tokens.end - 2, b'.')
}

fn text(view: &View<'_>, at: usize) -> Option<String> {
    (view.kind(at) == Some(Kind::Text)).then(|| Literal::of(view.text(at)).text())?
}
