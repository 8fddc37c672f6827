//! What callers notice of a declaration: types without the names of parameters, fields without their tags.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::{self, Sequence};

use super::view::View;

/// Function types nested deeper than this are hashed as written.
const MAX_DEPTH: usize = 32;

/// Most type parameters whose names are followed.
const MAX_TYPE_PARAMETERS: usize = 32;

/// Hashes types of one declaration.
#[derive(Clone, Default)]
pub(super) struct Types {
    /// Hashes of the names of its type parameters: callers cannot use them, so that each stands for its place.
    parameters: Vec<u64>,
    /// Tags of struct types inside of types.
    tags: Option<Sequence>,
}

impl Types {
    /// Adds the names in the brackets of a generic declaration, or of a receiver.
    pub(super) fn declare(&mut self, view: &View<'_>, open: usize) {
        for part in view.parts(open + 1..view.mate(open)) {
            if self.parameters.len() < MAX_TYPE_PARAMETERS && view.word(part.start) {
                self.parameters.push(view.hash(part.start));
            }
        }
    }

    /// The hash of the tags that stood inside of types; 0 when there were none.
    pub(super) fn tags(&self) -> u64 {
        self.tags.as_ref().map_or(0, Sequence::finish)
    }

    /// The hash of one type, or of a union of types.
    pub(super) fn hash(&mut self, view: &View<'_>, range: Range<usize>) -> u64 {
        self.hash_at(view, range, 0)
    }

    /// The hash of the parameters and results that begin with the parenthesis at `open`; `end` is where results end.
    pub(super) fn function(&mut self, view: &View<'_>, open: usize, end: usize) -> u64 {
        let mut sequence = Sequence::default();
        self.push_function(&mut sequence, view, open, end, 0);
        sequence.finish()
    }

    /// The hash of type parameters with their constraints.
    pub(super) fn constraints(&mut self, view: &View<'_>, open: usize) -> u64 {
        self.list(view, open + 1..view.mate(open), 0)
    }

    fn hash_at(&mut self, view: &View<'_>, range: Range<usize>, depth: usize) -> u64 {
        if depth > MAX_DEPTH {
            return view.hash_range(range, None).plain;
        }
        let mut sequence = Sequence::default();
        // Ends of the struct and interface types that are open, innermost last.
        let mut structs: Vec<usize> = Vec::new();
        let mut interfaces: Vec<usize> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            while structs.pop_if(|end| *end <= at).is_some() {}
            while interfaces.pop_if(|end| *end <= at).is_some() {}
            if view.is_idle(at, range.end) {
                at += 1;
                continue;
            }
            let braces = view.sign(at + 1, b'{');
            if view.is(at, b"func") && view.sign(at + 1, b'(') {
                let end = view.type_end(at, range.end);
                sequence.push(view.hash(at));
                self.push_function(&mut sequence, view, at + 1, end, depth);
                at = separate(&mut sequence, view, end - 1, range.end);
                continue;
            }
            if view.is(at, b"interface") && braces && view.mate(at + 1) == at + 2 {
                // Two names for the same type.
                sequence.push(hash::token(b"any"));
                at = separate(&mut sequence, view, at + 2, range.end);
                continue;
            }
            // Of two that are open, the inner one ends first.
            let in_interface = match (interfaces.last(), structs.last()) {
                (Some(interface), Some(structure)) => interface < structure,
                (interface, _) => interface.is_some(),
            };
            if view.is(at, b"struct") && braces {
                structs.push(view.mate(at + 1));
            } else if view.is(at, b"interface") && braces {
                interfaces.push(view.mate(at + 1));
            } else if in_interface && view.word(at) && view.sign(at + 1, b'(') {
                let end = method_end(view, at + 1, range.end);
                sequence.push(view.hash(at));
                self.push_function(&mut sequence, view, at + 1, end, depth);
                at = separate(&mut sequence, view, end - 1, range.end);
                continue;
            } else if view.kind(at) == Some(Kind::Text) && !structs.is_empty() {
                self.tags
                    .get_or_insert_with(Sequence::default)
                    .push(view.hash(at));
                at = separate(&mut sequence, view, at, range.end);
                continue;
            }
            sequence.push(self.word(view, at));
            at = separate(&mut sequence, view, at, range.end);
        }
        sequence.finish()
    }

    /// The hash of a token; names of type parameters are numbered.
    fn word(&self, view: &View<'_>, at: usize) -> u64 {
        let hash = view.hash(at);
        if self.parameters.is_empty() || !view.word(at) || (at > 0 && view.sign(at - 1, b'.')) {
            return hash;
        }
        match self.parameters.iter().rposition(|name| *name == hash) {
            Some(number) => hash::join(&[hash::PLACEHOLDER, number as u64]),
            None => hash,
        }
    }

    fn push_function(
        &mut self,
        sequence: &mut Sequence,
        view: &View<'_>,
        open: usize,
        end: usize,
        depth: usize,
    ) {
        let close = view.mate(open);
        sequence.push(self.list(view, open + 1..close, depth + 1));
        let results = close + 1..end;
        let inside = if view.sign(results.start, b'(') && view.mate(results.start) + 1 == end {
            results.start + 1..end - 1
        } else {
            results
        };
        sequence.push(self.list(view, inside, depth + 1));
    }

    /// Parameters, results or type parameters: their types, one for each name.
    fn list(&mut self, view: &View<'_>, inside: Range<usize>, depth: usize) -> u64 {
        let mut sequence = Sequence::default();
        let parts = view.parts(inside);
        if !parts.iter().any(|part| is_named(view, part)) {
            for part in parts {
                sequence.push(self.hash_at(view, part, depth));
            }
            return sequence.finish();
        }
        // `a, b int`: names without a type share the next one.
        let mut waiting = 0_usize;
        for part in parts {
            waiting += 1;
            if !is_named(view, &part) {
                continue;
            }
            let hash = self.hash_at(view, part.start + 1..part.end, depth);
            for _ in 0..waiting {
                sequence.push(hash);
            }
            waiting = 0;
        }
        sequence.finish()
    }
}

/// Marks the end of a field or element, and returns where to go on.
fn separate(sequence: &mut Sequence, view: &View<'_>, last: usize, end: usize) -> usize {
    if view.separates(last, end) {
        sequence.push(hash::PLACEHOLDER);
    }
    last + 1
}

/// Where the method of an interface ends whose parameters open at `open`.
pub(super) fn method_end(view: &View<'_>, open: usize, end: usize) -> usize {
    let close = view.mate(open);
    if view.breaks(close) || !view.begins_type(close + 1) {
        return close + 1;
    }
    view.type_end(close + 1, end).max(close + 1)
}

/// Words that begin a type and are no name.
const TYPE_KEYWORDS: [&[u8]; 5] = [b"chan", b"func", b"interface", b"map", b"struct"];

/// Whether a part of a parameter list is a name with a type, not a type alone.
fn is_named(view: &View<'_>, part: &Range<usize>) -> bool {
    if part.len() < 2 || !view.word(part.start) || TYPE_KEYWORDS.contains(&view.text(part.start)) {
        return false;
    }
    let next = part.start + 1;
    if view.sign(next, b'.') {
        // `a ...T` has a name, `pkg.T` has none.
        return view.sign(next + 1, b'.');
    }
    if view.sign(next, b'[') {
        // `List[int]` is a type, `a [5]int` and `a []int` have names.
        return view.mate(next) + 1 < part.end || view.mate(next) == next + 1;
    }
    // `A | B` is a union.
    !view.sign(next, b'|')
}
