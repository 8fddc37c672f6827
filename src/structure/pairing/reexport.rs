//! Old names that still work because their module now gets them from elsewhere.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use super::Input;
use super::elsewhere::Elsewhere;
use super::matching::{Fate, Matching, Via};
use super::side::{Place, Side};
use crate::structure::outline::{Import, Package, Role, Unit};
use crate::structure::source::Side as Which;

/// Re-exports of re-exports are followed for this many names; wildcards may lead in circles.
const MAX_STEPS: usize = 1000;

/// What following re-exports came to, besides pairs.
#[derive(Default)]
pub(super) struct Reexports {
    /// Items before whose old name works without a partner among the changed files, with the line that makes it work.
    pub(super) still_work: BTreeMap<usize, Evidence>,
    /// Items before that may come through a wildcard whose target could not be read.
    pub(super) unresolved: BTreeMap<usize, String>,
}

/// The line of a re-export.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Its file.
    pub(super) path: Vec<u8>,
    /// Its line.
    pub(super) line: u32,
    /// The line as written.
    pub(super) text: String,
}

/// Where a name leads.
enum Target {
    /// To this item of the changed files.
    Item(usize),
    /// To something in an unchanged file.
    Elsewhere,
    /// Nowhere.
    Nothing,
    /// Out of what can be read.
    Unknown(String),
}

/// A path, and whether a wildcard leads to it: in Python that gives public names only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Route {
    path: String,
    wild: bool,
}

impl Route {
    /// What a re-export gives under a name.
    fn of(import: &Import, name: &str) -> Self {
        if import.name == "*" {
            Self {
                path: format!("{}::{name}", import.target),
                wild: true,
            }
        } else {
            Self::named(&import.target)
        }
    }

    fn named(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            wild: false,
        }
    }
}

/// Follows names on one side.
pub(super) struct Names<'n, 'a> {
    side: &'n Side<'a>,
    input: &'n Input<'a>,
    elsewhere: &'n Elsewhere<'a>,
    /// Top-level declarations of the changed files by full path; made when first needed.
    declared: OnceCell<HashMap<String, usize>>,
    /// The modules that changed files hold.
    modules: OnceCell<HashSet<&'a str>>,
}

/// Finds old public names that are now re-exports: neither the re-export nor the new place is an addition then.
pub(super) fn follow(matching: &mut Matching<'_, '_>, names: &Names<'_, '_>) -> Reexports {
    let mut found = Reexports::default();
    // Several declarations of one name, each under its own condition, may become one re-export.
    let mut used: HashSet<*const Import> = HashSet::new();
    for at in 0..matching.before.items.len() {
        let item = &matching.before.items[at];
        if !matching.open_before(at) || !item.is_public() || !item.is_top() || item.reexport.is_some() {
            continue;
        }
        let (module, name) = (item.unit.module.as_str(), item.unit.segment.name.as_str());
        let direct = matching.after.exports.get(&(module, name));
        let wild = matching.after.exports.get(&(module, "*"));
        let package = item.file.package;
        for (import, file) in direct.into_iter().chain(wild).flatten() {
            let is_wild = import.name == "*";
            // A name that was imported beside the declaration all along is something else.
            if !is_wild && !used.contains(&std::ptr::from_ref(*import)) && !is_new(matching, import) {
                continue;
            }
            match names.resolve(&Route::of(import, name), module, package) {
                Target::Item(after) => {
                    if matching.open_after(after) {
                        matching.pair(at, after, Via::Reexport);
                        matching.carry(at, after);
                    } else {
                        matching.fate_before[at] = Fate::Spent;
                        found
                            .still_work
                            .insert(at, evidence(matching.after, import, file.path));
                    }
                }
                Target::Elsewhere => {
                    matching.fate_before[at] = Fate::Spent;
                    found
                        .still_work
                        .insert(at, evidence(matching.after, import, file.path));
                }
                // The name is there, whatever stands behind it.
                Target::Nothing | Target::Unknown(_) if !is_wild => {
                    matching.fate_before[at] = Fate::Spent;
                    found
                        .still_work
                        .insert(at, evidence(matching.after, import, file.path));
                }
                Target::Nothing => continue,
                Target::Unknown(why) => {
                    found
                        .unresolved
                        .insert(at, format!("{name} may come from {}: {why}", import.target));
                    continue;
                }
            }
            found.unresolved.remove(&at);
            spend_export(matching, import);
            used.insert(std::ptr::from_ref(*import));
            break;
        }
    }
    found
}

/// The other way round: a re-export of before that is now a declaration of its own is not removed.
///
/// `names` are those of before.
pub(super) fn follow_back(matching: &mut Matching<'_, '_>, names: &Names<'_, '_>) {
    if matching.before.reexports.is_empty() {
        return;
    }
    let mut declared: HashMap<Place, Vec<usize>> = HashMap::new();
    for (at, item) in matching.after.items.iter().enumerate() {
        if matching.open_after(at) && item.is_public() && item.is_top() && item.reexport.is_none() {
            declared.entry(item.place).or_default().push(at);
        }
    }
    for at in matching.before.reexports.iter().copied() {
        let item = &matching.before.items[at];
        let Some(import) = item.reexport.filter(|_| matching.open_before(at)) else {
            continue;
        };
        let is_wild = import.name == "*";
        for now in declared.get(&item.place).into_iter().flatten().copied() {
            let name = &matching.after.items[now].unit.segment.name;
            if !matching.open_after(now) || !(is_wild || *name == item.unit.segment.name) {
                continue;
            }
            match names.resolve(&Route::of(import, name), &import.module, item.file.package) {
                // What it led to has come here.
                Target::Item(target) if matching.open_before(target) => {
                    matching.fate_before[at] = Fate::Spent;
                    matching.pair(target, now, Via::Body);
                    matching.carry(target, now);
                }
                _ if !is_wild => {
                    matching.pair(at, now, Via::OtherKind);
                }
                _ => {}
            }
            if !is_wild {
                break;
            }
        }
    }
}

/// Whether two re-exports lead to the same thing, as far as the changed files tell.
///
/// `names` are those of before and after, `pair` the items before and after.
pub(super) fn same_target(
    matching: &Matching<'_, '_>,
    names: (&Names<'_, '_>, &Names<'_, '_>),
    pair: (usize, usize),
) -> bool {
    let (before, after) = (&matching.before.items[pair.0], &matching.after.items[pair.1]);
    let (Some(old), Some(new)) = (before.reexport, after.reexport) else {
        return false;
    };
    if old.target == new.target {
        return true;
    }
    let from = names
        .0
        .resolve(&Route::named(&old.target), &old.module, before.file.package);
    let to = names
        .1
        .resolve(&Route::named(&new.target), &new.module, after.file.package);
    match (from, to) {
        (Target::Item(from), Target::Item(to)) => matching
            .partner_of_before(from)
            .is_some_and(|pair| pair.after == to),
        _ => false,
    }
}

fn evidence(side: &Side<'_>, import: &Import, path: &[u8]) -> Evidence {
    let unit = side.reexports.iter().map(|at| &side.items[*at]);
    let unit = unit
        .filter(|item| item.reexport.is_some_and(|of| std::ptr::eq(of, import)))
        .map(|item| item.unit)
        .next();
    let text = unit.map_or_else(|| import.target.clone(), |unit| unit.text.clone());
    Evidence {
        path: path.to_vec(),
        line: import.line,
        text,
    }
}

/// Whether a named re-export has no counterpart before.
fn is_new(matching: &Matching<'_, '_>, import: &Import) -> bool {
    let mut items = matching.after.reexports.iter().copied();
    items.any(|at| {
        matching.open_after(at)
            && matching.after.items[at]
                .reexport
                .is_some_and(|of| std::ptr::eq(of, import))
    })
}

fn spend_export(matching: &mut Matching<'_, '_>, import: &Import) {
    for at in matching.after.reexports.iter().copied() {
        let is_it = matching.after.items[at]
            .reexport
            .is_some_and(|of| std::ptr::eq(of, import));
        if is_it && matching.open_after(at) {
            matching.fate_after[at] = Fate::Spent;
        }
    }
}

/// The full path of what a unit stands in: its module and the types around it.
fn path_around(unit: &Unit) -> Cow<'_, str> {
    if unit.chain.is_empty() {
        return Cow::Borrowed(&unit.module);
    }
    let names = unit.chain.iter().map(|segment| segment.name.as_str());
    Cow::Owned(
        std::iter::once(unit.module.as_str())
            .chain(names)
            .collect::<Vec<_>>()
            .join("::"),
    )
}

impl<'n, 'a> Names<'n, 'a> {
    /// Nothing looked up yet.
    pub(super) fn new(side: &'n Side<'a>, input: &'n Input<'a>, elsewhere: &'n Elsewhere<'a>) -> Self {
        Self {
            side,
            input,
            elsewhere,
            declared: OnceCell::new(),
            modules: OnceCell::new(),
        }
    }

    fn declared(&self, path: &str) -> Option<usize> {
        let declared = self.declared.get_or_init(|| {
            let items = self.side.items.iter().enumerate();
            items
                .filter(|(_, item)| {
                    item.unit.chain.is_empty()
                        && item.reexport.is_none()
                        && matches!(item.unit.role, Role::Symbol | Role::Container)
                })
                .map(|(at, item)| (format!("{}::{}", item.unit.module, item.unit.segment.name), at))
                .collect()
        });
        let mut path = path;
        loop {
            if let Some(found) = declared.get(path) {
                return Some(*found);
            }
            // The path of a Go package begins with that of its repository, which the folders do not show.
            match path.split_once('/') {
                Some((_, rest)) if self.input.lang == "go" => path = rest,
                _ => return None,
            }
        }
    }

    fn is_changed(&self, module: &str) -> bool {
        let modules = self.modules.get_or_init(|| {
            let items = self.side.items.iter();
            items
                .flat_map(|item| [item.unit.module.as_str(), item.file.outline.module.as_str()])
                .collect()
        });
        modules.contains(module)
    }

    /// Follows a path as written in `module`: from the package's top, or from there.
    fn resolve(&self, route: &Route, module: &str, package: Option<&[u8]>) -> Target {
        let relative = || Route {
            path: format!("{module}::{}", route.path),
            ..*route
        };
        match self.find(route.clone(), package) {
            Target::Unknown(why) => match self.find(relative(), package) {
                Target::Unknown(_) => Target::Unknown(why),
                target => target,
            },
            target => target,
        }
    }

    fn find(&self, route: Route, package: Option<&[u8]>) -> Target {
        let mut seen: HashSet<Route> = HashSet::new();
        let mut waiting: VecDeque<Route> = VecDeque::from([route]);
        let mut answer = Target::Nothing;
        while let Some(route) = waiting.pop_front() {
            if seen.len() == MAX_STEPS {
                return Target::Unknown("it is re-exported too often".to_owned());
            }
            match self.step(&route, package) {
                (_, found @ (Target::Item(_) | Target::Elsewhere)) => return found,
                (next, Target::Nothing) => {
                    waiting.extend(next.into_iter().filter(|next| !seen.contains(next)));
                }
                (_, unknown @ Target::Unknown(_)) => answer = unknown,
            }
            seen.insert(route);
        }
        answer
    }

    /// Whether a route may lead to a declaration: a wildcard of Python passes over what is not public.
    fn leads_to(&self, route: &Route, unit: &Unit) -> bool {
        !route.wild || self.input.lang != "python" || unit.visibility.is_public()
    }

    /// Looks for one path: the answer, or the paths that it may come from.
    fn step(&self, route: &Route, package: Option<&[u8]>) -> (Vec<Route>, Target) {
        let path = route.path.as_str();
        if let Some(item) = self.declared(path) {
            let found = self.leads_to(route, self.side.items[item].unit);
            let target = if found {
                Target::Item(item)
            } else {
                Target::Nothing
            };
            return (Vec::new(), target);
        }
        let Some((parent, leaf)) = path.rsplit_once("::") else {
            let why = "it is outside of this repository".to_owned();
            return (Vec::new(), Target::Unknown(why));
        };
        // A name inside of a type: a variant.
        if let Some(holder) = self.declared(parent) {
            let member = self.side.children_of(holder).iter().find(|at| {
                let unit = self.side.items[**at].unit;
                unit.segment.name == leaf && !unit.chain.is_empty()
            });
            if let Some(member) = member {
                return (Vec::new(), Target::Item(*member));
            }
        }
        let exports = &self.side.exports;
        let named = exports.get(&(parent, leaf)).into_iter().flatten();
        let wild = exports.get(&(parent, "*")).into_iter().flatten();
        if self.is_changed(parent) {
            let next = named.chain(wild).map(|(import, _)| Route::of(import, leaf));
            (next.collect(), Target::Nothing)
        } else {
            self.unchanged(route, package)
        }
    }

    /// Looks into the unchanged file that holds a module: what the module gets from elsewhere, or the answer.
    fn unchanged(&self, route: &Route, package: Option<&[u8]>) -> (Vec<Route>, Target) {
        let (parent, leaf) = route.path.rsplit_once("::").unwrap_or(("", &route.path));
        let folder = Package {
            folder: package.unwrap_or_default().to_vec(),
        };
        let which: Which = self.side.which;
        let mut module = parent;
        loop {
            for path in self.input.scanner.module_files(&folder, module) {
                let file = match self.elsewhere.file(which, &path, package) {
                    Ok(Some(file)) => file,
                    Ok(None) => continue,
                    Err(fault) => return (Vec::new(), Target::Unknown(fault.why)),
                };
                let units = &file.outline.units;
                let declared = units
                    .iter()
                    .find(|unit| unit.segment.name == leaf && path_around(unit) == parent);
                if let Some(unit) = declared {
                    let found = self.leads_to(route, unit);
                    let target = if found { Target::Elsewhere } else { Target::Nothing };
                    return (Vec::new(), target);
                }
                let known = module == parent
                    || units
                        .iter()
                        .any(|unit| unit.module == parent || path_around(unit) == parent);
                if !known {
                    return (Vec::new(), Target::Unknown(format!("{parent} was not found")));
                }
                let next = file
                    .outline
                    .imports
                    .iter()
                    .filter(|import| import.exported && import.module == parent)
                    .filter(|import| import.name == "*" || import.name == leaf);
                let next = next.map(|import| Route::of(import, leaf));
                return (next.collect(), Target::Nothing);
            }
            // An inline module stands in the file of one of those around it.
            match module.rsplit_once("::") {
                Some((around, _)) => module = around,
                None => {
                    return (
                        Vec::new(),
                        Target::Unknown("it is not in this repository".to_owned()),
                    );
                }
            }
        }
    }
}
