//! The baseline command against `git diff --numstat -M` on the same range, in one run.
//!
//! Without an argument it makes a repository from the sources of published crates found below the cargo home: the
//! tree before holds some of the largest, and the tree after edits a part of the Rust files. With arguments `PATH BASE HEAD`
//! it measures that range of that repository. Prints both medians and their ratio; exit code 1 above 1.5.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a benchmark prints its figures, and runs programs against the clock"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 10;
const LIMIT: f64 = 1.5;

/// So many packages are in the tree, and so many of their Rust files change.
const PACKAGES: usize = 8;
const CHANGED: usize = 240;

/// Larger files are generated tables and bindings, which nobody edits.
const MAX_FILE: u64 = 80_000;

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let made = tempfile::tempdir().expect("a temporary folder");
    let (repo, base, head) = match &args[..] {
        [repo, base, head] => (PathBuf::from(repo), base.clone(), head.clone()),
        [] => (
            made_repository(made.path()),
            "HEAD^1".to_owned(),
            "HEAD".to_owned(),
        ),
        _ => {
            eprintln!("usage: baseline [PATH BASE HEAD]");
            return ExitCode::from(2);
        }
    };
    let binary = env!("CARGO_BIN_EXE_git-review-gate");
    let ours = || {
        run(
            &repo,
            binary,
            &["baseline", "--tip", &base, &head, "--format", "json"],
        )
    };
    let git = || run(&repo, "git", &["diff", "--numstat", "-M", &base, &head]);
    let (_, listed) = git();
    println!("{} changed files", listed.lines().count());
    // One round to warm the disk cache, then both by turns, so that what else goes on hits both.
    ours();
    let (mut our_times, mut git_times) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        our_times.push(ours().0);
        git_times.push(git().0);
    }
    let (ours, git) = (median(our_times), median(git_times));
    let ratio = ours.as_secs_f64() / git.as_secs_f64();
    println!(
        "git review-gate baseline   {:7.1} ms (median of {RUNS})",
        ours.as_secs_f64() * 1000.0
    );
    println!(
        "git diff --numstat -M      {:7.1} ms (median of {RUNS})",
        git.as_secs_f64() * 1000.0
    );
    println!("ratio {ratio:.2}, at most {LIMIT} allowed");
    if ratio > LIMIT {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn run(repo: &Path, program: &str, args: &[&str]) -> (Duration, String) {
    let start = Instant::now();
    let output = Command::new(program)
        .args(args)
        .current_dir(repo)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let taken = start.elapsed();
    let verdict =
        output.status.code() == Some(0) || (output.status.code() == Some(2) && !output.stdout.is_empty());
    assert!(
        verdict,
        "{program} {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    (taken, String::from_utf8_lossy(&output.stdout).into_owned())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    let half = times.len() / 2;
    (times[half - 1] + times[half]) / 2
}

/// A repository of published sources with one commit that edits, renames, adds and removes Rust files.
fn made_repository(folder: &Path) -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let user = std::env::var_os("HOME")?;
        Some(PathBuf::from(user).join(".cargo"))
    });
    let sources = home.expect("CARGO_HOME or HOME is set").join("registry/src");
    let files = largest_packages(&sources);
    assert!(
        files.len() > CHANGED,
        "too few sources below {}",
        sources.display()
    );
    let name = |path: &Path| -> String {
        let below: Vec<_> = path
            .strip_prefix(&sources)
            .expect("below")
            .components()
            .skip(1)
            .collect();
        below
            .iter()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/")
    };
    let mut stream = commit(1, None);
    for path in &files {
        add(&mut stream, &name(path), &std::fs::read(path).expect("a source"));
    }
    stream.extend(commit(2, Some(1)));
    let sources_only: Vec<_> = files
        .iter()
        .filter(|path| !path.ends_with("Cargo.toml"))
        .collect();
    let step = sources_only.len() / CHANGED;
    for (number, path) in sources_only.into_iter().step_by(step).enumerate() {
        let name = name(path);
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a source")).into_owned();
        let edited = match number % 4 {
            0 => text.replacen("pub fn ", "pub(crate) fn ", 1),
            1 => text.replacen("assert", "let _ = 1; assert", 2),
            2 => format!("{text}\npub fn added_by_the_benchmark() {{}}\n"),
            _ => text.replacen("fn ", "fn renamed_", 3),
        };
        if number % 25 == 9 {
            stream.extend(format!("D {name}\n").into_bytes());
            add(&mut stream, &name.replace(".rs", "_moved.rs"), edited.as_bytes());
        } else {
            add(&mut stream, &name, edited.as_bytes());
        }
    }
    let repo = folder.join("repo");
    git(folder, &["init", "-q", "-b", "main", "repo"], &[]);
    git(&repo, &["fast-import", "--quiet"], &stream);
    git(&repo, &["repack", "-adq"], &[]);
    repo
}

/// The files of the packages with most of them, bindings to systems left out: those are generated.
fn largest_packages(sources: &Path) -> Vec<PathBuf> {
    let folders = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.is_dir())
            .collect()
    };
    let mut packages: Vec<Vec<PathBuf>> = folders(sources)
        .iter()
        .flat_map(|registry| folders(registry))
        .filter(|package| {
            let name = package.file_name().unwrap_or_default().to_string_lossy();
            !name.contains("-sys") && !name.starts_with("libc-")
        })
        .map(|package| {
            let mut files = Vec::new();
            collect(&package, &mut files);
            files.sort();
            files
        })
        .collect();
    packages.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    packages.truncate(PACKAGES);
    packages.concat()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            let small = path.metadata().is_ok_and(|meta| meta.len() <= MAX_FILE);
            let source = path.extension().is_some_and(|extension| extension == "rs");
            if (source && small) || path.ends_with("Cargo.toml") {
                files.push(path);
            }
        }
    }
}

fn commit(mark: u32, parent: Option<u32>) -> Vec<u8> {
    let mut head = format!(
        "commit refs/heads/main\nmark :{mark}\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx\n"
    );
    if let Some(parent) = parent {
        let _ = writeln!(head, "from :{parent}");
    }
    head.into_bytes()
}

fn add(stream: &mut Vec<u8>, path: &str, bytes: &[u8]) {
    stream.extend(format!("M 100644 inline {path}\ndata {}\n", bytes.len()).into_bytes());
    stream.extend_from_slice(bytes);
    stream.push(b'\n');
}

fn git(folder: &Path, args: &[&str], input: &[u8]) {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input)
        .expect("git reads");
    assert!(child.wait().expect("git ends").success(), "git {args:?}");
}
