//! How pure code reads the two trees that are compared.

use sha2::{Digest as _, Sha256};

use crate::model::ids::{BlobId, Oid};

/// Which of the two compared trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The tree of the base.
    Before,
    /// The tree of the head.
    After,
}

/// A file that the tree names but that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFault {
    /// The object is not in this clone (partial clone); nothing is fetched.
    Missing(BlobId),
    /// The object is there and damaged; the text says how.
    Damaged(String),
    /// The blob has more bytes than the limit of the caller.
    TooLarge(u64),
}

/// Read access to one tree: real ones come from git, tests build theirs in memory.
pub trait Tree: Sync {
    /// The bytes of the regular file at `path`; `None` where there is no regular file (nothing, folder, link, submodule).
    fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault>;

    /// The object of the regular file at `path`, which need not be read for it: equal ids have equal bytes.
    ///
    /// `None` where there is no regular file.
    fn id(&self, path: &[u8]) -> Result<Option<Oid>, ReadFault> {
        // For trees without objects.
        let digest = |bytes: Vec<u8>| Oid::from_bytes(&Sha256::digest(bytes));
        Ok(self.read(path)?.and_then(digest))
    }

    /// The paths of all regular files below `folder` (empty: the top) that end with `suffix`, sorted by bytes.
    ///
    /// Walks the folder's subtrees; for the few cases that need more than the changed files.
    fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault>;
}
