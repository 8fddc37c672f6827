//! Findings: what is accepted, what they are known by, how they read.

use std::collections::BTreeMap;

use git_review_gate::error::Result;
use git_review_gate::ledger::finding::{
    self, Checked, Context, Entry, Files, Input, MissingFile, Reason, ReferenceError, Refusal, Side,
};
use git_review_gate::ledger::mirror;
use git_review_gate::model::canonical;
use git_review_gate::model::dimension::Dimension;
use git_review_gate::model::event::{LineDiscarded, Raised, ReviewRuled, RuledVerdict};
use git_review_gate::model::finding::{FindingFields, Origin};
use git_review_gate::model::goal::Criterion;
use git_review_gate::model::ids::FindingId;
use git_review_gate::model::review::ReviewId;
use serde_json::{Value, json};

use super::{cases, event, list, text};

/// Paths and their numbers of lines, on both sides. Folders are what paths begin with.
struct Trees([BTreeMap<String, u64>; 2]);

impl Trees {
    fn of(&self, side: Side) -> &BTreeMap<String, u64> {
        &self.0[usize::from(side == Side::Base)]
    }
}

impl Files for Trees {
    fn entry(&self, side: Side, path: &str) -> Result<Entry> {
        let folder = format!("{path}/");
        Ok(match self.of(side) {
            tree if tree.contains_key(path) => Entry::File,
            tree if tree.keys().any(|file| file.starts_with(&folder)) => Entry::Other,
            _ => Entry::Absent,
        })
    }

    fn lines(&self, side: Side, path: &str) -> Result<u64> {
        Ok(self.of(side)[path])
    }
}

/// What the cases judge against.
struct World {
    criteria: Vec<Criterion>,
    trees: Trees,
    origins: Vec<String>,
}

impl World {
    fn new(context: &Value) -> Self {
        let tree = |key: &str| serde_json::from_value(context[key].clone()).unwrap();
        Self {
            criteria: serde_json::from_value(context["criteria"].clone()).unwrap(),
            trees: Trees([tree("tree"), tree("base_tree")]),
            origins: serde_json::from_value(context["origins"].clone()).unwrap(),
        }
    }

    fn check(&self, input: &str, origin: &str, missing_file: MissingFile) -> Checked {
        let knows_origin = |origin: &str| {
            ["qa", "pr_gate", "pm", "ceo"].contains(&origin)
                || self.origins.iter().any(|known| known == origin)
        };
        let context = Context {
            origin,
            knows_origin: &knows_origin,
            criteria: &self.criteria,
            files: &self.trees,
            missing_file,
        };
        finding::check(&Input::from_json(input), &context).unwrap()
    }

    fn accept(&self, input: &str) -> Vec<FindingFields> {
        match self.check(input, "qa", MissingFile::Refuse) {
            Checked::Accepted(fields) => fields,
            Checked::Refused(refusals) => panic!("{input}: {refusals:?}"),
        }
    }

    fn reasons(&self, input: &str) -> Vec<Reason> {
        match self.check(input, "qa", MissingFile::Refuse) {
            Checked::Accepted(fields) => panic!("{input}: {fields:?}"),
            Checked::Refused(refusals) => refusals.iter().map(|refusal| refusal.reason).collect(),
        }
    }
}

fn world() -> World {
    World::new(&cases("findings-validate.json")["context"])
}

#[test]
fn findings_are_judged_as_the_cases_say() {
    let file = cases("findings-validate.json");
    for case in list(&file, "add") {
        let name = text(case, "name");
        let mut context = file["context"].clone();
        if let Some(own) = case.get("context") {
            context
                .as_object_mut()
                .unwrap()
                .extend(own.as_object().unwrap().clone());
        }
        let missing_file = if case["allow_missing_file"] == true {
            MissingFile::Allow
        } else {
            MissingFile::Refuse
        };
        let origin = case["origin"].as_str().unwrap_or("qa");
        let checked = World::new(&context).check(&case["input"].to_string(), origin, missing_file);
        match (
            checked,
            case["expect"].get("accepted"),
            case["expect"].get("refused"),
        ) {
            (Checked::Accepted(found), Some(accepted), None) => {
                let warns = found.len() > finding::MANY_FINDINGS;
                assert_eq!(json!(warns), case["expect"]["warning"], "{name}");
                let found: Vec<Value> = found.iter().map(|fields| json!(fields)).collect();
                if case["expect"]["partial"] == true {
                    assert_accepted_in_part(name, &found, accepted.as_array().unwrap());
                } else {
                    assert_eq!(json!(found), *accepted, "{name}");
                }
            }
            (Checked::Refused(found), None, Some(refused)) => {
                assert_refused(name, &found, refused.as_array().unwrap());
            }
            (found, ..) => panic!("{name}: {found:?}"),
        }
    }
}

fn assert_accepted_in_part(name: &str, found: &[Value], accepted: &[Value]) {
    assert_eq!(found.len(), accepted.len(), "{name}");
    for expected in accepted {
        let expected_whole = expected.get("expected").is_some();
        let same = |found: &&Value| {
            if expected_whole {
                **found == *expected
            } else {
                let shown = expected.as_object().unwrap();
                shown.iter().all(|(key, value)| found[key] == *value) && found.get("file").is_none()
            }
        };
        assert!(
            found.iter().any(|found| same(&found)),
            "{name}: {expected} is not among {found:?}"
        );
    }
}

fn assert_refused(name: &str, found: &[Refusal], refused: &[Value]) {
    assert_eq!(found.len(), refused.len(), "{name}: {found:?}");
    for expected in refused {
        let same = |found: &Refusal| {
            json!(found.index) == expected["index"]
                && (expected["field"].is_null() || json!(found.field) == expected["field"])
                && expected["reason"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|reason| reason == found.reason.as_str())
        };
        assert!(
            found.iter().any(same),
            "{name}: {expected} is not among {found:?}"
        );
    }
}

#[test]
fn forms_that_say_too_much_are_refused() {
    let world = world();
    let fields = r#""severity": "major", "expected": "limit is 100", "actual": "limit is 99""#;
    for (input, expected) in [
        (format!("[{{{fields}, \"note\": \"x\"}}]"), Reason::UnknownField),
        (format!("[{{{fields}, \"fix\": \"\"}}]"), Reason::Empty),
        (format!("[{{{fields}, \"file\": \"\"}}]"), Reason::Empty),
        (format!("[{{{fields}, \"criterion\": \" \"}}]"), Reason::Empty),
        (format!("[{{{fields}, \"evidence\": \"\\n\"}}]"), Reason::Empty),
        (
            format!("[{{{fields}, \"evidence\": \"TBD\\n...\"}}]"),
            Reason::Placeholder,
        ),
        (format!("[{{{fields}, \"fix\": \"todo\"}}]"), Reason::Placeholder),
        (
            format!("[{{{fields}, \"actual\": \"limit is 98\"}}]"),
            Reason::DuplicateField,
        ),
        (format!("[{{{fields}, \"file\": \"src\"}}]"), Reason::NotAFile),
        (
            format!("[{{{fields}}}, {{{fields}, \"line\": 3, \"file\": \"src/api.rs\"}}, {{{fields}}}]"),
            Reason::SameFinding,
        ),
        (
            format!("{{\"findings\": [{{{fields}}}], \"origin\": \"qa\"}}"),
            Reason::UnknownField,
        ),
        ("{}".to_owned(), Reason::NoneGiven),
        (r#"{"issues": ["", "  \n"]}"#.to_owned(), Reason::NoneGiven),
        (r#"{"issues": [null]}"#.to_owned(), Reason::WrongType),
        ("[".to_owned(), Reason::NotJson),
        ("[".repeat(5000), Reason::NotJson),
    ] {
        assert_eq!(world.reasons(&input), [expected], "{input}");
    }
    // Null is absent, and a line end around an excerpt is not part of it.
    let found = world.accept(&format!(
        "[{{{fields}, \"fix\": null, \"line\": null, \"evidence\": \"\\n  a\\n b\\n\"}}]"
    ));
    assert_eq!(
        (found[0].fix.as_deref(), found[0].evidence.as_deref()),
        (None, Some("  a\n b"))
    );
    // Issues come after findings, whatever stands first.
    let both = world.accept(&format!(
        "{{\"issues\": [\"it fails\"], \"findings\": [{{{fields}}}]}}"
    ));
    let actual: Vec<&str> = both.iter().map(|fields| &*fields.actual).collect();
    assert_eq!(actual, ["limit is 99", "it fails"]);
    assert_eq!(both[1].expected, "the change meets its acceptance criteria");
    // Every fault reaches the message.
    let Checked::Refused(refusals) = world.check("[{}, 5]", "nobody", MissingFile::Refuse) else {
        panic!("accepted");
    };
    let error = finding::refused(&refusals);
    assert_eq!(
        error.causes.len(),
        5,
        "origin, three required fields, no object: {error}"
    );
    assert!(
        error.causes[4].starts_with("entry 1: is not an object"),
        "{error}"
    );
}

#[test]
fn rejections_become_findings() {
    let file = cases("findings-validate.json");
    for case in list(&file, "reject") {
        let (name, reason, expect) = (text(case, "name"), text(case, "reason"), &case["expect"]);
        match (finding::reject(reason), expect.get("refused")) {
            (Err(found), Some(refused)) => {
                assert!(
                    refused
                        .as_array()
                        .unwrap()
                        .iter()
                        .any(|word| word == found.as_str()),
                    "{name}: {found}"
                );
            }
            (Ok((origin, fields)), None) => {
                assert_eq!(
                    (origin.as_str(), json!(fields.severity)),
                    (text(expect, "origin"), expect["severity"].clone())
                );
                assert_eq!(json!(fields.evidence), expect["evidence"], "{name}");
                if let Some(actual) = expect.get("actual") {
                    assert_eq!(fields.actual, actual.as_str().unwrap(), "{name}");
                } else {
                    let length = fields.actual.chars().count();
                    assert_eq!(json!(length), expect["actual_max"], "{name}: as much as fits");
                    assert!(fields.actual.starts_with(text(expect, "actual_starts")), "{name}");
                    let (kept, mark) = fields.actual.rsplit_once("…[").unwrap();
                    let omitted: usize = mark
                        .strip_suffix(" characters omitted]")
                        .unwrap()
                        .parse()
                        .unwrap();
                    assert_eq!(
                        kept.chars().count() + omitted,
                        reason.trim().chars().count(),
                        "{name}"
                    );
                }
            }
            (found, _) => panic!("{name}: {found:?}"),
        }
    }
    for (length, accepted) in [
        (301, true),
        (373, true),
        (374, true),
        (375, true),
        (2000, true),
        (2001, false),
    ] {
        let found = finding::reject(&"q".repeat(length)).map(|(_, fields)| fields.actual.chars().count());
        assert_eq!(found, if accepted { Ok(300) } else { Err(Reason::TooLong) });
    }
    assert_eq!(
        finding::reject("no\nway").map(drop),
        Err(Reason::ControlCharacter)
    );
}

#[test]
fn findings_are_known_by_what_they_say() {
    let file = cases("findings-identity.json");
    let world = World {
        criteria: serde_json::from_value(file["criteria"].clone()).unwrap(),
        trees: Trees([BTreeMap::new(), BTreeMap::new()]),
        origins: Vec::new(),
    };
    let fields = |given: &Value| match world.check(&json!([given]).to_string(), "qa", MissingFile::Allow) {
        Checked::Accepted(mut fields) => fields.remove(0),
        Checked::Refused(refusals) => panic!("{given}: {refusals:?}"),
    };
    for case in list(&file, "identity") {
        let id = fields(&case["finding"]).identity();
        let digest = canonical::digest_of(&[b"review-gate/finding/v1\n", text(case, "canonical").as_bytes()]);
        assert_eq!(
            (id.to_hex(), digest.to_hex(), id.short()),
            (
                text(case, "sha256").to_owned(),
                text(case, "sha256").to_owned(),
                text(case, "short").to_owned(),
            ),
            "{}",
            text(case, "name")
        );
    }
    for (name, equal) in [("same", true), ("different", false)] {
        for case in list(&file, name) {
            let [a, b] = ["a", "b"].map(|side| fields(&case[side]["finding"]).identity());
            assert_eq!(a == b, equal, "{name}: {}", text(case, "name"));
        }
    }

    let ids: Vec<FindingId> = list(&file, "reference_findings")
        .iter()
        .map(|given| {
            let id: FindingId = text(given, "sha256").parse().unwrap();
            let fields = json!({"severity": "nit", "expected": given["expected"], "actual": given["actual"]});
            assert_eq!(
                serde_json::from_value::<FindingFields>(fields)
                    .unwrap()
                    .identity(),
                id
            );
            id
        })
        .collect();
    for case in list(&file, "references") {
        let name = text(case, "name");
        let found = finding::resolve(text(case, "reference"), ids.iter().copied());
        let expect = &case["expect"];
        match expect.get("error").map(|error| error.as_str().unwrap()) {
            None => assert_eq!(json!(found.unwrap()), expect["finding"], "{name}"),
            Some("ambiguous") => {
                let Err(ReferenceError::Ambiguous(candidates)) = found else {
                    panic!("{name}: {found:?}")
                };
                assert_eq!(json!(candidates), expect["candidates"], "{name}");
            }
            Some("unknown") => assert_eq!(found, Err(ReferenceError::Unknown), "{name}"),
            Some(_) => assert!(found.is_err(), "{name}"),
        }
    }
}

#[test]
fn findings_read_as_one_line() {
    let file = cases("render.json");
    let cases = file
        .as_object()
        .unwrap()
        .values()
        .find_map(Value::as_array)
        .unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let fields: FindingFields = serde_json::from_value(case["finding"].clone()).unwrap();
        let line = fields.line_of(text(case, "id").parse().unwrap());
        assert_eq!(line, text(case, "line"), "{}", text(case, "name"));
    }
    let hostile = FindingFields {
        expected: "a\u{1b}[2J\nb".to_owned(),
        ..serde_json::from_value(cases[0]["finding"].clone()).unwrap()
    };
    assert!(hostile.line_of(hostile.identity()).contains("a\\u{1B}[2J\\u{A}b"));
}

#[test]
fn a_mirror_gives_back_its_events_and_nothing_forged() {
    let review = ReviewId("topic-0a1b2c3d".to_owned());
    let fields: FindingFields =
        serde_json::from_value(json!({"severity": "major", "expected": "a \"b\"", "actual": "ü 😀"}))
            .unwrap();
    let raised = |at: &str| {
        event(
            at,
            Vec::new(),
            Raised {
                finding: fields.identity(),
                review: Some(review.clone()),
                origin: Origin("qa".to_owned()),
                fields: fields.clone(),
            },
        )
    };
    let ruled = ReviewRuled {
        dimension: Dimension::NoNewBugs,
        packet: canonical::digest_of(&[b"packet"]),
        reason: "looked at".to_owned(),
        review: review.clone(),
        settles: Vec::new(),
        verdict: RuledVerdict::Pass,
    };
    let mut events = vec![raised("1"), raised("2"), event("3", Vec::new(), ruled)];
    let discarded = LineDiscarded {
        line: canonical::digest_of(&[b"x"]),
        reason: "broken".to_owned(),
    };
    let left_out = event("4", Vec::new(), discarded);
    let text = mirror::encode(&review, events.iter().rev().chain([&left_out, &events[0]]));
    events.sort_by_key(|event| event.id);
    for (line, event) in text.lines().skip(1).zip(&events) {
        assert_eq!(
            line.trim_end_matches(','),
            &*event.line,
            "one event a line, by id"
        );
    }
    let read = mirror::decode(text.as_bytes()).unwrap();
    assert_eq!((&read.review, &read.events), (&review, &events));
    // Another tool may lay the file out anew.
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&text).unwrap()).unwrap();
    assert_eq!(mirror::decode(pretty.as_bytes()).unwrap(), read);
    assert_eq!(
        mirror::decode(mirror::encode(&review, []).as_bytes())
            .unwrap()
            .events,
        []
    );

    let foreign = text.replace("[\n", &format!("[\n{},\n", left_out.line));
    for (wrong, kind) in [
        (text.replace("major", "minor"), "an event under a wrong id"),
        (
            text.replace("\"version\": 1", "\"version\": 2"),
            "a later version",
        ),
        (
            text.replace("review-gate/mirror", "review-gate/findings"),
            "another file",
        ),
        (text.replace("\"events\"", "\"event\""), "no events"),
        (foreign, "an event that no mirror holds"),
        ("[]".to_owned(), "no object"),
        (text[..text.len() / 2].to_owned(), "half a file"),
    ] {
        assert!(mirror::decode(wrong.as_bytes()).is_err(), "{kind}");
    }
}
