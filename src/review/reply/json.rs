//! JSON as it stands, keys that are there twice included, at most 64 deep.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::Fault;

/// How deep a reply may be nested.
const MAX_DEPTH: usize = 64;

/// How many keys that are there twice are named.
const MAX_REPEATED: usize = 100;

/// The most characters of a key in a pointer.
const MAX_KEY: usize = 100;

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    /// No field of a reply is a number, so its value does not matter.
    Number,
    Text(String),
    List(Vec<Node>),
    /// In the order of the document.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Reads a whole text.
    pub(super) fn parse(text: &str) -> serde_json::Result<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let node = Seed { depth: 0 }.deserialize(&mut reader)?;
        reader.end()?;
        Ok(node)
    }

    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member of an object with this key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// What it is, in words.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// The keys that stand twice in one object, here or anywhere below: which of the two counts is anyone's guess.
    pub(super) fn repeated(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.find_repeated(&mut Vec::new(), &mut faults);
        faults
    }

    /// Pointers are made for faults only, and for few of them: a long key over a long list would be written out for
    /// each of its items.
    fn find_repeated<'a>(&'a self, path: &mut Vec<Step<'a>>, faults: &mut Vec<Fault>) {
        match self {
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    path.push(Step::Index(index));
                    item.find_repeated(path, faults);
                    path.pop();
                }
            }
            Self::Object(members) => {
                let mut seen = BTreeSet::new();
                for (key, value) in members {
                    path.push(Step::Key(key));
                    if !seen.insert(key.as_str()) && faults.len() < MAX_REPEATED {
                        faults.push(Fault {
                            at: path.iter().fold(String::new(), |at, step| match step {
                                Step::Index(index) => format!("{at}/{index}"),
                                Step::Key(key) => pointer(&at, key),
                            }),
                            what: "stands there twice".to_owned(),
                        });
                    }
                    value.find_repeated(path, faults);
                    path.pop();
                }
            }
            Self::Null | Self::Bool(_) | Self::Number | Self::Text(_) => {}
        }
    }
}

/// One step of a pointer.
enum Step<'a> {
    Index(usize),
    Key(&'a str),
}

/// The JSON pointer of a member; a key that is very long is cut in it.
pub(super) fn pointer(at: &str, key: &str) -> String {
    let key = match key.char_indices().nth(MAX_KEY) {
        Some((end, _)) => format!("{}…", &key[..end]),
        None => key.to_owned(),
    };
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
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

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Number)
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Number)
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
    fn keys_that_are_there_twice_are_found_at_any_depth() {
        let node = Node::parse(r#"{"a":[{"b/c":1,"b/c":2}],"a":null}"#).unwrap();
        let faults = node.repeated();
        let at: Vec<_> = faults.iter().map(|fault| fault.at.as_str()).collect();
        assert_eq!(at, ["/a/0/b~1c", "/a"]);
    }
}
