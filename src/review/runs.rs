//! What the witnessed runs of a tree say for each dimension: a failure, a success, or nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::seen;
use super::gates::RedRun;
use crate::model::dimension::Dimension;
use crate::model::event::Event;
use crate::model::ids::TreeId;

/// The dimensions that runs speak to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs {
    /// The deciding runs that failed, the earliest first.
    pub red: BTreeMap<Dimension, Vec<RedRun>>,
    /// The dimensions that at least one deciding run speaks to, none of which failed.
    pub green: BTreeSet<Dimension>,
}

impl Runs {
    /// Those of `tree`. `events` are all events of the reviews that are looked at, in any order.
    pub fn of(events: &[&Event], tree: TreeId) -> Self {
        let mut runs = Self::default();
        for seen in seen::runs(events, tree).into_iter().filter(|seen| seen.decides) {
            for dimension in &seen.run.dimensions {
                if seen.run.exit.success() {
                    runs.green.insert(*dimension);
                } else {
                    runs.red.entry(*dimension).or_default().push(RedRun {
                        event: seen.event.id,
                        command: seen.run.argv.join(" "),
                        exit: seen.run.exit,
                    });
                }
            }
        }
        runs.green.retain(|dimension| !runs.red.contains_key(dimension));
        runs
    }

    /// The last run that failed, for each dimension that has one.
    pub fn last_red(&self) -> BTreeMap<Dimension, RedRun> {
        let last = |(dimension, runs): (&Dimension, &Vec<RedRun>)| Some((*dimension, runs.last()?.clone()));
        self.red.iter().filter_map(last).collect()
    }
}
