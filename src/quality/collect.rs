//! Puts an input together: what was computed, and what somebody else measured, unless the two disagree.

use serde_json::{Map, Value, json};

use super::areas::token;
use super::input::members::{COMMENTS, FINDINGS};
use super::input::{self, Measured, Unknown};
use super::stored::{self, RawInput};
use super::table::{self, Faults, Member, Shape, must, number};
use crate::model::json::{Node, dotted};

/// What of the output of `quality score` is taken.
const SCORE: &[Member] = &[
    must("version", Shape::Version(1)),
    must("findings", FINDINGS),
    must("comments", COMMENTS),
];

/// A computed member: its dotted path, its value, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// Where it stands in the input.
    pub path: String,
    /// Its value.
    pub value: Value,
    /// Where it comes from, for people.
    pub from: &'static str,
}

impl Computed {
    /// A computed member.
    pub fn new(path: &str, value: impl Into<Value>, from: &'static str) -> Self {
        Self {
            path: path.to_owned(),
            value: value.into(),
            from,
        }
    }
}

/// The groups `findings` and `comments` of the output of `quality score`.
pub fn of_score(bytes: &[u8]) -> Result<Vec<Computed>, String> {
    let node = table::parse(bytes, "score")?;
    let mut faults = Faults::default();
    let raw = table::check_root(&node, SCORE, "score", &mut faults);
    if !faults.wrong.is_empty() {
        return Err(format!("--score: {}", faults.sentence()));
    }
    let groups = ["findings", "comments"].into_iter().filter_map(|group| {
        let members = raw.get(group)?.as_object()?.clone();
        Some((group, members))
    });
    Ok(groups
        .flat_map(|(group, members)| {
            let computed =
                move |(key, value): (String, Value)| Computed::new(&dotted(group, &key), value, "--score");
            members.into_iter().map(computed)
        })
        .collect())
}

/// The baseline members, from the input that a report keeps, or from an input.
pub fn of_baseline(bytes: &[u8]) -> Result<Vec<Computed>, String> {
    let node = table::parse(bytes, "baseline")?;
    let measured = if node.get("areas").is_some() {
        match stored::read(&node)?.raw_input {
            Some(RawInput::Run(input)) => input.measured,
            Some(RawInput::Campaign(_)) => return Err("it is the report of a campaign".to_owned()),
            None => return Err("the report keeps no input".to_owned()),
        }
    } else {
        input::read_node(&node, Unknown::Named)
            .map_err(|malformed| malformed.why)?
            .measured
    };
    Ok(baseline_of(&measured))
}

fn baseline_of(measured: &Measured) -> Vec<Computed> {
    let spent = token::spent(measured);
    let known = [
        (
            "performance.baselineP95Ms",
            Some(number(measured.performance.p95_ms)),
        ),
        (
            "performance.baselineWallClockMs",
            measured.performance.wall_clock_ms.map(number),
        ),
        (
            "tokens.baselineChangedLines",
            Some(json!(measured.tokens.changed_lines)),
        ),
        ("tokens.baselineTokensPerChangedLine", spent.per_line.map(number)),
        ("tokens.baselineTokensPerProviderCall", spent.per_call.map(number)),
        (
            "batches.baselineProviderCalls",
            measured.batches.provider_calls.map(|calls| json!(calls)),
        ),
    ];
    known
        .into_iter()
        .filter_map(|(path, value)| Some(Computed::new(path, value?, "--baseline")))
        .collect()
}

/// Joins what was computed with what somebody else measured. Where both know a member they must agree.
pub fn join(computed: &[Computed], measured: Option<&[u8]>) -> Result<Map<String, Value>, String> {
    let mut input = match measured {
        None => Map::new(),
        Some(bytes) => match value_of(&table::parse(bytes, "--merge")?) {
            Value::Object(members) => members,
            _ => return Err("--merge must be an object".to_owned()),
        },
    };
    let mut wrong = Vec::new();
    for one in computed {
        match place(&mut input, &one.path) {
            Err(at) => wrong.push(format!("{at} in --merge must be an object")),
            Ok((group, key)) => match group.get(key) {
                Some(said) if !agree(said, one) => wrong.push(format!(
                    "{} is {said} in --merge, and {} by {}",
                    one.path, one.value, one.from
                )),
                _ => {
                    group.insert(key.to_owned(), one.value.clone());
                }
            },
        }
    }
    if wrong.is_empty() {
        Ok(input)
    } else {
        Err(table::sentence(&wrong))
    }
}

/// The group that a member stands in, made where there is none, and its key.
fn place<'m, 'p>(
    root: &'m mut Map<String, Value>,
    path: &'p str,
) -> Result<(&'m mut Map<String, Value>, &'p str), String> {
    match path.split_once('.') {
        None => Ok((root, path)),
        Some((group, key)) => match root.entry(group).or_insert_with(|| json!({})) {
            Value::Object(members) => Ok((members, key)),
            _ => Err(group.to_owned()),
        },
    }
}

/// Whether two values are the same: `10` and `10.0` are, and an id and its beginning.
fn agree(said: &Value, computed: &Computed) -> bool {
    if *said == computed.value {
        return true;
    }
    if computed.path == "evidence.headSha"
        && let (Some(short), Some(whole)) = (said.as_str(), computed.value.as_str())
    {
        return short.len() >= 7 && whole.starts_with(&short.to_ascii_lowercase());
    }
    said.is_number() && computed.value.is_number() && said.as_f64() == computed.value.as_f64()
}

/// What `quality evaluate` will miss.
pub fn missing(input: &Map<String, Value>) -> Option<String> {
    let text = Value::Object(input.clone()).to_string();
    input::read(text.as_bytes(), Unknown::Named)
        .err()
        .map(|malformed| malformed.why)
}

fn value_of(node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::Bool(*flag),
        Node::Number(number) => Value::Number(number.clone()),
        Node::Text(text) => Value::String(text.clone()),
        Node::List(items) => items.iter().map(value_of).collect(),
        Node::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), value_of(value)))
            .collect::<Map<_, _>>()
            .into(),
    }
}
