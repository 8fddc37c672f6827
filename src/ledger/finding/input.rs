//! The forms in which findings are given: a JSON list, an object with `findings` and `issues`, or single fields.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

use super::refusal::{Reason, Refusal};

/// What an issue of the older form says should be: such issues only say what is.
const EXPECTED_OF_ISSUES: &str = "the change meets its acceptance criteria";

/// The entries of one call, not yet judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    pub(super) entries: Vec<Entry>,
    /// Faults of the form; with any, the entries do not count.
    pub(super) faults: Vec<Refusal>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    place: Place,
    /// `None`: the entry is not an object.
    pub(super) members: Option<Vec<(String, Value)>>,
}

/// Where an entry stood.
#[derive(Debug, Clone, PartialEq)]
enum Place {
    /// In the list of findings, counted from 0.
    Finding(usize),
    /// In the list of issues, counted from 0: it has no fields of its own that could be named.
    Issue(usize),
}

impl Entry {
    pub(super) fn refusal(&self, field: Option<&str>, reason: Reason) -> Refusal {
        match self.place {
            Place::Finding(index) => Refusal {
                index: Some(index),
                field: field.map(str::to_owned),
                reason,
            },
            Place::Issue(index) => Refusal::of_call(Some(&format!("issues[{index}]")), reason),
        }
    }
}

impl Input {
    /// One finding from single fields, as given by flags.
    pub fn one(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let members = fields
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        Self {
            entries: vec![Entry {
                place: Place::Finding(0),
                members: Some(members),
            }],
            faults: Vec::new(),
        }
    }

    /// Reads `[…]`, or `{"findings": […], "issues": […]}` with at least one of the two.
    ///
    /// The texts of `issues` become major findings without file, placed after `findings`; blank ones are dropped.
    pub fn from_json(text: &str) -> Self {
        let mut input = Self {
            entries: Vec::new(),
            faults: Vec::new(),
        };
        match serde_json::from_str::<Json>(text) {
            Err(_) => input.fault(None, Reason::NotJson),
            Ok(Json::Array(entries)) => input.findings(entries),
            Ok(Json::Object(members)) => input.lists(members),
            Ok(Json::Scalar(_)) => input.fault(None, Reason::NotAList),
        }
        input
    }

    /// How many findings are given.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no finding is given.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn fault(&mut self, field: Option<&str>, reason: Reason) {
        self.faults.push(Refusal::of_call(field, reason));
    }

    fn lists(&mut self, members: Vec<(String, Json)>) {
        let (mut findings, mut issues) = (None, None);
        for (key, value) in members {
            let list = match key.as_str() {
                "findings" => &mut findings,
                "issues" => &mut issues,
                _ => {
                    self.fault(Some(&key), Reason::UnknownField);
                    continue;
                }
            };
            if list.is_some() {
                self.fault(Some(&key), Reason::DuplicateField);
            }
            *list = Some(match value {
                Json::Array(entries) => entries,
                // Null is absent, as everywhere.
                Json::Scalar(Value::Null) => Vec::new(),
                Json::Object(_) | Json::Scalar(_) => {
                    self.fault(Some(&key), Reason::NotAList);
                    Vec::new()
                }
            });
        }
        self.findings(findings.unwrap_or_default());
        self.issues(issues.unwrap_or_default());
    }

    fn findings(&mut self, entries: Vec<Json>) {
        for (entry, index) in entries.into_iter().zip(0..) {
            let members = match entry {
                Json::Object(members) => Some(
                    members
                        .into_iter()
                        .map(|(key, value)| (key, value.into_value()))
                        .collect(),
                ),
                Json::Array(_) | Json::Scalar(_) => None,
            };
            self.entries.push(Entry {
                place: Place::Finding(index),
                members,
            });
        }
    }

    fn issues(&mut self, issues: Vec<Json>) {
        for (issue, index) in issues.into_iter().zip(0..) {
            let actual = issue.into_value();
            if actual.as_str().is_some_and(|text| text.trim().is_empty()) {
                continue;
            }
            let members = vec![
                ("severity".to_owned(), "major".into()),
                ("expected".to_owned(), EXPECTED_OF_ISSUES.into()),
                (
                    "actual".to_owned(),
                    if actual.is_null() {
                        Value::Bool(false)
                    } else {
                        actual
                    },
                ),
            ];
            self.entries.push(Entry {
                place: Place::Issue(index),
                members: Some(members),
            });
        }
    }
}

/// JSON that keeps every member of an object, so that a key given twice is seen and not silently the last one.
enum Json {
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
    Scalar(Value),
}

impl Json {
    fn into_value(self) -> Value {
        match self {
            Self::Object(members) => members
                .into_iter()
                .map(|(key, value)| (key, value.into_value()))
                .collect(),
            Self::Array(items) => items.into_iter().map(Self::into_value).collect(),
            Self::Scalar(value) => value,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyJson;
        impl<'de> Visitor<'de> for AnyJson {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Scalar(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Scalar(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Scalar(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
                Ok(Json::Scalar(
                    Number::from_f64(value).map_or(Value::Null, Value::Number),
                ))
            }

            fn visit_str<E>(self, value: &str) -> Result<Json, E> {
                Ok(Json::Scalar(value.into()))
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Scalar(Value::Null))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
                let mut array = Vec::new();
                while let Some(item) = items.next_element()? {
                    array.push(item);
                }
                Ok(Json::Array(array))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
                let mut object = Vec::new();
                while let Some(member) = members.next_entry()? {
                    object.push(member);
                }
                Ok(Json::Object(object))
            }
        }
        deserializer.deserialize_any(AnyJson)
    }
}
