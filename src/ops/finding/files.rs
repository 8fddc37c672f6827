//! The two trees that a finding can point into: that of its commit and that of its base.

use crate::error::Result;
use crate::git::Repo;
use crate::git::objects::{EntryMode, TreeEntry};
use crate::ledger::finding::{Entry, Files, Side};
use crate::model::event::Subject;
use crate::model::ids::{BlobId, TreeId};

/// The largest file whose lines are counted, in bytes; in a larger one every line number is taken.
const MAX_COUNTED: u64 = 64 * 1024 * 1024;

/// The trees of one subject.
pub struct Trees<'a> {
    repo: &'a Repo,
    subject: TreeId,
    base: TreeId,
}

impl<'a> Trees<'a> {
    /// The trees of the commit and of its base.
    pub fn new(repo: &'a Repo, subject: Subject) -> Result<Self> {
        let base = repo.commit(subject.base)?.tree;
        Ok(Self {
            repo,
            subject: subject.tree,
            base,
        })
    }

    /// Whether one of the trees has a file or link at exactly this path.
    pub fn has_file(&self, path: &str) -> Result<bool> {
        Ok(self.entry(Side::Subject, path)? == Entry::File || self.entry(Side::Base, path)? == Entry::File)
    }

    fn find(&self, side: Side, path: &str) -> Result<Option<TreeEntry>> {
        let tree = match side {
            Side::Subject => self.subject,
            Side::Base => self.base,
        };
        self.repo.tree_entry(tree, path)
    }
}

impl Files for Trees<'_> {
    fn entry(&self, side: Side, path: &str) -> Result<Entry> {
        Ok(match self.find(side, path)? {
            None => Entry::Absent,
            Some(entry) if entry.mode.is_blob() => Entry::File,
            Some(_) => Entry::Other,
        })
    }

    fn lines(&self, side: Side, path: &str) -> Result<u64> {
        let Some(entry) = self.find(side, path)? else {
            return Ok(0);
        };
        if entry.mode == EntryMode::Link {
            return Ok(1);
        }
        let id = BlobId(entry.id);
        if self
            .repo
            .header(id.0)?
            .is_some_and(|(_, size)| size > MAX_COUNTED)
        {
            return Ok(u64::MAX);
        }
        let bytes = self.repo.blob(id, MAX_COUNTED)?;
        let ended = memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Ok(ended + u64::from(bytes.last().is_some_and(|last| *last != b'\n')))
    }
}
