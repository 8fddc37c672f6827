//! The fields of a reply: which there are, of what type, and how long.

use super::Fault;

use crate::model::day::Day;
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::final_review::{Confidence, DimensionOutput, EvidenceItem};
use crate::model::json::{Node, pointer};
use crate::model::witness::EvidenceKind;
use crate::model::words::Word;
use crate::review::source::is_blank;

const MAX_SUMMARY: usize = 4000;
const MAX_OVERALL_SUMMARY: usize = 8000;
const MAX_ITEMS: usize = 64;
const MAX_DESCRIPTION: usize = 2000;
const MAX_ARTIFACT: usize = 1024;
const MAX_LINK: usize = 2048;

/// The fields at the top; the entries of `dimensions` are not looked at yet.
pub(super) struct Top<'a> {
    pub(super) rid: String,
    pub(super) generated_at: String,
    pub(super) dimensions: &'a [Node],
    pub(super) overall_summary: String,
    pub(super) all_pass: Option<bool>,
    pub(super) needs_attention: Option<Vec<Dimension>>,
}

/// Checks the top. What is wrong goes to `faults`.
pub(super) fn top<'a>(document: &'a Node, faults: &mut Vec<Fault>) -> Option<Top<'a>> {
    let mut object = Object::of(document, "", faults)?;
    object.only(&[
        "rid",
        "generatedAt",
        "dimensions",
        "overallSummary",
        "allPass",
        "needsAttention",
    ]);
    let rid = object.text("rid", usize::MAX);
    let generated_at = object.text("generatedAt", usize::MAX);
    if generated_at.as_deref().is_some_and(|text| !is_time(text)) {
        object.fault("generatedAt", "is no RFC 3339 time with a zone");
    }
    // An absent list is a matter of its dimensions.
    let dimensions = match object.node.get("dimensions") {
        None => Some(&[][..]),
        Some(_) => object.list("dimensions"),
    };
    let overall_summary = object.text("overallSummary", MAX_OVERALL_SUMMARY);
    let all_pass = match object.node.get("allPass") {
        None => None,
        Some(Node::Bool(value)) => Some(*value),
        Some(other) => {
            object.fault("allPass", &format!("is {}, not a boolean", other.what()));
            None
        }
    };
    let needs_attention = object.node.get("needsAttention").map(|_| {
        let names = object.list("needsAttention").unwrap_or_default();
        let at = pointer("", "needsAttention");
        let mut dimensions = Vec::new();
        for (index, name) in names.iter().enumerate() {
            dimensions.extend(word::<Dimension>(name, &format!("{at}/{index}"), object.faults));
        }
        dimensions.sort_unstable();
        dimensions.dedup();
        dimensions
    });
    Some(Top {
        rid: rid?,
        generated_at: generated_at?,
        dimensions: dimensions?,
        overall_summary: overall_summary?,
        all_pass,
        needs_attention,
    })
}

/// Checks the answer to one question.
pub(super) fn dimension(entry: &Node, at: &str, faults: &mut Vec<Fault>) -> Option<DimensionOutput> {
    let mut object = Object::of(entry, at, faults)?;
    object.only(&["dimension", "verdict", "summary", "evidence", "confidence"]);
    let dimension = object.word::<Dimension>("dimension");
    let verdict = object.word::<DimensionVerdict>("verdict");
    let summary = object.text("summary", MAX_SUMMARY);
    let items = object.list("evidence");
    if items.is_some_and(|items| items.len() > MAX_ITEMS) {
        object.fault("evidence", &format!("has more than {MAX_ITEMS} items"));
    }
    let mut evidence = Vec::new();
    for (index, entry) in items.unwrap_or_default().iter().take(MAX_ITEMS).enumerate() {
        evidence.extend(item(entry, &format!("{at}/evidence/{index}"), object.faults));
    }
    let confidence = object.word::<Confidence>("confidence");
    Some(DimensionOutput {
        dimension: dimension?,
        verdict: verdict?,
        summary: summary?,
        evidence,
        confidence: confidence?,
    })
}

fn item(entry: &Node, at: &str, faults: &mut Vec<Fault>) -> Option<EvidenceItem> {
    let mut object = Object::of(entry, at, faults)?;
    object.only(&["kind", "description", "artifact", "link"]);
    let kind = object.word::<EvidenceKind>("kind");
    let description = object.text("description", MAX_DESCRIPTION);
    let artifact = object.optional("artifact", MAX_ARTIFACT);
    let link = object.optional("link", MAX_LINK);
    if link.as_deref().is_some_and(|link| !is_link(link)) {
        object.fault("link", "is neither http://… nor https://… nor 7 to 64 hex digits");
    }
    Some(EvidenceItem {
        kind: kind?,
        description: description?,
        artifact,
        link,
    })
}

/// An object whose members are taken one by one.
struct Object<'a, 'f> {
    node: &'a Node,
    at: &'f str,
    faults: &'f mut Vec<Fault>,
}

impl<'a, 'f> Object<'a, 'f> {
    fn of(node: &'a Node, at: &'f str, faults: &'f mut Vec<Fault>) -> Option<Self> {
        if matches!(node, Node::Object(_)) {
            return Some(Self { node, at, faults });
        }
        faults.push(Fault {
            at: at.to_owned(),
            what: format!("is {}, not an object", node.what()),
        });
        None
    }

    fn fault(&mut self, key: &str, what: &str) {
        self.faults.push(Fault {
            at: pointer(self.at, key),
            what: what.to_owned(),
        });
    }

    fn only(&mut self, known: &[&str]) {
        let Node::Object(members) = self.node else { return };
        for (key, _) in members {
            if !known.contains(&key.as_str()) {
                self.fault(key, "is no field of a reply");
            }
        }
    }

    fn member(&mut self, key: &str) -> Option<&'a Node> {
        let member = self.node.get(key);
        if member.is_none() {
            self.fault(key, "is absent");
        }
        member
    }

    fn text(&mut self, key: &str, limit: usize) -> Option<String> {
        let member = self.member(key)?;
        self.checked(key, member, limit)
    }

    /// A text that may be absent; null means absent.
    fn optional(&mut self, key: &str, limit: usize) -> Option<String> {
        match self.node.get(key) {
            None | Some(Node::Null) => None,
            Some(member) => self.checked(key, member, limit),
        }
    }

    fn checked(&mut self, key: &str, member: &Node, limit: usize) -> Option<String> {
        let Some(text) = member.text() else {
            self.fault(key, &format!("is {}, not a text", member.what()));
            return None;
        };
        let length = text.chars().count();
        if is_blank(text) {
            self.fault(key, "is blank");
        } else if length > limit {
            self.fault(
                key,
                &format!("has {length} characters, at most {limit} are allowed"),
            );
        }
        Some(text.to_owned())
    }

    fn list(&mut self, key: &str) -> Option<&'a [Node]> {
        match self.member(key)? {
            Node::List(items) => Some(items),
            other => {
                self.fault(key, &format!("is {}, not a list", other.what()));
                None
            }
        }
    }

    fn word<W: Word>(&mut self, key: &str) -> Option<W> {
        let member = self.member(key)?;
        word(member, &pointer(self.at, key), self.faults)
    }
}

fn word<W: Word>(node: &Node, at: &str, faults: &mut Vec<Fault>) -> Option<W> {
    let found = node
        .text()
        .and_then(|text| W::all().iter().copied().find(|word| word.word() == text));
    if found.is_none() {
        let words: Vec<_> = W::all().iter().map(|word| word.word()).collect();
        faults.push(Fault {
            at: at.to_owned(),
            what: format!("is none of {}", words.join(", ")),
        });
    }
    found
}

/// A web address, or a commit id that may be shortened.
fn is_link(text: &str) -> bool {
    let address = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    match address {
        Some(rest) => !rest.is_empty() && !rest.chars().any(|c| c.is_whitespace() || c.is_control()),
        None => (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
    }
}

/// Whether this is a time as RFC 3339 writes it: `2026-05-06T07:08:09Z`, with fractions or an offset.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let number = |at: usize| match bytes.get(at..at + 2) {
        Some([tens @ b'0'..=b'9', ones @ b'0'..=b'9']) => Some((tens - b'0') * 10 + (ones - b'0')),
        _ => None,
    };
    let is = |at: usize, marks: &[u8]| bytes.get(at).is_some_and(|byte| marks.contains(byte));
    let day = text.get(..10).is_some_and(|day| day.parse::<Day>().is_ok());
    let clock = |at: usize| {
        number(at).is_some_and(|hour| hour < 24)
            && is(at + 2, b":")
            && number(at + 3).is_some_and(|minute| minute < 60)
    };
    // A leap second is a second 60.
    let seconds = is(16, b":") && number(17).is_some_and(|second| second <= 60);
    if !(day && is(10, b"Tt") && clock(11) && seconds) {
        return false;
    }
    let rest = &bytes[19..];
    let zone = match rest.split_first() {
        Some((b'.', fraction)) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            20 + digits
        }
        _ => 19,
    };
    match &bytes[zone..] {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', ..] => bytes.len() == zone + 6 && clock(zone + 1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_zone() {
        for good in [
            "2026-05-06T07:08:09Z",
            "2026-05-06t07:08:60.5z",
            "2024-02-29T23:59:59.123456+02:00",
            "2026-05-06T07:08:09-23:59",
        ] {
            assert!(is_time(good), "{good}");
        }
        for wrong in [
            "",
            "now",
            "2026-05-06",
            "2026-05-06T07:08:09",
            "2026-05-06 07:08:09Z",
            "2026-02-30T00:00:00Z",
            "2026-05-06T24:00:00Z",
            "2026-05-06T07:60:00Z",
            "2026-05-06T07:08:61Z",
            "2026-05-06T07:08:09.Z",
            "2026-05-06T07:08:09+0200",
            "2026-05-06T07:08:09+24:00",
            "2026-05-06T07:08:09Z ",
            "2026-05-06T07:08:0\u{e9}Z",
        ] {
            assert!(!is_time(wrong), "{wrong}");
        }
    }

    #[test]
    fn links_are_addresses_or_commits() {
        for good in [
            "http://a",
            "https://ci.example.org/7?x=1#y",
            "0a1b2c3",
            &"F".repeat(64),
        ] {
            assert!(is_link(good), "{good}");
        }
        for wrong in [
            "https://",
            "https://a b",
            "ftp://a",
            "0a1b2c",
            "0a1b2cg",
            &"0".repeat(65),
            "javascript:x",
        ] {
            assert!(!is_link(wrong), "{wrong}");
        }
    }
}
