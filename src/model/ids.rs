//! Identifiers that say what they identify: git objects, events, findings.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::{Serialize, Serializer};

/// The name of a git object, SHA-1 (40 hex digits) or SHA-256 (64 hex digits).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid {
    bytes: [u8; 32],
    len: u8,
}

impl Oid {
    /// Takes 20 or 32 raw bytes; `None` for any other length.
    pub fn from_bytes(raw: &[u8]) -> Option<Self> {
        if raw.len() != 20 && raw.len() != 32 {
            return None;
        }
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        let len = if raw.len() == 20 { 20 } else { 32 };
        Some(Self { bytes, len })
    }

    /// The raw bytes, 20 or 32 of them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether this is git's name for "no object".
    pub fn is_zero(&self) -> bool {
        self.as_bytes().iter().all(|byte| *byte == 0)
    }

    /// All digits in lower-case hex.
    pub fn to_hex(&self) -> String {
        hex(self.as_bytes())
    }

    /// The first 12 digits, for showing to people.
    pub fn short(&self) -> String {
        hex(&self.bytes[..6])
    }
}

/// Not 40 or 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an id of 40 or 64 lower-case hex digits")]
pub struct ParseIdError;

impl FromStr for Oid {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.len() {
            40 => unhex::<20>(text).and_then(|raw| Self::from_bytes(&raw)),
            64 => unhex::<32>(text).and_then(|raw| Self::from_bytes(&raw)),
            _ => None,
        }
        .ok_or(ParseIdError)
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// Ids are hex text in JSON. Both directions go by `Display` and `FromStr`, without a second copy of the text.
macro_rules! hex_in_json {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl Visitor<'_> for Text {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("lower-case hex digits")
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text).map_err(D::Error::custom)
            }
        }
    };
}

hex_in_json!(Oid);

macro_rules! object_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub Oid);

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        hex_in_json!($name);

        impl std::ops::Deref for $name {
            type Target = Oid;
            fn deref(&self) -> &Oid {
                &self.0
            }
        }
    };
}

object_id!(
    /// The id of a commit.
    CommitId
);
object_id!(
    /// The id of a tree.
    TreeId
);
object_id!(
    /// The id of a blob.
    BlobId
);

macro_rules! digest_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub [u8; 32]);

        impl $name {
            /// All 64 digits in lower-case hex.
            pub fn to_hex(&self) -> String {
                hex(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                unhex::<32>(text).map(Self).ok_or(ParseIdError)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.to_hex())
            }
        }

        hex_in_json!($name);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.to_hex())
            }
        }
    };
}

digest_id!(
    /// The id of a ledger event: SHA-256 over its canonical JSON.
    EventId
);
digest_id!(
    /// The identity of a finding: SHA-256 over what it says, see `model::finding`.
    FindingId
);
digest_id!(
    /// The SHA-256 of something that its field names: a goal, a reply, a change.
    Digest
);

impl FindingId {
    /// `F-` and the first 8 digits, as shown everywhere.
    pub fn short(&self) -> String {
        format!("F-{}", hex(&self.0[..4]))
    }
}

/// Lower-case hex digits of `bytes`.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// The `N` bytes that exactly `2 * N` lower-case hex digits stand for.
fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    fn digit(byte: u8) -> Option<u8> {
        match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        }
    }
    let text = text.as_bytes();
    if text.len() != N * 2 {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_ids_have_40_or_64_lower_case_digits() {
        let sha1 = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(sha1.parse::<Oid>().map(|id| id.to_hex()), Ok(sha1.to_owned()));
        assert_eq!("0".repeat(64).parse::<Oid>().map(|id| id.is_zero()), Ok(true));
        for wrong in [
            "",
            "0123",
            &sha1[1..],
            &sha1.to_uppercase(),
            &"g".repeat(40),
            &"é".repeat(20),
        ] {
            assert_eq!(wrong.parse::<Oid>(), Err(ParseIdError), "{wrong}");
        }
    }
}
