//! The files of a commit in a folder of their own, with files of another one laid over them.
//!
//! The index is a file of its own, so neither the index nor the list of worktrees of the repository is touched. A small
//! repository in the folder borrows its objects: commands that ask git where they are get an answer, and what they
//! write stays there.

use std::path::{Path, PathBuf};

use super::workshop::Workshop;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::objects::EntryMode;
use crate::git::process::Git;
use crate::model::ids::{CommitId, Oid};
use crate::ops::child::Call;

/// A file that is laid over those of the commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaidOver {
    /// Its path from the top.
    pub path: String,
    /// What it is.
    pub mode: EntryMode,
    /// Its blob.
    pub id: Oid,
}

/// The files of one side.
pub struct Checkout {
    /// Their folder.
    pub dir: PathBuf,
    /// Where this side builds.
    pub build: PathBuf,
}

impl Checkout {
    /// A program that runs in a folder below the files, without git's variables, and builds into a folder of its own.
    pub fn call(&self, argv: &[String], below: &Path) -> Call {
        let dir = self.dir.join(below);
        let cargo = self.build.join("cargo");
        Call::new(argv)
            .without_git()
            .env("PWD", &dir)
            // Neither into the real work tree nor into that of another side, whatever we inherited.
            .env("CARGO_TARGET_DIR", &cargo)
            .env("CARGO_BUILD_TARGET_DIR", &cargo)
            .env("CARGO_BUILD_BUILD_DIR", &cargo)
            .env("PYTHONPYCACHEPREFIX", self.build.join("python"))
            .in_dir(dir)
    }
}

/// Writes the files of `commit`, then those that are laid over them; `side` is the name of the folder.
pub fn make(
    repo: &Repo,
    workshop: &Workshop,
    side: &str,
    commit: CommitId,
    laid_over: &[LaidOver],
) -> Result<Checkout> {
    let dir = workshop.folder(side)?;
    let build = workshop.folder(&format!("{side}-build"))?;
    let index = workshop.dir().join(format!("{side}.index"));
    let tree = repo.commit(commit)?.tree;
    let failed = |error: Error| failed(side, &error);
    let main = |args: &[&str]| -> Git {
        // Patterns of a sparse checkout, watchers and hooks are those of the real work tree.
        let set = [
            "core.sparseCheckout=false",
            "core.fsmonitor=false",
            "core.hooksPath=/dev/null",
        ];
        let options = set.iter().flat_map(|value| ["-c", value]);
        repo.git(options.chain(args.iter().copied()))
            .in_dir(&dir)
            .env("GIT_WORK_TREE", &dir)
            .env("GIT_INDEX_FILE", &index)
    };
    main(&["read-tree", "--reset", &tree.to_hex()])
        .run_ok()
        .map_err(failed)?;
    if !laid_over.is_empty() {
        let mut lines = Vec::new();
        for file in laid_over {
            lines.extend_from_slice(format!("{} {}\t{}\0", file.mode.octal(), file.id, file.path).as_bytes());
        }
        main(&["update-index", "-z", "--replace", "--index-info"])
            .input(lines)
            .run_ok()
            .map_err(failed)?;
    }
    main(&["checkout-index", "--all", "--force", "--quiet"])
        .run_ok()
        .map_err(failed)?;
    own_repository(repo, &dir, commit).map_err(failed)?;
    Ok(Checkout { dir, build })
}

/// Makes the small repository, with HEAD on the commit.
fn own_repository(repo: &Repo, dir: &Path, commit: CommitId) -> Result<()> {
    let git = |args: &[&str]| Git::new(args).in_dir(dir).without_local_environment();
    let format = if repo.id_len() == 40 { "sha1" } else { "sha256" };
    let format = format!("--object-format={format}");
    git(&["init", "--quiet", "--template=", &format, "."]).run_ok()?;
    let own = dir.join(".git");
    let info = own.join("objects").join("info").join("alternates");
    let mut objects = repo
        .common_dir()
        .join("objects")
        .into_os_string()
        .into_encoded_bytes();
    objects.push(b'\n');
    Workshop::write(&info, &objects)?;
    let mut shallow = String::new();
    for commit in repo.shallow_commits()? {
        shallow.push_str(&commit.to_hex());
        shallow.push('\n');
    }
    if !shallow.is_empty() {
        Workshop::write(&own.join("shallow"), shallow.as_bytes())?;
    }
    git(&["update-ref", "--no-deref", "HEAD", &commit.to_hex()]).run_ok()?;
    git(&["read-tree", "HEAD"]).run_ok()?;
    Ok(())
}

fn failed(side: &str, cause: &Error) -> Error {
    Error::new(
        "worktree-failed",
        format!("the files of the {side} cannot be written"),
    )
    .caused_by(cause)
    .hint("git fsck")
}
