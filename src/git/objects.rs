//! Reading and writing single objects: headers first, sizes bounded, trees looked into without walking them.

use gix::objs::tree::EntryKind;

use super::Repo;
use super::convert::{error, from_gix, to_gix};
use crate::error::{Error, Result};
use crate::model::ids::{BlobId, Oid, TreeId};

/// Of so many objects type and size are remembered; a command asks for those of a few, several times each.
const MAX_HEADERS: usize = 1024;

/// Blobs up to this many bytes are copied out of the buffer they were decoded in.
const MAX_COPIED: usize = 1 << 20;

/// The type of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Content of a file.
    Blob,
    /// A directory.
    Tree,
    /// A commit.
    Commit,
    /// An annotated tag.
    Tag,
}

impl Kind {
    /// Git's word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Tree => "tree",
            Self::Commit => "commit",
            Self::Tag => "tag",
        }
    }

    fn from_gix(kind: gix::objs::Kind) -> Self {
        match kind {
            gix::objs::Kind::Blob => Self::Blob,
            gix::objs::Kind::Tree => Self::Tree,
            gix::objs::Kind::Commit => Self::Commit,
            gix::objs::Kind::Tag => Self::Tag,
        }
    }
}

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryMode {
    /// A file (100644).
    File,
    /// An executable file (100755).
    Executable,
    /// A symbolic link (120000).
    Link,
    /// A directory (040000).
    Directory,
    /// A submodule (160000).
    Submodule,
}

impl EntryMode {
    /// Whether the entry's object is a blob: a file or a link.
    pub const fn is_blob(self) -> bool {
        matches!(self, Self::File | Self::Executable | Self::Link)
    }

    /// Git's six octal digits.
    pub const fn octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
            Self::Directory => "040000",
            Self::Submodule => "160000",
        }
    }

    fn from_gix(kind: EntryKind) -> Self {
        match kind {
            EntryKind::Blob => Self::File,
            EntryKind::BlobExecutable => Self::Executable,
            EntryKind::Link => Self::Link,
            EntryKind::Tree => Self::Directory,
            EntryKind::Commit => Self::Submodule,
        }
    }
}

/// One entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The name in its directory, as stored.
    pub name: Vec<u8>,
    /// What it is.
    pub mode: EntryMode,
    /// Its object.
    pub id: Oid,
}

impl Repo {
    /// Type and size in bytes of an object, without reading its content; `None` when it is not here.
    pub fn header(&self, id: Oid) -> Result<Option<(Kind, u64)>> {
        if !self.id_fits(id) {
            return Ok(None);
        }
        if let Some(known) = self.headers.borrow().get(&id) {
            return Ok(Some(*known));
        }
        let found = self
            .gix
            .try_find_header(to_gix(id))
            .map_err(|cause| damaged(id, &cause))?
            .map(|header| (Kind::from_gix(header.kind()), header.size()));
        if let Some(header) = found {
            self.remember(id, header);
        }
        Ok(found)
    }

    /// The content of a blob of at most `limit` bytes; `None` when it is not here, as in a partial clone.
    ///
    /// A larger one is an error of kind `too-large`, an object of another type one of kind `wrong-type`.
    pub fn try_blob(&self, id: BlobId, limit: u64) -> Result<Option<Vec<u8>>> {
        match self.header(id.0)? {
            None => Ok(None),
            Some((Kind::Blob, size)) if size > limit => Err(Error::new(
                "too-large",
                format!("blob {} has {size} bytes, {limit} are allowed", id.short()),
            )),
            Some((Kind::Blob, _)) => self.read(id.0, Kind::Blob),
            Some((kind, _)) => Err(wrong_type(id.0, kind, Kind::Blob)),
        }
    }

    /// The content of a blob that must be here, of at most `limit` bytes.
    pub fn blob(&self, id: BlobId, limit: u64) -> Result<Vec<u8>> {
        self.try_blob(id, limit)?.ok_or_else(|| missing(id.0, Kind::Blob))
    }

    /// The content of a blob that must be here, whatever its size; one look-up instead of two.
    pub fn whole_blob(&self, id: BlobId) -> Result<Vec<u8>> {
        self.read(id.0, Kind::Blob)?
            .ok_or_else(|| missing(id.0, Kind::Blob))
    }

    /// The bytes of an object of this kind; `None` when it is not here.
    pub(super) fn read(&self, id: Oid, kind: Kind) -> Result<Option<Vec<u8>>> {
        if !self.id_fits(id) {
            return Ok(None);
        }
        match self.gix.try_find_object(to_gix(id)) {
            Ok(None) => Ok(None),
            Ok(Some(object)) if Kind::from_gix(object.kind) == kind => {
                self.remember(id, (kind, object.data.len() as u64));
                // A small buffer goes back, warm for the next object; a large one is not worth having twice.
                Ok(Some(if object.data.len() > MAX_COPIED {
                    object.detach().data
                } else {
                    object.data.as_slice().to_vec()
                }))
            }
            Ok(Some(object)) => Err(wrong_type(id, Kind::from_gix(object.kind), kind)),
            Err(cause) => Err(damaged(id, &cause)),
        }
    }

    /// Keeps what an object is: an id never comes to mean another one.
    fn remember(&self, id: Oid, header: (Kind, u64)) {
        let mut headers = self.headers.borrow_mut();
        if headers.len() < MAX_HEADERS {
            headers.insert(id, header);
        }
    }

    /// The entries of one tree, in git's order.
    pub fn tree_entries(&self, id: TreeId) -> Result<Vec<TreeEntry>> {
        if id == self.empty_tree() {
            return Ok(Vec::new());
        }
        let data = self
            .read(id.0, Kind::Tree)?
            .ok_or_else(|| missing(id.0, Kind::Tree))?;
        let mut entries = Vec::new();
        for entry in gix::objs::TreeRefIter::from_bytes(&data, self.gix.object_hash()) {
            let entry = entry.map_err(|cause| damaged(id.0, &cause))?;
            entries.push(TreeEntry {
                name: entry.filename.to_vec(),
                mode: EntryMode::from_gix(entry.mode.kind()),
                id: from_gix(entry.oid),
            });
        }
        Ok(entries)
    }

    /// The entry at `path` (with `/` between names) below a tree; reads one tree for each directory on the way.
    pub fn tree_entry(&self, tree: TreeId, path: &str) -> Result<Option<TreeEntry>> {
        let mut names = path.split('/').peekable();
        let mut tree = tree;
        while let Some(name) = names.next() {
            let Some(entry) = self
                .tree_entries(tree)?
                .into_iter()
                .find(|entry| entry.name == name.as_bytes())
            else {
                return Ok(None);
            };
            if names.peek().is_none() {
                return Ok(Some(entry));
            }
            if entry.mode != EntryMode::Directory {
                return Ok(None);
            }
            tree = TreeId(entry.id);
        }
        Ok(None)
    }
}

/// An object that must be here and is not; its hint fits partial and shallow clones as well as damage.
pub(super) fn missing(id: Oid, kind: Kind) -> Error {
    Error::new(
        "missing-object",
        format!("{} {id} is not in this repository", kind.as_str()),
    )
    .hint(format!("git cat-file -t {id}"))
}

fn wrong_type(id: Oid, found: Kind, wanted: Kind) -> Error {
    Error::new(
        "wrong-type",
        format!("object {id} is a {}, not a {}", found.as_str(), wanted.as_str()),
    )
}

pub(super) fn damaged(id: Oid, cause: &gix::Error) -> Error {
    error("damaged-object", format!("object {id} cannot be read"), cause).hint("git fsck")
}
