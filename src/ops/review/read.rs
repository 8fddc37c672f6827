//! Reads one file of evidence: from the tree of the commit under review by its path, or from the work tree.
//!
//! No link and no submodule is followed, at no component of the path, and no more than a bounded size is ever loaded.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::error::Result;
use crate::git::Repo;
use crate::git::look_up::AtPath;
use crate::model::delivery::Content;
use crate::model::ids::TreeId;
use crate::model::text::sanitise;
use crate::review::source::{self, MAX_BYTES};

const DIRECTORY: &str = "a directory stands there";
const LINK: &str = "a symbolic link, not followed";

/// Reads a file of a tree; `None` where no entry stands there.
pub fn in_tree(repo: &Repo, tree: TreeId, path: &str) -> Result<Option<Content>> {
    let found = match repo.look_up(tree, path)? {
        AtPath::Nothing => return Ok(None),
        AtPath::File { size, .. } if size > MAX_BYTES => return Ok(Some(source::too_large(size))),
        AtPath::File { id, .. } => repo.try_blob(id, MAX_BYTES)?,
        AtPath::Directory => return Ok(Some(unreadable(DIRECTORY))),
        AtPath::Link => return Ok(Some(unreadable(LINK))),
        AtPath::Submodule => return Ok(Some(unreadable("a submodule"))),
        AtPath::NotHere => None,
    };
    Ok(Some(match found {
        Some(bytes) => source::content(bytes),
        None => unreadable("the object is not in this clone"),
    }))
}

/// Reads a file of the work tree whose top is `top` (there is none in a bare repository); `None` where nothing stands
/// there.
pub fn in_work_tree(top: Option<&Path>, path: &str) -> Option<Content> {
    let mut place = top?.to_owned();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        place.push(name);
        let found = match place.symlink_metadata() {
            Ok(found) => found,
            Err(error) => return failed(&error),
        };
        let kind = found.file_type();
        if kind.is_symlink() {
            return Some(unreadable(LINK));
        }
        if names.peek().is_some() {
            if kind.is_dir() {
                continue;
            }
            return None;
        }
        if kind.is_dir() {
            return Some(unreadable(DIRECTORY));
        }
        if !kind.is_file() {
            return Some(unreadable("not a regular file"));
        }
        return open(&place, &found);
    }
    None
}

fn open(place: &Path, looked_at: &std::fs::Metadata) -> Option<Content> {
    let read = || {
        let file = std::fs::File::open(place)?;
        let found = file.metadata()?;
        if (found.dev(), found.ino()) != (looked_at.dev(), looked_at.ino()) {
            // It was replaced meanwhile, perhaps by a link.
            return Ok(unreadable("replaced while it was read"));
        }
        if found.len() > MAX_BYTES {
            return Ok(source::too_large(found.len()));
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(source::content(bytes))
    };
    read().map_or_else(|error: std::io::Error| failed(&error), Some)
}

fn failed(error: &std::io::Error) -> Option<Content> {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => None,
        _ => Some(unreadable(&sanitise(&error.to_string()))),
    }
}

fn unreadable(why: &str) -> Content {
    Content::Unreadable(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(content: Option<Content>) -> String {
        match content {
            None => "nothing".to_owned(),
            Some(Content::Text(text)) => format!("text {text}"),
            Some(Content::Unreadable(why)) => why,
            Some(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn nothing_in_the_work_tree_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path();
        std::fs::create_dir_all(top.join("real")).unwrap();
        std::fs::write(top.join("real/a.md"), "a").unwrap();
        std::os::unix::fs::symlink("real", top.join("linked")).unwrap();
        std::os::unix::fs::symlink("real/a.md", top.join("a.md")).unwrap();
        for (path, expected) in [
            ("real/a.md", "text a"),
            ("real/none.md", "nothing"),
            ("real/a.md/below", "nothing"),
            ("real", DIRECTORY),
            ("linked/a.md", LINK),
            ("a.md", LINK),
        ] {
            assert_eq!(said(in_work_tree(Some(top), path)), expected, "{path}");
        }
        assert_eq!(said(in_work_tree(None, "real/a.md")), "nothing");
        let large = std::fs::File::create(top.join("large")).unwrap();
        large.set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(
            said(in_work_tree(Some(top), "large")),
            "16777217 bytes, more than the 16777216 that are read"
        );
    }
}
