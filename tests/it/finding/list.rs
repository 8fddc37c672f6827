//! `finding list` and `finding show`: what is shown, in which order, and how a finding is called.

use serde_json::{Value, json};

use crate::scene::{Scene, says, sha256, text};
use crate::support::Repo;

/// Files one finding with a file.
fn file(repo: &Repo, origin: &str, severity: &str, file: &str, actual: &str) -> String {
    let line = format!(
        "finding add --origin {origin} --severity {severity} --file {file} --expected good --format json --actual"
    );
    let ran = repo.say(&line, [actual]).run().code(0);
    text(&ran.json()["findings"][0], "id")
}

#[test]
fn filters_order_and_totals() {
    let Scene { repo, .. } = Scene::new();
    let done = file(&repo, "qa", "blocker", "api.txt", "done");
    let answered = file(&repo, "pm", "nit", "api.txt", "answered");
    file(&repo, "qa", "major", "work.txt", "c");
    file(&repo, "qa", "major", "api.txt", "b");
    repo.raise_as("pm", "major", "d");
    repo.raise_as("ceo", "blocker", "a");
    repo.say("finding resolve", [&*done, &*answered]).run().code(0);
    repo.say("finding verify", [&*done]).run().code(0);

    let order = |options: &str| -> Vec<String> {
        repo.listed(options)
            .iter()
            .map(|finding| text(finding, "actual"))
            .collect()
    };
    // Open ones first, by severity, then by file; what is settled comes last.
    let all = order("");
    assert_eq!(all[0], "a");
    let mut majors = all[1..4].to_vec();
    let place = |name: &str| majors.iter().position(|other| other == name).unwrap();
    assert!(place("b") < place("c"), "{all:?}");
    majors.sort_unstable();
    assert_eq!(majors, ["b", "c", "d"]);
    assert_eq!(all[4..], ["answered", "done"]);

    for (options, expected) in [
        ("--status open", "a b c d"),
        ("--status addressed", "answered"),
        ("--status verified", "done"),
        ("--status waived", ""),
        ("--status addressed --status verified", "answered done"),
        ("--origin pm", "answered d"),
        ("--origin pm --origin ceo", "a answered d"),
        ("--severity major", "b c d"),
        ("--severity blocker --status open", "a"),
        ("main..topic", "a answered b c d done"),
        ("main..main", ""),
    ] {
        let mut got = order(options);
        got.sort_unstable();
        assert_eq!(got.join(" "), expected, "{options}");
    }
    let json = repo.say("finding list --json", []).run().code(0).json();
    assert_eq!(json["schema"], "review-gate/findings");
    assert_eq!(json["version"], 1);
    assert_eq!(
        json["totals"]["states"],
        json!({"addressed": 1, "open": 4, "verified": 1})
    );
    assert_eq!(
        json["totals"]["origins"],
        json!({"ceo": {"open": 1}, "pm": {"addressed": 1, "open": 1}, "qa": {"open": 2, "verified": 1}})
    );
    for key in [
        "id",
        "finding",
        "state",
        "severity",
        "round",
        "origins",
        "review",
        "commit",
        "file",
        "line",
        "criterion",
        "expected",
        "actual",
        "fix",
        "evidence",
    ] {
        assert!(json["findings"][0].get(key).is_some(), "{key}");
    }
    let human = repo.say("finding list", []).run().code(0);
    let lines: Vec<&str> = human.stdout.lines().filter(|line| line.contains("[F-")).collect();
    assert_eq!(lines.len(), 6, "{human}");
    assert!(lines[0].contains("— (blocker) — good → a"), "{human}");
    for bad in [
        "--status nope",
        "--severity nope",
        "nowhere..topic",
        "nowhere",
        "--origin nope",
    ] {
        repo.say(&format!("finding list {bad}"), []).run().code(2);
    }
}

#[test]
fn an_empty_ledger_is_empty_and_says_so() {
    let Scene { repo, .. } = Scene::new();
    let ran = repo.say("finding list", []).run().code(0);
    assert!(!ran.stdout.trim().is_empty(), "{ran}");
    assert_eq!(repo.listed("--all"), Vec::<Value>::new());
    assert_eq!(repo.tips(), vec![None; 4]);
}

#[test]
fn rounds_are_counted_from_what_was_seen() {
    let Scene { repo, .. } = Scene::new();
    let first = repo.raise("first");
    repo.raise("second");
    let rounds = || -> Vec<(String, u64)> {
        let mut found: Vec<_> = repo
            .listed("")
            .iter()
            .map(|finding| (text(finding, "actual"), finding["round"].as_u64().unwrap()))
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(rounds(), [("first".into(), 1), ("second".into(), 1)]);
    let all: Vec<String> = repo
        .listed("")
        .iter()
        .map(|finding| text(finding, "id"))
        .collect();
    repo.say("finding resolve", all.iter().map(String::as_str))
        .run()
        .code(0);
    // Answered is not open: the next opening begins a round.
    repo.raise("third");
    repo.say("finding reopen --actual again", [&*first]).run().code(0);
    assert_eq!(
        rounds(),
        [("first".into(), 2), ("second".into(), 1), ("third".into(), 2)]
    );
}

#[test]
fn show_tells_every_event() {
    let Scene { repo, tip, .. } = Scene::new();
    let id = repo.raise("shown");
    repo.say("finding resolve --note", ["mended \u{1b}[31mhere", &*id])
        .run()
        .code(0);
    repo.say("finding reopen --actual still", [&*id]).run().code(0);
    repo.say("finding resolve", [&*id]).run().code(0);
    repo.say("finding verify", [&*id])
        .env("GIT_COMMITTER_NAME", "Bob")
        .run()
        .code(0);
    let json = repo.say("finding show --json", [&*id]).run().code(0).json();
    let kinds: Vec<String> = json["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| text(event, "kind"))
        .collect();
    assert_eq!(
        kinds,
        [
            "finding.raised",
            "finding.resolved",
            "finding.reopened",
            "finding.resolved",
            "finding.verified"
        ]
    );
    assert_eq!(json["finding"]["state"], "verified");
    assert_eq!(json["events"][4]["by"]["name"], "Bob");
    let human = repo.say("finding show", [&*id]).run().code(0);
    says(
        &human,
        &[
            "good → shown",
            "Alice <alice@example.org>",
            "Bob",
            &tip[..12],
            "round 1",
            "still",
        ],
    );
    assert!(!human.stdout.contains('\u{1b}'), "{human}");
    says(&human, &["\\u{1B}"]);
}

#[test]
fn references_are_unambiguous_prefixes() {
    let Scene { repo, .. } = Scene::new();
    // Two findings whose ids begin with the same four digits, found by counting.
    let id_of = |n: usize| {
        sha256(&format!(
            "review-gate/finding/v1\n{{\"actual\":\"case {n}\",\"expected\":\"good\"}}"
        ))
    };
    let mut seen = std::collections::BTreeMap::new();
    let (one, two) = (0..)
        .find_map(|n| seen.insert(id_of(n)[..4].to_owned(), n).map(|before| (before, n)))
        .unwrap();
    repo.raise(&format!("case {one}"));
    repo.raise(&format!("case {two}"));
    let (first, second) = (id_of(one), id_of(two));
    let longer = (5..64).find(|&n| first[..n] != second[..n]).unwrap();
    for command in [
        "show",
        "resolve",
        "verify",
        "reopen --actual again",
        "waive --reason because",
    ] {
        let before = repo.tips();
        let ran = repo
            .say(&format!("finding {command}"), [&first[..4]])
            .run()
            .code(2);
        says(
            &ran,
            &[&format!("F-{}", &first[..8]), &format!("F-{}", &second[..8])],
        );
        let ran = repo
            .say(&format!("finding {command}"), ["F-00000000ffff"])
            .run()
            .code(2);
        says(
            &ran,
            &[&format!("F-{}", &first[..8]), &format!("F-{}", &second[..8])],
        );
        for bad in ["F-abc", "abc", "F-", "F-zzzz", "main"] {
            repo.say(&format!("finding {command}"), [bad]).run().code(2);
        }
        assert_eq!(repo.tips(), before, "{command}");
    }
    for good in [
        first[..longer].to_owned(),
        format!("F-{}", &first[..longer]),
        first.clone(),
        format!("F-{first}"),
    ] {
        let json = repo.say("finding show --json", [&*good]).run().code(0).json();
        assert_eq!(json["finding"]["finding"], *first, "{good}");
    }
}
