//! The state of findings, against the cases.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::ledger::fold::{self, All, Counts, Dangling, fold};
use git_review_gate::model::day::Day;
use git_review_gate::model::event::{
    Body, Event, OriginPassed, Other, Raised, Reopened, Resolved, Verified, Waived,
};
use git_review_gate::model::finding::{FindingFields, Origin, State};
use git_review_gate::model::ids::{EventId, FindingId};
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::severity::Severity;
use serde_json::{Value, json};

use super::{cases, commit, event, list, text};

/// Each symbolic name of a finding is a finding of its own text.
pub(super) fn fields(name: &str, severity: Severity) -> FindingFields {
    FindingFields {
        severity,
        expected: format!("{name} holds"),
        actual: "it does not".to_owned(),
        file: None,
        line: None,
        criterion: None,
        fix: None,
        evidence: None,
    }
}

fn finding_id(name: &str) -> FindingId {
    fields(name, Severity::Nit).identity()
}

pub(super) fn far_future() -> Day {
    "9999-12-31".parse().unwrap()
}

fn missing(name: &str) -> EventId {
    EventId(git_review_gate::model::canonical::digest_of(&[name.as_bytes()]).0)
}

/// The events of a case, and what each name stands for.
fn events_of(case: &Value) -> (Vec<Event>, BTreeMap<String, EventId>) {
    let mut ids: BTreeMap<String, EventId> = BTreeMap::new();
    let mut events: Vec<Event> = Vec::new();
    for given in case["events"].as_array().unwrap() {
        let name = text(given, "name");
        if let Some(id) = ids.get(name) {
            let again = events.iter().find(|event| event.id == *id).unwrap().clone();
            events.push(again);
            continue;
        }
        let named = |key: &str| -> Vec<EventId> {
            let names = given[key].as_array().map(Vec::as_slice).unwrap_or_default();
            let id = |name: &Value| ids.get(name.as_str().unwrap()).copied();
            names
                .iter()
                .map(|name| id(name).unwrap_or_else(|| missing(name.as_str().unwrap())))
                .collect()
        };
        let origin = || Origin(text(given, "origin").to_owned());
        let review = Some(ReviewId(given["review"].as_str().unwrap_or("r1").to_owned()));
        let body: Body = match text(given, "kind") {
            "finding.raised" => {
                let fields = fields(text(given, "finding"), text(given, "severity").parse().unwrap());
                Raised {
                    finding: fields.identity(),
                    review,
                    origin: origin(),
                    fields,
                }
                .into()
            }
            "finding.reopened" => Reopened {
                actual: "again".to_owned(),
                evidence: None,
                finding: finding_id(text(given, "finding")),
                origin: origin(),
                review,
            }
            .into(),
            "finding.resolved" => Resolved {
                closes: named("closes"),
                commit: commit(),
                note: None,
            }
            .into(),
            "finding.verified" => Verified {
                confirms: named("confirms"),
                origin: origin(),
            }
            .into(),
            "origin.passed" => OriginPassed {
                confirms: named("confirms"),
                origin: origin(),
                review,
            }
            .into(),
            "finding.waived" => Waived {
                closes: named("closes"),
                reason: "known".to_owned(),
                until: given
                    .get("until")
                    .map(|until| until.as_str().unwrap().parse().unwrap()),
            }
            .into(),
            kind => Other {
                kind: kind.to_owned(),
                value: json!({}),
            }
            .into(),
        };
        let made = event(&format!("2026-11-30T20:14:00Z {name}"), named("after"), body);
        ids.insert(name.to_owned(), made.id);
        events.push(made);
    }
    (events, ids)
}

#[test]
fn findings_fold_as_the_cases_say() {
    let file = cases("fold.json");
    for case in list(&file, "cases") {
        let name = text(case, "name");
        let (mut events, ids) = events_of(case);
        let today = match case.get("now") {
            Some(now) => now.as_str().unwrap()[..10].parse().unwrap(),
            None => "2026-11-30".parse().unwrap(),
        };
        let found = fold(&events, today, &All);
        events.reverse();
        assert_eq!(fold(&events, today, &All), found, "{name}: in another order");

        let expected = case["expect"]["findings"].as_object().unwrap();
        assert_eq!(found.findings.len(), expected.len(), "{name}");
        for (finding, expected) in expected {
            let found = found.finding(finding_id(finding)).unwrap();
            let id = |name: &str| ids[name];
            let open: BTreeSet<EventId> = expected["open"]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| id(name.as_str().unwrap()))
                .collect();
            let rounds: BTreeMap<EventId, u64> = expected["rounds"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, round)| (id(name), round.as_u64().unwrap()))
                .collect();
            let origins: Vec<&str> = found.origins.iter().map(Origin::as_str).collect();
            assert_eq!(found.state.as_str(), text(expected, "state"), "{name}: {finding}");
            assert_eq!(
                found.fields.severity.as_str(),
                text(expected, "severity"),
                "{name}: {finding}"
            );
            assert_eq!(json!(origins), expected["origins"], "{name}: {finding}");
            assert_eq!(
                found.open().map(|opening| opening.event).collect::<BTreeSet<_>>(),
                open,
                "{name}: {finding}"
            );
            let found_rounds: BTreeMap<EventId, u64> = found
                .openings
                .iter()
                .map(|opening| (opening.event, u64::from(opening.round)))
                .collect();
            assert_eq!(found_rounds, rounds, "{name}: {finding}");
        }
        let expected: BTreeSet<Dangling> = case["expect"]
            .get("dangling")
            .map(|dangling| dangling.as_array().unwrap().as_slice())
            .unwrap_or_default()
            .iter()
            .map(|one| Dangling {
                event: ids[text(one, "event")],
                missing: missing(text(one, "name")),
            })
            .collect();
        assert_eq!(
            found.dangling.iter().copied().collect::<BTreeSet<_>>(),
            expected,
            "{name}"
        );
    }
}

fn raised(at: &str, after: Vec<EventId>, fields: FindingFields, origin: &str) -> Event {
    let review = Some(ReviewId("r1".to_owned()));
    event(
        at,
        after,
        Raised {
            finding: fields.identity(),
            review,
            origin: Origin(origin.to_owned()),
            fields,
        },
    )
}

#[test]
fn what_is_shown_comes_from_the_last_raising() {
    let with = |line: u64, severity: Severity| FindingFields {
        line: Some(line),
        file: Some("a".to_owned()),
        ..fields("A", severity)
    };
    let first = raised("1", Vec::new(), with(1, Severity::Major), "qa");
    // Whatever their ids, one that has seen another is later.
    for at in 0..8 {
        let second = raised(
            &format!("second {at}"),
            vec![first.id],
            with(2, Severity::Nit),
            "qa",
        );
        let reopened = event(
            "3",
            vec![second.id],
            Reopened {
                actual: "still".to_owned(),
                evidence: None,
                finding: first_finding(&first),
                origin: Origin("qa".to_owned()),
                review: None,
            },
        );
        let waiver = event(
            "4",
            vec![reopened.id],
            Waived {
                closes: vec![first.id, second.id],
                reason: "known".to_owned(),
                until: None,
            },
        );
        let events = [first.clone(), second, reopened, waiver];
        let found = fold(&events, far_future(), &All).findings.remove(0);
        assert_eq!(found.fields.line, Some(2));
        assert_eq!(
            found.openings[2].review,
            Some(ReviewId("r1".to_owned())),
            "that of its finding"
        );
        assert_eq!(
            (found.fields.severity, found.openings[2].severity),
            (Severity::Major, Severity::Major)
        );
        assert_eq!(fold::heads(&events), [events[3].id]);
    }
    // Of two that have not seen each other, the one with the greater id.
    let other = raised("5", Vec::new(), with(5, Severity::Nit), "qa");
    let found = fold([&first, &other], far_future(), &All).findings.remove(0);
    assert_eq!(
        found.fields.line,
        if first.id > other.id { Some(1) } else { Some(5) }
    );
    // Texts that are not those of the id do not take its place.
    let mut forged = fields("B", Severity::Nit);
    forged.line = Some(9);
    let forged = Raised {
        finding: first_finding(&first),
        review: None,
        origin: Origin("qa".to_owned()),
        fields: forged,
    };
    let forged = event("6", vec![first.id], forged);
    let found = fold([&first, &forged], far_future(), &All).findings.remove(0);
    assert_eq!((found.fields.line, &*found.fields.expected), (Some(1), "A holds"));
    // A reopening whose raising is not here stays open, and counts as the worst.
    let lone = event(
        "7",
        Vec::new(),
        Reopened {
            actual: "still".to_owned(),
            evidence: None,
            finding: finding_id("C"),
            origin: Origin("qa".to_owned()),
            review: None,
        },
    );
    let found = fold([&lone], far_future(), &All).findings.remove(0);
    assert_eq!(
        (found.state, found.fields.severity, found.is_raised()),
        (State::Open, Severity::Blocker, false)
    );
}

#[test]
fn an_answer_may_name_what_its_after_does_not_lead_to() {
    // Which of the two comes first in the order of ids differs from one turn to the next.
    for turn in 0..8 {
        let opening = raised(
            &format!("1 {turn}"),
            Vec::new(),
            fields("A", Severity::Major),
            "qa",
        );
        let answer = Resolved {
            closes: vec![opening.id],
            commit: commit(),
            note: None,
        };
        let answer = event(&format!("2 {turn}"), Vec::new(), answer);
        let saw_both = raised(
            "3",
            vec![opening.id, answer.id],
            fields("B", Severity::Major),
            "qa",
        );
        let saw_one = raised("4", vec![opening.id], fields("C", Severity::Major), "qa");
        let found = fold([&opening, &answer, &saw_both, &saw_one], far_future(), &All);
        let round = |name: &str| found.finding(finding_id(name)).unwrap().round;
        assert_eq!((round("B"), round("C")), (2, 1));
    }
}

fn first_finding(event: &Event) -> FindingId {
    match &event.body {
        Body::Raised(raised) => raised.finding,
        body => panic!("{} raises nothing", body.kind()),
    }
}

#[test]
fn a_passing_origin_confirms_its_own_findings_only() {
    let of_qa = raised("1", Vec::new(), fields("A", Severity::Major), "qa");
    let of_pm = raised("2", Vec::new(), fields("B", Severity::Major), "pm");
    let answer = Resolved {
        closes: vec![of_qa.id, of_pm.id],
        commit: commit(),
        note: None,
    };
    let answer = event("3", vec![of_qa.id, of_pm.id], answer);
    let passed = OriginPassed {
        confirms: vec![answer.id],
        origin: Origin("qa".to_owned()),
        review: None,
    };
    let passed = event("4", vec![answer.id], passed);
    let found = fold([&of_qa, &of_pm, &answer, &passed], far_future(), &All);
    let state = |name: &str| found.finding(finding_id(name)).unwrap().state;
    assert_eq!((state("A"), state("B")), (State::Verified, State::Addressed));
}

#[test]
fn the_worst_open_findings_are_listed_first() {
    let with = |name: &str, severity: Severity, file: Option<&str>| FindingFields {
        file: file.map(str::to_owned),
        ..fields(name, severity)
    };
    let nit = raised("1", Vec::new(), with("A", Severity::Nit, None), "qa");
    let major_b = raised("2", Vec::new(), with("B", Severity::Major, Some("b")), "qa");
    let major_a = raised("3", Vec::new(), with("C", Severity::Major, Some("a")), "qa");
    let answered = raised("4", Vec::new(), with("D", Severity::Blocker, None), "qa");
    let answer = event(
        "5",
        Vec::new(),
        Resolved {
            closes: vec![answered.id],
            commit: commit(),
            note: None,
        },
    );
    let mut found = fold([&nit, &major_b, &major_a, &answered, &answer], far_future(), &All).findings;
    found.sort_by(|a, b| a.list_key().cmp(&b.list_key()));
    let listed: Vec<FindingId> = found.iter().map(|finding| finding.id).collect();
    assert_eq!(listed, [&major_a, &major_b, &nit, &answered].map(first_finding));
}

#[test]
fn what_does_not_count_closes_nothing() {
    struct Only(&'static str);
    impl Counts for Only {
        fn answers(&self, _: &Event) -> bool {
            self.0 == "answers"
        }
        fn waives(&self, _: &Event, severity: Severity) -> bool {
            self.0 == "waives" || severity > Severity::Major
        }
        fn confirms(&self, _: &Event, _: &Origin) -> bool {
            self.0 == "confirms"
        }
    }
    let major = raised("1", Vec::new(), fields("A", Severity::Major), "qa");
    let nit = raised("2", Vec::new(), fields("A", Severity::Nit), "qa");
    let answer = event(
        "3",
        Vec::new(),
        Resolved {
            closes: vec![major.id],
            commit: commit(),
            note: None,
        },
    );
    let confirm = event(
        "4",
        Vec::new(),
        Verified {
            confirms: vec![answer.id],
            origin: Origin("qa".to_owned()),
        },
    );
    let waive = event(
        "5",
        Vec::new(),
        Waived {
            closes: vec![major.id, nit.id],
            reason: "r".to_owned(),
            until: None,
        },
    );
    let events = [major.clone(), nit, answer, confirm, waive];
    for (only, expected) in [
        ("answers", State::Addressed),
        ("waives", State::Waived),
        ("confirms", State::Open),
        ("", State::Open),
    ] {
        let found = fold(&events, far_future(), &Only(only)).findings.remove(0);
        let of = |id: EventId| {
            found
                .openings
                .iter()
                .find(|opening| opening.event == id)
                .unwrap()
                .state
        };
        assert_eq!(of(major.id), expected, "only what {only}");
        assert_eq!(of(events[1].id), State::Waived, "a nit may be waived");
    }
    let expiring = event(
        "6",
        Vec::new(),
        Waived {
            closes: vec![events[1].id],
            reason: "r".to_owned(),
            until: Some("2026-12-31".parse().unwrap()),
        },
    );
    for (today, expected) in [("2026-12-31", State::Waived), ("2027-01-01", State::Open)] {
        let found = fold([&events[1], &expiring], today.parse().unwrap(), &All);
        assert_eq!(found.findings[0].state, expected, "{today}");
    }
}
