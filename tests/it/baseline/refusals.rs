//! Which range is chosen, and what is said when there is none: never a smaller range, never zero counts.

use serde_json::{Value, json};

use super::history::{commit_trees, files};
use crate::support::{Ran, Repo, World};

fn baseline(repo: &Repo, args: &[&str]) -> Ran {
    repo.gate(["baseline", "--format", "json"].iter().chain(args))
        .run()
}

#[track_caller]
fn refused(ran: &Ran, code: &str) -> Value {
    assert_eq!(ran.code, 2, "{ran}");
    let answer = ran.json();
    assert_eq!(answer["status"], "UNAVAILABLE", "{ran}");
    assert_eq!(answer["reason"]["code"], code, "{ran}");
    assert_eq!(answer["facts"], json!([]));
    assert_eq!(answer["verdict"], Value::Null);
    answer
}

fn found_by(ran: &Ran) -> String {
    let answer = ran.json();
    answer["range"]["base"]["found_by"]
        .as_str()
        .unwrap_or_else(|| panic!("{ran}"))
        .to_owned()
}

fn kinds(ran: &Ran) -> Vec<String> {
    let facts = ran.json()["facts"].clone();
    let facts = facts.as_array().expect("facts");
    facts
        .iter()
        .map(|fact| {
            format!(
                "{} {}",
                fact["kind"].as_str().expect("a kind"),
                fact["key"].as_str().expect("a key")
            )
        })
        .collect()
}

fn lib(functions: &[&str]) -> String {
    let lines = functions.iter().map(|name| format!("pub fn {name}() {{}}\n"));
    lines.collect::<Vec<_>>().concat()
}

/// A server with main, a clone of it on the branch `topic` with one commit more.
fn server_and_clone(world: &World) -> (Repo, Repo) {
    let server = world.repo("server");
    server.write("src/lib.rs", lib(&["a", "b"]));
    server.commit("one");
    let clone = world.clone_of(&server, "clone", &[]);
    clone.git(["checkout", "-q", "-b", "topic"]);
    clone.write("src/lib.rs", lib(&["a"]));
    clone.commit("drop b");
    (server, clone)
}

#[test]
fn candidates_in_order() {
    let world = World::new();
    let (server, clone) = server_and_clone(&world);
    assert_eq!(found_by(&baseline(&clone, &[])), "origin/HEAD");

    // The base moved on: its new commits leave no fact, with --tip they do.
    server.write("src/lib.rs", lib(&["a", "b", "c"]));
    server.commit("add c");
    clone.git(["fetch", "-q"]);
    assert_eq!(kinds(&baseline(&clone, &[])), ["api-removed rust:crate#fn b"]);
    let tip = baseline(&clone, &["origin/main", "--tip"]);
    assert_eq!(
        kinds(&tip),
        ["api-removed rust:crate#fn b", "api-removed rust:crate#fn c"]
    );

    // A default branch right after a push compares with its first parent.
    clone.git(["checkout", "-q", "main"]);
    clone.git(["merge", "-q", "--ff-only", "origin/main"]);
    let pushed = baseline(&clone, &[]);
    assert_eq!(found_by(&pushed), "HEAD^1");
    let passed = pushed.json()["range"]["passed_over"].clone();
    assert_eq!(
        passed,
        json!([
            {"candidate": "origin/HEAD", "why": "has the head already"},
            {"candidate": "origin/main", "why": "has the head already"},
            {"candidate": "origin/master", "why": "does not exist"},
            {"candidate": "main", "why": "is the branch itself"},
            {"candidate": "master", "why": "does not exist"},
        ])
    );

    // Only origin/master.
    clone.git(["checkout", "-q", "topic"]);
    clone.git(["update-ref", "refs/remotes/origin/master", "origin/main"]);
    clone.git(["remote", "set-head", "origin", "--delete"]);
    clone.git(["update-ref", "-d", "refs/remotes/origin/main"]);
    assert_eq!(found_by(&baseline(&clone, &[])), "origin/master");

    // An upstream on a remote of another name.
    clone.git(["remote", "rename", "origin", "up"]);
    clone.git(["update-ref", "refs/remotes/up/HEAD", "up/master"]);
    clone.git(["config", "branch.topic.remote", "up"]);
    clone.git(["config", "branch.topic.merge", "refs/heads/topic"]);
    assert_eq!(found_by(&baseline(&clone, &[])), "up/HEAD");

    // No remote.
    clone.git(["remote", "remove", "up"]);
    assert_eq!(found_by(&baseline(&clone, &[])), "main");
}

#[test]
fn the_policy_names_the_base() {
    let world = World::new();
    let (server, clone) = server_and_clone(&world);
    server.git(["branch", "stable"]);
    server.write(".review-gate.toml", "base = \"origin/stable\"\n");
    server.commit("policy");
    clone.git(["fetch", "-q"]);
    clone.git(["rebase", "-q", "origin/main"]);
    let ran = baseline(&clone, &[]);
    assert_eq!(found_by(&ran), "policy base origin/stable");

    // The head's copy changes nothing but is stated.
    clone.write(".review-gate.toml", "base = \"origin/main\"\n");
    clone.commit("another base");
    let ran = baseline(&clone, &[]);
    assert_eq!(found_by(&ran), "policy base origin/stable");
    assert!(ran.stdout.contains("guardrail-changed"), "{ran}");

    for (text, code) in [
        ("base = \"HEAD~1\"\n", "bad-policy"),
        ("base = 7\n", "bad-policy"),
        ("bsae = \"x\"\n", "bad-policy"),
    ] {
        server.write(".review-gate.toml", text);
        server.commit("bad");
        clone.git(["fetch", "-q"]);
        refused(&baseline(&clone, &[]), code);
    }
}

#[test]
fn a_policy_that_is_no_file_is_refused() {
    let world = World::new();
    let repo = world.repo("linked");
    let mut old = files([("src/lib.rs", lib(&["a"]))]);
    old.insert(
        ".review-gate.toml".to_owned(),
        super::history::Content::Link("elsewhere".to_owned()),
    );
    let new = files([("src/lib.rs", lib(&[]))]);
    let commits = commit_trees(&repo, &[&old, &new]);
    refused(&baseline(&repo, &[&commits[0]]), "bad-policy");
}

#[test]
fn names_that_are_no_range() {
    let world = World::new();
    let (_, clone) = server_and_clone(&world);
    refused(&baseline(&clone, &["nowhere"]), "unknown-base");
    refused(&baseline(&clone, &["main", "nowhere"]), "unknown-head");
    refused(&baseline(&clone, &["topic"]), "empty-range");
    refused(&baseline(&clone, &["main", "topic:src/lib.rs"]), "not-a-commit");
    clone.git(["tag", "main", "topic"]);
    refused(&baseline(&clone, &["main"]), "ambiguous-ref");
    clone.git(["tag", "-d", "main"]);

    clone.git(["tag", "-m", "t", "v1", "topic"]);
    let short = clone.git(["rev-parse", "--short", "topic"]);
    for head in ["v1", &short, "refs/heads/topic"] {
        let ran = baseline(&clone, &["main", head]);
        assert_eq!(kinds(&ran), ["api-removed rust:crate#fn b"], "{head}");
    }
    for range in ["main..", "main..topic", "main...topic", "..topic"] {
        assert_eq!(
            kinds(&baseline(&clone, &[range])),
            ["api-removed rust:crate#fn b"],
            "{range}"
        );
    }
    clone.git(["branch", "-q", "--set-upstream-to", "origin/main"]);
    assert_eq!(
        kinds(&baseline(&clone, &["@{u}", "topic"])).len(),
        1,
        "the upstream of topic"
    );
}

#[test]
fn without_shared_history() {
    let world = World::new();
    let (_, clone) = server_and_clone(&world);
    clone.git(["checkout", "-q", "--orphan", "island"]);
    clone.commit("island");
    let answer = refused(&baseline(&clone, &["main"]), "no-merge-base");
    assert!(answer["reason"]["help"].to_string().contains("--tip"));
    assert_eq!(
        kinds(&baseline(&clone, &["main", "--tip"])),
        ["api-removed rust:crate#fn b"]
    );
    let answer = refused(&baseline(&clone, &[]), "no-base");
    assert!(
        answer["reason"]["tried"]
            .to_string()
            .contains("shares no history")
    );

    let unborn = world.repo("unborn");
    refused(&baseline(&unborn, &[]), "unborn-head");
    refused(&baseline(&world.at("home"), &[]), "not-a-repository");
}

#[test]
fn several_merge_bases() {
    let world = World::new();
    let repo = world.repo("cross");
    repo.write("src/lib.rs", lib(&["a", "b", "c"]));
    repo.commit("root");
    repo.git(["branch", "side"]);
    repo.write("one", "1");
    let one = repo.commit("one");
    repo.git(["checkout", "-q", "side"]);
    repo.write("two", "2");
    let two = repo.commit("two");
    repo.git(["merge", "-q", "-m", "m1", &one]);
    repo.git(["checkout", "-q", "main"]);
    repo.git(["merge", "-q", "-m", "m2", &two]);
    repo.write("src/lib.rs", lib(&["a", "b"]));
    repo.commit("drop c");
    let ran = baseline(&repo, &["side"]);
    let all = repo.git(["merge-base", "--all", "side", "main"]);
    let all: Vec<_> = all.lines().collect();
    assert_eq!(all.len(), 2);
    let answer = ran.json();
    assert_eq!(answer["range"]["merge_bases"], json!(all));
    assert_eq!(answer["range"]["base"]["commit"], all[0]);
    let text = repo.gate(["baseline", "side", "--format", "text"]).run().stdout;
    assert!(
        text.contains(&format!("\nMERGE BASES: 2, first used: {} {}\n", all[0], all[1])),
        "{text}"
    );
}

/// A server with twelve commits, each with one function more.
fn long_history(world: &World) -> (Repo, Vec<String>) {
    let server = world.repo("long");
    let names: Vec<_> = (0..12).map(|number| format!("f{number}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let trees: Vec<_> = (1..=12)
        .map(|count| files([("src/lib.rs", lib(&names[..count]))]))
        .collect();
    let commits = commit_trees(&server, &trees.iter().collect::<Vec<_>>());
    (server, commits)
}

#[test]
fn shallow_clones_answer_or_name_what_is_missing() {
    let world = World::new();
    let (server, commits) = long_history(&world);
    let url = format!("file://{}", server.dir.display());
    let shallow = |name: &str, depth: &str| {
        world.at(".").git(["clone", "-q", "--depth", depth, &url, name]);
        world.at(name)
    };
    let deep = shallow("deep", "6");
    assert_eq!(kinds(&baseline(&deep, &[&commits[8]])).len(), 3, "wholly inside");
    let answer = refused(&baseline(&deep, &[&commits[2]]), "missing-commit");
    assert!(answer["reason"]["message"].to_string().contains(&commits[2]));

    // Two lines of history that meet behind the boundary: not "no merge base", and not a smaller range.
    server.git(["branch", "old", &commits[3]]);
    let tree = server.rev("old^{tree}");
    let old = server.git(["commit-tree", &tree, "-p", "old", "-m", "on old"]);
    server.git(["update-ref", "refs/heads/old", &old]);
    let both = world.at("both");
    world
        .at(".")
        .git(["clone", "-q", "--depth", "2", "--no-single-branch", &url, "both"]);
    let answer = refused(&baseline(&both, &["origin/old"]), "missing-commit");
    let message = answer["reason"]["message"].to_string();
    assert!(
        message.contains(&commits[9]) || message.contains(&commits[2]),
        "{message}"
    );

    // HEAD^1 of a boundary commit.
    let one = shallow("one", "1");
    refused(&baseline(&one, &[]), "missing-commit");
}

#[test]
fn a_partial_clone_lists_what_is_missing_and_fetches_nothing() {
    let world = World::new();
    let (server, commits) = long_history(&world);
    server.git(["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", server.dir.display());
    world
        .at(".")
        .git(["clone", "-q", "--bare", "--filter=blob:none", &url, "partial"]);
    let partial = world.at("partial");
    let missing = || {
        partial
            .git(["rev-list", "--objects", "--all", "--missing=print"])
            .matches("\n?")
            .count()
    };
    let before = missing();
    assert!(before > 5);
    let ran = baseline(&partial, &[&commits[8]]);
    assert_eq!(ran.code, 2, "{ran}");
    let answer = ran.json();
    assert_eq!(answer["verdict"], "INDETERMINATE");
    let entry = &answer["unmeasured"][0];
    assert_eq!(
        (&entry["path"], &entry["reason"]),
        (&json!("src/lib.rs"), &json!("missing-blob"))
    );
    let blob = server.rev(&format!("{}:src/lib.rs", commits[8]));
    assert!(entry["detail"].to_string().contains(&blob), "{ran}");
    assert_eq!(missing(), before);
}

/// The file of a loose object.
fn object_file(repo: &Repo, id: &str) -> std::path::PathBuf {
    repo.dir.join(".git/objects").join(&id[..2]).join(&id[2..])
}

#[test]
fn damage_is_never_zero_counts() {
    let world = World::new();
    let repo = world.repo("damaged");
    let old = files([
        ("src/lib.rs", lib(&["a"])),
        ("src/b/mod.rs", lib(&["c"])),
        ("src/ok.rs", lib(&["d"])),
    ]);
    repo.git(["config", "fastimport.unpackLimit", "100"]);
    let new = files([
        ("src/lib.rs", lib(&["a", "z"])),
        ("src/b/mod.rs", lib(&["c", "y"])),
        ("src/ok.rs", lib(&["d"])),
    ]);
    let commits = commit_trees(&repo, &[&old, &new]);
    let damage = |id: &str| {
        let path = object_file(&repo, id);
        let kept = std::fs::read(&path).expect("a loose object");
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).expect("mode");
        std::fs::write(&path, b"this is no object").expect("written");
        move || std::fs::write(&path, &kept).expect("written back")
    };
    let restore = damage(&repo.rev(&format!("{}:src/lib.rs", commits[1])));
    let ran = baseline(&repo, &[&commits[0]]);
    assert_eq!(
        (ran.code, ran.json()["verdict"].clone()),
        (2, json!("INDETERMINATE")),
        "{ran}"
    );
    assert_eq!(ran.json()["unmeasured"][0]["reason"], "damaged-blob", "{ran}");
    restore();
    let restore = damage(&repo.rev(&format!("{}:src/b", commits[1])));
    refused(&baseline(&repo, &[&commits[0]]), "missing-object");
    restore();
    assert_eq!(baseline(&repo, &[&commits[0]]).code, 0);
    repo.git(["repack", "-adq"]);
    let packs = std::fs::read_dir(repo.dir.join(".git/objects/pack")).expect("packs");
    for pack in packs.map(|entry| entry.expect("an entry").path()) {
        if pack.extension().is_some_and(|extension| extension == "pack") {
            let mut bytes = std::fs::read(&pack).expect("a pack");
            let end = bytes.len();
            bytes[12..end - 20].fill(0xA5);
            std::fs::set_permissions(&pack, std::os::unix::fs::PermissionsExt::from_mode(0o644))
                .expect("mode");
            std::fs::write(&pack, bytes).expect("written");
        }
    }
    let ran = baseline(&repo, &[&commits[0]]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(!ran.stdout.contains("NO STRUCTURAL DRIFT"), "{ran}");
}

#[test]
fn the_output_file_never_keeps_an_old_verdict() {
    let world = World::new();
    let (_, clone) = server_and_clone(&world);
    let file = clone.dir.join("out.txt");
    let stale = "VERDICT: NO STRUCTURAL DRIFT\n";
    let run = |args: &[&str]| {
        clone
            .gate(["baseline", "--output", "out.txt"].iter().chain(args))
            .run()
    };
    std::fs::write(&file, stale).expect("written");
    let ran = run(&["nowhere"]).code(2);
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(
        text.starts_with("STATUS: UNAVAILABLE (unknown-base: ") && !text.contains("\nVERDICT"),
        "{text}"
    );
    assert_eq!(Some(ran.stdout.trim_end()), text.lines().next());

    std::fs::write(&file, stale).expect("written");
    run(&["main", "--lang", "cobol"]).code(2);
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.starts_with("STATUS: UNAVAILABLE ("), "{text}");

    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o444);
    std::fs::set_permissions(&file, mode).expect("read-only");
    let ran = run(&["main"]).code(0);
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(
        text.starts_with("VERDICT: STRUCTURAL DRIFT DETECTED: 1 api-removed\n"),
        "{text}"
    );
    assert_eq!(Some(ran.stdout.trim_end()), text.lines().next());
    run(&["main", "--exit-code"]).code(1);
    let json = run(&["main", "--json"]).code(0);
    assert_eq!(json.stdout, ran.stdout);
    let answer: Value = serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("JSON");
    assert_eq!(answer["schema"], "review-gate/baseline");

    let ran = clone
        .gate(["baseline", "main", "--output", "no/such/out.txt"])
        .run();
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("no/such/out.txt cannot be written"), "{ran}");
}
