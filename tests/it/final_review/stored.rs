//! What is stored of packets and records reads back as it was, and what was tampered with is refused.

use std::collections::BTreeMap;

use git_review_gate::ledger::codec;
use git_review_gate::model::canonical;
use git_review_gate::model::delivery::{BaselineStatus, Content, SourceSpec, SourceStatus};
use git_review_gate::model::dimension::Dimension;
use git_review_gate::model::event::{
    Attempt, Body, EventDraft, Person, ReviewPacket, ReviewRecorded, ReviewReply, ReviewRuled, RuledVerdict,
    Subject,
};
use git_review_gate::model::ids::{Digest, EventId};
use git_review_gate::model::review::ReviewId;
use git_review_gate::review::stored;
use serde_json::{Value, json};

use super::material::{RID, judge, packet, reply, sources};

const TOTAL: u32 = 4096;

fn stored_packet() -> (ReviewPacket, Vec<SourceSpec>) {
    let content = BTreeMap::from([
        ("scope-contract", Content::Text("scope".to_owned())),
        (
            "pre-post-diff",
            Content::Text("VERDICT: NO STRUCTURAL DRIFT\n".to_owned()),
        ),
        ("code-review", Content::Text("x".repeat(2000))),
        ("tech-doc", Content::Empty(b" ".to_vec())),
    ]);
    let sources = sources(&content);
    let specs = sources.iter().map(|source| source.spec.clone()).collect();
    let body = packet(&sources, TOTAL).unwrap().body(&ReviewId(RID.to_owned()));
    (body, specs)
}

/// The body as JSON, and as it reads back from its line.
fn read_back(body: impl Into<Body>) -> (Value, Body) {
    let oid = |digit: &str| digit.repeat(40);
    let event = codec::encode(&EventDraft {
        after: Vec::new(),
        at: "2026-11-30T20:14:00Z".to_owned(),
        by: Person {
            email: "alice@example.org".to_owned(),
            name: "Alice".to_owned(),
        },
        subject: Subject {
            base: oid("1").parse().unwrap(),
            change: None,
            commit: oid("2").parse().unwrap(),
            tree: oid("3").parse().unwrap(),
        },
        body: body.into(),
    })
    .unwrap();
    let line: Value = serde_json::from_str(&event.line).unwrap();
    (line["body"].clone(), event.body)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn bodies_have_the_fields_that_other_tools_read() {
    let (body, _) = stored_packet();
    let (value, read) = read_back(body.clone());
    assert_eq!(read, Body::ReviewPacket(Box::new(body.clone())));
    assert_eq!(
        keys(&value),
        [
            "baseline_status",
            "conclusions",
            "delivered",
            "manifest",
            "packet",
            "reachability",
            "review"
        ]
    );
    assert_eq!(value["baseline_status"], "COMPUTED");
    assert_eq!(
        value["conclusions"],
        json!({"pre-post-diff": "VERDICT: NO STRUCTURAL DRIFT"})
    );
    assert_eq!(
        value["delivered"],
        json!({
            "functional-completeness": ["scope-contract"], "problem-resolution": [], "no-new-bugs": [],
            "existing-functionality-intact": ["scope-contract", "pre-post-diff"],
        })
    );
    assert_eq!(
        value["reachability"],
        json!([{"dimension": "no-new-bugs", "sources": [{"key": "code-review", "total": 2000}]}])
    );

    let sources = packet(&sources(&BTreeMap::new()), TOTAL)
        .unwrap()
        .allocation
        .deliveries();
    let judged = judge(&reply(), &sources, TOTAL);
    let recorded = ReviewRecorded {
        attempts: vec![Attempt {
            raw: Digest([1; 32]),
            reason: "truncated".to_owned(),
        }],
        base_tree: "4".repeat(40).parse().unwrap(),
        goal_digest: Digest([2; 32]),
        markers: judged.markers,
        origin: "reviewer".to_owned(),
        packet: body.packet,
        raw: canonical::digest_of(&[b"{}"]),
        result: judged.result,
        review: ReviewId(RID.to_owned()),
    };
    let (value, read) = read_back(recorded.clone());
    assert_eq!(read, Body::ReviewRecorded(Box::new(recorded)));
    assert_eq!(
        keys(&value),
        [
            "attempts",
            "base_tree",
            "goal_digest",
            "markers",
            "origin",
            "packet",
            "raw",
            "result",
            "review"
        ]
    );
    assert_eq!(
        keys(&value["result"]),
        ["allPass", "attached", "dimensions", "needsAttention"]
    );
    assert_eq!(
        value["result"]["dimensions"]["no-new-bugs"],
        json!({"confidence": "low", "verdict": "inconclusive"})
    );
    assert_eq!(
        keys(&value["markers"][0]),
        ["dimension", "effect", "marker", "text"]
    );

    let piece = ReviewReply {
        part: 1,
        parts: 2,
        raw: Digest([3; 32]),
        review: ReviewId(RID.to_owned()),
        text: "{\"rid\"".to_owned(),
    };
    assert_eq!(read_back(piece.clone()).1, Body::ReviewReply(piece));
    let ruled = ReviewRuled {
        dimension: Dimension::NoNewBugs,
        packet: body.packet,
        reason: "looked at".to_owned(),
        review: ReviewId(RID.to_owned()),
        settles: vec![EventId([7; 32])],
        verdict: RuledVerdict::Pass,
    };
    let (value, read) = read_back(ruled.clone());
    assert_eq!(read, Body::ReviewRuled(Box::new(ruled)));
    assert_eq!(
        (&value["verdict"], &value["dimension"]),
        (&json!("pass"), &json!("no-new-bugs"))
    );
}

#[test]
fn a_stored_packet_delivers_what_follows_from_its_manifest() {
    let (body, specs) = stored_packet();
    let deliveries = stored::deliveries(&body, &specs, u64::from(TOTAL)).unwrap();
    assert!(deliveries[0].is_delivered(Dimension::FunctionalCompleteness));
    assert_eq!(deliveries[8].status, SourceStatus::Truncated);
    assert_eq!(
        deliveries[1].conclusion.as_deref(),
        Some("VERDICT: NO STRUCTURAL DRIFT")
    );
}

#[test]
fn a_packet_that_claims_more_than_its_manifest_is_refused() {
    type Tamper = fn(&mut ReviewPacket);
    let again: Tamper = |packet| packet.packet = packet.manifest.packet_id();
    let tampered: [(&str, Tamper, bool); 13] = [
        ("another id", |packet| packet.packet = Digest([0; 32]), false),
        (
            "another head",
            |packet| packet.manifest.head = packet.manifest.base,
            false,
        ),
        (
            "cut and called found",
            |packet| packet.manifest.sources[8].status = SourceStatus::Found,
            true,
        ),
        (
            "cut and called whole",
            |packet| packet.manifest.sources[8].included = 2000,
            true,
        ),
        (
            "smaller than it is",
            |packet| packet.manifest.sources[8].total = 1024,
            true,
        ),
        (
            "missing, and yet included",
            |packet| packet.manifest.sources[2].included = 5,
            true,
        ),
        (
            "found without a digest",
            |packet| packet.manifest.sources[0].digest = None,
            true,
        ),
        (
            "a source less",
            |packet| drop(packet.manifest.sources.pop()),
            true,
        ),
        (
            "no baseline, and yet a conclusion",
            |packet| packet.manifest.baseline_digest = None,
            true,
        ),
        (
            "another word for the baseline",
            |packet| packet.baseline_status = BaselineStatus::NotDelivered,
            false,
        ),
        (
            "a conclusion of a source that has none",
            |packet| {
                drop(
                    packet
                        .conclusions
                        .insert("code-review".to_owned(), "x".to_owned()),
                );
            },
            false,
        ),
        (
            "delivered, it says",
            |packet| {
                packet
                    .delivered
                    .entry(Dimension::NoNewBugs)
                    .or_default()
                    .push("code-review".to_owned());
            },
            false,
        ),
        ("in reach, it says", |packet| packet.reachability.clear(), false),
    ];
    for (name, tamper, hides_it) in tampered {
        let (mut body, specs) = stored_packet();
        tamper(&mut body);
        if hides_it {
            again(&mut body);
        }
        let refused = stored::deliveries(&body, &specs, u64::from(TOTAL));
        assert_eq!(
            refused.map_err(|error| error.kind),
            Err("packet-mismatch"),
            "{name}"
        );
    }
    // A smaller budget would not have given this much.
    let (body, specs) = stored_packet();
    assert!(stored::deliveries(&body, &specs, 2048).is_err());
}

#[test]
fn a_packet_is_made_of_plain_ids_and_distinct_sources() {
    let mut twice = sources(&BTreeMap::new());
    twice.push(twice[4].clone());
    assert_eq!(packet(&twice, TOTAL).map_err(|error| error.kind), Err("policy"));
}
