//! `git review-gate review record`, `show` and `rule`: an answer is lowered, kept, and stands until a person rules.

use serde_json::{Value, json};

use crate::generated::assert_valid;
use crate::reviewed::{EFI, FC, NB, POLICY, PR, REVIEWS, Reviewed, markers, stands, whys};
use crate::scene::{rule_of, says, sha256, text};
use crate::support::Ran;

/// The kind of an error printed as JSON.
#[track_caller]
fn kind(ran: &Ran) -> String {
    text(&ran.json()["error"], "kind")
}

#[test]
fn an_honest_review_opens_the_protected_branch() {
    let scene = Reviewed::new();
    let repo = &scene.repo;
    repo.say("init", []).run().code(0);
    let push = || repo.git_call(["push", "origin", "topic:main"]).run();
    says(&push(), &["review-missing"]);
    assert_eq!(rule_of(&scene.check(1), "review-missing"), "blocked");
    let packet = scene.packet();
    let id = packet
        .stdout
        .lines()
        .nth(1)
        .unwrap()
        .strip_prefix("PACKET: ")
        .unwrap();
    let ran = scene.record(&scene.reply()).code(0);
    assert_valid(&scene.world, &ran);
    let json = ran.json();
    assert_eq!(
        (&json["all_pass"], &json["needs_attention"]),
        (&json!(true), &json!([]))
    );
    assert_eq!(json["records"][0]["packet"], id);
    assert_eq!(json["records"][0]["id"], json["wrote"]);
    let shown = scene.show().code(0);
    assert_valid(&scene.world, &shown);
    assert_eq!(whys(&shown.json()), ["same commit"]);
    let human = repo.say("review show", []).run().code(0);
    assert_eq!(human.stdout.lines().last(), Some("all pass"));

    // The raw reply is kept, and the whole answer is made again from it.
    let output = &shown.json()["records"][0]["output"];
    assert_eq!(output["allPass"], true);
    let attached = &output["dimensions"][3]["evidence"][0];
    assert_eq!(attached["kind"], "pre-post-diff");
    assert!(text(attached, "artifact").starts_with("baseline:"));
    let events = repo.events(REVIEWS);
    let body = |kind: &str| &events.iter().find(|(_, event)| event["kind"] == kind).unwrap().1["body"];
    let raw = scene.reply().to_string();
    assert_eq!(text(body("review.reply"), "text"), raw);
    assert_eq!(body("review.recorded")["raw"], *sha256(&raw));
    assert_eq!(body("review.recorded")["result"]["attached"], true);

    scene.check(0);
    assert_eq!(push().code, 0);
    assert_eq!(scene.remote.rev("main"), repo.rev("topic"));
}

#[test]
fn four_passes_without_evidence_are_worth_nothing() {
    let scene = Reviewed::new();
    let mut reply = scene.reply();
    for entry in reply["dimensions"].as_array_mut().unwrap() {
        entry["evidence"] = json!([]);
    }
    let ran = scene.review(&reply).code(1);
    let json = ran.json();
    assert_eq!(json["needs_attention"], json!([FC, PR, NB]));
    for dimension in [FC, PR, NB] {
        assert_eq!(stands(&json, dimension)["verdict"], "inconclusive");
        assert_eq!(markers(&json, dimension), ["contract-evidence-gate"]);
    }
    assert_eq!(rule_of(&scene.check(1), "review-not-pass"), "blocked");
    let human = scene.repo.say("review show", []).run().code(1);
    assert_eq!(
        human.stdout.lines().last().unwrap(),
        format!("not all pass: {FC}, {PR}, {NB}")
    );
    says(&human, &["needs-human, low confidence"]);
    let markdown = scene.repo.say("review show --format markdown", []).run().code(1);
    says(
        &markdown,
        &["| functional-completeness | needs-human | low | contract-evidence-gate: "],
    );
}

#[test]
fn what_is_forged_is_caught_where_it_is_forged() {
    // A test file that does not exist.
    let scene = Reviewed::new();
    let claim = scene.reply_with(NB, |entry| {
        entry["evidence"][1]["artifact"] = "tests/two_race.rs".into();
    });
    let json = scene.review(&claim).code(1).json();
    assert_eq!(markers(&json, NB), ["artifact-gate"]);
    says(&scene.repo.say("review show", []).run(), &["tests/two_race.rs"]);

    // The approved spec is gone.
    let scene = Reviewed::new();
    scene.repo.git(["rm", "-q", "docs/spec.md"]);
    scene.repo.commit("Drop the spec");
    let json = scene.review(&scene.reply()).code(1).json();
    assert_eq!(json["needs_attention"], json!([FC]));
    assert!(markers(&json, FC).contains(&"scope-contract-gate".to_owned()));

    // A test is gone.
    let scene = Reviewed::new();
    let lib = scene.repo.read("src/lib.rs");
    scene
        .repo
        .write("src/lib.rs", lib.split("#[cfg(test)]").next().unwrap());
    scene.repo.commit("Tidy up");
    let json = scene.review(&scene.reply()).code(1).json();
    assert_eq!(json["needs_attention"], json!([EFI]));
    assert_eq!(stands(&json, EFI)["verdict"], "pass");
    assert_eq!(markers(&json, EFI), ["pre-post-diff-drift-gate"]);

    // All there is about two questions is too long to arrive whole.
    let scene = Reviewed::new();
    scene.repo.write("ev/topic.md", "passed\n".repeat(2000));
    scene.repo.commit("Report at length");
    let json = scene.review(&scene.reply()).code(1).json();
    assert_eq!(json["needs_attention"], json!([PR, NB]));
    for dimension in [PR, NB] {
        assert!(markers(&json, dimension).contains(&"delivery-reachability".to_owned()));
    }
}

#[test]
fn a_reply_that_is_not_usable_stores_nothing() {
    let scene = Reviewed::new();
    scene.packet();
    let tips = scene.repo.tips();
    let whole = scene.reply().to_string();
    let mut stranger = scene.reply();
    stranger["rid"] = "other-00000000".into();
    for (reply, reason) in [
        (String::new(), "empty"),
        (whole[..whole.len() / 2].to_owned(), "truncated"),
        ("I approve.".to_owned(), "not-json"),
        (
            format!("```\n{whole}\n```\nand\n```\n{whole}\n```\n"),
            "several-blocks",
        ),
        ("{}".to_owned(), "wrong-type"),
        (stranger.to_string(), "rid-mismatch"),
    ] {
        let ran = scene
            .repo
            .say("review record --format json -", [])
            .stdin(reply)
            .run()
            .code(2);
        assert_eq!(kind(&ran), "IncompleteFinalReview");
        assert!(text(&ran.json()["error"], "message").contains(reason), "{ran}");
        assert_valid(&scene.world, &ran);
    }
    assert_eq!(scene.repo.tips(), tips);
    // Prose around one block is fine.
    let prose = format!("Here you are:\n\n```json\n{whole}\n```\n\nThat was all.");
    scene.repo.say("review record -", []).stdin(prose).run().code(0);
}

#[test]
fn a_record_needs_a_packet_that_is_still_what_it_was() {
    let scene = Reviewed::new();
    assert_eq!(kind(&scene.record(&scene.reply()).code(2)), "no-packet");
    scene.packet();
    let first = scene.repo.rev("HEAD");
    scene.repo.commit("One more");
    assert_eq!(kind(&scene.record(&scene.reply()).code(2)), "no-packet");
    let named = |options: &str| {
        scene
            .repo
            .say(&format!("review record --format json {options} -"), [])
            .stdin(scene.reply().to_string())
            .run()
    };
    assert_eq!(kind(&named("--packet 00000000").code(2)), "no-packet");
    assert_eq!(kind(&named("--origin -x").code(2)), "usage");
    let events = scene.repo.events(REVIEWS);
    let packet = &events
        .iter()
        .find(|(_, event)| event["kind"] == "review.packet")
        .unwrap()
        .1;
    let id = text(&packet["body"], "packet");
    // A packet of another commit is taken, and said to be stale at once. The empty commit has the same tree.
    let ran = named(&format!("--packet {}", &id[..12]));
    says(&ran, &["warning: the packet is of commit"]);
    assert_eq!(whys(&ran.code(0).json()), ["same tree"]);

    // One whose manifest says something else than its id is none.
    let mut body = packet["body"].clone();
    body["manifest"]["sources"][4]["included"] = json!(0);
    body["packet"] = sha256("another").into();
    scene.plant("review.packet", &first, &body);
    let ran = named(&format!("--packet {}", &sha256("another")[..12])).code(2);
    assert_eq!(kind(&ran), "packet-mismatch", "{ran}");
}

#[test]
fn asking_again_about_the_same_improves_nothing() {
    let scene = Reviewed::new();
    scene.review(&scene.reply_saying(NB, "fail")).code(1);
    let json = scene.record(&scene.reply()).code(1).json();
    assert_eq!(stands(&json, NB)["verdict"], "fail");
    assert_eq!(json["records"].as_array().unwrap().len(), 2);
    // Neither does another packet of the same commit.
    scene.repo.raise("a finding makes it another packet");
    let json = scene.review(&scene.reply()).code(1).json();
    assert_eq!(stands(&json, NB)["verdict"], "fail");
    // Another commit does, and so would a witnessed run.
    scene
        .repo
        .write("src/two.rs", "pub fn two() -> u32 {\n    1 + 1\n}\n");
    scene.repo.commit("Mend");
    let json = scene.review(&scene.reply()).code(0).json();
    assert_eq!(stands(&json, NB)["verdict"], "pass");
    assert_eq!(whys(&json).last().map(String::as_str), Some("same commit"));
    // A newer non-pass beats it.
    scene.record(&scene.reply_saying(PR, "inconclusive")).code(1);
}

#[test]
fn a_red_run_takes_a_pass_away_until_a_green_one() {
    let scene = Reviewed::new();
    scene.review(&scene.reply()).code(0);
    scene.plant_run(101);
    let json = scene.show().code(1).json();
    assert_eq!(json["needs_attention"], json!([FC, PR, NB]));
    assert_eq!(markers(&json, NB), ["witnessed-red-gate"]);
    let ran = scene.check(1);
    assert_eq!(rule_of(&ran, "review-not-pass"), "blocked");
    says(&ran, &["witnessed-red-gate"]);
    scene.plant_run(0);
    scene.show().code(0);
    scene.check(0);
}

#[test]
fn a_person_may_rule_and_is_named() {
    let scene = Reviewed::new();
    let rule = |line: &str, reason: &str| {
        scene
            .repo
            .say(&format!("review rule --format json {line} --reason"), [reason])
            .run()
    };
    assert_eq!(kind(&rule("no-new-bugs pass", "why").code(2)), "no-record");
    scene.review(&scene.reply_saying(NB, "inconclusive")).code(1);
    assert_eq!(kind(&rule("no-new-bugs pass", "  ").code(2)), "usage");
    let ran = rule("problem-resolution pass", "why").code(2);
    assert_eq!(kind(&ran), "not-in-attention");
    says(&ran, &[NB]);
    let ran = rule("no-new-bugs pass", "I tried the neighbours").code(0);
    assert_valid(&scene.world, &ran);
    let ruling = &stands(&ran.json(), NB)["ruling"].clone();
    assert_eq!(ruling["reason"], "I tried the neighbours");
    assert_eq!(ruling["by_author"], true);
    assert_eq!(stands(&ran.json(), NB)["verdict"], "inconclusive");
    says(
        &scene.repo.say("review show", []).run().code(0),
        &[
            "ruled pass by Alice <alice@example.org>, author of this",
            "I tried the",
        ],
    );
    scene.check(0);
    // It settles what stood then, no later record.
    scene.record(&scene.reply_saying(NB, "fail")).code(1);
    let ran = rule("functional-completeness fail", "AC-1 is not what was meant").code(1);
    assert_eq!(stands(&ran.json(), FC)["ruling"]["verdict"], "fail");
    assert_eq!(ran.json()["needs_attention"], json!([FC, NB]));
}

#[test]
fn nobody_rules_on_what_was_never_compared() {
    let scene = Reviewed::new();
    scene
        .repo
        .git(["update-ref", "refs/remotes/origin/main", "topic"]);
    scene.review(&scene.reply()).code(1);
    let ran = scene
        .repo
        .say(
            &format!("review rule --format json {EFI} pass --reason"),
            ["fine"],
        )
        .run()
        .code(2);
    assert_eq!(kind(&ran), "no-baseline");
}

#[test]
fn only_who_may_rule_rules() {
    let scene = Reviewed::with_policy(&format!("{POLICY}[rule]\nby = [\"lead@example.org\"]\n"));
    scene.review(&scene.reply_saying(NB, "inconclusive")).code(1);
    let rule = || {
        scene
            .repo
            .say(&format!("review rule --format json {NB} pass --reason"), ["fine"])
    };
    assert_eq!(kind(&rule().run().code(2)), "not-allowed");
    // An event of somebody else is a claim.
    let record = text(&scene.show().json()["records"][0], "id");
    let packet = text(&scene.show().json()["records"][0], "packet");
    let body = json!({
        "dimension": NB, "packet": packet, "reason": "trust me", "review": scene.review,
        "settles": [record], "verdict": "pass",
    });
    scene.plant("review.ruled", &scene.repo.rev("HEAD"), &body);
    scene.show().code(1);
    rule()
        .env("GIT_COMMITTER_EMAIL", "lead@example.org")
        .run()
        .code(0);
    scene.check(0);
}

#[test]
fn a_ruling_on_drift_clears_the_baseline_rule_too() {
    let policy = POLICY.replacen("baseline = \"report\"", "baseline = \"required\"", 1);
    let scene = Reviewed::with_policy(&policy);
    let lib = scene.repo.read("src/lib.rs");
    scene
        .repo
        .write("src/lib.rs", lib.split("#[cfg(test)]").next().unwrap());
    scene.repo.commit("Tidy up");
    scene.review(&scene.reply()).code(1);
    let ran = scene.check(1);
    assert_eq!(rule_of(&ran, "baseline-drift"), "blocked");
    scene
        .repo
        .say(
            &format!("review rule {EFI} pass --reason"),
            ["the test moved to another repository"],
        )
        .run()
        .code(0);
    let ran = scene.check(0);
    assert_eq!(rule_of(&ran, "baseline-drift"), "pass");
    says(&ran, &["the test moved to another repository"]);
}

#[test]
fn a_record_that_was_written_by_hand_is_not_valid() {
    let scene = Reviewed::new();
    let mut reply = scene.reply();
    reply["dimensions"][2]["evidence"] = json!([]);
    scene.review(&reply).code(1);
    scene.check(1);
    let events = scene.repo.events(REVIEWS);
    let of = |kind: &str| events.iter().find(|(_, event)| event["kind"] == kind).unwrap().1["body"].clone();
    let head = scene.repo.rev("HEAD");
    // It says that all pass, for the same reply and packet.
    let mut forged = of("review.recorded");
    forged["result"]["allPass"] = json!(true);
    forged["result"]["needsAttention"] = json!([]);
    forged["result"]["dimensions"][NB] = json!({"confidence": "high", "verdict": "pass"});
    forged["markers"] = json!([]);
    let id = scene.plant("review.recorded", &head, &forged);
    let ran = scene.check(1);
    assert_eq!(rule_of(&ran, "review-incomplete"), "blocked");
    says(&ran, &[&id[..12], "claims more"]);
    assert_eq!(scene.show().code(2).json()["basis"], "invalid");

    // For another packet, or a reply that is not there.
    let scene = Reviewed::new();
    scene.packet();
    let head = scene.repo.rev("HEAD");
    for (key, value) in [("packet", sha256("none")), ("raw", sha256("none"))] {
        let mut body = forged.clone();
        body["review"] = scene.review.clone().into();
        body["goal_digest"] = text(&first_packet(&scene)["manifest"], "goal_digest").into();
        body["packet"] = text(&first_packet(&scene), "packet").into();
        body[key] = value.into();
        scene.plant("review.recorded", &head, &body);
        assert_eq!(rule_of(&scene.check(1), "review-incomplete"), "blocked");
    }
}

fn first_packet(scene: &Reviewed) -> Value {
    let events = scene.repo.events(REVIEWS);
    let packet = events
        .into_iter()
        .find(|(_, event)| event["kind"] == "review.packet");
    packet.unwrap().1["body"].clone()
}

#[test]
fn a_closed_review_counts_no_more_and_stays_visible() {
    let scene = Reviewed::new();
    scene.review(&scene.reply()).code(0);
    let started = scene
        .repo
        .say(
            "review start --replace --format json --criterion",
            ["AC-9: something else"],
        )
        .run()
        .code(0);
    assert_eq!(started.json()["replaced"], json!([scene.review]));
    let ran = scene.show().code(2);
    assert_eq!(whys(&ran.json()), [format!("review {} is closed", scene.review)]);
    assert_eq!(rule_of(&scene.check(1), "review-missing"), "blocked");
    let ran = scene
        .repo
        .say("review packet --format json --review", [&*scene.review])
        .run()
        .code(2);
    assert_eq!(kind(&ran), "review-closed");
}

#[test]
fn no_reply_is_lost_where_it_cannot_be_written() {
    let scene = Reviewed::new();
    scene.packet();
    let head = scene.repo.rev("HEAD");
    // The note is full: events of a kind that is not known here.
    let mut lines: Vec<String> = scene
        .repo
        .events(REVIEWS)
        .into_iter()
        .filter(|(anchor, _)| *anchor == head)
        .map(|(_, event)| format!("{event}\n"))
        .collect();
    let mut event = scene.repo.frame("future.kind", &head, &json!({}));
    for number in lines.len()..10_000 {
        event["body"] = json!({"number": number});
        lines.push(crate::scene::line(&event));
    }
    lines.sort();
    scene.repo.plant(REVIEWS, &head, lines.concat());
    let ran = scene.record(&scene.reply()).code(2);
    assert_eq!(kind(&ran), "notes-write-failed", "{ran}");
    let hint = ran.json()["error"]["hints"][0].as_str().unwrap().to_owned();
    let path = hint.strip_prefix("git review-gate review record ").unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), scene.reply().to_string());
}
