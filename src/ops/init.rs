//! `init`: policy file, hooks, settings and a first exchange of notes; safe to repeat.

#![expect(
    clippy::disallowed_methods,
    reason = "the policy file is written into the work tree, once"
)]

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use super::hooks::{self, Where};
use super::sync::{choose_remote, sync};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::refs::{NotesRef, Prefix};
use crate::model::hooks::{HookName, HooksChange, Mode};
use crate::model::init::{InitPart, InitReport, PartName, PartState};
use crate::model::policy::{POLICY_FILE, Policy};
use crate::policy;

/// How git merges our notes when somebody merges them by hand: the union of all lines loses nothing.
const MERGE_STRATEGY: &str = "cat_sort_uniq";

/// Sets this clone up. A part that cannot be done does not keep the others from being done.
pub fn run(mode: Mode) -> Result<InitReport> {
    let repo = Repo::open()?;
    let mut next = Vec::new();
    let (policy, policy_part) = policy_file(&repo, mode, &mut next)?;
    let (hooks, hooks_part) = hook_files(mode, &mut next);
    let settings_part = settings(&repo, &policy, mode)?;
    let sync_part = first_sync(&repo, &policy, mode, &mut next);
    Ok(InitReport {
        schema: "review-gate/init",
        version: 1,
        mode,
        parts: vec![policy_part, hooks_part, settings_part, sync_part],
        hooks,
        next,
    })
}

/// Writes the starter where there is no policy file. One that cannot be read is an error: it may not be replaced.
fn policy_file(repo: &Repo, mode: Mode, next: &mut Vec<String>) -> Result<(Policy, InitPart)> {
    let part = |state, note: &str| InitPart {
        part: PartName::Policy,
        state,
        note: note.to_owned(),
    };
    let Some(top) = repo.work_tree() else {
        let note = "a bare repository has no files; commit the policy from a clone";
        return Ok((Policy::default(), part(PartState::Skipped, note)));
    };
    let path = top.join(POLICY_FILE);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => {
            let bytes = fs::read(&path).map_err(|cause| unreadable(&path, &cause))?;
            let policy = policy::parse(&bytes).map_err(|fault| fault.into_error(POLICY_FILE))?;
            Ok((
                policy,
                part(PartState::Kept, &format!("{POLICY_FILE} is there and valid")),
            ))
        }
        Ok(_) => Err(
            Error::new("policy", format!("{POLICY_FILE} is not a regular file"))
                .hint(format!("git rm --cached {POLICY_FILE}")),
        ),
        Err(cause) if cause.kind() == ErrorKind::NotFound => {
            if mode == Mode::Do {
                write_new(&path, policy::STARTER)?;
            }
            next.push(format!("git add {POLICY_FILE}"));
            next.push("git commit -m 'Add the review policy'".to_owned());
            let note = format!("{POLICY_FILE} with the built-in values; read it, then commit it");
            Ok((Policy::default(), part(PartState::Changed, &note)))
        }
        Err(cause) => Err(unreadable(&path, &cause)),
    }
}

/// Writes a file that must not exist yet.
fn write_new(path: &Path, text: &str) -> Result<()> {
    let fault = |cause: &std::io::Error| {
        Error::new("io", format!("{} could not be written", path.display())).caused_by(cause)
    };
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|cause| fault(&cause))?;
    file.write_all(text.as_bytes()).map_err(|cause| fault(&cause))
}

fn unreadable(path: &Path, cause: &std::io::Error) -> Error {
    Error::new("io", format!("{} could not be read", path.display())).caused_by(cause)
}

/// Installs the hooks of a developer's clone; why it cannot be done is told, not passed over.
fn hook_files(mode: Mode, next: &mut Vec<String>) -> (Option<HooksChange>, InitPart) {
    let part = |state, note: String| InitPart {
        part: PartName::Hooks,
        state,
        note,
    };
    match hooks::install(&HookName::ALL, Where::Files, mode) {
        Ok(change) if change.waits_for_manager() => {
            next.push("git review-gate hooks status --probe".to_owned());
            let note = "a hook manager keeps them: add the lines below to its configuration".to_owned();
            (Some(change), part(PartState::Failed, note))
        }
        Ok(change) => {
            let state = if change.changes_anything() {
                PartState::Changed
            } else {
                PartState::Kept
            };
            let note =
                "pre-push judges what is pushed, post-rewrite records amended and rebased commits".to_owned();
            (Some(change), part(state, note))
        }
        Err(error) => {
            next.extend(error.hints.iter().cloned());
            (None, part(PartState::Failed, error.to_string()))
        }
    }
}

/// Tells git how to merge our notes by hand.
fn settings(repo: &Repo, policy: &Policy, mode: Mode) -> Result<InitPart> {
    let prefix = Prefix::new(&policy.sync.notes_prefix)?;
    let mut changed = Vec::new();
    for notes_ref in NotesRef::ALL {
        let full = prefix.full(notes_ref);
        let name = full.strip_prefix("refs/notes/").unwrap_or(&full);
        let key = format!("notes.{name}.mergeStrategy");
        if repo.config_string(&key)?.is_none() {
            if mode == Mode::Do {
                repo.git(["config", "--local", key.as_str(), MERGE_STRATEGY])
                    .run_ok()?;
            }
            changed.push(key);
        }
    }
    let state = if changed.is_empty() {
        PartState::Kept
    } else {
        PartState::Changed
    };
    let note = format!("`git notes merge` unites our notes ({MERGE_STRATEGY})");
    Ok(InitPart {
        part: PartName::Settings,
        state,
        note,
    })
}

/// Fetches and sends notes where there is a remote.
fn first_sync(repo: &Repo, policy: &Policy, mode: Mode, next: &mut Vec<String>) -> InitPart {
    let part = |state, note: String| InitPart {
        part: PartName::Sync,
        state,
        note,
    };
    if repo.remotes().is_empty() {
        return part(PartState::Skipped, "there is no remote".to_owned());
    }
    let again = "git review-gate sync".to_owned();
    let remote = match choose_remote(repo, None, policy.sync.remote.as_deref()) {
        Ok(remote) => remote,
        Err(error) => {
            next.push(again);
            return part(PartState::Failed, error.to_string());
        }
    };
    if mode == Mode::DryRun {
        return part(PartState::Changed, format!("exchange notes with {remote}"));
    }
    let synced = Prefix::new(&policy.sync.notes_prefix)
        .and_then(|prefix| sync(repo, &prefix, &remote, policy.sync.timeout));
    match synced {
        Ok(report) if report.is_unchanged() => part(PartState::Kept, format!("notes are those of {remote}")),
        Ok(_) => part(PartState::Changed, format!("notes exchanged with {remote}")),
        Err(error) => {
            next.push(again);
            part(PartState::Failed, error.to_string())
        }
    }
}
