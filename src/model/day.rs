//! A day of the calendar: how long a waiver lasts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day of the calendar, UTC, as `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    date: u8,
}

/// Not a day of the calendar as `YYYY-MM-DD`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a day as YYYY-MM-DD")]
pub struct ParseDayError;

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        fn number(digits: &[u8]) -> Option<u16> {
            digits.iter().try_fold(0, |number: u16, digit| {
                digit
                    .is_ascii_digit()
                    .then(|| number * 10 + u16::from(digit - b'0'))
            })
        }
        let parse = || {
            let text: &[u8; 10] = text.as_bytes().try_into().ok()?;
            if text[4] != b'-' || text[7] != b'-' {
                return None;
            }
            let year = number(&text[..4])?;
            let month = u8::try_from(number(&text[5..7])?).ok()?;
            let day = u8::try_from(number(&text[8..])?).ok()?;
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
                4 | 6 | 9 | 11 => 30,
                2 => 28 + u8::from(leap),
                _ => return None,
            };
            (1..=days).contains(&day).then_some(Self {
                year,
                month,
                date: day,
            })
        };
        parse().ok_or(ParseDayError)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.date)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days_of_the_calendar() {
        for day in ["2024-02-29", "2026-12-31", "2000-02-29"] {
            assert_eq!(day.parse::<Day>().unwrap().to_string(), day);
        }
        for no_day in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-1-01",
            "2026-01-00",
            "+026-01-01",
            "",
        ] {
            assert_eq!(no_day.parse::<Day>(), Err(ParseDayError), "{no_day}");
        }
        assert!("2026-12-31".parse::<Day>().unwrap() < "2027-01-01".parse::<Day>().unwrap());
    }
}
