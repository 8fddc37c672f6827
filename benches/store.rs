//! The store and the gate against git itself, in one run; exit code 1 when a goal is missed.
//!
//! `cargo bench --bench store` prints for each goal the two times, their ratio and what is allowed. Only ratios are
//! judged: both sides run on the same machine, in the same repository, one after the other, and medians are compared.
//! A name after `--` (`many`, `union`, `one`, `check`) measures that alone.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark runs programs, writes files, reads the clock and prints; it stops at the first failure"
)]

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use git_review_gate::git::Repo;
use git_review_gate::git::identity::Identity;
use git_review_gate::ledger::codec;
use git_review_gate::ledger::refs::{Addition, NotesRef, Prefix};
use git_review_gate::ledger::store::{Author, Store};
use git_review_gate::model::event::{Body, EventDraft, Person, Raised, Subject};
use git_review_gate::model::finding::{FindingFields, Origin};
use git_review_gate::model::ids::{CommitId, Digest, Oid, TreeId};
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::severity::Severity;

const BINARY: &str = env!("CARGO_BIN_EXE_git-review-gate");
const FINDINGS: &str = "refs/notes/review-gate/findings";

fn main() -> ExitCode {
    // `cargo test --benches` only asks whether it runs.
    if std::env::args().any(|arg| arg == "--test") {
        return ExitCode::SUCCESS;
    }
    let dir = tempfile::tempdir().unwrap();
    let goals: [(&str, Goal); 4] = [
        ("many", many_events),
        ("union", union),
        ("one", one_finding),
        ("check", check),
    ];
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let mut missed = 0;
    for (name, goal) in goals {
        let is_asked = asked.is_empty() || asked.iter().any(|asked| asked == name);
        // All of them are measured, whichever is missed.
        if is_asked && !goal(&dir.path().join(name)) {
            missed += 1;
        }
    }
    if missed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Measures in a new folder and prints what it found; whether the goal is met.
type Goal = fn(&Path) -> bool;

/// 1,000 events in one write: at most 1/50 of 1,000 `git notes append`.
fn many_events(dir: &Path) -> bool {
    let repo = repository(dir, 1000);
    let commits: Vec<Oid> = git(dir, &["rev-list", "HEAD"])
        .lines()
        .map(|id| id.parse().unwrap())
        .collect();
    let lines: Vec<String> = (0..1000).map(|n| event(oid(n), n)).collect();
    let store = Store::new(&repo, Prefix::default());
    let additions = |round: usize| -> Vec<Addition> {
        let numbered = commits.iter().zip(&lines);
        numbered
            .map(|(anchor, line)| Addition {
                notes_ref: [NotesRef::Findings, NotesRef::Specs, NotesRef::Quality][round],
                anchor: *anchor,
                line: line.as_str().into(),
            })
            .collect()
    };
    let ours = median(3, |round| {
        let additions = additions(round);
        time(|| {
            store.write(additions, &author(), "Record").unwrap();
        })
    });
    // One after the other on other commits, as the notes grow; 200 of them, and that five times over.
    let theirs = time(|| {
        for (commit, line) in commits.iter().zip(&lines).take(200) {
            git(
                dir,
                &["notes", "--ref", "plain", "append", "-m", line, &commit.to_hex()],
            );
        }
    }) * 5;
    judge(
        "1,000 events in one write / 1,000 git notes append",
        ours,
        theirs,
        0.02,
    )
}

/// Uniting 1,000 changed notes a side at 100,000: at most `git notes merge -s cat_sort_uniq`.
fn union(dir: &Path) -> bool {
    let repo = repository(dir, 1);
    let store = Store::new(&repo, Prefix::default());
    let write = |range: std::ops::Range<usize>, text: usize| {
        let additions = range
            .map(|n| Addition {
                notes_ref: NotesRef::Findings,
                anchor: oid(n),
                line: event(oid(n), n + text).into(),
            })
            .collect();
        store.write(additions, &author(), "Record").unwrap();
        git(dir, &["rev-parse", FINDINGS])
    };
    let base = write(0..100_000, 0);
    let theirs = write(1000..2000, 1_000_000);
    reset(dir, &base);
    let ours = write(1500..2500, 2_000_000);
    let mine = median(3, |_| {
        reset(dir, &ours);
        let theirs: CommitId = theirs.parse().unwrap();
        time(|| {
            store
                .merge(NotesRef::Findings, theirs, &author(), "Unite")
                .unwrap();
        })
    });
    let united = git(dir, &["rev-parse", &format!("{FINDINGS}^{{tree}}")]);
    git(dir, &["update-ref", "refs/notes/theirs", &theirs]);
    let git_time = median(3, |_| {
        git(dir, &["update-ref", "refs/notes/ours", &ours]);
        time(|| {
            git(
                dir,
                &[
                    "notes",
                    "--ref",
                    "ours",
                    "merge",
                    "-q",
                    "-s",
                    "cat_sort_uniq",
                    "theirs",
                ],
            );
        })
    });
    assert_eq!(
        united,
        git(dir, &["rev-parse", "refs/notes/ours^{tree}"]),
        "equal results"
    );
    judge(
        "union of 1,000 notes a side at 100,000 / git notes merge",
        mine,
        git_time,
        1.0,
    )
}

/// One `finding add`: at most twice one `git notes append`.
fn one_finding(dir: &Path) -> bool {
    repository(dir, 3);
    git(dir, &["checkout", "-q", "-b", "topic"]);
    let line = event(oid(1), 1);
    // Turn about: what else the disk has to do meets both alike.
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for n in 0..31 {
        let actual = format!("it does not hold, {n} times");
        let filed = [
            "finding",
            "add",
            "--origin",
            "qa",
            "--severity",
            "minor",
            "--expected",
            "it holds",
            "--actual",
            &actual,
        ];
        ours.push(time(|| gate(dir, &filed)));
        theirs.push(time(|| {
            git(dir, &["notes", "--ref", "plain", "append", "-m", &line]);
        }));
    }
    let (ours, theirs) = (middle(ours), middle(theirs));
    judge("finding add / git notes append", ours, theirs, 2.0)
}

/// `check` with a warm index and no diff work, at 10,000 and 100,000 notes: at most twice `git log -1`.
fn check(dir: &Path) -> bool {
    let repo = repository(dir, 50);
    std::fs::write(
        dir.join(".review-gate.toml"),
        "version = 1\nbase = \"main\"\n[[gate]]\nrefs = [\"*\"]\nbaseline = \"off\"\n",
    )
    .unwrap();
    git(dir, &["add", "."]);
    git(dir, &["commit", "-q", "-m", "Policy"]);
    git(dir, &["checkout", "-q", "-b", "topic"]);
    for n in 0..5 {
        git(
            dir,
            &["commit", "-q", "--allow-empty", "-m", &format!("work {n}")],
        );
    }
    let store = Store::new(&repo, Prefix::default());
    let mut met = true;
    for count in [10_000, 100_000] {
        let additions = (0..count)
            .map(|n| Addition {
                notes_ref: NotesRef::Findings,
                anchor: oid(n),
                line: event(oid(n), n).into(),
            })
            .collect();
        store.write(additions, &author(), "Record").unwrap();
        gate(dir, &["check"]);
        let mut pairs: Vec<(Duration, Duration)> = (0..41)
            .map(|_| {
                let theirs = time(|| {
                    git(dir, &["log", "-1"]);
                });
                (time(|| gate(dir, &["check"])), theirs)
            })
            .collect();
        pairs.sort();
        let ours = pairs[pairs.len() / 2].0;
        pairs.sort_by_key(|pair| pair.1);
        let theirs = pairs[pairs.len() / 2].1;
        met &= judge(&format!("check at {count} notes / git log -1"), ours, theirs, 2.0);
    }
    met
}

/// Prints a line, and whether the goal is met.
fn judge(what: &str, ours: Duration, theirs: Duration, allowed: f64) -> bool {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    let met = ratio <= allowed;
    println!(
        "{} {what}: {:.2} ms / {:.2} ms = {ratio:.3}, allowed {allowed}",
        if met { "ok  " } else { "MISS" },
        ours.as_secs_f64() * 1000.0,
        theirs.as_secs_f64() * 1000.0
    );
    met
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(rounds: usize, round: impl FnMut(usize) -> Duration) -> Duration {
    middle((0..rounds).map(round).collect())
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A repository with so many commits on `main`.
fn repository(dir: &Path, commits: usize) -> Repo {
    std::fs::create_dir_all(dir).unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    for (key, value) in [
        ("user.name", "Alice"),
        ("user.email", "alice@example.org"),
        ("gc.auto", "0"),
    ] {
        git(dir, &["config", key, value]);
    }
    let mut stream = String::new();
    for n in 0..commits {
        let message = format!("change {n}");
        stream.push_str(&format!(
            "commit refs/heads/main\ncommitter Alice <alice@example.org> {} +0000\ndata {}\n{message}\nM 644 inline file\ndata {}\n{message}\n",
            1_700_000_000 + n,
            message.len(),
            message.len()
        ));
    }
    run(dir, "git", &["fast-import", "--quiet"], &stream);
    git(dir, &["reset", "-q", "--hard"]);
    Repo::open_at(dir).unwrap()
}

/// Puts ref and mark back, so that nothing counts as lost.
fn reset(dir: &Path, tip: &str) {
    git(dir, &["update-ref", FINDINGS, tip]);
    git(dir, &["update-ref", "refs/review-gate/seen/findings", tip]);
}

fn git(dir: &Path, args: &[&str]) -> String {
    run(dir, "git", args, "")
}

/// The exit code is no matter here: a blocked gate has decided, too.
fn gate(dir: &Path, args: &[&str]) {
    let output = Command::new(BINARY).args(args).current_dir(dir).output().unwrap();
    assert_ne!(
        output.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn run(dir: &Path, program: &str, args: &[&str], input: &str) -> String {
    use std::io::Write as _;
    let mut child = Command::new(program)
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn author() -> Author {
    Author {
        who: Identity {
            name: "Alice".to_owned(),
            email: "alice@example.org".to_owned(),
        },
        at: 1_700_000_000,
    }
}

/// An id made of a number, spread like real ones.
fn oid(n: usize) -> Oid {
    let mut word = u64::try_from(n).unwrap();
    let mut raw = Vec::new();
    for _ in 0..3 {
        word = (word ^ word >> 31)
            .wrapping_add(0x9e37_79b9_7f4a_7c15)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        raw.extend_from_slice(&word.to_be_bytes());
    }
    Oid::from_bytes(&raw[..20]).unwrap()
}

/// The line of a finding, as `finding add` makes them.
fn event(anchor: Oid, n: usize) -> String {
    let fields = FindingFields {
        severity: Severity::Major,
        expected: "429 on request 101".to_owned(),
        actual: format!("request {n} also gets 429"),
        file: Some("src/api.rs".to_owned()),
        line: Some(88),
        criterion: None,
        fix: Some("use > instead of >=".to_owned()),
        evidence: None,
    };
    let draft = EventDraft {
        after: Vec::new(),
        at: "2026-11-30T20:14:00Z".to_owned(),
        by: Person {
            email: "alice@example.org".to_owned(),
            name: "Alice".to_owned(),
        },
        subject: Subject {
            base: CommitId(anchor),
            change: Some(Digest([u8::try_from(n % 251).unwrap(); 32])),
            commit: CommitId(anchor),
            tree: TreeId(oid(n + 10_000_000)),
        },
        body: Body::Raised(Box::new(Raised {
            finding: fields.identity(),
            review: Some(ReviewId(format!("topic-{}", n % 1000))),
            origin: Origin("qa".to_owned()),
            fields,
        })),
    };
    codec::encode(&draft).unwrap().line.to_string()
}
