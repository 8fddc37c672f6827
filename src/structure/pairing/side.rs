//! All units of the changed files of one side: who contains whom, and how each is spelled in keys.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _};

use super::SourceFile;
use crate::model::fact::Span;
use crate::model::key::{escape_module, escape_name, path_text};
use crate::structure::outline::{Import, Role, Unit};
use crate::structure::source::Side as Which;

/// A place that holds units, by name alone: a module, or a chain of containers in one. The same number on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place(u32);

impl Place {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Gives every place its number; exact, so that no two names can be taken for each other.
#[derive(Default)]
pub(super) struct Places<'a> {
    numbers: HashMap<(Option<Place>, Cow<'a, str>), Place>,
}

impl<'a> Places<'a> {
    /// No place yet, with room for so many.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            numbers: HashMap::with_capacity(capacity),
        }
    }

    /// How many there are: every number is below this.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The place inside of another one, if anything was seen there.
    fn find(&self, place: Place, name: &'a str) -> Option<Place> {
        self.numbers.get(&(Some(place), Cow::Borrowed(name))).copied()
    }

    /// The place of a module's top level.
    pub(super) fn module(&mut self, module: impl Into<Cow<'a, str>>) -> Place {
        self.number((None, module.into()))
    }

    /// The place inside the container `name` of another place.
    pub(super) fn inside(&mut self, place: Place, name: impl Into<Cow<'a, str>>) -> Place {
        self.number((Some(place), name.into()))
    }

    fn number(&mut self, key: (Option<Place>, Cow<'a, str>)) -> Place {
        let next = Place(u32::try_from(self.numbers.len()).expect("a diff has less than 4 billion names"));
        *self.numbers.entry(key).or_insert(next)
    }
}

/// One unit of one side.
pub(super) struct Item<'a> {
    /// What the scanner said.
    pub(super) unit: &'a Unit,
    /// The file it stands in.
    pub(super) file: &'a SourceFile<'a>,
    /// Which of the changed files that is.
    pub(super) pair: usize,
    /// The top level of its module.
    module: Place,
    /// Where it stands, by name.
    pub(super) place: Place,
    /// Where its members stand, by name.
    pub(super) inner: Place,
    /// The unit that contains it, where that is in a changed file too.
    pub(super) parent: Option<usize>,
    /// Whether the parent stands in the chain of the key, rather than being the module.
    in_chain: bool,
    /// Its number among units of the same name, from 1; 0 when it is the only one.
    nth: u32,
    /// The import that it stands for, when it is a re-export.
    pub(super) reexport: Option<&'a Import>,
}

impl Item<'_> {
    /// Whether it is run by the test runner.
    pub(super) fn is_test(&self) -> bool {
        self.unit.role == Role::Test
    }

    /// Whether its own file declares it public, and it is something that can be.
    pub(super) fn is_public(&self) -> bool {
        matches!(self.unit.role, Role::Symbol | Role::Container) && self.unit.visibility.is_public()
    }

    /// Whether a path names it by its module and name alone.
    pub(super) fn is_top(&self) -> bool {
        self.unit.chain.is_empty() && self.unit.member_of.is_none()
    }

    /// A module whose content is another file.
    pub(super) fn is_file_module(&self) -> bool {
        self.unit.segment.kind == "mod" && self.unit.body.is_none()
    }

    /// Its name as a member: without the type it belongs to, which may have another name on the other side.
    pub(super) fn member_name(&self) -> &str {
        let name = &self.unit.segment.name;
        self.unit
            .member_of
            .as_deref()
            .and_then(|of| name.strip_suffix(of))
            .unwrap_or(name)
    }

    /// Whether its name is only its number among its kind, which says nothing about what it is.
    pub(super) fn is_numbered(&self) -> bool {
        self.unit.segment.kind == "doctest"
    }
}

/// Everything named in the changed files of one side.
pub(super) struct Side<'a> {
    /// Which side.
    pub(super) which: Which,
    lang: &'a str,
    /// In path order, then source order.
    pub(super) items: Vec<Item<'a>>,
    /// The items directly inside each item.
    children: Vec<Vec<usize>>,
    /// The items that are re-exports.
    pub(super) reexports: Vec<usize>,
    /// All imports that users get too, by module and name.
    pub(super) exports: HashMap<(&'a str, &'a str), Vec<(&'a Import, &'a SourceFile<'a>)>>,
}

/// The full module path of what stands inside a `mod` unit.
///
/// A module in another file may be named after that file rather than after the module around its line.
pub(super) fn inner_module<'a>(unit: &'a Unit, file: &'a SourceFile<'_>) -> Option<Cow<'a, str>> {
    if unit.segment.kind != "mod" {
        return None;
    }
    let lines = &file.outline.submodules;
    // In source order, like units.
    let from = lines.partition_point(|line| line.line < unit.lines.0);
    let line = lines[from..]
        .iter()
        .take_while(|line| unit.body.is_none() && line.line <= unit.lines.1)
        .find(|line| line.module.rsplit("::").next() == Some(unit.segment.name.as_str()));
    Some(match line {
        Some(line) => Cow::Borrowed(&line.module),
        None => Cow::Owned(format!("{}::{}", unit.module, unit.segment.name)),
    })
}

impl<'a> Side<'a> {
    /// Takes the units of these files (with the number of their pair), given in any order; see [`Self::relate`].
    pub(super) fn new(
        which: Which,
        lang: &'a str,
        mut files: Vec<(usize, &'a SourceFile<'a>)>,
        places: &mut Places<'a>,
    ) -> Self {
        files.sort_by_key(|(_, file)| file.path);
        let mut side = Self {
            which,
            lang,
            items: Vec::with_capacity(files.iter().map(|(_, file)| file.outline.units.len()).sum()),
            children: Vec::new(),
            reexports: Vec::new(),
            exports: HashMap::new(),
        };
        for (pair, file) in &files {
            for import in file.outline.imports.iter().filter(|import| import.exported) {
                side.exports
                    .entry((&import.module, &import.name))
                    .or_default()
                    .push((import, *file));
            }
            side.take_file(*pair, file, places);
        }
        side
    }

    /// Finds out what the units are to each other, when the places of all of them have their numbers.
    pub(super) fn relate(&mut self, places: &Places<'a>) {
        self.find_parents(places);
        self.number_namesakes();
        self.find_reexports();
    }

    fn take_file(&mut self, pair: usize, file: &'a SourceFile<'a>, places: &mut Places<'a>) {
        // What the current unit stands inside of, outermost first.
        let mut open: Vec<usize> = Vec::new();
        for unit in file
            .outline
            .units
            .iter()
            .filter(|unit| unit.role != Role::Extension)
        {
            // Most units stand where the one before them stands.
            let (module, place) = match self.items.last() {
                Some(last) if last.unit.module == unit.module => {
                    let same = last.unit.chain == unit.chain;
                    (last.module, same.then_some(last.place))
                }
                _ => (places.module(unit.module.as_str()), None),
            };
            let place = place.unwrap_or_else(|| {
                let segments = unit.chain.iter();
                segments.fold(module, |place, segment| {
                    places.inside(place, segment.name.as_str())
                })
            });
            let inner = match inner_module(unit, file) {
                Some(module) => places.module(module),
                None => places.inside(place, unit.segment.name.as_str()),
            };
            open.retain(|item| self.items[*item].unit.bytes.end > unit.bytes.start);
            let parent = open.iter().rev().copied().find(|item| {
                let around = self.items[*item].unit;
                unit.chain.split_last().is_some_and(|(last, rest)| {
                    *last == around.segment && rest == around.chain && unit.module == around.module
                })
            });
            open.push(self.items.len());
            self.items.push(Item {
                unit,
                file,
                pair,
                module,
                place,
                inner,
                parent,
                in_chain: parent.is_some(),
                nth: 0,
                reexport: None,
            });
        }
    }

    /// Finds parents by name for items that do not stand inside them: methods in `impl` blocks, doc examples, file modules.
    fn find_parents(&mut self, places: &Places<'a>) {
        let mut holders: Vec<Option<usize>> = vec![None; places.len()];
        for (at, item) in self.items.iter().enumerate() {
            let holder = holders[item.inner.index()].get_or_insert(at);
            // A type and a function may share a name; members belong to the type.
            if item.unit.role == Role::Container && self.items[*holder].unit.role != Role::Container {
                *holder = at;
            }
        }
        self.children = vec![Vec::new(); self.items.len()];
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.parent.is_none() {
                let module = item.module;
                let named = match &item.unit.member_of {
                    Some(of) if item.unit.chain.is_empty() => places.find(module, of.as_str()),
                    _ => Some(item.place),
                };
                let parent = [named, Some(module)]
                    .into_iter()
                    .flatten()
                    .find_map(|place| holders[place.index()]);
                // A unit is never its own container, whatever a scanner says.
                self.items[at].parent = parent.filter(|parent| *parent != at);
            }
            if let Some(parent) = self.items[at].parent {
                self.children[parent].push(at);
            }
        }
    }

    fn number_namesakes(&mut self) {
        let mut seen: HashMap<_, (usize, u32)> = HashMap::with_capacity(self.items.len());
        for at in 0..self.items.len() {
            let item = &self.items[at];
            let around = item.unit.chain.last().map(|segment| segment.kind);
            let inside = item.parent.filter(|_| item.in_chain);
            let key = (
                item.place,
                around,
                inside,
                item.unit.segment.kind,
                item.unit.segment.name.as_str(),
            );
            let (first, count) = seen.entry(key).or_insert((at, 0));
            *count += 1;
            let (first, count) = (*first, *count);
            if count > 1 {
                self.items[first].nth = 1;
                self.items[at].nth = count;
            }
        }
    }

    fn find_reexports(&mut self) {
        if self.exports.is_empty() {
            return;
        }
        for (at, item) in self.items.iter_mut().enumerate() {
            let unit = item.unit;
            if unit.role != Role::Symbol || !unit.chain.is_empty() || unit.body.is_some() {
                continue;
            }
            let name = if unit.segment.name.ends_with('*') || unit.segment.name.starts_with("* from ") {
                "*"
            } else {
                unit.segment.name.as_str()
            };
            item.reexport = self
                .exports
                .get(&(unit.module.as_str(), name))
                .and_then(|imports| {
                    let mut here = imports
                        .iter()
                        .filter(|(import, file)| {
                            std::ptr::eq(*file, item.file)
                                && (unit.lines.0..=unit.lines.1).contains(&import.line)
                        })
                        .map(|(import, _)| *import);
                    match here.next() {
                        // Several wildcards may stand on one line: the unit is named after its target.
                        Some(first) if name == "*" => {
                            let path = unit.segment.name.trim_end_matches("::*");
                            Some(here.find(|import| import.target.ends_with(path)).unwrap_or(first))
                        }
                        first => first,
                    }
                });
            if item.reexport.is_some() {
                self.reexports.push(at);
            }
        }
    }

    /// The key of an item: `lang:module#segment > segment`.
    pub(super) fn key(&self, at: usize) -> String {
        let unit = self.items[at].unit;
        let mut key = format!("{}:{}#", self.lang, escape_module(&unit.module));
        // The ancestors that the chain names, nearest last; `impl X` names one without standing in it.
        let mut around: Vec<Option<u32>> = Vec::with_capacity(unit.chain.len());
        let mut current = at;
        for _ in &unit.chain {
            let parent = self.items[current]
                .parent
                .filter(|_| self.items[current].in_chain);
            around.push(parent.map(|parent| self.items[parent].nth));
            current = parent.unwrap_or(current);
        }
        for (segment, nth) in unit.chain.iter().zip(around.iter().rev()) {
            push_segment(&mut key, segment.kind, &segment.name, nth.unwrap_or(0));
            key.push_str(" > ");
        }
        push_segment(
            &mut key,
            unit.segment.kind,
            &unit.segment.name,
            self.items[at].nth,
        );
        key
    }

    /// The path of an item's file as facts show it.
    pub(super) fn path(&self, at: usize) -> String {
        path_text(self.items[at].file.path)
    }

    /// Where an item stands, with its declaration.
    pub(super) fn span(&self, at: usize) -> Span {
        let unit = self.items[at].unit;
        Span::new(unit.lines.0, unit.lines.1, &unit.text)
    }

    /// The containers of an item from the nearest to the outermost, as far as they are in changed files.
    pub(super) fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        // Bounded: hostile module trees may contain each other.
        std::iter::successors(self.items[at].parent, |parent| self.items[*parent].parent)
            .take(self.items.len().min(4096))
    }

    /// The items directly inside an item.
    pub(super) fn children_of(&self, at: usize) -> &[usize] {
        &self.children[at]
    }
}

fn push_segment(key: &mut String, kind: &str, name: &str, nth: u32) {
    key.push_str(kind);
    key.push(' ');
    key.push_str(&escape_name(name));
    if nth > 0 {
        key.push('@');
        key.push_str(&nth.to_string());
    }
}
