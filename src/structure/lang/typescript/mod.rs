//! TypeScript and JavaScript: exports, members, suites and tests; ES modules, scripts with `exports`, JSX.

mod assertion;
mod body;
mod callable;
mod commonjs;
mod declarations;
mod exports;
mod handle;
mod inline;
mod items;
mod jsx;
#[cfg(test)]
mod laws;
mod lexer;
mod matcher;
mod members;
mod names;
pub mod place;
mod reach;
mod runner;
mod signature;
mod suites;
mod syntax;
#[cfg(test)]
mod tests;
mod title;
mod tolerance;
mod types;
mod view;

use std::ops::Range;

use crate::structure::lang::beside;
use crate::structure::lexer::Fault;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{
    Degraded, FileOutline, Known, Mark, Options, Outline, Package, Reachable, Role, TestBody, Unit, Wanted,
};
use crate::structure::paths::is_beside_the_product;
use crate::structure::source::{ReadFault, Tree};

use items::Walk;
use view::View;

/// The scanner of TypeScript and JavaScript.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypeScript;

/// Most names that are printed of a file that could not be measured.
const MAX_SEEN: usize = 50;

/// Modules whose import makes any file a test file.
const RUNNERS: [&[u8]; 5] = [
    b"node:test",
    b"vitest",
    b"@jest/globals",
    b"bun:test",
    b"@playwright/test",
];

impl Outline for TypeScript {
    fn outline(&self, bytes: &[u8], path: &[u8], options: &Options) -> Result<FileOutline, Degraded> {
        let view = View::new(bytes, has_jsx(path)).map_err(|fault| degraded(bytes, fault))?;
        let mut walk = Walk::new(&view, path, place::module_of(path));
        walk.run();
        if let Some(reason) = walk.fault {
            let what = "namespaces nested too deep";
            return Err(degraded(bytes, Fault { reason, at: 0, what }));
        }
        let mut outline = walk.out;
        if view.lines().minified(bytes) {
            outline.minified = true;
            outline.units.retain(|unit| unit.visibility.is_public());
            return Ok(outline);
        }
        let in_source = memchr::memmem::find(bytes, b"import.meta.vitest").is_some();
        let is_test = options.test_file || in_source || place::is_test_path(path) || imports_runner(&view);
        let tests = if is_test || may_test(bytes) {
            suites::take(&view, &outline.module, is_test)
        } else {
            Vec::new()
        };
        let has_tests = tests.iter().any(|unit| unit.role == Role::Test);
        if !tests.is_empty() {
            outline.units.extend(tests);
            outline.units.sort_by_key(|unit| unit.bytes.start);
        }
        if options.spoken_for || is_beside_the_product(path) || (has_tests && !in_source) {
            outline.without_api();
        }
        if has_tests && let Some(subject) = place::subject_of(path) {
            outline.mocked_subject = mocks(&view, subject);
        }
        Ok(outline)
    }

    fn test_body(&self, bytes: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
        body::read(bytes, unit, helpers)
    }

    fn tokens(&self, bytes: &[u8], part: Range<usize>) -> Vec<u64> {
        let part = bytes.get(part).unwrap_or_default();
        View::new(part, true).map_or_else(
            |_| Vec::new(),
            |view| (0..view.len()).map(|at| view.hash(at)).collect(),
        )
    }

    fn reachable(
        &self,
        tree: &dyn Tree,
        package: &Package,
        wanted: &Wanted,
        known: &Known<'_>,
    ) -> Result<Reachable, ReadFault> {
        Ok(reach::reachable(tree, package, wanted, known))
    }

    fn module_files(&self, _package: &Package, module: &str) -> Vec<Vec<u8>> {
        place::module_files(module)
    }

    fn manifest(&self) -> Option<&'static str> {
        Some("package.json")
    }

    fn look_around(
        &self,
        own: &dyn Tree,
        _base: &dyn Tree,
        path: &[u8],
        options: &mut Options,
    ) -> Result<(), ReadFault> {
        for (script, declared) in DECLARED {
            if let Some(stem) = path.strip_suffix(script) {
                options.spoken_for = beside::speaks(own, &[stem, declared].concat())?;
            }
        }
        Ok(())
    }

    fn speaks_for(&self, path: &[u8]) -> Option<Vec<u8>> {
        DECLARED.iter().find_map(|(script, declared)| {
            let stem = path.strip_suffix(*declared)?;
            Some([stem, *script].concat())
        })
    }
}

/// The endings of scripts, and of the files beside them that declare what is public in them.
const DECLARED: [(&[u8], &[u8]); 3] = [(b".js", b".d.ts"), (b".mjs", b".d.mts"), (b".cjs", b".d.cts")];

/// Whether angle brackets may open elements in a file of this name.
fn has_jsx(path: &[u8]) -> bool {
    !(path.ends_with(b".ts") || path.ends_with(b".mts") || path.ends_with(b".cts"))
}

/// Whether the file calls what a test runner offers, as far as its bytes tell.
fn may_test(bytes: &[u8]) -> bool {
    [&b"describe("[..], b"it(", b"test("]
        .iter()
        .any(|call| memchr::memmem::find(bytes, call).is_some())
}

/// Whether the file imports or requires a test runner.
fn imports_runner(view: &View<'_>) -> bool {
    (1..view.len()).any(|at| {
        let named = view.text(at).get(1..).is_some_and(|text| {
            RUNNERS
                .iter()
                .any(|runner| text.strip_prefix(*runner).is_some_and(|rest| rest.len() == 1))
        });
        let import = view.is(at - 1, b"from") || view.is(at - 1, b"import");
        let require = at > 1 && view.opens(at - 1, b'(') && view.is(at - 2, b"require");
        named && (import || require)
    })
}

/// The calls that mock the module of this name: `jest.mock('./name')`, `vi.mock(import('./name'))`.
fn mocks(view: &View<'_>, subject: &[u8]) -> Vec<Mark> {
    let mut found = Vec::new();
    for at in 2..view.len() {
        let name = matches!(
            view.text(at),
            b"mock" | b"doMock" | b"unstable_mockModule" | b"module"
        );
        let receiver = matches!(view.text(at - 2), b"jest" | b"vi" | b"mock");
        if !(name && receiver && view.sign(at - 1, b'.') && view.opens(at + 1, b'(')) {
            continue;
        }
        let mut text_at = at + 2;
        if view.is(text_at, b"import") && view.opens(text_at + 1, b'(') {
            text_at += 2;
        }
        let text = view.text(text_at);
        let specifier = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        let stem = place::without_extension(specifier);
        let last = stem.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let relative =
            specifier.starts_with(b".") || specifier.starts_with(b"@/") || specifier.starts_with(b"~");
        if relative && last == subject {
            found.push(Mark {
                line: view.line(at - 2),
                text: view.shown(at - 2..view.next(at + 1)),
                specific: false,
                inherited_from: None,
            });
        }
    }
    found
}

/// Says where and why a file cannot be measured, with the names that stand at its line starts.
fn degraded(bytes: &[u8], fault: Fault) -> Degraded {
    let line = memchr::memchr_iter(b'\n', bytes.get(..fault.at).unwrap_or(bytes)).count() + 1;
    Degraded {
        reason: fault.reason,
        detail: format!("line {line}: {}", fault.what),
        seen: names_at_line_starts(bytes),
    }
}

fn names_at_line_starts(bytes: &[u8]) -> Vec<String> {
    const KEYWORDS: [&[u8]; 10] = [
        b"function",
        b"class",
        b"interface",
        b"type",
        b"enum",
        b"namespace",
        b"const",
        b"let",
        b"var",
        b"module",
    ];
    let mut seen = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        if !line.first().is_some_and(u8::is_ascii_lowercase) {
            continue;
        }
        let mut words = line
            .split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')))
            .filter(|word| !word.is_empty())
            .take(6);
        let name = words
            .by_ref()
            .find(|word| KEYWORDS.contains(word))
            .and_then(|_| words.next())
            .filter(|name| name.len() <= 100);
        seen.extend(name.map(text_of));
        if seen.len() == MAX_SEEN {
            break;
        }
    }
    seen
}
