//! Who had seen what: the order of events, by what each writer named as seen, never by a clock.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::model::event::Event;
use crate::model::ids::EventId;

/// What each event had seen last.
#[derive(Debug, Default)]
pub struct Causal<'a> {
    after: HashMap<EventId, &'a [EventId]>,
    /// For each event that [`Causal::saw`] was asked about, one bit for each event that it had seen.
    rows: RefCell<HashMap<EventId, Vec<u64>>>,
    /// The number of the bit of each event.
    bits: HashMap<EventId, usize>,
}

impl<'a> Causal<'a> {
    /// Of these events; those that are not here end a trail.
    pub fn of(events: impl IntoIterator<Item = &'a Event>) -> Self {
        Self::of_pairs(events.into_iter().map(|event| (event.id, event.after.as_slice())))
    }

    fn of_pairs(pairs: impl IntoIterator<Item = (EventId, &'a [EventId])>) -> Self {
        let after: HashMap<EventId, &[EventId]> = pairs.into_iter().collect();
        Self {
            bits: after.keys().zip(0..).map(|(id, bit)| (*id, bit)).collect(),
            rows: RefCell::default(),
            after,
        }
    }

    /// Whether the writer of the first event had seen the second, over any number of steps.
    ///
    /// Answers are kept as bits: what thousands of events had seen of each other stays small.
    pub fn saw(&self, later: EventId, earlier: EventId) -> bool {
        let Some(bit) = self.bits.get(&earlier) else {
            return false;
        };
        let mut rows = self.rows.borrow_mut();
        let row = rows.entry(later).or_insert_with(|| {
            let mut row = vec![0_u64; self.bits.len().div_ceil(64)];
            for bit in self.seen_by([later]).iter().filter_map(|id| self.bits.get(id)) {
                row[bit / 64] |= 1 << (bit % 64);
            }
            row
        });
        row[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Everything that one of these events had seen, over any number of steps; an event itself only where another one
    /// had seen it.
    pub fn seen_by(&self, ids: impl IntoIterator<Item = EventId>) -> HashSet<EventId> {
        let direct = |id: &EventId| self.after.get(id).copied().unwrap_or_default();
        let mut queue: Vec<EventId> = ids.into_iter().flat_map(|id| direct(&id).to_vec()).collect();
        let mut seen = HashSet::new();
        while let Some(id) = queue.pop() {
            if seen.insert(id) {
                queue.extend_from_slice(direct(&id));
            }
        }
        seen
    }

    /// For each event how many steps lie before it at most: sorted by that, each stands behind all it had seen.
    pub fn heights(&self) -> HashMap<EventId, usize> {
        let mut heights: HashMap<EventId, usize> = HashMap::new();
        for id in self.after.keys() {
            // Without recursion: a long history must not exhaust the stack. An id is made of what it names, so there
            // are no cycles.
            let mut stack = vec![*id];
            while let Some(id) = stack.last().copied() {
                let seen = self.after.get(&id).copied().unwrap_or_default();
                let known = || seen.iter().filter(|id| self.after.contains_key(*id));
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
        heights
    }

    /// Those of these events that none of the others had seen.
    pub fn latest(&self, ids: impl IntoIterator<Item = EventId>) -> BTreeSet<EventId> {
        let mut latest: BTreeSet<EventId> = ids.into_iter().collect();
        if latest.len() > 1 {
            let seen = self.seen_by(latest.iter().copied());
            latest.retain(|id| !seen.contains(id));
        }
        latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> EventId {
        EventId([number; 32])
    }

    #[test]
    fn seen_is_followed_over_events_of_any_kind() {
        // 1 <- 2 <- 3, and 4 beside them; 9 is not here.
        let after: [(u8, Vec<EventId>); 4] = [
            (1, vec![]),
            (2, vec![id(1)]),
            (3, vec![id(2), id(9)]),
            (4, vec![]),
        ];
        let causal = Causal::of_pairs(
            after
                .iter()
                .map(|(number, after)| (id(*number), after.as_slice())),
        );
        let seen = causal.seen_by([id(3)]);
        assert_eq!(seen, HashSet::from([id(1), id(2), id(9)]));
        assert_eq!(
            causal.latest([id(1), id(3), id(4)]),
            BTreeSet::from([id(3), id(4)])
        );
        assert_eq!(causal.latest([id(1)]), BTreeSet::from([id(1)]));
        assert_eq!(causal.latest([]), BTreeSet::new());
        for (later, earlier, expected) in [
            (3, 1, true),
            (3, 2, true),
            (1, 3, false),
            (4, 1, false),
            (3, 3, false),
        ] {
            assert_eq!(causal.saw(id(later), id(earlier)), expected, "{later} {earlier}");
            assert_eq!(causal.saw(id(later), id(earlier)), expected, "asked again");
        }
        assert!(
            !causal.saw(id(3), id(9)),
            "what is not here cannot be asked about"
        );
    }
}
