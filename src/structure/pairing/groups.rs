//! Units of both sides in groups that have something in common.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};

/// Items of both sides by what they have in common, in the order in which the first of each was seen.
pub(super) struct Groups<K> {
    numbers: HashMap<K, usize>,
    /// Group and item. One list for all groups: nearly all of them have one item a side.
    befores: Vec<(usize, usize)>,
    afters: Vec<(usize, usize)>,
}

impl<K> Default for Groups<K> {
    fn default() -> Self {
        Self {
            numbers: HashMap::new(),
            befores: Vec::new(),
            afters: Vec::new(),
        }
    }
}

impl<K: Hash + Eq> Groups<K> {
    /// No group yet, with room for so many items a side.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            numbers: HashMap::with_capacity(capacity),
            befores: Vec::with_capacity(capacity),
            afters: Vec::with_capacity(capacity),
        }
    }

    /// Whether no unit before was taken.
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Opens a group with a unit before, or joins it.
    pub(super) fn before(&mut self, key: K, at: usize) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(key).or_insert(next);
        self.befores.push((number, at));
    }

    /// Joins a group that a unit before opened; others are of no interest.
    pub(super) fn after(&mut self, key: &K, at: usize) {
        if let Some(number) = self.numbers.get(key) {
            self.afters.push((*number, at));
        }
    }

    /// Calls `take` with the items of each group, in the order in which they came.
    pub(super) fn each(mut self, mut take: impl FnMut(&[usize], &[usize])) {
        self.befores.sort_by_key(|(group, _)| *group);
        self.afters.sort_by_key(|(group, _)| *group);
        let (mut befores, mut afters) = (Vec::new(), Vec::new());
        let mut rest = &self.afters[..];
        for same in self.befores.chunk_by(|a, b| a.0 == b.0) {
            let joined = rest.iter().take_while(|(group, _)| *group == same[0].0).count();
            befores.clear();
            befores.extend(same.iter().map(|(_, at)| *at));
            afters.clear();
            afters.extend(rest[..joined].iter().map(|(_, at)| *at));
            rest = &rest[joined..];
            take(&befores, &afters);
        }
    }
}
