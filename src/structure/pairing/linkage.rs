//! Test files that the runner no longer sees, or sees now, though their code is still there.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use super::elsewhere::{Elsewhere, ReadFile};
use super::reach::ask_package;
use super::side::{Places, Side};
use super::{ChangedFile, Input, SourceFile};
use crate::model::fact::{Fact, FactKind};
use crate::structure::outline::{Mark, Role, Submodule, Wanted};
use crate::structure::source::Side as Which;

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
    pub(super) unreadable: BTreeMap<Vec<u8>, String>,
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
    fn target(&self, line: Line<'_>, elsewhere: &Elsewhere<'_>) -> Result<Linked, (Vec<u8>, String)> {
        for path in &line.line.files {
            if let Some(number) = self.paths.get(path.as_slice()) {
                return Ok(Linked::Changed(*number));
            }
            match elsewhere.file(self.which, path, line.package) {
                Ok(Some(file)) => return Ok(Linked::Unchanged(file)),
                Ok(None) => {}
                Err(fault) => return Err((path.clone(), fault.why)),
            }
        }
        Ok(Linked::Nothing)
    }
}

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
    let lost: Vec<_> = missing(&before, &after);
    let gained: Vec<_> = missing(&after, &before);
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
    linkage.ask_for_moved_files(input);
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
                    self.report(&file, package.as_deref(), input.lang, |fact| {
                        fact.kind = kind;
                        true
                    });
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
                self.report(&file, new.package, input.lang, |fact| {
                    fact.kind = kind;
                    fact.detail.inherited_from = Some(from.clone());
                    fact.detail.conditional = conditional.then_some(true);
                    let span = crate::model::fact::Span::new(mark.line, mark.line, &mark.text);
                    if kind == FactKind::TestEnabled {
                        fact.before = Some(span);
                    } else {
                        fact.after = Some(span);
                    }
                    true
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
        file: &ReadFile,
        package: Option<&[u8]>,
        lang: &str,
        fill: impl Fn(&mut Fact) -> bool,
    ) {
        let source = SourceFile {
            path: &file.path,
            bytes: &[],
            package,
            outline: file.outline.clone(),
        };
        let side = Side::new(Which::Before, lang, vec![(0, &source)], &mut Places::default());
        for at in (0..side.items.len()).filter(|at| side.items[*at].unit.role == Role::Test) {
            let mut fact = Fact::new(FactKind::TestUnlinked, side.key(at), side.path(at));
            fact.before = Some(side.span(at));
            if fill(&mut fact) {
                if fact.kind == FactKind::TestAdded {
                    fact.after = fact.before.take();
                }
                fact.tier = fact.kind.tier();
                fact.drift = fact.kind.class() == crate::model::fact::Class::Drift;
                self.facts.push(fact);
            }
        }
    }

    /// Files that came, went or moved with tests in them: does a line link them in on that side?
    fn ask_for_moved_files(&mut self, input: &Input<'_>) {
        for which in [Which::Before, Which::After] {
            let mut wanted: BTreeMap<&[u8], (Wanted, Vec<(usize, &str)>)> = BTreeMap::new();
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
            for (package, (wanted, files)) in wanted {
                let tree = match which {
                    Which::Before => input.before,
                    Which::After => input.after,
                };
                // Without an answer nothing is claimed: the tests count as seen.
                let Some(reachable) = ask_package(tree, input, package, &wanted) else {
                    continue;
                };
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
}
