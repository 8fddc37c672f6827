//! Trees merged in memory and looked into by path, against what git itself answers.

use std::os::unix::fs::symlink;

use git_review_gate::git::Repo;
use git_review_gate::git::look_up::AtPath;
use git_review_gate::model::ids::TreeId;

use crate::support::{self, World};

fn tree(there: &support::Repo, revision: &str) -> TreeId {
    TreeId(there.rev(&format!("{revision}^{{tree}}")).parse().unwrap())
}

/// Merges two branches here, and has git merge them; both answers, `None` for a conflict.
fn both(there: &support::Repo, ours: &str, theirs: &str) -> [Option<String>; 2] {
    let repo = Repo::open_at(&there.dir).unwrap();
    let base = there.git(["merge-base", ours, theirs]);
    let merged = repo
        .merge_trees(tree(there, &base), tree(there, ours), tree(there, theirs))
        .unwrap();
    let git = there
        .git_call(["merge-tree", "--write-tree", "--name-only", ours, theirs])
        .run();
    let gits = (git.code == 0).then(|| git.stdout.trim().to_owned());
    [merged.map(|tree| tree.0.to_string()), gits]
}

/// What one side does to the common base.
type Edit<'a> = &'a dyn Fn(&support::Repo);

#[test]
fn merges_are_those_of_git() {
    let lines = |changed: &[(usize, &str)]| -> String {
        (0..30)
            .map(|n| match changed.iter().find(|(at, _)| *at == n) {
                Some((_, text)) => format!("{text}\n"),
                None => format!("line {n}\n"),
            })
            .collect()
    };
    // What ours and theirs do to a common base, and whether that is a conflict.
    let cases: [(&str, Edit<'_>, Edit<'_>, bool); 7] = [
        (
            "other files",
            &|repo| repo.write("new.txt", "n"),
            &|repo| repo.write("f.txt", lines(&[(1, "t")])),
            false,
        ),
        (
            "other lines",
            &|repo| repo.write("f.txt", lines(&[(2, "o")])),
            &|repo| repo.write("f.txt", lines(&[(25, "t")])),
            false,
        ),
        (
            "the same line",
            &|repo| repo.write("f.txt", lines(&[(9, "o")])),
            &|repo| repo.write("f.txt", lines(&[(9, "t")])),
            true,
        ),
        (
            "the same change",
            &|repo| repo.write("f.txt", lines(&[(9, "x")])),
            &|repo| repo.write("f.txt", lines(&[(9, "x")])),
            false,
        ),
        (
            "renamed and edited",
            &|repo| {
                repo.git(["mv", "f.txt", "g.txt"]);
            },
            &|repo| repo.write("f.txt", lines(&[(25, "t")])),
            false,
        ),
        (
            "deleted and edited",
            &|repo| {
                repo.git(["rm", "-q", "f.txt"]);
            },
            &|repo| repo.write("f.txt", lines(&[(25, "t")])),
            true,
        ),
        (
            "added twice",
            &|repo| repo.write("a.txt", "ours\n"),
            &|repo| repo.write("a.txt", "theirs\n"),
            true,
        ),
    ];
    for (what, ours, theirs, conflict) in cases {
        let world = World::new();
        let there = world.repo("project");
        there.write("f.txt", lines(&[]));
        there.write("sub/deep/other.txt", "other\n");
        there.commit("Base");
        there.git(["checkout", "-q", "-b", "theirs"]);
        theirs(&there);
        there.commit("Theirs");
        there.git(["checkout", "-q", "main"]);
        ours(&there);
        there.commit("Ours");
        let [own, gits] = both(&there, "main", "theirs");
        assert_eq!(own, gits, "{what}");
        assert_eq!(own.is_none(), conflict, "{what}");
        let [other_way, _] = both(&there, "theirs", "main");
        assert_eq!(own, other_way, "{what}");
    }
}

#[test]
fn neither_a_tree_nor_a_setting_chooses_how_it_is_merged() {
    let world = World::new();
    let there = world.repo("project");
    there.write(".gitattributes", "*.txt merge=union\n*.dat merge=mine\n");
    there.git(["config", "merge.mine.driver", "touch ran"]);
    for file in ["f.txt", "f.dat"] {
        there.write(file, "base\n");
    }
    there.commit("Base");
    there.git(["checkout", "-q", "-b", "theirs"]);
    there.write("f.txt", "theirs\n");
    there.write("f.dat", "theirs\n");
    there.commit("Theirs");
    there.git(["checkout", "-q", "main"]);
    for file in ["f.txt", "f.dat"] {
        there.write(file, "ours\n");
        there.commit("Ours");
        let before = there.git(["count-objects", "-v"]);
        let repo = Repo::open_at(&there.dir).unwrap();
        let [base, ours, theirs] = ["main~1", "main", "theirs"].map(|name| tree(&there, name));
        let base = if file == "f.txt" {
            base
        } else {
            tree(&there, "main~2")
        };
        assert_eq!(repo.merge_trees(base, ours, theirs).unwrap(), None, "{file}");
        assert_eq!(there.git(["count-objects", "-v"]), before);
        assert!(!there.dir.join("ran").exists());
    }
}

#[test]
fn a_path_is_looked_up_without_following_anything() {
    let world = World::new();
    let there = world.repo("project");
    there.write("docs/spec.md", "text\n");
    symlink("docs", there.dir.join("linked")).unwrap();
    symlink("docs/spec.md", there.dir.join("spec.md")).unwrap();
    there.commit("Start");
    let commit = there.rev("HEAD");
    there.git([
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{commit},sub"),
    ]);
    let gone = "1".repeat(40);
    there.git([
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{gone},gone.md"),
    ]);
    let root = there.git(["write-tree", "--missing-ok"]);
    let root = TreeId(root.parse().unwrap());
    let repo = Repo::open_at(&there.dir).unwrap();
    for (path, expected) in [
        ("docs", AtPath::Directory),
        ("docs/none.md", AtPath::Nothing),
        ("Docs/spec.md", AtPath::Nothing),
        ("docs/spec.md/below", AtPath::Nothing),
        ("spec.md", AtPath::Link),
        ("linked", AtPath::Link),
        ("linked/spec.md", AtPath::Link),
        ("sub", AtPath::Submodule),
        ("sub/spec.md", AtPath::Submodule),
        ("gone.md", AtPath::NotHere),
    ] {
        assert_eq!(repo.look_up(root, path).unwrap(), expected, "{path}");
    }
    let found = repo.look_up(root, "docs/spec.md").unwrap();
    assert!(matches!(found, AtPath::File { size: 5, .. }), "{found:?}");
}
