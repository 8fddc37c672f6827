//! Which test files of the head are laid over the base. Nothing else is: it could carry the change itself.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::diff::{Found, Wanted};
use crate::git::objects::EntryMode;
use crate::model::change::EntryKind;
use crate::model::ids::{Oid, TreeId};
use crate::model::text::sanitise;
use crate::ops::throw_away::checkout::LaidOver;
use crate::review::path;
use crate::structure::paths::is_test_file;

/// The most bytes that the paths of all test files may have: they are stored in one event.
const MAX_PATHS: usize = 24 * 1024;

/// What `--test` names: files or folders of the head, or a command line.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) paths: Vec<String>,
    pub(super) command: Option<String>,
}

/// Tells paths from a command line: what the head's tree has is a path.
pub(super) fn tell_apart(repo: &Repo, head: TreeId, named: &[String], has_command: bool) -> Result<Named> {
    let mut told = Named::default();
    for value in named {
        let trimmed = value.strip_suffix('/').unwrap_or(value);
        let is_path = path::fault(trimmed).is_none() && repo.find_entry(head, trimmed.as_bytes())?.is_some();
        if is_path {
            told.paths.push(trimmed.to_owned());
        } else if has_command {
            return Err(
                impossible(format!("{} is not in the tree of HEAD", sanitise(value)))
                    .hint("git ls-tree -r --name-only HEAD"),
            );
        } else if told.command.replace(value.clone()).is_some() {
            return Err(Error::new("usage", "there are two command lines")
                .because("what --test names and the tree of HEAD has not is taken as the command")
                .hint("git review-gate evidence prove --test PATH -- CMD"));
        }
    }
    Ok(told)
}

/// The test files to lay over the base, sorted: those that are named, else all that the range adds or changes.
pub(super) fn files(repo: &Repo, base: TreeId, head: TreeId, paths: &[String]) -> Result<Vec<LaidOver>> {
    let mut files = BTreeMap::new();
    for named in paths {
        let found = match repo.find_entry(head, named.as_bytes())? {
            Some(Found::Folder(_)) => repo.walk_tree(head, named.as_bytes(), &mut |_, _| Wanted::Yes)?,
            Some(Found::Entry(entry)) => vec![entry],
            None => Vec::new(),
        };
        if found.is_empty() {
            return Err(impossible(format!("{} holds no file", sanitise(named)))
                .hint("git ls-tree -r --name-only HEAD"));
        }
        for entry in found {
            let file = test_file(&entry.path, entry.kind, entry.id)?;
            files.insert(file.path.clone(), file);
        }
    }
    if paths.is_empty() {
        for change in repo.diff_trees(base, head)? {
            let Some(after) = &change.after else {
                continue;
            };
            if is_test_file(&after.path) && after.kind.is_file() {
                let file = test_file(&after.path, after.kind, after.id)?;
                files.insert(file.path.clone(), file);
            }
        }
    }
    if files.is_empty() {
        return Err(impossible(
            "no test file was added or changed, so there is nothing to lay over the base".to_owned(),
        )
        .hint("git review-gate evidence prove --test PATH -- CMD"));
    }
    let size: usize = files.keys().map(|path| path.len() + 3).sum();
    if size > MAX_PATHS {
        return Err(
            impossible(format!("{} test files are too many to be recorded", files.len()))
                .hint("name those that show the change: git review-gate evidence prove --test PATH -- CMD"),
        );
    }
    Ok(files.into_values().collect())
}

/// Refuses a command that names a file which only the head has: on the base it would fail for that reason alone.
pub(super) fn refuse_absent(
    repo: &Repo,
    base: TreeId,
    head: TreeId,
    tests: &[LaidOver],
    argv: &[String],
) -> Result<()> {
    for word in argv {
        // pytest names a test as `path::name`.
        let named = word.split("::").next().unwrap_or(word);
        let named = named.strip_prefix("./").unwrap_or(named);
        let named = named.strip_suffix('/').unwrap_or(named);
        if path::fault(named).is_some() || repo.find_entry(head, named.as_bytes())?.is_none() {
            continue;
        }
        let below = format!("{named}/");
        let laid_over = tests
            .iter()
            .any(|test| test.path == named || test.path.starts_with(&below));
        if !laid_over && repo.find_entry(base, named.as_bytes())?.is_none() {
            let shown = sanitise(named);
            return Err(
                impossible(format!("{shown} is not in the base, and not laid over it"))
                    .because("the command would fail there for that reason alone")
                    .hint(format!("git review-gate evidence prove --test {shown} -- CMD")),
            );
        }
    }
    Ok(())
}

fn test_file(path: &[u8], kind: EntryKind, id: Oid) -> Result<LaidOver> {
    let shown = crate::model::text::sanitise_bytes(path);
    let mode = match kind {
        EntryKind::File => EntryMode::File,
        EntryKind::Executable => EntryMode::Executable,
        _ => return Err(impossible(format!("{shown} is no regular file")).hint("--test names test files")),
    };
    let text = std::str::from_utf8(path)
        .ok()
        .filter(|text| path::fault(text).is_none())
        .ok_or_else(|| {
            impossible(format!("the path {shown} cannot be used")).hint("--test names test files")
        })?;
    if !is_test_file(path) {
        return Err(impossible(format!(
            "{shown} is not a test file; laid over the base it could carry the change"
        ))
        .hint("move the test into a file of its own, such as tests/…"));
    }
    Ok(LaidOver {
        path: text.to_owned(),
        mode,
        id,
    })
}

fn impossible(message: String) -> Error {
    Error::new("no-proof-possible", message)
}
