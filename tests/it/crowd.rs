//! Many writers at once, and writers that are killed: what the ordinary run and the stress run share.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;

use crate::support::{Repo, World};

const FINDINGS: &str = "refs/notes/review-gate/findings";

/// A repository on a topic branch, and as many linked worktrees of it, each on a branch of its own.
pub fn worktrees(world: &World, count: usize) -> Vec<Repo> {
    let main = world.repo("project");
    main.write("src/lib.rs", "pub fn f() {}\n");
    main.commit("Add f");
    (0..count)
        .map(|n| {
            let name = format!("tree-{n}");
            let dir = world.path(&name);
            main.git(["worktree", "add", "-q", "-b", &name, dir.to_str().expect("UTF-8")]);
            let tree = world.at(&name);
            tree.commit("Work");
            tree
        })
        .collect()
}

/// Starts `finding add` for a finding of this text.
fn add(there: &Repo, text: &str) -> Child {
    let args = [
        "finding",
        "add",
        "--origin",
        "qa",
        "--severity",
        "minor",
        "--expected",
        "it holds",
        "--actual",
        text,
    ];
    let mut command = there.gate(args).into_command();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// The texts of all findings in the ledger, as git alone reads them. Fails on a line that stands twice.
fn texts(there: &Repo) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for note in there.git(["notes", "--ref", FINDINGS, "list"]).lines() {
        let (blob, _) = note.split_once(' ').expect("blob and object");
        for line in there.git(["cat-file", "blob", blob]).lines() {
            let event: serde_json::Value = serde_json::from_str(line).expect("an event");
            let text = event["body"]["actual"].as_str().expect("a finding").to_owned();
            assert!(texts.insert(text), "twice: {line}");
        }
    }
    texts
}

/// So many processes file so many findings each, from several worktrees at once: all of them are there.
pub fn all_findings_of_a_crowd_are_kept(trees: usize, processes: usize, findings: usize) {
    let world = World::new();
    let trees = worktrees(&world, trees);
    thread::scope(|scope| {
        for process in 0..processes {
            let there = &trees[process % trees.len()];
            scope.spawn(move || {
                for n in 0..findings {
                    let child = add(there, &format!("broken {process}/{n}"));
                    let output = child.wait_with_output().expect("it ends");
                    let said = String::from_utf8_lossy(&output.stderr);
                    assert_eq!(output.status.code(), Some(0), "{said}");
                }
            });
        }
    });
    assert_eq!(texts(&trees[0]).len(), processes * findings);
    trees[0].gate(["fsck"]).run().code(0);
    trees[0].git(["fsck", "--strict"]);
}

/// Up to where a writer is let live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// It is killed right away.
    Start,
    /// Its events are on the disk.
    Pending,
    /// It has staged the new value of a ref.
    Staged,
    /// It holds the lock of a ref.
    Locked,
    /// The ref has moved.
    Moved,
}

impl Until {
    const ALL: [Self; 5] = [
        Self::Start,
        Self::Pending,
        Self::Staged,
        Self::Locked,
        Self::Moved,
    ];

    fn is_reached(self, dir: &Path, pid: u32, before: &str) -> bool {
        let starts_with = |folder: &str, prefix: String| {
            std::fs::read_dir(dir.join(folder)).is_ok_and(|entries| {
                entries
                    .flatten()
                    .any(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
            })
        };
        match self {
            Self::Start => true,
            Self::Pending => starts_with("review-gate/pending", format!("{pid}-0.jsonl")),
            Self::Staged => starts_with("review-gate/refs", format!("ref_{pid}_")),
            Self::Locked => dir.join(format!("{FINDINGS}.lock")).exists(),
            Self::Moved => std::fs::read_to_string(dir.join(FINDINGS)).is_ok_and(|now| now != before),
        }
    }
}

/// So many writers are killed, each at another point of its work: what was safe once is there in the end.
pub fn nothing_is_lost_by_kills(kills: usize) {
    let world = World::new();
    let there = &worktrees(&world, 1)[0];
    let dir = world.path("project/.git");
    add(there, "the first").wait().expect("it ends");
    let mut safe = BTreeSet::from(["the first".to_owned()]);
    let mut killed = 0;
    for n in 0..kills {
        let text = format!("broken {n}");
        let until = Until::ALL[n % Until::ALL.len()];
        let before = std::fs::read_to_string(dir.join(FINDINGS)).expect("the ref");
        let mut child = add(there, &text);
        // Not all points are seen in time by one who only looks: then the writer ends by itself.
        let mut looks = 0;
        let ended = loop {
            let pending = Until::Pending.is_reached(&dir, child.id(), &before);
            if pending {
                safe.insert(text.clone());
            }
            if until.is_reached(&dir, child.id(), &before) {
                looks += 1;
                // The same point, a little later each time.
                if looks > n / Until::ALL.len() % 7 {
                    break false;
                }
            }
            if let Some(status) = child.try_wait().expect("a child") {
                assert!(status.success(), "{until:?}");
                break true;
            }
            thread::yield_now();
        };
        if ended {
            safe.insert(text);
        } else {
            // It may have ended in this very moment.
            child.kill().expect("a child that was not waited for");
            killed += usize::from(child.wait().expect("it ends").code().is_none());
        }
    }
    assert!(killed * 2 > kills, "only {killed} of {kills} were killed in time");
    // The next command of any kind finishes what was left.
    there.gate(["finding", "list"]).run().code(0);
    let found = texts(there);
    let lost: Vec<_> = safe.difference(&found).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
    there.gate(["fsck"]).run().code(0);
    there.git(["fsck", "--strict"]);
    assert_eq!(
        std::fs::read_dir(dir.join("review-gate/pending"))
            .expect("folder")
            .count(),
        0
    );
}
