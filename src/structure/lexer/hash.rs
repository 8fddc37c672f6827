//! Hashes of tokens and of sequences of tokens: the same on every machine and in every run.

const SEED: u64 = 0x2d35_8dcc_aa6c_78a5;
const WORDS: u64 = 0x8bb8_4b93_962e_acc9;
const SEQUENCE: u64 = 0x4b33_a62e_d433_d4a3;

/// Stands for any token in a sequence whose own text must not count.
pub const PLACEHOLDER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies to 128 bits and folds both halves.
#[expect(clippy::cast_possible_truncation, reason = "folding keeps both halves")]
const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128) * (b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of one token's bytes.
#[inline]
pub fn token(bytes: &[u8]) -> u64 {
    // The length is spread over all bits: next to the bytes themselves it could be taken for one of them.
    let mut state = SEED ^ (bytes.len() as u64).wrapping_mul(PLACEHOLDER);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = fold(state ^ u64::from_le_bytes(*chunk), WORDS);
    }
    // The constant keeps a state equal to the last bytes from becoming zero, and zero from staying it.
    fold(state ^ rest_of(rest), WORDS) ^ PLACEHOLDER
}

/// Up to seven bytes as one number; equal only for equal bytes of the same number.
#[inline]
fn rest_of(rest: &[u8]) -> u64 {
    if let (Some(head), Some(tail)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        // They overlap where there are fewer than eight, which loses nothing.
        return u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << 32;
    }
    match (rest.first(), rest.get(rest.len() / 2), rest.last()) {
        (Some(first), Some(middle), Some(last)) => {
            u64::from(*first) | u64::from(*middle) << 8 | u64::from(*last) << 16
        }
        _ => 0,
    }
}

/// The hash of a text literal: a carriage return in front of a line feed does not count.
pub fn literal(bytes: &[u8]) -> u64 {
    if memchr::memchr(b'\r', bytes).is_none() {
        return token(bytes);
    }
    let mut plain = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    token(&plain)
}

/// One hash out of several that belong together in this order.
pub fn join(parts: &[u64]) -> u64 {
    let mut sequence = Sequence::default();
    for part in parts {
        sequence.push(*part);
    }
    sequence.finish()
}

/// Hashes a sequence of token hashes; order counts.
#[derive(Debug, Clone, Copy)]
pub struct Sequence {
    state: u64,
    count: u32,
}

impl Default for Sequence {
    fn default() -> Self {
        Self {
            state: SEED,
            count: 0,
        }
    }
}

impl Sequence {
    /// Adds the hash of the next token.
    #[inline]
    pub fn push(&mut self, token: u64) {
        self.state = fold(self.state ^ token, SEQUENCE) ^ token.rotate_left(23);
        self.count = self.count.saturating_add(1);
    }

    /// The hash of everything added.
    pub fn finish(&self) -> u64 {
        fold(self.state ^ u64::from(self.count), WORDS)
    }

    /// How many hashes were added.
    pub fn count(&self) -> u32 {
        self.count
    }
}

/// The hashes of the tokens of a body.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hashed {
    /// Of all tokens.
    pub plain: u64,
    /// Of all tokens, the name of the unit replaced by a placeholder wherever it stands.
    pub without_name: u64,
    /// How many tokens there are; marks are none.
    pub tokens: u32,
}

/// Hashes the tokens of a body one after the other, with and without the name of its unit.
#[derive(Debug, Default)]
pub struct Hasher {
    own: Option<u64>,
    plain: Sequence,
    /// Begins to differ at the first use of the name; most bodies have none.
    without_name: Option<Sequence>,
    tokens: u32,
}

impl Hasher {
    /// A hasher for the body of a unit whose name has the hash `own`.
    pub fn new(own: Option<u64>) -> Self {
        Self {
            own,
            ..Self::default()
        }
    }

    /// Adds a token.
    #[inline]
    pub fn token(&mut self, hash: u64) {
        self.tokens = self.tokens.saturating_add(1);
        if self.own == Some(hash) {
            self.without_name.get_or_insert(self.plain).push(PLACEHOLDER);
        } else if let Some(without_name) = &mut self.without_name {
            without_name.push(hash);
        }
        self.plain.push(hash);
    }

    /// Adds what is no token but tells bodies apart, as where a statement ends.
    #[inline]
    pub fn mark(&mut self, mark: u64) {
        self.plain.push(mark);
        if let Some(without_name) = &mut self.without_name {
            without_name.push(mark);
        }
    }

    /// The hashes of everything added.
    pub fn finish(self) -> Hashed {
        Hashed {
            plain: self.plain.finish(),
            without_name: self.without_name.unwrap_or(self.plain).finish(),
            tokens: self.tokens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_tell_tokens_and_orders_apart_and_forget_carriage_returns() {
        let words: Vec<u64> = ["", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "\0", "\0\0"]
            .iter()
            .map(|word| token(word.as_bytes()))
            .collect();
        for (at, word) in words.iter().enumerate() {
            assert!(!words[at + 1..].contains(word), "word {at}");
        }
        assert_ne!(join(&[words[1], words[2]]), join(&[words[2], words[1]]));
        assert_ne!(join(&[]), join(&[0]));
        assert_eq!(literal(b"\"a\r\nb\""), literal(b"\"a\nb\""));
        assert_ne!(literal(b"\"a\rb\""), literal(b"\"ab\""));
    }
}
