//! What differs between two trees: one value a path, or a pair of paths after a rename.

use super::ids::Oid;

/// What a tree entry is, as far as git distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A regular file with the executable bit.
    Executable,
    /// A symbolic link.
    Link,
    /// A commit of another repository.
    Submodule,
}

impl EntryKind {
    /// Whether the entry has content of its own: a regular file, executable or not.
    pub const fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Executable)
    }
}

/// One entry of a tree that is not a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// From the top of the tree, parts separated by `/`, in the bytes of the tree.
    pub path: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// The blob, or the commit of a submodule.
    pub id: Oid,
}

/// One difference. At least one side is there; the paths differ only after renames were paired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The entry in the tree before.
    pub before: Option<Entry>,
    /// The entry in the tree after.
    pub after: Option<Entry>,
}

impl Change {
    /// The path before, or the path after for an addition.
    pub fn path(&self) -> &[u8] {
        self.before
            .as_ref()
            .or(self.after.as_ref())
            .map_or(&[], |entry| &entry.path)
    }

    /// Whether both sides are there under different paths.
    pub fn is_rename(&self) -> bool {
        matches!((&self.before, &self.after), (Some(before), Some(after)) if before.path != after.path)
    }
}
