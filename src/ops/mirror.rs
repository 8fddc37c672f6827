//! `finding export` and `finding import`: a review's events as a tracked file, and back.

#![expect(
    clippy::disallowed_methods,
    reason = "writes the file that the command is asked for"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::desk::Desk;
use super::ledger::{Ledger, home};
use super::output;
use super::sync;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::mirror::{self, Mirror};
use crate::ledger::refs::Addition;
use crate::model::ids::EventId;
use crate::model::outcome::finding::{Exported, Imported};
use crate::model::text::sanitise;

/// Where mirrors are kept unless a path is given, from the top of the work tree.
const FOLDER: &str = "docs/superpowers/specs/reviews";
/// How the name of a mirror ends.
const SUFFIX: &str = "-findings.json";
/// The most mirrors that one folder is searched for.
const MAX_FILES: usize = 10_000;

/// Writes the mirror of a review, by default of the open one of the branch.
pub fn export(review: Option<&str>, output: Option<&Path>) -> Result<Exported> {
    let repo = Repo::open()?;
    let desk = Desk::open(&repo)?;
    let review = desk.review(review)?.ok_or_else(|| {
        Error::new("no-review", "the branch has no open review")
            .hint("git review-gate finding export --review <id>")
    })?;
    let path = if let Some(path) = output {
        path.to_owned()
    } else {
        // The id comes from a note that somebody else may have written: it must not lead out of the folder.
        if !review.id.is_path_safe() {
            return Err(
                Error::new("usage", "the id of the review cannot be the name of a file")
                    .because(sanitise(review.id.as_str()))
                    .hint("name a file: --output FILE"),
            );
        }
        let top = desk.repo.work_tree().ok_or_else(|| {
            Error::new("usage", "a bare repository has no work tree to write to")
                .hint("name a file: --output FILE")
        })?;
        top.join(FOLDER).join(format!("{}{SUFFIX}", review.id))
    };
    let events = desk.events_of(&review.id)?;
    let held = events
        .iter()
        .map(|one| &one.event)
        .filter(|event| mirror::holds(event));
    let count = held.clone().map(|event| event.id).collect::<BTreeSet<_>>().len();
    let text = mirror::encode(&review.id, held);
    if output.is_none()
        && let Some(folder) = path.parent()
    {
        refuse_links(&repo, folder)?;
        std::fs::create_dir_all(folder).map_err(|cause| {
            Error::new("io", format!("{} cannot be made", folder.display())).caused_by(&cause)
        })?;
    }
    output::replace(&path, text.as_bytes())?;
    Ok(Exported {
        review: review.id,
        path: sanitise(&path.to_string_lossy()),
        events: count,
    })
}

/// Refuses a folder that a link of the checked-out tree leads to: it may lie anywhere.
fn refuse_links(repo: &Repo, folder: &Path) -> Result<()> {
    let top = repo.work_tree().unwrap_or_default();
    let link = folder
        .ancestors()
        .take_while(|part| **part != top)
        .find(|part| part.is_symlink());
    match link {
        None => Ok(()),
        Some(link) => Err(Error::new(
            "usage",
            format!(
                "{} is a link, nothing was written",
                sanitise(&link.to_string_lossy())
            ),
        )
        .hint("name a file: --output FILE")),
    }
}

/// Unites the events of these files, and of the mirrors in these folders, with the notes: all of them or none.
pub fn import(paths: &[PathBuf]) -> Result<Imported> {
    let repo = Repo::open()?;
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(mirrors_in(path)?);
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        return Err(Error::new("usage", "no mirror is there").hint("git review-gate finding export"));
    }
    let (ledger, put_back) = Ledger::open_to_write(&repo, &sync::policy(&repo)?.notes_prefix)?;
    let mut imported = unite(&repo, &ledger, &files)?;
    imported.warnings.splice(0..0, put_back);
    Ok(imported)
}

/// Unites the mirrors of the checked-out tree with the notes; for `init` and `sync`. Usually there are none.
pub fn import_checked_out(repo: &Repo, ledger: &Ledger<'_>) -> Result<Imported> {
    let none = Imported {
        files: 0,
        events: 0,
        new: 0,
        warnings: Vec::new(),
    };
    let Some(top) = repo.work_tree() else {
        return Ok(none);
    };
    let folder = top.join(FOLDER);
    // A link could lead out of the tree.
    if !folder.is_dir()
        || !folder
            .canonicalize()
            .is_ok_and(|real| top.canonicalize().is_ok_and(|top| real.starts_with(top)))
    {
        return Ok(none);
    }
    let files = mirrors_in(&folder)?;
    if files.is_empty() {
        Ok(none)
    } else {
        unite(repo, ledger, &files)
    }
}

/// The regular files of a folder that are named like mirrors, sorted.
fn mirrors_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |cause: &std::io::Error| {
        Error::new(
            "io",
            format!("{} cannot be read", sanitise(&folder.to_string_lossy())),
        )
        .caused_by(cause)
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|cause| unreadable(&cause))? {
        let entry = entry.map_err(|cause| unreadable(&cause))?;
        let kind = entry.file_type().map_err(|cause| unreadable(&cause))?;
        if kind.is_file() && entry.file_name().to_string_lossy().ends_with(SUFFIX) {
            files.push(entry.path());
        }
        if files.len() > MAX_FILES {
            return Err(Error::new(
                "too-large",
                format!("more than {MAX_FILES} mirrors in one folder"),
            ));
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Mirror> {
    let shown = sanitise(&path.to_string_lossy());
    let failed =
        |cause: &std::io::Error| Error::new("io", format!("{shown} cannot be read")).caused_by(cause);
    // What is named may be a device that tells no size and has no end.
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(mirror::MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|cause| failed(&cause))?;
    if bytes.len() > mirror::MAX_BYTES {
        return Err(Error::new(
            "too-large",
            format!(
                "{shown} has more than the {} bytes that are read",
                mirror::MAX_BYTES
            ),
        )
        .hint("git review-gate finding export"));
    }
    mirror::decode(&bytes).map_err(|error| {
        let hints = error.hints.clone();
        let outer =
            Error::new(error.kind, format!("{shown} is refused, nothing is imported")).caused_by(&error);
        hints.into_iter().fold(outer, Error::hint)
    })
}

fn unite(repo: &Repo, ledger: &Ledger<'_>, files: &[PathBuf]) -> Result<Imported> {
    let mut additions: BTreeMap<EventId, Addition> = BTreeMap::new();
    for file in files {
        for event in read(file)?.events {
            let anchor = mirror::anchor(&event).0;
            if !repo.id_fits(anchor) {
                return Err(Error::new(
                    "mirror-invalid",
                    format!(
                        "{} speaks of another repository",
                        sanitise(&file.to_string_lossy())
                    ),
                )
                .because(format!("object {anchor} has the length of another hash")));
            }
            let notes_ref = home(&event.body);
            additions.insert(
                event.id,
                Addition {
                    notes_ref,
                    anchor,
                    line: event.line,
                },
            );
        }
    }
    let events = additions.len();
    let written = ledger.add(additions.into_values().collect(), "Import a mirror")?;
    Ok(Imported {
        files: files.len(),
        events,
        new: written.new_lines - written.recovered.min(written.new_lines),
        warnings: written.warnings,
    })
}
