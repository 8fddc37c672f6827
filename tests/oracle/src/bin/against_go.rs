//! Compares what the scanner of Go finds with what `go/parser` finds, over the sources of the standard library.
//!
//! `cargo run --manifest-path tests/oracle/Cargo.toml --bin against_go [FOLDER…]` needs Go itself; more folders may be named.
//! Prints `n mismatches over m definitions` and exits with 1 when n is over 0.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use git_review_gate::structure::lang::go::Go;
use git_review_gate::structure::outline::{Options, Outline, Role, Unit, Visibility};
use serde_json::Value;

/// Fewest definitions that make the comparison worth something.
const ENOUGH: usize = 50_000;

/// Most mismatches that are printed.
const SHOWN: usize = 200;

fn main() -> ExitCode {
    let answer = match definitions() {
        Ok(answer) => answer,
        Err(fault) => {
            eprintln!("error: {fault}\nhint: install Go, on Debian as golang-go");
            return ExitCode::from(2);
        }
    };
    let mut report = Report::default();
    let mut files = 0;
    for line in answer.lines() {
        files += 1;
        match serde_json::from_str(line) {
            Ok(file) => report.compare(&file),
            Err(fault) => report.mismatch(format!("line {files}: {fault}")),
        }
    }
    report.print(files);
    if report.definitions < ENOUGH {
        eprintln!("error: only {} definitions, {ENOUGH} wanted", report.definitions);
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(report.mismatches > 0))
}

/// What the program beside this one prints.
fn definitions() -> Result<String, String> {
    let root = run(Command::new("go").args(["env", "GOROOT"]))?;
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("go/definitions.go");
    let sources = Path::new(root.trim()).join("src");
    // Where a distribution links to its sources, the link itself would be no folder.
    let sources = sources.canonicalize().map_err(|fault| fault.to_string())?;
    let mut command = Command::new("go");
    command.args(["run".as_ref(), program.as_os_str(), sources.as_os_str()]);
    command.args(std::env::args_os().skip(1));
    run(&mut command)
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|fault| format!("go: {fault}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|fault| fault.to_string())
}

#[derive(Default)]
struct Report {
    definitions: usize,
    /// How long the scanner took, and over how much.
    seconds: f64,
    bytes: usize,
    mismatches: usize,
    shown: Vec<String>,
    /// What was left out, and how often.
    out_of_scope: BTreeMap<&'static str, usize>,
    /// Hash → signature and back: both must be functions. The key begins with the kind.
    by_hash: BTreeMap<(String, u64), (String, String)>,
    by_text: BTreeMap<(String, String), (u64, String)>,
}

impl Report {
    fn compare(&mut self, file: &Value) {
        let text = |of: &Value, key: &str| of[key].as_str().unwrap_or_default().to_owned();
        let path = text(file, "path");
        let Ok(bytes) = std::fs::read(Path::new(&text(file, "root")).join(&path)) else {
            self.mismatch(format!("{path}: cannot be read"));
            return;
        };
        if !file["error"].is_null() {
            self.leave_out("files that go/parser refuses", 1);
            return;
        }
        let start = Instant::now();
        let scanned = Go.outline(&bytes, path.as_bytes(), &Options::default());
        self.seconds += start.elapsed().as_secs_f64();
        self.bytes += bytes.len();
        let outline = match scanned {
            Ok(outline) => outline,
            Err(fault) => {
                self.mismatch(format!("{path}: {fault:?}"));
                return;
            }
        };
        if outline.minified {
            self.leave_out("minified files", 1);
            return;
        }
        let mut left: BTreeMap<String, Vec<(u64, u32)>> = BTreeMap::new();
        for unit in &outline.units {
            if unit.role == Role::Suite || unit.chain.iter().any(|segment| segment.kind == "suite") {
                self.leave_out("specs of ginkgo", 1);
                continue;
            }
            if unit.segment.kind == "method" && !unit.chain.iter().all(|owner| is_name(&owner.name)) {
                self.leave_out("methods whose receiver is no name", 1);
                continue;
            }
            let found = left.entry(definition(unit)).or_default();
            found.push((unit.signature, unit.lines.0));
        }
        for found in left.values_mut() {
            found.reverse();
        }
        for expected in file["definitions"].as_array().into_iter().flatten() {
            let kind = text(expected, "kind");
            if text(expected, "place") == "type ?" {
                continue;
            }
            self.definitions += 1;
            let wanted = spelled(
                &text(expected, "place"),
                (&kind, &text(expected, "name")),
                expected["public"] == true,
                expected["test"] == true,
            );
            match left.get_mut(&wanted).and_then(Vec::pop) {
                Some((hash, line)) => {
                    let place = format!("{path}:{line}");
                    self.same_class((&kind, &wanted), hash, &text(expected, "signature"), &place);
                }
                None => self.mismatch(format!("{path}: go/parser only: {wanted}")),
            }
        }
        for (definition, lines) in left {
            for (_, line) in lines {
                self.mismatch(format!("{path}:{line}: scanner only: {definition}"));
            }
        }
    }

    /// Equal hashes must mean equal signatures, and the other way round.
    fn same_class(&mut self, (kind, definition): (&str, &str), hash: u64, signature: &str, place: &str) {
        let here = (signature.to_owned(), place.to_owned());
        let known = self.by_hash.entry((kind.to_owned(), hash)).or_insert(here);
        if known.0 != signature {
            let text = format!(
                "{place}: one hash for two signatures of {definition}: {signature} / {} at {}",
                known.0, known.1
            );
            self.mismatch(text);
        }
        let here = (hash, place.to_owned());
        let key = (kind.to_owned(), signature.to_owned());
        let known = self.by_text.entry(key).or_insert(here);
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
        if !cfg!(debug_assertions) {
            let rate = self.bytes as f64 / 1e6 / self.seconds.max(1e-9);
            println!("scanned at {rate:.0} MB/s");
        }
        println!(
            "go: {} mismatches over {} definitions",
            self.mismatches, self.definitions
        );
    }
}

/// Whether a receiver is what the language allows there.
fn is_name(name: &str) -> bool {
    let keyword = ["interface", "struct", "map", "chan", "func"].contains(&name);
    !keyword && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn definition(unit: &Unit) -> String {
    let chain: Vec<String> = unit
        .chain
        .iter()
        .map(|segment| format!("{} {}", segment.kind, segment.name))
        .collect();
    spelled(
        &chain.join(" > "),
        (unit.segment.kind, &unit.segment.name),
        unit.visibility == Visibility::Public,
        unit.role == Role::Test,
    )
}

fn spelled(place: &str, (kind, name): (&str, &str), public: bool, test: bool) -> String {
    let public = if public { "public " } else { "" };
    let test = if test { " (test)" } else { "" };
    format!("{public}{place}#{kind} {name}{test}")
}
