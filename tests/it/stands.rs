//! When a record counts: after amend, rebase, squash, cherry-pick and merge, by real git.

use serde_json::{Value, json};

use crate::reviewed::{EFI, FC, NB, POLICY, PR, Reviewed, stands, whys};
use crate::scene::{rule_of, says};

/// A scene with a record that all pass.
fn passed(policy: &str) -> Reviewed {
    let scene = Reviewed::with_policy(policy);
    scene.review(&scene.reply()).code(0);
    scene.check(0);
    scene
}

/// Whether the record counts now, and why or why not; the gate has to agree.
#[track_caller]
fn now(scene: &Reviewed) -> (bool, String) {
    let ran = scene.show();
    let json = ran.json();
    let record = &json["records"][0];
    let counts = record["counts"] == true;
    let stale = rule_of(
        &scene
            .repo
            .say("check --format json --ref refs/heads/main --branch topic", [])
            .run(),
        "review-stale",
    );
    assert_eq!(stale == "pass", counts, "{ran}");
    (counts, record["why"].as_str().unwrap().to_owned())
}

#[test]
fn an_amend_counts_only_with_the_same_content() {
    let scene = passed(POLICY);
    scene
        .repo
        .git(["commit", "-q", "--amend", "-m", "Add two, in other words"]);
    assert_eq!(now(&scene), (true, "same tree".to_owned()));
    scene.check(0);
    scene
        .repo
        .write("src/two.rs", "pub fn two() -> u32 {\n    3\n}\n");
    scene.repo.git(["commit", "-q", "-a", "--amend", "--no-edit"]);
    assert_eq!(now(&scene), (false, "stale (head)".to_owned()));
    let ran = scene.check(1);
    says(&ran, &["stale (head), it speaks of commit"]);
    // A stale record that was all pass does not block where none is required.
    scene.repo.judged("--ref refs/heads/elsewhere --branch topic", 0);
}

#[test]
fn a_failing_record_goes_on_to_block_when_it_turns_stale() {
    let scene = Reviewed::new();
    scene.review(&scene.reply_saying(NB, "fail")).code(1);
    scene
        .repo
        .write("src/two.rs", "pub fn two() -> u32 {\n    1 + 1\n}\n");
    scene.repo.commit("Mend");
    assert_eq!(now(&scene), (false, "stale (head)".to_owned()));
    let ran = scene
        .repo
        .judged("--format json --ref refs/heads/elsewhere --branch topic", 1);
    assert_eq!(rule_of(&ran, "review-not-pass"), "blocked");
    scene.review(&scene.reply()).code(0);
    scene.repo.judged("--ref refs/heads/elsewhere --branch topic", 0);
}

#[test]
fn a_squash_and_a_cherry_pick_keep_the_content() {
    let scene = Reviewed::new();
    scene
        .repo
        .write("src/two.rs", "pub fn two() -> u32 {\n    1 + 1\n}\n");
    scene.repo.commit("Another way");
    scene.review(&scene.reply()).code(0);
    let reviewed = scene.repo.rev("HEAD");
    scene.repo.git(["reset", "-q", "--soft", "main"]);
    scene.repo.git(["commit", "-q", "-m", "Add two at once"]);
    assert_eq!(now(&scene), (true, "same tree".to_owned()));
    scene.check(0);
    // Onto another branch, of which no review was ever opened: the record is found by what it speaks of.
    scene.repo.git(["checkout", "-q", "-b", "elsewhere", "main"]);
    scene.repo.git(["cherry-pick", &format!("main..{reviewed}")]);
    let ran = scene
        .repo
        .judged("--format json --ref refs/heads/main --branch elsewhere", 0);
    assert_eq!(rule_of(&ran, "review-stale"), "pass");
    // One commit of two is another change.
    scene.repo.git(["reset", "-q", "--hard", "HEAD~1"]);
    scene.repo.judged("--ref refs/heads/main --branch elsewhere", 1);
}

#[test]
fn a_clean_rebase_counts_with_a_green_run() {
    let scene = passed(POLICY);
    scene.move_main("other.txt", "moved on\n");
    // The base moved on, the branch did not: exactly the same comparison.
    assert_eq!(now(&scene), (true, "same commit".to_owned()));
    scene.repo.git(["rebase", "-q", "main"]);
    assert_eq!(now(&scene), (true, "replay".to_owned()));
    let json = scene.show().code(1).json();
    assert_eq!(json["needs_attention"], json!([FC, PR, NB]));
    assert_eq!(stands(&json, EFI)["passes"], true);
    says(&scene.check(1), &["no green witnessed run"]);
    scene.plant_run(101);
    scene.show().code(1);
    scene.plant_run(0);
    scene.show().code(0);
    scene.check(0);
}

#[test]
fn a_policy_may_trust_a_clean_rebase() {
    let scene = passed(&format!(
        "[evidence]\nreplay = \"trust\"\n{}",
        strip_version(POLICY)
    ));
    scene.move_main("other.txt", "moved on\n");
    scene.repo.git(["rebase", "-q", "main"]);
    assert_eq!(now(&scene), (true, "replay".to_owned()));
    scene.check(0);
    // So does a merge of the base into the branch, and a squash of that.
    scene.move_main("third.txt", "moved on again\n");
    scene.repo.git(["merge", "-q", "-m", "Merge main", "main"]);
    assert_eq!(now(&scene), (true, "replay".to_owned()));
    scene.check(0);
    scene.repo.git(["reset", "-q", "--soft", "main"]);
    scene.repo.git(["commit", "-q", "-m", "All of it"]);
    assert_eq!(now(&scene), (true, "replay".to_owned()));
}

/// A table of its own must not come before the keys at the top.
fn strip_version(policy: &str) -> String {
    policy.replacen("version = 1\n", "", 1)
}

#[test]
fn a_rebase_with_a_conflict_is_another_change() {
    let scene = passed(&format!(
        "[evidence]\nreplay = \"trust\"\n{}",
        strip_version(POLICY)
    ));
    // Main changes the line that the branch changes too.
    let lib = scene.repo.git(["show", "main:src/lib.rs"]);
    scene.move_main("src/lib.rs", &format!("//! One.\n{lib}\n"));
    scene.repo.git_call(["rebase", "main"]).run().code(1);
    let mended = format!("//! One.\npub mod two;\n{lib}\n");
    scene.repo.write("src/lib.rs", mended);
    scene.repo.git(["add", "src/lib.rs"]);
    scene.repo.git(["-c", "core.editor=true", "rebase", "--continue"]);
    assert_eq!(now(&scene), (false, "stale (head)".to_owned()));
    scene.check(1);
    // Nor does a rebase count into which something was slipped.
    let scene = passed(&format!(
        "[evidence]\nreplay = \"trust\"\n{}",
        strip_version(POLICY)
    ));
    scene.move_main("other.txt", "moved on\n");
    scene.repo.git(["rebase", "-q", "main"]);
    scene.repo.write("slipped.txt", "in\n");
    scene.repo.git(["add", "slipped.txt"]);
    scene.repo.git(["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(now(&scene), (false, "stale (head)".to_owned()));
}

#[test]
fn a_changed_goal_or_policy_makes_it_stale() {
    let scene = passed(POLICY);
    scene
        .repo
        .say("review amend --criterion", ["AC-2: and three is 3"])
        .run()
        .code(0);
    assert_eq!(now(&scene), (false, "stale (goal)".to_owned()));
    says(&scene.check(1), &["stale (goal)"]);

    let scene = passed(POLICY);
    scene.repo.git(["checkout", "-q", "main"]);
    scene.repo.write(
        ".review-gate.toml",
        format!("{POLICY}[evidence]\ncoverage = \"required\"\n").replace(
            "[[evidence.source]]\nkey = \"test-report\"\npath = \"ev/{branch}.md\"\n",
            "",
        ),
    );
    scene.repo.commit("Ask for coverage");
    scene.repo.git(["push", "-q", "--no-verify", "origin", "main"]);
    scene.repo.git(["checkout", "-q", "topic"]);
    assert_eq!(now(&scene).1, "same commit");
    scene.repo.git(["rebase", "-q", "main"]);
    assert_eq!(now(&scene), (false, "stale (policy)".to_owned()));
}

#[test]
fn clones_that_recorded_at_once_combine_to_the_worst() {
    let scene = Reviewed::new();
    let repo = &scene.repo;
    scene.packet();
    repo.git(["push", "-q", "--no-verify", "origin", "topic"]);
    repo.say("sync", []).run().code(0);
    let clone = scene
        .world
        .clone_of(&scene.remote, "clone", &["--branch", "topic"]);
    clone.say("sync", []).run().code(0);
    scene.record(&scene.reply()).code(0);
    let record = |reply: &Value| {
        clone
            .say("review record --format json -", [])
            .stdin(reply.to_string())
            .run()
    };
    record(&scene.reply_saying(PR, "fail")).code(1);
    repo.say("sync", []).run().code(0);
    clone.say("sync", []).run().code(0);
    repo.say("sync", []).run().code(0);
    let [here, there] = [repo, &clone].map(|repo| repo.say("review show --format json", []).run().code(1));
    assert_eq!(here.stdout, there.stdout);
    assert_eq!(whys(&here.json()), ["same commit", "same commit"]);
    assert_eq!(stands(&here.json(), PR)["verdict"], "fail");
}

#[test]
fn an_authorisation_counts_with_the_record_that_was_made_under_it() {
    let policy = POLICY.replacen("baseline = \"report\"", "baseline = \"required\"", 1);
    let scene = Reviewed::with_policy(&policy);
    let lib = scene.repo.read("src/lib.rs");
    scene
        .repo
        .write("src/lib.rs", lib.split("#[cfg(test)]").next().unwrap());
    scene.repo.commit("Tidy up");
    scene
        .repo
        .say("review amend --authorize", ["AC-1 tests src/**"])
        .run()
        .code(0);
    scene.review(&scene.reply()).code(0);
    scene.check(0);
    // Pushed from another branch, the goal still speaks for it: its record does.
    scene.repo.git(["checkout", "-q", "-b", "elsewhere"]);
    scene.repo.judged("--ref refs/heads/main --branch elsewhere", 0);
}
