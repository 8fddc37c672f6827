//! Canonical JSON (RFC 8785) and the digests made of it: equal values give equal bytes, whoever writes them.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::ids::Digest;

/// The canonical text of a value that holds no number but integers within ±(2^53−1).
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    serde_json_canonicalizer::to_string(&value)
}

/// The SHA-256 of `domain` (which ends with a line feed) followed by the canonical text of `value`.
///
/// The domain keeps digests of different things apart, even where their JSON is equal.
pub fn digest<T: Serialize + ?Sized>(domain: &str, value: &T) -> serde_json::Result<Digest> {
    Ok(digest_of(&[domain.as_bytes(), to_text(value)?.as_bytes()]))
}

/// The SHA-256 of some pieces of bytes, one after the other.
pub fn digest_of(pieces: &[&[u8]]) -> Digest {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update(piece);
    }
    Digest(hash.finalize().into())
}
