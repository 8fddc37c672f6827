//! Real pushes to a bare remote, judged by the installed hook. After a push that was stopped no ref has moved.

mod layouts;
mod pushes;

use std::cell::Cell;
use std::path::PathBuf;

use crate::support::{Call, Ran, Repo, World};

/// A policy without a baseline: these tests are about pushes.
pub const POLICY: &str = "version = 1\nbase = \"origin/main\"\n\n[[gate]]\nrefs = [\"refs/heads/main\", \"refs/heads/release/*\"]\nbaseline = \"off\"\ndeletions = \"deny\"\n\n[[gate]]\nrefs = [\"refs/heads/*\", \"refs/tags/*\", \"refs/for/*\"]\nbaseline = \"off\"\n\n[sync]\non_push = \"off\"\n";

/// A repository with the hook installed, and the bare one that it pushes to.
pub struct Scene {
    pub world: World,
    pub remote: Repo,
    pub repo: Repo,
    commits: Cell<u32>,
}

impl Scene {
    /// The remote has `main` with the policy; the hook is installed.
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// The same, both repositories made with these options of `git init`.
    pub fn with(options: &[&str]) -> Self {
        let world = World::new();
        let bare: Vec<&str> = options.iter().copied().chain(["--bare"]).collect();
        let remote = world.init("remote.git", &bare);
        let repo = world.init("project", options);
        repo.write(".review-gate.toml", POLICY);
        repo.write("README", "text\n");
        repo.commit("Start");
        repo.git(["remote", "add", "origin", remote.dir.to_str().unwrap()]);
        repo.git(["push", "-q", "-u", "origin", "main"]);
        let commits = Cell::new(0);
        let scene = Self {
            world,
            remote,
            repo,
            commits,
        };
        Self::install(&scene.repo);
        scene
    }

    /// Installs the hook in a clone whose review state is known.
    pub fn install(repo: &Repo) {
        repo.gate(["hooks", "install"]).run().code(0);
        settle(repo);
    }

    /// A new branch with one commit on it, checked out.
    pub fn branch(&self, name: &str) -> String {
        self.repo.git(["checkout", "-q", "-b", name, "origin/main"]);
        self.commit()
    }

    /// One more commit on what is checked out, with a tree that no other commit has.
    pub fn commit(&self) -> String {
        self.commits.set(self.commits.get() + 1);
        self.repo.write("work", format!("{}\n", self.commits.get()));
        self.repo.commit("Work")
    }

    /// A new branch with an open finding on its only commit.
    pub fn bad_branch(&self, name: &str) -> String {
        let commit = self.branch(name);
        raise(&self.repo, &format!("{name} is wrong"));
        commit
    }

    /// All refs of the remote, with what they point to.
    pub fn remote_refs(&self) -> String {
        self.remote
            .git(["for-each-ref", "--format=%(refname) %(objectname)"])
    }

    /// A push that must be stopped, with nothing moved; every part must be said on standard error.
    #[track_caller]
    pub fn stopped(&self, args: &[&str], parts: &[&str]) -> Ran {
        self.stopped_call(self.repo.git_call(["push"]).args(args), parts)
    }

    /// The same for a push that is made already.
    #[track_caller]
    pub fn stopped_call(&self, push: Call, parts: &[&str]) -> Ran {
        let before = self.remote_refs();
        let ran = push.run();
        assert_ne!(ran.code, 0, "went through: {ran}");
        for part in parts {
            assert!(ran.stderr.contains(part), "{part:?} is not said: {ran}");
        }
        assert_eq!(self.remote_refs(), before, "something moved: {ran}");
        ran
    }

    /// A push that must go through.
    #[track_caller]
    pub fn passed(&self, args: &[&str]) -> Ran {
        self.repo.git_call(["push"]).args(args).run().code(0)
    }

    /// What a ref of the remote points to.
    pub fn at(&self, name: &str) -> Option<String> {
        self.remote.ref_id(name)
    }

    /// Where the hooks of the repository stand.
    pub fn hooks_dir(&self) -> PathBuf {
        self.repo.dir.join(".git/hooks")
    }
}

/// Raises a finding on HEAD and returns its short id.
#[track_caller]
pub fn raise(repo: &Repo, actual: &str) -> String {
    let ran = repo
        .gate(["finding", "add", "--origin", "qa", "--severity", "minor"])
        .args([
            "--expected",
            "it is right",
            "--actual",
            actual,
            "--format",
            "json",
        ])
        .run()
        .code(0);
    let at = ran
        .stdout
        .find("F-")
        .unwrap_or_else(|| panic!("no finding id: {ran}"));
    ran.stdout[at..at + 10].to_owned()
}

/// Answers a finding with HEAD.
#[track_caller]
pub fn resolve(repo: &Repo, id: &str) {
    repo.gate(["finding", "resolve", id]).run().code(0);
}

/// Makes the review state of a clone known: a finding that is closed at once.
#[track_caller]
pub fn settle(repo: &Repo) {
    let id = raise(repo, "a finding that is over");
    let waive = ["finding", "waive", &id, "--reason", "only to have notes"];
    repo.gate(waive).run().code(0);
}
