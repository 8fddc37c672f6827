//! `git review-gate review start` and `amend`: goals, conflicts, and what a goal authorises.

use serde_json::{Value, json};

use crate::scene::{Scene, says, sha256, text};
use crate::support::{Ran, Repo};

const REVIEWS: &str = "refs/notes/review-gate/reviews";

/// Runs `review start` with a goal from standard input, in JSON.
fn start(repo: &Repo, options: &str, goal: &str) -> Ran {
    repo.say(&format!("review start --format json --goal - {options}"), [])
        .stdin(goal)
        .run()
}

/// Fails unless this is exit code 2 and the ledger did not move.
#[track_caller]
fn refused(repo: &Repo, run: impl FnOnce() -> Ran) -> Ran {
    let before = repo.tips();
    let ran = run().code(2);
    assert_eq!(repo.tips(), before, "{ran}");
    ran
}

/// The kind of an error printed as JSON.
#[track_caller]
fn kind(ran: &Ran) -> String {
    text(&ran.json()["error"], "kind")
}

#[test]
fn a_start_is_anchored_named_and_pinned() {
    let Scene { repo, base, tip, .. } = Scene::new();
    let ran = repo
        .say(
            "review start --format json --contract docs/spec.md --problem",
            ["the cache serves stale pages"],
        )
        .args([
            "--criterion",
            "AC-1: requests over the limit get 429",
            "--criterion",
            "AC-2: others do not",
        ])
        .run()
        .code(0);
    // The contract is not there yet: a warning.
    assert!(
        ran.stderr.contains("warning: ") && ran.stderr.contains("docs/spec.md"),
        "{ran}"
    );
    let (anchor, event) = repo.events(REVIEWS).remove(0);
    assert_eq!(anchor, base);
    assert_eq!(event["kind"], "review.opened");
    assert_eq!(event["subject"]["commit"], *tip);
    let body = &event["body"];
    assert_eq!(
        (&body["branch"], &body["base_ref"], &body["anchor"]),
        (&json!("topic"), &json!("main"), &json!(base))
    );
    let goal = json!({
        "contract": "docs/spec.md",
        "criteria": [
            {"id": "AC-1", "text": "requests over the limit get 429"},
            {"id": "AC-2", "text": "others do not"},
        ],
        "problem": "the cache serves stale pages",
    });
    assert_eq!(body["goal"], goal);
    let named = json!({
        "anchor": base, "at": event["at"], "branch": "topic", "email": "alice@example.org", "goal": goal,
    });
    let rid = format!(
        "topic-{}",
        &sha256(&format!("review-gate/review/v1\n{named}"))[..8]
    );
    assert_eq!(body["review"], *rid);
    assert_eq!(ran.json()["review"], *rid);

    // Findings of the branch belong to it, and a criterion is named by id or text.
    for criterion in ["AC-2", "others do not"] {
        let line = "finding add --origin qa --severity minor --expected good --format json --criterion";
        let ran = repo
            .say(line, [criterion, "--actual", &format!("not {criterion}")])
            .run()
            .code(0);
        let finding = &ran.json()["findings"][0];
        assert_eq!(
            (&finding["criterion"], &finding["review"]),
            (&json!("AC-2"), &json!(rid))
        );
    }
    let line = "finding add --origin qa --severity minor --expected good --actual bad --criterion";
    refused(&repo, || repo.say(line, ["AC-3"]).run());
}

#[test]
fn goal_files_are_toml_or_json() {
    let toml = "summary = \"A limit\"\nproblem = \"Too many requests\"\ncontract = \"work.txt\"\n\
                [[criteria]]\nid = \"AC-1\"\ntext = \"one\"\n\
                [[authorize]]\ncriterion = \"AC-1\"\napi = [\"src/**\"]\n";
    let json = json!({
        "summary": "A limit", "problem": "Too many requests", "contract": "work.txt",
        "criteria": [{"id": "AC-1", "text": "one"}],
        "authorize": [{"criterion": "AC-1", "api": ["src/**"]}],
    });
    let mut goals = Vec::new();
    for (name, content) in [
        ("goal.toml", toml.to_owned()),
        ("goal.json", json.to_string()),
        ("goal", toml.to_owned()),
        ("goal.txt", json.to_string()),
    ] {
        let Scene { repo, .. } = Scene::new();
        repo.write(&format!("../{name}"), content);
        let ran = repo
            .say("review start --format json --goal", [&*format!("../{name}")])
            .run()
            .code(0);
        assert!(!ran.stderr.contains("warning"), "{ran}");
        goals.push(ran.json()["goal"].clone());
    }
    assert!(
        goals
            .iter()
            .all(|goal| *goal == goals[0] && goal["summary"] == "A limit"),
        "{goals:?}"
    );

    // Options beside a file give only what the file leaves out.
    let Scene { repo, .. } = Scene::new();
    refused(&repo, || start(&repo, "--contract other.md", &json.to_string()));
    refused(&repo, || start(&repo, "--problem other", &json.to_string()));
    let ran = start(&repo, "--contract work.txt", r#"{"summary": "s"}"#).code(0);
    assert_eq!(ran.json()["goal"]["contract"], "work.txt");
}

#[test]
fn a_goal_that_breaks_a_rule_is_refused() {
    let Scene { repo, .. } = Scene::new();
    let one = json!({"id": "AC-1", "text": "one"});
    let many = |n: usize| {
        (0..n)
            .map(|i| json!({"id": format!("A{i}"), "text": "t"}))
            .collect::<Value>()
    };
    let globs =
        |n: usize| json!({"criteria": [one], "authorize": [{"criterion": "AC-1", "api": vec!["a"; n]}]});
    for (goal, named) in [
        (json!({"sumary": "x"}), "sumary"),
        (json!({"summary": 1}), "summary"),
        (json!({"summary": "x".repeat(1001)}), "summary"),
        (json!({"problem": "x".repeat(4001)}), "problem"),
        (json!({"criteria": [{"id": "1", "text": "one"}]}), "criteria"),
        (
            json!({"criteria": [{"id": "A".repeat(33), "text": "one"}]}),
            "criteria",
        ),
        (json!({"criteria": [{"id": "AC-1", "text": ""}]}), "criteria"),
        (
            json!({"criteria": [{"id": "AC-1", "text": "x".repeat(1001)}]}),
            "criteria",
        ),
        (json!({"criteria": [{"id": "AC-1", "text": "one", "x": 1}]}), "x"),
        (json!({"criteria": [one, {"id": "AC-1", "text": "two"}]}), "AC-1"),
        (json!({"criteria": many(65)}), "criteria"),
        (json!({"contract": "../out.md"}), "contract"),
        (json!({"contract": "/etc/passwd"}), "contract"),
        (json!({"contract": ".git/config"}), "contract"),
        (json!({"contract": "a/.GIT/x"}), "contract"),
        (
            json!({"criteria": [one], "authorize": [{"criterion": "AC-2", "api": ["a"]}]}),
            "AC-2",
        ),
        (
            json!({"criteria": [one], "authorize": [{"criterion": "AC-1"}]}),
            "authorize",
        ),
        (
            json!({"criteria": [one], "authorize": [{"criterion": "AC-1", "api": []}]}),
            "authorize",
        ),
        (
            json!({"criteria": [one], "authorize": [{"criterion": "AC-1", "apis": ["a"]}]}),
            "apis",
        ),
        (
            json!({"criteria": [one], "authorize": [{"criterion": "AC-1", "api": ["x".repeat(301)]}]}),
            "authorize",
        ),
        (globs(201), "authorize"),
        (json!([]), ""),
    ] {
        let ran = refused(&repo, || start(&repo, "", &goal.to_string()));
        assert_eq!(kind(&ran), "goal-invalid", "{goal}: {ran}");
        says(&ran, &[named]);
    }
    // 60 criteria of 1,000 characters are fine one by one, and too large together.
    let long = (0..60)
        .map(|i| json!({"id": format!("A{i}"), "text": "x".repeat(1000)}))
        .collect::<Value>();
    refused(&repo, || start(&repo, "", &json!({"criteria": long}).to_string()));
    for raw in ["{", "criteria = 1 2", "{\"summary\": \"a\", \"summary\": \"b\"}"] {
        refused(&repo, || start(&repo, "", raw));
    }
    let deep = format!("{{\"summary\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    refused(&repo, || start(&repo, "", &deep));
    for bad in ["AC-1", "AC-1:", ": text", "1: text"] {
        refused(&repo, || repo.say("review start --criterion", [bad]).run());
    }
    start(&repo, "", &json!({"criteria": many(64)}).to_string()).code(0);
}

#[test]
fn a_second_start_needs_replace_unless_the_first_was_implicit() {
    let Scene { repo, .. } = Scene::new();
    repo.raise("of the implicit review");
    let implicit = text(&repo.listed("")[0], "review");
    let first = start(&repo, "", r#"{"summary": "one"}"#).code(0);
    assert_eq!(first.json()["replaced"], json!([implicit]));
    repo.raise("of the first");
    let ran = refused(&repo, || start(&repo, "", r#"{"summary": "two"}"#));
    says(&ran, &["amend"]);
    let commits = || repo.git(["rev-list", "--count", REVIEWS]).parse::<u32>().unwrap();
    let before = commits();
    let second = start(&repo, "--replace", r#"{"summary": "two"}"#).code(0);
    assert_eq!(commits(), before + 1, "closed and opened in one write");
    let events = repo.events(REVIEWS);
    let closed: Vec<_> = events
        .iter()
        .filter(|(_, event)| event["kind"] == "review.closed")
        .collect();
    assert_eq!(closed.len(), 2);
    assert!(
        closed
            .iter()
            .any(|(_, event)| event["body"]["review"] == first.json()["review"]
                && event["body"]["by_review"] == second.json()["review"])
    );
    // Closing a review closes none of its findings.
    assert_eq!(repo.states("").len(), 2);
    repo.judged("", 1);
    repo.raise("of the second");
    let of_second = text(&second.json(), "review");
    assert_eq!(
        repo.states(&of_second).into_keys().collect::<Vec<_>>(),
        ["of the second"]
    );
    let of_first = text(&first.json(), "review");
    assert_eq!(
        repo.states(&of_first).into_keys().collect::<Vec<_>>(),
        ["of the first"]
    );
}

#[test]
fn amend_adds_and_never_edits() {
    let Scene { repo, .. } = Scene::new();
    let amend = |more: &[&str]| repo.say("review amend --format json", more.iter().copied()).run();
    assert_eq!(
        kind(&refused(&repo, || amend(&["--criterion", "AC-1: one"]))),
        "no-review"
    );
    let opened = start(&repo, "", r#"{"criteria": [{"id": "AC-1", "text": "one"}]}"#).code(0);
    let digest = |ran: &Ran| text(&ran.json(), "goal_digest");
    let added = amend(&["--criterion", "AC-2: two", "--authorize", "AC-2 api src/**"]).code(0);
    assert_ne!(digest(&added), digest(&opened));
    assert_eq!(added.json()["review"], opened.json()["review"]);
    assert_eq!(added.json()["goal"]["criteria"].as_array().unwrap().len(), 2);
    assert_eq!(added.json()["goal"]["authorize"][0]["api"], json!(["src/**"]));
    // The same again changes nothing.
    let tips = repo.tips();
    let again = amend(&["--criterion", "AC-2: two"]).code(0);
    assert_eq!((repo.tips(), digest(&again)), (tips, digest(&added)));
    let ran = refused(&repo, || {
        amend(&["--criterion", "AC-3: three", "--criterion", "AC-1: other"])
    });
    assert_eq!(kind(&ran), "goal-conflict");
    says(&ran, &["AC-1"]);
    for bad in [
        &["--authorize", "AC-9 api src/**"][..],
        &["--authorize", "AC-1 apis src/**"],
        &["--authorize", "AC-1 api"],
        &["--criterion", "nothing"],
        &[],
        &["--review", "nowhere", "--criterion", "AC-4: four"],
    ] {
        refused(&repo, || amend(bad));
    }
    let from_file = repo
        .say("review amend --format json --goal -", [])
        .stdin("[[criteria]]\nid = \"AC-4\"\ntext = \"four\"\n")
        .run()
        .code(0);
    assert_eq!(from_file.json()["goal"]["criteria"].as_array().unwrap().len(), 3);
}

#[test]
fn a_review_needs_a_branch_and_a_base() {
    let Scene { world, repo, .. } = Scene::new();
    repo.git(["checkout", "-q", "--detach"]);
    says(&refused(&repo, || start(&repo, "", "{}")), &["detached"]);
    repo.git(["checkout", "-q", "--orphan", "unrelated"]);
    repo.commit("Unrelated");
    refused(&repo, || start(&repo, "--base main", "{}"));
    refused(&repo, || start(&repo, "--base nowhere", "{}"));
    let alone = world.repo("alone");
    refused(&alone, || start(&alone, "", "{}"));
    alone.commit("Only one");
    refused(&alone, || start(&alone, "", "{}"));
}

#[test]
fn a_base_is_kept_by_name_only_where_the_name_stays() {
    for (base, kept) in [
        ("main", Some("main")),
        ("refs/heads/main", Some("refs/heads/main")),
        ("HEAD~1", None),
    ] {
        let Scene {
            repo, base: commit, ..
        } = Scene::new();
        let ran = start(&repo, &format!("--base {base}"), "{}").code(0);
        assert_eq!(ran.json()["base_ref"], kept.unwrap_or(&commit), "{base}");
    }
}

#[test]
fn two_clones_that_both_start_one_are_told_apart() {
    let Scene { world, repo, .. } = Scene::new();
    let clone = world.clone_of(&repo, "clone", &[]);
    clone.git(["remote", "set-head", "origin", "main"]);
    clone.git(["branch", "main", "origin/main"]);
    let ours = text(
        &start(&repo, "", r#"{"summary": "ours"}"#).code(0).json(),
        "review",
    );
    let theirs = text(
        &start(&clone, "", r#"{"summary": "theirs"}"#).code(0).json(),
        "review",
    );
    let merge = |from: &Repo, into: &Repo| {
        let from = from.dir.to_str().unwrap().to_owned();
        for name in ["findings", "reviews"] {
            let refspec = format!("+refs/notes/review-gate/{name}:refs/notes/other/{name}");
            if into.git_call(["fetch", "-q", &from, &refspec]).run().code == 0 {
                let notes = format!("--ref=refs/notes/review-gate/{name}");
                let other = format!("refs/notes/other/{name}");
                into.git(["notes", &notes, "merge", "-q", "-s", "cat_sort_uniq", &other]);
            }
        }
    };
    merge(&clone, &repo);
    let add = "finding add --origin qa --severity minor --expected good --format json --actual";
    for run in [
        || {
            vec![
                "finding",
                "add",
                "--origin",
                "qa",
                "--severity",
                "nit",
                "--expected",
                "good",
                "--actual",
                "bad",
            ]
        },
        || vec!["review", "amend", "--criterion", "AC-1: one"],
        || vec!["finding", "export"],
    ] {
        let args = run();
        let ran = refused(&repo, || {
            repo.gate(args.iter().chain(&["--format", "json"])).run()
        });
        assert_eq!(kind(&ran), "ambiguous-review", "{ran}");
        says(&ran, &[&ours, &theirs]);
    }
    repo.say(add, ["named", "--review", &*theirs]).run().code(0);
    repo.judged("", 1);
    // Replacing settles it.
    start(&repo, "--replace", r#"{"summary": "both"}"#).code(0);
    repo.raise("settled");

    // Implicit reviews of two clones are one.
    let Scene { world, repo, .. } = Scene::new();
    let clone = world.clone_of(&repo, "clone", &[]);
    clone.git(["remote", "set-head", "origin", "main"]);
    clone.git(["branch", "main", "origin/main"]);
    repo.raise("ours");
    clone.raise("theirs");
    merge(&clone, &repo);
    assert_eq!(repo.states("").len(), 2);
    repo.raise("after the merge");
    assert_eq!(repo.states("").len(), 3);
}

/// A crate whose branch takes a public function away, under a gate that asks for no drift.
fn drifting(policy: &str) -> Repo {
    let Scene { repo, .. } = Scene::new();
    repo.git(["checkout", "-q", "main"]);
    repo.write(".review-gate.toml", policy);
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    repo.write("src/lib.rs", "pub mod old;\npub fn kept() {}\n");
    repo.write("src/old.rs", "pub fn removed() {}\n");
    repo.commit("A crate");
    repo.git(["checkout", "-q", "-b", "drift"]);
    repo.write("src/old.rs", "");
    repo.commit("Remove");
    repo
}

#[test]
fn an_authorised_removal_is_no_drift() {
    let policy = "version = 1\n[[gate]]\nrefs = [\"*\"]\nbaseline = \"required\"\n[authorize]\nby = [\"kim@example.org\"]\n";
    let repo = drifting(policy);
    let baseline = || repo.say("baseline --exit-code --json", []).run();
    baseline().code(1);
    assert_eq!(repo.rule("", "baseline-drift"), "blocked");
    start(
        &repo,
        "",
        r#"{"criteria": [{"id": "AC-1", "text": "the old name goes"}]}"#,
    )
    .code(0);
    baseline().code(1);
    // Another's authorisation is a claim where the base says who may.
    let amend = |glob: &str, email: &str| {
        repo.say("review amend --authorize", [&*format!("AC-1 api {glob}")])
            .env("GIT_COMMITTER_EMAIL", email)
            .run()
    };
    let _ = amend("src/old.rs", "alice@example.org");
    baseline().code(1);
    assert_eq!(repo.rule("", "baseline-drift"), "blocked");
    amend("src/other.rs", "kim@example.org").code(0);
    baseline().code(1);
    amend("src/old.rs", "kim@example.org").code(0);
    let ran = baseline().code(0);
    says(&ran, &["AC-1"]);
    assert_eq!(repo.rule("", "baseline-drift"), "pass");
    // An explicit range of the same branch is judged by the same goal.
    repo.say("baseline --exit-code main..HEAD", []).run().code(0);
    // The goal is that of the open review: with another one, the facts are back.
    start(&repo, "--replace", r#"{"summary": "other"}"#).code(0);
    baseline().code(1);
    repo.judged("", 1);
}
