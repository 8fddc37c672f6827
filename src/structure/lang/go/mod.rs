//! Go: functions, types with their members, constants and variables; tests of `go test`, testify and ginkgo.

mod assertion;
mod body;
#[cfg(test)]
mod body_tests;
mod condition;
mod example;
mod failure;
mod ginkgo;
mod handles;
mod items;
#[cfg(test)]
mod laws;
mod matchers;
mod place;
mod rows;
mod runner;
mod signature;
mod subtests;
mod syntax;
#[cfg(test)]
mod tests;
mod titles;
mod tolerance;
mod types;
mod values;
mod view;

use std::ops::Range;

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::Fault;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{
    Degraded, FileOutline, Known, Options, Outline, Package, Reachable, Role, TestBody, Unit, Visibility,
    Wanted,
};
use crate::structure::source::{ReadFault, Tree};

use items::Walk;
use place::Place;
use view::View;

/// The scanner of Go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Go;

/// Most names that are printed of a file that could not be measured.
const MAX_SEEN: usize = 50;

impl Outline for Go {
    fn outline(&self, bytes: &[u8], path: &[u8], options: &Options) -> Result<FileOutline, Degraded> {
        let view = View::new(bytes).map_err(|fault| degraded(bytes, fault))?;
        let place = Place::of(path, options.test_file);
        // Nothing but comments stands in front of the package clause.
        let clause = 0;
        let constraint = place::constraint(&bytes[..view.start(clause)], path, view.lines());
        let mut walk = Walk::new(&view, &place, constraint.as_ref(), clause);
        walk.run(clause);
        if walk.exhausted() {
            let reason = UnmeasuredReason::TooDeep;
            let what = "names nested in each other beyond any use";
            return Err(degraded(bytes, Fault { reason, at: 0, what }));
        }
        let (mut units, imports) = (walk.units, walk.imports);
        let minified = view.lines().minified(bytes);
        if minified {
            units.retain(|unit| unit.visibility == Visibility::Public && unit.role != Role::Test);
        }
        Ok(FileOutline {
            module: place.module,
            units,
            imports,
            minified,
            condition: constraint
                .filter(|_| place.test_file)
                .map(|constraint| constraint.mark),
            ..FileOutline::default()
        })
    }

    fn test_body(&self, bytes: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
        body::read(bytes, unit, helpers)
    }

    fn tokens(&self, bytes: &[u8], part: Range<usize>) -> Vec<u64> {
        let part = bytes.get(part).unwrap_or_default();
        View::new(part).map_or_else(
            |_| Vec::new(),
            |view| (0..view.len()).map(|at| view.hash(at)).collect(),
        )
    }

    fn reachable(
        &self,
        _tree: &dyn Tree,
        _package: &Package,
        _wanted: &Wanted,
        _known: &Known<'_>,
    ) -> Result<Reachable, ReadFault> {
        // Packages have no entry point besides themselves: what is declared can be imported.
        Ok(Reachable::default())
    }

    fn module_files(&self, _package: &Package, _module: &str) -> Vec<Vec<u8>> {
        Vec::new()
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
    let declared = |line: &[u8]| {
        let rest = [&b"func "[..], b"type ", b"const ", b"var "]
            .iter()
            .find_map(|keyword| line.strip_prefix(*keyword))?;
        // In front of the name of a method stands its receiver.
        let rest = match rest.first() {
            Some(b'(') => rest.splitn(2, |byte| *byte == b')').nth(1)?,
            _ => rest,
        };
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let name = rest.trim_ascii_start().split(|byte| !is_word(byte)).next()?;
        (1..=100).contains(&name.len()).then(|| text_of(name))
    };
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(declared).take(MAX_SEEN).collect()
}
