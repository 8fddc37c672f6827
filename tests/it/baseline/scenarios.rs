//! The same two commits give the same answer wherever, however and by whomever they are measured.

use std::path::Path;

use git_review_gate::git::Repo as GitRepo;
use git_review_gate::model::goal::Authorization;
use git_review_gate::model::measured::Baseline;
use git_review_gate::ops::baseline::{Goal, Request, run_in};
use serde_json::Value;

use super::history::{Files, commit_trees, files};
use crate::support::{self, Call, Repo, World};

const LIB: &str = "pub fn one() -> u32 {\n    1\n}\n\npub fn two() -> u32 {\n    2\n}\n\n\
#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::one() + super::one(), super::two());\n    }\n}\n";

fn before() -> Files {
    files([
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("src/lib.rs", LIB),
        ("src/other.rs", "pub fn unused() {}\n"),
        ("testdata/out.golden", "1\n2\n"),
    ])
}

fn after() -> Files {
    let lib = LIB
        .replace("pub fn two", "pub(crate) fn two")
        .replace("    #[test]\n", "    #[test]\n    #[ignore]\n");
    files([
        ("Cargo.toml", "[package]\nname = \"x\"\n".to_owned()),
        ("src/lib.rs", lib),
        ("src/moved.rs", "pub fn unused() {}\n".to_owned()),
        ("testdata/out.golden", "1\n3\n".to_owned()),
    ])
}

/// A repository with two commits; HEAD is the second, and the work tree is that of the second.
fn project(world: &World, name: &str) -> (Repo, Vec<String>) {
    let repo = world.repo(name);
    let commits = commit_trees(&repo, &[&before(), &after()]);
    repo.git(["reset", "-q", "--hard"]);
    (repo, commits)
}

fn call(repo: &Repo, base: &str) -> Call {
    repo.gate(["baseline", base, "--format", "json"])
}

fn answer(repo: &Repo, base: &str) -> String {
    call(repo, base).run().code(0).stdout
}

#[test]
fn the_answer_does_not_depend_on_the_kind_of_clone() {
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let base = commits[0].as_str();
    let plain = answer(&repo, base);
    for word in ["api-narrowed", "test-disabled", "golden-changed"] {
        assert!(plain.contains(word), "{word} in\n{plain}");
    }
    let mirror = world.clone_of(&repo, "bare.git", &["--bare"]);
    assert_eq!(answer(&mirror, base), plain, "bare");
    let shared = world.clone_of(&repo, "shared", &["--shared"]);
    assert_eq!(answer(&shared, base), plain, "alternates");
    let separate = world.path("separate.git");
    let option = format!("--separate-git-dir={}", separate.display());
    let separate = world.clone_of(&repo, "separate", &[&option]);
    assert_eq!(answer(&separate, base), plain, "separate git directory");
    repo.git(["worktree", "add", "-q", "--detach", "../linked"]);
    assert_eq!(answer(&world.at("linked"), base), plain, "linked worktree");
    assert_eq!(
        answer(&world.at("plain/src"), base),
        plain,
        "a folder below the top"
    );
    repo.git(["repack", "-adq"]);
    repo.git(["commit-graph", "write", "--reachable"]);
    assert_eq!(answer(&repo, base), plain, "packed, with a commit-graph");
    let sparse = world.clone_of(&repo, "sparse", &["--sparse"]);
    assert_eq!(answer(&sparse, base), plain, "sparse checkout");
    repo.git(["checkout", "-q", "--detach"]);
    assert_eq!(answer(&repo, base), plain, "detached head");

    let sha256 = world.init("sha256", &["--object-format=sha256"]);
    let commits = commit_trees(&sha256, &[&before(), &after()]);
    let facts = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["facts"].clone();
    let theirs = answer(&sha256, &commits[0]);
    assert_eq!(facts(&theirs), facts(&plain));
    assert!(theirs.contains("\"object_format\": \"sha256\""));
}

/// Everything below a folder: path, size, time of change, content.
fn state_of(folder: &Path) -> Vec<(String, std::time::SystemTime, Vec<u8>)> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(next) = todo.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else {
                let time = path.metadata().and_then(|meta| meta.modified()).expect("a time");
                found.push((
                    path.display().to_string(),
                    time,
                    std::fs::read(&path).expect("a file"),
                ));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn work_tree_index_and_refs_play_no_part_and_stay_as_they_are() {
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let base = commits[0].as_str();
    let plain = answer(&repo, base);
    repo.git(["branch", "theirs", base]);
    repo.git(["checkout", "-q", "theirs"]);
    repo.write("src/lib.rs", "pub fn theirs() {}\n");
    repo.commit("theirs");
    repo.git(["checkout", "-q", "main"]);
    let merge = repo.git_call(["merge", "theirs"]).run();
    assert_ne!(merge.code, 0, "the merge conflicts");
    repo.write("src/staged.rs", "pub fn staged() {}\n");
    repo.git(["add", "src/staged.rs"]);
    repo.write("src/untracked.rs", "pub fn untracked() {}\n");
    std::fs::remove_file(repo.dir.join("testdata/out.golden")).expect("a file");
    let untouched = state_of(&repo.dir);
    assert_eq!(answer(&repo, base), plain);
    assert_eq!(state_of(&repo.dir), untouched);
}

#[test]
fn configuration_and_environment_play_no_part() {
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let base = commits[0].as_str();
    let plain = answer(&repo, base);
    for (key, value) in [
        ("diff.renames", "false"),
        ("diff.renameLimit", "1"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.noprefix", "true"),
        ("diff.external", "false"),
        ("core.quotePath", "false"),
        ("core.autocrlf", "true"),
        ("core.ignoreCase", "true"),
        ("core.attributesFile", "everything"),
    ] {
        repo.git(["config", key, value]);
    }
    repo.write("everything", "* -diff linguist-generated\n");
    repo.write(".git/info/attributes", "* -diff linguist-vendored\n");
    repo.git(["replace", base, &commits[1]]);
    repo.write(".git/info/grafts", format!("{}\n", commits[1]));
    let call = call(&repo, base)
        .env("LC_ALL", "de_DE")
        .env("GIT_INDEX_FILE", "/nowhere")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "diff.renames")
        .env("GIT_CONFIG_VALUE_0", "copies")
        .env("GIT_DIFF_OPTS", "-u0")
        .env("GIT_EXTERNAL_DIFF", "false");
    assert_eq!(call.run().code(0).stdout, plain);
    for threads in ["1", "16"] {
        let call = self::call(&repo, base).env("RAYON_NUM_THREADS", threads);
        assert_eq!(call.run().code(0).stdout, plain, "{threads} threads");
    }
}

#[test]
fn every_language_gives_the_same_bytes_with_any_number_of_threads() {
    let world = World::new();
    let repo = world.repo("languages");
    let (mut before, mut after) = (Files::default(), Files::default());
    for number in 0..12 {
        for (path, kept, lost) in [
            (
                format!("src/m{number}.rs"),
                "pub fn kept() {}\n",
                "pub fn lost() {}\n",
            ),
            (
                format!("web/m{number}.ts"),
                "export function kept() {}\n",
                "export function lost() {}\n",
            ),
            (
                format!("shop/m{number}.py"),
                "def kept():\n    pass\n",
                "def lost():\n    pass\n",
            ),
            (
                format!("p{number}/m.go"),
                "package p\n\nfunc Kept() {}\n",
                "func Lost() {}\n",
            ),
        ] {
            before.extend([(path.clone(), format!("{kept}{lost}").as_str().into())]);
            after.extend([(path, kept.into())]);
        }
    }
    let modules: Vec<_> = (0..12).map(|number| format!("pub mod m{number};")).collect();
    let modules = modules.join("\n");
    for tree in [&mut before, &mut after] {
        tree.extend([("src/lib.rs".to_owned(), modules.as_str().into())]);
    }
    let commits = commit_trees(&repo, &[&before, &after]);
    let plain = answer(&repo, &commits[0]);
    for language in ["rust", "typescript", "python", "go"] {
        let removed = plain.matches(&format!("\"key\": \"{language}:")).count();
        assert_eq!(removed, 12, "{language}: {plain}");
    }
    for threads in ["1", "16", "1", "16"] {
        let call = call(&repo, &commits[0]).env("RAYON_NUM_THREADS", threads);
        assert_eq!(call.run().code(0).stdout, plain, "{threads} threads");
    }
}

#[test]
fn hooks_may_call_it() {
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let base = commits[0].clone();
    let plain = answer(&repo, &base);
    let script = format!(
        "#!/bin/sh\ngit review-gate baseline {base} {} --format json >\"$HOME/$(basename $0)\"\n",
        commits[1]
    );
    for name in ["pre-commit", "pre-push", "post-merge"] {
        let path = repo.dir.join(".git/hooks").join(name);
        support::script(&path, 0o755, &script);
    }
    repo.write("more", "x");
    repo.commit("more");
    world.bare("server.git");
    repo.git(["push", "-q", "../server.git", "main"]);
    repo.git(["checkout", "-q", "-b", "side", "HEAD~1"]);
    repo.git(["merge", "-q", "main"]);
    let plain = plain.replace("\"asked\": \"HEAD\"", &format!("\"asked\": \"{}\"", commits[1]));
    let facts = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["facts"].clone();
    for name in ["pre-commit", "pre-push", "post-merge"] {
        let answer = std::fs::read_to_string(world.path("home").join(name)).expect("the hook ran");
        assert_eq!(facts(&answer), facts(&plain), "{name}");
    }
}

#[test]
fn roles_swapped_mirror() {
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let words = |base: &str, head: &str| -> Vec<String> {
        let ran = repo
            .gate(["baseline", "--tip", base, head, "--format", "json"])
            .run();
        let facts = ran.json()["facts"].as_array().expect("facts").clone();
        let mut words: Vec<_> = facts
            .iter()
            .filter(|fact| !matches!(fact["kind"].as_str(), Some("test-disabled" | "test-enabled")))
            .map(|fact| {
                format!(
                    "{} {}",
                    fact["kind"].as_str().expect("a kind"),
                    fact["key"].as_str().expect("a key")
                )
            })
            .collect();
        words.sort();
        words
    };
    let there = words(&commits[0], &commits[1]);
    let swap = |word: &String| {
        let (kind, key) = word.split_once(' ').expect("two words");
        let kind = match kind {
            "api-removed" | "api-narrowed" => "api-added",
            "test-removed" => "test-added",
            "golden-removed" => "golden-added",
            kind => kind,
        };
        format!("{kind} {key}")
    };
    let mut swapped: Vec<_> = there.iter().map(swap).collect();
    swapped.sort();
    assert_eq!(words(&commits[1], &commits[0]), swapped);
}

#[test]
fn the_goal_authorises_by_criterion() {
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let opened = GitRepo::open_at(&repo.dir).expect("a repository");
    let request = Request {
        base: Some(commits[0].clone()),
        ..Request::default()
    };
    let authorize = [
        Authorization {
            criterion: "AC-2".to_owned(),
            api: vec!["rust:crate#fn two".to_owned(), "docs/**".to_owned()],
            tests: vec!["src/**".to_owned()],
            golden: vec!["testdata/*".to_owned()],
        },
        Authorization {
            criterion: "AC-1".to_owned(),
            api: vec!["src/*.rs".to_owned()],
            ..Authorization::default()
        },
    ];
    let goal = Goal {
        digest: Some("sha256:00"),
        authorize: &authorize,
    };
    let outcome = run_in(&opened, &request, goal).expect("an outcome");
    let Baseline::Computed(measured) = &outcome.baseline else {
        panic!("not computed");
    };
    assert_eq!(measured.verdict.phrase(), "NO STRUCTURAL DRIFT");
    let narrowed = measured
        .facts
        .iter()
        .find(|fact| fact.key == "rust:crate#fn two")
        .expect("a fact");
    assert_eq!(narrowed.authorised_by, ["AC-1", "AC-2"]);
    assert_eq!(measured.unused.len(), 1);
    let text = &outcome.artifact.text;
    assert!(
        text.contains("AUTHORISED (3)\n") && text.contains("  [AC-1, AC-2]\n"),
        "{text}"
    );
    assert!(text.contains("unused: AC-2 api docs/**\n"), "{text}");
    let again = run_in(&opened, &request, Goal::default()).expect("an outcome");
    assert!(
        again
            .baseline
            .first_line()
            .starts_with("VERDICT: STRUCTURAL DRIFT DETECTED: ")
    );
}

#[test]
fn the_text_artifact_ends_with_its_digest() {
    use sha2::Digest as _;
    let world = World::new();
    let (repo, commits) = project(&world, "plain");
    let text = repo
        .gate(["baseline", &commits[0], "--format", "text"])
        .run()
        .code(0)
        .stdout;
    let ran = call(&repo, &commits[0]).run();
    crate::generated::assert_valid(&world, &ran);
    crate::generated::assert_valid(&world, &call(&repo, "nowhere").run());
    let json = ran.json();
    let (above, end) = text.split_at(text.rfind("END ").expect("an END line"));
    let digest = format!(
        "sha256:{}",
        git_review_gate::model::ids::hex(&sha2::Sha256::digest(above))
    );
    assert_eq!(end, format!("END {digest}\n"));
    assert_eq!(json["digest"], Value::from(digest));
    assert_eq!(text.lines().next(), json["verdict_line"].as_str());
    let sections: Vec<_> = [
        "\nDRIFT (",
        "\nAUTHORISED (",
        "\nUNMEASURED (",
        "\nNOTES (",
        "\nADDED (",
        "\nEXCLUDED (",
        "\nMETHOD\n",
    ]
    .iter()
    .map(|title| text.find(title).expect(title))
    .collect();
    assert!(sections.is_sorted(), "{text}");
}

#[test]
fn paths_of_any_bytes_are_escaped_for_people() {
    let world = World::new();
    let repo = world.repo("odd");
    let path = "src/a \"b\"\u{1b}[31m\nc#.rs";
    let mut old = files([("src/lib.rs", "pub fn f() {}\n")]);
    let new = old.clone();
    old.insert(
        path.to_owned(),
        "#[test]\nfn t() { assert_eq!(1, 1 + 0); }\n".into(),
    );
    let commits = commit_trees(&repo, &[&old, &new]);
    for format in ["human", "text", "markdown"] {
        let ran = repo
            .gate(["baseline", &commits[0], "--color", "never", "--format", format])
            .run();
        let bad = ran.stdout.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(bad, None, "{format}\n{ran}");
        assert!(
            ran.stdout.contains("u{1B}") || ran.stdout.contains("u{1b}"),
            "{format}\n{ran}"
        );
    }
    let json = call(&repo, &commits[0]).run().json();
    assert_eq!(json["facts"][0]["path"], Value::from(path));
}
