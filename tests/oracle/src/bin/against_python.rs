//! Compares what the scanner of Python finds with what the parser of CPython finds.
//!
//! `cargo run --manifest-path tests/oracle/Cargo.toml --bin against_python [FOLDER…]` takes the standard library of the
//! `python3` on the path, without what is installed there, and these folders. Prints `n mismatches over m definitions`
//! and exits with 1 when n is over 0.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use git_review_gate::structure::lang::python::Python;
use git_review_gate::structure::outline::{Options, Outline, Role, Unit, Visibility};
use serde_json::Value;

/// Fewest definitions that make the comparison worth something.
const ENOUGH: usize = 50_000;

/// Most mismatches that are printed.
const SHOWN: usize = 100;

fn main() -> ExitCode {
    let mut report = Report::default();
    match roots().and_then(|roots| roots.iter().try_for_each(|root| report.compare_root(root))) {
        Ok(()) => {}
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::from(2);
        }
    }
    report.print();
    if report.definitions < ENOUGH {
        eprintln!("error: only {} definitions, {ENOUGH} wanted", report.definitions);
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(report.mismatches > 0))
}

/// What this thread spent on a core, in seconds; 0 where the system does not tell.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or_default();
    nanoseconds / 1e9
}

fn roots() -> Result<Vec<PathBuf>, String> {
    let output = Command::new("python3")
        .args(["-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"])
        .output()
        .map_err(|fault| format!("python3: {fault}"))?;
    let library = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut roots = vec![PathBuf::from(library)];
    roots.extend(std::env::args_os().skip(1).map(PathBuf::from));
    Ok(roots)
}

/// The paths of all Python files below a folder, with `/` between, sorted.
fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        let listed = std::fs::read_dir(&folder).map_err(|fault| format!("{}: {fault}", folder.display()))?;
        for entry in listed {
            let entry = entry.map_err(|fault| fault.to_string())?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|fault| fault.to_string())?;
            if kind.is_dir() {
                if entry.file_name() != "site-packages" {
                    waiting.push(path);
                }
            } else if kind.is_file() && path.extension().is_some_and(|end| end == "py" || end == "pyi") {
                let inside = path.strip_prefix(root).expect("found below the folder");
                found.push(inside.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What CPython says about each file, one line each.
fn ask(root: &Path, files: &[String]) -> Result<Vec<Value>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python.py");
    let mut child = Command::new("python3")
        .arg(script)
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|fault| format!("python3: {fault}"))?;
    let mut input = child.stdin.take().expect("it is piped");
    let paths = files.join("\0");
    let writer = std::thread::spawn(move || input.write_all(paths.as_bytes()));
    let output = child.wait_with_output().map_err(|fault| fault.to_string())?;
    let written = writer.join().expect("writing does not panic");
    written.map_err(|fault| fault.to_string())?;
    if !output.status.success() {
        return Err(format!("python3: {}", output.status));
    }
    let lines = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).map_err(|fault| fault.to_string()))
        .collect()
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Definition {
    chain: String,
    kind: String,
    name: String,
    public: bool,
    role: &'static str,
}

#[derive(Default)]
struct Report {
    files: usize,
    definitions: usize,
    mismatches: usize,
    shown: Vec<String>,
    out_of_scope: BTreeMap<String, usize>,
    /// How much was scanned, and in what time.
    bytes: usize,
    seconds: f64,
    /// Hash → signature, signature as written → hash, hash → body.
    by_hash: BTreeMap<(String, u64), (String, String)>,
    by_text: BTreeMap<(String, String), (u64, String)>,
    by_body: BTreeMap<u64, (String, String)>,
}

impl Report {
    fn compare_root(&mut self, root: &Path) -> Result<(), String> {
        let files = files(root)?;
        for answer in ask(root, &files)? {
            self.files += 1;
            self.compare(root, &answer)?;
        }
        Ok(())
    }

    fn compare(&mut self, root: &Path, answer: &Value) -> Result<(), String> {
        let path = answer["path"].as_str().expect("a path");
        if let Some(why) = answer.get("skip").and_then(Value::as_str) {
            self.leave_out(why, 1);
            return Ok(());
        }
        let bytes = std::fs::read(root.join(path)).map_err(|fault| format!("{path}: {fault}"))?;
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let start = seconds();
        let outline = Python.outline(bytes, path.as_bytes(), &Options::default());
        self.seconds += seconds() - start;
        self.bytes += bytes.len();
        let outline = match outline {
            Ok(outline) => outline,
            Err(fault) => {
                self.mismatch(format!("{path}: {fault:?}"));
                return Ok(());
            }
        };
        if outline.minified {
            self.leave_out("minified files", 1);
            return Ok(());
        }
        let mut left: BTreeMap<Definition, Vec<&Unit>> = BTreeMap::new();
        for unit in &outline.units {
            if unit.segment.kind == "doctest" {
                self.leave_out("doc examples", 1);
            } else if unit.segment.name == "__all__" {
                self.leave_out("the name __all__ itself", 1);
            } else {
                left.entry(definition(unit)).or_default().push(unit);
            }
        }
        for found in left.values_mut() {
            found.reverse();
        }
        let places = answer["places"] == true;
        for unit in answer["units"].as_array().expect("units") {
            let expected = expected(unit);
            if expected.name == "__all__" {
                continue;
            }
            // CPython brings names into one of several normal forms; the scanner takes them as they are.
            if !expected.name.is_ascii() || !expected.chain.is_ascii() {
                self.leave_out("names that are not ASCII", 1);
                continue;
            }
            self.definitions += 1;
            match left.get_mut(&expected).and_then(Vec::pop) {
                Some(found) => self.details(path, unit, found, places),
                None => self.mismatch(format!("{path}:{}: CPython only: {expected:?}", unit["lines"][0])),
            }
        }
        for (definition, units) in left {
            for unit in units
                .iter()
                .filter(|_| definition.name.is_ascii() && definition.chain.is_ascii())
            {
                self.mismatch(format!("{path}:{}: scanner only: {definition:?}", unit.lines.0));
            }
        }
        Ok(())
    }

    /// Equal hashes must mean equal things; what is written alike must have equal hashes.
    fn details(&mut self, path: &str, unit: &Value, found: &Unit, places: bool) {
        let text = |name: &str| unit[name].as_str().expect("text").to_owned();
        let place = format!("{path}:{}", found.lines.0);
        let kind = found.segment.kind.to_owned();
        let signature = text("signature");
        if !signature.is_empty() && kind != "import" {
            let here = (signature.clone(), place.clone());
            let known = self
                .by_hash
                .entry((kind.clone(), found.signature))
                .or_insert(here);
            if known.0 != signature {
                let what = format!(
                    "{place}: one hash for two signatures: {signature} / {} at {}",
                    known.0, known.1
                );
                self.mismatch(what);
            }
        }
        let squeezed = text("squeezed");
        if !squeezed.is_empty() {
            let here = (found.signature, place.clone());
            let known = self.by_text.entry((kind, squeezed.clone())).or_insert(here);
            if known.0 != found.signature {
                let what = format!(
                    "{place}: two hashes for one signature: {squeezed}, also at {}",
                    known.1
                );
                self.mismatch(what);
            }
        }
        let body = text("body");
        if let Some(own) = found.body.as_ref().filter(|_| !body.is_empty()) {
            let known = self
                .by_body
                .entry(own.hash)
                .or_insert((body.clone(), place.clone()));
            if known.0 != body {
                let what = format!("{place}: one hash for two bodies, also at {}", known.1);
                self.mismatch(what);
            }
        }
        let lines = [&unit["lines"][0], &unit["lines"][1]].map(|line| line.as_u64().unwrap_or_default());
        let own = [u64::from(found.lines.0), u64::from(found.lines.1)];
        if places && lines[0] > 0 && lines != own {
            self.mismatch(format!("{place}: lines {own:?}, CPython says {lines:?}"));
        }
    }

    fn leave_out(&mut self, what: &str, count: usize) {
        *self.out_of_scope.entry(what.to_owned()).or_default() += count;
    }

    fn mismatch(&mut self, text: String) {
        self.mismatches += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(text);
        }
    }

    fn print(&self) {
        for text in &self.shown {
            println!("{text}");
        }
        println!("out of scope:");
        for (what, count) in &self.out_of_scope {
            println!("  {count} {what}");
        }
        println!(
            "{} signatures and {} bodies in {} files",
            self.by_hash.len(),
            self.by_body.len(),
            self.files
        );
        println!(
            "{} bytes at {:.0} MB/s on one core, reading left out",
            self.bytes,
            self.bytes as f64 / 1e6 / self.seconds
        );
        println!(
            "python: {} mismatches over {} definitions",
            self.mismatches, self.definitions
        );
    }
}

fn definition(unit: &Unit) -> Definition {
    let chain = unit.chain.iter();
    Definition {
        chain: chain
            .map(|segment| format!("{} {}", segment.kind, segment.name))
            .collect::<Vec<_>>()
            .join(" > "),
        kind: unit.segment.kind.to_owned(),
        name: unit.segment.name.clone(),
        public: unit.visibility == Visibility::Public,
        role: match unit.role {
            Role::Test => "test",
            Role::Suite => "suite",
            _ => "",
        },
    }
}

fn expected(unit: &Value) -> Definition {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let chain = unit["chain"].as_array().expect("a chain").iter();
    Definition {
        chain: chain.map(text).collect::<Vec<_>>().join(" > "),
        kind: text(&unit["kind"]),
        name: text(&unit["name"]),
        public: unit["public"] == true,
        role: match unit["role"].as_str() {
            Some("test") => "test",
            Some("suite") => "suite",
            _ => "",
        },
    }
}
