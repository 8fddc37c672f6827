//! Installs hook files: first a plan for all of them, then each step.

use std::path::{Path, PathBuf};

use super::files::{self, Found};
use super::place::{Owner as PlaceOwner, Place};
use super::{manager, shim};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::hooks::{Action, HookName, Step};

/// What a hook that was there before is called while ours stands in its place.
pub const CHAINED: &str = ".review-gate-chained";

/// What to install.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// Which hooks.
    pub hooks: &'a [HookName],
    /// The path of this program that stays valid; `None` to look on `PATH` only.
    pub program: Option<&'a Path>,
    /// Whether a directory outside of this repository is meant.
    pub reach: Reach,
}

/// How far an installation may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This repository only.
    Repository,
    /// Every repository that shares the directory of `core.hooksPath`.
    Shared,
}

/// The name under which the hook that was there before is kept.
pub fn chained_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(CHAINED);
    path.with_file_name(name)
}

/// What would be done; nothing is changed. An error when any of the hooks cannot be installed.
pub fn plan(repo: &Repo, request: &Request<'_>) -> Result<Vec<Step>> {
    let place = Place::find(repo)?;
    place.refuse_empty()?;
    if place.owner == PlaceOwner::Elsewhere && request.reach == Reach::Repository {
        return Err(elsewhere(&place, request.hooks));
    }
    if place.owner == PlaceOwner::Repository && request.reach == Reach::Shared {
        return Err(
            Error::new("hooks-path", "there is no shared directory of hooks here")
                .because("core.hooksPath is not set to a directory outside of this repository")
                .hint("git review-gate hooks install"),
        );
    }
    let top = repo.work_tree();
    request
        .hooks
        .iter()
        .map(|hook| {
            let path = place.directory.join(hook.as_str());
            let action = action(*hook, &path, top.as_deref(), request.program)?;
            Ok(Step {
                hook: *hook,
                path,
                action,
            })
        })
        .collect()
}

/// Carries out a step of a plan for this program.
pub fn carry_out(step: &Step, program: Option<&Path>) -> Result<()> {
    let text = shim::render(step.hook, program);
    match &step.action {
        Action::Create | Action::Replace => files::write_hook(&step.path, &text),
        Action::Chain { moved_to } => {
            files::rename(&step.path, moved_to)?;
            files::write_hook(&step.path, &text).inspect_err(|_| {
                // Leave things as they were; where that fails too, the first error is the one to tell.
                let _ = files::rename(moved_to, &step.path);
            })
        }
        _ => Ok(()),
    }
}

/// What has to be done for one hook.
fn action(hook: HookName, path: &Path, top: Option<&Path>, program: Option<&Path>) -> Result<Action> {
    let directory = path.parent().expect("a hook lies in a directory");
    let found = files::look(path)?;
    let bytes = match &found {
        Found::File { bytes, .. } | Found::Link { bytes, .. } => bytes.as_slice(),
        Found::Nothing | Found::Dangling => &[],
    };
    let owner = shim::owner(hook, bytes);
    let linked = matches!(found, Found::Link { .. } | Found::Dangling);
    // Husky fills its directory anew at each installation; what somebody else put there would be lost.
    let manager = manager::of_directory(directory).or_else(|| manager::of_file(bytes));
    match owner {
        shim::Owner::Newer(version) => return Ok(Action::KeepNewer { version }),
        shim::Owner::Ours { .. } => {
            let current = bytes == shim::render(hook, program).as_bytes();
            let runs = matches!(
                found,
                Found::File { executable: true, .. } | Found::Link { executable: true, .. }
            );
            match (current && runs, linked) {
                (true, _) => return Ok(Action::Keep),
                (false, false) => return Ok(Action::Replace),
                // What a link points at is not ours to write; the link moves aside like any other hook.
                (false, true) => {}
            }
        }
        shim::Owner::Changed => {
            return Err(Error::new(
                "hooks",
                format!("{} began as our hook and was changed", path.display()),
            )
            .because("it is left as it is, so that nothing of it is lost")
            .hint(format!(
                "move your own lines out of it, remove it, then: {INSTALL}"
            )));
        }
        shim::Owner::Foreign => {}
    }
    if let Some(manager) = manager {
        if let Some(top) = top
            && let Some(file) = manager::configured(manager, top, hook)?
        {
            let file = file.display().to_string();
            return Ok(Action::ManagedLive { manager, file });
        }
        let (file, lines) = manager::lines(manager, hook);
        return Ok(Action::Managed { manager, file, lines });
    }
    if found == Found::Nothing {
        return Ok(Action::Create);
    }
    let moved_to = chained_path(path);
    if files::is_taken(&moved_to) {
        return Err(
            Error::new("hooks", format!("{} is there already", moved_to.display()))
                .because(format!(
                    "the hook {} would have to be moved there, so that it runs after ours",
                    path.display()
                ))
                .hint(format!("ls -l '{}'", directory.display())),
        );
    }
    Ok(Action::Chain { moved_to })
}

const INSTALL: &str = "git review-gate hooks install";

/// Why a directory outside of the repository is not touched, and the ways out.
fn elsewhere(place: &Place, hooks: &[HookName]) -> Error {
    let scope = place.hooks_path.as_ref().map_or("", |path| path.scope.as_str());
    let mut error = Error::new("hooks-path", "the hooks of this repository lie outside of it")
        .because(format!("git looks for them in {}", place.directory.display()));
    if !scope.is_empty() {
        error = error.because(format!("core.hooksPath is set in the {scope} configuration"));
    }
    if let Some(manager) = hooks.iter().find_map(|hook| manager_at(&place.directory, *hook)) {
        let (file, _) = manager::lines(manager, HookName::PrePush);
        error = error.hint(format!(
            "add it to the configuration of {}: {file}",
            manager.as_str()
        ));
    }
    error
        .hint(format!(
            "for every repository that shares the directory: {INSTALL} --global"
        ))
        .hint(format!(
            "with git 2.54 or later, for this repository only: {INSTALL} --config"
        ))
}

/// The manager that wrote the hook in this directory, if any.
fn manager_at(directory: &Path, hook: HookName) -> Option<crate::model::hooks::Manager> {
    manager::of_directory(directory).or_else(|| match files::look(&directory.join(hook.as_str())) {
        Ok(Found::File { bytes, .. } | Found::Link { bytes, .. }) => manager::of_file(&bytes),
        _ => None,
    })
}
