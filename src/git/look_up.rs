//! What stands at a path of a tree: one tree read for each folder on the way, no link and no submodule entered.

use super::Repo;
use super::objects::{EntryMode, Kind};
use crate::error::Result;
use crate::model::ids::{BlobId, TreeId};

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtPath {
    /// No such entry.
    Nothing,
    /// A file, with its size in bytes.
    File {
        /// Its content.
        id: BlobId,
        /// Taken from the object's header; nothing was loaded.
        size: u64,
    },
    /// A directory.
    Directory,
    /// A symbolic link, here or at a folder above.
    Link,
    /// A submodule, here or at a folder above.
    Submodule,
    /// An object on the way, or the file itself, is not in this clone.
    NotHere,
}

impl Repo {
    /// Looks at `path` (with `/` between names) below a tree.
    pub fn look_up(&self, tree: TreeId, path: &str) -> Result<AtPath> {
        let mut names = path.split('/').peekable();
        let mut tree = tree;
        while let Some(name) = names.next() {
            if tree != self.empty_tree() && self.header(tree.0)?.is_none() {
                return Ok(AtPath::NotHere);
            }
            let entries = self.tree_entries(tree)?;
            let Some(entry) = entries.iter().find(|entry| entry.name == name.as_bytes()) else {
                return Ok(AtPath::Nothing);
            };
            let last = names.peek().is_none();
            match entry.mode {
                EntryMode::Link => return Ok(AtPath::Link),
                EntryMode::Submodule => return Ok(AtPath::Submodule),
                EntryMode::Directory if last => return Ok(AtPath::Directory),
                EntryMode::Directory => tree = TreeId(entry.id),
                EntryMode::File | EntryMode::Executable if last => {
                    return Ok(match self.header(entry.id)? {
                        Some((Kind::Blob, size)) => AtPath::File {
                            id: BlobId(entry.id),
                            size,
                        },
                        // A tree that calls something else a file is damaged; reading it says so.
                        Some(_) => AtPath::File {
                            id: BlobId(entry.id),
                            size: 0,
                        },
                        None => AtPath::NotHere,
                    });
                }
                // Nothing lies below a file.
                EntryMode::File | EntryMode::Executable => return Ok(AtPath::Nothing),
            }
        }
        Ok(AtPath::Nothing)
    }
}
