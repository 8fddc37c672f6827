//! Events and lines: what is stored, what is corrupt, and that reading and writing agree.

use git_review_gate::ledger::codec::{self, Line, MAX_LINE, Reason};
use git_review_gate::model::canonical;
use git_review_gate::model::event::{EventDraft, Other};
use git_review_gate::model::ids::EventId;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{cases, event, list, text};

const AT: &str = "2026-11-30T20:14:00Z";

/// The line of any JSON object, whatever its fields, with the right id.
fn line_of(mut event: Value) -> String {
    let members = event.as_object_mut().unwrap();
    members.remove("id");
    let id = canonical::digest("review-gate/event/v1\n", members).unwrap();
    members.insert("id".to_owned(), json!(id));
    canonical::to_text(&event).unwrap()
}

#[test]
fn canonical_lines_are_read_and_made() {
    let file = cases("canonical.json");
    for case in list(&file, "canonical") {
        let name = text(case, "name");
        let line = text(case, "line");
        let id: EventId = text(case, "id").parse().unwrap();
        let Line::Event(read) =
            codec::decode(line.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"))
        else {
            panic!("{name}: a newer version");
        };
        assert_eq!((read.id, &*read.line), (id, line), "{name}");

        let given = match case.get("event_text") {
            Some(text) => serde_json::from_str(text.as_str().unwrap()).unwrap(),
            None => case["event"].clone(),
        };
        assert_eq!(line_of(given.clone()), line, "{name}");

        // Fields that are not known here are kept by the line only.
        let draft = EventDraft {
            after: read.after.clone(),
            at: read.at.clone(),
            by: read.by.clone(),
            subject: read.subject,
            body: read.body.clone(),
        };
        if !name.starts_with("unknown") {
            assert_eq!(codec::encode(&draft).unwrap(), read, "{name}");
        }
    }
}

#[test]
fn corrupt_lines_are_known_by_their_reason() {
    let file = cases("canonical.json");
    for case in list(&file, "corrupt") {
        let name = text(case, "name");
        let line = match case.get("line") {
            Some(line) => line.as_str().unwrap().as_bytes().to_vec(),
            None => bytes_of(text(case, "line_hex")),
        };
        let corrupt = codec::decode(&line).expect_err(name);
        let word = match corrupt.reason {
            Reason::Blank => "not-json",
            reason => reason.as_str(),
        };
        let allowed = case["reason"].as_array().unwrap();
        assert!(
            allowed.iter().any(|reason| reason == word),
            "{name}: {corrupt}, not one of {allowed:?}"
        );
    }
}

fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn fields_of_known_kinds_and_limits_are_checked() {
    let raised = json!({
        "after": [], "at": AT, "by": {"email": "a@example.org", "name": "A"}, "kind": "finding.raised", "v": 1,
        "subject": {"base": "0".repeat(40), "commit": "1".repeat(40), "tree": "2".repeat(40)},
        "body": {"finding": "3".repeat(64), "origin": "qa", "severity": "major", "expected": "a", "actual": "b"},
    });
    let reason = |event: Value| codec::decode(line_of(event).as_bytes()).map_err(|corrupt| corrupt.reason);
    assert!(reason(raised.clone()).is_ok());
    let frame = ["after", "at", "body", "by", "kind", "subject", "v"].map(|key| format!("/{key}"));
    let body = ["finding", "origin", "severity", "expected", "actual"].map(|key| format!("/body/{key}"));
    let inner = [
        "/by/email",
        "/by/name",
        "/subject/base",
        "/subject/commit",
        "/subject/tree",
    ]
    .map(str::to_owned);
    for pointer in frame.iter().chain(&body).chain(&inner) {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let mut without = raised.clone();
        without
            .pointer_mut(parent)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove(key);
        assert_eq!(reason(without), Err(Reason::Field), "without {pointer}");
        let mut wrong = raised.clone();
        *wrong.pointer_mut(pointer).unwrap() = json!(["3"]);
        assert_eq!(reason(wrong), Err(Reason::Field), "wrong type of {pointer}");
    }
    let with = |pointer: &str, value: Value| {
        let mut changed = raised.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        changed
            .pointer_mut(parent)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .insert(key.to_owned(), value);
        changed
    };
    for (pointer, value, expected) in [
        ("/body/severity", json!("urgent"), Err(Reason::Field)),
        ("/body/line", json!("88"), Err(Reason::Field)),
        ("/body/x", json!(9_007_199_254_740_991_u64), Ok(())),
        ("/body/x", json!(-9_007_199_254_740_991_i64), Ok(())),
        ("/body/x", json!(9_007_199_254_740_992_u64), Err(Reason::Number)),
        ("/body/x", json!(1.5), Err(Reason::Number)),
        ("/body/x", nested(62), Ok(())),
        ("/body/x", nested(63), Err(Reason::TooDeep)),
        ("/body/x", json!("a".repeat(MAX_LINE)), Err(Reason::TooLong)),
        ("/v", json!(0), Err(Reason::Field)),
        ("/v", json!(-1), Err(Reason::Field)),
    ] {
        let found = reason(with(pointer, value)).map(drop);
        assert_eq!(found, expected, "{pointer}");
    }
    for kind in [
        "finding.resolved",
        "finding.verified",
        "finding.waived",
        "review.opened",
        "review.ruled",
        "rewrite",
    ] {
        assert_eq!(
            reason(with("/kind", json!(kind))),
            Err(Reason::Field),
            "{kind} needs other fields"
        );
    }
    let until = json!({"closes": [], "reason": "known", "until": "2026-02-30"});
    let mut waived = with("/kind", json!("finding.waived"));
    waived["body"] = until;
    assert_eq!(reason(waived), Err(Reason::Field));
    // A later version may look like anything, as long as its id is right.
    let newer = line_of(json!({"v": 2, "what": "ever"}));
    assert!(matches!(
        codec::decode(newer.as_bytes()),
        Ok(Line::Newer { v: 2, .. })
    ));
}

/// `depth` arrays in each other.
fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(null), |inner, _| json!([inner]))
}

#[test]
fn what_could_not_be_read_back_is_not_made() {
    let made = |kind: &str, value: Value| {
        let good = event(
            AT,
            Vec::new(),
            Other {
                kind: "x.note".to_owned(),
                value: json!({}),
            },
        );
        let body = Other {
            kind: kind.to_owned(),
            value,
        };
        codec::encode(&EventDraft {
            after: good.after,
            at: good.at,
            by: good.by,
            subject: good.subject,
            body: body.into(),
        })
    };
    assert!(made("x.note", json!({"n": 1})).is_ok());
    assert!(made("x.note", json!({"n": 1.25})).is_err());
    assert!(made("x.note", json!({"t": "a".repeat(MAX_LINE)})).is_err());
    assert!(made("finding.raised", json!({})).is_err());
    assert!(made("evidence.run", json!({})).is_err());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_007_199_254_740_991..=9_007_199_254_740_991_i64).prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any_text(), inner, 0..6).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// Texts with much of what canonical JSON treats on its own: controls, quotes, letters above U+FFFF.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c\"\\\\/]{0,4}",
        "[\\x00-\\x1f\\x7f-\\u{9f}]{0,3}",
        "[\\u{d7ff}\\u{e000}\\u{ffff}\\u{10000}\\u{10ffff}é]{0,3}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn what_is_made_reads_back(value in any_json(), kind in "[a-z]{1,8}", at in any_text()) {
        let made = event(&at, Vec::new(), Other { kind, value });
        let read = codec::decode(made.line.as_bytes());
        prop_assert_eq!(read, Ok(Line::Event(made)));
    }

    /// Of a good line with some bytes changed, and the id put right, what is read is exactly what is canonical.
    #[test]
    fn nothing_but_canonical_lines_is_read(value in any_json(), at in any::<prop::sample::Index>(), byte: u8, insert: bool) {
        let made = event(AT, Vec::new(), Other { kind: "x".to_owned(), value });
        let mut line = made.line.as_bytes().to_vec();
        let at = at.index(line.len());
        if insert { line.insert(at, byte) } else { line[at] = byte }
        // The id no longer fits most of the time; fit it where the line is still an object.
        if let Ok(parsed @ Value::Object(_)) = serde_json::from_slice::<Value>(&line)
            && let Ok(fitted) = canonical::to_text(&parsed)
            && fitted.as_bytes() == line.as_slice()
            && parsed.get("id").is_some()
        {
            let fitted = line_of(parsed);
            prop_assert!(!matches!(
                codec::decode(fitted.as_bytes()),
                Err(codec::Corrupt { reason: Reason::NotJson | Reason::NotCanonical | Reason::WrongId, .. })
            ), "{fitted}");
        } else {
            prop_assert!(codec::decode(&line).is_err());
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, text in any_text()) {
        drop(codec::decode(&bytes));
        drop(codec::decode(text.as_bytes()));
    }
}
