//! The steps that pair units: each takes only what is left, and only one to one.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};

use super::ChangedFile;
use super::groups::Groups;
use super::side::{Item, Place, Places, Side, inner_module};
use crate::structure::outline::Role;
use crate::structure::source::Side as Which;

/// A body shorter than this says nothing about who it is.
const MIN_TOKENS: u32 = 3;

/// A body that must be told from all others of the range, not only from those in its container.
const MIN_TOKENS_ELSEWHERE: u32 = 12;

/// How the two units of a pair were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Via {
    /// Same key.
    Key,
    /// Same key in a renamed file.
    File,
    /// The same thing elsewhere or under another name.
    Body,
    /// Same name inside a container that was paired.
    Carried,
    /// Same name in the same place, another kind.
    OtherKind,
    /// The old name is now a re-export of it.
    Reexport,
    /// A test on one side and the same code outside of the runner's view on the other.
    Linkage,
}

/// Two units taken for the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Index among the items before.
    pub(super) before: usize,
    /// Index among the items after.
    pub(super) after: usize,
    /// How they were found.
    pub(super) via: Via,
}

/// What became of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing yet; removed or added when it stays so.
    Open,
    /// Part of this pair.
    Paired(usize),
    /// Accounted for without a partner: no removal, no addition.
    Spent,
}

/// Who is paired with whom.
pub(super) struct Matching<'m, 'a> {
    /// The units before.
    pub(super) before: &'m Side<'a>,
    /// The units after.
    pub(super) after: &'m Side<'a>,
    /// The pairs, in the order in which they were found.
    pub(super) pairs: Vec<Pair>,
    /// What became of each unit before.
    pub(super) fate_before: Vec<Fate>,
    /// What became of each unit after.
    pub(super) fate_after: Vec<Fate>,
    /// For each item before: its place as it is called after the renames of its file or containers.
    places_before: Vec<Place>,
}

impl<'m, 'a> Matching<'m, 'a> {
    /// Nothing paired yet.
    pub(super) fn new(before: &'m Side<'a>, after: &'m Side<'a>) -> Self {
        Self {
            before,
            after,
            pairs: Vec::with_capacity(before.items.len()),
            fate_before: vec![Fate::Open; before.items.len()],
            fate_after: vec![Fate::Open; after.items.len()],
            places_before: before.items.iter().map(|item| item.place).collect(),
        }
    }

    /// The pair that an item before is part of.
    pub(super) fn partner_of_before(&self, at: usize) -> Option<&Pair> {
        match self.fate_before[at] {
            Fate::Paired(pair) => Some(&self.pairs[pair]),
            _ => None,
        }
    }

    /// The pair that an item after is part of.
    pub(super) fn partner_of_after(&self, at: usize) -> Option<&Pair> {
        match self.fate_after[at] {
            Fate::Paired(pair) => Some(&self.pairs[pair]),
            _ => None,
        }
    }

    /// Whether an item before is left.
    pub(super) fn open_before(&self, at: usize) -> bool {
        self.fate_before[at] == Fate::Open
    }

    /// Whether an item after is left.
    pub(super) fn open_after(&self, at: usize) -> bool {
        self.fate_after[at] == Fate::Open
    }

    /// Takes two open items for the same.
    pub(super) fn pair(&mut self, before: usize, after: usize, via: Via) {
        self.fate_before[before] = Fate::Paired(self.pairs.len());
        self.fate_after[after] = Fate::Paired(self.pairs.len());
        self.pairs.push(Pair { before, after, via });
        for child in self.before.children_of(before) {
            self.places_before[*child] = self.after.items[after].inner;
        }
    }

    /// Step 1: same key, whatever the kinds of the containers.
    pub(super) fn by_key(&mut self) {
        let mut groups = Groups::with_capacity(self.before.items.len());
        for (at, item) in self.before.items.iter().enumerate() {
            groups.before(key_of(item, item.place), at);
        }
        for (at, item) in self.after.items.iter().enumerate() {
            groups.after(&key_of(item, item.place), at);
        }
        groups.each(|befores, afters| self.pair_namesakes(befores, afters, Via::Key));
    }

    /// Pairs units of one name: those with equal signatures (tests: bodies) first, then in order.
    fn pair_namesakes(&mut self, befores: &[usize], afters: &[usize], via: Via) {
        if let ([before], [after]) = (befores, afters) {
            self.pair(*before, *after, via);
            return;
        }
        let content: Telling = |item| match (&item.unit.body, item.is_test()) {
            (Some(body), true) => body.hash,
            _ => item.unit.signature,
        };
        let nothing: Telling = |_| 0;
        // Members of overloaded containers stay with their container where they can.
        for (with_parent, told_by) in [
            (true, content),
            (false, content),
            (true, nothing),
            (false, nothing),
        ] {
            let mut waiting: HashMap<(Option<usize>, u64), std::collections::VecDeque<usize>> =
                HashMap::new();
            for after in afters.iter().filter(|after| self.open_after(**after)) {
                let item = &self.after.items[*after];
                let parent = item.parent.filter(|_| with_parent);
                waiting
                    .entry((parent, told_by(item)))
                    .or_default()
                    .push_back(*after);
            }
            for before in befores {
                if !self.open_before(*before) {
                    continue;
                }
                let item = &self.before.items[*before];
                let parent = item
                    .parent
                    .filter(|_| with_parent)
                    .and_then(|parent| self.partner_of_before(parent))
                    .map(|pair| pair.after);
                let found = waiting
                    .get_mut(&(parent, told_by(item)))
                    .and_then(std::collections::VecDeque::pop_front);
                if let Some(after) = found {
                    self.pair(*before, after, via);
                }
            }
        }
    }

    /// Step 2: same key after the module of a renamed file is replaced.
    pub(super) fn by_renamed_file(&mut self, files: &'a [ChangedFile<'a>], places: &mut Places<'a>) {
        let mut groups = Groups::default();
        for at in 0..self.before.items.len() {
            let item = &self.before.items[at];
            if !self.open_before(at) {
                continue;
            }
            if let Some((place, name)) = place_in_renamed(item, &files[item.pair], places) {
                self.places_before[at] = place;
                let (_, kind, _, is_test, alias) = key_of(item, place);
                groups.before((place, kind, name, is_test, alias), at);
            }
        }
        // A module whose file was renamed is named by a line in another file.
        let renamed_modules: HashMap<&str, &str> = files
            .iter()
            .filter_map(renamed)
            .filter(|(from, to)| from != to)
            .collect();
        let mut new_modules: HashMap<std::borrow::Cow<'_, str>, usize> = HashMap::new();
        for (at, item) in self.after.items.iter().enumerate() {
            if !self.open_after(at) {
                continue;
            }
            groups.after(&key_of(item, item.place), at);
            if let Some(module) = inner_module(item.unit, item.file).filter(|_| item.is_file_module()) {
                new_modules.insert(module, at);
            }
        }
        groups.each(|befores, afters| self.pair_namesakes(befores, afters, Via::File));
        if renamed_modules.is_empty() {
            return;
        }
        for at in 0..self.before.items.len() {
            let item = &self.before.items[at];
            let Some(module) =
                inner_module(item.unit, item.file).filter(|_| item.is_file_module() && self.open_before(at))
            else {
                continue;
            };
            let to = renamed_modules
                .get(module.as_ref())
                .and_then(|to| new_modules.get(*to));
            if let Some(to) = to.copied().filter(|to| self.open_after(*to)) {
                self.pair(at, to, Via::File);
            }
        }
    }

    /// Step 3: the same name, signature and body somewhere else.
    pub(super) fn by_move(&mut self) {
        for containers in [true, false] {
            self.one_to_one(Via::Body, |item, _, _| {
                let body = item.unit.body.as_ref().filter(|body| body.tokens >= MIN_TOKENS)?;
                (holds_others(item) == containers).then(|| {
                    (
                        item.unit.segment.kind,
                        item.unit.segment.name.as_str(),
                        signature(item),
                        body.hash,
                    )
                })
            });
        }
    }

    /// Step 4: the same signature and body under another name, nearby or elsewhere.
    pub(super) fn by_rename(&mut self) {
        for containers in [true, false] {
            for without_name in [true, false] {
                self.one_to_one(Via::Body, |item, place, _| {
                    let body = item.unit.body.as_ref().filter(|body| body.tokens >= MIN_TOKENS)?;
                    let hash = if without_name {
                        body.hash_without_name
                    } else {
                        body.hash
                    };
                    (holds_others(item) == containers)
                        .then(|| (place, item.unit.segment.kind, signature(item), hash))
                });
            }
        }
        for containers in [true, false] {
            for without_name in [true, false] {
                self.one_to_one(Via::Body, |item, _, _| {
                    let body = item
                        .unit
                        .body
                        .as_ref()
                        .filter(|body| body.tokens >= MIN_TOKENS_ELSEWHERE)?;
                    let hash = if without_name {
                        body.hash_without_name
                    } else {
                        body.hash
                    };
                    (holds_others(item) == containers)
                        .then(|| (item.unit.segment.kind, signature(item), hash))
                });
            }
        }
    }

    /// Step 5: another kind of public thing under the same name.
    pub(super) fn by_name(&mut self) {
        self.one_to_one(Via::OtherKind, |item, place, _| {
            item.is_public()
                .then_some((place, item.unit.segment.name.as_str()))
        });
    }

    /// Pairs open items that have equal traits when exactly one on each side has them.
    ///
    /// The second argument of `traits` is the item's place as it is called after.
    fn one_to_one<K: Hash + Eq>(
        &mut self,
        via: Via,
        traits: impl Fn(&'m Item<'a>, Place, Which) -> Option<K>,
    ) {
        let mut groups = Groups::default();
        let (before, after) = (self.before, self.after);
        for (at, item) in before
            .items
            .iter()
            .enumerate()
            .filter(|(at, _)| self.open_before(*at))
        {
            if let Some(key) = traits(item, self.places_before[at], Which::Before) {
                groups.before(key, at);
            }
        }
        if groups.is_empty() {
            return;
        }
        for (at, item) in after
            .items
            .iter()
            .enumerate()
            .filter(|(at, _)| self.open_after(*at))
        {
            if let Some(key) = traits(item, item.place, Which::After) {
                groups.after(&key, at);
            }
        }
        groups.each(|befores, afters| {
            // A container paired a moment ago may have taken one of them along.
            if let ([before], [after]) = (befores, afters)
                && self.open_before(*before)
                && self.open_after(*after)
            {
                self.pair(*before, *after, via);
                self.carry(*before, *after);
            }
        });
    }

    /// Pairs the members of two containers that were paired under different names.
    pub(super) fn carry(&mut self, before: usize, after: usize) {
        let (side_before, side_after) = (self.before, self.after);
        let mut waiting = vec![(before, after)];
        while let Some((before, after)) = waiting.pop() {
            let mut groups = Groups::default();
            for at in side_before
                .children_of(before)
                .iter()
                .filter(|at| self.open_before(**at))
            {
                groups.before(member_key(&side_before.items[*at]), *at);
            }
            for at in side_after
                .children_of(after)
                .iter()
                .filter(|at| self.open_after(**at))
            {
                groups.after(&member_key(&side_after.items[*at]), *at);
            }
            let found = self.pairs.len();
            groups.each(|befores, afters| self.pair_namesakes(befores, afters, Via::Carried));
            waiting.extend(self.pairs[found..].iter().map(|pair| (pair.before, pair.after)));
        }
    }

    /// Pairs a test with the same code that the runner does not collect: on the other side, whichever has the test.
    pub(super) fn by_linkage(&mut self, same_name_only: bool) {
        for side_of_test in [Which::Before, Which::After] {
            self.one_to_one(Via::Linkage, |item, place, side| {
                let body = item.unit.body.as_ref()?;
                let wanted = if side == side_of_test {
                    item.is_test()
                } else {
                    item.unit.role == Role::Symbol
                };
                let name = same_name_only.then_some((place, item.unit.segment.name.as_str()));
                let long_enough = same_name_only || body.tokens >= MIN_TOKENS;
                (wanted && long_enough).then_some((body.hash, name))
            });
        }
    }
}

/// What tells units of one name apart.
type Telling = fn(&Item<'_>) -> u64;

/// Whether members go where it goes.
fn holds_others(item: &Item<'_>) -> bool {
    matches!(item.unit.role, Role::Container | Role::Suite)
}

/// Marks of tests are compared one by one, they do not make another test of it.
fn signature(item: &Item<'_>) -> u64 {
    if item.is_test() { 0 } else { item.unit.signature }
}

type Key<'k> = (Place, &'k str, &'k str, bool, bool);

fn key_of<'k>(item: &Item<'k>, place: Place) -> Key<'k> {
    let kind = item.unit.segment.kind;
    // A type that only names another one is a re-export, though nothing in its kind says so.
    let alias = kind == "type" && item.reexport.is_some();
    (place, kind, numbered_name(item), item.is_test(), alias)
}

fn numbered_name<'k>(item: &Item<'k>) -> &'k str {
    // Examples are numbered: when one goes, those behind it are still the same ones.
    if item.is_numbered() {
        ""
    } else {
        item.unit.segment.name.as_str()
    }
}

fn member_key<'k>(item: &'k Item<'_>) -> (&'k str, &'k str) {
    let name = if item.is_numbered() {
        ""
    } else {
        item.member_name()
    };
    (item.unit.segment.kind, name)
}

/// The module of a file before and after, when it has another path.
fn renamed<'a>(file: &'a ChangedFile<'a>) -> Option<(&'a str, &'a str)> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    (before.path != after.path).then_some((before.outline.module.as_str(), after.outline.module.as_str()))
}

/// Where an item of a renamed file would stand after, and its name.
fn place_in_renamed<'a>(
    item: &Item<'a>,
    file: &'a ChangedFile<'a>,
    places: &mut Places<'a>,
) -> Option<(Place, &'a str)> {
    let (from, to) = renamed(file)?;
    let rest = item.unit.module.strip_prefix(from)?;
    let mut place = places.module(format!("{to}{rest}"));
    for segment in &item.unit.chain {
        place = places.inside(place, segment.name.as_str());
    }
    Some((place, numbered_name(item)))
}
