//! What `go test`, testify and ginkgo run: by the name of the function, the type of its receiver, the imports of the file.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::structure::lexer::Kind;
use crate::structure::outline::Role;

use super::example;
use super::handles::Handles;
use super::items::{Function, first_char};
use super::place::Place;
use super::view::View;

/// What is known of one file.
pub(super) struct Runner {
    /// The file is one of tests.
    test_file: bool,
    /// It imports ginkgo, and holds specs.
    pub(super) ginkgo: bool,
    /// Types that embed a suite of testify.
    suites: BTreeSet<Vec<u8>>,
    /// All types declared here, where suites matter.
    types: BTreeSet<Vec<u8>>,
    /// It calls `Run` somewhere.
    subtests: bool,
    /// Hashes of the words that are called somewhere, where subtests matter.
    called: HashSet<u64>,
}

impl Runner {
    /// Looks at the imports and types of a file; `clause` is its package clause.
    pub(super) fn of(view: &View<'_>, place: &Place, clause: usize) -> Self {
        let has = |text: &[u8]| memchr::memmem::find(view.source, text).is_some();
        let mut runner = Self {
            test_file: place.test_file,
            ginkgo: false,
            suites: BTreeSet::new(),
            types: BTreeSet::new(),
            subtests: has(b".Run("),
            called: HashSet::new(),
        };
        if !place.test_file {
            return runner;
        }
        runner.ginkgo = has(b"ginkgo") && imports(view, clause, b"ginkgo");
        if has(b"Suite") {
            runner.find_suites(view);
        }
        if runner.subtests {
            let called = (0..view.len()).filter(|at| {
                // A name is declared behind `func`, and behind the receiver of a method.
                let before = at.checked_sub(1);
                let declared = before.is_some_and(|before| {
                    let behind = view.mate(before).checked_sub(1);
                    view.is(before, b"func")
                        || (view.sign(before, b')') && behind.is_some_and(|at| view.is(at, b"func")))
                });
                view.word(*at) && !declared && !view.sign(*at + 1, b'.')
            });
            runner.called = called.map(|at| view.hash(at)).collect();
        }
        runner
    }

    /// Finds the struct types that embed a suite, also by way of another type of the file.
    fn find_suites(&mut self, view: &View<'_>) {
        let mut embeds: BTreeMap<Vec<u8>, Vec<(bool, Vec<u8>)>> = BTreeMap::new();
        let mut at = 0;
        while at < view.len() {
            // In a group the keyword stands in front of the parenthesis: types are told by what follows their name.
            let open = at + 2;
            let declares = view.word(at) && view.is(at + 1, b"struct") && view.sign(open, b'{');
            if declares {
                let entry = embeds.entry(view.text(at).to_vec()).or_default();
                let close = view.mate(open);
                let mut field = open + 1;
                while field < close {
                    let end = view.statement_end(field, close);
                    let first = field + usize::from(view.sign(field, b'*'));
                    let qualified = view.sign(first + 1, b'.') && view.word(first + 2);
                    let last = if qualified { first + 2 } else { first };
                    let tagged = last + 2 == end && view.kind(last + 1) == Some(Kind::Text);
                    if view.word(last) && (last + 1 == end || tagged) {
                        entry.push((qualified, view.text(last).to_vec()));
                    }
                    field = end + usize::from(view.sign(end, b';') || end == field);
                }
                at = close + 1;
            } else if view.is(at, b"type") && view.sign(at + 1, b'(') {
                at += 2;
            } else {
                at = view.next(at);
            }
        }
        self.types = embeds.keys().cloned().collect();
        // Suites embed suites embed suites; a few rounds reach all that people write.
        for _ in 0..8 {
            let known = self.suites.len();
            for (name, embedded) in &embeds {
                let is_suite = embedded.iter().any(|(qualified, of)| {
                    let elsewhere = *qualified || !embeds.contains_key(of);
                    (elsewhere && of.ends_with(b"Suite")) || (!qualified && self.suites.contains(of))
                });
                if is_suite {
                    self.suites.insert(name.clone());
                }
            }
            if self.suites.len() == known {
                break;
            }
        }
    }

    /// What a function or method is for; `owner` is the type of its receiver.
    pub(super) fn role(&self, view: &View<'_>, function: &Function, owner: Option<&[u8]>) -> Role {
        let name = view.text(function.name);
        let Some(body) = function.body.filter(|_| self.test_file) else {
            return Role::Symbol;
        };
        let is_test = match owner {
            Some(owner) => name.starts_with(b"Test") && self.is_suite(owner),
            None if name.starts_with(b"Example") => {
                let plain =
                    view.mate(function.open) == function.open + 1 && function.end == function.open + 2;
                is_named(name, b"Example") && plain && example::output(view, body).is_some()
            }
            None => is_test_name(name) && function.generics.is_none(),
        };
        if is_test { Role::Test } else { Role::Symbol }
    }

    /// A type declared in another file of the package is taken for a suite by its name.
    fn is_suite(&self, owner: &[u8]) -> bool {
        self.suites.contains(owner) || (owner.ends_with(b"Suite") && !self.types.contains(owner))
    }

    /// What subtests in a function are for; `None` when it can have none.
    pub(super) fn nested_role(&self, view: &View<'_>, function: &Function, role: Role) -> Option<Role> {
        if !self.subtests || function.body.is_none() {
            return None;
        }
        if role == Role::Test {
            return Some(Role::Test);
        }
        let handles = Handles::of_function(view, function);
        if handles.is_empty() {
            return None;
        }
        // A helper is run when something calls it; without a caller its subtests are code that no one runs.
        let called = self.test_file && self.called.contains(&view.hash(function.name));
        Some(if called { Role::Test } else { Role::Symbol })
    }
}

/// Whether the runner takes a function of this name for a test, benchmark or fuzz target.
fn is_test_name(name: &[u8]) -> bool {
    name != b"TestMain"
        && [&b"Test"[..], b"Benchmark", b"Fuzz"]
            .into_iter()
            .any(|prefix| is_named(name, prefix))
}

/// Whether a name is a prefix alone, or goes on with anything but a lower-case letter.
fn is_named(name: &[u8], prefix: &[u8]) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| !first_char(rest).is_some_and(char::is_lowercase))
}

/// Whether the file imports a package whose path holds a word.
fn imports(view: &View<'_>, clause: usize, word: &[u8]) -> bool {
    let mut at = clause + 2;
    while at < view.len() {
        if view.is(at, b"import") {
            let end = if view.sign(at + 1, b'(') {
                view.mate(at + 1) + 1
            } else {
                view.statement_end(at, view.len())
            };
            let mut paths = (at..end).filter(|at| view.kind(*at) == Some(Kind::Text));
            if paths.any(|at| memchr::memmem::find(view.text(at), word).is_some()) {
                return true;
            }
            at = end;
        } else if view.sign(at, b';') {
            at += 1;
        } else {
            // Imports come first.
            return false;
        }
    }
    false
}
