//! Reads one file of evidence: from the tree of the commit under review by its path, or from the work tree.
//!
//! No link and no submodule is followed, at no component of the path, and no more than a bounded size is ever loaded.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::error::Result;
use crate::git::Repo;
use crate::git::look_up::AtPath;
use crate::model::ids::TreeId;
use crate::model::text::sanitise;

/// Larger files are not read, in bytes.
pub const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// What stands at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// No such entry.
    Nothing,
    /// A text, perhaps a blank one.
    Text(String),
    /// Something that cannot be read as a text; why, in fixed words.
    Unreadable(String),
}

/// Reads a file of a tree.
pub fn in_tree(repo: &Repo, tree: TreeId, path: &str) -> Result<Content> {
    let found = match repo.look_up(tree, path)? {
        AtPath::Nothing => return Ok(Content::Nothing),
        AtPath::File { size, .. } if size > MAX_BYTES => return Ok(too_large(size)),
        AtPath::File { id, .. } => repo.try_blob(id, MAX_BYTES)?,
        AtPath::Directory => return Ok(unreadable(DIRECTORY)),
        AtPath::Link => return Ok(unreadable(LINK)),
        AtPath::Submodule => return Ok(unreadable("a submodule")),
        AtPath::NotHere => None,
    };
    Ok(match found {
        Some(bytes) => judged(bytes),
        None => unreadable("the object is not in this clone"),
    })
}

const DIRECTORY: &str = "a directory stands there";
const LINK: &str = "a symbolic link, not followed";

/// Reads a file of the work tree whose top is `top`; `None` in a bare repository.
pub fn in_work_tree(top: Option<&Path>, path: &str) -> Content {
    let Some(top) = top else {
        return Content::Nothing;
    };
    let mut place = top.to_owned();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        place.push(name);
        let found = match place.symlink_metadata() {
            Ok(found) => found,
            Err(error) => return failed(&error),
        };
        let kind = found.file_type();
        if kind.is_symlink() {
            return unreadable(LINK);
        }
        if names.peek().is_some() {
            if kind.is_dir() {
                continue;
            }
            return Content::Nothing;
        }
        if kind.is_dir() {
            return unreadable(DIRECTORY);
        }
        if !kind.is_file() {
            return unreadable("not a regular file");
        }
        return open(&place, &found);
    }
    Content::Nothing
}

fn open(place: &Path, looked_at: &std::fs::Metadata) -> Content {
    let read = || {
        let file = std::fs::File::open(place)?;
        let found = file.metadata()?;
        if (found.dev(), found.ino()) != (looked_at.dev(), looked_at.ino()) {
            // It was replaced meanwhile, perhaps by a link.
            return Ok(unreadable("replaced while it was read"));
        }
        if found.len() > MAX_BYTES {
            return Ok(too_large(found.len()));
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        let size = bytes.len() as u64;
        Ok(if size > MAX_BYTES {
            too_large(size)
        } else {
            judged(bytes)
        })
    };
    read().unwrap_or_else(|error: std::io::Error| failed(&error))
}

fn failed(error: &std::io::Error) -> Content {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Content::Nothing,
        _ => unreadable(&sanitise(&error.to_string())),
    }
}

fn too_large(size: u64) -> Content {
    unreadable(&format!("{size} bytes, more than the {MAX_BYTES} that are read"))
}

fn unreadable(why: &str) -> Content {
    Content::Unreadable(why.to_owned())
}

/// The bytes as a text, or why they are none.
fn judged(bytes: Vec<u8>) -> Content {
    if is_lfs_pointer(&bytes) {
        return unreadable("a Git LFS pointer, the content is not in the commit");
    }
    if bytes.contains(&0) {
        return unreadable("contains a NUL byte");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Content::Text(text),
        Err(error) => unreadable(&format!(
            "not UTF-8 (first bad byte at offset {})",
            error.utf8_error().valid_up_to()
        )),
    }
}

/// Whether these bytes are what Git LFS stores in the place of a file: at most 1,024 bytes, a version line first.
fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const VERSIONS: [&[u8]; 2] = [
        b"version https://git-lfs.github.com/spec/",
        b"version https://hawser.github.com/spec/",
    ];
    bytes.len() <= 1024
        && VERSIONS.iter().any(|version| bytes.starts_with(version))
        && bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line.starts_with(b"oid sha256:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(content: Content) -> String {
        match content {
            Content::Nothing => "nothing".to_owned(),
            Content::Text(text) => format!("text {text}"),
            Content::Unreadable(why) => why,
        }
    }

    #[test]
    fn bytes_are_a_text_or_not_for_a_reason() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        for (bytes, expected) in [
            (&b"hello"[..], "text hello"),
            (b"", "text "),
            (b"a\0b", "contains a NUL byte"),
            (b"ab\xff", "not UTF-8 (first bad byte at offset 2)"),
            (b"\xe2\x82", "not UTF-8 (first bad byte at offset 0)"),
            (pointer, "a Git LFS pointer, the content is not in the commit"),
            (
                b"version https://git-lfs.github.com/spec/v1 is what pointers begin with",
                "text version https://git-lfs.github.com/spec/v1 is what pointers begin with",
            ),
        ] {
            assert_eq!(said(judged(bytes.to_vec())), expected);
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
