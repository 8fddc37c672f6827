//! The state of findings that a command acts on: one finding by reference, or all that the gate sees.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::ledger::fold::Fold;
use crate::model::event::Event;
use crate::model::finding::{Finding, Opening, State};
use crate::model::ids::{CommitId, EventId, FindingId};
use crate::ops::clock;
use crate::ops::desk::{Desk, closure};
use crate::ops::gate_view::{self, Asked, GateView};
use crate::ops::ledger::Anchored;

/// A finding with all of its events.
pub struct Known {
    /// Its state by all of its events, wherever they are.
    pub finding: Finding,
    /// Its events, and those that name them.
    pub events: Vec<Anchored>,
    /// Events that do not count, because their author may not speak for the origin.
    pub claims: BTreeSet<EventId>,
}

impl Desk<'_> {
    /// What the gate sees for the checked-out branch; on a detached HEAD for its commit alone.
    pub fn gate_view(&self) -> Result<GateView> {
        let asked = Asked {
            head: self.head,
            base: self.base.merge_base(),
            branches: self.branch.iter().cloned().collect(),
            is_base_branch: self.base.is_base_branch,
            policy: &self.base.policy,
            today: clock::today(),
        };
        gate_view::gate_view(self.repo, &self.ledger, &asked)
    }

    /// The same for commands that say or change what stands: what cannot be read, or was never asked for, may hold
    /// another finding, so it is an error.
    pub fn whole_view(&self) -> Result<GateView> {
        let seen = self.gate_view()?;
        self.refuse_doubt(&seen.view.unreadable)?;
        Ok(seen)
    }

    /// An error where the ledger is not known as a whole, or one of these notes cannot be read.
    pub fn refuse_doubt<'a>(&self, unreadable: impl IntoIterator<Item = &'a CommitId>) -> Result<()> {
        if let Some(trouble) = self.ledger.troubles()?.into_iter().next() {
            return Err(trouble);
        }
        match unreadable.into_iter().next() {
            Some(anchor) => Err(self.ledger.why_unreadable(*anchor)?),
            None => Ok(()),
        }
    }

    /// The finding that a reference (`F-a1b2c3d4`, or the beginning of it) names, among all of the ledger.
    pub fn finding(&self, reference: &str) -> Result<Known> {
        match self.ledger.find(reference)? {
            Ok(id) => self.known(id),
            Err((error, candidates)) => {
                let line = |id: FindingId| match self.known(id) {
                    Ok(known) => known.finding.line(),
                    Err(_) => id.short(),
                };
                Err(error.explain(reference, candidates.into_iter().map(line)))
            }
        }
    }

    fn known(&self, id: FindingId) -> Result<Known> {
        let records = self.ledger.records();
        let found = closure(records, records.of_finding(id)?)?;
        let anchors: BTreeSet<CommitId> = found.values().map(|record| record.anchor).collect();
        let mut events = self.ledger.read(&anchors)?;
        // Rounds are counted within a review: its other events belong to the picture, but not to the finding.
        let reviews: BTreeSet<&String> = found
            .values()
            .filter_map(|record| record.review.as_ref())
            .collect();
        let mut context = BTreeMap::new();
        for review in reviews {
            context.extend(closure(records, records.of_review(review)?)?);
        }
        let mut all = events.clone();
        let more: BTreeSet<CommitId> = context
            .values()
            .filter(|record| !anchors.contains(&record.anchor))
            .map(|record| record.anchor)
            .collect();
        all.extend(self.ledger.read(&more)?);
        all.retain(|one| found.contains_key(&one.event.id) || context.contains_key(&one.event.id));
        events.retain(|one| found.contains_key(&one.event.id));
        let (fold, claims) =
            gate_view::fold_events(&all, &BTreeSet::new(), &self.base.policy, clock::today());
        let finding = fold.finding(id).cloned().ok_or_else(|| {
            Error::new(
                "claims-only",
                format!(
                    "{} was raised only by people who may not speak for its origin",
                    id.short()
                ),
            )
            .hint("git review-gate explain policy")
        })?;
        Ok(Known {
            finding,
            events,
            claims,
        })
    }
}

/// The openings that an answer or a waiver by hand is for: all that are neither verified nor waived.
pub fn unsettled(finding: &Finding) -> impl Iterator<Item = &Opening> {
    finding
        .openings
        .iter()
        .filter(|opening| matches!(opening.state, State::Open | State::Addressed))
}

/// The findings of a fold in the order in which they are listed: open first, by severity, file, line, then id.
pub fn sorted(fold: &Fold) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> = fold.findings.iter().collect();
    findings.sort_by(|a, b| a.list_key().cmp(&b.list_key()));
    findings
}

/// The heads to write after: of the finding's review, or of the finding's own events where it has none.
pub fn heads(desk: &Desk<'_>, known: &Known) -> Result<Vec<EventId>> {
    let events: Vec<Event> = match &known.finding.review {
        Some(review) => {
            let mut events = desk.events_of(review)?;
            events.extend(known.events.iter().cloned());
            events.into_iter().map(|anchored| anchored.event).collect()
        }
        None => known
            .events
            .iter()
            .map(|anchored| anchored.event.clone())
            .collect(),
    };
    Ok(crate::ledger::fold::heads(&events))
}

/// Events so that each stands behind those it has seen; those that have not seen each other by time, then id.
pub fn in_causal_order(events: Vec<Event>) -> Vec<Event> {
    let mut left: BTreeMap<EventId, Event> = events.into_iter().map(|event| (event.id, event)).collect();
    let mut ordered = Vec::with_capacity(left.len());
    let mut waiting: BTreeMap<EventId, usize> = BTreeMap::new();
    let mut followers: BTreeMap<EventId, Vec<EventId>> = BTreeMap::new();
    for event in left.values() {
        let seen: BTreeSet<EventId> = event
            .after
            .iter()
            .copied()
            .filter(|id| left.contains_key(id))
            .collect();
        for id in &seen {
            followers.entry(*id).or_default().push(event.id);
        }
        waiting.insert(event.id, seen.len());
    }
    let mut ready: BTreeSet<(String, EventId)> = left
        .values()
        .filter(|event| waiting[&event.id] == 0)
        .map(|event| (event.at.clone(), event.id))
        .collect();
    while let Some((_, id)) = ready.pop_first() {
        for follower in followers.remove(&id).unwrap_or_default() {
            let waits = waiting.get_mut(&follower).expect("every follower waits");
            *waits -= 1;
            if *waits == 0 {
                ready.insert((left[&follower].at.clone(), follower));
            }
        }
        ordered.extend(left.remove(&id));
    }
    // Ids are digests of what they follow, so there is no circle; nothing is left.
    ordered.extend(left.into_values());
    ordered
}
