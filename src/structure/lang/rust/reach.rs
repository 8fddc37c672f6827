//! Which modules a package links in, and which of them and of their items its users can name.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use crate::structure::outline::{FileOutline, Options, Outline, Package, Reachable, Visibility, Wanted};
use crate::structure::source::{ReadFault, Tree};

use super::Rust;
use super::manifest::Manifest;
use super::module::{Place, prefix_of};

/// Most steps that re-exports of re-exports are followed; each step resolves one name or wildcard.
const MAX_STEPS: usize = 100_000;

/// Answers what was asked about one package.
pub(super) fn reachable(tree: &dyn Tree, package: &Package, wanted: &Wanted) -> Reachable {
    let mut reach = Reach::new(tree, package);
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
    let reach = Reach::new(tree, package);
    if tree.read(&reach.in_package("Cargo.toml"))?.is_none() {
        return Ok(None);
    }
    let mut roots = BTreeSet::new();
    for root in reach.all_roots() {
        if tree.read(&root)?.is_some() {
            roots.insert(root);
        }
    }
    Ok(Some(roots))
}

/// What a path holds.
#[derive(Clone)]
enum File {
    Absent,
    /// Cannot be read or understood: makes no claim, and nothing below it is lost for it.
    Unreadable,
    Read(Rc<FileOutline>),
}

/// A step from a module into one of its children.
#[derive(Clone)]
struct Step {
    module: String,
    public: bool,
}

struct Reach<'t> {
    tree: &'t dyn Tree,
    folder: &'t [u8],
    prefix: String,
    manifest: Manifest,
    files: BTreeMap<Vec<u8>, File>,
    /// Everything that is linked in, once a module was not found by its name.
    all_linked: Option<BTreeSet<String>>,
    /// A file in front of something wanted could not be understood.
    unreadable: bool,
}

impl<'t> Reach<'t> {
    fn new(tree: &'t dyn Tree, package: &'t Package) -> Self {
        let mut reach = Self {
            tree,
            folder: &package.folder,
            prefix: prefix_of(&package.folder),
            manifest: Manifest::default(),
            files: BTreeMap::new(),
            all_linked: None,
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

    fn in_package(&self, rest: &str) -> Vec<u8> {
        let mut path = self.folder.to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(rest.as_bytes());
        path
    }

    fn file(&mut self, path: &[u8]) -> File {
        if let Some(file) = self.files.get(path) {
            return file.clone();
        }
        let file = match self.tree.read(path) {
            Ok(None) => File::Absent,
            Ok(Some(bytes)) => self.parsed(&bytes, path),
            Err(_) => File::Unreadable,
        };
        self.files.insert(path.to_vec(), file.clone());
        file
    }

    fn parsed(&self, bytes: &[u8], path: &[u8]) -> File {
        let options = Options {
            package: Some(self.folder.to_vec()),
        };
        Rust.outline(bytes, path, &options)
            .map_or(File::Unreadable, |outline| File::Read(Rc::new(outline)))
    }

    fn first_of(&mut self, paths: &[Vec<u8>]) -> File {
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
    fn steps(&mut self, root: &[u8], root_module: &str, module: &str) -> Option<Vec<Step>> {
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

    /// Fills in the modules and names that users of the library can get at.
    fn surface(&mut self, wanted: &Wanted, answer: &mut Reachable) {
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
        for path in files {
            if self.may_reexport(&path)
                && let File::Read(outline) = self.file(&path)
            {
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

    /// Whether a file holds the words `pub use`; cheaper than reading its items.
    fn may_reexport(&mut self, path: &[u8]) -> bool {
        if self.files.contains_key(path) {
            return true;
        }
        match self.tree.read(path) {
            Ok(Some(bytes)) => {
                let found = memchr::memmem::find(&bytes, b"pub use").is_some();
                if found {
                    let file = self.parsed(&bytes, path);
                    self.files.insert(path.to_vec(), file);
                }
                found
            }
            Ok(None) => false,
            Err(_) => {
                self.unreadable = true;
                false
            }
        }
    }

    /// Whether each step down to a module is public, beginning at the top or at a re-exported module.
    fn is_public(&mut self, module: &str, opened: &BTreeSet<String>) -> bool {
        let top = format!("{}crate", self.prefix);
        if module == top || opened.contains(module) {
            return true;
        }
        let library = self.in_package("src/lib.rs");
        let Some(steps) = self.steps(&library, &top, module) else {
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
    fn outline_of(&mut self, module: &str) -> Option<Rc<FileOutline>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::source::ReadFault;

    struct Files(BTreeMap<&'static str, &'static str>);

    impl Tree for Files {
        fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
            let path = std::str::from_utf8(path).unwrap();
            match self.0.get(path) {
                Some(&"damaged") => Err(ReadFault::Damaged("x".to_owned())),
                other => Ok(other.map(|text| text.as_bytes().to_vec())),
            }
        }

        fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
            let paths = self.0.keys().map(|path| path.as_bytes().to_vec());
            Ok(paths
                .filter(|path| path.starts_with(folder) && path.ends_with(suffix))
                .collect())
        }
    }

    /// The answer to `ask` (names `module::name`, or modules with a final `::`) as the words that came back.
    fn ask(folder: &str, files: &[(&'static str, &'static str)], asked: &[&str]) -> (Vec<String>, Reachable) {
        let mut wanted = Wanted::default();
        for ask in asked {
            let (module, name) = ask.rsplit_once("::").unwrap();
            wanted.modules.insert(module.to_owned());
            if !name.is_empty() {
                wanted.names.insert((*ask).to_owned());
            }
        }
        let package = Package {
            folder: folder.as_bytes().to_vec(),
        };
        let answer = reachable(&Files(files.iter().copied().collect()), &package, &wanted);
        let found = asked
            .iter()
            .filter(|ask| {
                answer.names.contains(**ask) || answer.modules.contains(ask.rsplit_once("::").unwrap().0)
            })
            .map(|ask| (*ask).to_owned())
            .collect();
        (found, answer)
    }

    #[test]
    fn users_reach_public_modules_and_re_exports() {
        let files = [
            (
                "src/lib.rs",
                "pub mod open; mod closed; pub use closed::{Named, inner::*}; mod other; pub mod far { pub mod near { pub fn x() {} } } cfg_if! { if #[cfg(x)] { mod mac; pub use mac::*; } }",
            ),
            (
                "src/open.rs",
                "pub mod deep; mod shut; pub use crate::other::chain::Thing as Renamed;",
            ),
            ("src/open/deep.rs", ""),
            ("src/open/shut.rs", ""),
            (
                "src/closed/mod.rs",
                "mod inner; mod hidden; pub use self::hidden::Passed; pub use hidden::Named;",
            ),
            ("src/closed/inner.rs", ""),
            ("src/closed/hidden.rs", "pub struct Named; pub struct Passed;"),
            (
                "src/other.rs",
                "pub mod chain { pub use super::end::Thing; } mod end;",
            ),
            ("src/other/end.rs", "pub struct Thing; pub struct Lost;"),
            ("src/mac.rs", ""),
        ];
        let asked = [
            "crate::a",
            "crate::open::a",
            "crate::open::deep::a",
            "crate::open::shut::a",
            "crate::closed::Named",
            "crate::closed::Other",
            "crate::closed::inner::a",
            "crate::closed::hidden::Named",
            "crate::closed::hidden::Passed",
            "crate::far::near::a",
            "crate::other::end::Thing",
            "crate::other::end::Lost",
            "crate::mac::a",
            "crate::gone::a",
        ];
        let (found, answer) = ask("", &files, &asked);
        let expected = [
            "crate::a",
            "crate::open::a",
            "crate::open::deep::a",
            "crate::closed::Named",
            "crate::closed::inner::a",
            "crate::closed::hidden::Named",
            "crate::far::near::a",
            "crate::other::end::Thing",
            "crate::mac::a",
        ];
        assert_eq!(found, expected);
        assert!(answer.has_entry && !answer.unreadable_entry);
        assert!(answer.linked.contains("crate::other::end") && !answer.linked.contains("crate::gone"));
    }

    #[test]
    fn entries_may_be_missing_or_damaged() {
        assert!(!ask("p", &[("src/lib.rs", "")], &["p|crate::a"]).1.has_entry);
        for lib in ["damaged", "fn a() {"] {
            let (_, answer) = ask("p", &[("p/src/lib.rs", lib)], &["p|crate::m::a"]);
            assert!(
                answer.has_entry && answer.unreadable_entry && answer.linked.contains("p|crate::m"),
                "{lib}"
            );
        }
    }

    #[test]
    fn tests_are_linked_by_mod_lines_and_targets() {
        let files = [
            (
                "Cargo.toml",
                "[[test]]\nname = \"off\"\ntest = false\n[[test]]\nname = \"odd\"\npath = \"odd/a.rs\"",
            ),
            (
                "src/main.rs",
                "mod side; #[path = \"x/y.rs\"] mod z; fn main() {}",
            ),
            ("src/side.rs", ""),
            ("src/x/y.rs", ""),
            ("tests/it/main.rs", "mod part;"),
            ("tests/it/part.rs", ""),
            ("tests/it/lost.rs", ""),
            ("tests/one.rs", "mod common; mod inline { fn x() {} }"),
            ("tests/common/mod.rs", ""),
            ("tests/off.rs", ""),
            ("odd/a.rs", ""),
        ];
        let asked = [
            "bin::",
            "crate::side::",
            "crate::x::y::",
            "crate::gone::",
            "tests::it::",
            "tests::it::part::",
            "tests::it::lost::",
            "tests::one::inline::",
            "tests::common::",
            "tests::off::",
            "crate::odd::a::",
        ];
        let answer = ask("", &files, &asked).1;
        let linked: Vec<&str> = answer.linked.iter().map(String::as_str).collect();
        assert_eq!(
            linked,
            [
                "bin",
                "crate::odd::a",
                "crate::side",
                "crate::x::y",
                "tests::common",
                "tests::it",
                "tests::it::part",
                "tests::one::inline"
            ]
        );
    }
}
