//! `review amend`: add criteria and authorisations to the open review. Nothing is edited.

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::event::{ReviewAmended, Subject};
use crate::model::goal::{Authorization, Criterion};
use crate::model::outcome::review::Opened;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;
use crate::review::goal;

/// What to add.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// Name and bytes of a goal file of which criteria and authorisations are taken.
    pub goal_file: Option<(String, Vec<u8>)>,
    /// Criteria as typed: `AC-3: text`.
    pub criteria: Vec<String>,
    /// Authorisations as typed: `AC-2 api GLOB`.
    pub authorize: Vec<String>,
}

/// Adds what is new; a known criterion with the same text is nothing, with another text `goal-conflict`.
pub fn amend(request: &Request) -> Result<Opened> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let warnings = desk.put_back.clone();
    let review = desk.review(request.review.as_deref())?.ok_or_else(no_review)?;
    if !review.is_open() {
        return Err(
            Error::new("review-closed", format!("review {} is closed", review.id))
                .hint("git review-gate review start"),
        );
    }
    let mut goal = review.goal.clone();
    let (asked_criteria, asked_authorize) = asked(request, &goal)?;
    let criteria = new_criteria(&goal.criteria, asked_criteria)?;
    goal.criteria.extend(criteria.iter().cloned());
    let mut authorize = Vec::new();
    for entry in asked_authorize {
        if !goal.authorize.contains(&entry) {
            goal.authorize.push(entry.clone());
            authorize.push(entry);
        }
    }
    goal::check(&goal)?;
    let changed = !criteria.is_empty() || !authorize.is_empty();
    let anchor = review.anchor;
    if changed {
        let events = desk.events_of(&review.id)?;
        let after = crate::ledger::fold::heads(events.iter().map(|one| &one.event));
        let body = ReviewAmended {
            authorize,
            criteria,
            review: review.id.clone(),
        };
        desk.write(vec![(
            anchor,
            desk.draft(
                after,
                Subject {
                    base: anchor,
                    ..desk.subject(desk.head)?
                },
                body,
            )?,
        )])?;
    }
    let review = desk
        .renewed()?
        .review(Some(review.id.as_str()))?
        .ok_or_else(no_review)?;
    Ok(super::opened(review, Vec::new(), changed, warnings))
}

fn no_review() -> Error {
    Error::new("no-review", "the branch has no open review").hint("git review-gate review start")
}

/// What is asked for, from the goal file and the flags. A goal file must not change the texts that stand.
fn asked(request: &Request, goal: &crate::model::goal::Goal) -> Result<(Vec<Criterion>, Vec<Authorization>)> {
    let mut criteria = Vec::new();
    let mut authorize = Vec::new();
    if let Some((name, bytes)) = &request.goal_file {
        let file = goal::parse(name, bytes)?;
        for (field, new, old) in [
            ("summary", &file.summary, &goal.summary),
            ("problem", &file.problem, &goal.problem),
            ("contract", &file.contract, &goal.contract),
        ] {
            if new.is_some() && new != old {
                return Err(Error::new(
                    "goal-conflict",
                    format!("{field} differs from that of the review"),
                )
                .because("an amendment only adds criteria and authorisations")
                .hint("git review-gate review start --replace --goal <file>"));
            }
        }
        criteria.extend(file.criteria);
        authorize.extend(file.authorize);
    }
    for text in &request.criteria {
        criteria.push(goal::parse_criterion(text)?);
    }
    for text in &request.authorize {
        authorize.push(goal::parse_authorization(text)?);
    }
    if criteria.is_empty() && authorize.is_empty() {
        return Err(Error::new("usage", "nothing to add").hint(
            "git review-gate review amend --criterion \"AC-3: …\" --authorize \"AC-3 api src/old.rs\"",
        ));
    }
    Ok((criteria, authorize))
}

/// The criteria that are not known yet.
fn new_criteria(known: &[Criterion], asked: Vec<Criterion>) -> Result<Vec<Criterion>> {
    let mut new: Vec<Criterion> = Vec::new();
    let mut conflicts = Vec::new();
    for criterion in asked {
        match known.iter().chain(&new).find(|one| one.id == criterion.id) {
            None => new.push(criterion),
            Some(one) if one.text == criterion.text => {}
            Some(_) => conflicts.push(sanitise(&criterion.id)),
        }
    }
    if conflicts.is_empty() {
        return Ok(new);
    }
    Err(Error::new(
        "goal-conflict",
        format!("{} stands there with another text", conflicts.join(", ")),
    )
    .because("nothing is edited; an amendment only adds")
    .hint("take another id, or git review-gate review start --replace"))
}
