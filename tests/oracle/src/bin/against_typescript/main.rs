//! Compares what the scanner of TypeScript and JavaScript finds with what `oxc_parser` finds, over published packages.
//!
//! `cargo run --manifest-path tests/oracle/Cargo.toml --bin against_typescript` brings the packages with
//! `npm pack`. Prints `n mismatches over m definitions` and exits with 1 when n is over 0.

mod expected;
mod packages;
mod tree;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use git_review_gate::structure::lang::typescript::TypeScript;
use git_review_gate::structure::outline::{Options, Outline, Role, Unit};
use git_review_gate::structure::paths::is_beside_the_product;
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde::Deserialize as _;

use expected::Definition;

/// Fewest definitions that make the comparison worth something.
const ENOUGH: usize = 50_000;

/// Most mismatches that are printed.
const SHOWN: usize = 200;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/npm");
    let files = match packages::files(&folder) {
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
}

impl Report {
    fn compare(&mut self, file: &packages::File) {
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            self.leave_out("files that are not UTF-8", 1);
            return;
        };
        let Some(program) = parsed(text, &file.path) else {
            self.leave_out("files that oxc cannot parse", 1);
            return;
        };
        let outline = match TypeScript.outline(&file.bytes, file.path.as_bytes(), &Options::default()) {
            Ok(outline) => outline,
            Err(fault) => {
                self.mismatch(format!("{}: {:?} {}", file.name, fault.reason, fault.detail));
                return;
            }
        };
        if outline.minified {
            self.leave_out("minified files", 1);
            return;
        }
        let nothing_public = is_beside_the_product(file.path.as_bytes());
        let mut left: BTreeMap<Definition, Vec<u32>> = BTreeMap::new();
        for unit in &outline.units {
            let is_symbol = matches!(unit.role, Role::Symbol | Role::Container);
            if !is_symbol || unit.segment.kind == "test" {
                self.leave_out("calls of test runners", 1);
                continue;
            }
            left.entry(definition(unit)).or_default().push(unit.lines.0);
        }
        let declarations = [".d.ts", ".d.mts", ".d.cts"]
            .iter()
            .any(|end| file.path.ends_with(end));
        for mut definition in expected::definitions(&program, declarations) {
            definition.public &= !nothing_public;
            self.definitions += 1;
            if left.get_mut(&definition).and_then(Vec::pop).is_none() {
                self.mismatch(format!("{}: oxc only: {definition:?}", file.name));
            }
        }
        for (definition, lines) in left {
            for line in lines {
                self.mismatch(format!("{}:{line}: scanner only: {definition:?}", file.name));
            }
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
        println!(
            "typescript: {} mismatches over {} definitions in {files} files",
            self.mismatches, self.definitions
        );
    }
}

/// The syntax tree of a file in the form of ESTree; `None` if it has errors.
fn parsed(text: &str, path: &str) -> Option<serde_json::Value> {
    let kind = SourceType::from_path(path).ok()?;
    let kinds = [kind, kind.with_module(false)];
    let json = kinds.into_iter().find_map(|kind| {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, text, kind).parse();
        parsed
            .diagnostics
            .is_empty()
            .then(|| parsed.program.to_estree_json(true, false))
    })?;
    let mut reader = serde_json::Deserializer::from_str(&json);
    reader.disable_recursion_limit();
    serde_json::Value::deserialize(&mut reader).ok()
}

fn definition(unit: &Unit) -> Definition {
    let chain: Vec<String> = unit
        .chain
        .iter()
        .map(|segment| format!("{} {}", segment.kind, segment.name))
        .collect();
    let name = &unit.segment.name;
    let in_type = unit
        .chain
        .last()
        .is_some_and(|last| matches!(last.kind, "class" | "interface"));
    // Computed names and index signatures are told by their place only.
    let name = match unit.segment.kind {
        "property" | "method" | "accessor" if in_type && name.starts_with('[') => {
            if unit.text.contains("]:") && unit.text.split(']').next().is_some_and(|head| head.contains(':'))
            {
                "[index]".to_owned()
            } else {
                "[computed]".to_owned()
            }
        }
        _ => name.clone(),
    };
    Definition {
        chain: chain.join(" > "),
        kind: unit.segment.kind.to_owned(),
        name,
        public: unit.visibility.is_public(),
    }
}
