//! `finding add` and `finding reject`.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::scene::{Scene, says, sha256, text};
use crate::support::{Ran, Repo};

/// Fails unless nothing of the ledger moved while `run` was refused.
#[track_caller]
fn refused(repo: &Repo, run: impl FnOnce() -> Ran) -> Ran {
    let before = repo.tips();
    let ran = run().code(2);
    assert_eq!(repo.tips(), before, "{ran}");
    assert!(
        ran.stderr.starts_with("error: ") || ran.stderr.contains("\nerror: "),
        "{ran}"
    );
    ran
}

fn add(repo: &Repo, options: &str, actual: &str) -> Ran {
    let line = format!("finding add --origin qa --severity major --expected good {options}");
    repo.say(&line, ["--actual", actual]).run()
}

fn add_json(repo: &Repo, input: &Value) -> Ran {
    repo.say("finding add --origin qa --format json --json -", [])
        .stdin(input.to_string())
        .run()
}

#[test]
fn identity_review_and_line_are_those_of_the_rules() {
    let Scene { repo, base, tip, .. } = Scene::new();
    let ran = repo
        .say(
            "finding add --origin qa --severity blocker --file api.txt:2 --expected",
            [
                "429 on request 101",
                "--actual",
                " request 100 also gets 429 ",
                "--fix",
                "use > instead of >=",
            ],
        )
        .run()
        .code(0);
    let identity =
        r#"{"actual":"request 100 also gets 429","expected":"429 on request 101","file":"api.txt"}"#;
    let id = sha256(&format!("review-gate/finding/v1\n{identity}"));
    let shown = format!(
        "[F-{}] api.txt:2 (blocker) — 429 on request 101 → request 100 also gets 429 → use > instead of >=\n",
        &id[..8]
    );
    assert!(ran.stdout.starts_with(&shown), "{shown}{ran}");
    let implicit = format!(r#"{{"anchor":"{base}","branch":"topic","implicit":true}}"#);
    let review = format!(
        "topic-{}",
        &sha256(&format!("review-gate/review/v1\n{implicit}"))[..8]
    );
    says(&ran, &[&review]);

    // Both events are in one commit each, anchored as the table says; the subject is pinned.
    let findings = repo.events("refs/notes/review-gate/findings");
    let [(anchor, raised)] = &findings[..] else {
        panic!("{findings:?}")
    };
    assert_eq!(*anchor, tip);
    assert_eq!(raised["subject"]["commit"], *tip);
    assert_eq!(raised["subject"]["base"], *base);
    assert_eq!(raised["subject"]["tree"], *repo.rev("HEAD^{tree}"));
    assert_eq!(raised["body"]["finding"], *id);
    assert_eq!(raised["body"]["review"], *review);
    assert_eq!(
        raised["by"],
        json!({"email": "alice@example.org", "name": "Alice"})
    );
    let change = repo.git(["log", "-1", "--format=%an%n%ae%n%ad%n%s%n", "--date=raw"]) + "\n";
    let change = change.trim_end_matches('\n').to_owned() + "\n";
    assert_eq!(raised["subject"]["change"], *sha256(&change), "{change:?}");
    let reviews = repo.events("refs/notes/review-gate/reviews");
    let [(anchor, opened)] = &reviews[..] else {
        panic!("{reviews:?}")
    };
    assert_eq!((anchor, &opened["kind"]), (&base, &json!("review.opened")));
    assert_eq!(opened["body"]["review"], *review);
    assert_eq!(
        repo.git(["rev-list", "--count", "refs/notes/review-gate/findings"]),
        "1"
    );

    // The same again is the same finding, opened once more, in the review that is open now.
    let again = repo
        .say(
            "finding add --origin pm --severity nit --file api.txt --expected",
            ["429 on request 101"],
        )
        .args(["--actual", "request 100 also gets 429"])
        .run()
        .code(0);
    assert!(!again.stdout.contains("Opened the review"), "{again}");
    let listed = repo.listed("");
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(
        listed[0]["severity"], "blocker",
        "the highest of the unclosed openings"
    );
    assert_eq!(listed[0]["line"], Value::Null, "of the last raising");
    assert_eq!(listed[0]["origins"], json!(["pm", "qa"]));
    assert_eq!(repo.events("refs/notes/review-gate/reviews").len(), 1);
}

#[test]
fn files_and_lines() {
    let Scene { repo, .. } = Scene::new();
    repo.write("odd:2", "x\n");
    repo.write("dir/a b.txt", "1\n2");
    symlink("api.txt", repo.dir.join("link")).unwrap();
    repo.commit("Odd names");
    for (option, file, number) in [
        ("--file api.txt", "api.txt", json!(null)),
        ("--file api.txt:3", "api.txt", json!(3)),
        ("--file api.txt --line 1", "api.txt", json!(1)),
        ("--file odd:2", "odd:2", json!(null)),
        ("--file odd:2:1", "odd:2", json!(1)),
        ("--file gone.txt:2", "gone.txt", json!(2)),
        ("--file link", "link", json!(null)),
        (
            "--allow-missing-file --file nowhere.txt",
            "nowhere.txt",
            json!(null),
        ),
    ] {
        let ran = add(&repo, &format!("--format json {option}"), option).code(0);
        let finding = &ran.json()["findings"][0];
        assert_eq!(
            (&finding["file"], &finding["line"]),
            (&json!(file), &number),
            "{ran}"
        );
    }
    let spaced = repo
        .say(
            "finding add --origin qa --severity nit --expected good --actual bad --file",
            ["dir/a b.txt:2"],
        )
        .run()
        .code(0);
    says(&spaced, &["] dir/a b.txt:2 (nit) — good → bad\n"]);
    for (option, named) in [
        ("--file nowhere.txt", "file"),
        ("--file dir", "file"),
        ("--file api.txt:4", "line"),
        ("--file api.txt:0", "line"),
        ("--file gone.txt:3", "line"),
        ("--file api.txt:x", "file"),
        ("--file /api.txt", "file"),
        ("--file dir/../api.txt", "file"),
        ("--file dir\\api.txt --allow-missing-file", "file"),
        ("--file C:/api.txt --allow-missing-file", "file"),
        ("--line 1", "line"),
        ("--commit nowhere", "nowhere"),
        ("--review nowhere", "nowhere"),
        ("--criterion AC-1", "criterion"),
    ] {
        says(&refused(&repo, || add(&repo, option, "some thing")), &[named]);
    }
    refused(&repo, || add(&repo, "", "todo"));
    refused(&repo, || add(&repo, "", "  "));
    refused(&repo, || add(&repo, "", "two\nlines"));
    refused(&repo, || add(&repo, "", &"ä".repeat(301)));
    add(&repo, "", &"ä".repeat(300)).code(0);
    for line in [
        "finding add --origin nobody --severity major --expected good --actual bad",
        "finding add --origin tool:x --severity major --expected good --actual bad",
        "finding add --origin qa --severity Major --expected good --actual bad",
        "finding add --origin qa --severity major --expected good",
        "finding add --origin qa",
        "finding add --severity major --expected good --actual bad",
        "finding add --origin qa --severity major --expected good --actual bad --json -",
    ] {
        refused(&repo, || repo.say(line, []).run());
    }
}

#[test]
fn json_files_and_legacy_issues() {
    let Scene { repo, .. } = Scene::new();
    let one = |actual: &str| json!({"severity": "minor", "expected": "good", "actual": actual});
    repo.write("../list.json", json!([one("a1"), one("a2")]).to_string());
    repo.say("finding add --origin qa --json ../list.json", [])
        .run()
        .code(0);
    add_json(
        &repo,
        &json!({"findings": [{
            "severity": "blocker", "expected": "good", "actual": "a3", "file": "api.txt", "line": 2,
            "fix": "mend it", "evidence": "line one\n  line two\n", "criterion": null,
        }]}),
    )
    .code(0);
    let ran = add_json(
        &repo,
        &json!({"issues": ["b2", "  ", "b3"], "findings": [one("b1")]}),
    )
    .code(0);
    let json = ran.json();
    let got: Vec<_> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| text(f, "actual"))
        .collect();
    assert_eq!(got, ["b1", "b2", "b3"]);
    assert_eq!(json["findings"][1]["severity"], "major");
    assert_eq!(
        json["findings"][1]["expected"],
        "the change meets its acceptance criteria"
    );
    let listed = repo.listed("");
    assert_eq!(listed.len(), 6);
    assert_eq!(listed[0]["actual"], "a3", "the blocker is first");
    assert_eq!(listed[0]["evidence"], "line one\n  line two");

    // Up to five in silence, up to ten with a warning, then none.
    let many = |prefix: &str, n: usize| (0..n).map(|i| one(&format!("{prefix} {i}"))).collect::<Value>();
    assert!(
        !add_json(&repo, &many("five", 5))
            .code(0)
            .stderr
            .contains("warning")
    );
    let ran = add_json(&repo, &many("ten", 10)).code(0);
    assert!(ran.stderr.contains("warning: "), "{ran}");
    refused(&repo, || add_json(&repo, &many("eleven", 11)));
    refused(&repo, || {
        add_json(&repo, &json!({"issues": ["c"], "findings": many("mixed", 10)}))
    });

    // All or nothing, and every error is named by index, field and reason.
    let bad = json!([
        one("fine"),
        {"severity": "bad", "expected": "good", "actual": "todo"},
        {"severity": "nit", "expected": "", "actual": "ok then", "nope": 1, "line": 3},
    ]);
    let ran = refused(&repo, || add_json(&repo, &bad));
    says(&ran, &["severity", "actual", "expected", "nope", "line"]);
    let human = refused(&repo, || {
        repo.say("finding add --origin qa --json -", [])
            .stdin(bad.to_string())
            .run()
    });
    says(&human, &["severity", "actual", "expected", "nope", "line"]);
    for (input, named) in [
        (json!([]), ""),
        (json!({}), ""),
        (json!("text"), ""),
        (json!([one("same"), one(" same ")]), ""),
        (json!({"findings": [one("x1")], "other": 1}), "other"),
        (json!({"issues": [1]}), "issues"),
        (
            json!([{"severity": "nit", "expected": "good", "actual": 5}]),
            "actual",
        ),
    ] {
        says(&refused(&repo, || add_json(&repo, &input)), &[named]);
    }
    for raw in ["", "[", "[1] trailing"] {
        refused(&repo, || {
            repo.say("finding add --origin qa --json -", []).stdin(raw).run()
        });
    }
    refused(&repo, || {
        repo.say("finding add --origin qa --json ../missing.json", [])
            .run()
    });
}

#[test]
fn reject_is_a_blocker_of_the_sign_off() {
    let Scene { repo, .. } = Scene::new();
    let reject = |reason: &str| repo.say("finding reject --format json --reason", [reason]).run();
    let ran = reject("the price page shows the old price").code(0);
    let finding = &ran.json()["findings"][0];
    assert_eq!(finding["severity"], "blocker");
    assert_eq!(finding["origins"], json!(["ceo"]));
    assert_eq!(finding["expected"], "sign-off");
    assert_eq!(finding["actual"], "the price page shows the old price");
    assert_eq!(finding["evidence"], Value::Null);
    let long = "long é ".repeat(100);
    let ran = reject(&long).code(0);
    let finding = &ran.json()["findings"][0];
    let actual = text(finding, "actual");
    assert_eq!(actual.chars().count(), 300, "{actual}");
    assert_eq!(text(finding, "evidence"), long.trim());
    let (start, end) = actual.split_once("…[").unwrap();
    let omitted: usize = end.strip_suffix(" characters omitted]").unwrap().parse().unwrap();
    assert!(long.starts_with(start));
    assert_eq!(start.chars().count() + omitted, long.trim().chars().count());
    for bad in [
        "",
        "  ",
        "todo",
        &"x y ".repeat(501),
        &format!("two\nlines {long}"),
    ] {
        refused(&repo, || reject(bad));
    }
    repo.judged("", 1);
}

#[test]
fn a_commit_that_the_base_contains_is_warned_about() {
    let Scene { repo, tip, .. } = Scene::new();
    let ran = add(&repo, "--commit main", "late").code(0);
    assert!(
        ran.stderr.contains("warning: ") && ran.stderr.contains("--commit"),
        "{ran}"
    );
    // It does not count for the branch: its subject is in the base already.
    repo.judged("", 0);
    let ran = add(&repo, &format!("--commit {tip}"), "in time").code(0);
    assert!(!ran.stderr.contains("warning: "), "{ran}");
    repo.judged("", 1);
    // The tag of a commit is that commit.
    repo.git(["tag", "-a", "-m", "v1", "v1", &tip]);
    let ran = add(&repo, "--commit v1 --format json", "tagged").code(0);
    assert_eq!(ran.json()["findings"][0]["commit"], *tip);
}

#[test]
fn branches_have_reviews_of_their_own_and_a_detached_head_none() {
    let Scene { repo, tip, .. } = Scene::new();
    repo.raise("on topic");
    repo.git(["checkout", "-q", "-b", "other/branch", "main"]);
    repo.commit("Other work");
    repo.raise("on other");
    let review = |actual: &str| -> Value {
        let all = repo.listed("--all");
        all.iter().find(|finding| finding["actual"] == actual).unwrap()["review"].clone()
    };
    assert!(text(&json!({"r": review("on other")}), "r").starts_with("other-branch-"));
    assert_eq!(repo.states("").into_keys().collect::<Vec<_>>(), ["on other"]);
    assert_eq!(repo.states("--all").len(), 2);
    let named = review("on topic");
    assert_eq!(
        repo.states(named.as_str().unwrap())
            .into_keys()
            .collect::<Vec<_>>(),
        ["on topic"]
    );
    // A finding may be filed for another branch's review by name.
    let line = format!("--review {} --commit {tip}", named.as_str().unwrap());
    add(&repo, &line, "from elsewhere").code(0);
    assert_eq!(review("from elsewhere"), named);

    repo.git(["checkout", "-q", "--detach", "topic"]);
    repo.write("detached.txt", "work\n");
    repo.commit("Detached");
    let ran = add(&repo, "--format json", "detached").code(0);
    assert_eq!(ran.json()["findings"][0]["review"], Value::Null);
    assert_eq!(ran.json()["review"], Value::Null);
    says(&repo.judged("", 2), &["--ref"]);
    repo.judged("--ref refs/heads/topic", 1);
    // It counts by its commit alone: where that commit is not, neither is the finding.
    assert!(!repo.states("main..topic").contains_key("detached"));
    assert!(repo.states("main..HEAD").contains_key("detached"));
}

#[test]
fn without_a_base_the_anchor_is_the_commit_itself() {
    let world = crate::support::World::new();
    let repo = world.repo("first");
    let tip = repo.commit("Start");
    repo.raise("at the start");
    let (anchor, opened) = repo.events("refs/notes/review-gate/reviews").remove(0);
    assert_eq!(anchor, tip);
    assert_eq!(opened["subject"]["base"], *tip);
    repo.judged("", 1);
}

#[test]
fn a_path_from_the_current_folder_is_refused_with_the_path_from_the_top() {
    let Scene { world, repo, .. } = Scene::new();
    repo.write("src/deep/lib.txt", "one\n");
    repo.commit("More");
    let below = world.at("project/src/deep");
    let ran = refused(&repo, || add(&below, "--file lib.txt:1", "from here"));
    says(
        &ran,
        &["from the top of the repository", "--file src/deep/lib.txt"],
    );
    add(&below, "--file src/deep/lib.txt:1", "from the top").code(0);
    let ran = refused(&repo, || add(&below, "--file nowhere.txt", "nowhere"));
    assert!(!ran.stderr.contains("from the top"), "{ran}");
}
