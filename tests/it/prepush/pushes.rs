//! What is pushed: branches, tags, deletions, many at once, and every way to name a source.

use super::{POLICY, Scene, raise, resolve};

#[test]
fn an_open_finding_stops_the_push_until_it_is_answered() {
    let scene = Scene::new();
    scene.branch("topic");
    let id = raise(&scene.repo, "the total is off by one");
    let ran = scene.stopped(
        &["origin", "topic"],
        &["refs/heads/topic: blocked", "findings-open", &id, "off by one"],
    );
    assert!(ran.stdout.is_empty(), "the hook speaks on standard error: {ran}");
    let fixed = scene.commit();
    scene.stopped(&["origin", "topic"], &["findings-open"]);
    resolve(&scene.repo, &id);
    scene.passed(&["origin", "topic"]);
    assert_eq!(scene.at("refs/heads/topic"), Some(fixed.clone()));
    // Nothing to push: git does not even call the hook, or gives it nothing.
    let ran = scene.passed(&["origin", "topic"]);
    assert!(ran.stderr.contains("up-to-date"), "{ran}");
    // An amend drops the fix: the answer is void.
    scene.repo.git(["reset", "-q", "--hard", "HEAD~1"]);
    scene.commit();
    scene.stopped(&["--force", "origin", "topic"], &["findings-open", &id]);
    assert_eq!(scene.at("refs/heads/topic"), Some(fixed));
}

#[test]
fn one_bad_ref_stops_all_in_either_order() {
    let scene = Scene::new();
    scene.branch("good");
    scene.bad_branch("bad");
    for order in [["good", "bad"], ["bad", "good"]] {
        let ran = scene.stopped(
            &["origin", order[0], order[1]],
            &["refs/heads/bad: blocked", "bad is wrong"],
        );
        assert!(!ran.stderr.contains("refs/heads/good: blocked"), "{ran}");
    }
    scene.stopped(&["--all", "origin"], &["refs/heads/bad: blocked"]);
    scene.stopped(&["--mirror", "origin"], &["refs/heads/bad: blocked"]);
    scene.stopped(&["--dry-run", "origin", "bad"], &["refs/heads/bad: blocked"]);
    scene.passed(&["--dry-run", "origin", "good"]);
    assert_eq!(scene.at("refs/heads/good"), None);
    scene.passed(&["origin", "good"]);
}

#[test]
fn deletions_are_judged_by_their_own_key() {
    let scene = Scene::new();
    scene.branch("topic");
    scene.passed(&["origin", "topic", "topic:release/1"]);
    scene.stopped(
        &["origin", "--delete", "release/1"],
        &["refs/heads/release/1: blocked", "ref-deleted"],
    );
    scene.stopped(
        &["origin", ":topic", ":release/1"],
        &["refs/heads/release/1: blocked"],
    );
    scene.passed(&["origin", "--delete", "topic"]);
    assert_eq!(scene.at("refs/heads/topic"), None);
    // Our own notes travel unjudged, and are never deleted.
    scene.passed(&["origin", "refs/notes/review-gate/*:refs/notes/review-gate/*"]);
    scene.stopped(
        &["origin", ":refs/notes/review-gate/findings"],
        &["ref-deleted", "review state"],
    );
}

#[test]
fn new_branches_are_judged_from_the_base() {
    let scene = Scene::new();
    scene.passed(&["origin", "main:copy"]);
    assert_eq!(scene.at("refs/heads/copy"), scene.at("refs/heads/main"));
    scene.bad_branch("topic");
    scene.commit();
    // The finding is two commits down, and HEAD is elsewhere.
    scene.repo.git(["checkout", "-q", "main"]);
    scene.stopped(&["origin", "topic"], &["refs/heads/topic: blocked"]);
    scene.stopped(&["origin", "topic:refs/for/main"], &["refs/for/main: blocked"]);
    // A ref that no gate names passes.
    scene.passed(&["origin", "topic:refs/custom/topic"]);
}

#[test]
fn tags_are_peeled() {
    let scene = Scene::new();
    let repo = &scene.repo;
    repo.git(["tag", "-a", "-m", "known", "v1", "main"]);
    repo.git(["tag", "light", "main"]);
    scene.bad_branch("topic");
    repo.git(["tag", "-a", "-m", "new", "v2"]);
    repo.git(["tag", "-a", "-m", "twice", "v2-again", "v2"]);
    let blob = repo.git(["hash-object", "-w", "README"]);
    repo.git(["tag", "-a", "-m", "a file", "file", &blob]);
    for bad in ["v2", "v2-again"] {
        scene.stopped(
            &["origin", bad],
            &[&format!("refs/tags/{bad}: blocked"), "findings-open"],
        );
    }
    scene.stopped(&["--tags", "origin"], &["refs/tags/v2: blocked"]);
    let ran = scene.passed(&["origin", "v1", "light", "file"]);
    assert!(
        ran.stderr.contains("refs/tags/file: pass") && ran.stderr.contains("no commit"),
        "{ran}"
    );
}

#[test]
fn the_source_may_be_called_anything() {
    let scene = Scene::new();
    scene.bad_branch("side");
    scene.commit();
    scene.commit();
    let id = scene.repo.rev("side~1");
    for source in ["HEAD", "side~1", "HEAD~2", "@{0}", ":/Work", &id] {
        scene.stopped(
            &["origin", &format!("{source}:refs/heads/other")],
            &["refs/heads/other: blocked"],
        );
    }
    // What is pushed is judged, not what is checked out.
    scene.repo.git(["checkout", "-q", "main"]);
    scene.stopped(
        &["origin", "side~1:refs/heads/other"],
        &["refs/heads/other: blocked"],
    );
    scene.branch("clean");
    scene.passed(&["origin", "clean"]);
}

#[test]
fn forced_and_rejected_pushes() {
    let scene = Scene::new();
    scene.branch("topic");
    scene.passed(&["origin", "topic"]);
    // Somebody else moves the branch on; what is there now is unknown here.
    let other = scene.world.clone_of(&scene.remote, "other", &[]);
    other.git(["checkout", "-q", "topic"]);
    other.write("theirs", "1\n");
    other.commit("Theirs");
    other.git(["push", "-q", "origin", "topic"]);
    scene.commit();
    scene.stopped(&["origin", "topic"], &["rejected"]);
    raise(&scene.repo, "this is wrong");
    scene.stopped(&["--force", "origin", "topic"], &["refs/heads/topic: blocked"]);
    scene.repo.git(["reset", "-q", "--hard", "origin/main"]);
    scene.repo.git(["checkout", "-q", "-b", "fresh"]);
    scene.commit();
    scene.passed(&["--force", "origin", "fresh:copy"]);
}

#[test]
fn a_change_cannot_loosen_its_own_gate() {
    let scene = Scene::new();
    scene.branch("topic");
    let off = POLICY.replace("baseline = \"off\"", "baseline = \"off\"\nfindings = \"none\"");
    scene.repo.write(".review-gate.toml", off);
    scene.repo.commit("Switch the gate off");
    raise(&scene.repo, "the gate is off");
    scene.stopped(&["origin", "topic"], &["findings-open", "policy-relaxed"]);
    // A policy that cannot be read decides nothing.
    scene.branch("broken");
    scene
        .repo
        .write(".review-gate.toml", "version = 1\nbse = \"x\"\n");
    scene.repo.commit("Break the policy");
    scene.stopped(
        &["origin", "broken"],
        &["refs/heads/broken: undecided", "`bse`", "did you mean `base`?"],
    );
}

#[test]
fn unreadable_state_and_malformed_lines_are_undecided() {
    let scene = Scene::new();
    let url = scene.remote.dir.to_str().unwrap();
    let main = scene.repo.rev("main");
    let hook = |stdin: &str| {
        let call = scene.repo.gate(["hook", "pre-push", "--", "origin", url]);
        call.stdin(stdin).run()
    };
    let good = format!("refs/heads/main {main} refs/heads/copy {}\n", "0".repeat(40));
    assert_eq!(hook(&good).code(0).stdout, "");
    let ran = hook(&format!("{good}\n{good}")).code(2);
    assert!(
        ran.stderr.contains("line 2: undecided") && ran.stderr.contains("blank"),
        "{ran}"
    );
    let ran = hook(&format!("{good}refs/heads/x {main} refs/heads/x")).code(2);
    assert!(ran.stderr.contains("line 2: undecided"), "{ran}");
    let ran = hook("").code(0);
    assert!(
        ran.stderr.contains("nothing to judge") && !ran.stderr.contains("pass"),
        "{ran}"
    );
    // A note that is no event, on a commit that is pushed.
    let commit = scene.branch("topic");
    scene.passed(&["--dry-run", "origin", "topic"]);
    let note = ["notes", "--ref=review-gate/findings", "add", "-m", "not an event"];
    scene.repo.git(note.into_iter().chain([commit.as_str()]));
    scene.stopped(
        &["origin", "topic"],
        &["refs/heads/topic: undecided", "state-unreadable"],
    );
}

#[test]
fn the_first_push_of_a_repository_is_judged_whole() {
    let scene = Scene::new();
    let fresh = scene.world.repo("fresh");
    let empty = scene.world.bare("empty.git");
    fresh.write("README", "text\n");
    fresh.commit("Start");
    fresh.git(["remote", "add", "origin", empty.dir.to_str().unwrap()]);
    fresh.gate(["hooks", "install"]).run().code(0);
    let id = raise(&fresh, "the very first commit is wrong");
    let ran = fresh.git_call(["push", "origin", "main"]).run();
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stderr.contains("findings-open") && ran.stderr.contains(&id),
        "{ran}"
    );
    assert_eq!(empty.git(["for-each-ref"]), "");
    fresh.commit("Fix it");
    resolve(&fresh, &id);
    let ran = fresh.git_call(["push", "origin", "main"]).run().code(0);
    assert!(
        ran.stderr.contains("no base"),
        "the size of the range is said: {ran}"
    );
}

#[test]
fn a_thousand_refs() {
    let scene = Scene::new();
    scene.bad_branch("bad");
    let main = scene.repo.rev("main");
    let mut updates = String::new();
    for number in 0..1000 {
        updates += &format!("create refs/heads/n{number:04} {main}\n");
    }
    scene
        .repo
        .git_call(["update-ref", "--stdin"])
        .stdin(updates)
        .run()
        .code(0);
    scene.stopped(&["--all", "origin"], &["refs/heads/bad: blocked"]);
    scene.passed(&["origin", "refs/heads/n*:refs/heads/n*"]);
    assert_eq!(scene.at("refs/heads/n0999"), Some(main));
}
