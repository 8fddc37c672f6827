//! Oracles: trees, merge bases and attributes as git itself sees them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use git_review_gate::git::Repo as GitRepo;
use git_review_gate::git::range::MergeBases;
use git_review_gate::model::change::{Change, Entry, EntryKind};
use git_review_gate::model::ids::{CommitId, TreeId};

use super::history::{Content, Files, commit_trees, files};
use crate::support::{Repo, World};

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }
}

fn raw(change: &Change) -> String {
    let mode = |entry: &Option<Entry>| match entry.as_ref().map(|entry| entry.kind) {
        None => "000000",
        Some(EntryKind::File) => "100644",
        Some(EntryKind::Executable) => "100755",
        Some(EntryKind::Link) => "120000",
        Some(EntryKind::Submodule) => "160000",
    };
    let id = |entry: &Option<Entry>| {
        entry
            .as_ref()
            .map_or_else(|| "0".repeat(40), |entry| entry.id.to_hex())
    };
    let path = String::from_utf8_lossy(change.path());
    format!(
        ":{} {} {} {}\t{path}",
        mode(&change.before),
        mode(&change.after),
        id(&change.before),
        id(&change.after)
    )
}

#[test]
fn trees_differ_as_git_says() {
    let world = World::new();
    let repo = world.repo("trees");
    let mut numbers = Numbers(7);
    let mut tree = || -> Files {
        let names = ["a", "a.b", "a-b", "a0", "b", "dir"];
        let mut tree = Files::new();
        for _ in 0..25 {
            let depth = 1 + numbers.below(3);
            let path: Vec<_> = (0..depth).map(|_| names[numbers.below(names.len())]).collect();
            let content = match numbers.below(8) {
                0 => Content::Executable(vec![b'x'; numbers.below(3)]),
                1 => Content::Link("a".repeat(1 + numbers.below(2))),
                2 => Content::Submodule(format!("{:040x}", 1 + numbers.below(2))),
                _ => Content::File(vec![b'y'; numbers.below(3)]),
            };
            // A path that is a folder elsewhere cannot be a file too.
            let path = path.join("/");
            let clash = |known: &String| {
                known.starts_with(&format!("{path}/")) || path.starts_with(&format!("{known}/"))
            };
            if !tree.keys().any(clash) {
                tree.insert(path, content);
            }
        }
        tree
    };
    let trees: Vec<_> = (0..12).map(|_| tree()).collect();
    let commits = commit_trees(&repo, &trees.iter().collect::<Vec<_>>());
    let opened = GitRepo::open_at(&repo.dir).expect("a repository");
    let tree = |commit: &str| -> TreeId { repo.rev(&format!("{commit}^{{tree}}")).parse().expect("an id") };
    for pair in commits.windows(2) {
        let ours = opened
            .diff_trees(tree(&pair[0]), tree(&pair[1]))
            .expect("a difference");
        let git = repo.git([
            "diff-tree",
            "-r",
            "--raw",
            "--no-renames",
            "--no-abbrev",
            &pair[0],
            &pair[1],
        ]);
        let ours: BTreeSet<_> = ours.iter().map(raw).collect();
        let git: BTreeSet<_> = git
            .lines()
            .map(|line| {
                let (fields, path) = line.split_once('\t').expect("a path");
                let fields: Vec<_> = fields.split(' ').take(4).collect();
                format!("{}\t{path}", fields.join(" "))
            })
            .collect();
        assert_eq!(ours, git);
        assert!(!ours.is_empty());
    }
}

/// Commits with random parents and times, some of them equal or running backwards.
fn random_history(repo: &Repo, seed: u64, count: usize) {
    let mut numbers = Numbers(seed);
    let mut stream = String::new();
    for number in 0..count {
        let time = 1_700_000_000 + number / 2 * 10 + numbers.below(25);
        let _ = write!(
            stream,
            "commit refs/heads/c{number}\nmark :{mark}\ncommitter A <a@example.org> {time} +0000\ndata {length}\n{number}\n",
            mark = number + 1,
            length = number.to_string().len(),
        );
        let mut parents = BTreeSet::new();
        let count = if numbers.below(12) == 0 {
            0
        } else {
            1 + numbers.below(2)
        };
        for _ in 0..count.min(number) {
            parents.insert(number - 1 - numbers.below(number.min(12)));
        }
        for (place, parent) in parents.iter().enumerate() {
            let word = if place == 0 { "from" } else { "merge" };
            let _ = writeln!(stream, "{word} :{}", parent + 1);
        }
        stream.push('\n');
    }
    repo.git_call(["fast-import", "--quiet"])
        .stdin(stream)
        .run()
        .code(0);
}

#[test]
fn merge_bases_are_those_of_git_in_its_order() {
    let world = World::new();
    let (mut several, mut none) = (0, 0);
    for seed in [1, 2, 3] {
        let repo = world.repo(&format!("bases-{seed}"));
        let count = 40;
        random_history(&repo, seed, count);
        let opened = GitRepo::open_at(&repo.dir).expect("a repository");
        let mut numbers = Numbers(seed + 100);
        for _ in 0..60 {
            let [one, other] = [(); 2].map(|()| format!("c{}", numbers.below(count)));
            let id = |name: &str| opened.resolve(&format!("refs/heads/{name}")).expect("a commit");
            let git = repo.git_call(["merge-base", "--all", &one, &other]).run();
            let git: Vec<CommitId> = git
                .stdout
                .lines()
                .map(|line| line.parse().expect("an id"))
                .collect();
            let ours = match opened.merge_bases(id(&one), id(&other)).expect("an answer") {
                MergeBases::Found(ours) => ours,
                MergeBases::Unrelated => Vec::new(),
                MergeBases::CutOff { .. } => panic!("nothing is cut off"),
            };
            several += usize::from(git.len() > 1);
            none += usize::from(git.is_empty());
            assert_eq!(ours, git, "seed {seed}: {one} {other}");
        }
    }
    assert!(
        several > 3 && none > 3,
        "{several} with several merge bases, {none} with none"
    );
}

#[test]
fn attributes_are_those_of_git() {
    let world = World::new();
    let repo = world.repo("attributes");
    let paths = [
        "a.py",
        "gen/a.py",
        "gen/keep.py",
        "gen/deep/b.py",
        "lib/x.rs",
        "lib/b.bin",
        "lib/gen.rs",
        "é/ä b.rs",
    ];
    let tree = files([
        (
            ".gitattributes",
            "gen/** linguist-generated\n*.bin binary\n[attr]made linguist-generated=true -diff\nlib/gen.rs made\n",
        ),
        (
            "gen/.gitattributes",
            "keep.py -linguist-generated\ndeep/*.py !linguist-generated linguist-vendored\n",
        ),
        ("é/.gitattributes", "\"ä b.rs\" -diff\n"),
        ("-/.gitattributes", "* binary\n"),
    ]);
    let commits = commit_trees(&repo, &[&tree]);
    let opened = GitRepo::open_at(&repo.dir).expect("a repository");
    let tree: TreeId = repo
        .rev(&format!("{}^{{tree}}", commits[0]))
        .parse()
        .expect("an id");
    let above = opened
        .files_above(
            tree,
            &[".gitattributes"],
            paths.iter().map(|path| path.as_bytes()),
        )
        .expect("files");
    let mut attributes = opened.attributes(above).expect("attributes");
    repo.git(["reset", "-q", "--hard"]);
    let mut found = 0;
    for path in paths {
        let asked = repo.git([
            "check-attr",
            "-z",
            "linguist-generated",
            "linguist-vendored",
            "binary",
            "diff",
            "--",
            path,
        ]);
        let fields: Vec<_> = asked.split('\0').collect();
        let git = fields
            .chunks_exact(3)
            .find_map(|field| match (field[1], field[2]) {
                ("diff", "unset") => Some("-diff"),
                ("diff", _) | (_, "unset" | "unspecified" | "false") => None,
                (name, _) => Some(name),
            });
        let ours = attributes.excluding(path.as_bytes()).map(|(name, _)| name);
        assert_eq!(ours, git, "{path}");
        found += usize::from(git.is_some());
    }
    assert!(found >= 5, "{found}");
}
