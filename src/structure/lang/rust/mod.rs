//! Rust: items, impls, macros, tests and doc examples of `.rs` files, features of `Cargo.toml`.

mod assertion;
mod attribute;
mod body;
#[cfg(test)]
mod body_tests;
mod callable;
mod data;
mod doctest;
mod head;
mod implementation;
mod items;
#[cfg(test)]
mod laws;
mod macros;
mod manifest;
mod module;
mod reach;
#[cfg(test)]
mod reach_tests;
mod reexports;
mod signature;
mod snapshot;
mod syntax;
#[cfg(test)]
mod tests;
mod tolerance;
mod uses;
mod view;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::structure::lexer::Fault;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{
    Degraded, FileOutline, Known, Options, Outline, Package, Reachable, Role, TestBody, Unit, Visibility,
    Wanted,
};
use crate::structure::source::{ReadFault, Tree};

use items::Walk;
use module::Place;
use view::View;

/// The scanner of Rust.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rust;

/// Most names that are printed of a file that could not be measured.
const MAX_SEEN: usize = 50;

impl Outline for Rust {
    fn outline(&self, bytes: &[u8], path: &[u8], options: &Options) -> Result<FileOutline, Degraded> {
        if path == b"Cargo.toml" || path.ends_with(b"/Cargo.toml") {
            return manifest::outline(bytes, path);
        }
        let place = Place::of(path, options.package.as_deref());
        let view = View::new(bytes).map_err(|fault| degraded(bytes, fault))?;
        let mut walk = Walk::new(&view, &place);
        walk.run();
        walk.narrow_implementations();
        walk.resolve_imports();
        if let Some(reason) = walk.fault {
            let what = "names nested too deep";
            return Err(degraded(bytes, Fault { reason, at: 0, what }));
        }
        let mut outline = walk.out;
        leave_exports_of_minified(&mut outline, &view);
        Ok(outline)
    }

    fn test_body(&self, bytes: &[u8], unit: &Unit, helpers: &[String]) -> TestBody {
        body::read(bytes, unit, helpers)
    }

    fn may_assert(&self, bytes: &[u8], helpers: &[String]) -> bool {
        // Every name that counts as an assertion holds one of these.
        static WORDS: LazyLock<[Finder<'static>; 6]> =
            LazyLock::new(|| ["assert", "expect", "must", "verify", "check", "should"].map(Finder::new));
        WORDS.iter().any(|word| word.find(bytes).is_some())
            || helpers
                .iter()
                .any(|word| memchr::memmem::find(bytes, word.as_bytes()).is_some())
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
        tree: &dyn Tree,
        package: &Package,
        wanted: &Wanted,
        known: &Known<'_>,
    ) -> Result<Reachable, ReadFault> {
        // A file that cannot be read is no fault here: the package is then measured as declared, and named.
        Ok(reach::reachable(tree, package, wanted, known))
    }

    fn module_files(&self, package: &Package, module: &str) -> Vec<Vec<u8>> {
        module::module_files(&package.folder, module)
    }

    fn manifest(&self) -> Option<&'static str> {
        Some("Cargo.toml")
    }

    fn package_without_manifest(&self, path: &[u8]) -> Option<Vec<u8>> {
        // The folder that holds one of these is a package by convention.
        const PARTS: [&[u8]; 4] = [b"src", b"tests", b"benches", b"examples"];
        let mut start = 0;
        while let Some(slash) = memchr::memchr(b'/', &path[start..]) {
            if PARTS.contains(&&path[start..start + slash]) {
                return Some(path[..start.saturating_sub(1)].to_vec());
            }
            start += slash + 1;
        }
        None
    }

    fn runner_roots(
        &self,
        tree: &dyn Tree,
        package: &Package,
    ) -> Result<Option<BTreeSet<Vec<u8>>>, ReadFault> {
        reach::runner_roots(tree, package)
    }
}

/// The names that a file declares, imports and links in, without what they stand for; `None` where it cannot be
/// understood.
fn names(bytes: &[u8], path: &[u8], package: &[u8]) -> Option<FileOutline> {
    let place = Place::of(path, Some(package));
    let view = View::new(bytes).ok()?;
    let mut walk = Walk::new(&view, &place);
    walk.names_only = true;
    walk.run();
    walk.resolve_imports();
    let mut outline = walk.fault.is_none().then_some(walk.out)?;
    leave_exports_of_minified(&mut outline, &view);
    Some(outline)
}

/// Of a minified file only what it exports is taken.
fn leave_exports_of_minified(outline: &mut FileOutline, view: &View<'_>) {
    if view.lines().minified(view.source) {
        outline.minified = true;
        outline
            .units
            .retain(|unit| unit.visibility == Visibility::Public && unit.role != Role::Test);
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
    const KEYWORDS: [&[u8]; 9] = [
        b"fn", b"struct", b"enum", b"trait", b"union", b"mod", b"type", b"const", b"static",
    ];
    let mut seen = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let mut words = line
            .split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))
            .filter(|word| !word.is_empty())
            .take(6);
        while let Some(word) = words.next() {
            if KEYWORDS.contains(&word)
                && line
                    .trim_ascii_start()
                    .first()
                    .is_some_and(u8::is_ascii_lowercase)
            {
                let name = words.next().unwrap_or_default();
                if !name.is_empty() && !KEYWORDS.contains(&name) && name.len() <= 100 {
                    seen.push(text_of(name));
                    break;
                }
            }
        }
        if seen.len() == MAX_SEEN {
            break;
        }
    }
    seen
}
