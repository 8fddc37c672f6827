//! The difference of two trees: equal subtrees are never entered, no configuration is consulted.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::Repo;
use super::convert::from_gix;
use super::objects::{EntryMode, TreeEntry};
use crate::error::{Error, Result};
use crate::model::change::{Change, Entry, EntryKind};
use crate::model::ids::{BlobId, TreeId};

/// Folders may be nested this deep; a deeper tree is damaged or hostile.
const MAX_DEPTH: usize = 1024;

/// What a walk does with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Leave it out.
    No,
    /// Take it and go on.
    Yes,
    /// Take it and stop.
    Last,
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A folder.
    Folder(TreeId),
    /// Anything else.
    Entry(Entry),
}

impl Repo {
    /// All differing entries of two trees, sorted by path. Renames are not paired here.
    ///
    /// A tree that is not here is an error of kind `missing-object`; nothing is ever fetched.
    pub fn diff_trees(&self, before: TreeId, after: TreeId) -> Result<Vec<Change>> {
        let mut walk = Walk {
            repo: self,
            path: Vec::new(),
            depth: 0,
            changes: Vec::new(),
        };
        if before != after {
            walk.compare(&rows(self, before)?, &rows(self, after)?)?;
        }
        walk.changes.sort_by(|a, b| a.path().cmp(b.path()));
        Ok(walk.changes)
    }

    /// The entries below `folder` (empty: all) for which `wanted` says yes, sorted by path.
    ///
    /// Stops at the first one that is answered with [`Wanted::Last`].
    pub fn walk_tree(
        &self,
        tree: TreeId,
        folder: &[u8],
        wanted: &mut dyn FnMut(&[u8], EntryKind) -> Wanted,
    ) -> Result<Vec<Entry>> {
        let Some(Found::Folder(start)) = self.find_entry(tree, folder)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut stack = vec![(folder.to_vec(), start, 0)];
        while let Some((path, id, depth)) = stack.pop() {
            if depth > MAX_DEPTH {
                return Err(too_deep());
            }
            for row in rows(self, id)? {
                let mut child = path.clone();
                if !child.is_empty() {
                    child.push(b'/');
                }
                child.extend_from_slice(&row.name);
                let Some(kind) = kind(row.mode) else {
                    stack.push((child, TreeId(row.id), depth + 1));
                    continue;
                };
                let answer = wanted(&child, kind);
                if answer != Wanted::No {
                    found.push(Entry {
                        path: child,
                        kind,
                        id: row.id,
                    });
                }
                if answer == Wanted::Last {
                    return Ok(found);
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// The entries with one of these names in the folders above `paths`, the top included; each tree is read once.
    pub fn files_above<'a>(
        &self,
        tree: TreeId,
        names: &[&str],
        paths: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Vec<Entry>> {
        let mut folders = BTreeSet::new();
        for path in paths {
            let mut end = path.len();
            while let Some(slash) = memchr::memrchr(b'/', &path[..end]) {
                if !folders.insert(&path[..slash]) {
                    break;
                }
                end = slash;
            }
        }
        let mut found = Vec::new();
        let mut stack = vec![(Vec::new(), tree)];
        while let Some((folder, id)) = stack.pop() {
            for row in rows(self, id)? {
                let kind = kind(row.mode);
                if kind.is_some() && !names.iter().any(|name| name.as_bytes() == row.name) {
                    continue;
                }
                let mut path: Vec<u8> = folder.clone();
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(&row.name);
                match kind {
                    Some(kind) => found.push(Entry {
                        path,
                        kind,
                        id: row.id,
                    }),
                    None if folders.contains(path.as_slice()) => stack.push((path, TreeId(row.id))),
                    None => {}
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// The blob without content.
    pub fn empty_blob(&self) -> BlobId {
        BlobId(from_gix(&gix::ObjectId::empty_blob(self.gix.object_hash())))
    }

    /// Looks a path up, reading only the trees on the way; the empty path is the tree itself.
    pub fn find_entry(&self, tree: TreeId, path: &[u8]) -> Result<Option<Found>> {
        let mut at = Found::Folder(tree);
        if path.is_empty() {
            return Ok(Some(at));
        }
        for part in path.split(|byte| *byte == b'/') {
            let Found::Folder(id) = at else { return Ok(None) };
            let Some(row) = rows(self, id)?.into_iter().find(|row| row.name == part) else {
                return Ok(None);
            };
            at = match kind(row.mode) {
                None => Found::Folder(TreeId(row.id)),
                Some(kind) => Found::Entry(Entry {
                    path: path.to_vec(),
                    kind,
                    id: row.id,
                }),
            };
        }
        Ok(Some(at))
    }
}

/// The entries of a tree; an order that git does not write is an error.
fn rows(repo: &Repo, tree: TreeId) -> Result<Vec<TreeEntry>> {
    let rows = repo.tree_entries(tree)?;
    // The comparison walks two trees side by side and would lose entries of an unsorted one.
    if rows.is_sorted_by(|a, b| order(a, b) == Ordering::Less) {
        Ok(rows)
    } else {
        Err(Error::new(
            "damaged-object",
            format!("the entries of tree {tree} are not sorted"),
        )
        .hint("git fsck"))
    }
}

fn too_deep() -> Error {
    Error::new(
        "damaged-object",
        format!("folders are nested more than {MAX_DEPTH} deep"),
    )
    .hint("git fsck")
}

/// What an entry is; `None` for a folder.
fn kind(mode: EntryMode) -> Option<EntryKind> {
    match mode {
        EntryMode::Directory => None,
        EntryMode::File => Some(EntryKind::File),
        EntryMode::Executable => Some(EntryKind::Executable),
        EntryMode::Link => Some(EntryKind::Link),
        EntryMode::Submodule => Some(EntryKind::Submodule),
    }
}

/// Git sorts a folder as if its name ended with `/`.
fn order(a: &TreeEntry, b: &TreeEntry) -> Ordering {
    let tail = |row: &TreeEntry| (row.mode == EntryMode::Directory).then_some(b'/');
    a.name
        .iter()
        .copied()
        .chain(tail(a))
        .cmp(b.name.iter().copied().chain(tail(b)))
}

struct Walk<'a> {
    repo: &'a Repo,
    path: Vec<u8>,
    depth: usize,
    changes: Vec<Change>,
}

impl Walk<'_> {
    fn compare(&mut self, before: &[TreeEntry], after: &[TreeEntry]) -> Result<()> {
        let (mut b, mut a) = (before.iter().peekable(), after.iter().peekable());
        loop {
            let order = match (b.peek(), a.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(b), Some(a)) => order(b, a),
            };
            let (old, new) = match order {
                Ordering::Less => (b.next(), None),
                Ordering::Greater => (None, a.next()),
                Ordering::Equal => (b.next(), a.next()),
            };
            self.differ(old, new)?;
        }
    }

    /// Takes two rows of equal name and sort order, or one alone.
    fn differ(&mut self, old: Option<&TreeEntry>, new: Option<&TreeEntry>) -> Result<()> {
        if let (Some(old), Some(new)) = (old, new)
            && old.id == new.id
            && old.mode == new.mode
        {
            return Ok(());
        }
        let Some(name) = old.or(new).map(|row| &row.name) else {
            return Ok(());
        };
        let length = self.path.len();
        if length > 0 {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
        // Rows of equal sort order are both folders or both not.
        if old.or(new).is_some_and(|row| row.mode == EntryMode::Directory) {
            if self.depth == MAX_DEPTH {
                return Err(too_deep());
            }
            self.depth += 1;
            let below =
                |row: Option<&TreeEntry>| row.map_or(Ok(Vec::new()), |row| rows(self.repo, TreeId(row.id)));
            let (old, new) = (below(old)?, below(new)?);
            self.compare(&old, &new)?;
            self.depth -= 1;
        } else {
            let entry = |row: &TreeEntry| {
                Some(Entry {
                    path: self.path.clone(),
                    kind: kind(row.mode)?,
                    id: row.id,
                })
            };
            let change = Change {
                before: old.and_then(entry),
                after: new.and_then(entry),
            };
            self.changes.push(change);
        }
        self.path.truncate(length);
        Ok(())
    }
}
