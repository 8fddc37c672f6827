//! The number of a defect in the registry of a spec.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// `SR-` and a number from 1, padded to three digits; ordered by the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SrId(pub u32);

/// A text that is not an id as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not SR- and a number of at least three digits")]
pub struct NotAnId;

impl fmt::Display for SrId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("SR-{:03}", self.0))
    }
}

impl FromStr for SrId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let number = text.strip_prefix("SR-").ok_or(NotAnId)?;
        let id = Self(number.parse().map_err(|_| NotAnId)?);
        // One spelling for each id, so that ids can be compared as texts too.
        (id.0 > 0 && id.to_string() == text).then_some(id).ok_or(NotAnId)
    }
}

impl Serialize for SrId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SrId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| de::Error::custom(format_args!("{text:?} is not an id such as SR-001")))
    }
}

#[cfg(test)]
mod tests {
    use super::SrId;

    #[test]
    fn an_id_has_one_spelling() {
        for text in ["SR-001", "SR-999", "SR-1000"] {
            assert_eq!(text.parse::<SrId>().unwrap().to_string(), text);
        }
        for text in [
            "SR-1",
            "SR-0001",
            "SR-000",
            "SR-+01",
            "sr-001",
            "SR-001 ",
            "SR-99999999999",
        ] {
            assert!(text.parse::<SrId>().is_err(), "{text}");
        }
        assert!(SrId(1000) > SrId(999));
    }
}
