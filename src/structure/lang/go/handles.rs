//! The variables that a test talks to its runner through: `t *testing.T` and its like.

use std::collections::BTreeSet;

use super::items::{Function, Receiver};
use super::view::View;

/// Names of such variables in one function.
#[derive(Clone, Default)]
pub(super) struct Handles<'a> {
    names: BTreeSet<&'a [u8]>,
    /// The receiver of a method, which may be a suite.
    receiver: Option<&'a [u8]>,
}

impl<'a> Handles<'a> {
    /// Those of the parameters and the receiver of a function.
    pub(super) fn of_function(view: &View<'a>, function: &Function) -> Self {
        let mut handles = Self::default();
        handles.add(view, function.open);
        handles.receiver = function
            .receiver
            .and_then(|open| Receiver::of(view, open).variable)
            .map(|at| view.text(at));
        handles
    }

    /// Adds those of the parameters that open at `open`.
    pub(super) fn add(&mut self, view: &View<'a>, open: usize) {
        let close = view.mate(open);
        let mut at = open + 1;
        while at + 2 < close {
            let typed = view.sign(at + 1, b'.')
                && match view.text(at + 2) {
                    b"T" | b"B" | b"F" | b"TB" => view.is(at, b"testing"),
                    b"TestingT" => view.word(at),
                    _ => false,
                };
            if typed {
                let name = at - 1 - usize::from(view.sign(at - 1, b'*'));
                if name > open && view.word(name) {
                    self.names.insert(view.text(name));
                }
            }
            at = view.next(at);
        }
    }

    /// Adds a name that is one by its use.
    pub(super) fn insert(&mut self, name: &'a [u8]) {
        self.names.insert(name);
    }

    /// Whether a word is such a variable.
    pub(super) fn contains(&self, name: &[u8]) -> bool {
        self.names.contains(name)
    }

    /// Whether a word is the receiver of the method.
    pub(super) fn is_receiver(&self, name: &[u8]) -> bool {
        self.receiver == Some(name)
    }

    /// Whether there is no parameter of the kind.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
