//! Compares what the scanner of Rust finds with what `syn` finds, over the sources of published crates.
//!
//! `cargo run --manifest-path tests/oracle/Cargo.toml` takes the dependencies of the main crate and of this one,
//! as cargo keeps them. Prints `n mismatches over m definitions` and exits with 1 when n is over 0.

mod expected;
mod members;
mod rules;
mod signature;
mod sources;

use std::collections::BTreeMap;
use std::process::ExitCode;

use git_review_gate::structure::lang::rust::Rust;
use git_review_gate::structure::outline::{Options, Outline, Role, Unit, Visibility};

use expected::{Definition, Expected};

/// Fewest definitions that make the comparison worth something.
const ENOUGH: usize = 50_000;

/// Most mismatches that are printed.
const SHOWN: usize = 200;

fn main() -> ExitCode {
    let files = match sources::files() {
        Ok(files) => files,
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::from(2);
        }
    };
    let mut report = Report::default();
    for file in &files {
        report.compare(file);
    }
    report.print(files.len());
    if report.definitions < ENOUGH {
        eprintln!("error: only {} definitions, {ENOUGH} wanted", report.definitions);
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(report.mismatches > 0))
}

#[derive(Default)]
struct Report {
    definitions: usize,
    mismatches: usize,
    shown: Vec<String>,
    /// What was left out, and how often.
    out_of_scope: BTreeMap<&'static str, usize>,
    /// Hash → signature and back: both must be functions. The key begins with the kind.
    by_hash: BTreeMap<(String, u64), (String, String)>,
    by_text: BTreeMap<(String, String), (u64, String)>,
}

impl Report {
    fn compare(&mut self, file: &sources::File) {
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            self.leave_out("files that are not UTF-8", 1);
            return;
        };
        let Ok(parsed) = syn::parse_file(text) else {
            self.leave_out("files that syn cannot parse", 1);
            return;
        };
        let options = Options {
            package: Some(Vec::new()),
            ..Options::default()
        };
        let outline = match Rust.outline(&file.bytes, file.path.as_bytes(), &options) {
            Ok(outline) => outline,
            Err(fault) => {
                self.mismatch(format!("{}: {fault:?}", file.name));
                return;
            }
        };
        if outline.minified {
            self.leave_out("minified files", 1);
            return;
        }
        let expected = Expected::of(&parsed, &file.path, &outline.module, text);
        for (what, count) in &expected.out_of_scope {
            self.leave_out(what, *count);
        }
        let mut left: BTreeMap<Definition, Vec<(u64, u32)>> = BTreeMap::new();
        for unit in &outline.units {
            if unit.segment.kind == "doctest" {
                self.leave_out("doc examples", 1);
            } else if expected
                .ranges
                .iter()
                .any(|range| range.start <= unit.bytes.start && unit.bytes.end <= range.end)
            {
                self.leave_out(
                    "definitions inside of macro calls and of items that syn does not know",
                    1,
                );
            } else {
                let found = left.entry(definition(unit)).or_default();
                found.push((unit.signature, unit.lines.0));
            }
        }
        for found in left.values_mut() {
            found.reverse();
        }
        for (definition, signature) in &expected.definitions {
            self.definitions += 1;
            match left.get_mut(definition).and_then(Vec::pop) {
                Some((hash, line)) => {
                    self.same_class(definition, hash, signature, &format!("{}:{line}", file.name))
                }
                None => self.mismatch(format!("{}: syn only: {definition}", file.name)),
            }
        }
        for (definition, lines) in left {
            for (_, line) in lines {
                self.mismatch(format!("{}:{line}: scanner only: {definition}", file.name));
            }
        }
    }

    /// Equal hashes must mean equal signatures, and the other way round.
    fn same_class(&mut self, definition: &Definition, hash: u64, signature: &str, place: &str) {
        let kind = definition.kind.clone();
        let here = (signature.to_owned(), place.to_owned());
        let known = self.by_hash.entry((kind.clone(), hash)).or_insert(here);
        if known.0 != signature {
            let text = format!(
                "{place}: one hash for two signatures of {definition}: {signature} / {} at {}",
                known.0, known.1
            );
            self.mismatch(text);
        }
        let here = (hash, place.to_owned());
        let known = self.by_text.entry((kind, signature.to_owned())).or_insert(here);
        if known.0 != hash {
            let text = format!(
                "{place}: two hashes for one signature of {definition}: {signature}, also at {}",
                known.1
            );
            self.mismatch(text);
        }
    }

    fn leave_out(&mut self, what: &'static str, count: usize) {
        *self.out_of_scope.entry(what).or_default() += count;
    }

    fn mismatch(&mut self, text: String) {
        self.mismatches += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(text);
        }
    }

    fn print(&self, files: usize) {
        for text in &self.shown {
            println!("{text}");
        }
        println!("out of scope:");
        for (what, count) in &self.out_of_scope {
            println!("  {count} {what}");
        }
        println!("{} signatures in {files} files", self.by_hash.len());
        println!(
            "rust: {} mismatches over {} definitions",
            self.mismatches, self.definitions
        );
    }
}

fn definition(unit: &Unit) -> Definition {
    let chain: Vec<String> = unit
        .chain
        .iter()
        .map(|segment| format!("{} {}", segment.kind, squeezed(&segment.name)))
        .collect();
    Definition {
        place: format!("{}#{}", unit.module, chain.join(" > ")),
        kind: unit.segment.kind.to_owned(),
        name: squeezed(&unit.segment.name),
        public: unit.visibility == Visibility::Public,
        test: unit.role == Role::Test,
    }
}

/// Without blanks: how a type is laid out in a name is no matter of parsing.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
