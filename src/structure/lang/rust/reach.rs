//! Which modules a package links in, and which of them and of their items its users can name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};
use memchr::memmem;

use crate::structure::known::{Look, Seen};
use crate::structure::outline::{FileOutline, Known, Package, Reachable, Visibility, Wanted};
use crate::structure::source::{ReadFault, Tree};

use super::manifest::Manifest;
use super::module::{Place, prefix_of};

/// Answers what was asked about one package.
pub(super) fn reachable(tree: &dyn Tree, package: &Package, wanted: &Wanted, known: &Known<'_>) -> Reachable {
    let mut reach = Reach::new(tree, package, known);
    let mut answer = Reachable::default();
    let library = reach.in_package("src/lib.rs");
    match reach.file(&library) {
        File::Absent => {}
        File::Unreadable => {
            answer.has_entry = true;
            answer.unreadable_entry = true;
        }
        File::Read(_) => answer.has_entry = true,
    }
    reach.look_at_ancestors(wanted.modules.iter());
    for module in &wanted.modules {
        if reach.is_linked(module) {
            answer.linked.insert(module.clone());
        }
    }
    if answer.has_entry && !answer.unreadable_entry {
        reach.surface(wanted, &mut answer);
        answer.unreadable_entry = reach.unreadable;
    }
    answer
}

/// The files that the runner starts from, as far as they are there; `None` without a package.
pub(super) fn runner_roots(
    tree: &dyn Tree,
    package: &Package,
) -> Result<Option<BTreeSet<Vec<u8>>>, ReadFault> {
    let known = Known::default();
    let reach = Reach::new(tree, package, &known);
    if tree.id(&reach.in_package("Cargo.toml"))?.is_none() {
        return Ok(None);
    }
    let mut roots = BTreeSet::new();
    for root in reach.all_roots() {
        if tree.id(&root)?.is_some() {
            roots.insert(root);
        }
    }
    Ok(Some(roots))
}

/// What a path holds.
#[derive(Clone)]
pub(super) enum File<'k> {
    Absent,
    /// Cannot be read or understood: makes no claim, and nothing below it is lost for it.
    Unreadable,
    Read(Scanned<'k>),
}

/// An outline made by the comparison, or here.
#[derive(Clone)]
pub(super) enum Scanned<'k> {
    Known(&'k FileOutline),
    Own(Arc<FileOutline>),
}

impl std::ops::Deref for Scanned<'_> {
    type Target = FileOutline;

    fn deref(&self) -> &FileOutline {
        match self {
            Self::Known(outline) => outline,
            Self::Own(outline) => outline,
        }
    }
}

impl From<Seen> for File<'_> {
    fn from(seen: Seen) -> Self {
        match seen {
            Seen::Names(outline) => Self::Read(Scanned::Own(outline)),
            Seen::Unreadable | Seen::Unclear | Seen::Nothing => Self::Unreadable,
        }
    }
}

/// Asks for the names of a file.
pub(super) const NAMES: u8 = 0;
/// Asks for the names of a file that may hold a re-export.
pub(super) const NAMES_OF_REEXPORTS: u8 = 1;

/// Looks into an unchanged file.
fn look(tree: &dyn Tree, what: u8, (path, package): (&[u8], &[u8])) -> Seen {
    match tree.read(path) {
        Ok(Some(bytes)) if what == NAMES_OF_REEXPORTS && memmem::find(&bytes, b"pub use").is_none() => {
            Seen::Nothing
        }
        Ok(Some(bytes)) => super::names(&bytes, path, package)
            .map_or(Seen::Unclear, |outline| Seen::Names(Arc::new(outline))),
        _ => Seen::Unreadable,
    }
}

/// A step from a module into one of its children.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) module: String,
    pub(super) public: bool,
}

pub(super) struct Reach<'t> {
    pub(super) tree: &'t dyn Tree,
    pub(super) folder: &'t [u8],
    pub(super) prefix: String,
    manifest: Manifest,
    pub(super) known: &'t Known<'t>,
    pub(super) files: BTreeMap<Vec<u8>, File<'t>>,
    /// Everything that is linked in, once a module was not found by its name.
    all_linked: Option<BTreeSet<String>>,
    /// The ways that were found from the top of the library.
    pub(super) library_steps: HashMap<String, Option<Arc<[Step]>>>,
    /// A file in front of something wanted could not be understood.
    pub(super) unreadable: bool,
}

impl<'t> Reach<'t> {
    fn new(tree: &'t dyn Tree, package: &'t Package, known: &'t Known<'t>) -> Self {
        let mut reach = Self {
            tree,
            folder: &package.folder,
            prefix: prefix_of(&package.folder),
            manifest: Manifest::default(),
            known,
            files: BTreeMap::new(),
            all_linked: None,
            library_steps: HashMap::new(),
            unreadable: false,
        };
        let path = reach.in_package("Cargo.toml");
        if let Ok(Some(bytes)) = tree.read(&path) {
            // A manifest that cannot be read turns nothing off; it is measured, and named, as a file of its own.
            if let Some(manifest) = Manifest::parse(&bytes) {
                reach.manifest = manifest;
            }
        }
        reach
    }

    pub(super) fn in_package(&self, rest: &str) -> Vec<u8> {
        let mut path = self.folder.to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(rest.as_bytes());
        path
    }

    pub(super) fn file(&mut self, path: &[u8]) -> File<'t> {
        if let Some(outline) = self.known.get(path) {
            return File::Read(Scanned::Known(outline));
        }
        if let Some(file) = self.files.get(path) {
            return file.clone();
        }
        let file = match self.question(NAMES, path) {
            Ok(None) => File::Absent,
            Err(_) => File::Unreadable,
            Ok(Some(question)) => {
                let look = || look(self.tree, NAMES, (path, self.folder));
                File::from(self.known.unchanged().see(question, look))
            }
        };
        self.files.insert(path.to_vec(), file.clone());
        file
    }

    /// What is asked about the file at `path`; `None` where there is none.
    fn question(&self, what: u8, path: &[u8]) -> Result<Option<Look>, ReadFault> {
        let id = self.tree.id(path)?;
        Ok(id.map(|id| Look {
            what,
            id,
            path: path.to_vec(),
            package: self.folder.to_vec(),
        }))
    }

    /// Looks into unchanged files that will be asked for, on all cores, and says what they answered, path by path.
    ///
    /// Changed files, and paths where there is no file, are left out.
    pub(super) fn look_ahead(&self, what: u8, paths: BTreeSet<Vec<u8>>) -> Vec<(Vec<u8>, Seen)> {
        let paths = paths.into_iter().filter(|path| self.known.get(path).is_none());
        let mut questions = Vec::new();
        let mut answers = Vec::new();
        for path in paths {
            match self.question(what, &path) {
                Ok(Some(question)) => questions.push(question),
                Ok(None) => {}
                Err(_) => answers.push((path, Seen::Unreadable)),
            }
        }
        let asked: Vec<Vec<u8>> = questions.iter().map(|question| question.path.clone()).collect();
        let (tree, folder) = (self.tree, self.folder);
        let seen = self.known.unchanged().see_all(questions, |question| {
            look(tree, question.what, (&question.path, folder))
        });
        answers.extend(asked.into_iter().zip(seen));
        answers
    }

    /// Looks at the files of the modules around some modules, where they should stand by their names.
    fn look_at_ancestors<'w>(&mut self, modules: impl Iterator<Item = &'w String>) {
        let mut around = BTreeSet::new();
        for module in modules {
            let mut module = module.as_str();
            while around.insert(module) {
                match module.rsplit_once("::") {
                    Some((parent, _)) => module = parent,
                    None => break,
                }
            }
        }
        let files = around.into_iter();
        let files = files.flat_map(|module| super::module::module_files(self.folder, module));
        for (path, seen) in self.look_ahead(NAMES, files.collect()) {
            self.files.insert(path, seen.into());
        }
    }

    fn first_of(&mut self, paths: &[Vec<u8>]) -> File<'t> {
        for path in paths {
            match self.file(path) {
                File::Absent => {}
                file => return file,
            }
        }
        File::Absent
    }

    /// Whether a file with tests in it is compiled and run.
    fn is_linked(&mut self, module: &str) -> bool {
        let Some(inside) = module.strip_prefix(self.prefix.as_str()).map(str::to_owned) else {
            return true;
        };
        for (root, module_of_root) in self.roots_for(&inside) {
            if self.steps(&root, &module_of_root, module).is_some() {
                return true;
            }
        }
        if self.all_linked.is_none() {
            let all = self.everything_linked();
            self.all_linked = Some(all);
        }
        self.all_linked.as_ref().is_some_and(|all| all.contains(module))
    }

    /// The roots of the crates that a module belongs to by its name, as path and module.
    fn roots_for(&self, inside: &str) -> Vec<(Vec<u8>, String)> {
        let mut parts = inside.split("::");
        let first = parts.next().unwrap_or_default();
        let second = parts.next().unwrap_or_default();
        let main = (self.in_package("src/main.rs"), format!("{}bin", self.prefix));
        match first {
            "crate" => {
                let library = (self.in_package("src/lib.rs"), format!("{}crate", self.prefix));
                let mut roots = Vec::new();
                if self.manifest.library_tests {
                    roots.push(library);
                }
                // The modules of a binary at `src/main.rs` stand beside those of the library, and are named alike.
                if inside.contains("::") {
                    roots.push(main);
                }
                roots
            }
            "bin" if second.is_empty() => vec![main],
            "bin" | "tests" | "benches" | "examples" => {
                let folder = if first == "bin" { "src/bin" } else { first };
                [
                    format!("{folder}/{second}.rs"),
                    format!("{folder}/{second}/main.rs"),
                ]
                .into_iter()
                .filter(|path| self.manifest.runs(first, second, path))
                .map(|path| {
                    (
                        self.in_package(&path),
                        format!("{}{first}::{second}", self.prefix),
                    )
                })
                .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The way from a root down to a module, each step a `mod` line or inline module; `None`: there is none.
    pub(super) fn steps(&mut self, root: &[u8], root_module: &str, module: &str) -> Option<Vec<Step>> {
        let mut outline = match self.file(root) {
            File::Absent => return None,
            File::Unreadable => {
                self.unreadable = true;
                return Some(Vec::new());
            }
            File::Read(outline) => outline,
        };
        let crate_module = format!("{}crate", self.prefix);
        let main = root_module == format!("{}bin", self.prefix);
        // The children of `src/main.rs` are named like those of the library.
        let mut here = if main && module != root_module {
            crate_module
        } else {
            root_module.to_owned()
        };
        let mut inline_base = root_module.to_owned();
        let rest = module.strip_prefix(here.as_str())?;
        let mut steps = Vec::new();
        for segment in rest.split("::").skip(1) {
            let child = format!("{here}::{segment}");
            let inline_child = format!("{inline_base}::{segment}");
            let inline = outline.units.iter().find(|unit| {
                unit.segment.kind == "mod"
                    && unit.body.is_some()
                    && unit.segment.name == segment
                    && unit.module == inline_base
            });
            if let Some(unit) = inline {
                steps.push(Step {
                    module: child.clone(),
                    public: unit.visibility == Visibility::Public,
                });
                here = child;
                inline_base = inline_child;
                continue;
            }
            let lines: Vec<_> = outline
                .submodules
                .iter()
                .filter(|line| line.module == child)
                .cloned()
                .collect();
            let line = lines.first()?;
            steps.push(Step {
                module: child.clone(),
                public: lines.iter().any(|line| line.visibility == Visibility::Public),
            });
            outline = match self.first_of(&line.files) {
                File::Absent => return None,
                File::Unreadable => {
                    self.unreadable = true;
                    return Some(steps);
                }
                File::Read(outline) => outline,
            };
            inline_base.clone_from(&child);
            here = child;
        }
        Some(steps)
    }

    /// All modules that any crate of the package links in.
    fn everything_linked(&mut self) -> BTreeSet<String> {
        let mut queue: VecDeque<Vec<u8>> = self.all_roots().into();
        let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut linked = BTreeSet::new();
        while let Some(path) = queue.pop_front() {
            if !seen.insert(path.clone()) {
                continue;
            }
            let outline = match self.file(&path) {
                File::Absent => continue,
                File::Unreadable => {
                    linked.insert(Place::of(&path, Some(self.folder)).module);
                    continue;
                }
                File::Read(outline) => outline,
            };
            linked.insert(outline.module.clone());
            for unit in &outline.units {
                if unit.segment.kind == "mod" && unit.body.is_some() {
                    linked.insert(format!("{}::{}", unit.module, unit.segment.name));
                }
            }
            for line in &outline.submodules {
                for path in &line.files {
                    if !matches!(self.file(path), File::Absent) {
                        queue.push_back(path.clone());
                        break;
                    }
                }
            }
        }
        linked
    }

    /// The root files of all crates whose tests cargo runs.
    fn all_roots(&self) -> Vec<Vec<u8>> {
        let mut roots = Vec::new();
        if self.manifest.library_tests {
            roots.push(self.in_package("src/lib.rs"));
        }
        roots.push(self.in_package("src/main.rs"));
        for target in self.manifest.targets.iter().filter(|target| target.test) {
            if let Some(path) = &target.path {
                roots.push(self.in_package(path.trim_start_matches("./")));
            }
        }
        for (folder, place) in [
            ("tests", "tests"),
            ("benches", "benches"),
            ("examples", "examples"),
            ("bin", "src/bin"),
        ] {
            let below = self.in_package(place);
            // A folder that cannot be listed has no roots that can be shown to be missing.
            let Ok(files) = self.tree.files_below(&below, b".rs") else {
                continue;
            };
            for path in files {
                let rest = path.get(below.len() + 1..).unwrap_or_default();
                let rest = String::from_utf8_lossy(rest).into_owned();
                let name = match rest.split('/').collect::<Vec<_>>()[..] {
                    [file] => file.trim_end_matches(".rs").to_owned(),
                    [name, "main.rs"] => name.to_owned(),
                    _ => continue,
                };
                if self.manifest.runs(folder, &name, &format!("{place}/{rest}")) {
                    roots.push(path);
                }
            }
        }
        roots
    }
}
