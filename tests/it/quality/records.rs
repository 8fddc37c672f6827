//! What is printed, written and recorded is one document; the record that counts is the latest.

use serde_json::{Value, json};

use super::world::{base, merge, repository};
use crate::generated::assert_valid;
use crate::support::{Repo, World};

fn evaluate(repo: &Repo, input: &Value, more: &str) -> crate::support::Ran {
    repo.write("input.json", input.to_string());
    repo.say(&format!("quality evaluate --json --input input.json {more}"), [])
        .run()
}

#[test]
fn the_document_is_the_same_printed_written_and_recorded() {
    let world = World::new();
    let repo = repository(&world, "project");
    let mut bad = base();
    merge(&mut bad, &json!({"coverage": null, "runId": "ü\u{202e}"}));
    for (input, code) in [(base(), 0), (bad, 2), (json!("PASS"), 2)] {
        let ran = evaluate(&repo, &input, "--output out.json --record").code(code);
        assert_valid(&world, &ran);
        assert_eq!(repo.read("out.json"), ran.stdout);
        assert_eq!(
            repo.say("quality show --json", []).run().code(code).stdout,
            ran.stdout
        );
        let human = repo.say("quality show", []).run().code(code);
        let decision = ran.json()["decision"].as_str().unwrap().to_owned();
        let last = human.stdout.lines().last().unwrap();
        assert!(last.starts_with(&format!("decision: {decision}")), "{human}");
        assert!(
            human.stdout.lines().all(|line| line.chars().count() <= 80),
            "{human}"
        );
    }
    // Earlier ones stay.
    let all = repo.say("quality show --all", []).run().code(2);
    assert_eq!(all.stdout.matches("@example.org").count(), 3, "{all}");
    // A blocked document takes the place of an older one.
    evaluate(&repo, &base(), "--output out.json").code(0);
    let block = ["--run-id", "run-2", "--reason", "not yet", "--output", "out.json"];
    repo.say("quality block", block).run().code(2);
    assert!(repo.read("out.json").contains("not yet"));
}

#[test]
fn what_cannot_be_written_or_recorded_does_not_pass() {
    let world = World::new();
    let repo = repository(&world, "project");
    let ran = evaluate(&repo, &base(), "--output no/such/folder/out.json").code(2);
    assert!(
        ran.json()["inputError"].as_str().unwrap().starts_with("--output"),
        "{ran}"
    );
    // Whose input it was is said all the same.
    let ran = evaluate(&repo, &base(), "--max-score-drop many").code(2);
    assert_eq!(ran.json()["runId"], "example-run-0001", "{ran}");
    assert_eq!(ran.json()["evidence"], base()["evidence"], "{ran}");
    // Made-up evidence can be evaluated without a repository, and recorded nowhere.
    let outside = world.at("home");
    outside.write("input.json", base().to_string());
    let line = "quality evaluate --json --input input.json --output out.json";
    let ran = outside.say(line, []).run().code(0);
    assert!(ran.json().get("commit").is_none(), "{ran}");
    let ran = outside.say(line, ["--record"]).run().code(2);
    assert!(
        ran.json()["inputError"].as_str().unwrap().starts_with("--record"),
        "{ran}"
    );
    assert_eq!(outside.read("out.json"), ran.stdout);
    let ran = outside.say("quality show", []).run().code(2);
    assert!(ran.stderr.contains("hint:"), "{ran}");
}

#[test]
fn a_long_report_is_kept_in_pieces_and_comes_back_whole() {
    let world = World::new();
    let repo = repository(&world, "project");
    let mut input = base();
    let scope = json!({"kind": "real-run", "fixtureId": null, "repository": "é".repeat(60_000),
        "pullNumber": 1, "headSha": repo.rev("HEAD")});
    merge(&mut input, &json!({"evidence": scope}));
    let ran = evaluate(&repo, &input, "--record").code(0);
    let events = repo.events("refs/notes/review-gate/quality");
    let parts = events.iter().filter(|(_, event)| event["kind"] == "quality.part");
    assert!(parts.count() > 10);
    assert_eq!(
        repo.say("quality show --json", []).run().code(0).stdout,
        ran.stdout
    );
    repo.say("fsck", []).run().code(0);
    // It is a baseline like any other.
    let ran = evaluate(&repo, &input, "--baseline rev:HEAD").code(0);
    assert_eq!(ran.json()["baseline"]["source"], "record");
    assert_eq!(ran.json()["baseline"]["commit"], json!(repo.rev("HEAD")));
    // Without one of its pieces it is nobody's.
    let lines: Vec<String> = events[1..]
        .iter()
        .map(|(_, event)| format!("{event}\n"))
        .collect();
    let lost = events[0].1["kind"] == "quality.part";
    repo.plant("refs/notes/review-gate/quality", "HEAD", lines.concat());
    let shown = repo.say("quality show --json", []).run().code(2);
    assert!(
        !lost || shown.json()["error"]["message"].as_str().is_some(),
        "{shown}"
    );
}

#[test]
fn a_name_that_is_a_file_and_a_revision_is_refused() {
    let world = World::new();
    let repo = repository(&world, "project");
    evaluate(&repo, &base(), "--record").code(0);
    repo.write("main", base().to_string());
    let error = |named: &str| {
        let ran = evaluate(&repo, &base(), &format!("--baseline {named}"));
        let error = ran.json()["baselineError"].as_str().map(str::to_owned);
        assert_eq!(ran.code == 0, error.is_none(), "{ran}");
        error
    };
    let said = error("main").unwrap();
    assert!(said.contains("file:main") && said.contains("rev:main"), "{said}");
    assert_eq!(error("file:main"), None);
    assert_eq!(error("rev:main"), None);
    assert_eq!(error("HEAD"), None);
    for nothing in ["rev:HEAD~1", "file:no", "no"] {
        assert!(error(nothing).is_some(), "{nothing}");
    }
}

#[test]
fn evidence_is_bound_by_the_id_of_a_commit_alone() {
    let world = World::new();
    for options in [&[][..], &["--object-format=sha256"]] {
        let repo = world.init(&format!("bound-{}", options.len()), options);
        repo.write("a", "1\n");
        let first = repo.commit("One");
        repo.git(["tag", "-a", "v1", "-m", "v1"]);
        repo.git(["branch", "deadbeef"]);
        let bound = |head: &str| {
            let mut input = base();
            let run = json!({"kind": "real-run", "fixtureId": null, "repository": "a/b", "pullNumber": 1,
                "headSha": head});
            merge(&mut input, &json!({"evidence": run}));
            let ran = evaluate(&repo, &input, "");
            let gates = ran.json()["absoluteGates"].as_array().unwrap().clone();
            let gate = gates
                .iter()
                .find(|gate| gate["name"] == "evidence-bound-to-commit");
            gate.unwrap()["passed"] == true
        };
        assert!(bound(&first) && bound(&first[..7]) && bound(&first[..12].to_uppercase()));
        let tree = repo.rev("HEAD^{tree}");
        let tag = repo.rev("v1");
        let other = "0123456789abcdef".repeat(4);
        for head in [
            &tree[..],
            &tree[..10],
            &tag,
            "deadbeef",
            &other[..40],
            &other,
            &other[..9],
        ] {
            assert!(!bound(head), "{head}");
        }
        repo.commit("Two");
        assert!(!bound(&first));
    }
}
