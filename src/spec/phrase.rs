//! The phrase that names a defect, and the key made of section and phrase.

use sha2::{Digest, Sha256};

use crate::model::ids::hex;
use crate::model::words::words;

/// The most words of a phrase.
const MAX_WORDS: usize = 10;

words! {
    /// Why a text is no phrase.
    BadPhrase {
        /// No word.
        Empty = "empty",
        /// More than ten words.
        TooLong = "too-long",
        /// More than one line.
        Newline = "newline",
    }
}

/// The phrase as it is stored: blanks and tabs folded to single spaces, nothing else changed.
pub fn phrase(text: &str) -> Result<String, BadPhrase> {
    if text.contains(['\n', '\r']) {
        return Err(BadPhrase::Newline);
    }
    let words: Vec<&str> = text.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    match words.len() {
        0 => Err(BadPhrase::Empty),
        1..=MAX_WORDS => Ok(words.join(" ")),
        _ => Err(BadPhrase::TooLong),
    }
}

/// The sha256 of slug, bar and phrase, in lower-case hex.
pub fn key(slug: &str, phrase: &str) -> String {
    hex(&Sha256::digest(format!("{slug}|{phrase}").as_bytes()))
}
