//! What every command about reviews and findings knows before it acts: where it is, and what was said so far.

use std::collections::{BTreeMap, BTreeSet};

use super::clock;
use super::gate_base::{self, GateBase};
use super::ledger::{Anchored, Ledger};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::refs::Head;
use crate::ledger::view::{Record, Records, Role};
use crate::model::event::Body;
use crate::model::event::{EventDraft, Person, Subject};
use crate::model::ids::{CommitId, Digest, EventId};
use crate::model::review::ReviewId;
use crate::model::text::sanitise;
use crate::review::registry::{self, Review};

/// An opened repository with its ledger, as one command sees it.
pub struct Desk<'r> {
    /// The repository.
    pub repo: &'r Repo,
    /// Its ledger.
    pub ledger: Ledger<'r>,
    /// The commit that is checked out.
    pub head: CommitId,
    /// Short name of the checked-out branch; `None` on a detached HEAD.
    pub branch: Option<String>,
    /// What the branch is compared with, and the policy there.
    pub base: GateBase,
    /// The time of the command, RFC 3339 in UTC.
    pub at: String,
    /// What a ref had lost and was put back, for people; only [`Desk::open_to_write`] does so.
    pub put_back: Vec<String>,
}

impl<'r> Desk<'r> {
    /// Reads where the repository stands now. HEAD must have a commit.
    pub fn open(repo: &'r Repo) -> Result<Self> {
        Self::with(repo, |prefix| Ok((Ledger::open(repo, prefix)?, Vec::new())))
    }

    /// The same for a command that writes: what a ref was seen to hold and has lost is put back first.
    pub fn open_to_write(repo: &'r Repo) -> Result<Self> {
        Self::with(repo, |prefix| Ledger::open_to_write(repo, prefix))
    }

    fn with(repo: &'r Repo, open: impl FnOnce(&str) -> Result<(Ledger<'r>, Vec<String>)>) -> Result<Self> {
        let head = repo.head()?;
        let commit = match &head {
            Head::Branch(_, commit) | Head::Detached(commit) => *commit,
            Head::Unborn(name) => {
                return Err(Error::new(
                    "unborn-head",
                    format!("branch {} has no commit yet", sanitise(name)),
                )
                .hint("git commit"));
            }
        };
        let branch = head.branch().map(str::to_owned);
        let asked = gate_base::Asked {
            head: commit,
            base: None,
            local_ref: head.ref_name(),
            target_ref: head.ref_name(),
        };
        let base = gate_base::find(repo, &asked)?;
        let (ledger, put_back) = open(&base.policy.sync.notes_prefix)?;
        Ok(Self {
            ledger,
            put_back,
            head: commit,
            branch,
            base,
            at: clock::now().to_string(),
            repo,
        })
    }

    /// The branch, or an error for commands that make no sense without one.
    pub fn branch(&self) -> Result<&str> {
        self.branch.as_deref().ok_or_else(|| {
            Error::new("detached-head", "HEAD is detached, no branch is checked out")
                .hint("git switch <branch>")
        })
    }

    /// Git's committer identity.
    pub fn by(&self) -> Result<Person> {
        let identity = self.repo.identity()?;
        Ok(Person {
            email: identity.email,
            name: identity.name,
        })
    }

    /// The subject of an event about `commit`, pinned now. Without a base it is the commit itself.
    pub fn subject(&self, commit: CommitId) -> Result<Subject> {
        let read = self.repo.commit(commit)?;
        let base = match self.base.tip {
            Some(tip) => self.repo.merge_base(tip, commit)?.unwrap_or(commit),
            None => commit,
        };
        Ok(Subject {
            base,
            change: Some(Digest(read.change())),
            commit,
            tree: read.tree,
        })
    }

    /// All reviews that were opened for the checked-out branch, closed ones included.
    pub fn reviews_of_branch(&self) -> Result<Vec<Review>> {
        let records = self.ledger.records();
        let ids = records.reviews_of(self.branch()?)?;
        self.reviews(&ids)
    }

    /// The reviews with these ids.
    pub fn reviews(&self, ids: &[String]) -> Result<Vec<Review>> {
        let authorize = &self.base.policy.authorize;
        self.ledger.reviews(ids, |email| authorize.allow(email))
    }

    /// The open review of the checked-out branch, if there is one.
    pub fn open_review(&self) -> Result<Option<Review>> {
        let reviews = self.reviews_of_branch()?;
        let found = registry::open_review(&reviews, self.branch()?, |anchor| {
            Ok(self.repo.has_commit(anchor)? && self.repo.is_ancestor(anchor, self.head)?)
        })?;
        Ok(found.cloned())
    }

    /// The review that `--review` names, or the open one of the branch.
    pub fn review(&self, named: Option<&str>) -> Result<Option<Review>> {
        let Some(id) = named else {
            return self.open_review();
        };
        let found = self.reviews(&[id.to_owned()])?.into_iter().next();
        found.map(Some).ok_or_else(|| {
            Error::new("no-review", format!("there is no review {}", sanitise(id)))
                .hint("git review-gate log")
        })
    }

    /// Every event of a review, those that only name its events included.
    pub fn events_of(&self, review: &ReviewId) -> Result<Vec<Anchored>> {
        let records = self.ledger.records();
        let found = closure(records, records.of_review(review.as_str())?)?;
        let anchors: BTreeSet<CommitId> = found.values().map(|record| record.anchor).collect();
        let mut events = self.ledger.read(&anchors)?;
        events.retain(|anchored| found.contains_key(&anchored.event.id));
        Ok(events)
    }

    /// An event by the user, now.
    pub fn draft(&self, after: Vec<EventId>, subject: Subject, body: impl Into<Body>) -> Result<EventDraft> {
        Ok(EventDraft {
            after,
            at: self.at.clone(),
            by: self.by()?,
            subject,
            body: body.into(),
        })
    }
}

impl Desk<'_> {
    /// The same with the ledger as it is now, after a write; base and policy stay those that it was made by.
    pub fn renewed(self) -> Result<Self> {
        Ok(Self {
            ledger: self.ledger.renewed()?,
            ..self
        })
    }

    /// Writes events, each into the note of its anchor: all of them or none.
    pub fn write(&self, drafts: Vec<(CommitId, EventDraft)>) -> Result<()> {
        self.ledger.write(drafts, "Record review events")?;
        Ok(())
    }
}

/// Records, and all that name one of them, over any number of steps.
pub fn closure(records: &dyn Records, start: Vec<Record>) -> Result<BTreeMap<EventId, Record>> {
    let mut found = BTreeMap::new();
    let mut queue = start;
    while let Some(record) = queue.pop() {
        if found.contains_key(&record.id) {
            continue;
        }
        queue.extend(records.naming(record.id)?);
        if let Role::Raised(finding) | Role::Reopened(finding) = record.role {
            let mut others = records.of_finding(finding)?;
            others.retain(|other| matches!(other.role, Role::Reopened(_)) && other.review.is_none());
            queue.extend(others);
        }
        found.insert(record.id, record);
    }
    Ok(found)
}
