//! Which recorded runs and proofs count for a tree, and which of them decide.
//!
//! Order is what an event's writer had seen, never a clock. A later run of one command takes the place of an earlier
//! one; of runs that did not know of each other the worst decides.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::model::dimension::Dimension;
use crate::model::event::{Body, Event, EvidenceProof, EvidenceRun};
use crate::model::ids::{EventId, TreeId};
use crate::model::witness::ProofResult;

/// A run that counts for the tree.
#[derive(Debug, Clone, Copy)]
pub struct SeenRun<'a> {
    /// Its event.
    pub event: &'a Event,
    /// What was seen.
    pub run: &'a EvidenceRun,
    /// Whether it decides: no later run of the same command counts, and no worse one beside it.
    pub decides: bool,
}

/// The runs that count for `tree`, the earliest first: those of a clean work tree with exactly this tree.
///
/// `events` are all events of the review, in any order: those of other kinds say who had seen what.
pub fn runs<'a>(events: &[&'a Event], tree: TreeId) -> Vec<SeenRun<'a>> {
    let order = Order::of(events);
    let mut runs: Vec<SeenRun<'a>> = order
        .events
        .iter()
        .filter(|event| event.subject.tree == tree)
        .filter_map(|event| match &event.body {
            Body::EvidenceRun(run) if !run.dirty => Some(SeenRun {
                event,
                run,
                decides: false,
            }),
            _ => None,
        })
        .collect();
    let mut by_command: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (at, seen) in runs.iter().enumerate() {
        by_command.entry(&seen.run.argv).or_default().push(at);
    }
    for group in by_command.into_values() {
        let ids: Vec<EventId> = group.iter().map(|at| runs[*at].event.id).collect();
        let latest = order.latest(&ids);
        let decides = group
            .into_iter()
            .filter(|at| latest.contains(&runs[*at].event.id))
            .min_by_key(|at| (runs[*at].run.exit.success(), runs[*at].event.id));
        if let Some(at) = decides {
            runs[at].decides = true;
        }
    }
    runs
}

/// The deciding run of `tree` that failed and speaks to this question, the last one where there are several.
pub fn failed<'a>(events: &[&'a Event], tree: TreeId, dimension: Dimension) -> Option<SeenRun<'a>> {
    runs(events, tree)
        .into_iter()
        .rfind(|seen| seen.decides && !seen.run.exit.success() && seen.run.dimensions.contains(&dimension))
}

/// Whether a deciding run of `tree` speaks to this question, and all that do succeeded.
pub fn is_green(events: &[&Event], tree: TreeId, dimension: Dimension) -> bool {
    let mut speak = runs(events, tree)
        .into_iter()
        .filter(|seen| seen.decides && seen.run.dimensions.contains(&dimension))
        .peekable();
    speak.peek().is_some() && speak.all(|seen| seen.run.exit.success())
}

/// The proofs for `tree`, the earliest first; with a base only those from exactly that base tree.
pub fn proofs<'a>(
    events: &[&'a Event],
    tree: TreeId,
    base: Option<TreeId>,
) -> Vec<(&'a Event, &'a EvidenceProof)> {
    let order = Order::of(events);
    let proofs = order.events.iter().filter_map(|event| match &event.body {
        Body::EvidenceProof(proof)
            if event.subject.tree == tree && base.is_none_or(|base| proof.base_tree == base) =>
        {
            Some((*event, &**proof))
        }
        _ => None,
    });
    proofs.collect()
}

/// What the newest proof for `tree` came to; of several that did not know of each other, the worst.
pub fn proof(events: &[&Event], tree: TreeId, base: Option<TreeId>) -> Option<ProofResult> {
    let proofs = proofs(events, tree, base);
    let ids: Vec<EventId> = proofs.iter().map(|(event, _)| event.id).collect();
    let latest = Order::of(events).latest(&ids);
    proofs
        .iter()
        .filter(|(event, _)| latest.contains(&event.id))
        .map(|(_, proof)| proof.result)
        .min()
}

/// Events in an order in which each stands behind all that its writer had seen, ties by id.
struct Order<'a> {
    events: Vec<&'a Event>,
    after: HashMap<EventId, &'a [EventId]>,
}

impl<'a> Order<'a> {
    fn of(events: &[&'a Event]) -> Self {
        let after: HashMap<EventId, &'a [EventId]> = events
            .iter()
            .map(|event| (event.id, event.after.as_slice()))
            .collect();
        let mut heights: HashMap<EventId, usize> = HashMap::new();
        for event in events {
            // Depth first without recursion: a long history must not exhaust the stack. An id is made of what it names,
            // so there are no cycles.
            let mut stack = vec![event.id];
            while let Some(id) = stack.last().copied() {
                let seen = after.get(&id).copied().unwrap_or_default();
                let known = || seen.iter().filter(|id| after.contains_key(*id));
                let missing: Vec<EventId> =
                    known().filter(|id| !heights.contains_key(*id)).copied().collect();
                if missing.is_empty() {
                    let height = known().map(|id| heights[id] + 1).max().unwrap_or(0);
                    heights.insert(id, height);
                    stack.pop();
                } else {
                    stack.extend(missing);
                }
            }
        }
        let mut sorted = events.to_vec();
        sorted.sort_by_key(|event| (heights[&event.id], event.id));
        sorted.dedup_by_key(|event| event.id);
        Self {
            events: sorted,
            after,
        }
    }

    /// Those of these events that none of the others had seen.
    fn latest(&self, ids: &[EventId]) -> HashSet<EventId> {
        let mut latest: HashSet<EventId> = ids.iter().copied().collect();
        if ids.len() < 2 {
            return latest;
        }
        // One walk for all of them: what any of them has seen is no head.
        let mut visited = HashSet::new();
        let mut queue: Vec<EventId> = ids
            .iter()
            .flat_map(|id| self.after.get(id).copied().unwrap_or_default())
            .copied()
            .collect();
        while let Some(id) = queue.pop() {
            if visited.insert(id) {
                latest.remove(&id);
                queue.extend(self.after.get(&id).copied().unwrap_or_default());
            }
        }
        latest
    }
}
