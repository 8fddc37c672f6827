//! Where git looks for hooks, and whether that place belongs to this repository.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::process::Git;
use crate::model::text::{sanitise, sanitise_bytes};

/// Where git looks for hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The directory, absolute; it may not exist. Empty where `core.hooksPath` is set to nothing.
    pub directory: PathBuf,
    /// Whose it is.
    pub owner: Owner,
    /// `core.hooksPath`, where it is set.
    pub hooks_path: Option<HooksPath>,
}

/// Whose directory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// This repository's: below its git directory or its work tree.
    Repository,
    /// Somewhere else, perhaps shared by other repositories.
    Elsewhere,
}

/// The setting `core.hooksPath`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HooksPath {
    /// The value, `~` expanded.
    pub value: String,
    /// `local`, `global`, `system`, `worktree` or `command`.
    pub scope: String,
}

impl HooksPath {
    /// Whether it is set to nothing, so that git runs no hook at all.
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }

    /// The command that takes the setting away.
    pub fn unset_command(&self) -> String {
        match self.scope.as_str() {
            scope @ ("local" | "global" | "system" | "worktree") => {
                format!("git config --{scope} --unset core.hooksPath")
            }
            _ => "git config --show-origin --get core.hooksPath".to_owned(),
        }
    }
}

impl Place {
    /// The place of this repository, worktree and environment.
    pub fn find(repo: &Repo) -> Result<Self> {
        let mut roots = vec![repo.git_dir().to_owned(), repo.common_dir().to_owned()];
        roots.extend(repo.work_tree());
        Self::ask(&|args| repo.git(args), &roots)
    }

    /// The place of the worktree (or bare repository) in this folder, whatever the environment says.
    pub fn find_in(folder: &Path) -> Result<Self> {
        let git = |args: &[&str]| Git::new(args).in_dir(folder).without_local_environment();
        let common = git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]).run_ok()?;
        Self::ask(&git, &[folder.to_owned(), path_of_line(&common)?])
    }

    /// Asks git, through `git`; directories below `roots` are the repository's own.
    fn ask(git: &dyn Fn(&[&str]) -> Git, roots: &[PathBuf]) -> Result<Self> {
        let hooks_path = hooks_path(git)?;
        // Asked for the path of an empty setting, git fails; what is then called the directory is never used.
        let directory = if hooks_path.as_ref().is_some_and(HooksPath::is_empty) {
            PathBuf::new()
        } else {
            let line = git(&["rev-parse", "--path-format=absolute", "--git-path", "hooks"]).run_ok()?;
            path_of_line(&line)?
        };
        let real = resolved(&directory);
        let inside = roots.iter().any(|root| real.starts_with(resolved(root)));
        let owner = if inside {
            Owner::Repository
        } else {
            Owner::Elsewhere
        };
        Ok(Self {
            directory,
            owner,
            hooks_path,
        })
    }

    /// An error where git runs no hook at all.
    pub fn refuse_empty(&self) -> Result<()> {
        match &self.hooks_path {
            Some(path) if path.is_empty() => Err(Error::new(
                "hooks-disabled",
                "core.hooksPath is set to nothing, so git runs no hook here",
            )
            .because(format!(
                "it is set in the {} configuration",
                sanitise(&path.scope)
            ))
            .hint(path.unset_command())),
            _ => Ok(()),
        }
    }
}

/// Reads `core.hooksPath` with its scope.
fn hooks_path(git: &dyn Fn(&[&str]) -> Git) -> Result<Option<HooksPath>> {
    let output = git(&[
        "config",
        "--type=path",
        "--show-scope",
        "--null",
        "--get",
        "core.hooksPath",
    ])
    .run()?;
    match output.code {
        Some(0) => {}
        Some(1) => return Ok(None),
        _ => {
            return Err(Error::new("config", "core.hooksPath could not be read").because(output.error_text()));
        }
    }
    let mut fields = output.stdout.split(|byte| *byte == 0);
    match (fields.next(), fields.next()) {
        (Some(scope), Some(value)) => Ok(Some(HooksPath {
            value: text_of(value)?,
            scope: text_of(scope)?,
        })),
        _ => Err(
            Error::new("config", "git's answer on core.hooksPath was not understood")
                .because(sanitise_bytes(&output.stdout)),
        ),
    }
}

/// A path that git printed on a line of its own.
fn path_of_line(line: &[u8]) -> Result<PathBuf> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    Ok(PathBuf::from(text_of(line.strip_suffix(b"\r").unwrap_or(line))?))
}

/// Paths of hooks have to be UTF-8; others are refused rather than changed.
fn text_of(bytes: &[u8]) -> Result<String> {
    String::from_utf8(bytes.to_vec()).map_err(|_| {
        Error::new("hooks-path", "the path of the hooks is not UTF-8").because(sanitise_bytes(bytes))
    })
}

/// `path` with symbolic links resolved, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return missing.iter().rev().fold(real, |path, name| path.join(name));
        }
        missing.extend(ancestor.file_name());
    }
    path.to_owned()
}
