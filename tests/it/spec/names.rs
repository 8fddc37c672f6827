//! Slugs, locations, phrases and keys: every case comes out as it must.

use git_review_gate::spec::phrase::{key, phrase};
use git_review_gate::spec::slug::{Outline, slugs};
use serde_json::{Value, json};

use crate::support::json_fixture;

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

#[test]
fn headings_documents_and_locations() {
    let cases = json_fixture("cases/spec-review/slugs.json");
    let mut seen = 0;
    for case in cases["headings"].as_array().unwrap() {
        assert_eq!(
            slugs(texts(&case["headings"])),
            texts(&case["slugs"]),
            "{}",
            case["name"]
        );
        seen += 1;
    }
    for case in cases["documents"].as_array().unwrap() {
        let outline = Outline::of(case["markdown"].as_str().unwrap());
        let units: Vec<&str> = outline.units.iter().map(|unit| unit.text.as_str()).collect();
        let slugs: Vec<&str> = outline.units.iter().map(|unit| unit.slug.as_str()).collect();
        assert_eq!(units, texts(&case["units"]), "{}", case["name"]);
        assert_eq!(slugs, texts(&case["slugs"]), "{}", case["name"]);
        seen += 1;
    }
    for case in cases["locations"].as_array().unwrap() {
        let outline = Outline::of(case["markdown"].as_str().unwrap());
        let located = outline.locate(case["location"].as_str().unwrap());
        assert_eq!(
            json!([located.slug, located.warning.is_some()]),
            json!([case["slug"], case["unknown"]]),
            "{}",
            case["name"]
        );
        seen += 1;
    }
    assert!(seen >= 79);
}

#[test]
fn phrases_and_keys() {
    let cases = json_fixture("cases/spec-review/keys.json");
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 18);
    for case in cases {
        match phrase(case["phrase"].as_str().unwrap()) {
            Ok(stored) => {
                assert_eq!(json!(stored), case["stored_phrase"]);
                assert_eq!(json!(key(case["slug"].as_str().unwrap(), &stored)), case["key"]);
            }
            Err(fault) => assert_eq!(json!(fault), case["error"], "{case}"),
        }
    }
}

proptest::proptest! {
    #[test]
    fn slugs_differ_and_text_without_headings_changes_none(
        headings in proptest::collection::vec("[xX!]{0,2}(-[23])?", 0..12),
        text in "[a-z >-]{0,20}",
    ) {
        let plain: String = headings.iter().map(|heading| ["## ", heading, "\n"].concat()).collect();
        let filled: String = headings.iter().map(|heading| ["## ", heading, "\n\n p ", &text, "\n\n"].concat()).collect();
        let slugs = |text: &str| Outline::of(text).units.into_iter().map(|unit| unit.slug).collect::<Vec<_>>();
        let found = slugs(&plain);
        let different: std::collections::BTreeSet<_> = found.iter().collect();
        proptest::prop_assert_eq!(different.len(), headings.len());
        proptest::prop_assert_eq!(&slugs(&filled), &found);
    }
}
