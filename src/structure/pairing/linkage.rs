//! Test files that the runner no longer sees, or sees now, though their code is still there.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use foldhash::{HashSet, HashSetExt as _};
use rayon::prelude::*;

use super::elsewhere::{Elsewhere, ReadFile, Unreadable, unreadable};
use super::side::{Places, Side};
use super::{ChangedFile, Input, SourceFile};
use crate::model::fact::{Fact, FactKind, Span};
use crate::structure::outline::{Mark, Marks, Package, Role, Submodule, Visibility, Wanted};
use crate::structure::source::{Side as Which, Tree};

/// What the lines that link files in say.
#[derive(Default)]
pub(super) struct Linkage {
    /// Changed files (by number) whose tests the runner does not see before.
    pub(super) unlinked_before: HashSet<usize>,
    /// Changed files (by number) whose tests the runner does not see after.
    pub(super) unlinked_after: HashSet<usize>,
    /// What follows for tests in unchanged files.
    pub(super) facts: Vec<Fact>,
    /// Unchanged files that had to be read and could not be, with the reason.
    pub(super) unreadable: BTreeMap<Vec<u8>, Unreadable>,
}

/// A line that links a file in.
#[derive(Clone, Copy)]
struct Line<'a> {
    line: &'a Submodule,
    package: Option<&'a [u8]>,
}

/// The changed files by path, and the lines that they hold, for one side.
struct Lines<'a> {
    which: Which,
    paths: BTreeMap<&'a [u8], usize>,
    by_module: BTreeMap<&'a str, Line<'a>>,
}

fn side<'a>(file: &'a ChangedFile<'a>, which: Which) -> Option<&'a SourceFile<'a>> {
    match which {
        Which::Before => file.before.as_ref(),
        Which::After => file.after.as_ref(),
    }
}

impl<'a> Lines<'a> {
    fn new(files: &'a [ChangedFile<'a>], which: Which) -> Self {
        let mut lines = Self {
            which,
            paths: BTreeMap::new(),
            by_module: BTreeMap::new(),
        };
        for (number, file) in files.iter().enumerate() {
            let Some(file) = side(file, which) else { continue };
            lines.paths.insert(file.path, number);
            for line in &file.outline.submodules {
                let entry = Line {
                    line,
                    package: file.package,
                };
                lines.by_module.entry(line.module.as_str()).or_insert(entry);
            }
        }
        lines
    }

    /// The number of the changed file that a line links in on this side, or the unchanged file.
    fn target(&self, line: Line<'_>, elsewhere: &Elsewhere<'_>) -> Result<Linked, (Vec<u8>, Unreadable)> {
        for path in &line.line.files {
            if let Some(number) = self.paths.get(path.as_slice()) {
                return Ok(Linked::Changed(*number));
            }
            match elsewhere.file(self.which, path, line.package) {
                Ok(Some(file)) => return Ok(Linked::Unchanged(file)),
                Ok(None) => {}
                Err(fault) => return Err((path.clone(), fault)),
            }
        }
        Ok(Linked::Nothing)
    }
}

/// A file that the runner starts from on one side only, as if a line linked it in.
struct Root {
    line: Submodule,
    package: Vec<u8>,
    lost: bool,
}

/// What one package is asked, and for which files.
type Asked<'a> = (Wanted, Vec<(usize, &'a str)>);

/// What a line links in.
enum Linked {
    Changed(usize),
    Unchanged(Rc<ReadFile>),
    Nothing,
}

/// Compares the lines of both sides.
pub(super) fn compare(input: &Input<'_>, elsewhere: &Elsewhere<'_>) -> Linkage {
    let before = Lines::new(input.files, Which::Before);
    let after = Lines::new(input.files, Which::After);
    let mut linkage = Linkage::default();
    let roots = linkage.compare_roots(input);
    let mut lost: Vec<_> = missing(&before, &after);
    let mut gained: Vec<_> = missing(&after, &before);
    for root in &roots {
        let line = Line {
            line: &root.line,
            package: Some(&root.package),
        };
        if root.lost {
            lost.push(line);
        } else {
            gained.push(line);
        }
    }
    // A file linked in under another module is seen as before.
    let still: BTreeSet<_> = gained.iter().flat_map(|line| &line.line.files).collect();
    let already: BTreeSet<_> = lost.iter().flat_map(|line| &line.line.files).collect();
    let relinked = |line: &Line<'_>, others: &BTreeSet<&Vec<u8>>| {
        line.line.files.iter().any(|path| others.contains(path))
    };
    for line in lost.iter().filter(|line| !relinked(line, &still)) {
        linkage.follow(*line, &after, &before, (input, elsewhere), FactKind::TestUnlinked);
    }
    for line in gained.iter().filter(|line| !relinked(line, &already)) {
        linkage.follow(*line, &before, &after, (input, elsewhere), FactKind::TestAdded);
    }
    for (module, old) in &before.by_module {
        if let Some(new) = after.by_module.get(module) {
            linkage.compare_marks(*old, *new, &after, (input, elsewhere));
        }
    }
    linkage.ask_for_moved_files(input, elsewhere);
    linkage.take_conditions(input);
    linkage
}

/// The lines of one side whose module the other side does not link in.
fn missing<'a>(these: &Lines<'a>, others: &Lines<'a>) -> Vec<Line<'a>> {
    let lines = these.by_module.iter();
    lines
        .filter(|(module, _)| !others.by_module.contains_key(*module))
        .map(|(_, line)| *line)
        .collect()
}

impl Linkage {
    /// Marks or reports the tests of everything that a line linked in on one side and no longer does on the `other`.
    fn follow(
        &mut self,
        line: Line<'_>,
        other: &Lines<'_>,
        this: &Lines<'_>,
        (input, elsewhere): (&Input<'_>, &Elsewhere<'_>),
        kind: FactKind,
    ) {
        let mut waiting: Vec<(Submodule, Option<Vec<u8>>)> =
            vec![(line.line.clone(), line.package.map(<[u8]>::to_vec))];
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        while let Some((line, package)) = waiting.pop() {
            let line = Line {
                line: &line,
                package: package.as_deref(),
            };
            // Only what this side linked in can be lost: the file must exist here, and be the same one there.
            match other.target(line, elsewhere) {
                Ok(Linked::Changed(number)) => {
                    let set = match other.which {
                        Which::Before => &mut self.unlinked_before,
                        Which::After => &mut self.unlinked_after,
                    };
                    if set.insert(number)
                        && let Some(file) = side(&input.files[number], other.which)
                    {
                        let lines = file.outline.submodules.iter().cloned();
                        waiting.extend(lines.map(|line| (line, file.package.map(<[u8]>::to_vec))));
                    }
                }
                Ok(Linked::Unchanged(file)) => {
                    if this.paths.contains_key(file.path.as_slice()) || !seen.insert(file.path.clone()) {
                        continue;
                    }
                    self.report(kind, &file, (package.as_deref(), input.lang), |_| ());
                    let lines = file.outline.submodules.iter().cloned();
                    waiting.extend(lines.map(|line| (line, package.clone())));
                }
                Ok(Linked::Nothing) => {}
                Err((path, why)) => {
                    self.unreadable.insert(path, why);
                }
            }
        }
    }

    /// A condition or skip marker put on a line counts for each test behind it.
    fn compare_marks(
        &mut self,
        old: Line<'_>,
        new: Line<'_>,
        after: &Lines<'_>,
        (input, elsewhere): (&Input<'_>, &Elsewhere<'_>),
    ) {
        let change = super::marks::compare(&old.line.marks, &new.line.marks);
        let Some((kind, mark, conditional)) = change.first_disabling() else {
            return;
        };
        match after.target(new, elsewhere) {
            // Tests of changed files get the marks of the modules around them.
            Ok(Linked::Changed(_) | Linked::Nothing) => {}
            Ok(Linked::Unchanged(file)) => {
                let from = format!("mod {}", new.line.module.rsplit("::").next().unwrap_or_default());
                let (mark, conditional): (Mark, bool) = (mark.clone(), conditional);
                self.report(kind, &file, (new.package, input.lang), |fact| {
                    fact.detail.inherited_from = Some(from.clone());
                    fact.detail.conditional = conditional.then_some(true);
                    let span = Span::new(mark.line, mark.line, &mark.text);
                    if kind == FactKind::TestEnabled {
                        fact.before = Some(span);
                    } else {
                        fact.after = Some(span);
                    }
                });
            }
            Err((path, why)) => {
                self.unreadable.insert(path, why);
            }
        }
    }

    /// One fact for each test of an unchanged file.
    fn report(
        &mut self,
        kind: FactKind,
        file: &ReadFile,
        (package, lang): (Option<&[u8]>, &str),
        complete: impl Fn(&mut Fact),
    ) {
        let source = SourceFile {
            path: &file.path,
            bytes: &[],
            package,
            outline: file.outline.clone(),
        };
        let mut places = Places::default();
        let mut side = Side::new(Which::Before, lang, vec![(0, &source)], &mut places);
        side.relate(&places);
        for at in (0..side.items.len()).filter(|at| side.items[*at].is_test()) {
            let mut fact = Fact::new(kind, side.key(at), side.path(at));
            let span = Some(side.span(at));
            if kind == FactKind::TestAdded {
                fact.after = span;
            } else {
                fact.before = span;
            }
            complete(&mut fact);
            self.facts.push(fact);
        }
    }

    /// What changed manifests say about the files that the runner starts from.
    fn compare_roots(&mut self, input: &Input<'_>) -> Vec<Root> {
        let Some(manifest) = input.scanner.manifest() else {
            return Vec::new();
        };
        let mut roots = Vec::new();
        for pair in input.files {
            // A manifest that came or went took its whole package along.
            let (Some(old), Some(new)) = (&pair.before, &pair.after) else {
                continue;
            };
            let name = old.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            let (Some(folder), true) = (new.package, old.path == new.path && name == manifest.as_bytes())
            else {
                continue;
            };
            let package = Package {
                folder: folder.to_vec(),
            };
            let mut ask = |tree: &dyn Tree| match input.scanner.runner_roots(tree, &package) {
                Ok(roots) => roots,
                Err(fault) => {
                    self.unreadable.insert(new.path.to_vec(), unreadable(&fault));
                    None
                }
            };
            let (Some(before), Some(after)) = (ask(input.before), ask(input.after)) else {
                continue;
            };
            for path in before.symmetric_difference(&after) {
                let line = Submodule {
                    module: String::new(),
                    files: vec![path.clone()],
                    visibility: Visibility::Narrow,
                    marks: Marks::default(),
                    line: 1,
                };
                roots.push(Root {
                    line,
                    package: folder.to_vec(),
                    lost: before.contains(path),
                });
            }
        }
        roots
    }

    /// Files that are left out unless a condition holds: whoever runs the tests as they are does not see them.
    fn take_conditions(&mut self, input: &Input<'_>) {
        for (number, pair) in input.files.iter().enumerate() {
            let hidden = |which| side(pair, which).is_some_and(|file| file.outline.condition.is_some());
            if hidden(Which::Before) {
                self.unlinked_before.insert(number);
            }
            if hidden(Which::After) {
                self.unlinked_after.insert(number);
            }
        }
    }

    /// Files that came, went or moved with tests in them: does a line link them in on that side?
    fn ask_for_moved_files(&mut self, input: &Input<'_>, elsewhere: &Elsewhere<'_>) {
        let mut questions = Vec::new();
        for which in [Which::Before, Which::After] {
            let mut wanted: BTreeMap<&[u8], Asked<'_>> = BTreeMap::new();
            for (number, pair) in input.files.iter().enumerate() {
                let moved = match (&pair.before, &pair.after) {
                    (Some(before), Some(after)) => before.path != after.path,
                    _ => true,
                };
                let Some(file) = side(pair, which).filter(|_| moved) else {
                    continue;
                };
                let has_tests = file.outline.units.iter().any(|unit| unit.role == Role::Test);
                if let Some(package) = file.package.filter(|_| has_tests) {
                    let (wanted, files) = wanted.entry(package).or_default();
                    wanted.modules.insert(file.outline.module.clone());
                    files.push((number, &file.outline.module));
                }
            }
            questions.extend(wanted.into_iter().map(|(package, asked)| (which, package, asked)));
        }
        let packages = elsewhere.packages();
        let answers: Vec<_> = questions
            .par_iter()
            .map(|(which, package, (wanted, _))| packages.reachable(*which, package, wanted))
            .collect();
        for ((which, _, (_, files)), answer) in questions.into_iter().zip(answers) {
            // Without an answer nothing is claimed: the tests count as seen.
            let Some(reachable) = answer else { continue };
            let unlinked = files
                .into_iter()
                .filter(|(_, module)| !reachable.linked.contains(*module));
            let set = match which {
                Which::Before => &mut self.unlinked_before,
                Which::After => &mut self.unlinked_after,
            };
            set.extend(unlinked.map(|(number, _)| number));
        }
    }
}
