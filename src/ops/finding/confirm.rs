//! `finding verify` and `finding pass`: confirm answers in the name of the origin that raised the finding.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{self, Known};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::event::{OriginPassed, Verified};
use crate::model::finding::{Finding, Origin, State};
use crate::model::ids::EventId;
use crate::model::outcome::Said;
use crate::model::outcome::finding::Passed;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;

/// Confirms the answers to these findings in one write, or to none.
pub fn verify(references: &[String]) -> Result<Said<Vec<Finding>>> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let warnings = desk.put_back.clone();
    let subject = desk.subject(desk.head)?;
    let mut drafts = Vec::new();
    let mut done = BTreeSet::new();
    for reference in references {
        let known = desk.finding(reference)?;
        if !done.insert(known.finding.id) {
            continue;
        }
        let heads = board::heads(&desk, &known)?;
        for (origin, confirms) in answers_by_origin(&known)? {
            refuse_other_speakers(&desk, &origin)?;
            drafts.push((
                desk.head,
                desk.draft(heads.clone(), subject, Verified { confirms, origin })?,
            ));
        }
    }
    desk.write(drafts)?;
    let desk = desk.renewed()?;
    let findings = done
        .iter()
        .map(|id| Ok(desk.finding(&id.to_hex())?.finding))
        .collect::<Result<_>>()?;
    Ok(Said {
        outcome: findings,
        warnings,
    })
}

/// The answers to confirm, for each origin that raised the finding.
fn answers_by_origin(known: &Known) -> Result<BTreeMap<Origin, Vec<EventId>>> {
    let finding = &known.finding;
    if finding.state != State::Addressed {
        let id = finding.id.short();
        let error = Error::new(
            "nothing-to-confirm",
            format!("{id} is {}, there is no answer to confirm", finding.state),
        );
        return Err(if finding.state == State::Open {
            error.hint(format!("git review-gate finding resolve {id}"))
        } else {
            error.hint(format!("git review-gate finding show {id}"))
        });
    }
    let mut answers: BTreeMap<Origin, BTreeSet<EventId>> = BTreeMap::new();
    for opening in finding
        .openings
        .iter()
        .filter(|opening| opening.state == State::Addressed)
    {
        answers
            .entry(opening.origin.clone())
            .or_default()
            .extend(&opening.resolutions);
    }
    Ok(answers
        .into_iter()
        .map(|(origin, ids)| (origin, ids.into_iter().collect()))
        .collect())
}

/// Confirms every addressed finding of one origin in the branch's review, unless one of them is open.
pub fn pass(origin: &str) -> Result<Said<Passed>> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let warnings = desk.put_back.clone();
    if !desk.base.policy.origins.knows(origin) {
        return Err(super::add::unknown_origin(origin, &desk.base.policy));
    }
    refuse_other_speakers(&desk, &Origin(origin.to_owned()))?;
    let origin = Origin(origin.to_owned());
    let review = desk.open_review()?.ok_or_else(|| {
        Error::new(
            "no-review",
            format!(
                "branch {} has no open review",
                sanitise(desk.branch().unwrap_or("HEAD"))
            ),
        )
        .hint("git review-gate finding list")
    })?;
    let seen = desk.whole_view()?;
    let mut open = Vec::new();
    let mut findings = Vec::new();
    let mut confirms = BTreeSet::new();
    for finding in board::sorted(&seen.fold) {
        let of_origin = || {
            finding
                .openings
                .iter()
                .filter(|opening| opening.origin == origin && opening.review.as_ref() == Some(&review.id))
        };
        if of_origin().any(|opening| opening.state == State::Open) {
            open.push(finding.clone());
        }
        let mut addressed = of_origin()
            .filter(|opening| opening.state == State::Addressed)
            .peekable();
        if addressed.peek().is_some() {
            findings.push(finding.clone());
            confirms.extend(addressed.flat_map(|opening| opening.resolutions.iter().copied()));
        }
    }
    if !open.is_empty() {
        return Ok(Said {
            outcome: Passed::Refused { origin, open },
            warnings,
        });
    }
    if findings.is_empty() {
        // Done already, or nothing was ever found: either way there is nothing to write.
        return Ok(Said {
            outcome: Passed::Confirmed { origin, findings },
            warnings,
        });
    }
    let events = desk.events_of(&review.id)?;
    let after = crate::ledger::fold::heads(events.iter().map(|one| &one.event));
    let body = OriginPassed {
        confirms: confirms.into_iter().collect(),
        origin: origin.clone(),
        review: Some(review.id),
    };
    desk.write(vec![(
        desk.head,
        desk.draft(after, desk.subject(desk.head)?, body)?,
    )])?;
    Ok(Said {
        outcome: Passed::Confirmed { origin, findings },
        warnings,
    })
}

/// Refuses to speak for an origin that the base's policy keeps for others: the event would not count.
pub(super) fn refuse_other_speakers(desk: &Desk<'_>, origin: &Origin) -> Result<()> {
    let by = desk.by()?;
    if desk.base.policy.origins.allow(origin.as_str(), &by.email) {
        return Ok(());
    }
    Err(Error::new(
        "not-allowed",
        format!(
            "{} may not speak for {}",
            sanitise(&by.email),
            sanitise(origin.as_str())
        ),
    )
    .because("the policy of the base lists who may, under [origins]")
    .hint("git review-gate explain policy"))
}
