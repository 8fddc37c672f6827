//! Damaged and hostile review state: never clean, never a crash, never half written.

use std::fs;

use serde_json::json;

use crate::scene::{line, says, sha256};
use crate::support::{Ran, Repo, World};

const FINDINGS: &str = "refs/notes/review-gate/findings";
const REVIEWS: &str = "refs/notes/review-gate/reviews";

/// A branch whose base has a commit before it, on which old notes lie.
struct Field {
    repo: Repo,
    old: String,
    base: String,
    tip: String,
}

fn field() -> Field {
    let world = World::new();
    let repo = world.repo("project");
    repo.write("api.txt", "one\n");
    let old = repo.commit("Old");
    let base = repo.commit("Base");
    repo.git(["checkout", "-q", "-b", "topic"]);
    repo.write("work.txt", "work\n");
    let tip = repo.commit("Work");
    Field { repo, old, base, tip }
}

/// A raised finding in a note of its own.
fn raised(repo: &Repo, commit: &str, actual: &str) -> String {
    let identity = json!({"actual": actual, "expected": "good"});
    let body = json!({
        "actual": actual, "expected": "good", "origin": "qa", "severity": "nit",
        "finding": sha256(&format!("review-gate/finding/v1\n{identity}")),
    });
    line(&repo.frame("finding.raised", commit, &body))
}

/// Notes that are not whole: what they are, their bytes, and the number of the line that is wrong (0: of the note).
fn damaged(repo: &Repo, commit: &str) -> Vec<(&'static str, Vec<u8>, usize)> {
    let good = raised(repo, commit, "fine");
    let event = |change: fn(&mut serde_json::Value)| {
        let mut event = repo.frame("finding.raised", commit, &json!({"actual": "a"}));
        change(&mut event);
        line(&event)
    };
    let unsorted = format!("{{\"v\":1,{}", &good[1..]);
    let deep = |levels: usize| format!("{}{}\n", "[".repeat(levels), "]".repeat(levels));
    vec![
        ("not JSON", b"garbage\n".to_vec(), 1),
        ("not an object", b"[1]\n".to_vec(), 1),
        ("second line", format!("{good}{{\n").into_bytes(), 2),
        ("blank line", format!("{good}\n").into_bytes(), 2),
        ("only a line feed", b"\n".to_vec(), 1),
        ("no final line feed", good.trim_end().as_bytes().to_vec(), 1),
        ("carriage return", good.replace('\n', "\r\n").into_bytes(), 1),
        (
            "wrong id",
            good.replace("\"actual\":\"fine\"", "\"actual\":\"fime\"")
                .into_bytes(),
            1,
        ),
        (
            "no id",
            format!("{}\n", repo.frame("finding.raised", commit, &json!({}))).into_bytes(),
            1,
        ),
        ("not canonical", good.replacen(':', ": ", 1).into_bytes(), 1),
        ("keys out of order", unsorted.into_bytes(), 1),
        ("fields missing", event(|_| ()).into_bytes(), 1),
        (
            "wrong type",
            event(|event| event["after"] = json!("x")).into_bytes(),
            1,
        ),
        (
            "a float",
            event(|event| event["body"] = json!({"x": 1.5})).into_bytes(),
            1,
        ),
        (
            "a large number",
            event(|event| event["body"] = json!({"x": 1_u64 << 60})).into_bytes(),
            1,
        ),
        (
            "unpaired surrogate",
            good.replace("\"fine\"", "\"\\ud800\"").into_bytes(),
            1,
        ),
        (
            "control character",
            good.replace("fine", "fi\u{1b}[31mne").into_bytes(),
            1,
        ),
        ("not UTF-8", [b"\xff\xfe".as_slice(), good.as_bytes()].concat(), 1),
        ("NUL", [good.as_bytes(), b"\0\n"].concat(), 2),
        (
            "higher version",
            event(|event| event["v"] = json!(2)).into_bytes(),
            1,
        ),
        ("deep", deep(100).into_bytes(), 1),
        ("very deep", deep(30_000).into_bytes(), 1),
        (
            "a long line",
            format!("\"{}\"\n", "x".repeat(70_000)).into_bytes(),
            1,
        ),
        ("too many lines", good.repeat(10_001).into_bytes(), 0),
        ("too large", vec![b'x'; 8 * 1024 * 1024 + 1], 0),
    ]
}

/// Fails unless `ran` is undecided and names the place.
#[track_caller]
fn names(ran: &Ran, what: &str, name: &str, anchor: &str, number: usize) {
    assert_eq!(ran.code, 2, "{what}: {ran}");
    let all = format!("{}{}", ran.stdout, ran.stderr);
    let short = name.strip_prefix("refs/notes/").unwrap();
    assert!(all.contains(short), "{what}: the ref is not named: {ran}");
    assert!(
        all.contains(&anchor[..12]),
        "{what}: the anchor is not named: {ran}"
    );
    if number > 0 {
        assert!(
            all.contains(&format!("line {number}")),
            "{what}: line {number} is not named: {ran}"
        );
    }
    assert!(
        !all.contains('\u{1b}') && !all.contains('\0'),
        "{what}: not sanitised: {ran}"
    );
    assert!(all.len() < 20_000, "{what}: {} bytes said", all.len());
}

#[test]
fn a_consulted_note_that_is_not_whole_is_undecided() {
    let Field { repo, tip, .. } = field();
    for (what, bytes, number) in damaged(&repo, &tip) {
        repo.plant(FINDINGS, &tip, bytes.clone());
        names(&repo.say("check", []).run(), what, FINDINGS, &tip, number);
        let json = repo.say("check --json", []).run();
        assert_eq!(json.code, 2, "{what}: {json}");
        if let Some(rules) = json.json()["refs"][0]["rules"].as_array() {
            let rule = rules
                .iter()
                .find(|rule| rule["id"] == "state-unreadable")
                .unwrap();
            assert_eq!(rule["outcome"], "undecided", "{what}");
        }
        // Every line is kept, whatever is written beside it.
        let ran = repo
            .say(
                "finding add --origin qa --severity nit --expected good --actual later",
                [],
            )
            .run();
        let note = repo.git_call(["notes", "--ref", FINDINGS, "show", &tip]).run();
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let kept = note
                .stdout_bytes
                .split(|&byte| byte == b'\n')
                .any(|other| other == line);
            assert!(kept, "{what}: a line is lost: {ran}");
        }
        // The next one starts anew: what was seen may not be replaced.
        for name in [FINDINGS, "refs/review-gate/seen/findings"] {
            repo.git(["update-ref", "-d", name]);
        }
    }
}

#[test]
fn what_cannot_be_read_outside_of_the_base_may_hold_a_finding() {
    let Field { repo, old, base, .. } = field();
    repo.git(["checkout", "-q", "-b", "aside", "main"]);
    let aside = repo.commit("Aside");
    repo.git(["checkout", "-q", "topic"]);
    let cases = [&aside, &old, &base].map(|commit| damaged(&repo, commit));
    for (index, (what, bytes, number)) in cases[0].iter().take(8).enumerate() {
        let number = *number;
        for name in [FINDINGS, REVIEWS] {
            repo.plant(name, &aside, bytes.clone());
            names(&repo.say("check", []).run(), what, name, &aside, number);
            for command in ["finding list", "status"] {
                assert_eq!(repo.say(command, []).run().code, 2, "{what}: {command}");
            }
            repo.git(["update-ref", "-d", name]);
            // What the base contains is not asked.
            for (contained, cases) in [(&old, &cases[1]), (&base, &cases[2])] {
                repo.plant(name, contained, cases[index].1.clone());
                let ran = repo.say("check", []).run();
                assert_eq!(ran.code, 0, "{what} on a commit of the base: {ran}");
                repo.git(["update-ref", "-d", name]);
            }
        }
    }
    // Unless an event of the view lies there.
    repo.raise("here");
    let anchor = repo.events(REVIEWS)[0].0.clone();
    assert_eq!(anchor, base);
    let note = repo
        .git_call(["notes", "--ref", REVIEWS, "show", &base])
        .run()
        .stdout;
    repo.plant(REVIEWS, &base, format!("{note}garbage\n"));
    names(
        &repo.say("check", []).run(),
        "beside an event of the view",
        REVIEWS,
        &base,
        2,
    );
}

#[test]
fn a_higher_version_asks_for_an_upgrade_and_unknown_kinds_are_kept() {
    let Field { repo, tip, .. } = field();
    let mut event = repo.frame("finding.raised", &tip, &json!({}));
    event["v"] = json!(2);
    repo.plant(FINDINGS, &tip, line(&event));
    says(&repo.judged("", 2), &["upgrade"]);
    // What version 1 adds later is passed on byte for byte.
    let later = line(&repo.frame(
        "finding.applauded",
        &tip,
        &json!({"how": ["loud"], "finding": "x"}),
    ));
    let mut more: serde_json::Value = serde_json::from_str(&raised(&repo, &tip, "with more")).unwrap();
    more.as_object_mut().unwrap().remove("id");
    more["body"]["mood"] = json!("stern");
    let more = line(&more);
    let mut lines = [later.clone(), more.clone()];
    lines.sort_unstable();
    repo.plant(FINDINGS, &tip, lines.concat());
    repo.judged("", 1);
    repo.raise("another");
    let note = repo
        .git_call(["notes", "--ref", FINDINGS, "show", &tip])
        .run()
        .stdout;
    assert!(note.contains(&later) && note.contains(&more), "{note}");
}

#[test]
fn repeated_and_unsorted_lines_are_read() {
    let Field { repo, tip, .. } = field();
    let (one, two) = (raised(&repo, &tip, "one"), raised(&repo, &tip, "two"));
    repo.plant(FINDINGS, &tip, format!("{two}{one}{two}{one}"));
    repo.judged("", 1);
    assert_eq!(repo.states("").len(), 2);
}

#[test]
fn text_of_the_repository_is_shown_escaped() {
    let Field { repo, tip, .. } = field();
    let nasty = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}31m\r\nok";
    repo.plant(FINDINGS, &tip, raised(&repo, &tip, nasty));
    for command in [
        "check",
        "finding list",
        "status",
        "log",
        "check --format github",
        "finding list --json",
    ] {
        let ran = repo.say(command, []).run();
        assert!([0, 1].contains(&ran.code), "{command}: {ran}");
        for bad in ['\u{1b}', '\u{7}', '\u{9b}', '\r'] {
            assert!(
                !ran.stdout.contains(bad) && !ran.stderr.contains(bad),
                "{command} shows {bad:?}"
            );
        }
        if !command.contains("json") {
            assert!(!ran.stdout.contains('\u{202e}'), "{command}");
        }
    }
    repo.judged("", 1);
}

#[test]
fn refs_that_are_not_notes() {
    let Field { repo, tip, .. } = field();
    let blob = repo
        .git_call(["hash-object", "-w", "--stdin"])
        .stdin("text")
        .run()
        .stdout;
    let file = repo.dir.join(".git").join(FINDINGS);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let missing = "1234567890123456789012345678901234567890\n";
    for (what, content) in [
        ("garbage", "garbage\n"),
        ("empty", ""),
        ("missing", missing),
        ("a blob", &*blob),
    ] {
        fs::write(&file, content).unwrap();
        for command in ["check", "finding list", "status", "log"] {
            let ran = repo.say(command, []).run();
            assert_eq!(ran.code, 2, "{what}: {command}: {ran}");
            says(&ran, &["review-gate/findings"]);
        }
        let add = repo
            .say(
                "finding add --origin qa --severity nit --expected good --actual bad",
                [],
            )
            .run();
        assert_eq!(add.code, 2, "{what}: {add}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content, "{what}");
    }
    fs::remove_file(&file).unwrap();
    // The events of the refused calls were kept, and are there now.
    repo.say("finding list", []).run().code(0);
    // A note whose blob is missing is no clean note.
    let entry = format!("100644 blob 1234567890123456789012345678901234567890\t{tip}\n");
    let made = repo.git_call(["mktree", "--missing"]).stdin(entry).run().code(0);
    let commit = repo.git(["commit-tree", "-m", "Notes", made.stdout.trim()]);
    repo.git(["update-ref", FINDINGS, &commit]);
    repo.judged("", 2);
    // Other files of a notes tree are none of our business, and stay.
    let note = repo
        .git_call(["hash-object", "-w", "--stdin"])
        .stdin(raised(&repo, &tip, "one"))
        .run()
        .stdout;
    let entries = format!(
        "100644 blob {}\tREADME\n100644 blob {}\t{tip}\n",
        blob.trim(),
        note.trim()
    );
    let made = repo.git_call(["mktree"]).stdin(entries).run().code(0);
    let commit = repo.git(["commit-tree", "-m", "Notes", made.stdout.trim()]);
    repo.git(["update-ref", FINDINGS, &commit]);
    repo.judged("", 1);
    repo.raise("two");
    assert!(repo.git(["ls-tree", "--name-only", FINDINGS]).contains("README"));
}

#[test]
fn nothing_is_written_where_nothing_can_be() {
    let commands = [
        "check",
        "status",
        "log",
        "explain policy",
        "finding list",
        "finding add --origin qa --severity nit --expected good --actual bad",
        "finding resolve F-12345678",
        "review start --criterion AC-1:one",
        "baseline",
    ];
    // Not a repository.
    let world = World::new();
    let nowhere = world.at(".");
    for command in commands {
        let ran = nowhere.say(command, []).run();
        assert_eq!(ran.code, 2, "{command}: {ran}");
        says(&ran, &["not a git repository"]);
    }
    // No identity: git's own advice.
    let Field { repo, .. } = field();
    repo.write("../nobody", "[user]\n\tuseConfigOnly = true\n");
    let nobody = |line: &str| {
        repo.say(line, [])
            .env("GIT_CONFIG_GLOBAL", repo.dir.join("../nobody"))
            .run()
    };
    for command in [
        "finding add --origin qa --severity nit --expected good --actual bad",
        "finding reject --reason because",
        "review start --criterion AC-1:one",
    ] {
        let ran = nobody(command);
        assert_eq!(ran.code, 2, "{command}: {ran}");
        says(&ran, &["user.email"]);
        assert_eq!(repo.tips(), vec![None; 4], "{command}");
    }
    assert!(
        !repo
            .dir
            .join(".git/review-gate/pending")
            .read_dir()
            .is_ok_and(|mut dir| dir.next().is_some())
    );
    // Reading needs none.
    assert_eq!(nobody("check").code, 0);
}

#[test]
fn a_place_that_cannot_be_written_is_undecided_and_loses_nothing() {
    let add = "finding add --origin qa --severity nit --expected good --actual bad";
    // A file where a folder is needed stands in for a read-only disk: it stops root as well.
    for blocked in [".git/refs/notes", ".git/review-gate"] {
        let Field { repo, .. } = field();
        fs::write(repo.dir.join(blocked), "in the way\n").unwrap();
        let ran = repo.say(add, []).run();
        assert_eq!(ran.code, 2, "{blocked}: {ran}");
        assert!(!ran.stdout.contains("[F-"), "{blocked}: {ran}");
        assert_eq!(repo.tips(), vec![None; 4], "{blocked}");
        fs::remove_file(repo.dir.join(blocked)).unwrap();
        repo.say(add, []).run().code(0);
        assert_eq!(repo.states("").len(), 1, "{blocked}");
        let kinds = repo.events(FINDINGS);
        assert!(!kinds.is_empty());
    }
    // Deciding needs no place to write, but what is in the way may hide events of a command that was interrupted.
    let Field { repo, .. } = field();
    repo.raise("one");
    fs::remove_dir_all(repo.dir.join(".git/review-gate")).unwrap();
    repo.judged("", 1);
    let _ = fs::remove_dir_all(repo.dir.join(".git/review-gate"));
    fs::write(repo.dir.join(".git/review-gate"), "in the way\n").unwrap();
    repo.judged("", 2);
}
