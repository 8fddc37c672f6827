//! A review at one commit: what the commit is compared with, by which policy, and which events speak for it.

use super::stands::Asked;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::canonical;
use crate::model::day::Day;
use crate::model::delivery::Manifest;
use crate::model::event::Body;
use crate::model::event::{EventDraft, Subject};
use crate::model::ids::{CommitId, Digest, EventId, TreeId};
use crate::model::range::{Code, RangeMode, Unavailable};
use crate::model::text::sanitise;
use crate::ops::clock;
use crate::ops::desk::Desk;
use crate::ops::gate_base::error;
use crate::ops::gate_view::{self, GateView};
use crate::ops::policy_copy::{self, PolicyCopy};
use crate::ops::range::{self, Asker, Chosen, PolicyUse, Question};
use crate::review::registry::Review;
use crate::review::source_list::Context;

/// What a commit is compared with, under the policy of the base; or why with nothing.
pub type Choice = std::result::Result<Chosen, Unavailable>;

/// A review at one commit.
pub struct ReviewAt<'r> {
    /// The repository and its ledger.
    pub desk: Desk<'r>,
    /// The review.
    pub review: Review,
    /// The commit under review.
    pub head: CommitId,
    /// Its tree.
    pub head_tree: TreeId,
    /// What it is compared with; the head itself where there is nothing.
    pub base: CommitId,
    /// Since when commits are new; `None` where there is no base at all.
    pub since: Option<CommitId>,
    /// The policy in force: that of the base.
    pub policy: PolicyCopy,
    /// The digest of its file, or of nothing where there is none.
    pub policy_digest: Digest,
}

impl<'r> ReviewAt<'r> {
    /// Finds the review (the open one of the branch unless one is named) and what the commit is compared with now: the
    /// base is found anew each time, so that a rebase needs no new review.
    pub fn open(desk: Desk<'r>, named: Option<&str>, rev: Option<&str>) -> Result<(Self, Choice)> {
        let repo = desk.repo;
        let head = match rev {
            Some(rev) => repo.resolve(rev)?,
            None => desk.head,
        };
        let review = desk.review(named)?.ok_or_else(no_review)?;
        let choice = choose(repo, &review, head)?;
        let policy = match &choice {
            Ok(chosen) => chosen.policy.clone(),
            // Without a base nobody has set a policy for this change.
            Err(_) => PolicyCopy::built_in(),
        };
        let since = choice.as_ref().ok().map(|chosen| chosen.range.base);
        Ok((Self::with(desk, review, (head, since), policy)?, choice))
    }

    /// The review as a packet of it was made: with the base of that, and the policy there.
    pub fn of_packet(desk: Desk<'r>, review: Review, manifest: &Manifest) -> Result<Self> {
        let repo = desk.repo;
        let mut policy = policy_copy::read_commit(repo, manifest.base)?.map_err(|reason| error(&reason))?;
        if digest(repo, &policy)? != manifest.policy_digest {
            // Where there was no base, the built-in policy stood for that of the head.
            policy = PolicyCopy::built_in();
        }
        let at = Self::with(desk, review, (manifest.head, Some(manifest.base)), policy)?;
        if at.policy_digest != manifest.policy_digest || at.head_tree != manifest.head_tree {
            return Err(mismatch("its policy or its tree is not that of its commits"));
        }
        Ok(at)
    }

    fn with(
        desk: Desk<'r>,
        review: Review,
        (head, since): (CommitId, Option<CommitId>),
        policy: PolicyCopy,
    ) -> Result<Self> {
        let repo = desk.repo;
        // Who may authorise is said by the policy of this review's own base.
        let review = if policy.blob == desk.base.policy_blob {
            review
        } else {
            let by = &policy.policy.authorize;
            let ids = [review.id.as_str().to_owned()];
            let mut folded = desk.ledger.reviews(&ids, |email| by.allow(email))?;
            folded.pop().ok_or_else(no_review)?
        };
        Ok(Self {
            head_tree: repo.commit(head)?.tree,
            policy_digest: digest(repo, &policy)?,
            desk,
            review,
            head,
            base: since.unwrap_or(head),
            since,
            policy,
        })
    }

    /// The repository.
    pub fn repo(&self) -> &'r Repo {
        self.desk.repo
    }

    /// Refuses a review that is closed, or whose goal says two things at once.
    pub fn refuse_unfit(&self) -> Result<()> {
        if !self.review.is_open() {
            return Err(
                Error::new("review-closed", format!("review {} is closed", self.review.id))
                    .hint("git review-gate review start"),
            );
        }
        if self.review.conflicts.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = self.review.conflicts.iter().map(|id| sanitise(id)).collect();
        Err(Error::new(
            "goal-conflict",
            format!("{} has two texts in review {}", ids.join(", "), self.review.id),
        )
        .because("merged notes bring both, and nothing is edited")
        .hint("git review-gate review start --replace --goal <file>"))
    }

    /// What its list of sources depends on, but for the baseline.
    pub fn context(&self) -> Context<'_> {
        Context {
            policy: &self.policy.policy.evidence,
            goal: &self.review.goal,
            review: &self.review.id,
            branch: &self.review.branch,
            baseline: None,
        }
    }

    /// The events that speak for the branch at this commit; what cannot be read may hold another one, so it is an
    /// error. Dated waivers are looked at on the day of the last event: a packet depends on no clock.
    pub fn view(&self) -> Result<GateView> {
        let branches = vec![self.review.branch.clone()];
        let asked = gate_view::Asked {
            head: self.head,
            base: self.since,
            branches,
            is_base_branch: false,
            policy: &self.policy.policy,
            today: clock::today(),
        };
        let mut seen = gate_view::gate_view(self.desk.repo, &self.desk.ledger, &asked)?;
        self.desk.refuse_doubt(&seen.view.unreadable)?;
        let last = seen
            .events
            .iter()
            .map(|one| one.event.at.get(..10).unwrap_or_default())
            .max();
        if let Some(day) = last.and_then(|day| day.parse::<Day>().ok()) {
            let (fold, claims) =
                gate_view::fold_events(&seen.events, &seen.view.void_answers, &self.policy.policy, day);
            (seen.fold, seen.claims) = (fold, claims);
        }
        Ok(seen)
    }

    /// What is asked where it is asked what stands, for these short names of the branch.
    pub fn asked<'a>(&'a self, branches: &'a [String]) -> Result<Asked<'a>> {
        Ok(Asked {
            head: self.head,
            head_tree: self.head_tree,
            base: self.base,
            base_tree: self.desk.repo.commit(self.base)?.tree,
            policy: &self.policy.policy,
            policy_digest: self.policy_digest,
            branches,
        })
    }

    /// The subject of an event about the head.
    pub fn subject(&self) -> Result<Subject> {
        let commit = self.desk.repo.commit(self.head)?;
        Ok(Subject {
            base: self.base,
            change: Some(Digest(commit.change())),
            commit: self.head,
            tree: self.head_tree,
        })
    }

    /// An event about the head, by the user, now.
    pub fn draft(&self, after: Vec<EventId>, body: impl Into<Body>) -> Result<EventDraft> {
        self.desk.draft(after, self.subject()?, body)
    }
}

/// The range of a review at a commit.
fn choose(repo: &Repo, review: &Review, head: CommitId) -> Result<Choice> {
    // Full ids instead of names: a packet is the same whatever is checked out.
    let head = head.to_string();
    let question = Question {
        base: review.base_ref.as_deref(),
        head: &head,
        branch: Some(format!("refs/heads/{}", review.branch)),
        mode: RangeMode::MergeBase,
        asker: Asker::Gate,
        policy: PolicyUse::OfBase,
    };
    let mut chosen = match range::choose(repo, &question)? {
        Ok(chosen) => chosen,
        Err(refusal) if refusal.reason.code == Code::BadPolicy => {
            return Err(error(&refusal.reason));
        }
        Err(refusal) => return Ok(Err(refusal.reason)),
    };
    if review.base_ref.is_some() {
        chosen.range.base_asked = None;
        "the review".clone_into(&mut chosen.range.found_by);
    }
    Ok(Ok(chosen))
}

/// The digest of a policy's file, of no bytes where there is none.
pub fn digest(repo: &Repo, policy: &PolicyCopy) -> Result<Digest> {
    let bytes = match policy.blob {
        Some(blob) => repo.blob(blob, policy_copy::MAX_BYTES)?,
        None => Vec::new(),
    };
    Ok(canonical::digest_of(&[&bytes]))
}

/// There is nothing to speak of.
pub fn no_review() -> Error {
    Error::new("no-review", "the branch has no open review").hint("git review-gate review start")
}

/// A packet that cannot be made of what is here.
pub fn mismatch(why: impl Into<String>) -> Error {
    Error::new("packet-mismatch", "the packet is not what it says it is")
        .because(why)
        .hint("git review-gate review packet")
}
