//! What people ruled, record by record: the later ruling stands, of those that did not know of each other `fail`.

use std::collections::BTreeMap;

use super::{BaselineSeen, Record, RulingGiven, RulingInEffect};
use crate::model::dimension::Dimension;
use crate::model::event::RuledVerdict;
use crate::model::ids::{EventId, TreeId};
use crate::review::gates::RedRun;

/// A record that does not pass by itself.
pub(super) struct Unclean<'a> {
    pub(super) record: &'a Record<'a>,
    /// The tree that a ruling must be about to settle it; any where there is none.
    pub(super) ruled_about: Option<TreeId>,
}

/// The rulings that no later one replaced, by what they settle.
pub(super) struct Verdicts<'a> {
    latest: BTreeMap<(EventId, Dimension), Vec<RulingGiven<'a>>>,
    saw: &'a dyn Fn(EventId, EventId) -> bool,
}

impl<'a> Verdicts<'a> {
    pub(super) fn of(rulings: &[RulingGiven<'a>], saw: &'a dyn Fn(EventId, EventId) -> bool) -> Self {
        let mut settling: BTreeMap<(EventId, Dimension), Vec<RulingGiven<'a>>> = BTreeMap::new();
        for ruling in rulings {
            for record in &ruling.body.settles {
                settling
                    .entry((*record, ruling.body.dimension))
                    .or_default()
                    .push(*ruling);
            }
        }
        let latest = settling.into_iter().map(|(key, mut rulings)| {
            rulings.sort_by_key(|ruling| ruling.id);
            rulings.dedup_by_key(|ruling| ruling.id);
            let is_latest = |ruling: &&RulingGiven<'_>| !rulings.iter().any(|later| saw(later.id, ruling.id));
            let latest = rulings.iter().filter(is_latest).copied().collect();
            (key, latest)
        });
        Self {
            latest: latest.collect(),
            saw,
        }
    }

    /// Whether a person ruled that a dimension of this record fails.
    pub(super) fn failed(&self, record: EventId) -> bool {
        Dimension::ALL
            .iter()
            .any(|dimension| self.fail(record, *dimension).is_some())
    }

    fn latest(&self, record: EventId, dimension: Dimension) -> &[RulingGiven<'a>] {
        self.latest.get(&(record, dimension)).map_or(&[], Vec::as_slice)
    }

    fn fail(&self, record: EventId, dimension: Dimension) -> Option<EventId> {
        let mut latest = self.latest(record, dimension).iter();
        let fail = latest.find(|ruling| ruling.body.verdict == RuledVerdict::Fail);
        fail.map(|ruling| ruling.id)
    }

    /// The ruling that decides a dimension. One `fail` on any record that stands is enough; a `pass` decides only when
    /// every record that does not pass by itself is settled, and every run that failed was known.
    ///
    /// `current` are the records that stand, `unclean` those of them that do not pass.
    pub(super) fn in_effect(
        &self,
        dimension: Dimension,
        current: &[&Record<'_>],
        unclean: &[Unclean<'_>],
        red: &[RedRun],
    ) -> Option<RulingInEffect> {
        let fail = current
            .iter()
            .filter_map(|record| self.fail(record.id, dimension))
            .min();
        if let Some(id) = fail {
            return Some(RulingInEffect {
                id,
                verdict: RuledVerdict::Fail,
            });
        }
        let passes: Vec<EventId> = current
            .iter()
            .filter(|record| can_pass(record, dimension))
            .flat_map(|record| self.latest(record.id, dimension))
            .map(|ruling| ruling.id)
            .collect();
        let is_settled = |unclean: &Unclean<'_>| {
            let mut rulings = self.latest(unclean.record.id, dimension).iter();
            can_pass(unclean.record, dimension)
                && rulings.any(|ruling| unclean.ruled_about.is_none_or(|tree| ruling.tree == tree))
        };
        let is_known = |run: &RedRun| passes.iter().any(|ruling| (self.saw)(*ruling, run.event));
        if !unclean.iter().all(is_settled) || !red.iter().all(is_known) {
            return None;
        }
        // Of several the one that knows all others, else the last by id: any of them says pass.
        let last = passes
            .iter()
            .copied()
            .filter(|id| !passes.iter().any(|other| (self.saw)(*other, *id)))
            .max();
        last.map(|id| RulingInEffect {
            id,
            verdict: RuledVerdict::Pass,
        })
    }
}

/// Nobody can say that existing functionality is intact where no comparison reached the reviewer.
fn can_pass(record: &Record<'_>, dimension: Dimension) -> bool {
    dimension != Dimension::ExistingFunctionalityIntact || record.packet.baseline == BaselineSeen::Delivered
}
