//! Three-way merges of trees in memory: no work tree, no index, no configuration and no attributes take part.
//!
//! So the answer is the same in every clone, and nothing in a tree can choose how it is merged.

use gix::diff::blob::pipeline::{Mode as DiffMode, WorktreeRoots as DiffRoots};
use gix::merge::blob::builtin_driver::text::Labels;
use gix::merge::blob::pipeline::{Mode, WorktreeRoots};
use gix::merge::tree::{Resolution, TreatAsUnresolved};
use gix::objs::Write as _;
use gix::worktree::Stack;
use gix::worktree::stack::State;
use gix::worktree::stack::state::Attributes;

use super::Repo;
use super::convert::{error, from_gix, to_gix};
use crate::error::Result;
use crate::model::ids::TreeId;

/// Larger files are never merged line by line: changed on both sides, they are a conflict.
const MAX_TEXT: u64 = 16 * 1024 * 1024;

/// Memory for objects that are read more than once, in bytes.
const CACHE: usize = 16 * 1024 * 1024;

impl Repo {
    /// The tree that merging `ours` and `theirs` gives, both made from `base`; `None` where they are in conflict.
    ///
    /// Renamed files are followed as git follows them; what lies in a folder that the other side renamed is a
    /// conflict. Nothing is written.
    pub fn merge_trees(&self, base: TreeId, ours: TreeId, theirs: TreeId) -> Result<Option<TreeId>> {
        if ours == theirs || base == theirs {
            return Ok(Some(ours));
        }
        if base == ours {
            return Ok(Some(theirs));
        }
        let failed = |cause: &gix::Error| error("git-failed", "the trees cannot be merged", cause);
        let mut repo = self.gix.clone().with_object_memory();
        repo.object_cache_size(CACHE);
        let case = gix::glob::pattern::Case::Sensitive;
        let no_attributes = || {
            let state = State::AttributesStack(Attributes::default());
            Stack::new(self.git_dir(), state, case, Vec::new(), Vec::new())
        };
        let filter = || {
            gix::filter::plumbing::Pipeline::new(
                gix::command::Context::default(),
                repo.object_hash(),
                gix::filter::plumbing::pipeline::Options::default(),
            )
        };
        let mut similar = gix::diff::blob::Platform::new(
            gix::diff::blob::platform::Options::default(),
            gix::diff::blob::Pipeline::new(
                DiffRoots::default(),
                filter(),
                Vec::new(),
                gix::diff::blob::pipeline::Options {
                    large_file_threshold_bytes: MAX_TEXT,
                    fs: gix::fs::Capabilities::default(),
                },
            ),
            DiffMode::ToGit,
            no_attributes(),
        );
        let mut texts = gix::merge::blob::Platform::new(
            gix::merge::blob::Pipeline::new(
                WorktreeRoots::default(),
                filter(),
                gix::merge::blob::pipeline::Options {
                    large_file_threshold_bytes: MAX_TEXT,
                },
            ),
            Mode::ToGit,
            no_attributes(),
            Vec::new(),
            gix::merge::blob::platform::Options::default(),
        );
        let mut merged = gix::merge::plumbing::tree(
            &to_gix(base.0),
            &to_gix(ours.0),
            &to_gix(theirs.0),
            Labels::default(),
            &repo,
            |bytes| repo.write_buf(gix::objs::Kind::Blob, bytes),
            &mut gix::diff::tree::State::default(),
            &mut similar,
            &mut texts,
            options(),
        )
        .map_err(|cause| failed(&cause))?;
        let how = TreatAsUnresolved::forced_resolution();
        let in_conflict = merged.has_unresolved_conflicts(how)
            || merged.conflicts.iter().any(|conflict| {
                matches!(
                    conflict.resolution,
                    Ok(Resolution::SourceLocationAffectedByRename { .. })
                )
            });
        if in_conflict {
            return Ok(None);
        }
        let id = merged
            .tree
            .write(|tree| repo.write(tree))
            .map_err(|cause| failed(&cause))?;
        Ok(Some(TreeId(from_gix(&id))))
    }
}

/// Git's own ways where nothing is configured.
fn options() -> gix::merge::plumbing::tree::Options {
    gix::merge::plumbing::tree::Options {
        rewrites: Some(gix::diff::Rewrites::default()),
        ..Default::default()
    }
}
