//! What each source gets, the exact status lines, and the ids of packets.

use std::collections::BTreeMap;

use git_review_gate::model::canonical;
use git_review_gate::model::delivery::{Content, Manifest, OmissionCode, Source};
use git_review_gate::model::dimension::Dimension;
use git_review_gate::review::budget::{self, Allocated};
use git_review_gate::review::{delivered, packet_text, source, status_line};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{cases, list, spec, text};

fn content(case: &Value) -> Content {
    let at_nothing = || match text(case, "key") {
        "scope-contract" => "the goal names no contract",
        "pre-post-diff" => "no baseline was computed",
        _ => "no such file in the tree",
    };
    match text(case, "entry") {
        "blob" => source::content(bytes(case)),
        "none" if case["named"] == json!(true) => Content::NotInTree,
        "none" => Content::Missing(case["why"].as_str().unwrap_or_else(at_nothing).to_owned()),
        "directory" => Content::Unreadable("a directory stands there".to_owned()),
        "symlink" => Content::Unreadable("a symbolic link, not followed".to_owned()),
        "submodule" => Content::Unreadable("a submodule".to_owned()),
        "object-missing" => Content::Unreadable("the object is not in this clone".to_owned()),
        other => panic!("{other}"),
    }
}

fn bytes(case: &Value) -> Vec<u8> {
    let content = &case["content"];
    if let Some(hex) = content["hex"].as_str() {
        return (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
    }
    let mut bytes = Vec::new();
    for part in content["parts"].as_array().unwrap() {
        let times = usize::try_from(part["n"].as_u64().unwrap()).unwrap();
        bytes.extend(text(part, "s").repeat(times).into_bytes());
    }
    assert_eq!(case["bytes"], json!(bytes.len()), "{case}");
    bytes
}

#[test]
fn every_source_gets_what_the_cases_say() {
    let file = cases("allocation.json");
    for case in list(&file, "cases") {
        let id = text(case, "id");
        let sources: Vec<Source> = list(case, "sources")
            .iter()
            .map(|source| Source {
                spec: spec(source),
                content: content(source),
            })
            .collect();
        let total = case["total"].as_u64().unwrap();
        let allocation = budget::allocate(&sources, total);
        let expect = &case["expect"];
        assert_eq!(expect["cap"], json!(allocation.cap), "{id}");
        assert_eq!(expect["reserved"], json!(allocation.reserved), "{id}");
        assert_eq!(expect["total_included"], json!(allocation.included()), "{id}");
        let holders = BTreeMap::<Dimension, Option<String>>::deserialize(&expect["holders"]).unwrap();
        for (dimension, holder) in holders {
            assert_eq!(
                allocation.holders.get(&dimension),
                holder.as_ref(),
                "{id} {dimension}"
            );
        }
        for source in &allocation.sources {
            let key = &source.delivery.spec.key;
            let expected = &expect["sources"][key];
            // A conclusion is named only where the rule asks for one.
            let mut seen = seen(source, total);
            if expected.get("conclusion").is_none() {
                assert_eq!(seen["conclusion"], Value::Null, "{id} {key}");
                seen.as_object_mut().unwrap().remove("conclusion");
            }
            assert_eq!(&seen, expected, "{id} {key}");
        }
        let deliveries = allocation.deliveries();
        assert_eq!(
            json!(delivered::out_of_reach(&deliveries, allocation.cap)),
            expect["reachability"],
            "{id}"
        );
        let status = match (
            delivered::baseline_summary(&deliveries).is_some(),
            matches!(sources[1].content, Content::Text(_)),
        ) {
            (true, _) => "COMPUTED",
            (false, true) => "COMPUTED ON DISK, NOT DELIVERED",
            (false, false) => "UNAVAILABLE",
        };
        assert_eq!(expect["baseline_status"], json!(status), "{id}");
    }
}

/// One allocated source as the cases write it.
fn seen(source: &Allocated, total: u64) -> Value {
    let delivery = &source.delivery;
    let delivered: Vec<_> = Dimension::ALL
        .iter()
        .filter(|dimension| delivery.is_delivered(**dimension))
        .collect();
    let mut seen = json!({
        "status": delivery.status,
        "total": delivery.total,
        "included": delivery.included,
        "conclusion": delivery.conclusion,
        "floor": source.floor,
        "delivered": delivered,
        "status_line": status_line::source(source, total),
    });
    if let Some(omission) = &source.omission {
        let mut omitted = json!({"needed": omission.needed, "left": omission.left, "code": omission.code});
        if omission.code == OmissionCode::Reserved {
            omitted["reserved"] = json!(omission.reserved);
            let holders = omission.reserved_for.iter();
            let holders = holders.map(|one| json!({"key": one.key, "dimensions": one.dimensions}));
            omitted["reserved_for"] = holders.collect();
        }
        seen["omitted"] = omitted;
    }
    seen
}

#[test]
fn the_id_of_a_packet_is_made_of_its_manifest() {
    let file = cases("allocation.json");
    for case in list(&file, "packet_ids") {
        let title = text(case, "title");
        let manifest = Manifest::deserialize(&case["manifest"]).unwrap();
        assert_eq!(
            canonical::to_text(&manifest).unwrap(),
            text(case, "canonical"),
            "{title}"
        );
        let id = manifest.packet_id();
        assert_eq!(id.to_hex(), text(case, "packet"), "{title}");
        let texts: Vec<&str> = list(case, "fenced_texts")
            .iter()
            .map(|one| one.as_str().unwrap())
            .collect();
        assert_eq!(packet_text::fence(id, &texts), text(case, "fence"), "{title}");
    }
    let mut other = list(&file, "packet_ids")[0]["manifest"].clone();
    other["version"] = json!(2);
    assert!(
        Manifest::deserialize(&other).is_err(),
        "another version is another form"
    );
    other["version"] = json!(1);
    other["schema"] = json!("review-gate/other");
    assert!(
        Manifest::deserialize(&other).is_err(),
        "another schema is another form"
    );
}
