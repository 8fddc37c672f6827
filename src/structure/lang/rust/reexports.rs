//! Follows re-exports: which modules and items users of a library can name although their own path is not public.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::structure::known::Seen;
use crate::structure::outline::{FileOutline, Reachable, Wanted};

use super::reach::{File, NAMES_OF_REEXPORTS, Reach, Scanned, Step};

/// Most steps that re-exports of re-exports are followed; each step resolves one name or wildcard.
const MAX_STEPS: usize = 100_000;

impl<'t> Reach<'t> {
    /// Fills in the modules and names that users of the library can get at.
    pub(super) fn surface(&mut self, wanted: &Wanted, answer: &mut Reachable) {
        let top = format!("{}crate", self.prefix);
        let mut open: BTreeSet<String> = BTreeSet::new();
        answer.modules.insert(top.clone());
        for module in &wanted.modules {
            if self.is_public(module, &BTreeSet::new()) {
                answer.modules.insert(module.clone());
            }
        }
        for name in &wanted.names {
            let Some((module, _)) = name.rsplit_once("::") else {
                continue;
            };
            if !answer.modules.contains(module) && !self.is_public(module, &BTreeSet::new()) {
                open.insert(name.clone());
            }
        }
        if open.is_empty() {
            return;
        }
        // The ancestors first: most re-exports stand there.
        let mut ancestors: BTreeSet<Vec<u8>> = BTreeSet::new();
        for name in &open {
            let mut module = name.as_str();
            while let Some((parent, _)) = module.rsplit_once("::") {
                ancestors.extend(super::module::module_files(self.folder, parent));
                module = parent;
            }
        }
        let mut exports = Exports::default();
        for path in ancestors {
            if let File::Read(outline) = self.file(&path) {
                exports.add(&outline);
            }
        }
        self.follow(&mut exports, wanted, answer);
        if open.iter().all(|name| self.answered(name, &exports, answer)) {
            return;
        }
        let source = self.in_package("src");
        let Ok(files) = self.tree.files_below(&source, b".rs") else {
            self.unreadable = true;
            return;
        };
        let unread = files.iter().filter(|path| !self.files.contains_key(*path));
        for (path, seen) in self.look_ahead(NAMES_OF_REEXPORTS, unread.cloned().collect()) {
            match seen {
                Seen::Nothing => {}
                Seen::Unreadable => self.unreadable = true,
                Seen::Unclear | Seen::Names(_) => {
                    self.files.insert(path, seen.into());
                }
            }
        }
        for path in files {
            let known = self.known.get(&path).is_some() || self.files.contains_key(&path);
            if known && let File::Read(outline) = self.file(&path) {
                exports.add(&outline);
            }
        }
        self.follow(&mut exports, wanted, answer);
    }

    fn answered(&mut self, name: &str, exports: &Exports, answer: &Reachable) -> bool {
        answer.names.contains(name)
            || name
                .rsplit_once("::")
                .is_some_and(|(module, _)| self.is_public(module, &exports.opened))
    }

    /// Whether each step down to a module is public, beginning at the top or at a re-exported module.
    fn is_public(&mut self, module: &str, opened: &BTreeSet<String>) -> bool {
        let top = format!("{}crate", self.prefix);
        if module == top || opened.contains(module) {
            return true;
        }
        let Some(steps) = self.library_steps(&top, module) else {
            return false;
        };
        for step in steps.iter().rev() {
            if opened.contains(&step.module) {
                return true;
            }
            if !step.public {
                return false;
            }
        }
        true
    }

    /// The way from the top of the library down to a module, found once.
    fn library_steps(&mut self, top: &str, module: &str) -> Option<Arc<[Step]>> {
        if let Some(known) = self.library_steps.get(module) {
            return known.clone();
        }
        let library = self.in_package("src/lib.rs");
        let steps: Option<Arc<[Step]>> = self.steps(&library, top, module).map(Into::into);
        self.library_steps.insert(module.to_owned(), steps.clone());
        steps
    }

    /// Follows re-exports from reachable modules until nothing more is found.
    fn follow(&mut self, exports: &mut Exports, wanted: &Wanted, answer: &mut Reachable) {
        let mut steps = 0;
        loop {
            let before = (exports.opened.len(), exports.named.len());
            for (module, name, target) in exports.list.clone() {
                if !self.is_public(&module, &exports.opened) {
                    continue;
                }
                let target = self.within_crate(&target);
                if name == "*" {
                    exports.opened.insert(target);
                } else {
                    self.follow_name(exports, target, &mut steps);
                }
            }
            if before == (exports.opened.len(), exports.named.len()) || steps > MAX_STEPS {
                break;
            }
        }
        for module in &wanted.modules {
            if self.is_public(module, &exports.opened) {
                answer.modules.insert(module.clone());
            }
        }
        answer
            .names
            .extend(wanted.names.intersection(&exports.named).cloned());
    }

    /// Follows one re-exported name through the modules that only pass it on.
    fn follow_name(&mut self, exports: &mut Exports, target: String, steps: &mut usize) {
        let mut work = vec![target];
        while let Some(target) = work.pop() {
            *steps += 1;
            if *steps > MAX_STEPS || !exports.named.insert(target.clone()) {
                continue;
            }
            // It may be a module itself; for anything else this opens nothing.
            exports.opened.insert(target.clone());
            let Some((module, name)) = target.rsplit_once("::") else {
                continue;
            };
            let Some(outline) = self.outline_of(module) else {
                continue;
            };
            let declared = outline.units.iter().any(|unit| {
                unit.chain.is_empty()
                    && unit.module == module
                    && unit.segment.name == name
                    && unit.segment.kind != "use"
            });
            for import in outline.imports.iter().filter(|import| import.module == module) {
                let source = self.within_crate(&import.target);
                if import.name == name && source != target {
                    work.push(source);
                } else if import.name == "*" && !declared {
                    work.push(format!("{source}::{name}"));
                }
            }
        }
    }

    /// The file that a module stands in, inline modules included.
    fn outline_of(&mut self, module: &str) -> Option<Scanned<'t>> {
        let mut place = module;
        loop {
            for path in super::module::module_files(self.folder, place) {
                if let File::Read(outline) = self.file(&path) {
                    return Some(outline);
                }
            }
            place = place.rsplit_once("::")?.0;
        }
    }

    /// A path that begins with a module of the top, as the 2015 edition writes it.
    fn within_crate(&mut self, target: &str) -> String {
        let top = format!("{}crate", self.prefix);
        if target.starts_with(&top) {
            return target.to_owned();
        }
        let first = target.split("::").next().unwrap_or_default();
        let library = self.in_package("src/lib.rs");
        let File::Read(outline) = self.file(&library) else {
            return target.to_owned();
        };
        let is_module = outline
            .units
            .iter()
            .any(|unit| unit.segment.kind == "mod" && unit.module == top && unit.segment.name == first);
        if is_module {
            format!("{top}::{target}")
        } else {
            target.to_owned()
        }
    }
}

/// Re-exports, and what they were found to open.
#[derive(Default)]
struct Exports {
    /// Module, name, target.
    list: Vec<(String, String, String)>,
    seen: BTreeSet<String>,
    /// Modules that a re-export makes reachable.
    opened: BTreeSet<String>,
    /// Items that a re-export makes reachable.
    named: BTreeSet<String>,
}

impl Exports {
    fn add(&mut self, outline: &FileOutline) {
        if !self.seen.insert(outline.module.clone()) {
            return;
        }
        for import in outline.imports.iter().filter(|import| import.exported) {
            let entry = (import.module.clone(), import.name.clone(), import.target.clone());
            self.list.push(entry);
        }
    }
}
