//! What the gate is told about the final review: what stands for the judged commit, and whose goals count for it.

use super::gate_base::GateBase;
use super::gate_view::GateView;
use super::ledger::Ledger;
use super::policy_copy::PolicyCopy;
use super::review::at;
use super::review::stands::{self, Asked, Board};
use crate::error::Result;
use crate::gate::facts::{ReviewFact, Ruling, StandingDimension};
use crate::git::Repo;
use crate::model::dimension::Dimension;
use crate::model::event::{Body, RuledVerdict};
use crate::model::goal::Authorization;
use crate::model::range::Range;
use crate::model::text::sanitise;
use crate::review::standing::{Attention, Basis, RecordState, Standing, Stands};

/// What stands, as the gate takes it.
#[derive(Debug, Clone)]
pub struct ReviewStands {
    /// For the rules about reviews.
    pub fact: ReviewFact,
    /// Who ruled that existing functionality is intact for this commit, and why.
    pub baseline_ruling: Option<String>,
    /// What the goals of reviews with a record that counts authorise.
    pub authorize: Vec<Authorization>,
}

impl ReviewStands {
    fn nothing(fact: ReviewFact) -> Self {
        Self {
            fact,
            baseline_ruling: None,
            authorize: Vec::new(),
        }
    }
}

/// Finds what stands for a range, from the events that the gate sees.
pub fn stands(
    repo: &Repo,
    ledger: &Ledger<'_>,
    (base, range): (&GateBase, &Range),
    branches: &[String],
    seen: &GateView,
) -> Result<ReviewStands> {
    let is_record = |body: &Body| matches!(body, Body::ReviewRecorded(_));
    if !seen.events.iter().any(|one| is_record(&one.event.body)) {
        return Ok(ReviewStands::nothing(ReviewFact::Absent));
    }
    let policy = PolicyCopy {
        policy: base.policy.clone(),
        blob: base.policy_blob,
    };
    let gathered = stands::gather(ledger, seen)?;
    let board = stands::board(
        repo,
        &gathered,
        &Asked {
            head: range.head,
            head_tree: range.head_tree,
            base: range.base,
            base_tree: range.base_tree,
            policy: &base.policy,
            policy_digest: at::digest(repo, &policy)?,
            branches,
        },
    )?;
    if !board.invalid.is_empty() {
        let why: Vec<String> = board
            .invalid
            .iter()
            .map(|(id, why)| format!("record {}: {why}", &id.to_hex()[..12]))
            .collect();
        return Ok(ReviewStands::nothing(ReviewFact::Invalid(why.join("; "))));
    }
    let standing = board.standing();
    let dimensions = standing
        .dimensions
        .iter()
        .map(|(dimension, stands)| (*dimension, fact(stands)))
        .collect();
    Ok(match &standing.basis {
        Basis::None => ReviewStands::nothing(ReviewFact::Absent),
        Basis::Stale(_) => ReviewStands::nothing(ReviewFact::Stale(dimensions, why_stale(&board, &standing))),
        Basis::Counting(_) => ReviewStands {
            fact: ReviewFact::Counts(dimensions),
            baseline_ruling: baseline_ruling(&board, &standing),
            authorize: authorized(&board, &standing),
        },
    })
}

fn fact(stands: &Stands) -> StandingDimension {
    let markers = stands
        .markers
        .iter()
        .map(|marker| format!("{}: {}", marker.marker, sanitise(&marker.text)));
    StandingDimension {
        verdict: stands.verdict,
        needs_attention: stands.attention == Attention::Needed,
        ruling: stands.ruling.map(|ruling| match ruling.verdict {
            RuledVerdict::Pass => Ruling::Pass,
            RuledVerdict::Fail => Ruling::Fail,
        }),
        why: markers.chain(stands.notes.iter().cloned()).collect(),
    }
}

/// Each way in which the records are stale, once.
fn why_stale(board: &Board<'_>, standing: &Standing) -> String {
    let mut reasons: Vec<String> = standing
        .basis
        .records()
        .filter_map(|id| {
            let relation = match standing.records.get(&id)? {
                RecordState::Current(relation) | RecordState::Superseded { relation, .. } => relation,
            };
            let commit = board.event(id)?.subject.commit;
            Some(format!("{relation}, it speaks of commit {}", commit.short()))
        })
        .collect();
    reasons.sort();
    reasons.dedup();
    reasons.join("; ")
}

/// Who ruled that existing functionality is intact.
fn baseline_ruling(board: &Board<'_>, standing: &Standing) -> Option<String> {
    let stands = standing.dimensions.get(&Dimension::ExistingFunctionalityIntact)?;
    let ruling = stands
        .ruling
        .filter(|ruling| ruling.verdict == RuledVerdict::Pass)?;
    let event = board.event(ruling.id)?;
    let Body::ReviewRuled(body) = &event.body else {
        return None;
    };
    Some(format!(
        "ruled pass by {} <{}>: {}",
        sanitise(&event.by.name),
        sanitise(&event.by.email),
        sanitise(&body.reason)
    ))
}

/// What the goals of the reviews authorise whose records count.
fn authorized(board: &Board<'_>, standing: &Standing) -> Vec<Authorization> {
    let mut authorize: Vec<Authorization> = Vec::new();
    for id in standing.basis.records() {
        let review = board.event(id).and_then(|event| event.body.review());
        let review = board
            .reviews
            .iter()
            .find(|one| Some(one.id.as_str()) == review && one.conflicts.is_empty());
        for entry in review.iter().flat_map(|review| &review.goal.authorize) {
            if !authorize.contains(entry) {
                authorize.push(entry.clone());
            }
        }
    }
    authorize
}
