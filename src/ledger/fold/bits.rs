//! A small set of numbers, of a size that the compiler turns into a few wide instructions.

/// The words of a set.
const WORDS: usize = 8;

/// A set of numbers below [`Bits::SIZE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits([u64; WORDS]);

impl Default for Bits {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl Bits {
    /// How many numbers there are.
    pub(super) const SIZE: usize = WORDS * 64;

    /// Puts one number in.
    pub(super) fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Puts all of `other` in.
    pub(super) fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// What both have.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for (word, other) in both.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        both
    }

    /// What only this one has.
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut rest = *self;
        for (word, other) in rest.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
        rest
    }

    /// Whether they have a number in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        !self.and(other).is_empty()
    }

    /// Whether no number is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Its numbers, ascending.
    pub(super) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..Self::SIZE).filter(|bit| self.0[bit / 64] & (1 << (bit % 64)) != 0)
    }
}
