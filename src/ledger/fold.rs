//! Folds events into the state of each finding. Neither the order of the lines nor any clock takes part.
//!
//! An *opening* (a `raised` or `reopened` event) is verified if a resolution of it is confirmed by its own origin,
//! else waived if a live waiver closes it, else addressed if a resolution answers it, else open. A resolution names
//! exactly the openings it saw, so one that was made elsewhere at the same time keeps its finding open.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::model::day::Day;
use crate::model::event::{Body, Event, Raised};
use crate::model::finding::{Finding, FindingFields, Opening, OpeningKind, Origin, State};
use crate::model::ids::{CommitId, EventId, FindingId};
use crate::model::review::ReviewId;
use crate::model::severity::Severity;

use self::order::Ordered;
use self::seen::{Node, Seen, seen};

mod bits;
mod order;
mod seen;

/// Which events count, beyond what they say themselves. Nothing that does not count closes anything.
pub trait Counts {
    /// Whether a `finding.resolved` answers: its commit is in what is judged.
    fn answers(&self, resolution: &Event) -> bool;

    /// Whether a `finding.waived` may close an opening of this severity.
    fn waives(&self, waiver: &Event, severity: Severity) -> bool;

    /// Whether a `finding.verified` or `origin.passed` may speak for this origin.
    fn confirms(&self, confirmation: &Event, origin: &Origin) -> bool;
}

/// Every event counts, whoever wrote it.
#[derive(Debug, Clone, Copy)]
pub struct All;

impl Counts for All {
    fn answers(&self, _: &Event) -> bool {
        true
    }

    fn waives(&self, _: &Event, _: Severity) -> bool {
        true
    }

    fn confirms(&self, _: &Event, _: &Origin) -> bool {
        true
    }
}

/// What the events come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// The findings, by id.
    pub findings: Vec<Finding>,
    /// Answers and waivers of events that are not here, sorted.
    pub dangling: Vec<Dangling>,
}

impl Fold {
    /// The finding with this id.
    pub fn finding(&self, id: FindingId) -> Option<&Finding> {
        let place = self
            .findings
            .binary_search_by_key(&id, |finding| finding.id)
            .ok()?;
        Some(&self.findings[place])
    }
}

/// An event names another in `closes` that no event given has as its id. It is ignored for the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dangling {
    /// The answer or waiver.
    pub event: EventId,
    /// The id that it names.
    pub missing: EventId,
}

/// Folds events, given in any order and any number of times. A waiver is live to the end of its day, against `today`.
///
/// Rounds are counted within each review over the events given; they are history, so every answer and waiver that
/// an opening had seen counts for them, live or not.
pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>, today: Day, counts: &dyn Counts) -> Fold {
    let ordered = Ordered::new(events);
    let openings = Openings::of(&ordered);
    let closers = Closers::of(&ordered, &openings, today, counts);
    let seen = seen(&ordered, &openings.nodes(), &closers.numbers);

    let mut findings: Vec<Finding> = openings
        .findings
        .iter()
        .map(|(id, numbers)| finding(*id, numbers, &openings, &closers, &seen, counts))
        .collect();
    findings.sort_unstable_by_key(|finding| finding.id);
    let mut dangling = closers.dangling;
    dangling.sort_unstable();
    dangling.dedup();
    Fold { findings, dangling }
}

/// The events that no other event names in its `after`: what a writer who has read these has seen. Sorted.
pub fn heads<'a>(events: impl IntoIterator<Item = &'a Event> + Clone) -> Vec<EventId> {
    let named: HashSet<EventId> = events
        .clone()
        .into_iter()
        .flat_map(|event| event.after.iter().copied())
        .collect();
    let heads = events
        .into_iter()
        .map(|event| event.id)
        .filter(|id| !named.contains(id));
    heads.collect::<BTreeSet<_>>().into_iter().collect()
}

/// One `raised` or `reopened` event.
struct OpeningEvent<'a> {
    place: usize,
    event: &'a Event,
    finding: FindingId,
    origin: &'a Origin,
    /// `None` for a reopening.
    raised: Option<&'a Raised>,
    /// Where its round counts.
    review: Option<&'a ReviewId>,
    actual: &'a str,
    evidence: Option<&'a String>,
}

impl OpeningEvent<'_> {
    /// Whether it is a raising with the texts of its finding.
    fn is_genuine(&self) -> bool {
        self.raised
            .is_some_and(|raised| raised.fields.identity() == raised.finding)
    }
}

/// All openings in causal order, and those of each finding.
struct Openings<'a> {
    all: Vec<OpeningEvent<'a>>,
    findings: BTreeMap<FindingId, Vec<usize>>,
    by_event: HashMap<EventId, usize>,
}

impl<'a> Openings<'a> {
    fn of(ordered: &Ordered<'a>) -> Self {
        let mut all = Vec::new();
        let mut findings: BTreeMap<FindingId, Vec<usize>> = BTreeMap::new();
        let mut by_event = HashMap::new();
        for (place, event) in ordered.events.iter().copied().enumerate() {
            let opening = match &event.body {
                Body::Raised(body) => OpeningEvent {
                    place,
                    event,
                    finding: body.finding,
                    origin: &body.origin,
                    raised: Some(body),
                    review: body.review.as_ref(),
                    actual: &body.fields.actual,
                    evidence: body.fields.evidence.as_ref(),
                },
                Body::Reopened(body) => OpeningEvent {
                    place,
                    event,
                    finding: body.finding,
                    origin: &body.origin,
                    raised: None,
                    review: body.review.as_ref(),
                    actual: &body.actual,
                    evidence: body.evidence.as_ref(),
                },
                _ => continue,
            };
            findings.entry(opening.finding).or_default().push(all.len());
            by_event.insert(event.id, all.len());
            all.push(opening);
        }
        let mut openings = Self {
            all,
            findings,
            by_event,
        };
        openings.place_reopenings();
        openings
    }

    /// A reopening counts in a review of its finding: the one it names, or else that of the first raising.
    fn place_reopenings(&mut self) {
        for numbers in self.findings.values() {
            let raised: Vec<Option<&ReviewId>> = numbers
                .iter()
                .filter(|n| self.all[**n].raised.is_some())
                .map(|n| self.all[*n].review)
                .collect();
            let Some(first) = raised.first().copied() else {
                continue;
            };
            for &number in numbers {
                let opening = &mut self.all[number];
                if opening.raised.is_none() && !raised.contains(&opening.review) {
                    opening.review = first;
                }
            }
        }
    }

    fn nodes(&self) -> Vec<Node> {
        // Without a review, a finding counts by its commit alone.
        let mut groups: HashMap<(Option<&ReviewId>, Option<CommitId>), usize> = HashMap::new();
        let mut nodes = Vec::with_capacity(self.all.len());
        let mut of_finding = vec![(0, 0); self.all.len()];
        for (finding, numbers) in self.findings.values().enumerate() {
            let raisings = numbers
                .iter()
                .filter(|number| self.all[**number].raised.is_some())
                .count();
            for number in numbers {
                of_finding[*number] = (finding, raisings);
            }
        }
        for (opening, (finding, raisings)) in self.all.iter().zip(of_finding) {
            let alone = opening.review.is_none().then_some(opening.event.subject.commit);
            let next = groups.len();
            nodes.push(Node {
                place: opening.place,
                finding,
                group: *groups.entry((opening.review, alone)).or_insert(next),
                competes: opening.raised.is_some() && raisings > 1,
            });
        }
        nodes
    }
}

/// What closes openings.
struct Closers<'a> {
    /// By number of the opening: the resolutions that count.
    resolutions: Vec<Vec<EventId>>,
    /// By number of the opening: the live waivers, allowed or not.
    waivers: Vec<Vec<&'a Event>>,
    /// By resolution: the origins that confirm it.
    confirmed: HashMap<EventId, BTreeSet<&'a Origin>>,
    /// By place of the event: the openings that it names, whether it counts or not.
    numbers: Vec<Vec<usize>>,
    dangling: Vec<Dangling>,
}

impl<'a> Closers<'a> {
    fn of(ordered: &Ordered<'a>, openings: &Openings<'a>, today: Day, counts: &dyn Counts) -> Self {
        let mut closers = Self {
            resolutions: vec![Vec::new(); openings.all.len()],
            waivers: vec![Vec::new(); openings.all.len()],
            confirmed: HashMap::new(),
            numbers: vec![Vec::new(); ordered.events.len()],
            dangling: Vec::new(),
        };
        for (place, event) in ordered.events.iter().copied().enumerate() {
            match &event.body {
                Body::Resolved(body) => {
                    let numbers = closers.named(ordered, openings, event, &body.closes);
                    if counts.answers(event) {
                        for number in &numbers {
                            closers.resolutions[*number].push(event.id);
                        }
                    }
                    closers.numbers[place] = numbers;
                }
                Body::Waived(body) => {
                    let numbers = closers.named(ordered, openings, event, &body.closes);
                    if body.until.is_none_or(|until| today <= until) {
                        for number in &numbers {
                            closers.waivers[*number].push(event);
                        }
                    }
                    closers.numbers[place] = numbers;
                }
                Body::Verified(body) => closers.confirm(event, &body.origin, &body.confirms, counts),
                Body::OriginPassed(body) => closers.confirm(event, &body.origin, &body.confirms, counts),
                _ => {}
            }
        }
        closers
    }

    /// The openings that `closes` names, each once; what names nothing here is noted.
    fn named(
        &mut self,
        ordered: &Ordered<'_>,
        openings: &Openings<'_>,
        event: &Event,
        closes: &[EventId],
    ) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(closes.len());
        for id in closes {
            match openings.by_event.get(id) {
                Some(number) => numbers.push(*number),
                None if ordered.place(*id).is_none() => {
                    self.dangling.push(Dangling {
                        event: event.id,
                        missing: *id,
                    });
                }
                // An event that is not an opening: there is nothing to close.
                None => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn confirm(&mut self, event: &'a Event, origin: &'a Origin, confirms: &[EventId], counts: &dyn Counts) {
        if counts.confirms(event, origin) {
            for id in confirms {
                self.confirmed.entry(*id).or_default().insert(origin);
            }
        }
    }

    fn is_confirmed(&self, resolution: EventId, origin: &Origin) -> bool {
        self.confirmed
            .get(&resolution)
            .is_some_and(|origins| origins.contains(origin))
    }
}

/// One finding; `numbers` are its openings, at least one, in causal order.
fn finding(
    id: FindingId,
    numbers: &[usize],
    openings: &Openings<'_>,
    closers: &Closers<'_>,
    seen: &Seen,
    counts: &dyn Counts,
) -> Finding {
    let of = |number: &usize| &openings.all[*number];
    // The first severity is the worst. With no raising at hand nothing is known of it: the safe side is the worst.
    let raised_severity = |opening: &OpeningEvent<'_>| opening.raised.map(|raised| raised.fields.severity);
    let worst_raised = numbers
        .iter()
        .filter_map(|number| raised_severity(of(number)))
        .min();
    let worst_raised = worst_raised.unwrap_or(Severity::Blocker);

    let states: Vec<Opening> = numbers
        .iter()
        .map(|&number| {
            let opening = of(&number);
            let severity = raised_severity(opening).unwrap_or(worst_raised);
            let resolutions = sorted(closers.resolutions[number].clone());
            let may_waive = closers.waivers[number]
                .iter()
                .filter(|waiver| counts.waives(waiver, severity));
            let waivers = sorted(may_waive.map(|waiver| waiver.id).collect());
            let confirmed = resolutions
                .iter()
                .any(|resolution| closers.is_confirmed(*resolution, opening.origin));
            let state = match (confirmed, waivers.is_empty(), resolutions.is_empty()) {
                (true, _, _) => State::Verified,
                (false, false, _) => State::Waived,
                (false, true, false) => State::Addressed,
                (false, true, true) => State::Open,
            };
            Opening {
                event: opening.event.id,
                kind: if opening.raised.is_some() {
                    OpeningKind::Raised
                } else {
                    OpeningKind::Reopened
                },
                origin: opening.origin.clone(),
                severity,
                state,
                round: seen.rounds[number],
                review: opening.review.cloned(),
                commit: opening.event.subject.commit,
                resolutions,
                waivers,
            }
        })
        .collect();

    let open = states.iter().filter(|opening| opening.state == State::Open);
    let severity = open.map(|opening| opening.severity).min();
    let severity = severity.or_else(|| states.iter().map(|opening| opening.severity).min());
    let shown = shown(numbers, openings, seen);
    let fields = match shown.raised {
        Some(raised) => raised.fields.clone(),
        None => FindingFields {
            severity: worst_raised,
            expected: "not known: the raising of this finding is not here".to_owned(),
            actual: shown.actual.to_owned(),
            file: None,
            line: None,
            criterion: None,
            fix: None,
            evidence: shown.evidence.cloned(),
        },
    };
    Finding {
        id,
        state: states
            .iter()
            .map(|opening| opening.state)
            .min()
            .unwrap_or(State::Open),
        fields: FindingFields {
            severity: severity.unwrap_or(worst_raised),
            ..fields
        },
        round: states.iter().map(|opening| opening.round).max().unwrap_or(1),
        origins: sorted(states.iter().map(|opening| opening.origin.clone()).collect()),
        review: shown.review.cloned(),
        commit: shown.event.subject.commit,
        openings: states,
    }
}

/// The opening whose texts are shown: the last raising in causal order, then by id.
///
/// One whose texts are not those of the finding's id is taken only where there is no other.
fn shown<'o, 'a>(numbers: &[usize], openings: &'o Openings<'a>, seen: &Seen) -> &'o OpeningEvent<'a> {
    let key = |number: &usize| {
        let opening = &openings.all[*number];
        (
            opening.raised.is_some(),
            !seen.superseded[*number],
            opening.event.id,
        )
    };
    let last = *numbers
        .iter()
        .max_by_key(|number| key(number))
        .expect("a finding has an opening");
    if numbers.len() == 1 || openings.all[last].is_genuine() {
        return &openings.all[last];
    }
    let genuine = numbers
        .iter()
        .filter(|number| openings.all[**number].is_genuine());
    &openings.all[*genuine.max_by_key(|number| key(number)).unwrap_or(&last)]
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}
