//! What the gate sees: the events that speak for a pushed range, wherever they are anchored.
//!
//! Blocks travel far: an opening follows its change over amend, rebase, squash, cherry-pick and reset, because
//! events are linked by anchor, review, tree, change, rewrite and by naming each other. Answers count only while
//! the commit that holds the fix is really in what is pushed, see [`View::void_answers`].

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::error::Result;
use crate::model::ids::{CommitId, Digest, EventId, FindingId, TreeId};

/// What linking needs to know of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The event.
    pub id: EventId,
    /// The object whose note holds it.
    pub anchor: CommitId,
    /// The commit it speaks of.
    pub commit: CommitId,
    /// The tree of that commit, as the writer said.
    pub tree: TreeId,
    /// The change of that commit, where the writer knew it.
    pub change: Option<Digest>,
    /// The review it belongs to.
    pub review: Option<String>,
    /// What it does.
    pub role: Role,
}

/// What an event does, as far as linking cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Raises a finding.
    Raised(FindingId),
    /// Reopens a finding.
    Reopened(FindingId),
    /// Answers openings with a commit.
    Answer {
        /// The openings it answers.
        closes: Vec<EventId>,
        /// The commit that is said to hold the fix.
        commit: CommitId,
    },
    /// Waives openings, confirms answers: names other events.
    Names(Vec<EventId>),
    /// Opens a review for a branch (short name).
    ReviewOpened(String),
    /// Says that the first commit of each pair replaced the second.
    Rewrite(Vec<(CommitId, CommitId)>),
    /// Anything else.
    Other,
}

/// Access to the ledger by what links events; backed by the index, or by all notes in memory.
pub trait Records {
    /// Events anchored on this commit, or speaking of it.
    fn about(&self, commit: CommitId) -> Result<Vec<Record>>;
    /// Ids of the reviews opened for a branch of this short name.
    fn reviews_of(&self, branch: &str) -> Result<Vec<String>>;
    /// Events that belong to this review.
    fn of_review(&self, review: &str) -> Result<Vec<Record>>;
    /// Events whose subject has this tree.
    fn with_tree(&self, tree: TreeId) -> Result<Vec<Record>>;
    /// Events whose subject is this change.
    fn with_change(&self, change: Digest) -> Result<Vec<Record>>;
    /// Events that name this event.
    fn naming(&self, event: EventId) -> Result<Vec<Record>>;
    /// Events that raise or reopen this finding.
    fn of_finding(&self, finding: FindingId) -> Result<Vec<Record>>;
    /// The findings whose ids start with these hex digits, sorted.
    fn findings(&self, prefix: &str) -> Result<Vec<FindingId>>;
    /// Rewrite pairs (new, old) in which this commit stands on either side.
    fn rewrites(&self, commit: CommitId) -> Result<Vec<(CommitId, CommitId)>>;
    /// Anchors whose notes cannot be read whole.
    fn unreadable(&self) -> Result<Vec<CommitId>>;
}

/// What git knows about commits.
pub trait History {
    /// Whether `commit` is `tip` or an ancestor of it; a commit that is not in this clone is not.
    fn contains(&self, tip: CommitId, commit: CommitId) -> Result<bool>;
    /// The tree of a commit; `None` where the commit is not in this clone.
    fn tree_of(&self, commit: CommitId) -> Result<Option<TreeId>>;
}

/// One commit of the pushed range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeCommit {
    /// The commit.
    pub id: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// Its change.
    pub change: Digest,
}

/// What is asked: a range, and whose reviews are meant.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    /// The pushed commit.
    pub head: CommitId,
    /// What it is compared with; `None` where there is no base at all: then nothing counts as contained.
    pub base: Option<CommitId>,
    /// The commits of base..head.
    pub range: &'a [RangeCommit],
    /// Short names of the pushed branch: local and remote.
    pub branches: &'a [String],
    /// Whether the pushed branch is the base branch itself.
    pub is_base_branch: bool,
}

/// The events that the gate sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Every event of the view.
    pub events: BTreeSet<EventId>,
    /// Anchors that hold an event of the view, and the commits of the range.
    pub anchors: BTreeSet<CommitId>,
    /// Anchors that cannot be read whole and may hold an event of the view: the gate is undecided.
    pub unreadable: BTreeSet<CommitId>,
    /// Answers whose fix is not in what is pushed; their openings count as open.
    pub void_answers: BTreeSet<EventId>,
}

/// Collects every event that speaks for the scope.
pub fn view(scope: &Scope<'_>, records: &dyn Records, history: &dyn History) -> Result<View> {
    let mut search = Search::new(scope, records, history);
    for commit in scope.range {
        search.follow_commit(commit.id)?;
        search.follow_tree(commit.tree)?;
        search.follow_change(commit.change)?;
    }
    for branch in scope.branches {
        for review in records.reviews_of(branch)? {
            search.follow_review(&review)?;
        }
    }
    while let Some(id) = search.queue.pop() {
        search.follow(id)?;
    }
    search.finish()
}

/// The state of a search for linked events.
struct Search<'a> {
    scope: &'a Scope<'a>,
    records: &'a dyn Records,
    history: &'a dyn History,
    range: HashSet<CommitId>,
    found: BTreeMap<EventId, Record>,
    queue: Vec<EventId>,
    commits: HashSet<CommitId>,
    reviews: HashSet<String>,
    trees: HashSet<TreeId>,
    changes: HashSet<Digest>,
    findings: HashSet<FindingId>,
    in_base: BTreeMap<CommitId, bool>,
}

impl<'a> Search<'a> {
    fn new(scope: &'a Scope<'a>, records: &'a dyn Records, history: &'a dyn History) -> Self {
        Self {
            scope,
            records,
            history,
            range: scope.range.iter().map(|commit| commit.id).collect(),
            found: BTreeMap::new(),
            queue: Vec::new(),
            commits: HashSet::new(),
            reviews: HashSet::new(),
            trees: HashSet::new(),
            changes: HashSet::new(),
            findings: HashSet::new(),
            in_base: BTreeMap::new(),
        }
    }

    fn add_all(&mut self, records: Vec<Record>) -> Result<()> {
        for record in records {
            if self.found.contains_key(&record.id) || self.is_history(&record)? {
                continue;
            }
            self.queue.push(record.id);
            self.found.insert(record.id, record);
        }
        Ok(())
    }

    /// Whether this is an opening on a commit that the base already has: listed, not blocking.
    fn is_history(&mut self, record: &Record) -> Result<bool> {
        if !matches!(record.role, Role::Raised(_) | Role::Reopened(_))
            || self.scope.is_base_branch
            || self.range.contains(&record.anchor)
        {
            return Ok(false);
        }
        self.is_in_base(record.commit)
    }

    fn is_in_base(&mut self, commit: CommitId) -> Result<bool> {
        let Some(base) = self.scope.base else {
            return Ok(false);
        };
        if self.range.contains(&commit) {
            return Ok(false);
        }
        if let Some(known) = self.in_base.get(&commit) {
            return Ok(*known);
        }
        let contained = self.history.contains(base, commit)?;
        self.in_base.insert(commit, contained);
        Ok(contained)
    }

    /// Adds what is linked to an event of the view.
    fn follow(&mut self, id: EventId) -> Result<()> {
        let record = self.found[&id].clone();
        self.add_all(self.records.naming(id)?)?;
        // What opens or amends a review stands on the merge-base, which all branches share: that links nothing.
        let on_merge_base = matches!(record.role, Role::ReviewOpened(_)) || record.anchor != record.commit;
        // A rewrite speaks of more than one change; what it says is followed by its pairs.
        if !on_merge_base && !matches!(record.role, Role::Rewrite(_)) {
            // What lies in the base is shared by every branch: following it would link all of history.
            if !self.is_in_base(record.commit)? {
                self.follow_commit(record.commit)?;
                self.follow_tree(record.tree)?;
                if let Some(change) = record.change {
                    self.follow_change(change)?;
                }
            }
        }
        if let Some(review) = record.review.as_ref().filter(|_| !on_merge_base) {
            self.follow_review(review)?;
        }
        if let Role::Raised(finding) | Role::Reopened(finding) = record.role
            && self.findings.insert(finding)
        {
            let mut others = self.records.of_finding(finding)?;
            // One that names a review is found by it; the same finding in another review is another matter.
            others.retain(|other| matches!(other.role, Role::Reopened(_)) && other.review.is_none());
            self.add_all(others)?;
        }
        Ok(())
    }

    /// Adds what speaks of a commit, of what it replaced and of what replaced it, over any number of rewrites.
    fn follow_commit(&mut self, commit: CommitId) -> Result<()> {
        let mut commits = vec![commit];
        while let Some(commit) = commits.pop() {
            if !self.commits.insert(commit) {
                continue;
            }
            self.add_all(self.records.about(commit)?)?;
            for (new, old) in self.records.rewrites(commit)? {
                commits.extend([new, old]);
            }
        }
        Ok(())
    }

    fn follow_tree(&mut self, tree: TreeId) -> Result<()> {
        if self.trees.insert(tree) {
            self.add_all(self.records.with_tree(tree)?)?;
        }
        Ok(())
    }

    fn follow_change(&mut self, change: Digest) -> Result<()> {
        if self.changes.insert(change) {
            self.add_all(self.records.with_change(change)?)?;
        }
        Ok(())
    }

    fn follow_review(&mut self, review: &str) -> Result<()> {
        if self.reviews.insert(review.to_owned()) {
            self.add_all(self.records.of_review(review)?)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<View> {
        let mut view = View {
            events: self.found.keys().copied().collect(),
            anchors: self.range.iter().copied().collect(),
            ..View::default()
        };
        view.anchors
            .extend(self.found.values().map(|record| record.anchor));
        for anchor in self.records.unreadable()? {
            // Any anchor outside the base may hold an event of this view.
            if view.anchors.contains(&anchor) || !self.is_in_base(anchor)? {
                view.unreadable.insert(anchor);
            }
        }
        view.void_answers = self.void_answers()?;
        Ok(view)
    }

    /// The answers that do not hold for what is pushed.
    fn void_answers(&self) -> Result<BTreeSet<EventId>> {
        let mut equal_commits: Option<Vec<CommitId>> = None;
        let mut void = BTreeSet::new();
        for record in self.found.values() {
            let Role::Answer { commit, .. } = record.role else {
                continue;
            };
            if self.range.contains(&commit) || self.history.contains(self.scope.head, commit)? {
                continue;
            }
            let equal = match &equal_commits {
                Some(known) => known,
                None => equal_commits.insert(self.commits_with_a_tree_of_the_range()?),
            };
            let mut holds = false;
            for tip in equal {
                if *tip == commit || self.history.contains(*tip, commit)? {
                    holds = true;
                    break;
                }
            }
            if !holds && !self.was_rewritten_into_range(commit)? {
                void.insert(record.id);
            }
        }
        Ok(void)
    }

    /// Commits of the view, outside the range, whose tree is that of a commit of the range.
    ///
    /// The tree is the one git has. Of a commit that is not in this clone, as after a squash elsewhere, the event's
    /// own word is taken: whoever wrote it could as well have named a commit that is here, and every clone has to
    /// come to the same state.
    fn commits_with_a_tree_of_the_range(&self) -> Result<Vec<CommitId>> {
        let trees: HashSet<TreeId> = self.scope.range.iter().map(|commit| commit.tree).collect();
        let mut said: BTreeMap<CommitId, Option<TreeId>> = BTreeMap::new();
        for record in self.found.values() {
            for commit in [Some(record.anchor), record.answer_commit()]
                .into_iter()
                .flatten()
            {
                said.entry(commit).or_default();
            }
            said.insert(record.commit, Some(record.tree));
        }
        let mut equal = Vec::new();
        for (commit, said) in said {
            if !self.range.contains(&commit)
                && self
                    .history
                    .tree_of(commit)?
                    .or(said)
                    .is_some_and(|tree| trees.contains(&tree))
            {
                equal.push(commit);
            }
        }
        Ok(equal)
    }

    fn was_rewritten_into_range(&self, commit: CommitId) -> Result<bool> {
        let mut seen = HashSet::from([commit]);
        let mut commits = vec![commit];
        while let Some(commit) = commits.pop() {
            for (new, old) in self.records.rewrites(commit)? {
                if old != commit || !seen.insert(new) {
                    continue;
                }
                if self.range.contains(&new) {
                    return Ok(true);
                }
                commits.push(new);
            }
        }
        Ok(false)
    }
}

impl Record {
    fn answer_commit(&self) -> Option<CommitId> {
        match self.role {
            Role::Answer { commit, .. } => Some(commit),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
