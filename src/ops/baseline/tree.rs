//! The two compared trees, read from the object database when something unchanged is needed.
//!
//! Both share what was read: most folders and files are the same on both sides, and the same ones are asked for
//! again and again while modules are followed from file to file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::git::Repo;
use crate::git::objects::{EntryMode, TreeEntry};
use crate::model::ids::{BlobId, TreeId};
use crate::structure::decode::MAX_SOURCE;
use crate::structure::source::{ReadFault, Tree};

/// Blobs are kept up to this many bytes altogether.
const MAX_KEPT: usize = 48 << 20;

/// Folders may be nested this deep; a deeper tree is damaged or hostile.
const MAX_DEPTH: usize = 1024;

/// A tree of the repository.
pub struct GitTree {
    objects: Arc<Mutex<Objects>>,
    tree: TreeId,
}

/// A handle of its own on the object database, and what was read with it.
struct Objects {
    repo: Repo,
    trees: HashMap<TreeId, Arc<[TreeEntry]>>,
    blobs: HashMap<BlobId, Arc<[u8]>>,
    kept: usize,
}

impl GitTree {
    /// Two trees that share what they read.
    pub fn pair(repo: &Repo, before: TreeId, after: TreeId) -> [Self; 2] {
        let objects = Arc::new(Mutex::new(Objects {
            repo: repo.clone(),
            trees: HashMap::new(),
            blobs: HashMap::new(),
            kept: 0,
        }));
        [before, after].map(|tree| Self {
            objects: Arc::clone(&objects),
            tree,
        })
    }

    fn with<T>(&self, read: impl FnOnce(&mut Objects) -> T) -> T {
        // A reader that panicked left nothing half done: an entry is added after it was read.
        read(&mut self.objects.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Objects {
    fn entries(&mut self, tree: TreeId) -> Result<Arc<[TreeEntry]>, ReadFault> {
        if let Some(known) = self.trees.get(&tree) {
            return Ok(Arc::clone(known));
        }
        let entries: Arc<[TreeEntry]> = self
            .repo
            .tree_entries(tree)
            .map_err(|error| damaged(&error))?
            .into();
        self.trees.insert(tree, Arc::clone(&entries));
        Ok(entries)
    }

    /// What stands at a path; `None` where there is nothing. The empty path is the tree itself.
    fn find(
        &mut self,
        tree: TreeId,
        path: &[u8],
    ) -> Result<Option<(EntryMode, crate::model::ids::Oid)>, ReadFault> {
        let mut at = (EntryMode::Directory, tree.0);
        for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()) {
            if at.0 != EntryMode::Directory {
                return Ok(None);
            }
            let entries = self.entries(TreeId(at.1))?;
            match entries.iter().find(|entry| entry.name == part) {
                Some(entry) => at = (entry.mode, entry.id),
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    fn blob(&mut self, id: BlobId) -> Result<Vec<u8>, ReadFault> {
        if let Some(known) = self.blobs.get(&id) {
            return Ok(known.to_vec());
        }
        let bytes = super::load::blob(&self.repo, id, MAX_SOURCE)?;
        if self.kept + bytes.len() <= MAX_KEPT {
            self.kept += bytes.len();
            self.blobs.insert(id, bytes.as_slice().into());
        }
        Ok(bytes)
    }
}

impl Tree for GitTree {
    fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
        self.with(|objects| match objects.find(self.tree, path)? {
            Some((EntryMode::File | EntryMode::Executable, id)) => objects.blob(BlobId(id)).map(Some),
            _ => Ok(None),
        })
    }

    fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
        self.with(|objects| {
            let Some((EntryMode::Directory, start)) = objects.find(self.tree, folder)? else {
                return Ok(Vec::new());
            };
            let mut found = Vec::new();
            let mut stack = vec![(folder.to_vec(), TreeId(start), 0)];
            while let Some((path, tree, depth)) = stack.pop() {
                if depth > MAX_DEPTH {
                    return Err(ReadFault::Damaged(format!(
                        "folders are nested more than {MAX_DEPTH} deep"
                    )));
                }
                for entry in objects.entries(tree)?.iter() {
                    let wanted = match entry.mode {
                        EntryMode::File | EntryMode::Executable => entry.name.ends_with(suffix),
                        EntryMode::Directory => true,
                        EntryMode::Link | EntryMode::Submodule => false,
                    };
                    if !wanted {
                        continue;
                    }
                    let mut child = path.clone();
                    if !child.is_empty() {
                        child.push(b'/');
                    }
                    child.extend_from_slice(&entry.name);
                    if entry.mode == EntryMode::Directory {
                        stack.push((child, TreeId(entry.id), depth + 1));
                    } else {
                        found.push(child);
                    }
                }
            }
            found.sort();
            Ok(found)
        })
    }
}

fn damaged(error: &Error) -> ReadFault {
    ReadFault::Damaged(error.to_string())
}
