//! Which modules and names of a package its users get at: those without an underscore, and what a package re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::structure::decode;
use crate::structure::outline::{FileOutline, Known, Options, Outline, Reachable, Unit, Wanted};
use crate::structure::source::Tree;

use super::Python;
use super::place::module_files;

/// Most steps from re-export to re-export that are followed for one name.
const MAX_STEPS: usize = 200;

/// Answers what was asked.
pub(super) fn reachable(tree: &dyn Tree, wanted: &Wanted, known: &Known<'_>) -> Reachable {
    let mut reach = Reach {
        tree,
        known,
        read: BTreeMap::new(),
        unreadable: false,
    };
    let mut answer = Reachable {
        has_entry: true,
        linked: wanted.modules.clone(),
        ..Reachable::default()
    };
    for module in &wanted.modules {
        if is_public(module) {
            answer.modules.insert(module.clone());
        }
    }
    for path in &wanted.names {
        let Some((module, name)) = path.rsplit_once("::") else {
            continue;
        };
        if !is_public(module) && reach.is_reexported(module, name) {
            answer.names.insert(path.clone());
        }
    }
    answer.unreadable_entry = reach.unreadable;
    answer
}

/// Whether no part of a module's path begins with an underscore.
fn is_public(module: &str) -> bool {
    module.split('.').all(|part| !part.starts_with('_'))
}

/// The outline of a module's file, made by the comparison or here.
#[derive(Clone)]
enum File<'k> {
    Absent,
    Known(&'k FileOutline),
    Own(Rc<FileOutline>),
}

impl File<'_> {
    fn outline(&self) -> Option<&FileOutline> {
        match self {
            Self::Absent => None,
            Self::Known(outline) => Some(outline),
            Self::Own(outline) => Some(outline),
        }
    }
}

struct Reach<'t> {
    tree: &'t dyn Tree,
    known: &'t Known<'t>,
    read: BTreeMap<String, File<'t>>,
    /// A file in front of something wanted could not be understood.
    unreadable: bool,
}

impl<'t> Reach<'t> {
    /// Whether a public package above a module re-exports one of its names.
    fn is_reexported(&mut self, module: &str, name: &str) -> bool {
        let mut package = module;
        while let Some((above, _)) = package
            .rsplit_once('.')
            .or((!package.is_empty()).then_some(("", "")))
        {
            package = above;
            if is_public(package) && self.exports(package, (module, name)) {
                return true;
            }
        }
        false
    }

    /// Whether any name that a package exports is the wanted one.
    fn exports(&mut self, package: &str, wanted: (&str, &str)) -> bool {
        let file = self.file(package);
        let Some(outline) = file.outline() else {
            return false;
        };
        let imports = outline.imports.iter();
        let targets: Vec<String> = imports
            .filter(|import| import.name == "*" || is_exported(outline, &import.name))
            .filter_map(|import| match import.name.as_str() {
                "*" if is_exported(outline, wanted.1) => Some(format!("{}::{}", import.target, wanted.1)),
                "*" => None,
                _ => Some(import.target.clone()),
            })
            .collect();
        targets.iter().any(|target| self.leads_to(target, wanted))
    }

    /// Whether a name is the wanted one, or comes from it.
    fn leads_to(&mut self, target: &str, wanted: (&str, &str)) -> bool {
        let mut waiting = vec![target.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(target) = waiting.pop() {
            let Some((module, name)) = target.rsplit_once("::") else {
                continue;
            };
            if (module, name) == wanted {
                return true;
            }
            if seen.len() == MAX_STEPS || !seen.insert(target.clone()) {
                continue;
            }
            let file = self.file(module);
            let Some(outline) = file.outline() else { continue };
            for import in &outline.imports {
                if import.name == name {
                    waiting.push(import.target.clone());
                } else if import.name == "*" {
                    waiting.push(format!("{}::{name}", import.target));
                }
            }
        }
        false
    }

    fn file(&mut self, module: &str) -> File<'t> {
        if let Some(file) = self.read.get(module) {
            return file.clone();
        }
        let file = self.look_up(module);
        self.read.insert(module.to_owned(), file.clone());
        file
    }

    fn look_up(&mut self, module: &str) -> File<'t> {
        for path in module_files(module) {
            if let Some(outline) = self.known.get(path.as_slice()) {
                return File::Known(outline);
            }
            match self.tree.read(&path) {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    let text = decode::source(&bytes).ok();
                    let outline =
                        text.and_then(|text| Python.outline(&text, &path, &Options::default()).ok());
                    self.unreadable |= outline.is_none();
                    return outline.map_or(File::Absent, |outline| File::Own(Rc::new(outline)));
                }
                Err(_) => {
                    self.unreadable = true;
                    return File::Absent;
                }
            }
        }
        File::Absent
    }
}

/// Whether a package offers a name: by `__all__` where there is one, else by its first letter.
fn is_exported(outline: &FileOutline, name: &str) -> bool {
    let top = |unit: &&Unit| unit.chain.is_empty();
    let listed = outline
        .units
        .iter()
        .filter(top)
        .any(|unit| unit.segment.name == "__all__");
    if !listed {
        return !name.starts_with('_');
    }
    outline
        .units
        .iter()
        .filter(top)
        .any(|unit| unit.segment.name == name && unit.visibility.is_public())
}
