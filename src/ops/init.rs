//! `init`: policy file, hooks, settings and a first exchange of notes; safe to repeat.

#![expect(
    clippy::disallowed_methods,
    reason = "the policy file is written into the work tree, once"
)]

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use super::hooks::{self, Where};
use super::ledger::Ledger;
use super::{mirror, sync};
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
    match hooks::install(&HookName::SENDING, Where::Files, mode) {
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

/// Fetches and sends notes where there is a remote, and takes in the mirrors of reviews in the checked-out tree.
fn first_sync(repo: &Repo, policy: &Policy, mode: Mode, next: &mut Vec<String>) -> InitPart {
    let part = |state, note: String| InitPart {
        part: PartName::Sync,
        state,
        note,
    };
    let done = if repo.remotes().is_empty() {
        without_remote(repo, policy, mode)
    } else if mode == Mode::DryRun {
        sync::choose_remote(repo, None, policy.sync.remote.as_deref())
            .map(|remote| (PartState::Changed, format!("notes with {remote}")))
    } else {
        sync::run(None, None).map(|report| {
            let state = if report.is_unchanged() {
                PartState::Kept
            } else {
                PartState::Changed
            };
            let mut note = format!("notes with {} are the same on both sides", report.remote);
            for warning in report.warnings {
                note.push_str("; warning: ");
                note.push_str(&warning);
            }
            (state, note)
        })
    };
    match done {
        Ok((state, note)) => part(state, note),
        Err(error) => {
            next.push("git review-gate sync".to_owned());
            part(PartState::Failed, error.to_string())
        }
    }
}

/// Without a remote there are only the mirrors to take in.
fn without_remote(repo: &Repo, policy: &Policy, mode: Mode) -> Result<(PartState, String)> {
    let nothing = (PartState::Skipped, "there is no remote".to_owned());
    if mode == Mode::DryRun || repo.work_tree().is_none() {
        return Ok(nothing);
    }
    let (ledger, mut put_back) = Ledger::open_to_write(repo, &policy.sync.notes_prefix)?;
    let imported = mirror::import_checked_out(repo, &ledger)?;
    if imported.new > 0 {
        put_back.push(format!("{} events from the mirrors of reviews", imported.new));
    }
    if put_back.is_empty() {
        return Ok(nothing);
    }
    Ok((PartState::Changed, put_back.join("; ")))
}
