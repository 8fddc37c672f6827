//! Constants and variables, one by one or in groups.

use std::ops::Range;

use crate::structure::lexer::{hash, lines};

use super::items::{Walk, new_unit};
use super::signature::Types;
use super::types::{MANY_NAMES, SHORT_TEXT, spelled};

/// What a constant without a value of its own repeats, hashed once.
#[derive(Default)]
struct Repeated {
    types: u64,
    values: Vec<Value>,
    /// All values as one: `a, b = f()` belongs to both.
    whole: Value,
}

/// A value.
#[derive(Clone, Copy, Default)]
struct Value {
    hash: u64,
    /// It counts the lines of its group.
    iota: bool,
}

impl Value {
    fn on_line(self, number: u64) -> u64 {
        if self.iota {
            hash::join(&[self.hash, number])
        } else {
            self.hash
        }
    }
}

/// Where the parts of one line stand.
struct Spec {
    names: Vec<usize>,
    types: Range<usize>,
    values: Vec<Range<usize>>,
    end: usize,
}

impl Walk<'_, '_> {
    /// `const …`
    pub(super) fn constants(&mut self, keyword: usize) -> usize {
        self.specs_of(keyword, "const")
    }

    /// `var …`
    pub(super) fn variables(&mut self, keyword: usize) -> usize {
        self.specs_of(keyword, "var")
    }

    fn specs_of(&mut self, keyword: usize, kind: &'static str) -> usize {
        let view = self.view;
        let grouped = view.sign(keyword + 1, b'(');
        let (mut at, end) = if grouped {
            (keyword + 2, view.mate(keyword + 1))
        } else {
            (keyword + 1, view.len())
        };
        let mut repeated = Repeated::default();
        let mut iota = 0_u64;
        while at < end {
            let spec = self.spec(at, end);
            if !spec.names.is_empty() {
                let first = if grouped { at } else { keyword };
                self.values(kind, first, &spec, (&mut repeated, iota));
                iota += 1;
            }
            at = spec.end + usize::from(view.sign(spec.end, b';'));
            if !grouped {
                return at;
            }
        }
        end + 1
    }

    /// `A, B Type = 1, 2`
    fn spec(&self, at: usize, end: usize) -> Spec {
        let view = self.view;
        let stop = view.statement_end(at, end);
        let mut names = Vec::new();
        let mut next = at;
        while next < stop && view.word(next) {
            names.push(next);
            next += 1;
            if !view.sign(next, b',') {
                break;
            }
            next += 1;
        }
        let next = next.min(stop);
        let equals = view.find_flat(next, stop, b"=");
        let values = if equals < stop {
            view.parts(equals + 1..stop)
        } else {
            Vec::new()
        };
        Spec {
            names,
            types: next..equals,
            values,
            end: stop.max(at + 1).min(end.max(at + 1)),
        }
    }

    fn values(
        &mut self,
        kind: &'static str,
        first: usize,
        spec: &Spec,
        (repeated, iota): (&mut Repeated, u64),
    ) {
        let view = self.view;
        let constant = kind == "const";
        let repeats = constant && spec.values.is_empty() && spec.types.is_empty();
        if !repeats {
            let whole = match (spec.values.first(), spec.values.last()) {
                (Some(from), Some(to)) => from.start..to.end,
                _ => 0..0,
            };
            *repeated = Repeated {
                types: Types::default().hash(view, spec.types.clone()),
                values: spec
                    .values
                    .iter()
                    .map(|value| self.value(value.clone()))
                    .collect(),
                whole: self.value(whole),
            };
        }
        let range = first..spec.end.max(first + 1);
        let signature = self.signature(repeated.types);
        let mut text = spelled(kind.as_bytes(), view, spec.names[0]..range.end);
        if spec.names.len() > MANY_NAMES {
            lines::cut(&mut text, SHORT_TEXT);
        }
        let one_each = repeated.values.len() == spec.names.len();
        for (number, name) in spec.names.iter().enumerate() {
            let bytes = view.text(*name);
            if bytes == b"_" {
                continue;
            }
            let mut unit = new_unit(kind, view.name(*name), view.bytes(&range));
            unit.text.clone_from(&text);
            unit.signature = signature;
            let value = if one_each {
                repeated.values[number]
            } else {
                repeated.whole
            };
            unit.value = value.on_line(iota);
            let public = self.public(bytes);
            self.push(unit, public);
        }
        if !constant && self.runner.ginkgo {
            self.specs(range);
        }
    }

    fn value(&self, range: Range<usize>) -> Value {
        let view = self.view;
        if range.is_empty() {
            return Value::default();
        }
        Value {
            iota: range.clone().any(|at| view.is(at, b"iota")),
            hash: view.hash_range(range, None).plain,
        }
    }
}
