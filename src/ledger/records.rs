//! Events as records that can be looked up by what links them, held in memory.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::view::{Record, Records, Role};
use crate::error::Result;
use crate::model::event::{Body, Event};
use crate::model::ids::{CommitId, Digest, EventId, FindingId, TreeId};

impl Record {
    /// What linking needs to know of an event whose note stands on `anchor`.
    pub fn of(event: &Event, anchor: CommitId) -> Self {
        let role = match &event.body {
            Body::Raised(body) => Role::Raised(body.finding),
            Body::Reopened(body) => Role::Reopened(body.finding),
            Body::Resolved(body) => Role::Answer {
                closes: body.closes.clone(),
                commit: body.commit,
            },
            Body::Verified(body) => Role::Names(body.confirms.clone()),
            Body::OriginPassed(body) => Role::Names(body.confirms.clone()),
            Body::Waived(body) => Role::Names(body.closes.clone()),
            Body::ReviewOpened(body) => Role::ReviewOpened(body.branch.clone()),
            Body::Rewrite(body) => {
                Role::Rewrite(body.pairs.iter().map(|pair| (pair.new, pair.old)).collect())
            }
            Body::ReviewAmended(_)
            | Body::ReviewClosed(_)
            | Body::ReviewPacket(_)
            | Body::ReviewRecorded(_)
            | Body::ReviewReply(_)
            | Body::ReviewRuled(_)
            | Body::EvidenceAdded(_)
            | Body::EvidenceRun(_)
            | Body::EvidenceProof(_)
            | Body::QualityRecorded(_)
            | Body::QualityPart(_)
            | Body::LineDiscarded(_)
            | Body::NoteDiscarded(_)
            | Body::Other(_) => Role::Other,
        };
        Self {
            id: event.id,
            anchor,
            commit: event.subject.commit,
            tree: event.subject.tree,
            change: event.subject.change,
            review: event.body.review().map(str::to_owned),
            role,
        }
    }
}

/// All records of a ledger, with a table for each way of looking them up.
#[derive(Debug, Default)]
pub struct MemoryRecords {
    records: Vec<Record>,
    unreadable: Vec<CommitId>,
    about: Table<CommitId>,
    reviews_of: HashMap<String, Vec<String>>,
    of_review: Table<String>,
    with_tree: Table<TreeId>,
    with_change: Table<Digest>,
    naming: Table<EventId>,
    of_finding: BTreeMap<FindingId, Vec<usize>>,
    rewrites: HashMap<CommitId, Vec<(CommitId, CommitId)>>,
}

/// Positions in the list of records by key.
type Table<K> = HashMap<K, Vec<usize>>;

impl MemoryRecords {
    /// Takes records in any order, and the anchors whose notes cannot be read whole.
    pub fn new(records: Vec<Record>, unreadable: Vec<CommitId>) -> Self {
        let mut memory = Self {
            unreadable,
            ..Self::default()
        };
        for (at, record) in records.iter().enumerate() {
            memory.enter(at, record);
        }
        memory.records = records;
        memory
    }

    fn enter(&mut self, at: usize, record: &Record) {
        put(&mut self.about, record.anchor, at);
        if record.commit != record.anchor {
            put(&mut self.about, record.commit, at);
        }
        put(&mut self.with_tree, record.tree, at);
        if let Some(change) = record.change {
            put(&mut self.with_change, change, at);
        }
        if let Some(review) = &record.review {
            put(&mut self.of_review, review.clone(), at);
        }
        match &record.role {
            Role::Raised(finding) | Role::Reopened(finding) => {
                self.of_finding.entry(*finding).or_default().push(at);
            }
            Role::Answer { closes: named, .. } | Role::Names(named) => {
                for event in named {
                    put(&mut self.naming, *event, at);
                }
            }
            Role::ReviewOpened(branch) => {
                if let Some(review) = &record.review {
                    self.reviews_of
                        .entry(branch.clone())
                        .or_default()
                        .push(review.clone());
                }
            }
            Role::Rewrite(pairs) => {
                for pair in pairs {
                    self.rewrites.entry(pair.0).or_default().push(*pair);
                    self.rewrites.entry(pair.1).or_default().push(*pair);
                }
            }
            Role::Other => {}
        }
    }

    fn found<K: Eq + Hash>(&self, table: &Table<K>, key: &K) -> Vec<Record> {
        let positions = table.get(key).map(Vec::as_slice).unwrap_or_default();
        positions.iter().map(|at| self.records[*at].clone()).collect()
    }
}

fn put<K: Eq + Hash>(table: &mut Table<K>, key: K, at: usize) {
    table.entry(key).or_default().push(at);
}

impl Records for MemoryRecords {
    fn about(&self, commit: CommitId) -> Result<Vec<Record>> {
        Ok(self.found(&self.about, &commit))
    }

    fn reviews_of(&self, branch: &str) -> Result<Vec<String>> {
        Ok(self.reviews_of.get(branch).cloned().unwrap_or_default())
    }

    fn of_review(&self, review: &str) -> Result<Vec<Record>> {
        Ok(self.found(&self.of_review, &review.to_owned()))
    }

    fn with_tree(&self, tree: TreeId) -> Result<Vec<Record>> {
        Ok(self.found(&self.with_tree, &tree))
    }

    fn with_change(&self, change: Digest) -> Result<Vec<Record>> {
        Ok(self.found(&self.with_change, &change))
    }

    fn naming(&self, event: EventId) -> Result<Vec<Record>> {
        Ok(self.found(&self.naming, &event))
    }

    fn of_finding(&self, finding: FindingId) -> Result<Vec<Record>> {
        let positions = self
            .of_finding
            .get(&finding)
            .map(Vec::as_slice)
            .unwrap_or_default();
        Ok(positions.iter().map(|at| self.records[*at].clone()).collect())
    }

    fn findings(&self, prefix: &str) -> Result<Vec<FindingId>> {
        let ids = self
            .of_finding
            .keys()
            .filter(|id| id.to_hex().starts_with(prefix));
        Ok(ids.copied().collect())
    }

    fn rewrites(&self, commit: CommitId) -> Result<Vec<(CommitId, CommitId)>> {
        Ok(self.rewrites.get(&commit).cloned().unwrap_or_default())
    }

    fn unreadable(&self) -> Result<Vec<CommitId>> {
        Ok(self.unreadable.clone())
    }
}
