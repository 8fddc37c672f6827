//! Python: functions, classes, variables, imports, tests and doc examples of `.py` and `.pyi` files.

mod assertion;
mod body;
#[cfg(test)]
mod body_tests;
#[cfg(test)]
mod collected_tests;
mod condition;
mod decorator;
mod definitions;
mod doctest;
mod exports;
mod finish;
mod imports;
mod items;
#[cfg(test)]
mod laws;
mod mocks;
mod place;
mod reach;
mod rows;
mod runner;
mod signature;
mod statements;
mod string;
mod syntax;
#[cfg(test)]
mod tests;
mod tolerance;
mod view;

use std::ops::Range;

use crate::structure::lexer::Fault;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{
    Degraded, FileOutline, Known, Options, Outline, Package, Reachable, Role, TestBody, Unit, Wanted,
};
use crate::structure::source::{ReadFault, Tree};

use items::Walk;
use place::Place;
use view::View;

/// The scanner of Python.
#[derive(Debug, Clone, Copy, Default)]
pub struct Python;

/// Most names that are printed of a file that could not be measured.
const MAX_SEEN: usize = 50;

impl Outline for Python {
    fn outline(&self, bytes: &[u8], path: &[u8], options: &Options) -> Result<FileOutline, Degraded> {
        let place = Place::of(path, options.test_file);
        let view = View::new(bytes).map_err(|fault| degraded(bytes, fault))?;
        let doctests = options.doctests || memchr::memmem::find(bytes, b"doctest.testmod").is_some();
        let mut walk = Walk::new(&view, &place, doctests);
        walk.run();
        if let Some(reason) = walk.fault {
            let what = "names nested too deep";
            return Err(degraded(bytes, Fault { reason, at: 0, what }));
        }
        let mut outline = walk.out;
        if options.spoken_for {
            // The stub beside it declares the same names, and none of them twice.
            outline.without_api();
            outline
                .units
                .retain(|unit| matches!(unit.role, Role::Test | Role::Suite));
        }
        if view.lines().minified(bytes) {
            outline.minified = true;
            outline
                .units
                .retain(|unit| unit.visibility.is_public() && unit.role != Role::Test);
        }
        Ok(outline)
    }

    fn test_body(&self, bytes: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
        body::read(bytes, unit, helpers)
    }

    fn may_assert(&self, bytes: &[u8], helpers: &[String]) -> bool {
        // Every name that counts as an assertion holds one of these.
        let mut words = [
            "assert", "expect", "must", "verify", "check", "should", "raises", "warns", "fail",
        ]
        .into_iter()
        .chain(helpers.iter().map(String::as_str));
        words.any(|word| memchr::memmem::find(bytes, word.as_bytes()).is_some())
    }

    fn tokens(&self, bytes: &[u8], part: Range<usize>) -> Vec<u64> {
        let part = bytes.get(part).unwrap_or_default();
        View::part(part).map_or_else(
            |_| Vec::new(),
            |view| {
                (0..view.len())
                    .filter(|at| !view.ends_line(*at))
                    .map(|at| view.hash(at))
                    .collect()
            },
        )
    }

    fn look_around(
        &self,
        own: &dyn Tree,
        base: &dyn Tree,
        path: &[u8],
        options: &mut Options,
    ) -> Result<(), ReadFault> {
        runner::look_around(own, base, path, options)
    }

    fn speaks_for(&self, path: &[u8]) -> Option<Vec<u8>> {
        path.ends_with(b".pyi").then(|| path[..path.len() - 1].to_vec())
    }

    fn package_without_manifest(&self, _path: &[u8]) -> Option<Vec<u8>> {
        // Module names begin at the top of the repository, and so does what they can reach.
        Some(Vec::new())
    }

    fn reachable(
        &self,
        tree: &dyn Tree,
        _package: &Package,
        wanted: &Wanted,
        known: &Known<'_>,
    ) -> Result<Reachable, ReadFault> {
        Ok(reach::reachable(tree, wanted, known))
    }

    fn module_files(&self, _package: &Package, module: &str) -> Vec<Vec<u8>> {
        place::module_files(module)
    }
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
    let mut seen = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii_start();
        let line = line.strip_prefix(b"async ").unwrap_or(line);
        let Some(rest) = line
            .strip_prefix(b"def ")
            .or_else(|| line.strip_prefix(b"class "))
        else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let length = rest.iter().take(101).take_while(|byte| word(byte)).count();
        if (1..=100).contains(&length) {
            seen.push(text_of(&rest[..length]));
        }
        if seen.len() == MAX_SEEN {
            break;
        }
    }
    seen
}
