//! Laws of the fold, against a definition of rounds that is slow and plain.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::ledger::fold::{All, Fold, fold};
use git_review_gate::model::event::{Body, Event, Raised, Reopened, Resolved, Verified, Waived};
use git_review_gate::model::finding::{Origin, State};
use git_review_gate::model::ids::EventId;
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::severity::Severity;
use proptest::prelude::*;

use super::fold_cases::{far_future, fields};
use super::{commit, event};

/// A history: for each event what it does, and which of the earlier ones it has seen and names.
fn history() -> impl Strategy<Value = Vec<Event>> {
    let step = (
        0..6_u8,
        any::<[prop::sample::Index; 4]>(),
        0..4_usize,
        0..3_usize,
        0..2_usize,
        0..4_usize,
    );
    prop::collection::vec(step, 0..150).prop_map(|steps| {
        let mut events: Vec<Event> = Vec::new();
        for (kind, picks, finding, origin, review, heads) in steps {
            let at = events.len();
            let pick = |n: usize| (!events.is_empty()).then(|| events[picks[n].index(events.len())].id);
            let mut after: Vec<EventId> = (0..heads.min(2)).filter_map(pick).collect();
            // Long chains are the usual case.
            after.extend(events.last().filter(|_| heads > 2).map(|event| event.id));
            let names = (2..4).filter_map(pick).collect();
            let origin = Origin(["qa", "pm", "ceo"][origin].to_owned());
            let review = Some(ReviewId(["r1", "r2"][review].to_owned()));
            let fields = fields(["A", "B", "C", "D"][finding], Severity::ALL[finding]);
            let body: Body = match kind {
                0 | 1 => Raised {
                    finding: fields.identity(),
                    review,
                    origin,
                    fields,
                }
                .into(),
                2 => {
                    let finding = fields.identity();
                    Reopened {
                        actual: "again".to_owned(),
                        evidence: None,
                        finding,
                        origin,
                        review,
                    }
                    .into()
                }
                3 => Resolved {
                    closes: names,
                    commit: commit(),
                    note: None,
                }
                .into(),
                4 => Verified {
                    confirms: names,
                    origin,
                }
                .into(),
                _ => Waived {
                    closes: names,
                    reason: "r".to_owned(),
                    until: None,
                }
                .into(),
            };
            events.push(event(&at.to_string(), after, body));
        }
        events
    })
}

/// The rounds by their definition: all that each opening has seen is looked at again for every opening.
fn plain_rounds(events: &[Event], reviews: &BTreeMap<EventId, Option<ReviewId>>) -> BTreeMap<EventId, u32> {
    let mut seen: BTreeMap<EventId, BTreeSet<EventId>> = BTreeMap::new();
    let mut rounds: BTreeMap<EventId, u32> = BTreeMap::new();
    for event in events {
        let mut before = BTreeSet::new();
        for id in &event.after {
            before.insert(*id);
            before.extend(&seen[id]);
        }
        if let Some(review) = reviews.get(&event.id) {
            let closed: BTreeSet<EventId> = events
                .iter()
                .filter(|other| before.contains(&other.id))
                .flat_map(|other| match &other.body {
                    Body::Resolved(body) => body.closes.clone(),
                    Body::Waived(body) => body.closes.clone(),
                    _ => Vec::new(),
                })
                .collect();
            let of_review = before.iter().filter(|id| reviews.get(id) == Some(review));
            let all: Vec<(bool, u32)> = of_review.map(|id| (!closed.contains(id), rounds[id])).collect();
            let open = all
                .iter()
                .filter(|(open, _)| *open)
                .map(|(_, round)| *round)
                .max();
            let next = all
                .iter()
                .map(|(_, round)| *round)
                .max()
                .map_or(1, |highest| highest + 1);
            rounds.insert(event.id, open.unwrap_or(next));
        }
        seen.insert(event.id, before);
    }
    rounds
}

fn openings(fold: &Fold) -> BTreeMap<EventId, (u32, Option<ReviewId>)> {
    let all = fold.findings.iter().flat_map(|finding| &finding.openings);
    all.map(|opening| (opening.event, (opening.round, opening.review.clone())))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_lines_does_not_matter(events in history(), seed in any::<prop::sample::Index>()) {
        let found = fold(&events, far_future(), &All);
        let mut other = events.clone();
        other.extend(events.iter().take(3).cloned());
        if !other.is_empty() {
            let turn = seed.index(other.len());
            other.rotate_left(turn);
        }
        prop_assert_eq!(&fold(&other, far_future(), &All), &found);
        other.sort_by(|a, b| b.line.cmp(&a.line));
        prop_assert_eq!(&fold(&other, far_future(), &All), &found);
    }

    #[test]
    fn rounds_are_what_their_definition_says(events in history()) {
        let found = openings(&fold(&events, far_future(), &All));
        let reviews = found.iter().map(|(id, (_, review))| (*id, review.clone())).collect();
        let rounds: BTreeMap<EventId, u32> = found.iter().map(|(id, (round, _))| (*id, *round)).collect();
        prop_assert_eq!(rounds, plain_rounds(&events, &reviews));
    }

    /// More answers never open anything, more openings never close anything.
    #[test]
    fn an_opening_is_closed_only_by_what_names_it(events in history()) {
        let all = fold(&events, far_future(), &All);
        let only_openings: Vec<&Event> =
            events.iter().filter(|event| matches!(event.body, Body::Raised(_) | Body::Reopened(_))).collect();
        for finding in &fold(only_openings, far_future(), &All).findings {
            prop_assert_eq!(finding.state, State::Open);
            prop_assert!(all.finding(finding.id).is_some());
        }
        for finding in &all.findings {
            for opening in &finding.openings {
                let named = events.iter().any(|event| match &event.body {
                    Body::Resolved(body) => body.closes.contains(&opening.event),
                    Body::Waived(body) => body.closes.contains(&opening.event),
                    _ => false,
                });
                prop_assert_eq!(opening.state == State::Open, !named);
            }
        }
    }
}

/// In one line of events each has seen all before it, so a set of what is open is enough, over any length.
#[test]
fn rounds_of_a_long_line_are_counted_one_by_one() {
    let mut events: Vec<Event> = Vec::new();
    let mut open: BTreeMap<EventId, u32> = BTreeMap::new();
    let mut expected: BTreeMap<EventId, u32> = BTreeMap::new();
    let mut highest = 0;
    for at in 0..1500_usize {
        let after = events.last().map(|event| event.id).into_iter().collect();
        // Now and then everything that is open is answered at once, else every fifth event answers one.
        let closes: Vec<EventId> = match at % 5 {
            4 if at % 95 == 94 => open.keys().copied().collect(),
            4 => open.keys().take(1).copied().collect(),
            _ => Vec::new(),
        };
        if closes.is_empty() {
            let mut fields = fields(&format!("F{}", at % 700), Severity::Minor);
            fields.line = u64::try_from(at + 1).ok();
            let (finding, review) = (fields.identity(), Some(ReviewId("r1".to_owned())));
            let raised = Raised {
                finding,
                review,
                origin: Origin("qa".to_owned()),
                fields,
            };
            let opening = event(&at.to_string(), after, raised);
            let round = open.values().max().copied().unwrap_or(highest + 1);
            highest = highest.max(round);
            open.insert(opening.id, round);
            expected.insert(opening.id, round);
            events.push(opening);
        } else {
            open.retain(|id, _| !closes.contains(id));
            events.push(event(
                &at.to_string(),
                after,
                Resolved {
                    closes,
                    commit: commit(),
                    note: None,
                },
            ));
        }
    }
    let found = fold(&events, far_future(), &All);
    let rounds: BTreeMap<EventId, u32> = openings(&found)
        .into_iter()
        .map(|(id, (round, _))| (id, round))
        .collect();
    assert!(
        expected.len() > 1100 && highest > 10,
        "several blocks of openings, many rounds"
    );
    assert_eq!(rounds, expected);
    // Of two raisings the later one is shown, however far apart they are.
    let twice = found.findings.iter().filter(|finding| finding.openings.len() > 1);
    for finding in twice {
        let line = finding.fields.line.unwrap();
        let lines = events.iter().filter_map(|event| match &event.body {
            Body::Raised(raised) if raised.finding == finding.id => raised.fields.line,
            _ => None,
        });
        assert_eq!(Some(line), lines.max());
    }
}
