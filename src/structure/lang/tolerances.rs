//! The tolerances of a statement, once its language has said where the numbers that loosen it stand.

use std::ops::Range;

use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::lexer::{Kind, tokens::Tokens};
use crate::structure::outline::{Looser, Tolerances};

/// The numbers in a statement that loosen it when they move, in order.
///
/// `place` tells where the numbers of the word at a token stand, and which way they loosen.
pub(super) fn numbers(
    tokens: &Tokens<'_>,
    range: Range<usize>,
    place: impl Fn(usize) -> Option<(Range<usize>, Looser)>,
) -> Vec<(usize, Looser)> {
    let mut numbers = Vec::new();
    // Such words may be nested in the values of others: no place is searched twice.
    let mut searched = range.start;
    for at in range.clone() {
        let Some((place, looser)) = place(at) else {
            continue;
        };
        let new = place.start.max(searched)..place.end.min(range.end);
        searched = searched.max(new.end);
        let found = new.filter(|at| tokens.kind(*at) == Some(Kind::Number));
        numbers.extend(found.map(|number| (number, looser)));
    }
    numbers
}

/// The tolerances of a statement: `hashed` are its tokens that count with their hashes.
pub(super) fn tolerances(
    tokens: &Tokens<'_>,
    start: usize,
    text: String,
    hashed: impl Iterator<Item = (usize, u64)>,
    numbers: Vec<(usize, Looser)>,
    parsed: fn(&[u8]) -> Option<f64>,
) -> Tolerances {
    let mut sequence = Sequence::default();
    for (at, hash) in hashed {
        let is_number = numbers.binary_search_by_key(&at, |(number, _)| *number).is_ok();
        sequence.push(if is_number { PLACEHOLDER } else { hash });
    }
    Tolerances {
        line: tokens.line(start),
        text,
        hash_without_numbers: sequence.finish(),
        numbers: numbers
            .into_iter()
            .filter_map(|(at, looser)| parsed(tokens.text(at)).map(|number| (number, looser)))
            .collect(),
    }
}

/// Those of the statements that no assertion was found in; both are in order.
pub(super) fn untaken(
    statements: impl Iterator<Item = Range<usize>>,
    taken: &[Range<usize>],
) -> impl Iterator<Item = Range<usize>> {
    let mut taken = taken.iter().peekable();
    statements.filter(move |range| {
        while taken.next_if(|other| other.end <= range.start).is_some() {}
        !range.is_empty() && taken.peek().is_none_or(|other| other.start >= range.end)
    })
}
