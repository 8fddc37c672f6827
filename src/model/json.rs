//! JSON as it stands: keys that are there twice included, numbers as written, at most 64 deep.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

/// How deep a document may be nested.
const MAX_DEPTH: usize = 64;

/// How many keys that are there twice are named.
const MAX_REPEATED: usize = 100;

/// The most characters of a key in a pointer or path.
const MAX_KEY: usize = 100;

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number within the range of doubles.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// In the order of the document.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Reads a whole text.
    pub fn parse(text: &str) -> serde_json::Result<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let node = Seed { depth: 0 }.deserialize(&mut reader)?;
        reader.end()?;
        Ok(node)
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member of an object with this key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// What it is, in words.
    pub fn what(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// The members of an object, in the order of the document; none where it is no object.
    pub fn members(&self) -> &[(String, Node)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Where the keys are that stand twice in one object, here or anywhere below: which of the two counts is anyone's
    /// guess. At most a hundred places.
    pub fn repeated(&self) -> Vec<Place<'_>> {
        let mut places = Vec::new();
        self.find_repeated(&mut Vec::new(), &mut places);
        places
    }

    /// Places are kept for faults only, and for few of them: a long way to a long list would be kept for each of its
    /// items.
    fn find_repeated<'a>(&'a self, path: &mut Vec<Step<'a>>, places: &mut Vec<Place<'a>>) {
        match self {
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    path.push(Step::Index(index));
                    item.find_repeated(path, places);
                    path.pop();
                }
            }
            Self::Object(members) => {
                let mut seen = BTreeSet::new();
                for (key, value) in members {
                    path.push(Step::Key(key));
                    if !seen.insert(key.as_str()) && places.len() < MAX_REPEATED {
                        places.push(Place(path.clone()));
                    }
                    value.find_repeated(path, places);
                    path.pop();
                }
            }
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) => {}
        }
    }
}

/// The way from the root of a document to one of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a>(Vec<Step<'a>>);

impl Place<'_> {
    /// As a JSON pointer.
    pub fn pointer(&self) -> String {
        self.0.iter().fold(String::new(), |at, step| match step {
            Step::Index(index) => format!("{at}/{index}"),
            Step::Key(key) => pointer(&at, key),
        })
    }

    /// As a dotted path, such as `reviews[3].title`.
    pub fn dotted(&self) -> String {
        self.0.iter().fold(String::new(), |at, step| match step {
            Step::Index(index) => format!("{at}[{index}]"),
            Step::Key(key) => dotted(&at, key),
        })
    }
}

/// One step of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'a> {
    Index(usize),
    Key(&'a str),
}

/// The JSON pointer of a member; a key that is very long is cut in it.
pub fn pointer(at: &str, key: &str) -> String {
    format!("{at}/{}", cut(key).replace('~', "~0").replace('/', "~1"))
}

/// The dotted path of a member; a key that is very long is cut in it.
pub fn dotted(at: &str, key: &str) -> String {
    let key = cut(key);
    if at.is_empty() { key } else { format!("{at}.{key}") }
}

fn cut(key: &str) -> String {
    match key.char_indices().nth(MAX_KEY) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    }
}

#[derive(Clone, Copy)]
struct Seed {
    depth: usize,
}

impl Seed {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth < MAX_DEPTH {
            Ok(Self {
                depth: self.depth + 1,
            })
        } else {
            Err(E::custom("nested over 64 deep"))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Node, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("number out of range"))?;
        Ok(Node::Number(number))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let seed = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(seed)? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
        let seed = self.deeper().map_err(A::Error::custom::<A::Error>)?;
        let mut object = Vec::new();
        while let Some(key) = members.next_key::<String>()? {
            object.push((key, members.next_value_seed(seed)?));
        }
        Ok(Node::Object(object))
    }
}

impl<'de> serde::Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Seed { depth: 0 }.deserialize(deserializer)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Node::parse(&nested(64)).is_ok());
        assert!(Node::parse(&nested(65)).is_err());
        let objects = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        assert!(Node::parse(&objects(64)).is_ok());
        assert!(Node::parse(&objects(65)).is_err());
    }

    #[test]
    fn numbers_are_kept_as_they_are_written_and_in_range() {
        let number = |text: &str| Node::parse(text).map(|node| node.what());
        for text in ["0", "-1", "10.0", "1e1", "18446744073709551616"] {
            assert_eq!(number(text).ok(), Some("a number"), "{text}");
        }
        for text in ["NaN", "1e999", "Infinity", "01", "+1", ".5"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_that_are_there_twice_are_found_at_any_depth() {
        let node = Node::parse(r#"{"a":[{"b/c":1,"b/c":2}],"a":null}"#).unwrap();
        let places = node.repeated();
        let at: Vec<_> = places.iter().map(Place::pointer).collect();
        assert_eq!(at, ["/a/0/b~1c", "/a"]);
        let at: Vec<_> = places.iter().map(Place::dotted).collect();
        assert_eq!(at, ["a[0].b/c", "a"]);
    }
}
