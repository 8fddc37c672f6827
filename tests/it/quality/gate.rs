//! Real pushes to refs whose gate asks for a quality record; after a push that was stopped no ref has moved.

use serde_json::{Value, json};

use super::world::{base, merge};
use crate::prepush::Scene;
use crate::support::Repo;

const POLICY: &str = "version = 1\nbase = \"origin/main\"\n\n[[gate]]\nrefs = [\"refs/tags/v*\", \"refs/heads/release/*\"]\nbaseline = \"off\"\nquality = \"required\"\n\n[[gate]]\nrefs = [\"refs/heads/*\", \"refs/tags/*\"]\nbaseline = \"off\"\n\n[sync]\non_push = \"off\"\n";

const REF: &str = "refs/notes/review-gate/quality";

/// A scene whose policy asks for quality; every ref that is judged has it in its base.
fn scene(policy: &str) -> Scene {
    let scene = Scene::new();
    scene.repo.write(".review-gate.toml", policy);
    scene.repo.commit("Ask for quality");
    scene.repo.git(["push", "-q", "--no-verify", "origin", "main"]);
    scene
}

/// Measurements that a release may rely on, of this commit.
pub fn fit(head: &str) -> Value {
    let mut input = base();
    let limits = json!({"limitTokens": 9000, "usedTokens": 100});
    merge(
        &mut input,
        &json!({
            "evidence": {"kind": "real-run", "fixtureId": null, "repository": "acme/widgets",
                "pullNumber": 7, "headSha": head},
            "limits": {"pullRequest": limits, "contextPack": limits, "analysis": limits, "verification": limits},
        }),
    );
    input
}

/// Records measurements on a commit.
fn record(repo: &Repo, commit: &str, input: &Value, more: &[&str], code: i32) {
    std::fs::write(repo.dir.join(".git/run.json"), input.to_string()).unwrap();
    let line = "quality evaluate --record --input .git/run.json --commit";
    repo.say(line, [commit].into_iter().chain(more.iter().copied()))
        .run()
        .code(code);
}

#[test]
fn a_release_branch_needs_a_record_that_passes_for_exactly_its_commit() {
    let scene = scene(POLICY);
    let old = scene.branch("release/1");
    let push = ["origin", "release/1"];
    let named = "quality-blocked";
    scene.stopped(
        &push,
        &[
            named,
            "no quality record",
            "quality evaluate --input FILE --release --record",
        ],
    );
    // Made-up evidence passes, and is never fit for a release.
    record(&scene.repo, &old, &base(), &[], 0);
    scene.stopped(&push, &[named, "does not pass", "evidence of a real run"]);
    record(&scene.repo, &old, &fit(&old), &["--release"], 0);
    // A run that is started later counts until it ends.
    let block = [
        "block",
        "--run-id",
        "run-2",
        "--reason",
        "still going",
        "--record",
    ];
    scene.repo.say("quality", block).run().code(2);
    scene.stopped(&push, &[named, "still going"]);
    record(&scene.repo, &old, &fit(&old), &["--release"], 0);
    scene.passed(&push);
    // One more commit: the record is of another one, and a note that is carried over is stale.
    let new = scene.commit();
    scene.stopped(&push, &[named, "no quality record"]);
    scene
        .repo
        .git(["notes", &format!("--ref={REF}"), "copy", &old, &new]);
    scene.stopped(&push, &[named, "for another commit"]);
    record(&scene.repo, &new, &fit(&old), &[], 2);
    scene.stopped(&push, &[named, "evidence-bound-to-commit"]);
    record(&scene.repo, &new, &fit(&new[..12]), &["--release"], 0);
    scene.passed(&push);
}

#[test]
fn a_tag_is_judged_by_the_commit_that_it_leads_to() {
    let scene = scene(POLICY);
    let known = scene.repo.rev("HEAD");
    scene.repo.git(["tag", "-a", "v1", "-m", "one"]);
    scene
        .repo
        .git(["tag", "-a", "v1-again", "v1", "-m", "a tag of a tag"]);
    scene.repo.git(["tag", "light"]);
    // Commits that the remote has: nothing but the record is asked for, and where the gate does not, nothing.
    scene.passed(&["origin", "refs/tags/light"]);
    scene.stopped(
        &["origin", "refs/tags/v1"],
        &["quality-blocked", "no quality record"],
    );
    record(&scene.repo, "v1", &fit(&known), &["--release"], 0);
    scene.passed(&["origin", "refs/tags/v1", "refs/tags/v1-again"]);
    // Deleting it is another rule's matter.
    scene.passed(&["origin", ":refs/tags/v1-again"]);
    // New commits.
    let new = scene.branch("topic");
    scene.repo.git(["tag", "-a", "v2", "-m", "two"]);
    scene.stopped(&["origin", "refs/tags/v2"], &["quality-blocked"]);
    record(&scene.repo, &new, &fit(&new), &["--release"], 0);
    scene.passed(&["origin", "refs/tags/v2"]);
}

#[test]
fn a_record_is_never_believed() {
    let scene = scene(POLICY);
    let head = scene.branch("release/1");
    let push = ["origin", "release/1"];
    std::fs::write(scene.repo.dir.join(".git/run.json"), fit(&head).to_string()).unwrap();
    let made = scene
        .repo
        .say("quality evaluate --json --release --input .git/run.json", [])
        .run()
        .code(0);
    let plant = |report: &str| {
        let body = json!({"report": report, "sha256": crate::scene::sha256(report)});
        let frame = scene.repo.frame("quality.recorded", &head, &body);
        scene.repo.plant(REF, &head, crate::scene::line(&frame));
    };
    // As it is, anybody may have made it, and it holds.
    plant(&made.stdout);
    scene.passed(&["-n", "origin", "release/1"]);
    let mut report = made.json();
    report["rawInput"]["coverage"]["reviewedFiles"] = 9.into();
    plant(&report.to_string());
    scene.stopped(&push, &["quality-blocked", "does not hold together", "rawInput"]);
    report.as_object_mut().unwrap().remove("rawInput");
    plant(&report.to_string());
    scene.stopped(&push, &["quality-blocked", "keeps no input"]);
    report["areas"][0]["score"] = 1.into();
    plant(&report.to_string());
    scene.stopped(&push, &["quality-blocked", "does not hold together"]);
    plant("no report");
    scene.stopped(&push, &["quality-blocked", "does not hold together"]);
    // A text that is not the one of the digest, and a line that is none: undecided.
    let body = json!({"report": "a", "sha256": crate::scene::sha256("b")});
    let frame = scene.repo.frame("quality.recorded", &head, &body);
    scene.repo.plant(REF, &head, crate::scene::line(&frame));
    scene.stopped(
        &push,
        &["undecided", "is not whole", "next: git review-gate sync"],
    );
    scene.repo.plant(REF, &head, "not an event\n");
    scene.stopped(
        &push,
        &["undecided", "state-unreadable", "next: git review-gate fsck"],
    );
    let tag = ["origin", "HEAD:refs/tags/v9"];
    scene.stopped(&tag, &["undecided"]);
}

#[test]
fn the_policy_can_ask_for_a_comparison() {
    let policy = format!("{POLICY}\n[quality]\nmax_score_drop = 0\nrequire_baseline = true\n");
    let scene = scene(&policy);
    let parent = scene.repo.rev("HEAD");
    let head = scene.branch("release/1");
    let push = ["origin", "release/1"];
    record(&scene.repo, &parent, &fit(&parent), &[], 0);
    record(&scene.repo, &head, &fit(&head), &["--release"], 0);
    scene.stopped(&push, &["quality-blocked", "asks for a comparison"]);
    // The policy tolerates no drop; a looser option is the caller's word, and stands in the report.
    let mut worse = fit(&head);
    merge(
        &mut worse,
        &json!({"findings": {"expected": 10, "detectedExpected": 9}}),
    );
    record(
        &scene.repo,
        &head,
        &worse,
        &["--release", "--baseline", &parent],
        2,
    );
    scene.stopped(&push, &["quality-blocked", "no-material-regressions"]);
    record(
        &scene.repo,
        &head,
        &fit(&head),
        &["--release", "--baseline", &parent],
        0,
    );
    scene.passed(&push);
}

#[test]
fn records_travel_between_clones_and_of_two_at_once_the_blocked_one_counts() {
    let scene = scene(POLICY);
    let head = scene.branch("release/1");
    scene
        .repo
        .git(["push", "-q", "--no-verify", "origin", "release/1"]);
    scene.repo.say("sync", []).run().code(0);
    let other = scene.world.clone_of(&scene.remote, "other", &["-b", "release/1"]);
    other.say("sync", []).run().code(0);
    other.say("quality show", []).run().code(2);
    record(&scene.repo, &head, &fit(&head), &["--release"], 0);
    let block = ["block", "--run-id", "theirs", "--reason", "broke off", "--record"];
    other.say("quality", block).run().code(2);
    for repo in [&scene.repo, &other, &scene.repo] {
        repo.say("sync", []).run().code(0);
    }
    let shown = [&scene.repo, &other].map(|repo| {
        let all = repo.say("quality show --all --json", []).run().code(2);
        crate::generated::assert_valid(&scene.world, &all);
        assert_eq!(all.json()["records"].as_array().unwrap().len(), 2, "{all}");
        repo.say("quality show --json", []).run().code(2).stdout
    });
    assert_eq!(shown[0], shown[1]);
    assert!(shown[0].contains("broke off"));
    // Who has seen both decides anew.
    record(&other, &head, &fit(&head), &["--release"], 0);
    other.say("sync", []).run().code(0);
    scene.repo.say("sync", []).run().code(0);
    scene.repo.say("quality show", []).run().code(0);
    scene.passed(&["origin", "HEAD:refs/heads/release/2"]);
}

#[test]
fn the_receiving_side_judges_by_the_records_that_come_with_the_push() {
    let scene = scene(POLICY);
    scene
        .remote
        .gate(["hooks", "install", "--pre-receive"])
        .run()
        .code(0);
    let head = scene.repo.rev("HEAD");
    scene.repo.git(["tag", "-a", "v1", "-m", "one"]);
    let push = |refs: &[&str]| scene.repo.git_call(["push", "--no-verify", "origin"]).args(refs);
    scene.stopped_call(push(&["v1"]), &["quality-blocked", "no quality record"]);
    record(&scene.repo, &head, &base(), &[], 0);
    scene.stopped_call(push(&["v1", REF]), &["quality-blocked", "evidence of a real run"]);
    record(&scene.repo, &head, &fit(&head[..10]), &["--release"], 0);
    push(&["v1", REF]).run().code(0);
    let log = scene.repo.say("log", []).run().code(0);
    assert_eq!(log.stdout.matches("quality.recorded").count(), 2, "{log}");
    // `check` says the same of any commit.
    scene.repo.judged("HEAD --ref refs/tags/v2", 0);
    scene.branch("topic");
    let ran = scene.repo.judged("HEAD --ref refs/tags/v2", 1);
    assert!(ran.stdout.contains("quality-blocked"), "{ran}");
}
