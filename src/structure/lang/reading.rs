//! What an assertion says, as the scanner of a language reads it, and how it becomes what is compared.

use std::ops::Range;

use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::outline::{Assertion, ExpectedError, Tolerances};
use crate::structure::vocabulary::EQUALITY;

/// What an assertion is about and how much it fixes. Ranges are of tokens.
#[derive(Default)]
pub(super) struct Reading {
    /// What it asks about.
    pub(super) subject: Option<Range<usize>>,
    /// How much of the outcome it fixes: one of the ranks of the vocabulary.
    pub(super) rank: u8,
    /// It always holds.
    pub(super) vacuous: bool,
    /// The expected literal.
    pub(super) expected: Option<Range<usize>>,
    /// The error that it expects.
    pub(super) error: Option<ExpectedError>,
}

impl Reading {
    /// Two operands that are compared: a literal is what is expected, and what is compared with itself always holds.
    pub(super) fn comparison(
        left: &Range<usize>,
        right: &Range<usize>,
        rank: u8,
        is_literal: impl Fn(Range<usize>) -> bool,
        hash: impl Fn(Range<usize>) -> u64,
    ) -> Self {
        let (subject, expected) = match (is_literal(left.clone()), is_literal(right.clone())) {
            (true, false) => (Some(right), Some(left)),
            (false, true) => (Some(left), Some(right)),
            (false, false) => (Some(left), None),
            (true, true) => (None, Some(right)),
        };
        Self {
            subject: subject.cloned(),
            rank,
            vacuous: rank == EQUALITY && !left.is_empty() && hash(left.clone()) == hash(right.clone()),
            expected: expected.cloned(),
            error: None,
        }
    }

    /// The assertion that was read: its text, its tokens that count with their hashes, and the hash of its subject.
    pub(super) fn assertion(
        self,
        text: String,
        tokens: impl Iterator<Item = (usize, u64)>,
        subject: Option<u64>,
        tolerances: Option<Tolerances>,
    ) -> Assertion {
        let mut plain = Sequence::default();
        let mut without_expected = Sequence::default();
        for (token, hash) in tokens {
            plain.push(hash);
            match &self.expected {
                Some(expected) if expected.contains(&token) => {
                    if token == expected.start {
                        without_expected.push(PLACEHOLDER);
                    }
                }
                _ => without_expected.push(hash),
            }
        }
        Assertion {
            line: 0,
            text,
            hash: plain.finish(),
            hash_without_expected: without_expected.finish(),
            vacuous: self.vacuous,
            subject,
            rank: self.rank,
            expects_error: self.error,
            swallowed: false,
            tolerances: tolerances.unwrap_or_default(),
        }
    }
}
