//! One of the two compared trees, read from the object database when something unchanged is needed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::git::Repo;
use crate::git::diff::{Found, Wanted};
use crate::model::ids::{BlobId, TreeId};
use crate::structure::decode::MAX_SOURCE;
use crate::structure::source::{ReadFault, Tree};

/// A tree of the repository.
pub struct GitTree {
    repo: Mutex<Repo>,
    tree: TreeId,
}

impl GitTree {
    /// The tree of this id, read through a handle of its own.
    pub fn new(repo: &Repo, tree: TreeId) -> Self {
        Self {
            repo: Mutex::new(repo.clone()),
            tree,
        }
    }

    fn repo(&self) -> MutexGuard<'_, Repo> {
        // A reader that panicked left nothing half done: reading changes nothing.
        self.repo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tree for GitTree {
    fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
        let repo = self.repo();
        match repo.find_entry(self.tree, path) {
            Ok(Some(Found::Entry(entry))) if entry.kind.is_file() => {
                super::load::blob(&repo, BlobId(entry.id), MAX_SOURCE).map(Some)
            }
            Ok(_) => Ok(None),
            Err(error) => Err(damaged(&error)),
        }
    }

    fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
        let mut wanted = |path: &[u8], kind: crate::model::change::EntryKind| {
            if kind.is_file() && path.ends_with(suffix) {
                Wanted::Yes
            } else {
                Wanted::No
            }
        };
        let found = self.repo().walk_tree(self.tree, folder, &mut wanted);
        found
            .map(|entries| entries.into_iter().map(|entry| entry.path).collect())
            .map_err(|error| damaged(&error))
    }
}

fn damaged(error: &Error) -> ReadFault {
    ReadFault::Damaged(error.to_string())
}
