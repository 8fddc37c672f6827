//! `log`: the audit trail, newest first.

use std::collections::BTreeSet;

use super::desk::{Desk, closure};
use super::finding::board::in_causal_order;
use super::finding::list::outside_of_base;
use crate::error::Result;
use crate::git::Repo;
use crate::ledger::view::Records;
use crate::model::ids::{CommitId, EventId};
use crate::model::outcome::log::Entry;

/// Events of a review, of a range of commits, or of the whole ledger, newest first.
pub fn log(scope: Option<&str>) -> Result<Vec<Entry>> {
    let repo = Repo::open()?;
    let desk = Desk::open(&repo)?;
    // A trail with a gap looks like one without.
    desk.refuse_doubt(&match scope {
        None => desk.ledger.records().unreadable()?,
        Some(_) => outside_of_base(&desk)?,
    })?;
    let entries = match scope {
        None => desk.ledger.trail()?,
        Some(range) if range.contains("..") => of_range(&desk, range)?,
        Some(review) => {
            let review = desk
                .review(Some(review))?
                .expect("a named review is found or an error");
            desk.events_of(&review.id)?
        }
    };
    let anchors: std::collections::BTreeMap<EventId, CommitId> = entries
        .iter()
        .map(|entry| (entry.event.id, entry.anchor))
        .collect();
    let mut ordered = in_causal_order(entries.into_iter().map(|entry| entry.event).collect());
    ordered.reverse();
    Ok(ordered
        .into_iter()
        .map(|event| Entry {
            anchor: anchors[&event.id],
            event,
        })
        .collect())
}

/// Events about the commits of a range, and those that name them.
fn of_range(desk: &Desk<'_>, range: &str) -> Result<Vec<Entry>> {
    let (base, head) = range.split_once("..").unwrap_or((range, ""));
    let head = head.trim_start_matches('.');
    let head = desk.repo.resolve(if head.is_empty() { "HEAD" } else { head })?;
    let base = desk.repo.resolve(if base.is_empty() { "HEAD" } else { base })?;
    let records: &dyn Records = desk.ledger.records();
    let mut start = Vec::new();
    for commit in desk.repo.commits_between(Some(base), head)? {
        start.extend(records.about(commit)?);
    }
    let found = closure(records, start)?;
    let anchors: BTreeSet<CommitId> = found.values().map(|record| record.anchor).collect();
    let mut events = desk.ledger.read(&anchors)?;
    events.retain(|entry| found.contains_key(&entry.event.id));
    Ok(events)
}
