//! Whether the work tree is that of the commit, before a command runs and after it.

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::process::Git;
use crate::model::ids::CommitId;

/// Which files matter.
#[derive(Clone, Copy)]
enum Files {
    /// Tracked ones, and those that are neither tracked nor ignored.
    All,
    /// Tracked ones: a command may leave files of its own.
    Tracked,
}

/// Whether the work tree has changes, or files that are neither tracked nor ignored.
pub(super) fn is_dirty(repo: &Repo) -> Result<bool> {
    if repo.work_tree().is_none() {
        return Err(
            Error::new("no-work-tree", "a bare repository has no work tree to run in")
                .hint("git worktree add <path> <branch>"),
        );
    }
    Ok(has_hidden(repo)? || has_changes(repo, Files::All)?)
}

/// Whether HEAD has moved since, or tracked files have changed.
pub(super) fn has_changed(repo: &Repo, head: CommitId) -> Result<bool> {
    // Opened again: what was read before may be remembered.
    let now = repo
        .git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
        .run_ok()?;
    let is_same = String::from_utf8_lossy(&now).trim() == head.to_string();
    Ok(!is_same || has_hidden(repo)? || has_changes(repo, Files::Tracked)?)
}

fn has_changes(repo: &Repo, files: Files) -> Result<bool> {
    let untracked = match files {
        Files::All => "--untracked-files=normal",
        Files::Tracked => "--untracked-files=no",
    };
    // A watcher of the file system is believed nothing here: it is a program that the repository names.
    let changes = plain(repo.git([
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.untrackedCache=false",
        "status",
        "--porcelain=v1",
        "-z",
        "--ignore-submodules=none",
        untracked,
    ]))?;
    Ok(!changes.is_empty())
}

/// Whether git was told to overlook changes of some files, or not to check some out.
fn has_hidden(repo: &Repo) -> Result<bool> {
    let listed = plain(repo.git(["ls-files", "-v", "-z"]))?;
    Ok(listed
        .split(|byte| *byte == 0)
        .filter_map(|entry| entry.first())
        .any(|tag| tag.is_ascii_lowercase() || *tag == b'S'))
}

fn plain(git: Git) -> Result<Vec<u8>> {
    git.run_ok().map_err(|error| error.hint("git status"))
}
