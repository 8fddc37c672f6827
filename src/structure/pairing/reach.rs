//! Which public items users can get at, asked only for items that have something to say.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashMapExt as _};
use rayon::prelude::*;

use super::elsewhere::Packages;
use super::side::{Item, Side};
use crate::model::baseline::SurfaceMode;
use crate::structure::outline::{Reachable, Wanted};

/// The items of both sides whose publicity matters.
pub(super) type Asked<'m, 'a> = [(&'m Side<'a>, Vec<usize>); 2];

/// The answers for one side.
pub(super) struct Reach<'a> {
    mode: SurfaceMode,
    packages: HashMap<Option<&'a [u8]>, Reachable>,
}

impl<'a> Reach<'a> {
    /// Asks for the items of both sides whose publicity matters, package by package in parallel.
    ///
    /// Also names the packages that could not be asked.
    pub(super) fn ask(
        sides: &Asked<'_, 'a>,
        mode: SurfaceMode,
        packages: Packages<'_>,
    ) -> ([Self; 2], BTreeSet<Vec<u8>>) {
        let mut declared_only = BTreeSet::new();
        let mut questions = Vec::new();
        if mode == SurfaceMode::Reachable {
            for (place, (side, items)) in sides.iter().enumerate() {
                let wanted = wanted(side, items);
                questions.extend(
                    wanted
                        .into_iter()
                        .map(|(package, wanted)| (place, side.which, package, wanted)),
                );
            }
        }
        let answers: Vec<_> = questions
            .par_iter()
            .map(|(_, which, package, wanted)| packages.reachable(*which, package, wanted))
            .collect();
        let mut reach = [(); 2].map(|()| Self {
            mode,
            packages: HashMap::new(),
        });
        for ((place, _, package, _), answer) in questions.into_iter().zip(answers) {
            if answer.as_ref().is_none_or(|reachable| reachable.unreadable_entry) {
                declared_only.insert(package.to_vec());
            }
            if let Some(reachable) =
                answer.filter(|reachable| reachable.has_entry && !reachable.unreadable_entry)
            {
                reach[place].packages.insert(Some(package), reachable);
            }
        }
        (reach, declared_only)
    }

    /// Whether an item is public as far as this surface goes.
    pub(super) fn is_public(&self, side: &Side<'_>, at: usize) -> bool {
        side.items[at].is_public()
            && (self.mode == SurfaceMode::Declared || self.by_module(side, at) || self.by_name(side, at))
    }

    /// Whether it is public only through a re-export under another path.
    pub(super) fn only_by_name(&self, side: &Side<'_>, at: usize) -> bool {
        self.is_public(side, at)
            && self.mode == SurfaceMode::Reachable
            && !self.by_module(side, at)
            && self.by_name(side, at)
    }

    fn by_module(&self, side: &Side<'_>, at: usize) -> bool {
        // Packages without an entry, or outside of any, are measured as declared.
        self.packages
            .get(&side.items[at].file.package)
            .is_none_or(|reachable| reachable.modules.contains(&top(side, at).0))
    }

    fn by_name(&self, side: &Side<'_>, at: usize) -> bool {
        self.packages
            .get(&side.items[at].file.package)
            .is_none_or(|reachable| {
                let (module, name) = top(side, at);
                reachable.names.contains(&format!("{module}::{name}"))
            })
    }
}

/// What the items of one side ask of each package.
fn wanted<'a>(side: &Side<'a>, items: &[usize]) -> BTreeMap<&'a [u8], Wanted> {
    let mut wanted: BTreeMap<&[u8], Wanted> = BTreeMap::new();
    for at in items {
        let item = &side.items[*at];
        if let Some(package) = item.file.package.filter(|_| item.is_public()) {
            let wanted = wanted.entry(package).or_default();
            let (module, name) = top(side, *at);
            wanted.names.insert(format!("{module}::{name}"));
            wanted.modules.insert(module);
        }
    }
    wanted
}

/// The module and name of the top-level declaration that an item is reached through.
fn top<'s>(side: &'s Side<'_>, at: usize) -> (String, &'s str) {
    let item: &Item<'_> = &side.items[at];
    let unit = item.unit;
    let Some(first) = unit.chain.first() else {
        let name = unit.member_of.as_deref().unwrap_or(&unit.segment.name);
        return (unit.module.clone(), name);
    };
    // An `impl` may stand in another module than its type, which is then imported.
    let type_is_here = item
        .parent
        .is_some_and(|parent| side.items[parent].inner == item.place);
    if !type_is_here {
        let mut imports = item.file.outline.imports.iter();
        let import = imports.find(|import| import.module == unit.module && import.name == first.name);
        if let Some((module, name)) = import.and_then(|import| import.target.rsplit_once("::")) {
            return (module.to_owned(), name);
        }
    }
    (unit.module.clone(), &first.name)
}
