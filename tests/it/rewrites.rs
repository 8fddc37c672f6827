//! Rewritten history: an open finding still blocks, and an answer holds only while its fix is in.

use serde_json::json;

use crate::scene::{Scene, says};
use crate::support::{Ran, Repo};

/// Whether git calls our hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hooks {
    Installed,
    None,
}

/// A branch with a finding on its first commit and the fix in its second; `main` has moved on meanwhile.
struct Story {
    repo: Repo,
    finding: String,
    first: String,
    fix: String,
}

fn story(hooks: Hooks) -> Story {
    let Scene { repo, tip, .. } = Scene::new();
    if hooks == Hooks::Installed {
        repo.say("hooks install", []).run().code(0);
    }
    let finding = repo.raise("broken");
    repo.write("work.txt", "mended\n");
    let fix = repo.commit("Mend");
    repo.git(["checkout", "-q", "main"]);
    repo.write("elsewhere.txt", "moved on\n");
    repo.commit("Move on");
    repo.git(["checkout", "-q", "topic"]);
    Story {
        repo,
        finding,
        first: tip,
        fix,
    }
}

/// Rebases the branch on itself with the list of commits edited by `sed`.
fn rebase_list(repo: &Repo, onto: &str, edit: &str) {
    repo.git_call(["rebase", "-q", "-i", onto])
        .env("GIT_SEQUENCE_EDITOR", format!("sed -i -e {edit}"))
        .env("GIT_EDITOR", "true")
        .run()
        .code(0);
}

/// What happens to the branch, and the exit codes of `check` once the finding is answered by the fix.
struct Rewrite {
    name: &'static str,
    run: fn(&Repo),
    with_hooks: i32,
    without: i32,
}

const REWRITES: &[Rewrite] = &[
    Rewrite {
        name: "nothing",
        run: |_| (),
        with_hooks: 0,
        without: 0,
    },
    Rewrite {
        name: "amend the message",
        run: |repo| drop(repo.git(["commit", "-q", "--amend", "-m", "Mend it well"])),
        with_hooks: 0,
        without: 0,
    },
    Rewrite {
        name: "amend the content",
        run: |repo| {
            repo.write("more.txt", "more\n");
            repo.git(["add", "--all"]);
            repo.git(["commit", "-q", "--amend", "-m", "Mend more"]);
        },
        with_hooks: 0,
        without: 1,
    },
    Rewrite {
        name: "rebase",
        run: |repo| drop(repo.git(["rebase", "-q", "main"])),
        with_hooks: 0,
        without: 1,
    },
    Rewrite {
        name: "rebase twice",
        run: |repo| {
            repo.git(["rebase", "-q", "main"]);
            repo.git(["checkout", "-q", "main"]);
            repo.write("elsewhere.txt", "moved further\n");
            repo.commit("Move further");
            repo.git(["checkout", "-q", "topic"]);
            repo.git(["rebase", "-q", "main"]);
        },
        with_hooks: 0,
        without: 1,
    },
    Rewrite {
        name: "squash",
        run: |repo| rebase_list(repo, "HEAD~2", "2s/^pick/squash/"),
        with_hooks: 0,
        without: 0,
    },
    Rewrite {
        name: "squash onto the moved base",
        run: |repo| rebase_list(repo, "main", "2s/^pick/squash/"),
        with_hooks: 0,
        without: 1,
    },
    Rewrite {
        name: "drop the fix",
        run: |repo| rebase_list(repo, "HEAD~2", "2d"),
        with_hooks: 1,
        without: 1,
    },
    Rewrite {
        name: "cherry-pick to a new branch",
        run: |repo| {
            repo.git(["checkout", "-q", "-b", "picked", "main"]);
            repo.git(["cherry-pick", "topic~1", "topic"]);
        },
        with_hooks: 1,
        without: 1,
    },
    Rewrite {
        name: "cherry-pick without the fix",
        run: |repo| {
            repo.git(["checkout", "-q", "-b", "picked", "main"]);
            repo.git(["cherry-pick", "topic~1"]);
        },
        with_hooks: 1,
        without: 1,
    },
    Rewrite {
        name: "reset and commit the same",
        run: |repo| {
            repo.git(["reset", "-q", "--soft", "HEAD~2"]);
            repo.commit("All in one");
        },
        with_hooks: 0,
        without: 0,
    },
    Rewrite {
        name: "reset and commit something else",
        run: |repo| {
            repo.git(["reset", "-q", "--hard", "HEAD~2"]);
            repo.write("work.txt", "something else\n");
            repo.commit("Begin again");
        },
        with_hooks: 1,
        without: 1,
    },
    Rewrite {
        name: "rename the branch",
        run: |repo| drop(repo.git(["branch", "-m", "renamed"])),
        with_hooks: 0,
        without: 0,
    },
    Rewrite {
        name: "a new branch amended under the same message",
        run: |repo| {
            repo.git(["checkout", "-q", "-b", "fresh", "HEAD~1"]);
            repo.write("work.txt", "first, but other\n");
            repo.git(["commit", "-q", "-a", "--amend", "--no-edit"]);
        },
        with_hooks: 1,
        without: 1,
    },
    Rewrite {
        name: "merge from the base",
        run: |repo| drop(repo.git(["merge", "-q", "--no-edit", "main"])),
        with_hooks: 0,
        without: 0,
    },
];

/// An open finding blocks whatever becomes of its commit; an answer holds only while the fix is in.
fn rewrite_all(hooks: Hooks) {
    for rewrite in REWRITES {
        let Story { repo, finding, .. } = story(hooks);
        let open = repo.raise("still broken");
        repo.say("finding resolve", [&*finding]).run().code(0);
        repo.judged("", 1);
        (rewrite.run)(&repo);
        let name = rewrite.name;
        let ran = repo.say("check", []).run();
        assert_eq!(ran.code, 1, "{name}, hooks {hooks:?}: {ran}");
        says(&ran, &["good → still broken"]);
        // With that one out of the way, the answer decides, and what is listed is what the gate sees.
        repo.say("finding resolve", [&*open]).run().code(0);
        let code = match hooks {
            Hooks::Installed => rewrite.with_hooks,
            Hooks::None => rewrite.without,
        };
        let ran = repo.say("check", []).run();
        assert_eq!(ran.code, code, "{name}, hooks {hooks:?}: {ran}");
        let state = if code == 0 { "addressed" } else { "open" };
        let expected = [("broken", state), ("still broken", "addressed")];
        assert_eq!(
            repo.states(""),
            expected.map(|(a, b)| (a.to_owned(), b.to_owned())).into(),
            "{name}, hooks {hooks:?}"
        );
    }
}

#[test]
fn rewrites_with_hooks() {
    rewrite_all(Hooks::Installed);
}

#[test]
fn rewrites_without_hooks() {
    rewrite_all(Hooks::None);
}

#[test]
fn a_squash_onto_another_branch_carries_the_finding_of_its_tree() {
    let Story { repo, .. } = story(Hooks::None);
    repo.raise("broken at the tip");
    repo.git(["checkout", "-q", "-b", "squashed", "HEAD~2"]);
    repo.git(["merge", "-q", "--squash", "topic"]);
    repo.commit("Squashed");
    repo.judged("", 1);
    assert!(repo.states("").contains_key("broken at the tip"));
}

#[test]
fn again_repeats_the_own_answers_for_the_new_head() {
    let Story { repo, finding, .. } = story(Hooks::None);
    let other = repo.raise("answered by another");
    repo.say("finding resolve", [&*finding]).run().code(0);
    repo.say("finding resolve", [&*other])
        .env("GIT_COMMITTER_EMAIL", "bob@example.org")
        .run()
        .code(0);
    repo.judged("", 0);
    repo.git(["rebase", "-q", "main"]);
    repo.judged("", 1);
    let writes = || repo.git(["rev-list", "--count", "refs/notes/review-gate/findings"]);
    let before: u32 = writes().parse().unwrap();
    repo.say("finding resolve --again", []).run().code(0);
    assert_eq!(writes().parse::<u32>().unwrap(), before + 1);
    let expected = [("answered by another", "open"), ("broken", "addressed")];
    assert_eq!(
        repo.states(""),
        expected.map(|(a, b)| (a.to_owned(), b.to_owned())).into()
    );
    repo.judged("", 1);
    repo.say("finding resolve --again", [])
        .env("GIT_COMMITTER_EMAIL", "bob@example.org")
        .run()
        .code(0);
    repo.judged("", 0);
    // A finding named besides is a contradiction.
    repo.say("finding resolve --again", [&*finding]).run().code(2);
}

#[test]
fn adopt_records_a_rewrite_that_no_hook_saw() {
    let Story {
        repo,
        finding,
        first,
        fix,
        ..
    } = story(Hooks::None);
    repo.say("finding resolve", [&*finding]).run().code(0);
    repo.git(["rebase", "-q", "main"]);
    let head = repo.rev("HEAD");
    repo.judged("", 1);
    let adopt = |args: &[&str]| -> Ran { repo.say("adopt --format json", args.iter().copied()).run() };
    let tree = repo.rev("HEAD^{tree}");
    let before = repo.tips();
    for bad in [
        &["nowhere", "HEAD"][..],
        &[&fix, "nowhere"],
        &[&fix, &tree],
        &[&tree, "HEAD"],
        &["HEAD", "HEAD"],
        &[&fix],
        &[],
        &["--map", "nowhere"],
        &["--map", "-", &fix, "HEAD"],
    ] {
        adopt(bad).code(2);
        assert_eq!(repo.tips(), before, "{bad:?}");
    }
    adopt(&[&fix, "HEAD"]).code(0);
    let mut events = repo.events("refs/notes/review-gate/reviews");
    events.retain(|(_, event)| event["kind"] == "rewrite");
    let [(anchor, event)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(*anchor, head);
    assert_eq!(event["body"], json!({"pairs": [{"new": head, "old": fix}]}));
    repo.judged("", 0);

    // The same again is recorded already.
    let tips = repo.tips();
    adopt(&[&fix, &head]).code(0);
    assert_eq!(repo.tips(), tips);

    // A map has the lines of git's post-rewrite hook; the old commits may be gone.
    repo.git(["rebase", "-q", "--force-rebase", "HEAD~2"]);
    repo.git(["commit", "-q", "--amend", "-m", "Mend once more"]);
    let new = repo.rev("HEAD");
    let gone = "1234567890123456789012345678901234567890";
    for (bad, line) in [
        (format!("{head} {new}\n\n"), "line 2"),
        (format!("{head} {new}\n{head}\n"), "line 2"),
        (format!("{head} {}\n", &new[..12]), "line 1"),
        (format!("{head} {gone}\n"), gone),
        (format!("{tree} {new}\n"), &tree[..12]),
        (String::new(), ""),
    ] {
        let tips = repo.tips();
        let ran = repo.say("adopt --map -", []).stdin(bad.clone()).run().code(2);
        says(&ran, &[line]);
        assert_eq!(repo.tips(), tips, "{bad}");
    }
    repo.write(
        "../map",
        format!(
            "{gone} {new}\n{head} {new} more\n{first} {}\n",
            repo.rev("HEAD~1")
        ),
    );
    let ran = adopt(&["--map", "../map"]).code(0);
    assert_eq!(ran.json()["schema"], "review-gate/adopt");
    let mut events = repo.events("refs/notes/review-gate/reviews");
    events.retain(|(_, event)| event["kind"] == "rewrite");
    // One event for each new commit.
    assert_eq!(events.len(), 3);
    let of_new = events.iter().find(|(anchor, _)| *anchor == new).unwrap();
    let mut olds = [gone, &*head];
    olds.sort_unstable();
    assert_eq!(
        of_new.1["body"],
        json!({"pairs": olds.map(|old| json!({"new": new, "old": old}))})
    );
    repo.judged("", 0);
}
