//! What users of a package can get at: from the entries of `package.json` along relative re-exports.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use serde_json::Value;

use crate::structure::outline::{FileOutline, Known, Options, Outline, Package, Reachable, Wanted};
use crate::structure::source::Tree;

use super::TypeScript;
use super::place::{EXTENSIONS, joined, module_files, module_of};

/// Most names and modules that are followed.
const MAX_STEPS: usize = 20_000;

/// Extensions of what an entry may be besides source; those are no modules.
const NO_SOURCE: [&str; 8] = [
    ".json", ".css", ".scss", ".less", ".wasm", ".node", ".svg", ".html",
];

/// Finds which modules and names are reachable; everything linked counts, modules have no lines that link them in.
pub(super) fn reachable(tree: &dyn Tree, package: &Package, wanted: &Wanted, known: &Known<'_>) -> Reachable {
    let linked = wanted.modules.clone();
    let manifest = at_folder(&package.folder, b"package.json");
    let declared = Reachable {
        has_entry: true,
        unreadable_entry: true,
        linked: linked.clone(),
        ..Reachable::default()
    };
    let text = match tree.read(&manifest) {
        Ok(Some(text)) => text,
        Ok(None) => {
            return Reachable {
                linked,
                ..Reachable::default()
            };
        }
        Err(_) => return declared,
    };
    let Some(entries) = serde_json::from_slice(&text)
        .ok()
        .and_then(|manifest: Value| entries(tree, &package.folder, &manifest))
    else {
        return declared;
    };
    let mut walk = Walk {
        tree,
        known,
        read: HashMap::new(),
        found: Reachable {
            has_entry: true,
            linked,
            ..Reachable::default()
        },
        seen: HashSet::new(),
        waiting: VecDeque::new(),
    };
    for entry in entries {
        walk.waiting.push_back((module_of(&entry), None));
    }
    if walk.run(wanted) { walk.found } else { declared }
}

/// A path inside a folder.
fn at_folder(folder: &[u8], rest: &[u8]) -> Vec<u8> {
    if folder.is_empty() {
        rest.to_vec()
    } else {
        [folder, rest].join(&b'/')
    }
}

/// The files that a manifest names as entries; `None` if one of them cannot be found.
fn entries(tree: &dyn Tree, folder: &[u8], manifest: &Value) -> Option<BTreeSet<Vec<u8>>> {
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for field in ["exports", "main", "module", "types", "typings"] {
        // Conditions and subpaths, taken from a list: they may be nested deep.
        let mut waiting: Vec<&Value> = manifest.get(field).into_iter().collect();
        while let Some(value) = waiting.pop() {
            match value {
                Value::String(path) => {
                    named.insert(path);
                }
                Value::Array(values) => waiting.extend(values),
                Value::Object(values) => waiting.extend(values.values()),
                _ => {}
            }
        }
    }
    named.retain(|path| !NO_SOURCE.iter().any(|extension| path.ends_with(extension)));
    let mut files = BTreeSet::new();
    if named.is_empty() {
        files.insert(default_entry(tree, folder)?);
        return Some(files);
    }
    for path in named {
        if path.contains('*') {
            files.extend(matching(tree, folder, path)?);
        } else {
            files.insert(entry(tree, folder, path).or_else(|| default_entry(tree, folder))?);
        }
    }
    Some(files)
}

/// `src/index`, then `index`.
fn default_entry(tree: &dyn Tree, folder: &[u8]) -> Option<Vec<u8>> {
    with_extension(tree, &at_folder(folder, b"src/index"))
        .or_else(|| with_extension(tree, &at_folder(folder, b"index")))
}

/// The file of an entry: itself, or its source, below `src` instead of its first folder.
fn entry(tree: &dyn Tree, folder: &[u8], path: &str) -> Option<Vec<u8>> {
    let file = joined(folder, path.as_bytes())?;
    if matches!(tree.read(&file), Ok(Some(_))) {
        return Some(file);
    }
    let inside = joined(b"", path.as_bytes())?;
    let rest = memchr::memchr(b'/', &inside).map_or(&inside[..], |slash| &inside[slash + 1..]);
    let source = at_folder(folder, &[b"src/", rest].concat());
    let stem = |path: &[u8]| super::place::without_extension(path).to_vec();
    let inner = |path: &[u8]| [path, b"/index"].concat();
    with_extension(tree, &stem(&file))
        .or_else(|| with_extension(tree, &inner(&file)))
        .or_else(|| with_extension(tree, &stem(&source)))
        .or_else(|| with_extension(tree, &inner(&stem(&source))))
}

fn with_extension(tree: &dyn Tree, stem: &[u8]) -> Option<Vec<u8>> {
    EXTENSIONS
        .iter()
        .map(|extension| [stem, extension.as_bytes()].concat())
        .find(|path| matches!(tree.read(path), Ok(Some(_))))
}

/// The files of a pattern `./features/*.js`, or of its sources; `None` if there is none.
fn matching(tree: &dyn Tree, folder: &[u8], pattern: &str) -> Option<BTreeSet<Vec<u8>>> {
    let (start, end) = pattern.split_once('*')?;
    let stem = joined(b"", start.as_bytes())?;
    let slash = start.ends_with('/');
    let source = memchr::memchr(b'/', &stem).map_or(&b""[..], |slash| &stem[slash + 1..]);
    let source = [b"src/", source].concat();
    let end = super::place::without_extension(end.as_bytes());
    for stem in [stem, source] {
        let prefix = at_folder(folder, stem.strip_suffix(b"/").unwrap_or(&stem));
        let below = if slash {
            prefix.clone()
        } else {
            prefix[..memchr::memrchr(b'/', &prefix).unwrap_or(0)].to_vec()
        };
        let files: BTreeSet<_> = tree
            .files_below(&below, b"")
            .ok()?
            .into_iter()
            .filter(|path| {
                let module = super::place::without_extension(path);
                module.len() < path.len() && path.starts_with(&prefix) && module.ends_with(end)
            })
            .collect();
        if !files.is_empty() {
            return Some(files);
        }
    }
    None
}

/// A module, and the one name of it that is meant.
type Step = (String, Option<String>);

/// An outline that was there, or was read.
#[derive(Clone)]
enum Scanned<'t> {
    Known(&'t FileOutline),
    Own(Rc<FileOutline>),
}

/// A file on the way that cannot be read.
struct Unreadable;

struct Walk<'t> {
    tree: &'t dyn Tree,
    known: &'t Known<'t>,
    read: HashMap<String, Option<Scanned<'t>>>,
    found: Reachable,
    seen: HashSet<Step>,
    waiting: VecDeque<Step>,
}

impl<'t> Walk<'t> {
    /// Follows what waits; `false` if a file on the way could not be read.
    fn run(&mut self, wanted: &Wanted) -> bool {
        while let Some((module, name)) = self.waiting.pop_front() {
            if self.seen.len() > MAX_STEPS {
                return false;
            }
            if !self.seen.insert((module.clone(), name.clone())) || self.found.modules.contains(&module) {
                continue;
            }
            match &name {
                None => self.found.modules.insert(module.clone()),
                Some(name) => self.found.names.insert(format!("{module}::{name}")),
            };
            if wanted.modules.is_subset(&self.found.modules) {
                return true;
            }
            let Ok(file) = self.file(&module) else {
                return false;
            };
            let outline = match &file {
                Some(Scanned::Known(outline)) => outline,
                Some(Scanned::Own(outline)) => outline.as_ref(),
                None => continue,
            };
            for import in outline.imports.iter().filter(|import| import.exported) {
                let whole = import.name == "*" || import.name == "require";
                let meant = name.as_ref().is_none_or(|name| whole || *name == import.name);
                if !meant {
                    continue;
                }
                self.waiting.push_back(match import.target.rsplit_once("::") {
                    Some((module, leaf)) => (module.to_owned(), Some(leaf.to_owned())),
                    // A wildcard passes the name on, a namespace is meant as a whole.
                    None if import.name == "*" => (import.target.clone(), name.clone()),
                    None => (import.target.clone(), None),
                });
            }
        }
        true
    }

    /// The outline of a module; nothing where it is not in the tree.
    fn file(&mut self, module: &str) -> Result<Option<Scanned<'t>>, Unreadable> {
        if let Some(known) = self.read.get(module) {
            return Ok(known.clone());
        }
        let mut answer = None;
        for path in module_files(module) {
            if let Some(outline) = self.known.get(path.as_slice()) {
                answer = Some(Scanned::Known(outline));
                break;
            }
            match self.tree.read(&path) {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    let outline = TypeScript
                        .outline(&bytes, &path, &Options::default())
                        .map_err(|_| Unreadable)?;
                    answer = Some(Scanned::Own(Rc::new(outline)));
                    break;
                }
                Err(_) => return Err(Unreadable),
            }
        }
        self.read.insert(module.to_owned(), answer.clone());
        Ok(answer)
    }
}
