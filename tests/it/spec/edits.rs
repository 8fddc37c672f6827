//! Edits: every case comes out as it must, in whatever order its pairs come.

use std::collections::BTreeSet;

use git_review_gate::spec::edits::{Answer, Batch, Matched, Pair, matched, written};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::json_fixture;

fn batch(case: &Value) -> Batch {
    let read = |key: &str| case[key].clone();
    Batch {
        text: case["spec"].as_str().unwrap().to_owned(),
        members: serde_json::from_value(read("batch")).unwrap(),
        found: serde_json::from_value(read("found")).unwrap(),
        stored: serde_json::from_value(read("stored")).unwrap(),
        rederive: serde_json::from_value(read("rederive")).unwrap(),
    }
}

fn shown(batch: &Batch, matched: &Matched) -> Value {
    json!({
        "landed": matched.groups.iter().map(|group| &group.ids).collect::<Vec<_>>(),
        "failed": matched.failed,
        "obsolete": matched.obsolete.keys().collect::<Vec<_>>(),
        "hints": matched.hints,
        "ignored": matched.ignored,
        "text": written(&batch.text, &matched.groups).unwrap(),
    })
}

#[test]
fn every_case_comes_out_as_it_must() {
    let cases = json_fixture("cases/spec-review/edits.json");
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 39);
    for case in cases {
        let batch = batch(case);
        let mut answer: Answer = serde_json::from_value(case["fixer"].clone()).unwrap();
        let forward = matched(&batch, &answer);
        assert_eq!(shown(&batch, &forward), case["expect"], "{}", case["name"]);
        answer.edits.reverse();
        answer.obsolete.reverse();
        let mut backward = matched(&batch, &answer);
        backward.ignored = forward.ignored.clone();
        assert_eq!(backward, forward, "{}", case["name"]);
    }
}

fn pairs() -> impl Strategy<Value = Vec<(BTreeSet<u32>, String, String)>> {
    prop::collection::vec(
        (
            prop::collection::btree_set(1..6_u32, 1..3),
            "[abcd]{0,4}",
            "[abcdX]{0,6}",
        ),
        0..6,
    )
}

proptest! {
    #[test]
    fn order_does_not_matter_and_nothing_else_is_touched(
        text in "[abcdef]{0,24}",
        (pairs, shuffled) in pairs().prop_flat_map(|pairs| (Just(pairs.clone()), Just(pairs).prop_shuffle())),
    ) {
        let answer = |pairs: &[(BTreeSet<u32>, String, String)]| Answer {
            edits: pairs.iter().map(|(ids, old, new)| Pair {
                sr_id: None,
                sr_ids: ids.iter().map(|id| git_review_gate::model::spec::SrId(*id)).collect(),
                old: old.clone(),
                new: new.clone(),
            }).collect(),
            ..Answer::default()
        };
        let batch = Batch {
            text: text.clone(),
            members: (1..6).map(git_review_gate::model::spec::SrId).collect(),
            ..Batch::default()
        };
        let found = matched(&batch, &answer(&pairs));
        prop_assert_eq!(&matched(&batch, &answer(&shuffled)), &found);
        // Every member has exactly one answer.
        let landed: BTreeSet<_> = found.groups.iter().flat_map(|group| group.ids.clone()).collect();
        prop_assert!(batch.members.iter().all(|id| landed.contains(id) != found.failed.contains_key(id)));
        // What is outside of the landed ranges stands as it stood, and a failed group leaves nothing.
        let candidate = written(&text, &found.groups);
        prop_assert!(candidate.is_some());
        let candidate = candidate.unwrap();
        let mut covered = vec![false; text.len()];
        for hunk in found.groups.iter().flat_map(|group| &group.hunks) {
            prop_assert!(candidate.contains(&hunk.new));
            covered[hunk.range.clone()].fill(true);
        }
        let mut rest = candidate.as_str();
        for kept in text.char_indices().map(|(at, c)| if covered[at] { '\n' } else { c }).collect::<String>().split('\n') {
            let at = rest.find(kept);
            prop_assert!(at.is_some());
            rest = &rest[at.unwrap() + kept.len()..];
        }
        if found.groups.is_empty() {
            prop_assert_eq!(&candidate, &text);
        }
    }
}
