//! Reads the values of one TOML table: every key must be known, every value of its type and within its bounds.

use std::ops::RangeInclusive;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{FaultAt, nearest, shown};
use crate::model::words::Word;

/// The most entries of any list.
pub(super) const MAX_ENTRIES: usize = 1000;
/// The longest text, in bytes.
const MAX_TEXT: usize = 1024;

pub(super) type Result<T> = std::result::Result<T, FaultAt>;

/// A value with the place where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<T> {
    pub(super) offset: usize,
    pub(super) value: T,
}

/// One table of the file.
pub(super) struct Table<'a> {
    entries: &'a DeTable<'a>,
    /// Where the table begins, for faults about keys that are not there.
    offset: usize,
    /// As it is written: `[sync]`, or `the file` for the top level.
    name: &'static str,
}

impl<'a> Table<'a> {
    /// Takes a table whose keys must all be among `known`.
    pub(super) fn new(
        entries: &'a DeTable<'a>,
        offset: usize,
        name: &'static str,
        known: &'static [&'static str],
    ) -> Result<Self> {
        Self::with(entries, offset, name, known.iter().copied(), |_| false)
    }

    /// Takes a table whose keys are among `known`, or pass the test.
    pub(super) fn with(
        entries: &'a DeTable<'a>,
        offset: usize,
        name: &'static str,
        known: impl Iterator<Item = &'static str> + Clone,
        also: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        let unknown = entries
            .keys()
            .filter(|key| !known.clone().any(|one| one == key.get_ref().as_ref()) && !also(key.get_ref()))
            // The map is sorted by key; the first in the file is named.
            .min_by_key(|key| key.span().start);
        if let Some(key) = unknown {
            let word = key.get_ref();
            return Err(FaultAt {
                offset: key.span().start,
                message: format!("unknown key `{}` in {name}", shown(word)),
                nearest: nearest(word, known),
            });
        }
        Ok(Self {
            entries,
            offset,
            name,
        })
    }

    fn entry(&self, key: &str) -> Option<At<&'a DeValue<'a>>> {
        self.entries.get(key).map(at)
    }

    /// A key that must be there.
    pub(super) fn required<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| FaultAt::new(self.offset, format!("{} needs the key `{key}`", self.name)))
    }

    /// A text of at most 1,024 bytes without control characters.
    pub(super) fn text(&self, key: &str) -> Result<Option<At<String>>> {
        self.entry(key).map(|value| text_of(&value, key)).transpose()
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<At<String>>>> {
        let Some(entries) = self.list(key)? else {
            return Ok(None);
        };
        entries
            .iter()
            .map(|entry| text_of(entry, key))
            .collect::<Result<_>>()
            .map(Some)
    }

    /// A list of anything.
    fn list(&self, key: &str) -> Result<Option<Vec<At<&'a DeValue<'a>>>>> {
        let Some(value) = self.entry(key) else {
            return Ok(None);
        };
        let DeValue::Array(entries) = value.value else {
            return Err(wrong_type(&value, key, "a list"));
        };
        if entries.len() > MAX_ENTRIES {
            return Err(FaultAt::new(
                value.offset,
                format!("`{key}` has more than {MAX_ENTRIES} entries"),
            ));
        }
        Ok(Some(entries.iter().map(at).collect()))
    }

    /// One of the words of an enum, or its default.
    pub(super) fn word<T: Word>(&self, key: &str, default: T) -> Result<T> {
        self.text(key)?.map_or(Ok(default), |text| word_of(&text, key))
    }

    /// A list of words of an enum.
    pub(super) fn words<T: Word>(&self, key: &str) -> Result<Option<Vec<T>>> {
        let Some(texts) = self.texts(key)? else {
            return Ok(None);
        };
        texts
            .iter()
            .map(|text| word_of(text, key))
            .collect::<Result<_>>()
            .map(Some)
    }

    /// A whole number within bounds, or its default.
    pub(super) fn number(&self, key: &str, bounds: RangeInclusive<u32>, default: u32) -> Result<u32> {
        let Some(value) = self.entry(key) else {
            return Ok(default);
        };
        let DeValue::Integer(digits) = value.value else {
            return Err(wrong_type(&value, key, "a whole number"));
        };
        i64::from_str_radix(digits.as_str(), digits.radix())
            .ok()
            .and_then(|number| u32::try_from(number).ok())
            .filter(|number| bounds.contains(number))
            .ok_or_else(|| {
                FaultAt::new(
                    value.offset,
                    format!("`{key}` is a number from {} to {}", bounds.start(), bounds.end()),
                )
            })
    }

    /// `true` or `false`, or its default.
    pub(super) fn flag(&self, key: &str, default: bool) -> Result<bool> {
        match self.entry(key) {
            None => Ok(default),
            Some(At {
                value: DeValue::Boolean(flag),
                ..
            }) => Ok(*flag),
            Some(value) => Err(wrong_type(&value, key, "true or false")),
        }
    }

    /// A number of seconds such as `"60s"`, from one second to one day, or its default.
    pub(super) fn duration(&self, key: &str, default: Duration) -> Result<Duration> {
        let Some(text) = self.text(key)? else {
            return Ok(default);
        };
        text.value
            .strip_suffix('s')
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|digits| digits.parse::<u64>().ok())
            .filter(|seconds| (1..=86_400).contains(seconds))
            .map(Duration::from_secs)
            .ok_or_else(|| {
                FaultAt::new(
                    text.offset,
                    format!("`{key}` is a number of seconds such as \"60s\", at most \"86400s\""),
                )
            })
    }

    /// The table under a key: `None` where there is none.
    pub(super) fn table(&self, key: &str) -> Result<Option<At<&'a DeTable<'a>>>> {
        match self.entry(key) {
            None => Ok(None),
            Some(At {
                offset,
                value: DeValue::Table(table),
            }) => Ok(Some(At { offset, value: table })),
            Some(value) => Err(wrong_type(&value, key, "a table")),
        }
    }

    /// The tables under a key that may be repeated, in file order; at most `max`.
    pub(super) fn tables(&self, key: &str, max: usize) -> Result<Vec<At<&'a DeTable<'a>>>> {
        let Some(entries) = self.list(key)? else {
            return Ok(Vec::new());
        };
        if let Some(over) = entries.get(max) {
            return Err(FaultAt::new(
                over.offset,
                format!("more than {max} tables `{key}`"),
            ));
        }
        entries
            .into_iter()
            .map(|entry| match entry.value {
                DeValue::Table(table) => Ok(At {
                    offset: entry.offset,
                    value: table,
                }),
                _ => Err(wrong_type(&entry, key, "a list of tables")),
            })
            .collect()
    }

    /// All keys, sorted.
    pub(super) fn keys(&self) -> impl Iterator<Item = At<&'a str>> {
        self.entries.keys().map(|key| At {
            offset: key.span().start,
            value: key.get_ref().as_ref(),
        })
    }

    /// Where a key's value stands; the table's place if it is not there.
    pub(super) fn offset_of(&self, key: &str) -> usize {
        self.entry(key).map_or(self.offset, |value| value.offset)
    }
}

fn at<'a>(value: &'a Spanned<DeValue<'a>>) -> At<&'a DeValue<'a>> {
    At {
        offset: value.span().start,
        value: value.get_ref(),
    }
}

fn text_of(value: &At<&DeValue<'_>>, key: &str) -> Result<At<String>> {
    let DeValue::String(text) = value.value else {
        return Err(wrong_type(value, key, "a text"));
    };
    if text.len() > MAX_TEXT {
        return Err(FaultAt::new(
            value.offset,
            format!("a text of `{key}` has more than {MAX_TEXT} bytes"),
        ));
    }
    if let Some(control) = text.chars().find(|c| c.is_control()) {
        return Err(FaultAt::new(
            value.offset,
            format!(
                "a text of `{key}` holds the control character {}",
                shown(&control.to_string())
            ),
        ));
    }
    Ok(At {
        offset: value.offset,
        value: text.clone().into_owned(),
    })
}

fn word_of<T: Word>(text: &At<String>, key: &str) -> Result<T> {
    choose(text, key, T::all().iter().map(|word| (word.word(), *word)))
}

/// The choice that a text names.
pub(super) fn choose<T>(
    text: &At<String>,
    key: &str,
    choices: impl Iterator<Item = (&'static str, T)>,
) -> Result<T> {
    let mut words = Vec::new();
    for (word, value) in choices {
        if word == text.value {
            return Ok(value);
        }
        words.push(word);
    }
    let list = if words.len() > 12 {
        String::new()
    } else {
        format!("; known are {}", words.join(", "))
    };
    Err(FaultAt {
        offset: text.offset,
        message: format!("unknown value \"{}\" for `{key}`{list}", shown(&text.value)),
        nearest: nearest(&text.value, words.into_iter()),
    })
}

fn wrong_type(value: &At<&DeValue<'_>>, key: &str, wanted: &str) -> FaultAt {
    FaultAt::new(
        value.offset,
        format!("`{key}` is {wanted}, not {}", type_name(value.value)),
    )
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
