//! Merge bases of two commits, and whether the history that is here is enough to know them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gix::ObjectId;
use gix::revwalk::graph::Commit;

use super::Repo;
use super::convert::{error, from_gix, to_gix};
use crate::error::{Error, Result};
use crate::model::ids::CommitId;

/// Reached from the first commit.
const ONE: u8 = 1;
/// Reached from one of the other commits.
const OTHER: u8 = 2;
/// Reached from a common ancestor, so of no interest any more.
const STALE: u8 = 4;
/// Noted as a common ancestor.
const RESULT: u8 = 8;

/// What two commits have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeBases {
    /// All best common ancestors, at least one, in the order in which git prints them.
    Found(Vec<CommitId>),
    /// There is no common ancestor, and all history that could hold one is here.
    Unrelated,
    /// The answer needs a commit that is not here, as in a shallow clone.
    CutOff {
        /// The commit that is missing.
        missing: CommitId,
        /// The commit here that names it as a parent.
        boundary: CommitId,
    },
}

impl Repo {
    /// The merge bases of two commits that are here.
    pub fn merge_bases(&self, one: CommitId, other: CommitId) -> Result<MergeBases> {
        let cache = self.gix.commit_graph_if_enabled().map_err(|cause| {
            error("history", "the commit-graph file cannot be read", &cause).hint("git commit-graph verify")
        })?;
        let mut graph = self.gix.revision_graph::<Commit<Paint>>(cache.as_ref());
        let (one, other) = (to_gix(one.0), to_gix(other.0));
        if one == other {
            return Ok(MergeBases::Found(vec![CommitId(from_gix(&one))]));
        }
        let painted = paint(&mut graph, one, &[other])?;
        // An ancestor of the other is their only merge base, whatever else is missing.
        if let Some(own) = painted.common.iter().find(|id| **id == one || **id == other) {
            return Ok(MergeBases::Found(vec![CommitId(from_gix(own))]));
        }
        // Behind a common ancestor nothing better can be found; anywhere else it can.
        let open_end = painted.cuts.iter().find(|(child, _)| {
            graph
                .get(child)
                .is_some_and(|commit| commit.data.flags & (ONE | OTHER) != ONE | OTHER)
        });
        if let Some((child, missing)) = open_end {
            return Ok(MergeBases::CutOff {
                missing: CommitId(from_gix(missing)),
                boundary: CommitId(from_gix(child)),
            });
        }
        let mut best = independent(&mut graph, painted.common)?;
        // The sort is stable: commits of one second stay in the order in which they were found, as with git.
        best.sort_by_key(|id| Reverse(graph.get(id).map(|commit| commit.commit_time)));
        Ok(if best.is_empty() {
            MergeBases::Unrelated
        } else {
            MergeBases::Found(best.iter().map(|id| CommitId(from_gix(id))).collect())
        })
    }
}

/// What a walk knows about a commit.
#[derive(Debug, Clone, Copy, Default)]
struct Paint {
    flags: u8,
    /// How often it stands in the queue.
    queued: u32,
}

type Graph<'a, 'b> = gix::revwalk::Graph<'a, 'b, Commit<Paint>>;

struct Painted {
    /// Common ancestors that are not known to be ancestors of others, in the order of discovery.
    common: Vec<ObjectId>,
    /// Commits with a parent that is not here.
    cuts: Vec<(ObjectId, ObjectId)>,
}

/// Walks both histories, newest commits first, until everything left lies behind a common ancestor.
fn paint(graph: &mut Graph<'_, '_>, one: ObjectId, others: &[ObjectId]) -> Result<Painted> {
    graph.clear_commit_data(|paint| *paint = Paint::default());
    let mut queue = Queue::default();
    queue.reach(graph, one, ONE)?.ok_or_else(|| not_here(one))?;
    for other in others {
        queue
            .reach(graph, *other, OTHER)?
            .ok_or_else(|| not_here(*other))?;
    }
    let mut found = Vec::new();
    let mut cuts = Vec::new();
    while queue.fresh > 0 {
        let Some((id, mut flags, parents)) = queue.pop(graph) else {
            break;
        };
        if flags & (ONE | OTHER | STALE) == ONE | OTHER {
            if let Some(commit) = graph.get_mut(&id)
                && commit.data.flags & RESULT == 0
            {
                commit.data.flags |= RESULT;
                found.push(id);
            }
            flags |= STALE;
        }
        for parent in parents {
            if queue
                .reach(graph, parent, flags & (ONE | OTHER | STALE))?
                .is_none()
            {
                cuts.push((id, parent));
            }
        }
    }
    found.retain(|id| graph.get(id).is_some_and(|commit| commit.data.flags & STALE == 0));
    Ok(Painted { common: found, cuts })
}

/// Takes out those that are ancestors of others; clocks that went backwards can leave such.
fn independent(graph: &mut Graph<'_, '_>, commits: Vec<ObjectId>) -> Result<Vec<ObjectId>> {
    let mut redundant = vec![false; commits.len()];
    for (index, commit) in commits.iter().enumerate() {
        let others: Vec<_> = (0..commits.len())
            .filter(|other| *other != index && !redundant[*other])
            .collect();
        if redundant[index] || others.is_empty() {
            continue;
        }
        let ids: Vec<_> = others.iter().map(|other| commits[*other]).collect();
        paint(graph, *commit, &ids)?;
        let flags = |id: &ObjectId| graph.get(id).map_or(0, |commit| commit.data.flags);
        redundant[index] = flags(commit) & OTHER != 0;
        for (other, id) in others.into_iter().zip(&ids) {
            redundant[other] |= flags(id) & ONE != 0;
        }
    }
    let mut keep = redundant.into_iter().map(|redundant| !redundant);
    let mut commits = commits;
    commits.retain(|_| keep.next().unwrap_or(true));
    Ok(commits)
}

/// Commits to look at, newest first, those of one second in the order of their arrival.
#[derive(Default)]
struct Queue {
    heap: BinaryHeap<(i64, Reverse<u64>, ObjectId)>,
    arrivals: u64,
    /// How many in the queue are not stale.
    fresh: usize,
}

impl Queue {
    /// Adds flags to a commit and queues it if it had not all of them; `None` when it is not here.
    fn reach(&mut self, graph: &mut Graph<'_, '_>, id: ObjectId, flags: u8) -> Result<Option<()>> {
        let commit = graph.get_or_insert_full_commit(id, |_| {}).map_err(|cause| {
            error("history", format!("commit {id} cannot be read"), &cause).hint("git fsck")
        })?;
        let Some(commit) = commit else { return Ok(None) };
        let paint = &mut commit.data;
        if paint.flags & flags == flags {
            return Ok(Some(()));
        }
        let was_stale = paint.flags & STALE != 0;
        paint.flags |= flags;
        let is_stale = paint.flags & STALE != 0;
        if is_stale && !was_stale {
            self.fresh -= paint.queued as usize;
        }
        paint.queued += 1;
        self.fresh += usize::from(!is_stale);
        self.arrivals += 1;
        self.heap.push((commit.commit_time, Reverse(self.arrivals), id));
        Ok(Some(()))
    }

    fn pop(&mut self, graph: &mut Graph<'_, '_>) -> Option<(ObjectId, u8, Vec<ObjectId>)> {
        let (_, _, id) = self.heap.pop()?;
        let commit = graph.get_mut(&id)?;
        commit.data.queued -= 1;
        let flags = commit.data.flags;
        self.fresh -= usize::from(flags & STALE == 0);
        Some((id, flags, commit.parents.to_vec()))
    }
}

fn not_here(id: ObjectId) -> Error {
    Error::new("missing-commit", format!("commit {id} is not in this repository"))
        .hint(format!("git cat-file -t {id}"))
}

/// Whether git takes this as the short name of a branch or remote-tracking branch.
pub fn is_branch_name(name: &str) -> bool {
    !name.starts_with('-')
        && gix::validate::reference::name(format!("refs/heads/{name}").as_str().into()).is_ok()
}
