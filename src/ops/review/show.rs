//! `review show`: what stands for a commit, which records it rests on, and what became of the others.

use super::at::ReviewAt;
use super::stands::{self, Board};
use super::stored;
use crate::error::Result;
use crate::git::Repo;
use crate::model::delivery::PRE_POST_DIFF;
use crate::model::event::{Body, Event, ReviewRecorded};
use crate::model::final_review::FinalReviewOutput;
use crate::model::ids::EventId;
use crate::model::outcome::review::{Basis, Shown, ShownDimension, ShownRecord, ShownRuling};
use crate::ops::desk::Desk;
use crate::review::gates;
use crate::review::reply;
use crate::review::source_list::VERDICT;
use crate::review::standing::relation::Relation;
use crate::review::standing::{self, RecordState, RulingInEffect, Standing};

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// The commit; HEAD when absent.
    pub rev: Option<String>,
}

/// Finds what stands.
pub fn show(request: &Request) -> Result<Shown> {
    let repo = Repo::open()?;
    let desk = Desk::open(&repo)?;
    let (at, _) = ReviewAt::open(desk, request.review.as_deref(), request.rev.as_deref())?;
    shown(&at)
}

/// What stands for a review at a commit.
pub fn shown(at: &ReviewAt<'_>) -> Result<Shown> {
    let repo = at.repo();
    let seen = at.view()?;
    let gathered = stands::gather(&at.desk.ledger, &seen)?;
    let branches = [at.review.branch.clone()];
    let board = stands::board(repo, &gathered, &at.asked(&branches)?)?;
    let standing = board.standing();
    let mut dimensions = std::collections::BTreeMap::new();
    for (dimension, stands) in &standing.dimensions {
        let ruling = stands.ruling.and_then(|ruling| ruling_of(&board, &ruling));
        let ruling = match ruling {
            Some(mut ruling) => {
                ruling.by_author = authored(at, &ruling.by.email)?;
                Some(ruling)
            }
            None => None,
        };
        dimensions.insert(
            *dimension,
            ShownDimension {
                verdict: stands.verdict,
                confidence: stands.confidence,
                markers: stands.markers.clone(),
                notes: stands.notes.clone(),
                passes: stands.passes(),
                ruling,
            },
        );
    }
    let is_valid = board.invalid.is_empty();
    Ok(Shown {
        review: at.review.id.clone(),
        branch: at.review.branch.clone(),
        base: at.base,
        head: at.head,
        basis: match &standing.basis {
            _ if !is_valid => Basis::Invalid,
            standing::Basis::None => Basis::None,
            standing::Basis::Stale(_) => Basis::Stale,
            standing::Basis::Counting(_) => Basis::Counting,
        },
        dimensions,
        all_pass: is_valid && standing.all_pass(),
        needs_attention: standing.needs_attention(),
        records: records(&board, &standing),
        wrote: None,
        warnings: Vec::new(),
    })
}

fn ruling_of(board: &Board<'_>, ruling: &RulingInEffect) -> Option<ShownRuling> {
    let event = board.event(ruling.id)?;
    let Body::ReviewRuled(body) = &event.body else {
        return None;
    };
    Some(ShownRuling {
        id: event.id,
        verdict: body.verdict,
        by: event.by.clone(),
        at: event.at.clone(),
        reason: body.reason.clone(),
        by_author: false,
    })
}

/// Whether somebody authored a commit of the change.
fn authored(at: &ReviewAt<'_>, email: &str) -> Result<bool> {
    for id in at.repo().commits_between(at.since, at.head)? {
        if at.repo().commit(id)?.author_email == email.as_bytes() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every record, in the order of the ledger: the earliest first.
fn records(board: &Board<'_>, standing: &Standing) -> Vec<ShownRecord> {
    let current: Vec<EventId> = standing.basis.records().collect();
    let mut shown = Vec::new();
    for event in board.in_order() {
        let Body::ReviewRecorded(body) = &event.body else {
            continue;
        };
        let (counts, why) = match (board.invalid.get(&event.id), standing.records.get(&event.id)) {
            (Some(why), _) => (false, format!("not valid: {why}")),
            (None, Some(RecordState::Superseded { relation, by })) => (
                false,
                format!("superseded by {} ({relation})", &by.to_hex()[..12]),
            ),
            (None, Some(RecordState::Current(relation @ Relation::Stale(_)))) => {
                (false, relation.to_string())
            }
            (None, Some(RecordState::Current(relation))) => {
                (current.contains(&event.id), relation.to_string())
            }
            (None, None) => (false, format!("review {} is closed", body.review)),
        };
        shown.push(ShownRecord {
            id: event.id,
            review: body.review.clone(),
            origin: body.origin.clone(),
            by: event.by.clone(),
            at: event.at.clone(),
            head: event.subject.commit,
            packet: body.packet,
            counts,
            why,
            output: output(&board.events, body),
        });
    }
    shown
}

/// The whole answer of a record, made again from the raw reply and what the gates said.
fn output(events: &[&Event], body: &ReviewRecorded) -> Option<FinalReviewOutput> {
    let raw = stored::reply(events, &body.review, body.raw).ok()?;
    let reply = reply::parse(raw.as_bytes(), body.review.as_str()).ok()?;
    let packets = stored::packets(events, &body.review);
    let packet = packets.iter().find(|packet| packet.body.packet == body.packet)?;
    let name = packet.body.manifest.baseline_name();
    let conclusion = packet.body.conclusions.get(PRE_POST_DIFF);
    let summary = conclusion.and_then(|line| line.strip_prefix(VERDICT));
    let baseline = name.as_deref().zip(summary);
    Some(gates::rebuild(&reply, body, baseline))
}
