//! What holds for every packet and every reply.

use std::collections::BTreeMap;

use git_review_gate::model::delivery::{Content, Source, SourceStatus};
use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::event::ReviewRecorded;
use git_review_gate::model::final_review::{Confidence, EvidenceItem, FinalReviewOutput};
use git_review_gate::model::policy::DeliveryRule;
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::witness::EvidenceKind;
use git_review_gate::review::budget;
use git_review_gate::review::delivered::{Delivery, baseline_summary, marker_line, prefix};
use git_review_gate::review::gates::{self, Judged};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::material::{judge, packet, reply, sources};

/// A small budget: sizes around its cap of 1,024 bytes are common then.
const TOTAL: u32 = 4096;

fn content() -> impl Strategy<Value = Content> {
    let piece = select(vec![
        "x",
        "é",
        "😀",
        "\n",
        "\r\n",
        "VERDICT: NO STRUCTURAL DRIFT\n",
        "VERDICT: STRUCTURAL DRIFT DETECTED: 1\n",
        "VERDICT: ",
        "RESULT: ok\n",
        "----- END goal ",
        "\u{1b}",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ]);
    let text = (vec(piece, 1..6), 0_usize..1300).prop_map(|(pieces, size)| {
        let mut text = pieces.concat();
        text.insert_str(text.len(), &"y".repeat(size));
        Content::Text(text)
    });
    prop_oneof![
        6 => text,
        1 => Just(Content::Missing("no such file in the tree".to_owned())),
        1 => Just(Content::Empty(b" \n".to_vec())),
        1 => Just(Content::Unreadable("a directory stands there".to_owned())),
    ]
}

/// The built-in sources in any state, sometimes another one of the conclusion rule.
fn any_sources() -> impl Strategy<Value = Vec<Source>> {
    (vec(content(), 11), option::of(content())).prop_map(|(contents, own)| {
        let mut sources = sources(&BTreeMap::new());
        for (source, content) in sources.iter_mut().zip(contents) {
            source.content = content;
        }
        if let (Content::Text(_), None) = (&sources[1].content, &sources[1].spec.at) {
            sources[1].spec.at = Some("baseline:00".to_owned());
        }
        if let Some(content) = own {
            let mut source = sources[3].clone();
            "load-report".clone_into(&mut source.spec.key);
            source.spec.rule = DeliveryRule::Conclusion {
                marker: "RESULT: ".to_owned(),
            };
            source.content = content;
            sources.push(source);
        }
        sources
    })
}

fn any_reply() -> impl Strategy<Value = FinalReviewOutput> {
    let item = (
        select(EvidenceKind::ALL.to_vec()),
        select(vec!["AC-1 by a test", "ac-1", "x"]),
        option::of(select(vec![
            "tests/cache.rs",
            "tests/none.rs",
            "evidence:00000000",
            "baseline:00",
        ])),
    )
        .prop_map(|(kind, description, artifact)| EvidenceItem {
            kind,
            description: description.to_owned(),
            artifact: artifact.map(str::to_owned),
            link: None,
        });
    let entry = (
        prop_oneof![
            3 => Just(DimensionVerdict::Pass),
            1 => Just(DimensionVerdict::Inconclusive),
            1 => Just(DimensionVerdict::Fail),
        ],
        select(Confidence::ALL.to_vec()),
        vec(item, 0..3),
        any::<bool>(),
    );
    (
        vec(entry, 4),
        option::of(any::<bool>()),
        option::of(subsequence(Dimension::ALL.to_vec(), 0..3)),
    )
        .prop_map(|(entries, all_pass, needs_attention)| {
            let mut reply = reply();
            for (dimension, (verdict, confidence, items, keeps)) in reply.dimensions.iter_mut().zip(entries) {
                dimension.verdict = verdict;
                dimension.confidence = confidence;
                if keeps {
                    dimension.evidence.extend(items);
                } else {
                    dimension.evidence = items;
                }
            }
            reply.all_pass = all_pass;
            reply.needs_attention = needs_attention;
            reply
        })
}

fn unit(source: &Source, cap: usize) -> usize {
    match &source.content {
        Content::Text(text) => prefix(text, cap).len(),
        _ => 0,
    }
}

/// Whether the source would be delivered with all that it may have.
fn can(source: &Source, cap: usize) -> bool {
    match (&source.content, &source.spec.rule) {
        (Content::Text(text), DeliveryRule::Whole) => text.len() <= cap,
        (Content::Text(text), DeliveryRule::Conclusion { marker }) => {
            marker_line(text, marker, unit(source, cap)).is_some()
        }
        _ => false,
    }
}

/// Verdict and confidence are no better, and what needed attention still does.
fn is_no_better(worse: &Judged, better: &Judged) -> bool {
    let outcomes = worse.result.dimensions.iter().all(|(dimension, outcome)| {
        let other = better.result.dimensions[dimension];
        outcome.verdict <= other.verdict
            && (outcome.verdict, outcome.confidence) <= (other.verdict, other.confidence)
    });
    outcomes && (better.result.all_pass || !worse.result.all_pass)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn no_gate_raises_anything(sources in any_sources(), reply in any_reply()) {
        let packet = packet(&sources, TOTAL).unwrap();
        let judged = judge(&reply, &packet.allocation.deliveries(), TOTAL);
        for entry in &reply.dimensions {
            let outcome = judged.result.dimensions[&entry.dimension];
            prop_assert!(outcome.verdict <= entry.verdict);
            prop_assert!(outcome.confidence <= entry.confidence);
            // Nothing softens a fail.
            prop_assert_eq!(outcome.verdict == DimensionVerdict::Fail, entry.verdict == DimensionVerdict::Fail);
        }
        prop_assert!(reply.all_pass != Some(false) || !judged.result.all_pass);
        for listed in reply.needs_attention.iter().flatten() {
            prop_assert!(judged.result.needs_attention.contains(listed));
        }
        prop_assert_eq!(judged.result.all_pass, judged.result.needs_attention.is_empty());
    }

    #[test]
    fn gates_change_nothing_in_their_own_result(sources in any_sources(), reply in any_reply()) {
        let packet = packet(&sources, TOTAL).unwrap();
        let deliveries = packet.allocation.deliveries();
        let once = judge(&reply, &deliveries, TOTAL);
        let twice = judge(&once.output, &deliveries, TOTAL);
        prop_assert_eq!(&twice.result.dimensions, &once.result.dimensions);
        prop_assert_eq!(&twice.result.needs_attention, &once.result.needs_attention);
        prop_assert_eq!(twice.result.all_pass, once.result.all_pass);
    }

    #[test]
    fn the_whole_answer_can_be_made_again_from_what_is_kept(sources in any_sources(), reply in any_reply()) {
        let packet = packet(&sources, TOTAL).unwrap();
        let deliveries = packet.allocation.deliveries();
        let judged = judge(&reply, &deliveries, TOTAL);
        let recorded = ReviewRecorded {
            attempts: Vec::new(),
            base_tree: "4".repeat(40).parse().unwrap(),
            goal_digest: packet.manifest.goal_digest,
            markers: judged.markers.clone(),
            origin: "reviewer".to_owned(),
            packet: packet.id,
            raw: packet.id,
            result: judged.result.clone(),
            review: ReviewId(reply.rid.clone()),
        };
        let name = packet.manifest.baseline_name();
        let baseline = name.as_deref().zip(baseline_summary(&deliveries));
        prop_assert_eq!(gates::rebuild(&reply, &recorded, baseline), judged.output);
    }

    #[test]
    fn what_is_left_out_raises_nothing(sources in any_sources(), reply in any_reply(), at in any::<prop::sample::Index>()) {
        let packet = packet(&sources, TOTAL).unwrap();
        let delivered = packet.allocation.deliveries();
        let mut left_out: Vec<Delivery> = delivered.clone();
        let source = &mut left_out[at.index(delivered.len())];
        prop_assume!(source.status.has_text());
        source.status = SourceStatus::Omitted;
        source.included = 0;
        source.conclusion = None;
        prop_assert!(is_no_better(&judge(&reply, &left_out, TOTAL), &judge(&reply, &delivered, TOTAL)));
    }

    #[test]
    fn the_budget_holds_and_each_question_gets_its_source(sources in any_sources()) {
        let allocation = budget::allocate(&sources, u64::from(TOTAL));
        prop_assert!(allocation.included() <= u64::from(TOTAL));
        let cap = usize::try_from(TOTAL / 4).unwrap();
        for (source, allocated) in sources.iter().zip(&allocation.sources) {
            let included = usize::try_from(allocated.delivery.included).unwrap();
            prop_assert!(included == 0 || included == unit(source, cap));
            prop_assert_eq!(allocated.delivery.status == SourceStatus::Omitted, allocated.omission.is_some());
        }
        let is_gate = |at: usize| matches!(&sources[at].content, Content::Text(_));
        if let Content::Text(contract) = &sources[0].content
            && contract.len() <= cap
        {
            prop_assert!(allocation.sources[0].delivery.is_delivered(Dimension::FunctionalCompleteness));
        }
        if let Content::Text(baseline) = &sources[1].content
            && baseline.len() <= cap
        {
            prop_assert_eq!(allocation.sources[1].delivery.included, baseline.len() as u64);
        }
        for dimension in Dimension::ALL {
            let has_gate_source = match dimension {
                Dimension::FunctionalCompleteness => is_gate(0),
                Dimension::ExistingFunctionalityIntact => is_gate(1),
                _ => false,
            };
            let could = sources.iter().any(|one| one.spec.supports.contains(dimension) && can(one, cap));
            let is_delivered = allocation.sources.iter().any(|one| one.delivery.is_delivered(*dimension));
            prop_assert!(has_gate_source || is_delivered == could, "{}", dimension);
        }
    }

    #[test]
    fn nothing_that_is_shown_ends_its_own_block(sources in any_sources()) {
        let packet = packet(&sources, TOTAL).unwrap();
        let fence = packet.prompt.lines().find_map(|line| line.strip_prefix("FENCE: ")).unwrap();
        let shown = packet.allocation.sources.iter().filter(|one| one.delivery.included > 0).count();
        // The goal is one block more; each has two ends, and the fence is announced once.
        prop_assert_eq!(packet.prompt.matches(fence).count(), 2 * (shown + 1) + 1);
        let begins = packet.prompt.lines().filter(|line| line.starts_with("----- BEGIN ") && line.contains(fence));
        prop_assert_eq!(begins.count(), shown + 1);
        let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
        prop_assert!(packet.prompt.chars().all(is_plain));
    }

    #[test]
    fn equal_material_gives_equal_bytes_and_no_other(sources in any_sources(), at in any::<prop::sample::Index>()) {
        let first = packet(&sources, TOTAL).unwrap();
        let again = packet(&sources, TOTAL).unwrap();
        prop_assert_eq!(&first, &again);
        let mut changed = sources.clone();
        let source = &mut changed[at.index(sources.len())];
        if let Content::Text(text) = &mut source.content {
            text.push('z');
            prop_assert_ne!(packet(&changed, TOTAL).unwrap().id, first.id);
        }
    }
}
