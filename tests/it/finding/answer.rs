//! Answers and what becomes of them: `resolve`, `verify`, `pass`, `reopen`, `waive`.

use serde_json::{Value, json};

use crate::scene::{Scene, says};
use crate::support::Repo;

/// The body of the only event of this kind.
fn only(repo: &Repo, kind: &str) -> Value {
    let mut events = repo.events("refs/notes/review-gate/findings");
    events.retain(|(_, event)| event["kind"] == kind);
    assert_eq!(events.len(), 1, "{kind}: {events:?}");
    events[0].1["body"].clone()
}

#[test]
fn resolve_answers_exactly_what_it_saw() {
    let Scene { repo, base, tip, .. } = Scene::new();
    let one = repo.raise("one");
    let two = repo.raise("two");
    let openings: Vec<Value> = repo
        .events("refs/notes/review-gate/findings")
        .into_iter()
        .map(|(_, event)| event["id"].clone())
        .collect();
    repo.write("work.txt", "mended\n");
    let fix = repo.commit("Mend");
    repo.write("work.txt", "mended more\n");
    let head = repo.commit("Mend more");

    // All or nothing: an answer that is refused takes the others with it.
    repo.git(["branch", "aside", &base]);
    repo.git(["checkout", "-q", "aside"]);
    let aside = repo.commit("Aside");
    repo.git(["checkout", "-q", "topic"]);
    for bad in [
        format!("{two}={aside}"),
        format!("{two}=nowhere"),
        format!("{two}=HEAD^{{tree}}"),
        format!("{two}="),
        "F-ffffffff".to_owned(),
        one.clone(),
    ] {
        let before = repo.tips();
        repo.say("finding resolve", [&*one, &*bad]).run().code(2);
        assert_eq!(repo.tips(), before, "{bad}");
    }
    let ran = repo
        .say("finding resolve --note", ["off by one", &format!("{one}={fix}")])
        .run()
        .code(0);
    // What is still open is said at the end.
    assert!(ran.stdout.lines().last().unwrap().contains("good → two"), "{ran}");
    let body = only(&repo, "finding.resolved");
    assert_eq!(body["commit"], *fix);
    assert_eq!(body["note"], "off by one");
    assert_eq!(body["closes"].as_array().unwrap().len(), 1);
    assert!(openings.contains(&body["closes"][0]));
    assert_eq!(repo.states("")["one"], "addressed");
    repo.judged("", 1);

    // The default is HEAD; JSON says the same as the command line.
    let input = json!([{"finding_id": two, "note": "mended as well"}]);
    let ran = repo
        .say("finding resolve --format json --json -", [])
        .stdin(input.to_string())
        .run()
        .code(0);
    assert_eq!(ran.json()["commits"][&two], *head);
    assert_eq!(ran.json()["open"], json!([]));
    repo.judged("", 0);
    let stored = repo.events("refs/notes/review-gate/findings");
    assert!(
        stored
            .iter()
            .all(|(anchor, _)| *anchor == tip || *anchor == head || *anchor == fix)
    );
    for bad in [
        json!([{"finding_id": two, "commit": aside}]),
        json!([{"finding_id": two, "other": 1}]),
        json!([{"commit": head}]),
        json!([{"finding_id": 7}]),
        json!({"finding_id": two}),
        json!([]),
        json!("text"),
    ] {
        let before = repo.tips();
        repo.say("finding resolve --json -", [])
            .stdin(bad.to_string())
            .run()
            .code(2);
        assert_eq!(repo.tips(), before, "{bad}");
    }
    repo.say("finding resolve", []).run().code(2);
}

#[test]
fn only_the_own_origin_confirms() {
    let Scene { repo, .. } = Scene::with_policy(Some(
        "version = 1\n[[gate]]\nrefs = [\"*\"]\nfindings = \"verified\"\n",
    ));
    let both = repo.raise_as("qa", "minor", "both");
    repo.raise_as("pm", "minor", "both");
    let waiting = repo.raise_as("qa", "minor", "waiting");
    // Nothing to confirm yet.
    let before = repo.tips();
    repo.say("finding verify", [&*both]).run().code(2);
    assert_eq!(repo.tips(), before);
    // An origin with an open finding does not pass: decided, and nothing written.
    let ran = repo.say("finding pass --origin qa", []).run().code(1);
    says(&ran, &[&both, &waiting]);
    assert_eq!(repo.tips(), before);
    repo.say("finding resolve", [&*both, &*waiting]).run().code(0);
    assert_eq!(repo.rule("", "findings-open"), "pass");
    assert_eq!(repo.rule("", "findings-unverified"), "blocked");
    let ran = repo
        .say("finding pass --origin qa --format json", [])
        .run()
        .code(0);
    assert_eq!(ran.json()["schema"], "review-gate/finding-change");
    // One opening of `both` is of another origin: the finding shows the worst of its openings.
    assert_eq!(
        repo.states(""),
        [
            ("both".into(), "addressed".into()),
            ("waiting".into(), "verified".into())
        ]
        .into()
    );
    repo.judged("", 1);
    repo.say("finding pass --origin pm", []).run().code(0);
    assert_eq!(repo.states("")["both"], "verified");
    repo.judged("", 0);
    // With nothing left to confirm, a pass is a pass.
    repo.say("finding pass --origin ceo", []).run().code(0);
    repo.say("finding pass --origin nobody", []).run().code(2);

    // Raised again, it is open again.
    repo.raise_as("qa", "minor", "both");
    assert_eq!(repo.states("")["both"], "open");
    repo.judged("", 1);
}

#[test]
fn verify_confirms_the_answers_that_are_there() {
    let Scene { repo, .. } = Scene::new();
    let id = repo.raise("one");
    let other = repo.raise("two");
    repo.say("finding resolve", [&*id]).run().code(0);
    let before = repo.tips();
    repo.say("finding verify", [&*id, &*other]).run().code(2);
    assert_eq!(repo.tips(), before, "all or nothing");
    repo.say("finding verify", [&*id]).run().code(0);
    assert_eq!(repo.states("")["one"], "verified");
    let resolved = repo
        .events("refs/notes/review-gate/findings")
        .into_iter()
        .find(|(_, event)| event["kind"] == "finding.resolved")
        .unwrap()
        .1;
    let verified = only(&repo, "finding.verified");
    assert_eq!(verified["confirms"], json!([resolved["id"]]));
    assert_eq!(verified["origin"], "qa");
}

#[test]
fn reopen_needs_what_is_wrong() {
    let Scene { repo, .. } = Scene::new();
    let id = repo.raise_as("qa", "nit", "one");
    repo.raise_as("qa", "blocker", "one");
    repo.say("finding resolve", [&*id]).run().code(0);
    repo.judged("", 0);
    let before = repo.tips();
    for bad in ["todo", "", "two\nlines", &"x".repeat(301)] {
        repo.say("finding reopen --actual", [bad, &*id]).run().code(2);
    }
    repo.say("finding reopen", [&*id]).run().code(2);
    assert_eq!(repo.tips(), before);
    repo.say(
        "finding reopen --evidence log --actual",
        ["request 100 fails over IPv6", &*id],
    )
    .run()
    .code(0);
    assert_eq!(repo.states("")["one"], "open");
    assert_eq!(
        repo.listed("")[0]["severity"],
        "blocker",
        "the highest of all raisings"
    );
    let body = only(&repo, "finding.reopened");
    assert_eq!(body["evidence"], "log");
    assert_eq!(body["origin"], "qa");
    repo.judged("", 1);
}

#[test]
fn waivers_need_a_reason_a_grant_and_a_day() {
    let policy = "version = 1\n[waive]\nmajor = [\"alice@example.org\"]\n";
    let Scene { repo, .. } = Scene::with_policy(Some(policy));
    let today = repo.command("date").args(["-u", "+%Y-%m-%d"]).run().stdout;
    let minor = repo.raise_as("qa", "minor", "small");
    let before = repo.tips();
    for bad in ["", "  "] {
        repo.say("finding waive --reason", [bad, &*minor]).run().code(2);
    }
    for bad in ["tomorrow", "2026-02-30", "2026-1-1", "99999-01-01"] {
        repo.say(
            &format!("finding waive {minor} --reason because --until {bad}"),
            [],
        )
        .run()
        .code(2);
    }
    repo.say("finding waive", [&*minor]).run().code(2);
    assert_eq!(repo.tips(), before);
    // A waiver that has ended waives nothing, whether it is refused or kept.
    let _ = repo
        .say(
            &format!("finding waive {minor} --reason because --until 2020-01-01"),
            [],
        )
        .run();
    assert_eq!(repo.states("")["small"], "open");
    repo.judged("", 1);
    // To the end of its day.
    repo.say(
        &format!("finding waive {minor} --reason because --until {today}"),
        [],
    )
    .run()
    .code(0);
    assert_eq!(repo.states("")["small"], "waived");
    repo.judged("", 0);

    // A major needs a grant of the base's policy, a blocker has none here.
    let major = repo.raise_as("qa", "major", "big");
    let blocker = repo.raise_as("qa", "blocker", "huge");
    let waive = |id: &str, email: &str| {
        repo.say("finding waive --reason because", [id])
            .env("GIT_COMMITTER_EMAIL", email)
            .run()
    };
    let before = repo.tips();
    waive(&major, "bob@example.org").code(2);
    says(
        &waive(&blocker, "alice@example.org").code(2),
        &["blocker", "[waive]"],
    );
    // A grant that the branch gives itself is none.
    repo.write(
        ".review-gate.toml",
        format!("{policy}blocker = [\"alice@example.org\"]\n"),
    );
    repo.commit("Grant");
    waive(&blocker, "alice@example.org").code(2);
    assert_eq!(repo.tips(), before);
    waive(&major, "alice@example.org").code(0);
    assert_eq!(repo.states("")["big"], "waived");
    // A waiver closes the openings it saw.
    repo.raise_as("pm", "minor", "small");
    assert_eq!(repo.states("")["small"], "open");
}

#[test]
fn those_who_may_speak_for_an_origin_are_named_by_the_base() {
    let policy = "version = 1\n[origins]\nextra = [\"security\"]\nqa = [\"kim@example.org\"]\n\
                  [[gate]]\nrefs = [\"*\"]\nfindings = \"verified\"\n";
    let Scene { repo, .. } = Scene::with_policy(Some(policy));
    let add = "finding add --origin qa --severity nit --expected good --format json --actual";
    let kim = |line: &str, more: &[&str]| {
        repo.say(line, more.iter().copied())
            .env("GIT_COMMITTER_EMAIL", "kim@example.org")
            .run()
    };
    let ran = kim(add, &["one"]).code(0);
    let id = ran.json()["findings"][0]["id"].as_str().unwrap().to_owned();
    repo.say("finding resolve", [&*id]).run().code(0);
    assert_eq!(repo.rule("", "findings-unverified"), "blocked");
    // What others say in its name is a claim: it confirms nothing and is shown as what it is.
    let _ = repo.say("finding verify", [&*id]).run();
    let _ = repo.say("finding pass --origin qa", []).run();
    assert_eq!(repo.states("")["one"], "addressed");
    assert_eq!(repo.rule("", "findings-unverified"), "blocked");
    let _ = repo.say(add, ["claimed"]).run();
    assert_eq!(
        repo.rule("", "findings-open"),
        "pass",
        "a raising that does not count does not block"
    );
    // Nor does a list that the branch writes for itself count.
    repo.write(".review-gate.toml", policy.replace("kim@", "alice@"));
    repo.commit("Take over");
    let _ = repo.say("finding verify", [&*id]).run();
    assert_eq!(repo.states("")["one"], "addressed");
    kim("finding verify", &[&id]).code(0);
    assert_eq!(repo.states("")["one"], "verified");
    repo.judged("", 0);
    // Without a list anybody may; an origin that policy adds is one.
    repo.raise_as("security", "nit", "added");
    repo.judged("", 1);
}
