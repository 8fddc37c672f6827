//! The two compared trees, read from the object database when something unchanged is needed.
//!
//! Both share what was read: most folders and files are the same on both sides, and the same ones are asked for
//! again and again while modules are followed from file to file.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;

use crate::error::Error;
use crate::git::Repo;
use crate::git::objects::{EntryMode, TreeEntry};
use crate::model::ids::{BlobId, Oid, TreeId};
use crate::structure::decode::MAX_SOURCE;
use crate::structure::source::{ReadFault, Tree};

/// Blobs are kept up to this many bytes altogether.
const MAX_KEPT: usize = 48 << 20;

/// Folders may be nested this deep; a deeper tree is damaged or hostile.
const MAX_DEPTH: usize = 1024;

/// A tree of the repository.
pub struct GitTree {
    objects: Arc<Objects>,
    tree: TreeId,
}

/// What was read, and handles on the object database: one for each thread that reads at the same time.
struct Objects {
    handles: Mutex<Vec<Repo>>,
    trees: Mutex<HashMap<TreeId, Arc<[TreeEntry]>>>,
    blobs: Mutex<Blobs>,
}

#[derive(Default)]
struct Blobs {
    known: HashMap<BlobId, Arc<[u8]>>,
    kept: usize,
}

impl GitTree {
    /// Two trees that share what they read.
    pub fn pair(repo: &Repo, before: TreeId, after: TreeId) -> [Self; 2] {
        let objects = Arc::new(Objects {
            handles: Mutex::new(vec![repo.clone()]),
            trees: Mutex::default(),
            blobs: Mutex::default(),
        });
        [before, after].map(|tree| Self {
            objects: Arc::clone(&objects),
            tree,
        })
    }
}

/// Takes a lock. A reader that panicked left nothing half done: an entry is added after it was read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Objects {
    /// Reads with a handle that no other thread uses meanwhile.
    fn read<T>(&self, read: impl FnOnce(&Repo) -> T) -> T {
        let handle = {
            let mut handles = lock(&self.handles);
            match handles.pop() {
                // The last one stays, to make more of.
                Some(last) if handles.is_empty() => {
                    handles.push(last.clone());
                    last
                }
                Some(handle) => handle,
                None => unreachable!("one handle always stays"),
            }
        };
        let result = read(&handle);
        lock(&self.handles).push(handle);
        result
    }

    fn entries(&self, tree: TreeId) -> Result<Arc<[TreeEntry]>, ReadFault> {
        if let Some(known) = lock(&self.trees).get(&tree) {
            return Ok(Arc::clone(known));
        }
        let entries: Arc<[TreeEntry]> = self
            .read(|repo| repo.tree_entries(tree))
            .map_err(|error| damaged(&error))?
            .into();
        lock(&self.trees).insert(tree, Arc::clone(&entries));
        Ok(entries)
    }

    /// What stands at a path; `None` where there is nothing. The empty path is the tree itself.
    fn find(&self, tree: TreeId, path: &[u8]) -> Result<Option<(EntryMode, Oid)>, ReadFault> {
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

    fn blob(&self, id: BlobId) -> Result<Vec<u8>, ReadFault> {
        let known = lock(&self.blobs).known.get(&id).map(Arc::clone);
        if let Some(known) = known {
            return Ok(known.to_vec());
        }
        let bytes = self.read(|repo| super::load::blob(repo, id, MAX_SOURCE))?;
        let mut blobs = lock(&self.blobs);
        if blobs.kept + bytes.len() <= MAX_KEPT && !blobs.known.contains_key(&id) {
            blobs.kept += bytes.len();
            blobs.known.insert(id, bytes.as_slice().into());
        }
        Ok(bytes)
    }
}

impl Tree for GitTree {
    fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
        match self.objects.find(self.tree, path)? {
            Some((EntryMode::File | EntryMode::Executable, id)) => self.objects.blob(BlobId(id)).map(Some),
            _ => Ok(None),
        }
    }

    fn id(&self, path: &[u8]) -> Result<Option<Oid>, ReadFault> {
        Ok(match self.objects.find(self.tree, path)? {
            Some((EntryMode::File | EntryMode::Executable, id)) => Some(id),
            _ => None,
        })
    }

    fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
        let objects = &self.objects;
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
    }
}

fn damaged(error: &Error) -> ReadFault {
    ReadFault::Damaged(error.to_string())
}
