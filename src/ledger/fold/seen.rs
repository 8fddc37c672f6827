//! What each opening had seen: its round, and whether a raising is the last of its finding.
//!
//! Seen is whatever `after` leads to, over any number of steps, so this is reachability in a graph. It is computed
//! for 64 openings at a time, one bit each, in one pass over the events that follow: 100,000 events, all of them
//! openings, are 1,563 passes over two words an event, a fraction of a second, whatever shape the graph has.

use super::order::Ordered;

/// One opening, as far as this needs it. Openings are numbered in causal order.
pub(super) struct Node {
    /// Its place among the events.
    pub(super) place: usize,
    /// The number of its finding.
    pub(super) finding: usize,
    /// The number of what rounds are counted in: its review.
    pub(super) group: usize,
    /// Whether it is a raising of a finding that has several: then the last one matters.
    pub(super) competes: bool,
}

/// What came out, by number of the opening.
pub(super) struct Seen {
    /// Counted from 1.
    pub(super) rounds: Vec<u32>,
    /// A later raising of the same finding has seen it.
    pub(super) superseded: Vec<bool>,
}

/// `closes` has, for each place, the sorted numbers of the openings that the event there answers or waives.
pub(super) fn seen(ordered: &Ordered<'_>, openings: &[Node], closes: &[Vec<usize>]) -> Seen {
    let count = openings.len();
    let mut seen = Seen {
        rounds: vec![0; count],
        superseded: vec![false; count],
    };
    let mut highest_open = vec![0_u32; count];
    let mut highest_seen = vec![0_u32; count];
    let number_at = numbers_at(ordered.events.len(), openings);
    let starts = starts(openings, closes);
    let mut groups = Slots::new(openings.iter().map(|node| node.group));
    let mut findings = Slots::new(openings.iter().map(|node| node.finding));
    let mut masks = vec![Masks::default(); ordered.events.len()];

    for block_start in (0..count).step_by(64) {
        let block = block_start..count.min(block_start + 64);
        groups.take(openings[block.clone()].iter().map(|node| node.group));
        findings.take(openings[block.clone()].iter().map(|node| node.finding));
        // By slot of the group: which openings of the block have which round.
        let mut rounds: Vec<Vec<(u32, u64)>> = vec![Vec::new(); 64];
        // By slot of the finding: its raisings in the block.
        let mut raisings = vec![0_u64; 64];
        for number in block.clone().filter(|number| openings[*number].competes) {
            raisings[findings.slot(openings[number].finding).expect("taken above")] |=
                1 << (number - block_start);
        }

        let first = starts[block.clone()].iter().copied().min().unwrap_or_default();
        for place in first..ordered.events.len() {
            let mut here = Masks::default();
            for parent in ordered.parents(place).iter().filter(|parent| **parent >= first) {
                here.seen |= masks[*parent].seen;
                here.closed |= masks[*parent].closed;
            }
            if let Some(number) = number_at[place] {
                let node = &openings[number];
                let slot = groups.slot(node.group);
                if let Some(slot) = slot {
                    for (round, of_round) in &rounds[slot] {
                        if here.seen & of_round != 0 {
                            highest_seen[number] = highest_seen[number].max(*round);
                        }
                        if here.seen & !here.closed & of_round != 0 {
                            highest_open[number] = highest_open[number].max(*round);
                        }
                    }
                }
                if node.competes
                    && here.seen != 0
                    && let Some(slot) = findings.slot(node.finding)
                {
                    let mut bits = here.seen & raisings[slot];
                    while bits != 0 {
                        seen.superseded[block_start + bits.trailing_zeros() as usize] = true;
                        bits &= bits - 1;
                    }
                }
                if block.contains(&number) {
                    // All that it can have seen lies in this block or in one before: its round is known now.
                    let round = match highest_open[number] {
                        0 => highest_seen[number] + 1,
                        open => open,
                    };
                    seen.rounds[number] = round;
                    let bit = 1 << (number - block_start);
                    here.seen |= bit;
                    let of_group = &mut rounds[slot.expect("the groups of the block are taken above")];
                    match of_group.iter_mut().find(|(known, _)| *known == round) {
                        Some((_, of_round)) => *of_round |= bit,
                        None => of_group.push((round, bit)),
                    }
                }
            }
            let named = &closes[place];
            let from = named.partition_point(|number| *number < block.start);
            for number in named[from..].iter().take_while(|number| **number < block.end) {
                here.closed |= 1 << (number - block_start);
            }
            masks[place] = here;
        }
    }
    seen
}

/// Of the openings of a block: which an event has seen, and which of all it has seen it knows to be closed.
#[derive(Clone, Copy, Default)]
struct Masks {
    seen: u64,
    closed: u64,
}

fn numbers_at(places: usize, openings: &[Node]) -> Vec<Option<usize>> {
    let mut numbers = vec![None; places];
    for (number, node) in openings.iter().enumerate() {
        numbers[node.place] = Some(number);
    }
    numbers
}

/// From which place on an opening plays a part: its own, or that of an answer that stands before it. An event can
/// name an opening that its `after` does not lead to, and whoever has seen both knows the opening to be closed.
fn starts(openings: &[Node], closes: &[Vec<usize>]) -> Vec<usize> {
    let mut starts: Vec<usize> = openings.iter().map(|node| node.place).collect();
    for (place, numbers) in closes.iter().enumerate() {
        for number in numbers {
            starts[*number] = starts[*number].min(place);
        }
    }
    starts
}

/// Gives the few values that occur in a block small numbers, by a table instead of a search.
struct Slots {
    slots: Vec<Option<u8>>,
    taken: Vec<usize>,
}

impl Slots {
    fn new(values: impl Iterator<Item = usize>) -> Self {
        let size = values.max().map_or(0, |largest| largest + 1);
        Self {
            slots: vec![None; size],
            taken: Vec::new(),
        }
    }

    /// Forgets the last block and numbers the values of the next one, at most 64.
    fn take(&mut self, values: impl Iterator<Item = usize>) {
        for value in self.taken.drain(..) {
            self.slots[value] = None;
        }
        for value in values {
            if self.slots[value].is_none() {
                let slot = u8::try_from(self.taken.len()).expect("a block has at most 64 values");
                self.slots[value] = Some(slot);
                self.taken.push(value);
            }
        }
    }

    fn slot(&self, value: usize) -> Option<usize> {
        self.slots[value].map(usize::from)
    }
}
