//! `status`: what stands between the checked-out branch and its gate, and the one next step.

use std::collections::BTreeMap;

use super::check::{self, Request};
use super::desk::Desk;
use super::hooks::{self, Proof};
use crate::error::Result;
use crate::git::Repo;
use crate::ledger::refs::NotesRef;
use crate::model::decision::{Outcome, Overall, RefDecision};
use crate::model::outcome::status::Status;
use crate::model::text::sanitise;

/// Looks at everything; changes nothing.
pub fn status() -> Result<Status> {
    let repo = Repo::open()?;
    let desk = Desk::open(&repo)?;
    let branch = desk.branch()?.to_owned();
    let decision = check::check_in(desk.repo, &Request::default())?
        .refs
        .pop()
        .expect("one ref was asked for");
    let mut states = BTreeMap::new();
    let mut remarks = Vec::new();
    match desk.gate_view() {
        Ok(seen) => {
            for finding in &seen.fold.findings {
                *states.entry(finding.state).or_default() += 1;
            }
        }
        Err(error) => remarks.push(sanitise(&error.to_string())),
    }
    let review = match desk.open_review() {
        Ok(review) => review.map(|review| sanitise(review.id.as_str())),
        Err(error) => {
            remarks.push(sanitise(&error.to_string()));
            None
        }
    };
    if !hooks::status(Proof::Look)?.live {
        remarks.push("git does not run the hooks here; git review-gate hooks status".to_owned());
    }
    remarks.extend(unpushed(&desk)?);
    let next = next(&decision);
    Ok(Status {
        branch: sanitise(&branch),
        decision,
        review,
        states,
        remarks,
        next,
    })
}

/// Says which notes a remote does not have yet, as far as the last exchange tells.
fn unpushed(desk: &Desk<'_>) -> Result<Vec<String>> {
    let mut remarks = Vec::new();
    for remote in desk.repo.remotes() {
        let mut behind = Vec::new();
        for notes_ref in NotesRef::ALL {
            let Some(here) = desk.repo.ref_commit(&desk.ledger.prefix().full(notes_ref))? else {
                continue;
            };
            let there = desk.repo.ref_commit(&format!(
                "refs/review-gate/remotes/{remote}/{}",
                notes_ref.as_str()
            ))?;
            let has_it = match there {
                Some(there) => desk.repo.is_ancestor(here, there)?,
                None => false,
            };
            if !has_it {
                behind.push(notes_ref.as_str());
            }
        }
        if !behind.is_empty() {
            remarks.push(format!(
                "{} has not got the latest {} yet; git review-gate sync {}",
                sanitise(&remote),
                behind.join(" and "),
                sanitise(&remote)
            ));
        }
    }
    Ok(remarks)
}

/// The command of the first rule that stands in the way, the undecided ones first.
fn next(decision: &RefDecision) -> Option<String> {
    if let Some(fault) = &decision.fault {
        return fault.hints.first().cloned();
    }
    if decision.outcome() == Overall::Pass {
        return None;
    }
    [Outcome::Undecided, Outcome::Blocked]
        .into_iter()
        .find_map(|outcome| {
            decision
                .rules
                .iter()
                .find(|rule| rule.outcome == outcome)?
                .command
                .clone()
        })
}
