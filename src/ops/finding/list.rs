//! `finding list` and `finding show`.

use std::collections::{BTreeMap, BTreeSet};

use super::board;
use crate::error::Result;
use crate::git::Repo;
use crate::model::finding::{Finding, State};
use crate::model::ids::CommitId;
use crate::model::outcome::finding::{Listed, Shown};
use crate::model::severity::Severity;
use crate::ops::clock;
use crate::ops::desk::Desk;
use crate::ops::gate_view::{self, Asked};

/// Which findings.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A range, or the id of a review.
    pub scope: Option<String>,
    /// Only these states; all when empty.
    pub states: Vec<State>,
    /// Only these origins; all when empty.
    pub origins: Vec<String>,
    /// Only these severities; all when empty.
    pub severities: Vec<Severity>,
    /// Every finding of the ledger.
    pub all: bool,
}

/// Lists what the filter lets through.
pub fn list(filter: &Filter) -> Result<Listed> {
    let repo = Repo::open()?;
    let desk = Desk::open(&repo)?;
    let policy = &desk.base.policy;
    let today = clock::today();
    for origin in &filter.origins {
        // A slip would look like an empty list.
        if !policy.origins.knows(origin) && !origin.starts_with("tool:") {
            return Err(super::add::unknown_origin(origin, policy));
        }
    }
    let fold = if filter.all {
        desk.refuse_doubt(&desk.ledger.records().unreadable()?)?;
        let events = desk.ledger.all()?;
        gate_view::fold_events(&events, &BTreeSet::new(), policy, today).0
    } else if let Some(range) = filter.scope.as_deref().filter(|scope| scope.contains("..")) {
        let (base, head) = range.split_once("..").expect("it contains two dots");
        let head = desk.repo.resolve(if head.is_empty() {
            "HEAD"
        } else {
            head.trim_start_matches('.')
        })?;
        let base = desk.repo.resolve(if base.is_empty() { "HEAD" } else { base })?;
        let asked = Asked {
            head,
            base: desk.repo.merge_base(base, head)?,
            branches: Vec::new(),
            is_base_branch: false,
            policy,
            today,
        };
        let seen = gate_view::gate_view(desk.repo, &desk.ledger, &asked)?;
        desk.refuse_doubt(&seen.view.unreadable)?;
        seen.fold
    } else if let Some(review) = &filter.scope {
        let review = desk
            .review(Some(review))?
            .expect("a named review is found or an error");
        desk.refuse_doubt(&outside_of_base(&desk)?)?;
        let events = desk.events_of(&review.id)?;
        gate_view::fold_events(&events, &BTreeSet::new(), policy, today).0
    } else {
        desk.whole_view()?.fold
    };
    let mut listed = Listed {
        findings: Vec::new(),
        states: BTreeMap::new(),
        origins: BTreeMap::new(),
    };
    for finding in board::sorted(&fold) {
        *listed.states.entry(finding.state).or_default() += 1;
        for origin in &finding.origins {
            *listed
                .origins
                .entry(origin.clone())
                .or_default()
                .entry(finding.state)
                .or_default() += 1;
        }
        if wanted(filter, finding) {
            listed.findings.push(finding.clone());
        }
    }
    Ok(listed)
}

fn wanted(filter: &Filter, finding: &Finding) -> bool {
    (filter.states.is_empty() || filter.states.contains(&finding.state))
        && (filter.severities.is_empty() || filter.severities.contains(&finding.fields.severity))
        && (filter.origins.is_empty()
            || finding
                .origins
                .iter()
                .any(|origin| filter.origins.iter().any(|name| name == origin.as_str())))
}

/// Notes that cannot be read whole, unless the base contains what they lie on: any of them may speak of any review.
pub(in crate::ops) fn outside_of_base(desk: &Desk<'_>) -> Result<Vec<CommitId>> {
    let mut found = Vec::new();
    for anchor in desk.ledger.records().unreadable()? {
        let contained = match desk.base.merge_base() {
            Some(base) => desk.repo.has_commit(anchor)? && desk.repo.is_ancestor(anchor, base)?,
            None => false,
        };
        if !contained {
            found.push(anchor);
        }
    }
    Ok(found)
}

/// One finding with every event of it.
pub fn show(reference: &str) -> Result<Shown> {
    let repo = Repo::open()?;
    let known = Desk::open(&repo)?.finding(reference)?;
    let events = known.events.into_iter().map(|one| one.event).collect();
    Ok(Shown {
        finding: known.finding,
        events: board::in_causal_order(events),
        claims: known.claims,
    })
}
