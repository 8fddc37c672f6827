//! `git review-gate review packet`: what a reviewer reads, from one commit and the ledger alone.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::generated::assert_valid;
use crate::scene::{Scene, says, text};
use crate::support::{Ran, Repo};

const REVIEWS: &str = "refs/notes/review-gate/reviews";
const GOAL: &str = "{\"criteria\": [{\"id\": \"AC-1\", \"text\": \"it works\"}], \"contract\": \"spec.md\"}";

/// A scene with an open review of `topic`, and the id of that.
fn under_review(policy: Option<&str>) -> (Scene, String) {
    let scene = Scene::with_policy(policy);
    scene.repo.write("spec.md", "# What is asked\n");
    scene.repo.commit("Specify");
    let started = scene
        .repo
        .say("review start --format json --goal -", [])
        .stdin(GOAL)
        .run()
        .code(0);
    let review = text(&started.json(), "review");
    (scene, review)
}

fn packet(repo: &Repo) -> Ran {
    repo.say("review packet", []).run().code(0)
}

/// The status lines of a packet by key.
#[track_caller]
fn status(ran: &Ran, key: &str) -> String {
    let mut lines = ran.stdout.lines();
    let is_head =
        |line: &&str| line.split_once("] ").is_some_and(|(_, name)| name == key) && line.starts_with('[');
    lines
        .find(is_head)
        .unwrap_or_else(|| panic!("no source {key}: {ran}"));
    let status = lines.find(|line| line.starts_with("STATUS: ")).unwrap();
    status.to_owned()
}

fn kinds(repo: &Repo, kind: &str) -> Vec<(String, Value)> {
    let mut events = repo.events(REVIEWS);
    events.retain(|(_, event)| event["kind"] == kind);
    events
}

#[test]
fn equal_commit_goal_policy_and_events_give_equal_bytes() {
    let (Scene { world, repo, .. }, review) = under_review(None);
    let first = packet(&repo);
    let (anchor, event) = kinds(&repo, "review.packet").remove(0);
    assert_eq!(anchor, repo.rev("HEAD"));
    let id = text(&event["body"], "packet");
    says(&first, &[&format!("PACKET: {id}"), &format!("REVIEW: {review}")]);
    // The same packet is not stored again, and being stored changes nothing.
    let tips = repo.tips();
    assert_eq!(packet(&repo).stdout, first.stdout);
    assert_eq!(repo.tips(), tips);

    // Another place, another branch checked out, other refs: the same bytes.
    let bare = world.bare("remote");
    repo.git(["remote", "add", "origin", bare.dir.to_str().unwrap()]);
    repo.git(["push", "-q", "origin", "main", "topic"]);
    repo.say("sync", []).run().code(0);
    let other = world.clone_of(&bare, "elsewhere/other", &["--branch", "topic"]);
    other.git(["branch", "main", "origin/main"]);
    other.say("sync", []).run().code(0);
    assert_eq!(packet(&other).stdout, first.stdout);
    other.git(["checkout", "-q", "--detach", "main"]);
    let ran = other
        .say("review packet --rev topic --review", [&*review])
        .run()
        .code(0);
    assert_eq!(ran.stdout, first.stdout);
    other.say("review packet", []).run().code(2);

    // A finding makes it another packet, a change of the work tree does not.
    repo.write("work.txt", "changed\n");
    let dirty = packet(&repo);
    assert_eq!(dirty.stdout, first.stdout);
    says(&dirty, &["warning: ", "the work tree has changes"]);
    repo.git(["checkout", "-q", "work.txt"]);
    repo.raise("bad");
    let changed = packet(&repo);
    assert_ne!(changed.stdout, first.stdout);
    says(
        &changed,
        &[
            "1 open, 0 addressed, 0 waived, 0 verified",
            "(major) — good → bad",
        ],
    );
    assert_eq!(kinds(&repo, "review.packet").len(), 2);
}

#[test]
fn the_forms_of_a_packet_agree() {
    let (Scene { world, repo, .. }, review) = under_review(None);
    let text_form = packet(&repo).stdout;
    let ran = repo.say("review packet --format json", []).run().code(0);
    assert_valid(&world, &ran);
    let json = ran.json();
    assert_eq!(json["prompt"], *text_form);
    let stored = &kinds(&repo, "review.packet")[0].1["body"];
    for key in [
        "packet",
        "manifest",
        "delivered",
        "conclusions",
        "reachability",
        "baseline_status",
    ] {
        assert_eq!(json[key], stored[key], "{key}");
    }
    assert_eq!(stored["review"], *review);
    assert_eq!(
        json["delivered"]["functional-completeness"],
        json!(["scope-contract"])
    );
    let written = repo.say("review packet --output ../packet.txt", []).run().code(0);
    assert_eq!(written.stdout.trim(), json["packet"]);
    assert_eq!(repo.read("../packet.txt"), text_form);
    // A link at that place is replaced, what it points to stays.
    repo.write("../target.txt", "kept");
    symlink("target.txt", world.path("link.txt")).unwrap();
    repo.say("review packet --output ../link.txt", []).run().code(0);
    assert_eq!(repo.read("../target.txt"), "kept");
    assert_eq!(repo.read("../link.txt"), text_form);
}

#[test]
fn every_state_of_a_source_is_told_apart() {
    let states: [(&str, Option<&[u8]>, &str); 6] = [
        ("plain", Some(b"text"), "FOUND at ev/plain — 4 bytes"),
        (
            "none",
            None,
            "MISSING (missing) at ev/none — no such file in the tree",
        ),
        (
            "blank",
            Some(b" \n\xef\xbb\xbf"),
            "MISSING (empty) at ev/blank — 5 bytes, no text in them",
        ),
        ("nul", Some(b"a\0"), "UNREADABLE at ev/nul — contains a NUL byte"),
        (
            "latin",
            Some(b"caf\xe9"),
            "UNREADABLE at ev/latin — not UTF-8 (first bad byte at offset 3)",
        ),
        (
            "lfs",
            Some(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
            "UNREADABLE at ev/lfs — a Git LFS pointer, the content is not in the commit",
        ),
    ];
    let others = [
        ("folder", "UNREADABLE at ev/folder — a directory stands there"),
        ("link", "UNREADABLE at ev/link — a symbolic link, not followed"),
        (
            "below",
            "UNREADABLE at ev/linked/plain — a symbolic link, not followed",
        ),
        ("module", "UNREADABLE at ev/module — a submodule"),
        (
            "large",
            "UNREADABLE at ev/large — 16777217 bytes, more than the 16777216 that are read",
        ),
        ("gone", "UNREADABLE at ev/gone — the object is not in this clone"),
        ("here", "FOUND at ev/here — 9 bytes"),
    ];
    let mut policy = String::new();
    for key in states
        .iter()
        .map(|state| state.0)
        .chain(others.iter().map(|other| other.0))
    {
        let path = if key == "below" {
            "ev/linked/plain".to_owned()
        } else {
            format!("ev/{key}")
        };
        let from = if key == "here" { "worktree" } else { "tree" };
        policy.push_str(&format!(
            "[[evidence.source]]\nkey = \"{key}\"\npath = \"{path}\"\nsupports = [\"no-new-bugs\"]\nfrom = \"{from}\"\n"
        ));
    }
    let (Scene { repo, .. }, _) = under_review(Some(&policy));
    for (key, content, _) in states {
        if let Some(content) = content {
            repo.write(&format!("ev/{key}"), content);
        }
    }
    repo.write("ev/folder/x", "x");
    symlink("plain", repo.dir.join("ev/link")).unwrap();
    symlink("../ev", repo.dir.join("ev/linked")).unwrap();
    repo.write("ev/large", vec![b'a'; 16_777_217]);
    repo.write("ev/gone", "gone");
    repo.git(["add", "--all"]);
    repo.git([
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{},ev/module", repo.rev("main")),
    ]);
    let gone = repo.rev(":ev/gone");
    repo.git(["commit", "-q", "-m", "Evidence"]);
    repo.write("ev/here", "untracked");
    std::fs::remove_file(
        repo.dir
            .join(format!(".git/objects/{}/{}", &gone[..2], &gone[2..])),
    )
    .unwrap();
    let ran = packet(&repo);
    for (key, _, expected) in states {
        assert_eq!(status(&ran, key), format!("STATUS: {expected}"), "{ran}");
    }
    for (key, expected) in others {
        assert_eq!(status(&ran, key), format!("STATUS: {expected}"));
    }
    assert!(ran.stdout.contains("FROM: work tree"));
    assert!(ran.stdout.contains("untracked"));
}

#[test]
fn a_contract_that_is_gone_is_not_one_that_was_never_named() {
    let (Scene { repo, .. }, _) = under_review(None);
    says(
        &packet(&repo),
        &["CONTRACT: unchanged since the review was opened"],
    );
    repo.write("spec.md", "# Less is asked\n");
    repo.commit("Ask for less");
    says(&packet(&repo), &["CONTRACT: changed since the review was opened"]);
    repo.git(["rm", "-q", "spec.md"]);
    repo.commit("Drop it");
    let ran = packet(&repo);
    assert_eq!(
        status(&ran, "scope-contract"),
        "STATUS: MISSING (not in tree) at spec.md — the goal names this file, the commit under review does not contain it"
    );
    repo.say("review start --replace --criterion", ["AC-1: it works"])
        .run()
        .code(0);
    let ran = packet(&repo);
    says(&ran, &["CONTRACT: none"]);
    assert_eq!(
        status(&ran, "scope-contract"),
        "STATUS: MISSING (missing) — the goal names no contract"
    );
}

#[test]
fn the_branch_chooses_neither_sources_nor_budget() {
    let policy = "[evidence]\ntotal_bytes = 8192\n[[evidence.source]]\nkey = \"code-review\"\npath = \"cr/{review}.md\"\n";
    let (Scene { repo, .. }, review) = under_review(Some(policy));
    let before = packet(&repo);
    assert_eq!(
        status(&before, "code-review"),
        format!("STATUS: MISSING (missing) at cr/{review}.md — no such file in the tree")
    );
    repo.write(
        ".review-gate.toml",
        "[evidence]\ntotal_bytes = 1048576\n[[evidence.source]]\nkey = \"mine\"\npath = \"work.txt\"\nsupports = [\"no-new-bugs\"]\n",
    );
    repo.write(&format!("cr/{review}.md"), "x".repeat(3000));
    repo.commit("Choose");
    let ran = packet(&repo);
    assert!(!ran.stdout.contains("] mine"), "{ran}");
    assert_eq!(
        status(&ran, "code-review"),
        format!("STATUS: FOUND at cr/{review}.md — TRUNCATED, showing the first 2048 of 3000 bytes")
    );
}

#[test]
fn without_a_base_or_a_change_the_packet_says_why_there_is_no_baseline() {
    let (Scene { repo, .. }, _) = under_review(None);
    repo.git(["branch", "-q", "-f", "main", "topic"]);
    let ran = packet(&repo);
    says(&ran, &["STATUS: UNAVAILABLE (empty-range: "]);
    assert_eq!(
        status(&ran, "pre-post-diff"),
        "STATUS: MISSING (missing) — no baseline was computed"
    );
    repo.git(["branch", "-q", "-D", "main"]);
    says(&packet(&repo), &["STATUS: UNAVAILABLE (unknown-base: "]);
}

#[test]
fn what_cannot_be_told_apart_is_refused() {
    let (Scene { repo, .. }, review) = under_review(None);
    repo.git(["checkout", "-q", "main"]);
    let ran = repo.say("review packet --format json", []).run().code(2);
    assert_eq!(ran.json()["error"]["kind"], "no-review");
    repo.git(["checkout", "-q", "topic"]);
    // Merged notes bring two texts for one criterion.
    let (anchor, opened) = kinds(&repo, "review.opened").remove(0);
    let body = json!({
        "authorize": [], "criteria": [{"id": "AC-1", "text": "something else"}], "review": review,
    });
    let mut event = repo.frame("review.amended", &anchor, &body);
    event["after"] = json!([opened["id"]]);
    let note = repo.git(["notes", &format!("--ref={REVIEWS}"), "show", &anchor]);
    let planted = crate::scene::line(&event);
    repo.plant(REVIEWS, &anchor, format!("{note}\n{planted}"));
    let ran = repo.say("review packet --format json", []).run().code(2);
    assert_eq!(ran.json()["error"]["kind"], "goal-conflict", "{ran}");
    says(&ran, &["AC-1"]);
    repo.say("review start --replace --criterion", ["AC-1: it works"])
        .run()
        .code(0);
    packet(&repo);
}
