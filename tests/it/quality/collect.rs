//! What this repository knows is computed; the rest is left out.

use serde_json::{Value, json};

use super::world::{base, merge};
use crate::scene::Scene;
use crate::support::Repo;

fn collect(repo: &Repo, more: &str, code: i32) -> Value {
    repo.say(&format!("quality collect --json {more}"), [])
        .run()
        .code(code)
        .json()
}

#[test]
fn what_is_known_is_computed_and_the_rest_left_out() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.write("binary", b"a\0b");
    repo.write("moved.txt", "one\ntwo\nthree\n");
    std::fs::remove_file(repo.dir.join("api.txt")).unwrap();
    let head = repo.commit("More");
    let id = repo.raise("one");
    repo.raise("two");
    repo.gate(["finding", "resolve", &id]).run().code(0);
    let known = json!({
        "evidence": {"kind": "real-run", "headSha": head},
        // gone.txt -2, work.txt +1, binary, and api.txt became moved.txt.
        "coverage": {"eligibleFiles": 4},
        "tokens": {"changedLines": 3, "validFindings": 1},
        "findings": {"detected": 2, "actionable": 0},
    });
    assert_eq!(collect(repo, "--base main", 0), known);
    let more = collect(
        repo,
        "--base main --repository a/b --pull 7 --run-id r --output in.json",
        0,
    );
    assert_eq!(more["evidence"]["repository"], "a/b");
    assert_eq!(more["evidence"]["pullNumber"], 7);
    assert_eq!(more["runId"], "r");
    assert_eq!(
        serde_json::from_str::<Value>(&repo.read("in.json")).unwrap(),
        more
    );
    // Whatever the configuration says about diffs.
    for (key, value) in [
        ("diff.renames", "false"),
        ("diff.external", "false"),
        ("diff.renameLimit", "1"),
    ] {
        repo.git(["config", key, value]);
    }
    assert_eq!(collect(repo, "--base main", 0), known);
    let parent = collect(repo, "--base main --commit HEAD~1", 0);
    assert_eq!(parent["evidence"]["headSha"], json!(scene.tip));
    assert_eq!(parent["tokens"]["changedLines"], 3);
    assert_eq!(parent["coverage"]["eligibleFiles"], 2);
}

#[test]
fn what_contradicts_a_computed_value_is_refused_and_both_are_named() {
    let scene = Scene::new();
    let repo = &scene.repo;
    let head = repo.rev("HEAD");
    let mut measured = base();
    merge(
        &mut measured,
        &json!({
            "evidence": {"kind": "real-run", "fixtureId": null, "headSha": &head[..12]},
            "coverage": {"eligibleFiles": 2.0, "reviewedFiles": 2}, "tokens": {"changedLines": 3, "validFindings": 0, "baselineChangedLines": null,
                "baselineTokensPerChangedLine": null, "baselineTokensPerProviderCall": null},
            "findings": {"detected": null, "actionable": null},
            "performance": {"baselineP95Ms": null, "baselineWallClockMs": null},
            "batches": {"baselineProviderCalls": null},
        }),
    );
    repo.write("measured.json", measured.to_string());
    repo.write(
        "corpus.json",
        crate::support::fixture("cases/quality/corpus.json"),
    );
    let runs = crate::support::json_fixture("cases/quality/corpus-findings.json");
    repo.write("findings.json", runs[0]["findings"].to_string());
    let line = "quality score --corpus corpus.json --findings findings.json --output score.json";
    repo.say(line, []).run().code(0);
    repo.write("before.json", base().to_string());
    let line = "--base main --repository a/b --pull 7 --baseline before.json --merge measured.json --output run.json";
    let without = collect(repo, line, 0);
    assert_eq!(without["evidence"]["headSha"], json!(head));
    assert_eq!(without["performance"]["baselineP95Ms"], 1000);
    assert_eq!(without["performance"]["baselineWallClockMs"], 4000);
    assert_eq!(without["batches"]["baselineProviderCalls"], 10);
    // The counts of a corpus contradict what somebody typed.
    let error = collect(repo, &format!("{line} --score score.json"), 2);
    let message = error["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("findings.expected is 4 in --merge, and 16 by --score"),
        "{message}"
    );
    for group in ["findings", "comments", "tokens"] {
        measured.as_object_mut().unwrap().remove(group);
    }
    repo.write("measured.json", measured.to_string());
    let whole = collect(repo, &format!("{line} --score score.json"), 0);
    assert_eq!(whole["findings"]["expected"], 16);
    assert_eq!(whole["comments"]["total"], 16);
    assert_eq!(whole["tokens"]["baselineTokensPerChangedLine"], 40);
    let ran = repo
        .say("quality evaluate --json --input run.json --strict", [])
        .run();
    assert!(ran.json().get("inputError").is_none(), "{ran}");
    measured["evidence"]["kind"] = json!("synthetic");
    repo.write("measured.json", measured.to_string());
    collect(repo, line, 2);
}

#[test]
fn findings_that_nobody_asked_for_are_not_counted_as_none() {
    let scene = Scene::new();
    let hub = scene.world.bare("hub");
    scene
        .repo
        .git(["push", "-q", hub.dir.to_str().unwrap(), "main", "topic"]);
    let clone = scene.world.clone_of(&hub, "clone", &["-b", "topic"]);
    let ran = clone
        .say("quality collect --json --base origin/main", [])
        .run()
        .code(0);
    assert!(
        ran.json().get("findings").is_none() && ran.json()["tokens"].get("validFindings").is_none(),
        "{ran}"
    );
    assert!(ran.stderr.contains("never asked"), "{ran}");
}

#[test]
fn a_protocol_file_is_made_of_reports_and_lies_elsewhere() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.write("in.json", base().to_string());
    repo.say(
        "quality evaluate --input in.json --output report.json --record",
        [],
    )
    .run()
    .code(0);
    repo.write("prompt.txt", "read it\n");
    let capture = |runs: &[&str], output: &str| {
        let line = "quality baseline capture --json --library-version 0.6.0 --source-revision abc --model m \
                    --policy in.json --prompt prompt.txt --output";
        let runs = runs.iter().flat_map(|run| ["--run", run]);
        repo.say(line, [output].into_iter().chain(runs)).run()
    };
    capture(&["report.json=APPROVED"], "inside.json").code(2);
    capture(&["report.json=APPROVED"], ".git/inside.json").code(2);
    capture(&["report.json=FINE"], "../protocol.json").code(2);
    capture(&["report.json"], "../protocol.json").code(2);
    // The same run twice.
    capture(&["report.json=APPROVED", "HEAD=MERGED"], "../protocol.json").code(2);
    let ran = capture(&["HEAD=MERGED"], "../protocol.json").code(0);
    let made = ran.json();
    let run = &made["syntheticRuns"][0];
    assert_eq!(run["outcome"], "MERGED");
    assert_eq!(run["tokens"]["total"], 4000);
    assert_eq!(
        run["duration"],
        json!({"wallClockMs": 4000, "preflightMs": null, "providerMs": null,
        "verificationMs": null, "publishingMs": null, "mergeMs": null})
    );
    repo.say("quality baseline check --json ../protocol.json", [])
        .run()
        .code(0);
    // The schemas say what the readers take.
    for (name, document) in [("protocol", made), ("input", base())] {
        let schema = repo.say("quality schema --json", [name]).run().code(0).json();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&document), "{name}");
        assert!(!validator.is_valid(&json!({})), "{name}");
    }
    for name in ["campaign", "corpus", "findings", "report"] {
        let schema = repo.say("quality schema", [name]).run().code(0).json();
        assert!(jsonschema::validator_for(&schema).is_ok(), "{name}");
    }
    let schema = repo.say("quality schema corpus", []).run().json();
    let corpus = crate::support::json_fixture("cases/quality/corpus.json");
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&corpus));
}
