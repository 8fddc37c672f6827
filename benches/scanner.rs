//! How fast the Rust scanner is on one core, over the sources of this package's dependencies.
//!
//! `cargo bench --bench scanner` prints the figure, and exits with 1 when it is under 100 MB/s.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement asks cargo for its sources, reads the clock, and prints what it found"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use git_review_gate::structure::lang::rust::Rust;
use git_review_gate::structure::outline::{Options, Outline};

/// The goal, in megabytes (10^6 bytes) of source each second.
const GOAL: f64 = 100.0;

/// Rounds over all sources; the fastest counts, for whatever else the machine does only slows the others down.
const ROUNDS: usize = 7;

/// Sources beyond this many bytes are left out: more would only take longer.
const ENOUGH: usize = 60_000_000;

fn main() -> ExitCode {
    let files = match sources() {
        Ok(files) => files,
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::from(2);
        }
    };
    let bytes: usize = files.iter().map(Vec::len).sum();
    let options = Options {
        package: Some(Vec::new()),
        ..Options::default()
    };
    let mut units = 0;
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = CpuTime::now();
            units = 0;
            for file in &files {
                // A file that cannot be measured was read all the same.
                if let Ok(outline) = Rust.outline(black_box(file), b"src/lib.rs", &options) {
                    units += black_box(outline).units.len();
                }
            }
            #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
            let megabytes = bytes as f64 / 1e6;
            megabytes / start.seconds()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let (slowest, median, fastest) = (rates[0], rates[ROUNDS / 2], rates[ROUNDS - 1]);
    println!(
        "rust: {fastest:.0} MB/s on one core (fastest of {ROUNDS} rounds; median {median:.0}, slowest {slowest:.0}; {} files, {bytes} bytes, {units} units; goal {GOAL:.0})",
        files.len(),
    );
    ExitCode::from(u8::from(fastest < GOAL))
}

/// The time this thread spent on a core; the time of day where the system does not tell.
enum CpuTime {
    Thread(f64),
    Clock(Instant),
}

impl CpuTime {
    fn now() -> Self {
        thread_seconds().map_or_else(|| Self::Clock(Instant::now()), Self::Thread)
    }

    fn seconds(&self) -> f64 {
        match self {
            Self::Thread(start) => thread_seconds().expect("the system told it before") - start,
            Self::Clock(start) => start.elapsed().as_secs_f64(),
        }
    }
}

/// What Linux says about the running thread: other programs on the same core do not count.
fn thread_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    (nanoseconds > 0.0).then_some(nanoseconds / 1e9)
}

/// All Rust files of the packages that this one depends on, in a fixed order.
fn sources() -> Result<Vec<Vec<u8>>, String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(|fault| format!("cargo metadata: {fault}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|fault| fault.to_string())?;
    let mut paths = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        if let (true, Some(manifest)) = (package["source"].is_string(), package["manifest_path"].as_str())
            && let Some(folder) = Path::new(manifest).parent()
        {
            add_paths(folder, &mut paths)?;
        }
    }
    paths.sort();
    let mut files = Vec::new();
    let mut bytes = 0;
    for path in paths {
        let file = std::fs::read(&path).map_err(|fault| format!("{}: {fault}", path.display()))?;
        bytes += file.len();
        files.push(file);
        if bytes > ENOUGH {
            break;
        }
    }
    Ok(files)
}

fn add_paths(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|fault| format!("{}: {fault}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|fault| fault.to_string())?;
        let kind = entry.file_type().map_err(|fault| fault.to_string())?;
        let path = entry.path();
        if kind.is_dir() {
            add_paths(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}
