//! What a scanner says about one file: its named units and its tests, without judging them.

use std::ops::Range;

pub use super::known::Known;
use super::source::{ReadFault, Tree};
use crate::model::baseline::UnmeasuredReason;

/// One language. Implementations hold no state; all methods are linear in the bytes they are given and never panic.
pub trait Outline: Sync {
    /// Takes the units of one file.
    fn outline(&self, bytes: &[u8], path: &[u8], options: &Options) -> Result<FileOutline, Degraded>;

    /// Looks into the body of one test (or of a helper that it calls). Done only for pairs whose bodies differ.
    fn test_body(&self, bytes: &[u8], unit: &Unit, helpers: &[String]) -> TestBody;

    /// Whether some bytes may hold an assertion: `false` spares a closer look.
    fn may_assert(&self, bytes: &[u8], helpers: &[String]) -> bool {
        let _ = (bytes, helpers);
        true
    }

    /// The hash of each token in a part of the file, comments and white space left out.
    fn tokens(&self, bytes: &[u8], part: Range<usize>) -> Vec<u64>;

    /// Finds which of the wanted modules and names can be reached from the package's entry point.
    ///
    /// Reads the ancestors of the wanted modules first; the package's other files only for what is then still out of reach.
    fn reachable(
        &self,
        tree: &dyn Tree,
        package: &Package,
        wanted: &Wanted,
        known: &Known<'_>,
    ) -> Result<Reachable, ReadFault>;

    /// The place where the file of a module would stand, in the order in which the language looks for it:
    /// `crate::a` → `src/a.rs`, `src/a/mod.rs`. For wildcard re-exports that name a module.
    fn module_files(&self, package: &Package, module: &str) -> Vec<Vec<u8>>;

    /// The name of the file that makes a folder a package, where the language has such files.
    fn manifest(&self) -> Option<&'static str> {
        None
    }

    /// The folder that is taken for the package of a file when no manifest stands above it.
    fn package_without_manifest(&self, path: &[u8]) -> Option<Vec<u8>> {
        let _ = path;
        None
    }

    /// Completes the options of a file by what its surroundings say: a file beside it that speaks for it, the
    /// configuration of the test runner. Reads few files or none.
    ///
    /// `own` is the tree of the file, `base` the tree before, which decides wherever a rule is the question.
    fn look_around(
        &self,
        own: &dyn Tree,
        base: &dyn Tree,
        path: &[u8],
        options: &mut Options,
    ) -> Result<(), ReadFault> {
        let _ = (own, base, path, options);
        Ok(())
    }

    /// The file whose public API the one at `path` declares, where the language has such files.
    fn speaks_for(&self, path: &[u8]) -> Option<Vec<u8>> {
        let _ = path;
        None
    }

    /// The files that the test runner starts from; `None` where no manifest decides that.
    ///
    /// Asked only when the manifest of the package changed.
    fn runner_roots(
        &self,
        tree: &dyn Tree,
        package: &Package,
    ) -> Result<Option<std::collections::BTreeSet<Vec<u8>>>, ReadFault> {
        let _ = (tree, package);
        Ok(None)
    }
}

/// What a scanner must know besides the bytes of the file.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The folder of the package that the file belongs to, without a final `/`; empty for the top, `None` if there is none.
    pub package: Option<Vec<u8>>,
    /// The policy names it as a test file.
    pub test_file: bool,
    /// A file beside it declares its public API: nothing in it is.
    pub spoken_for: bool,
    /// The runner takes doc examples for tests.
    pub doctests: bool,
}

/// A package: the nearest folder with the language's package file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Package {
    /// Its folder, without a final `/`; empty for the top.
    pub folder: Vec<u8>,
}

/// Why a file could not be measured. Such a file yields no facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degraded {
    /// `unbalanced`, `unterminated`, `too-deep` …
    pub reason: UnmeasuredReason,
    /// Where and what, for people.
    pub detail: String,
    /// Names seen at line starts, for orientation only.
    pub seen: Vec<String>,
}

/// The units of one file in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileOutline {
    /// The module part of the keys of this file's top level, not escaped.
    pub module: String,
    /// Everything named, whatever its visibility: pairing needs the private ones too.
    pub units: Vec<Unit>,
    /// Names that this file gets from elsewhere by import, alias or re-export.
    pub imports: Vec<Import>,
    /// Modules kept in other files that this file links in (Rust `mod x;`).
    pub submodules: Vec<Submodule>,
    /// A condition without which the runner does not see the file at all (Go `//go:build`).
    pub condition: Option<Mark>,
    /// Where a test file mocks the module that it is named after.
    pub mocked_subject: Vec<Mark>,
    /// A minified file: only exports were taken.
    pub minified: bool,
}

impl FileOutline {
    /// Takes the public mark from everything: of files that hold tests, examples or benchmarks nothing is API.
    pub fn without_api(&mut self) {
        for unit in &mut self.units {
            unit.visibility = Visibility::Narrow;
        }
        for import in &mut self.imports {
            import.exported = false;
        }
    }
}

/// One step of a key: `kind name`. The name is not escaped; bytes that are not UTF-8 stand as `\xNN`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Segment {
    /// The word for it in keys, such as `fn` or `test`.
    pub kind: &'static str,
    /// The declared name, or the title of a test.
    pub name: String,
}

/// What a unit is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// May be public API.
    Symbol,
    /// May be public API and has members of its own (type, trait, `mod`).
    Container,
    /// Only a step in the chain of others, never a unit of its own (`impl X`).
    Extension,
    /// Is run by the test runner.
    Test,
    /// Groups tests, never a fact itself.
    Suite,
}

/// Who can use a declaration, as far as its own file tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    /// Not public: private, `pub(crate)`, hidden from the documentation, test-only.
    Narrow,
    /// Public to those who extend the type around it: `protected`, and what stands in such a thing.
    Protected,
    /// It and every container around it in this file carry the language's mark of being public.
    Public,
}

impl Visibility {
    /// Whether anyone outside can use it.
    pub fn is_public(self) -> bool {
        self > Self::Narrow
    }
}

/// A named thing in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The module part of its key: the file's module, and inline modules (not escaped).
    pub module: String,
    /// Containers from the outermost to the nearest, without the unit itself.
    pub chain: Vec<Segment>,
    /// The unit itself.
    pub segment: Segment,
    /// What it is for.
    pub role: Role,
    /// Who can use it.
    pub visibility: Visibility,
    /// Where it stands, from its first attribute to its end.
    pub bytes: Range<usize>,
    /// First and last line, counted from 1.
    pub lines: (u32, u32),
    /// The declaration as written, white space folded, at most 2000 bytes: the evidence line.
    pub text: String,
    /// Hash of the signature tokens.
    pub signature: u64,
    /// Hash of what is only a value: a default, a constant's value. Equal for two units without any.
    pub value: u64,
    /// The body, where it has one.
    pub body: Option<Body>,
    /// The type that it comes and goes with, without standing in its chain: `Cart` for `impl Display for Cart`, whether
    /// written or derived. When that type is removed, added, moved or renamed, this is no fact of its own.
    pub member_of: Option<String>,
    /// Implementers must provide it too (a trait method without default body).
    pub required: bool,
    /// How the runner treats it; for tests and suites, and containers whose marks tests inherit.
    pub marks: Marks,
}

/// A body, hashed while it was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Where it stands.
    pub bytes: Range<usize>,
    /// Hash of its tokens.
    pub hash: u64,
    /// The same with every identifier equal to the unit's own name as one placeholder.
    pub hash_without_name: u64,
    /// Number of tokens, without the outer delimiters.
    pub tokens: u32,
}

/// Marks on a test, as the language writes them; each with its line and text as evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Skip markers: `#[ignore]`, fence marks.
    pub disabled: Vec<Mark>,
    /// Conditions around the test: `#[cfg(…)]` other than `cfg(test)`.
    pub conditional: Vec<Mark>,
    /// Expected to fail.
    pub expected_fail: Vec<Mark>,
    /// Focus markers.
    pub focused: Vec<Mark>,
    /// Literal rows of a parameter list: one token hash each. `None`: it has no such list, or no literal one.
    pub rows: Option<Vec<u64>>,
}

/// One mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Line, counted from 1.
    pub line: u32,
    /// The mark as written, white space folded, at most 2000 bytes.
    pub text: String,
    /// An expected failure that names what it expects (`#[should_panic(expected = "…")]`).
    pub specific: bool,
    /// The container it was inherited from, as `kind name`; `None` when it stands on the test itself.
    pub inherited_from: Option<String>,
}

/// A name that a file gets from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module it stands in (inline modules included).
    pub module: String,
    /// The name it is known by here; `*` for a wildcard.
    pub name: String,
    /// Where it comes from, resolved as far as the file alone allows: `crate::money::cents`, `crate::money` for a wildcard.
    pub target: String,
    /// Whether users of the package get it too (`pub use`).
    pub exported: bool,
    /// Line, counted from 1.
    pub line: u32,
}

/// A module kept in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submodule {
    /// Full module path of the child: `crate::a::b`.
    pub module: String,
    /// Where its file may stand, in the order in which the language looks for it: `src/a/b.rs`, `src/a/b/mod.rs`.
    pub files: Vec<Vec<u8>>,
    /// Whether the `mod` line is public.
    pub visibility: Visibility,
    /// `#[cfg(…)]` on the line other than `cfg(test)`, and so on.
    pub marks: Marks,
    /// Line, counted from 1.
    pub line: u32,
}

/// What a comparison needs to know about reach; everything else may be left out of the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Modules whose place in the package matters: of public items, and of tests.
    pub modules: std::collections::BTreeSet<String>,
    /// Top-level public items, as `module::name`: may be re-exported one by one.
    pub names: std::collections::BTreeSet<String>,
}

/// What can be reached from a package's entry point. The sets hold at least the wanted ones that qualify.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reachable {
    /// `false`: the package has no entry, everything declared counts, without a remark.
    pub has_entry: bool,
    /// Set when the entry could not be read or understood: the package is measured as declared, and named.
    pub unreadable_entry: bool,
    /// Modules whose public items are reachable.
    pub modules: std::collections::BTreeSet<String>,
    /// Single items reachable by a re-export, as `module::name`.
    pub names: std::collections::BTreeSet<String>,
    /// Modules that are linked in at all, public or not: a test elsewhere is not seen by the runner.
    pub linked: std::collections::BTreeSet<String>,
}

/// What stands in the body of a test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestBody {
    /// Has no statement, or only `todo!()`, `unimplemented!()`, `return` and the like.
    pub empty: bool,
    /// Assertions in order.
    pub assertions: Vec<Assertion>,
    /// Names of the functions it calls, sorted, each once.
    pub calls: Vec<String>,
    /// Names that stand at literal rows inside the body, one token hash a row.
    pub rows: Option<Vec<u64>>,
    /// The first `return` at the top of the body, or in an `if` there, before the first assertion.
    pub early_return: Option<Mark>,
    /// A skip call before the first assertion.
    pub skip: Option<Mark>,
    /// Inline snapshots in order.
    pub snapshots: Vec<InlineSnapshot>,
    /// Statements with tolerances outside assertions (`timeout`, `retries`, `sleep`).
    pub tolerances: Vec<Tolerances>,
}

/// One assertion statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Assertion {
    /// Line, counted from 1.
    pub line: u32,
    /// As written, white space folded, at most 2000 bytes.
    pub text: String,
    /// Hash of all its tokens (inline snapshot text left out).
    pub hash: u64,
    /// Hash with the expected literal replaced by a placeholder.
    pub hash_without_expected: u64,
    /// Cannot fail.
    pub vacuous: bool,
    /// Hash of its first operand that is neither a literal nor the test handle.
    pub subject: Option<u64>,
    /// 3 equality, 2 partial, 1 existence; 0 unknown.
    pub rank: u8,
    /// Expects an error: a hash of which; a general form has `general`.
    pub expects_error: Option<ExpectedError>,
    /// Stands inside a handler that drops the failure.
    pub swallowed: bool,
    /// Its tolerances.
    pub tolerances: Tolerances,
}

/// Which error an assertion expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedError {
    /// Hash of the named error.
    pub hash: u64,
    /// Any error will do.
    pub general: bool,
    /// Its message is checked too.
    pub matched: bool,
}

/// Numbers in a statement that loosen it when they move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tolerances {
    /// Line of the statement, counted from 1.
    pub line: u32,
    /// The statement as written, white space folded, at most 2000 bytes.
    pub text: String,
    /// Hash of the statement with these numbers as placeholders.
    pub hash_without_numbers: u64,
    /// Each number, in order, and which way is looser.
    pub numbers: Vec<(f64, Looser)>,
}

/// Which way a number loosens a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looser {
    /// `tolerance`, `timeout`, `retries` …
    Greater,
    /// `places`, `digits`, `precision`.
    Smaller,
}

/// A snapshot that stands in the test itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineSnapshot {
    /// Line, counted from 1.
    pub line: u32,
    /// Its text, dedented as its library does.
    pub text: String,
}
