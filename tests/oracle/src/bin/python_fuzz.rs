//! Damages real Python files and scans them: nothing may panic, nothing may take over a second a megabyte.
//!
//! `cargo run --release --manifest-path tests/oracle/Cargo.toml --bin python_fuzz [SECONDS [FOLDER]]`; without a
//! folder the standard library of the `python3` on the path is taken. A failure names the seed of the damaged file.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use git_review_gate::structure::lang::python::Python;
use git_review_gate::structure::outline::{Options, Outline};

/// What is put into a damaged file.
const PIECES: [&str; 32] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "f\"{",
    "f'''{",
    ":",
    "\\\n",
    "\n",
    "\r",
    "\n    ",
    "\n\t",
    "#",
    "def ",
    "class A",
    "@",
    "lambda ",
    "import ",
    "__all__ = ",
    "assert ",
    "except:\n ",
    "=",
    "...",
    ",",
    "\0",
    "\u{e9}",
];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let limit: f64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(10.0);
    let folder = args
        .next()
        .map_or_else(library, |folder| Some(PathBuf::from(folder)));
    let Some(folder) = folder else {
        eprintln!("error: no python3");
        return ExitCode::from(2);
    };
    let mut files = Vec::new();
    add_files(&folder, &mut files);
    files.sort();
    if files.is_empty() {
        eprintln!("error: no files below {}", folder.display());
        return ExitCode::from(2);
    }
    let (mut runs, mut refused, mut units, mut bytes) = (0_u64, 0_u64, 0_usize, 0_usize);
    let mut slowest = (0.0, 0);
    let start = seconds();
    while seconds() - start < limit {
        runs += 1;
        let mut random = Random(runs.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let Ok(mut source) = std::fs::read(&files[random.below(files.len())]) else {
            continue;
        };
        damage(&mut source, &mut random);
        bytes += source.len();
        let before = seconds();
        match std::panic::catch_unwind(|| scan(&source)) {
            Ok(Some(found)) => units += found,
            Ok(None) => refused += 1,
            Err(_) => {
                eprintln!("error: seed {runs}");
                return ExitCode::from(1);
            }
        }
        let spent = (seconds() - before) / (source.len().max(100_000) as f64 / 1e6);
        if spent > slowest.0 {
            slowest = (spent, runs);
        }
    }
    println!(
        "python: {runs} damaged files, {bytes} bytes, {refused} refused, {units} units, slowest {:.2} s/MB (seed {})",
        slowest.0, slowest.1
    );
    ExitCode::from(u8::from(slowest.0 > 1.0))
}

/// Scans a file and everything in it; how many units there are, or `None` if it is refused.
fn scan(source: &[u8]) -> Option<usize> {
    let options = Options {
        test_file: true,
        doctests: true,
        ..Options::default()
    };
    let outline = Python.outline(source, b"src/a.py", &options).ok()?;
    for unit in &outline.units {
        assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= source.len());
        assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
        // Only tests and what they call are looked into; a class holds its methods.
        if unit.segment.kind != "class" {
            Python.test_body(source, unit, &[]);
        }
    }
    Some(outline.units.len())
}

fn damage(source: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        let at = random.below(source.len() + 1);
        let cut = (at + random.below(60)).min(source.len());
        match random.below(4) {
            // A part of the file again, somewhere else.
            0 => {
                let from = random.below(source.len() + 1);
                let to = (from + random.below(2000)).min(source.len());
                let part = source[from..to].to_vec();
                source.splice(at..cut, part);
            }
            1 => {
                let piece = PIECES[random.below(PIECES.len())].repeat(1 + random.below(3000));
                source.splice(at..at, piece.into_bytes());
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                source.splice(at..cut, piece.bytes());
            }
        }
    }
}

/// A small generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

fn library() -> Option<PathBuf> {
    let output = Command::new("python3")
        .args(["-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"])
        .output()
        .ok()?;
    Some(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|end| end == "py") {
            files.push(path);
        }
    }
}

/// What this thread spent on a core, in seconds.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or_default();
    nanoseconds / 1e9
}
