//! What a document may hold, as a table: one definition for the reader and for the JSON Schema.

use serde_json::{Map, Number, Value, json};

use crate::model::json::{Node, dotted};

/// The largest count: doubles are exact up to here.
const MAX_COUNT: u64 = (1 << 53) - 1;

/// The most faults that one message lists.
const MAX_LISTED: usize = 20;

/// The most keys that are named as unknown.
const MAX_UNKNOWN: usize = 1000;

/// What a value must be.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// An integral value from 0 to 2^53−1, however it is written.
    Count,
    /// The same from 1.
    Positive,
    /// A finite number of at least 0.
    Number,
    /// `true` or `false`.
    Flag,
    /// A text that is not empty.
    Text,
    /// Any text.
    AnyText,
    /// So many hex digits, upper or lower case.
    Hex(usize, usize),
    /// So many hex digits, lower case.
    LowerHex(usize),
    /// `owner/name`.
    OwnerName,
    /// Lower-case letters, digits and `-`.
    Slug,
    /// Exactly this number.
    Version(u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// An object with these members.
    Object(&'static [Member]),
    /// An object whose member `0` says which of these members it has.
    Tagged(&'static str, &'static [(&'static str, &'static [Member])]),
    /// A list.
    List(&'static Shape),
    /// A list with at least one item.
    Some(&'static Shape),
    /// The value, or null where it is not known.
    OrNull(&'static Shape),
    /// Read by somebody else.
    Any,
}

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its key.
    pub key: &'static str,
    /// Whether it may be left out.
    pub is_required: bool,
    /// What it must be.
    pub shape: Shape,
}

/// A member that must be there.
pub const fn must(key: &'static str, shape: Shape) -> Member {
    Member {
        key,
        is_required: true,
        shape,
    }
}

/// A member that may be left out.
pub const fn may(key: &'static str, shape: Shape) -> Member {
    Member {
        key,
        is_required: false,
        shape,
    }
}

/// What is wrong with a document, in the order of the table.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// One sentence each, beginning with the path of the value.
    pub wrong: Vec<String>,
    /// The paths of members that the table does not have.
    unknown: Vec<String>,
}

impl Faults {
    /// The members that the table does not have, as `unknown key <path>`, sorted by bytes.
    pub fn unknown(&self) -> Vec<String> {
        let mut paths = self.unknown.clone();
        paths.sort();
        let more = paths.len().saturating_sub(MAX_UNKNOWN);
        paths.truncate(MAX_UNKNOWN);
        let mut lines: Vec<String> = paths
            .into_iter()
            .map(|path| format!("unknown key {path}"))
            .collect();
        if more > 0 {
            lines.push(format!("unknown keys: {more} more"));
        }
        lines
    }

    /// The members that the table does not have are faults too.
    pub fn refuse_unknown(&mut self) {
        let unknown = self.unknown();
        self.wrong.extend(unknown);
        self.unknown.clear();
    }

    /// One sentence about all of it.
    pub fn sentence(&self) -> String {
        sentence(&self.wrong)
    }

    fn add(&mut self, path: &str, what: &str) {
        self.wrong.push(format!("{path} {what}"));
    }
}

/// Faults, the first twenty of them.
pub fn sentence(faults: &[String]) -> String {
    faults[..faults.len().min(MAX_LISTED)].join("; ")
}

/// Reads a text as one JSON document whose objects have each key once; `name` is how people call it.
pub fn parse(bytes: &[u8], name: &str) -> Result<Node, String> {
    let invalid = |why: String| format!("{name}: not valid JSON: {why}");
    let text = std::str::from_utf8(bytes)
        .map_err(|fault| invalid(format!("byte {} is not UTF-8", fault.valid_up_to())))?;
    if text.starts_with('\u{feff}') {
        return Err(invalid("it begins with a byte order mark".to_owned()));
    }
    let node = Node::parse(text).map_err(|fault| invalid(fault.to_string()))?;
    let twice: Vec<String> = node
        .repeated()
        .iter()
        .map(|place| format!("{name}: duplicate key {}", place.dotted()))
        .collect();
    if twice.is_empty() {
        Ok(node)
    } else {
        Err(sentence(&twice))
    }
}

/// Checks the root of a document; an object whose members are all known comes back, counts written as integers.
pub fn check_root(
    node: &Node,
    members: &'static [Member],
    name: &str,
    faults: &mut Faults,
) -> Map<String, Value> {
    if matches!(node, Node::Object(_)) {
        object(node, members, "", faults)
    } else {
        faults.add(name, Shape::Object(members).wanted());
        Map::new()
    }
}

/// Checks a value; `None` where it is wrong.
pub fn check(node: &Node, shape: &Shape, path: &str, faults: &mut Faults) -> Option<Value> {
    let value = match (shape, node) {
        (Shape::Object(members), Node::Object(_)) => Some(Value::Object(object(node, members, path, faults))),
        (Shape::Tagged(key, variants), Node::Object(_)) => {
            Some(Value::Object(tagged(node, (key, variants), path, faults)))
        }
        (Shape::List(item) | Shape::Some(item), Node::List(items))
            if !(items.is_empty() && matches!(shape, Shape::Some(_))) =>
        {
            Some(Value::Array(list(items, item, path, faults)))
        }
        (Shape::OrNull(_), Node::Null) | (Shape::Any, _) => Some(Value::Null),
        (Shape::OrNull(shape), _) => return check(node, shape, path, faults),
        _ => scalar(node, shape),
    };
    if value.is_none() {
        faults.add(path, &shape.fault());
    }
    value
}

fn object(node: &Node, members: &[Member], path: &str, faults: &mut Faults) -> Map<String, Value> {
    let mut known = Map::new();
    for member in members {
        let at = dotted(path, member.key);
        match node.get(member.key) {
            Some(value) => {
                if let Some(value) = check(value, &member.shape, &at, faults) {
                    known.insert(member.key.to_owned(), value);
                }
            }
            None if member.is_required => faults.add(&at, &member.shape.fault()),
            None => {}
        }
    }
    for (key, _) in node.members() {
        if !members.iter().any(|member| member.key == key) {
            faults.unknown.push(dotted(path, key));
        }
    }
    known
}

fn tagged(
    node: &Node,
    (key, variants): (&str, &[(&'static str, &'static [Member])]),
    path: &str,
    faults: &mut Faults,
) -> Map<String, Value> {
    let tag = node.get(key).and_then(Node::text);
    if let Some((_, members)) = variants.iter().find(|(word, _)| Some(*word) == tag) {
        return object(node, members, path, faults);
    }
    let words: Vec<&str> = variants.iter().map(|(word, _)| *word).collect();
    faults.add(&dotted(path, key), &one_of(&words));
    // Which members it must have is not known; those that it has are checked all the same.
    let optional: Vec<Member> = variants[0]
        .1
        .iter()
        .map(|member| {
            if member.key == key {
                may(member.key, Shape::Any)
            } else {
                may(member.key, member.shape)
            }
        })
        .collect();
    object(node, &optional, path, faults)
}

fn list(items: &[Node], item: &Shape, path: &str, faults: &mut Faults) -> Vec<Value> {
    let checked = items
        .iter()
        .enumerate()
        .map(|(index, node)| check(node, item, &format!("{path}[{index}]"), faults).unwrap_or(Value::Null));
    checked.collect()
}

fn scalar(node: &Node, shape: &Shape) -> Option<Value> {
    match (shape, node) {
        (Shape::Count, Node::Number(number)) => count(number).map(Value::from),
        (Shape::Positive, Node::Number(number)) => count(number).filter(|count| *count > 0).map(Value::from),
        (Shape::Version(version), Node::Number(number)) => {
            count(number).filter(|count| count == version).map(Value::from)
        }
        (Shape::Number, Node::Number(number)) => {
            let fits = number
                .as_f64()
                .is_some_and(|value| value.is_finite() && value >= 0.0);
            fits.then(|| Value::Number(number.clone()))
        }
        (Shape::Flag, Node::Bool(flag)) => Some(Value::Bool(*flag)),
        (_, Node::Text(text)) => shape.takes(text).then(|| Value::String(text.clone())),
        _ => None,
    }
}

/// The value of a number that is a count.
pub fn count(number: &Number) -> Option<u64> {
    if let Some(value) = number.as_u64() {
        return (value <= MAX_COUNT).then_some(value);
    }
    let value = number.as_f64()?;
    let is_count = value.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&value);
    // Within this range the conversion is exact.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be an integral value in range"
    )]
    is_count.then_some(value as u64)
}

/// A finite number as it is written: integral values without a fraction.
pub fn number(value: f64) -> Value {
    let number = Number::from_f64(value).expect("measurements are finite");
    count(&number).map_or(Value::Number(number), Value::from)
}

fn one_of(words: &[&str]) -> String {
    format!("must be one of {}", words.join(", "))
}

impl Shape {
    fn takes(&self, text: &str) -> bool {
        match self {
            Self::Text => !text.is_empty(),
            Self::AnyText => true,
            Self::Hex(min, max) => is_hex(text, *min, *max),
            Self::LowerHex(length) => {
                is_hex(text, *length, *length) && !text.bytes().any(|byte| byte.is_ascii_uppercase())
            }
            Self::OwnerName => {
                let parts: Vec<&str> = text.split('/').collect();
                parts.len() == 2
                    && parts.iter().all(|part| {
                        !part.is_empty() && !part.chars().any(|c| c.is_whitespace() || c.is_control())
                    })
            }
            Self::Slug => {
                !text.is_empty()
                    && text
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            }
            Self::Word(words) => words.contains(&text),
            _ => false,
        }
    }

    /// What a value must be, as a sentence without its subject.
    fn fault(&self) -> String {
        match self {
            Self::Word(words) => one_of(words),
            Self::Hex(min, max) => format!("must be {min} to {max} hex digits"),
            Self::LowerHex(length) => format!("must be {length} lower-case hex digits"),
            Self::Version(version) => format!("must be {version}"),
            Self::OrNull(shape) => format!("{}, or null", shape.fault()),
            _ => self.wanted().to_owned(),
        }
    }

    const fn wanted(&self) -> &'static str {
        match self {
            Self::Count => "must be a non-negative integer",
            Self::Positive => "must be a positive integer",
            Self::Number => "must be a finite non-negative number",
            Self::Flag => "must be a boolean",
            Self::AnyText => "must be a string",
            Self::OwnerName => "must be owner/name",
            Self::Slug => "must be lower-case letters, digits and -",
            Self::Object(_) | Self::Tagged(..) => "must be an object",
            Self::List(_) => "must be a list",
            Self::Some(_) => "must be a list that is not empty",
            _ => "must be a non-empty string",
        }
    }

    /// The JSON Schema of the value.
    pub fn schema(&self) -> Value {
        match self {
            Self::Count => json!({"type": "integer", "minimum": 0, "maximum": MAX_COUNT}),
            Self::Positive => json!({"type": "integer", "minimum": 1, "maximum": MAX_COUNT}),
            Self::Number => json!({"type": "number", "minimum": 0}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Text => json!({"type": "string", "minLength": 1}),
            Self::AnyText => json!({"type": "string"}),
            Self::Hex(min, max) => {
                json!({"type": "string", "pattern": format!("^[0-9a-fA-F]{{{min},{max}}}$")})
            }
            Self::LowerHex(length) => {
                json!({"type": "string", "pattern": format!("^[0-9a-f]{{{length}}}$")})
            }
            Self::OwnerName => json!({"type": "string", "pattern": "^[^/\\s]+/[^/\\s]+$"}),
            Self::Slug => json!({"type": "string", "pattern": "^[a-z0-9-]+$"}),
            Self::Version(version) => json!({"const": version}),
            Self::Word(words) => json!({"type": "string", "enum": words}),
            Self::Object(members) => object_schema(members, None),
            Self::Tagged(key, variants) => {
                let alternatives: Vec<Value> = variants
                    .iter()
                    .map(|(word, members)| object_schema(members, Some((key, word))))
                    .collect();
                json!({"oneOf": alternatives})
            }
            Self::List(item) => json!({"type": "array", "items": item.schema()}),
            Self::Some(item) => json!({"type": "array", "items": item.schema(), "minItems": 1}),
            Self::OrNull(shape) => json!({"anyOf": [shape.schema(), {"type": "null"}]}),
            Self::Any => json!({"type": "object"}),
        }
    }
}

/// The JSON Schema of an object; in `tag` a member and the only value that it has.
fn object_schema(members: &[Member], tag: Option<(&str, &str)>) -> Value {
    let properties: Map<String, Value> = members
        .iter()
        .map(|member| {
            let schema = match tag {
                Some((key, word)) if key == member.key => json!({"const": word}),
                _ => member.shape.schema(),
            };
            (member.key.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = members
        .iter()
        .filter(|member| member.is_required)
        .map(|member| member.key)
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn is_hex(text: &str, min: usize, max: usize) -> bool {
    (min..=max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
