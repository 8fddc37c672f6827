//! `hooks install`, `uninstall` and `status`.

use super::program;
use crate::error::Result;
use crate::git::Repo;
use crate::hook::configured::{self, Scope};
use crate::hook::install::{self, Reach, Request};
pub use crate::hook::status::Proof;
use crate::hook::{status, uninstall};
use crate::model::hooks::{HookName, HooksChange, HooksStatus, Mode};

/// Where hooks are set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// Files in the directory where git looks for hooks; it must be this repository's own.
    Files,
    /// Files in the directory that several repositories share.
    SharedFiles,
    /// This repository's configuration, for git 2.54 and later.
    Config,
    /// The user's configuration, for git 2.54 and later.
    GlobalConfig,
}

impl Where {
    /// The scope of the configuration; `None` for files.
    const fn scope(self) -> Option<Scope> {
        match self {
            Self::Files | Self::SharedFiles => None,
            Self::Config => Some(Scope::Local),
            Self::GlobalConfig => Some(Scope::Global),
        }
    }
}

/// Installs these hooks; all of them or, when one of them cannot be, none.
pub fn install(hooks: &[HookName], place: Where, mode: Mode) -> Result<HooksChange> {
    let repo = Repo::open()?;
    let program = program::stable_path();
    let program = program.as_deref();
    if let Some(scope) = place.scope() {
        let steps = configured::plan(&repo, hooks, scope, program)?;
        if mode == Mode::Do {
            for hook in hooks {
                configured::write(&repo, *hook, scope, program)?;
            }
        }
        return Ok(HooksChange::new(mode, steps));
    }
    let reach = if place == Where::SharedFiles {
        Reach::Shared
    } else {
        Reach::Repository
    };
    let steps = install::plan(
        &repo,
        &Request {
            hooks,
            program,
            reach,
        },
    )?;
    if mode == Mode::Do {
        for step in &steps {
            install::carry_out(step, program)?;
        }
    }
    Ok(HooksChange::new(mode, steps))
}

/// Takes these hooks out: files and this repository's configuration, or the user's configuration alone.
pub fn uninstall(hooks: &[HookName], place: Where, mode: Mode) -> Result<HooksChange> {
    let repo = Repo::open()?;
    let scope = place.scope().unwrap_or(Scope::Local);
    let files = match place {
        Where::Files | Where::SharedFiles => uninstall::plan(&repo, hooks)?,
        Where::Config | Where::GlobalConfig => Vec::new(),
    };
    let keys = configured::plan_removal(&repo, hooks, scope)?;
    if mode == Mode::Do {
        for step in &files {
            uninstall::carry_out(step)?;
        }
        // Removed in the reverse order of writing.
        for step in keys.iter().rev() {
            configured::remove(&repo, step.hook, scope)?;
        }
    }
    Ok(HooksChange::new(mode, files.into_iter().chain(keys).collect()))
}

/// Whether git really runs us, for every worktree.
pub fn status(proof: Proof) -> Result<HooksStatus> {
    status::examine(&Repo::open()?, program::on_path().as_deref(), proof)
}
