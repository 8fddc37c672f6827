//! The tolerances of a statement, once its language has said where the numbers that loosen it stand.

use std::ops::Range;

use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::lexer::{Kind, tokens::Tokens};
use crate::structure::outline::{Looser, Tolerances};

/// The tolerances in one statement, if it has any.
///
/// `place` tells where the numbers of the word at a token stand, and which way they loosen; `hashed` are the tokens that
/// count with their hashes; `suffixes` are the types that the language writes behind a number.
pub(super) fn of(
    tokens: &Tokens<'_>,
    range: &Range<usize>,
    place: impl Fn(usize) -> Option<(Range<usize>, Looser)>,
    hashed: impl Iterator<Item = (usize, u64)>,
    shown: impl FnOnce() -> String,
    suffixes: &[&str],
) -> Option<Tolerances> {
    let numbers = numbers(tokens, range, place);
    if numbers.is_empty() {
        return None;
    }
    let mut sequence = Sequence::default();
    for (at, hash) in hashed {
        let is_number = numbers.binary_search_by_key(&at, |(number, _)| *number).is_ok();
        sequence.push(if is_number { PLACEHOLDER } else { hash });
    }
    Some(Tolerances {
        line: tokens.line(range.start),
        text: shown(),
        hash_without_numbers: sequence.finish(),
        numbers: numbers
            .into_iter()
            .filter_map(|(at, looser)| number(tokens.text(at), suffixes).map(|number| (number, looser)))
            .collect(),
    })
}

/// The numbers in a statement that loosen it when they move, in order.
fn numbers(
    tokens: &Tokens<'_>,
    range: &Range<usize>,
    place: impl Fn(usize) -> Option<(Range<usize>, Looser)>,
) -> Vec<(usize, Looser)> {
    let mut numbers = Vec::new();
    // Such words may be nested in the values of others: what was searched is not searched for more of them. Else a
    // statement of such words would cost the square of its length.
    let mut searched = range.start..range.start;
    for at in range.clone() {
        if searched.contains(&at) || !tokens.word(at) {
            continue;
        }
        let Some((place, looser)) = place(at) else {
            continue;
        };
        searched = place.start..place.end.min(range.end);
        let found = searched
            .clone()
            .filter(|at| tokens.kind(*at) == Some(Kind::Number));
        numbers.extend(found.map(|number| (number, looser)));
    }
    // The place of a word may lie behind those of the words after it: `abs(round(x, 2)) < 0.1`.
    numbers.sort_by_key(|(at, _)| *at);
    numbers.dedup_by_key(|(at, _)| *at);
    numbers
}

/// The value of a number: decimal or with a radix, without separators and type.
fn number(text: &[u8], suffixes: &[&str]) -> Option<f64> {
    let plain = std::str::from_utf8(text)
        .ok()?
        .replace('_', "")
        .to_ascii_lowercase();
    let radix = match plain.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    // `0x1f32` has no type behind it.
    let is_digits = |suffix: &str| suffix.chars().all(|digit| digit.is_digit(radix));
    let suffix = suffixes
        .iter()
        .find(|suffix| plain.ends_with(**suffix) && !is_digits(suffix));
    let digits = &plain[..plain.len() - suffix.map_or(0, |suffix| suffix.len())];
    if radix == 10 {
        return digits.parse().ok();
    }
    // `0x1p-2` is a quarter.
    let (whole, power) = digits[2..].split_once('p').unwrap_or((&digits[2..], "0"));
    let whole = u128::from_str_radix(whole, radix).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "only compared with other such numbers")]
    Some(whole as f64 * f64::powi(2.0, power.parse().ok()?))
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::structure::lexer::Token;

    /// Words and numbers between spaces.
    fn tokens(source: &str) -> Tokens<'_> {
        let mut end = 0;
        let list = source.split(' ').zip(0..).map(|(text, mate)| {
            let start = end;
            end = start + u32::try_from(text.len()).unwrap() + 1;
            Token {
                start,
                end: end - 1,
                mate,
                kind: if number(text.as_bytes(), &[]).is_some() {
                    Kind::Number
                } else {
                    Kind::Word
                },
            }
        });
        let list = list.collect();
        Tokens::new(source.as_bytes(), list)
    }

    #[test]
    fn what_was_searched_is_not_searched_again() {
        let source = format!("{}1", "timeout ".repeat(1000));
        let tokens = tokens(&source);
        let places = Cell::new(0);
        let found = numbers(&tokens, &(0..1001), |at| {
            places.set(places.get() + 1);
            Some((at + 1..1001, Looser::Greater))
        });
        assert_eq!((found, places.get()), (vec![(1000, Looser::Greater)], 1));
    }

    #[test]
    fn a_place_behind_those_of_later_words_keeps_the_order() {
        let tokens = tokens("abs round 2 end 0.1");
        let found = numbers(&tokens, &(0..5), |at| match at {
            0 => Some((4..5, Looser::Greater)),
            1 => Some((2..3, Looser::Smaller)),
            _ => None,
        });
        assert_eq!(found, [(2, Looser::Smaller), (4, Looser::Greater)]);
    }

    #[test]
    fn numbers_of_all_radixes() {
        let rust = ["f32", "u8", "i64"];
        for (text, value) in [
            ("1_000", Some(1000.0)),
            ("1e-6", Some(1e-6)),
            ("1E3", Some(1000.0)),
            ("5u8", Some(5.0)),
            ("0.5f32", Some(0.5)),
            ("0x10", Some(16.0)),
            ("0XfFu8", Some(255.0)),
            ("0x1f32", Some(7986.0)),
            ("0b101", Some(5.0)),
            ("0o17i64", Some(15.0)),
            ("0x1p-2", Some(0.25)),
            ("0x", None),
            ("x", None),
            ("é", None),
        ] {
            assert_eq!(number(text.as_bytes(), &rust), value, "{text}");
        }
        assert_eq!(number(b"500n", &["n"]), Some(500.0));
    }
}
