//! Events in causal order: each after all that its `after` names, and among those that are free by id.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::model::event::Event;
use crate::model::ids::EventId;

/// Events, each once, in causal order, then by id. The place in that order stands for the event below.
pub(super) struct Ordered<'a> {
    pub(super) events: Vec<&'a Event>,
    places: HashMap<EventId, usize>,
    /// Where the parents of an event start in `parents`; one more at the end.
    starts: Vec<usize>,
    parents: Vec<usize>,
}

impl<'a> Ordered<'a> {
    pub(super) fn new(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut by_id: Vec<&Event> = events.into_iter().collect();
        by_id.sort_unstable_by_key(|event| event.id);
        by_id.dedup_by_key(|event| event.id);
        let ranks: HashMap<EventId, usize> = by_id
            .iter()
            .zip(0..)
            .map(|(event, rank)| (event.id, rank))
            .collect();

        let known_parents = |event: &'a Event| event.after.iter().filter_map(|id| ranks.get(id).copied());
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); by_id.len()];
        let mut waiting: Vec<usize> = vec![0; by_id.len()];
        for (rank, event) in by_id.iter().enumerate() {
            for parent in known_parents(event) {
                children[parent].push(rank);
                waiting[rank] += 1;
            }
        }
        let mut free: BinaryHeap<Reverse<usize>> = waiting
            .iter()
            .enumerate()
            .filter(|(_, count)| **count == 0)
            .map(|(rank, _)| Reverse(rank))
            .collect();
        let mut order = Vec::with_capacity(by_id.len());
        while let Some(Reverse(rank)) = free.pop() {
            order.push(rank);
            for &child in &children[rank] {
                waiting[child] -= 1;
                if waiting[child] == 0 {
                    free.push(Reverse(child));
                }
            }
        }
        // Ids are hashes of what they name, so a cycle cannot be written. Should one be handed in, its events
        // come last by id, and what would close the cycle counts as not seen.
        if order.len() < by_id.len() {
            order.extend((0..by_id.len()).filter(|rank| waiting[*rank] > 0));
        }

        let mut place_of = vec![0; by_id.len()];
        for (place, rank) in order.iter().enumerate() {
            place_of[*rank] = place;
        }
        let mut starts = Vec::with_capacity(order.len() + 1);
        let mut parents = Vec::new();
        for (place, rank) in order.iter().enumerate() {
            starts.push(parents.len());
            parents.extend(
                known_parents(by_id[*rank])
                    .map(|rank| place_of[rank])
                    .filter(|parent| *parent < place),
            );
        }
        starts.push(parents.len());
        Self {
            events: order.iter().map(|rank| by_id[*rank]).collect(),
            places: ranks.into_iter().map(|(id, rank)| (id, place_of[rank])).collect(),
            starts,
            parents,
        }
    }

    /// The place of an event, if it is here.
    pub(super) fn place(&self, id: EventId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// The places of what an event has seen last, all before its own.
    pub(super) fn parents(&self, place: usize) -> &[usize] {
        &self.parents[self.starts[place]..self.starts[place + 1]]
    }
}
