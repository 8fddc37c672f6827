//! The commands of a final review in a tree of 10,000 files; exit code 1 when a goal is missed.
//!
//! `cargo bench --bench review` prints for each goal the median time and what is allowed. `review packet` is allowed
//! 100 ms beyond the baseline that is part of it; `review record` and `review show`, with 200 events, 50 ms each.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark runs programs, writes files, reads the clock and prints; it stops at the first failure"
)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_git-review-gate");

/// How often each command is run; the median counts.
const RUNS: usize = 9;

/// How many events the review has when `show` is measured.
const EVENTS: usize = 200;

fn main() -> ExitCode {
    // `cargo test --benches` only asks whether it runs.
    if std::env::args().any(|arg| arg == "--test") {
        return ExitCode::SUCCESS;
    }
    let dir = tempfile::tempdir().unwrap();
    let review = repository(dir.path());
    let baseline = median(|| gate(dir.path(), &["baseline", "main"], "").0);
    let packet = median(|| gate(dir.path(), &["review", "packet"], "").0);
    let reply = reply(&review);
    let record = median(|| gate(dir.path(), &["review", "record", "-"], &reply).0);
    while events(dir.path()) < EVENTS {
        gate(dir.path(), &["review", "record", "-"], &reply);
    }
    let show = median(|| gate(dir.path(), &["review", "show"], "").0);
    let beyond = packet.saturating_sub(baseline);
    let goals = [
        goal("packet beyond the baseline", beyond, 100),
        goal("record", record, 50),
        goal("show", show, 50),
    ];
    if goals.into_iter().all(|met| met) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn goal(what: &str, took: Duration, allowed: u64) -> bool {
    let met = took <= Duration::from_millis(allowed);
    let word = if met { "met" } else { "MISSED" };
    println!(
        "{what:<28} {:>8.1} ms, {allowed} ms allowed: {word}",
        took.as_secs_f64() * 1000.0
    );
    met
}

fn median(mut once: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| once()).collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// A branch under review in a tree of 10,000 files; the id of the review.
fn repository(dir: &Path) -> String {
    git(dir, &["init", "-q", "-b", "main"]);
    for number in 0..10_000 {
        let folder = dir.join(format!("d{}", number / 100));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("f{number}.txt")), format!("{number}\n")).unwrap();
    }
    std::fs::create_dir(dir.join("src")).unwrap();
    std::fs::write(dir.join("Cargo.toml"), "[package]\nname = \"large\"\n").unwrap();
    std::fs::write(dir.join("src/lib.rs"), "pub fn one() {}\n").unwrap();
    commit(dir, "Start");
    git(dir, &["checkout", "-q", "-b", "topic"]);
    std::fs::write(dir.join("src/lib.rs"), "pub fn one() {}\npub fn two() {}\n").unwrap();
    std::fs::write(dir.join("spec.md"), "# Two\n").unwrap();
    commit(dir, "Add two");
    let start = [
        "review",
        "start",
        "--contract",
        "spec.md",
        "--criterion",
        "AC-1: there is a two",
    ];
    let (_, started) = gate(dir, &start, "");
    let review = started.strip_prefix("Review ").unwrap();
    review.split(' ').next().unwrap().to_owned()
}

fn commit(dir: &Path, message: &str) {
    git(dir, &["add", "--all"]);
    git(dir, &["commit", "-q", "-m", message]);
}

fn reply(review: &str) -> String {
    let pass = |dimension: &str| {
        serde_json::json!({
            "dimension": dimension, "verdict": "pass", "summary": "Looked at.", "evidence": [],
            "confidence": "high",
        })
    };
    serde_json::json!({
        "rid": review,
        "generatedAt": "2026-12-01T12:00:00Z",
        "dimensions": [
            pass("functional-completeness"), pass("problem-resolution"),
            pass("no-new-bugs"), pass("existing-functionality-intact"),
        ],
        "overallSummary": "Looked at.",
    })
    .to_string()
}

fn events(dir: &Path) -> usize {
    git(dir, &["notes", "--ref=review-gate/reviews", "show", "HEAD"])
        .lines()
        .count()
}

/// Runs the built binary, with this on its standard input; how long it took, and what it printed.
fn gate(dir: &Path, args: &[&str], input: &str) -> (Duration, String) {
    let started = Instant::now();
    let mut child = command(BINARY, dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let took = started.elapsed();
    assert_ne!(output.status.code(), Some(2), "{args:?} is undecided");
    (took, String::from_utf8(output.stdout).unwrap())
}

fn git(dir: &Path, args: &[&str]) -> String {
    let output = command("git", dir).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn command(program: &str, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for (name, value) in [("NAME", "Bench"), ("EMAIL", "bench@example.org")] {
        command
            .env(format!("GIT_AUTHOR_{name}"), value)
            .env(format!("GIT_COMMITTER_{name}"), value);
    }
    command
}
