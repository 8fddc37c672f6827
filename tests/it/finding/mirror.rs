//! `finding export` and `finding import`: a review in a tracked file, there in a plain clone without notes.

use serde_json::{Value, json};

use crate::scene::{Scene, says, text};
use crate::support::{Repo, World};

/// Exports the open review; the path of its mirror from the top.
fn export(repo: &Repo) -> String {
    let ran = repo.say("finding export --format json", []).run().code(0);
    let path = text(&ran.json(), "path");
    let top = format!("{}/", repo.dir.display());
    path.strip_prefix(&top).unwrap_or(&path).to_owned()
}

/// A plain clone with the branch checked out.
fn plain_clone(world: &World, repo: &Repo, name: &str) -> Repo {
    let clone = world.clone_of(repo, name, &[]);
    // The clone was made of a repository on `topic`; what others compare with is `main`.
    clone.git(["remote", "set-head", "origin", "main"]);
    clone.git(["checkout", "-q", "topic"]);
    assert_eq!(clone.tips(), vec![None; 4]);
    clone
}

#[test]
fn a_plain_clone_gets_the_same_findings_in_the_same_states() {
    let Scene { world, repo, .. } = Scene::new();
    let answered = repo.raise("answered");
    let confirmed = repo.raise("confirmed");
    repo.raise("open");
    let waived = repo.raise_as("pm", "nit", "waived");
    repo.say("finding resolve", [&*answered, &*confirmed])
        .run()
        .code(0);
    repo.say("finding verify", [&*confirmed]).run().code(0);
    repo.say("finding waive --reason because", [&*waived])
        .run()
        .code(0);
    let path = export(&repo);
    let review = text(&repo.listed("")[0], "review");
    assert_eq!(
        path,
        format!("docs/superpowers/specs/reviews/{review}-findings.json")
    );
    let mirror: Value = serde_json::from_str(&repo.read(&path)).unwrap();
    assert_eq!(mirror["schema"], "review-gate/mirror");
    assert_eq!(mirror["version"], 1);
    assert_eq!(mirror["review"], *review);
    let ids: Vec<String> = mirror["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| text(event, "id"))
        .collect();
    assert!(ids.is_sorted(), "{ids:?}");
    // Openings 4, answers 2, confirmation 1, waiver 1, the review itself; one event a line.
    assert_eq!(ids.len(), 9);
    let of_events = |line: &&str| line.contains("\"subject\"");
    assert_eq!(repo.read(&path).lines().filter(of_events).count(), 9);
    // Exporting again changes nothing; the tool itself commits nothing.
    let bytes = repo.read(&path);
    export(&repo);
    assert_eq!(repo.read(&path), bytes);
    assert!(repo.git(["status", "--porcelain"]).starts_with("?? docs/"));
    repo.commit("Mirror");

    let clone = plain_clone(&world, &repo, "clone");
    // The state is not known here yet, and that is not the same as clean.
    says(&clone.judged("", 2), &["git review-gate sync"]);
    let ran = clone.say("finding import --format json", [&*path]).run().code(0);
    assert_eq!(
        (&ran.json()["events"], &ran.json()["new"]),
        (&json!(9), &json!(9)),
        "{ran}"
    );
    assert_eq!(clone.listed(""), repo.listed(""));
    clone.judged("", 1);
    // Again, now from the folder: nothing new, and nothing written.
    let tips = clone.tips();
    let ran = clone
        .say("finding import --format json docs/superpowers/specs/reviews", [])
        .run()
        .code(0);
    assert_eq!(ran.json()["new"], 0, "{ran}");
    assert_eq!(clone.tips(), tips);
}

#[test]
fn init_takes_in_the_mirrors_of_the_checked_out_tree() {
    let Scene { world, repo, .. } = Scene::new();
    repo.raise("one");
    export(&repo);
    repo.commit("Mirror");
    repo.git(["remote", "add", "origin", "."]);
    let clone = plain_clone(&world, &repo, "clone");
    clone.git(["remote", "remove", "origin"]);
    clone.say("init", []).run().code(0);
    assert_eq!(clone.listed("--all"), repo.listed("--all"));
}

#[test]
fn two_versions_merge_by_union() {
    let Scene { world, repo, .. } = Scene::new();
    repo.raise("shared");
    let path = export(&repo);
    repo.commit("Mirror");
    let clone = plain_clone(&world, &repo, "clone");
    clone.say("finding import", [&*path]).run().code(0);
    // Each side goes on alone.
    repo.raise("ours");
    let shared = text(
        clone.listed("").iter().find(|f| f["actual"] == "shared").unwrap(),
        "id",
    );
    clone.say("finding resolve", [&*shared]).run().code(0);
    clone.raise("theirs");
    export(&repo);
    export(&clone);
    let theirs = world.path("clone").join(&path);
    let ours = repo.read(&path);
    repo.say("finding import", [theirs.to_str().unwrap()])
        .run()
        .code(0);
    clone.write("../ours.json", ours);
    clone.say("finding import ../ours.json", [&*path]).run().code(0);
    let expected = [("ours", "open"), ("shared", "addressed"), ("theirs", "open")]
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .into();
    assert_eq!(repo.states(""), expected);
    assert_eq!(clone.states(""), expected);
    export(&repo);
    export(&clone);
    assert_eq!(repo.read(&path), clone.read(&path));
}

#[test]
fn a_mirror_that_was_tampered_with_is_refused_whole() {
    let Scene { world, repo, .. } = Scene::new();
    repo.raise("one");
    repo.raise("two");
    let path = export(&repo);
    repo.commit("Mirror");
    let good = repo.read(&path);
    let clone = plain_clone(&world, &repo, "clone");
    for (what, bad) in [
        (
            "another text",
            good.replace("\"actual\":\"two\"", "\"actual\":\"too\""),
        ),
        (
            "another state",
            good.replace("\"severity\":\"major\"", "\"severity\":\"minor\""),
        ),
        (
            "another version",
            good.replacen("\"version\": 1", "\"version\": 2", 1).replacen(
                "\"version\":1",
                "\"version\":2",
                1,
            ),
        ),
        (
            "another schema",
            good.replacen("review-gate/mirror", "review-gate/other", 1),
        ),
        ("cut short", good[..good.len() / 2].to_owned()),
        ("nothing", String::new()),
    ] {
        assert_ne!(bad, good, "{what}");
        clone.write("bad.json", &bad);
        let ran = clone.say("finding import", [&*path, "bad.json"]).run().code(2);
        says(&ran, &["bad.json"]);
        assert_eq!(clone.tips(), vec![None; 4], "{what}: {ran}");
    }
    clone.say("finding import nowhere.json", []).run().code(2);
    clone.say("finding import", [&*path]).run().code(0);
}
