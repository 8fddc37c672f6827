//! Which reviews there are: opened, amended and closed, folded from their events.

use std::collections::{BTreeMap, BTreeSet};

use super::goal;
use crate::error::{Error, Result};
use crate::model::event::{Body, Event, Person};
use crate::model::goal::{Authorization, Goal};
use crate::model::ids::{CommitId, Digest, EventId};
use crate::model::review::ReviewId;

/// One review as its events leave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// Its id.
    pub id: ReviewId,
    /// The branch it was opened for, by its short name.
    pub branch: String,
    /// The merge-base when it was opened.
    pub anchor: CommitId,
    /// The base by name.
    pub base_ref: Option<String>,
    /// The digest of the contract when it was opened; `None` where the goal names none, or it was not there.
    pub contract_digest: Option<Digest>,
    /// The goal after all amendments; an id with two texts is in [`Review::conflicts`].
    pub goal: Goal,
    /// Opened by itself with the first finding on its branch.
    pub is_implicit: bool,
    /// The events that close it.
    pub closed_by: Vec<EventId>,
    /// Ids of criteria for which merged notes bring two texts.
    pub conflicts: BTreeSet<String>,
}

impl Review {
    /// Whether nothing closed it.
    pub fn is_open(&self) -> bool {
        self.closed_by.is_empty()
    }

    /// The digest of its goal.
    pub fn goal_digest(&self) -> Digest {
        goal::digest(&self.id, &self.goal)
    }
}

/// Folds events, in any order, into reviews sorted by id. Events of other kinds are passed over.
///
/// What an event authorises counts only where `may_authorize` its author.
pub fn reviews<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    may_authorize: impl Fn(&Person) -> bool,
) -> Vec<Review> {
    let mut events: Vec<&Event> = events.into_iter().collect();
    // Amendments apply in one order in every clone: by id, since they only add.
    events.sort_by_key(|event| event.id);
    events.dedup_by_key(|event| event.id);
    let mut reviews: BTreeMap<ReviewId, Review> = BTreeMap::new();
    for event in &events {
        if let Body::ReviewOpened(opened) = &event.body {
            // Concurrent openings of one implicit review are one review; ids of started ones are unique.
            reviews.entry(opened.review.clone()).or_insert_with(|| Review {
                id: opened.review.clone(),
                branch: opened.branch.clone(),
                anchor: opened.anchor,
                base_ref: opened.base_ref.clone(),
                contract_digest: opened.contract_digest,
                goal: Goal {
                    authorize: if may_authorize(&event.by) {
                        opened.goal.authorize.clone()
                    } else {
                        Vec::new()
                    },
                    ..opened.goal.clone()
                },
                is_implicit: opened.is_implicit(),
                closed_by: Vec::new(),
                conflicts: BTreeSet::new(),
            });
        }
    }
    for event in &events {
        match &event.body {
            Body::ReviewAmended(amended) => {
                if let Some(review) = reviews.get_mut(&amended.review) {
                    for criterion in &amended.criteria {
                        match review.goal.criteria.iter().find(|known| known.id == criterion.id) {
                            None => review.goal.criteria.push(criterion.clone()),
                            Some(known) if known.text == criterion.text => {}
                            Some(_) => {
                                review.conflicts.insert(criterion.id.clone());
                            }
                        }
                    }
                    for entry in amended.authorize.iter().filter(|_| may_authorize(&event.by)) {
                        merge_authorization(&mut review.goal.authorize, entry);
                    }
                }
            }
            Body::ReviewClosed(closed) => {
                if let Some(review) = reviews.get_mut(&closed.review) {
                    review.closed_by.push(event.id);
                }
            }
            _ => {}
        }
    }
    reviews.into_values().collect()
}

/// Adds an authorisation unless an equal one is there.
fn merge_authorization(entries: &mut Vec<Authorization>, entry: &Authorization) {
    if !entries.contains(entry) {
        entries.push(entry.clone());
    }
}

/// The review whose goal says what may drift: the open one of these names of a branch, whose anchor `is_ancestor` of
/// its head. Implicit ones have no goal; where several are open, or merged notes contradict each other, nothing is
/// authorised.
pub fn goal_review<'a>(
    reviews: &'a [Review],
    branches: &[String],
    is_ancestor: impl Fn(CommitId) -> Result<bool>,
) -> Result<Option<&'a Review>> {
    let mut found = None;
    for review in reviews {
        if review.is_open()
            && !review.is_implicit
            && branches.contains(&review.branch)
            && is_ancestor(review.anchor)?
        {
            if found.is_some() {
                return Ok(None);
            }
            found = Some(review);
        }
    }
    Ok(found.filter(|review| review.conflicts.is_empty()))
}

/// The open review of a branch among those whose anchor `is_ancestor` of its head.
///
/// `None` when there is none; an error of kind `ambiguous-review` when there are several, as when two clones started
/// one each. An implicit review steps back behind one that somebody started.
pub fn open_review<'a>(
    reviews: &'a [Review],
    branch: &str,
    is_ancestor: impl Fn(CommitId) -> Result<bool>,
) -> Result<Option<&'a Review>> {
    let mut open = Vec::new();
    for review in reviews {
        if review.is_open() && review.branch == branch && is_ancestor(review.anchor)? {
            open.push(review);
        }
    }
    if open.iter().any(|review| !review.is_implicit) {
        open.retain(|review| !review.is_implicit);
    }
    match open.as_slice() {
        // Implicit ones of several anchors arise when the base moves on between findings: the newest anchor contains
        // the others, but any of them answers; the first by id does in every clone.
        [first, ..] if first.is_implicit => Ok(Some(first)),
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several => {
            let ids: Vec<_> = several.iter().map(|review| review.id.as_str()).collect();
            Err(Error::new(
                "ambiguous-review",
                format!("branch {branch} has {} open reviews", ids.len()),
            )
            .because(ids.join(", "))
            .hint(format!("name one: --review {}", ids[0]))
            .hint("or start one in their place: git review-gate review start --replace"))
        }
    }
}
