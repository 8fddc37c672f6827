//! Whole notes: their union, their lines, and what is not an event in them.

use std::collections::BTreeMap;

use git_review_gate::ledger::codec::{MAX_LINE, Reason};
use git_review_gate::ledger::note::{self, MAX_LINES, MAX_NOTE, OverLimit};
use git_review_gate::ledger::union::union;
use git_review_gate::model::canonical;
use git_review_gate::model::event::{LineDiscarded, Other};
use serde_json::{Value, json};

use super::{cases, event, list, text};

#[test]
fn notes_are_united() {
    let file = cases("union.json");
    let lines: BTreeMap<&str, &str> = list(&file, "lines")
        .iter()
        .map(|line| (text(line, "name"), text(line, "line")))
        .collect();
    let note = |side: &Value| {
        let names = side.as_array()?.iter().map(|name| lines[name.as_str().unwrap()]);
        Some(names.flat_map(|line| [line, "\n"]).collect::<String>())
    };
    for case in list(&file, "cases") {
        let [left, base, right, merged] = ["left", "base", "right", "merged"].map(|side| note(&case[side]));
        let union = union([&left, &base, &right].into_iter().flatten().map(String::as_bytes));
        assert_eq!(
            String::from_utf8(union).unwrap(),
            merged.unwrap(),
            "{}",
            text(case, "name")
        );
    }
}

fn plain(n: u64) -> String {
    event(
        "2026-11-30T20:14:00Z",
        Vec::new(),
        Other {
            kind: "x".to_owned(),
            value: json!({ "n": n }),
        },
    )
    .line
    .into()
}

#[test]
fn what_is_no_event_is_named_by_its_line() {
    let (a, b) = (plain(1), plain(2));
    let newer = {
        let id = canonical::digest("review-gate/event/v1\n", &json!({"v": 7})).unwrap();
        format!("{{\"id\":\"{id}\",\"v\":7}}")
    };
    let text = format!("{b}\n\n{a}\n{a}\nnot \u{1b}[2Jjson\n{newer}\n");
    let read = note::read(text.as_bytes()).unwrap();
    assert_eq!(
        read.events.iter().map(|event| &*event.line).collect::<Vec<_>>(),
        [&b, &a]
    );
    let corrupt: Vec<_> = read
        .corrupt
        .iter()
        .map(|line| (line.number, line.corrupt.reason))
        .collect();
    assert_eq!(corrupt, [(2, Reason::Blank), (5, Reason::NotJson)]);
    assert_eq!(read.corrupt[1].shown, "not \\u{1B}[2Jjson");
    assert_eq!(
        read.newer
            .iter()
            .map(|line| (line.number, line.v))
            .collect::<Vec<_>>(),
        [(6, 7)]
    );
    assert_eq!(read.unsorted, [2, 4, 5]);
    assert!(!read.is_whole());

    for (text, number, events) in [("", 1, 0), (&*format!("{a}\n{b}"), 2, 2)] {
        let read = note::read(text.as_bytes()).unwrap();
        let corrupt: Vec<_> = read
            .corrupt
            .iter()
            .map(|line| (line.number, line.corrupt.reason))
            .collect();
        assert_eq!(
            (corrupt, read.events.len()),
            (vec![(number, Reason::Unterminated)], events)
        );
    }
}

#[test]
fn only_corrupt_lines_can_be_discarded() {
    let (a, bad) = (plain(1), "no event");
    let discard = |line: &str| {
        let body = LineDiscarded {
            line: canonical::digest_of(&[line.as_bytes()]),
            reason: "typed by hand".to_owned(),
        };
        String::from(event("2026-11-30T20:14:00Z", Vec::new(), body).line)
    };
    let whole = union([
        a.as_bytes(),
        bad.as_bytes(),
        discard(bad).as_bytes(),
        discard(&a).as_bytes(),
    ]);
    let read = note::read(&whole).unwrap();
    assert!(read.is_whole());
    assert_eq!(
        read.events.len(),
        3,
        "an event stays, whatever is said against its line"
    );
    assert_eq!(read.discarded.len(), 1);
    // A corrupt one in another note is another line.
    let other = note::read(&union([a.as_bytes(), bad.as_bytes()])).unwrap();
    assert!(!other.is_whole());
}

#[test]
fn a_note_over_a_limit_is_not_looked_into() {
    let lines = |count: usize| "x\n".repeat(count);
    assert_eq!(note::check_limits(lines(MAX_LINES).as_bytes()), Ok(()));
    assert_eq!(
        note::read(lines(MAX_LINES + 1).as_bytes()),
        Err(OverLimit::Lines(MAX_LINES + 1))
    );
    let line = format!("x\n{}\n", "y".repeat(MAX_LINE + 1));
    assert_eq!(
        note::read(line.as_bytes()),
        Err(OverLimit::Line {
            number: 2,
            bytes: MAX_LINE + 1
        })
    );
    let large = vec![b'\n'; MAX_NOTE + 1];
    assert_eq!(note::read(&large), Err(OverLimit::Bytes(MAX_NOTE + 1)));
}
