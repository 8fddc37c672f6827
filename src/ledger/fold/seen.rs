//! What each opening had seen: its round, and whether a raising is the last of its finding.
//!
//! Seen is whatever `after` leads to, over any number of steps, so this is reachability in a graph. It is computed
//! for 512 openings at a time, one bit each, in one pass over the events that follow: 100,000 events, all of them
//! openings, are 196 passes over 128 bytes an event, a fraction of a second, whatever shape the graph has.

use super::bits::Bits;
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
    let mut known = vec![Known::default(); count];
    let number_at = numbers_at(ordered.events.len(), openings);
    let starts = starts(openings, closes);
    let mut groups = Slots::new(openings.iter().map(|node| node.group));
    let mut findings = Slots::new(openings.iter().map(|node| node.finding));
    let mut marks = vec![Marks::default(); ordered.events.len()];

    for block_start in (0..count).step_by(Bits::SIZE) {
        let block = block_start..count.min(block_start + Bits::SIZE);
        groups.take(openings[block.clone()].iter().map(|node| node.group));
        findings.take(openings[block.clone()].iter().map(|node| node.finding));
        let mut rounds: Vec<Rounds> = vec![Rounds::default(); groups.taken.len()];
        let mut raisings: Vec<Raisings> = vec![Raisings::default(); findings.taken.len()];
        for number in block.clone().filter(|number| openings[*number].competes) {
            let slot = findings.slot(openings[number].finding).expect("taken above");
            raisings[slot].all.set(number - block_start);
        }

        let first = starts[block.clone()].iter().copied().min().unwrap_or_default();
        for place in first..ordered.events.len() {
            let mut here = Marks::default();
            for parent in ordered.parents(place).iter().filter(|parent| **parent >= first) {
                here.seen.add(&marks[*parent].seen);
                here.closed.add(&marks[*parent].closed);
            }
            if let Some(number) = number_at[place] {
                let node = &openings[number];
                let slot = groups.slot(node.group);
                if let Some(slot) = slot {
                    rounds[slot].note(&here, &mut known[number]);
                }
                if node.competes
                    && let Some(slot) = findings.slot(node.finding)
                {
                    let raisings = &mut raisings[slot];
                    raisings.superseded.add(&raisings.all.and(&here.seen));
                }
                if block.contains(&number) {
                    // All that it can have seen lies in this block or in one before: its round is known now.
                    let round = known[number].round();
                    seen.rounds[number] = round;
                    here.seen.set(number - block_start);
                    rounds[slot.expect("the groups of the block are taken above")]
                        .add(round, number - block_start);
                }
            }
            let named = &closes[place];
            let from = named.partition_point(|number| *number < block.start);
            for number in named[from..].iter().take_while(|number| **number < block.end) {
                here.closed.set(number - block_start);
            }
            marks[place] = here;
        }
        for raisings in &raisings {
            for bit in raisings.superseded.ones() {
                seen.superseded[block_start + bit] = true;
            }
        }
    }
    seen
}

/// Of the openings of a block: which an event has seen, and which of all it has seen it knows to be closed.
#[derive(Clone, Copy, Default)]
struct Marks {
    seen: Bits,
    closed: Bits,
}

/// The raisings of one finding in a block.
#[derive(Clone, Copy, Default)]
struct Raisings {
    all: Bits,
    superseded: Bits,
}

/// What an opening is known to have seen in the blocks so far, within its review.
#[derive(Clone, Copy, Default)]
struct Known {
    highest_open: u32,
    highest: u32,
}

impl Known {
    fn round(self) -> u32 {
        if self.highest_open > 0 {
            self.highest_open
        } else {
            self.highest + 1
        }
    }
}

/// Which openings of a review in a block have which round.
#[derive(Clone, Default)]
struct Rounds {
    all: Bits,
    /// From the highest round down.
    by_round: Vec<(u32, Bits)>,
}

impl Rounds {
    fn add(&mut self, round: u32, bit: usize) {
        self.all.set(bit);
        let place = self.by_round.partition_point(|(known, _)| *known > round);
        if self.by_round.get(place).is_none_or(|(known, _)| *known != round) {
            self.by_round.insert(place, (round, Bits::default()));
        }
        self.by_round[place].1.set(bit);
    }

    /// Raises what is known by what is seen of this block.
    fn note(&self, marks: &Marks, known: &mut Known) {
        let seen = self.all.and(&marks.seen);
        known.highest = known.highest.max(self.highest(&seen, known.highest));
        let open = seen.without(&marks.closed);
        known.highest_open = known.highest_open.max(self.highest(&open, known.highest_open));
    }

    /// The highest round of `bits`, as far as it is above `floor`.
    fn highest(&self, bits: &Bits, floor: u32) -> u32 {
        if bits.is_empty() {
            return 0;
        }
        let above = self.by_round.iter().take_while(|(round, _)| *round > floor);
        above
            .into_iter()
            .find(|(_, of_round)| of_round.meets(bits))
            .map_or(0, |(round, _)| *round)
    }
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
    slots: Vec<Option<u32>>,
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

    /// Forgets the last block and numbers the values of the next one.
    fn take(&mut self, values: impl Iterator<Item = usize>) {
        for value in self.taken.drain(..) {
            self.slots[value] = None;
        }
        for value in values {
            if self.slots[value].is_none() {
                self.slots[value] = u32::try_from(self.taken.len()).ok();
                self.taken.push(value);
            }
        }
    }

    fn slot(&self, value: usize) -> Option<usize> {
        self.slots[value].map(|slot| slot as usize)
    }
}
