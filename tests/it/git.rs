//! The git layer against what git itself answers.

use git_review_gate::git::Repo;
use git_review_gate::git::refs::Head;

use crate::support::World;

#[test]
fn revisions_commits_and_ranges_are_those_of_git() {
    for format in ["sha1", "sha256"] {
        let world = World::new();
        let there = world.init("project", &["--object-format", format]);
        there.git(["config", "user.name", "A U Thor"]);
        there.git(["config", "user.email", "author@example.org"]);
        for n in 1..=3 {
            there.git([
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                &format!("change {n}\n\nbody"),
            ]);
        }
        there.git(["tag", "-a", "-m", "release", "v1", "HEAD~1"]);
        there.git(["checkout", "-q", "-b", "topic", "HEAD~1"]);
        there.git(["commit", "-q", "--allow-empty", "-m", "side"]);
        let repo = Repo::open_at(&there.dir).unwrap();
        for name in [
            "HEAD",
            "topic",
            "main~2",
            "v1",
            "v1^{}",
            "HEAD^",
            "refs/heads/main",
            "main^{/change 1}",
        ] {
            let wanted = there.git(["rev-parse", &format!("{name}^{{commit}}")]);
            assert_eq!(repo.resolve(name).unwrap().to_hex(), wanted, "{name}");
        }
        let short = &there.git(["rev-parse", "main"])[..9];
        assert_eq!(repo.resolve(short).unwrap(), repo.resolve("main").unwrap());
        for (name, kind) in [
            ("nowhere", "unknown-revision"),
            ("HEAD^{tree}", "not-a-commit"),
            (&"1".repeat(repo.id_len()), "missing-object"),
        ] {
            assert_eq!(repo.resolve(name).unwrap_err().kind, kind, "{name}");
        }
        let (main, topic) = (repo.resolve("main").unwrap(), repo.resolve("topic").unwrap());
        let base = repo.merge_base(main, topic).unwrap().unwrap();
        assert_eq!(base.to_hex(), there.git(["merge-base", "main", "topic"]));
        assert_eq!(repo.commits_between(Some(base), topic).unwrap(), [topic]);
        assert_eq!(repo.commits_between(None, topic).unwrap().len(), 3);
        assert!(repo.is_ancestor(base, main).unwrap());
        assert!(!repo.is_ancestor(topic, main).unwrap());
        let commit = repo.commit(main).unwrap();
        assert_eq!(
            [commit.first_line, commit.author_name, commit.author_email],
            [
                b"change 3".to_vec(),
                b"A U Thor".to_vec(),
                b"author@example.org".to_vec()
            ]
        );
        assert_eq!(
            String::from_utf8(commit.author_time).unwrap(),
            there.git(["log", "-1", "--date=raw", "--format=%ad", "main"])
        );
        assert_eq!(
            repo.head().unwrap(),
            Head::Branch("refs/heads/topic".into(), topic)
        );
        let refs: Vec<_> = repo
            .refs_under("refs/")
            .unwrap()
            .into_iter()
            .map(|found| found.name)
            .collect();
        assert_eq!(refs, ["refs/heads/main", "refs/heads/topic", "refs/tags/v1"]);
        assert_eq!(repo.identity().unwrap().name, "A U Thor");
        // A tag and a branch of one name: git warns and takes the tag, a gate must not guess.
        there.git(["branch", "v1", "main"]);
        assert_eq!(repo.resolve("v1").unwrap_err().kind, "ambiguous-revision");
    }
}

#[test]
fn what_cannot_be_read_rightly_is_refused() {
    let world = World::new();
    assert_eq!(
        Repo::open_at(&world.path(".")).unwrap_err().kind,
        "not-a-repository"
    );
    let there = world.repo("project");
    let dir = &there.dir;
    let repo = Repo::open_at(dir).unwrap();
    assert_eq!(repo.resolve("HEAD").unwrap_err().kind, "unborn-head");
    there.git(["config", "core.repositoryFormatVersion", "1"]);
    there.git(["config", "extensions.tomorrow", "true"]);
    assert_eq!(Repo::open_at(dir).unwrap_err().kind, "not-supported");

    let tables = world.init("tables", &["--ref-format=reftable"]);
    assert_eq!(Repo::open_at(&tables.dir).unwrap_err().kind, "not-supported");
}

#[test]
fn worktrees_bare_and_shallow_repositories_say_what_they_are() {
    let world = World::new();
    let source = world.repo("source");
    for n in 1..=3 {
        source.git(["commit", "-q", "--allow-empty", "-m", &format!("change {n}")]);
    }
    let bare = world.clone_of(&source, "bare", &["--bare"]);
    let linked = world.path("linked tree");
    bare.git(["worktree", "add", "-q", linked.to_str().unwrap(), "main"]);
    let shallow = world.clone_of(&source, "shallow", &["--no-local", "--depth", "2"]);

    let repo = Repo::open_at(&bare.dir).unwrap();
    assert!(repo.is_bare());
    let repo = Repo::open_at(&linked).unwrap();
    assert!(!repo.is_bare() && repo.is_linked_worktree());
    assert_eq!(repo.common_dir(), bare.dir);
    let repo = Repo::open_at(&shallow.dir).unwrap();
    let head = repo.resolve("HEAD").unwrap();
    let boundary = repo.resolve("HEAD^").unwrap();
    assert_eq!(repo.commits_between(Some(boundary), head).unwrap(), [head]);
    let error = repo.commits_between(None, head).unwrap_err();
    assert_eq!(error.kind, "history-shallow");
    assert!(
        error.causes[0].contains(&source.git(["rev-parse", "HEAD~2"])),
        "{error}"
    );
    assert_eq!(
        repo.upstream_ref("main").unwrap().as_deref(),
        Some("refs/remotes/origin/main")
    );
    assert_eq!(
        repo.symbolic_target("refs/remotes/origin/HEAD")
            .unwrap()
            .as_deref(),
        Some("refs/remotes/origin/main")
    );
}
