//! The findings that the gate sees for a range: the view of the ledger, folded by the rules of the base's policy.

use std::collections::BTreeSet;

use super::ledger::{Anchored, Ledger};
use crate::error::Result;
use crate::git::Repo;
use crate::ledger::fold::{self, Counts, Fold};
use crate::ledger::view::{self, History, RangeCommit, Scope, View};
use crate::model::day::Day;
use crate::model::event::{Body, Event};
use crate::model::finding::Origin;
use crate::model::ids::{CommitId, Digest, EventId, TreeId};
use crate::model::policy::Policy;
use crate::model::severity::Severity;

/// What is asked.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// The commit that is judged.
    pub head: CommitId,
    /// What it is compared with; `None`: every commit of the head is new.
    pub base: Option<CommitId>,
    /// Short names of the branch: the local and the remote one.
    pub branches: Vec<String>,
    /// Whether the branch is the base itself.
    pub is_base_branch: bool,
    /// Who may speak and waive.
    pub policy: &'a Policy,
    /// The day on which waivers are live, UTC.
    pub today: Day,
}

/// What the gate sees.
#[derive(Debug, Clone)]
pub struct GateView {
    /// The events and anchors, and what is not clear.
    pub view: View,
    /// The events of the view with their anchors.
    pub events: Vec<Anchored>,
    /// The findings.
    pub fold: Fold,
    /// Events that speak for an origin that their author may not speak for: claims, which do not count.
    pub claims: BTreeSet<EventId>,
}

/// Collects and folds.
pub fn gate_view(repo: &Repo, ledger: &Ledger<'_>, asked: &Asked<'_>) -> Result<GateView> {
    let mut range = Vec::new();
    for id in repo.commits_between(asked.base, asked.head)? {
        let commit = repo.commit(id)?;
        range.push(RangeCommit {
            id,
            tree: commit.tree,
            change: Digest(commit.change()),
        });
    }
    let scope = Scope {
        head: asked.head,
        base: asked.base,
        range: &range,
        branches: &asked.branches,
        is_base_branch: asked.is_base_branch,
    };
    let history = Known { repo };
    let view = view::view(&scope, ledger.records(), &history)?;
    let mut events = ledger.read(&view.anchors)?;
    events.retain(|anchored| view.events.contains(&anchored.event.id));
    let (fold, claims) = fold_events(&events, &view.void_answers, asked.policy, asked.today);
    Ok(GateView {
        view,
        events,
        fold,
        claims,
    })
}

/// Folds events by the rules of a policy; openings that do not count are among the claims and left out.
pub fn fold_events(
    events: &[Anchored],
    void: &BTreeSet<EventId>,
    policy: &Policy,
    today: Day,
) -> (Fold, BTreeSet<EventId>) {
    let rules = Rules { void, policy };
    let mut claims = BTreeSet::new();
    let mut counting: Vec<&Event> = Vec::new();
    for Anchored { event, .. } in events {
        let origin = match &event.body {
            Body::Raised(body) => Some(&body.origin),
            Body::Reopened(body) => Some(&body.origin),
            _ => None,
        };
        if origin.is_some_and(|origin| !policy.origins.allow(origin.as_str(), &event.by.email)) {
            claims.insert(event.id);
        } else {
            counting.push(event);
        }
    }
    (fold::fold(counting, today, &rules), claims)
}

/// Which events count, by the base's policy and by what is pushed.
struct Rules<'a> {
    void: &'a BTreeSet<EventId>,
    policy: &'a Policy,
}

impl Counts for Rules<'_> {
    fn answers(&self, resolution: &Event) -> bool {
        !self.void.contains(&resolution.id)
    }

    fn waives(&self, waiver: &Event, severity: Severity) -> bool {
        may_waive(self.policy, severity, &waiver.by.email)
    }

    fn confirms(&self, confirmation: &Event, origin: &Origin) -> bool {
        self.policy.origins.allow(origin.as_str(), &confirmation.by.email)
    }
}

/// Whether somebody may waive a finding of this severity: anybody a minor one or a nit, the rest who is named.
pub fn may_waive(policy: &Policy, severity: Severity, email: &str) -> bool {
    let named = match severity {
        Severity::Blocker => &policy.waive.blocker,
        Severity::Major => &policy.waive.major,
        Severity::Minor | Severity::Nit => return true,
    };
    named.iter().any(|one| one == email)
}

/// What git knows about commits.
struct Known<'a> {
    repo: &'a Repo,
}

impl History for Known<'_> {
    fn contains(&self, tip: CommitId, commit: CommitId) -> Result<bool> {
        // A commit that is not in this clone cannot be in the history of one that is here whole.
        Ok(self.repo.has_commit(commit)? && self.repo.is_ancestor(commit, tip)?)
    }

    fn tree_of(&self, commit: CommitId) -> Result<Option<TreeId>> {
        Ok(self.repo.try_commit(commit)?.map(|commit| commit.tree))
    }
}
