//! `review rule`: a person decides one dimension, with a reason and a name.

use super::at::ReviewAt;
use super::{show, stands, stored};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::fold;
use crate::model::dimension::Dimension;
use crate::model::event::{Body, ReviewRuled, RuledVerdict};
use crate::model::ids::{Digest, EventId};
use crate::model::outcome::review::Shown;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;
use crate::review::standing::{self, Refusal};

/// What is ruled.
#[derive(Debug, Clone)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// The question.
    pub dimension: Dimension,
    /// The ruling.
    pub verdict: RuledVerdict,
    /// Why; not blank.
    pub reason: String,
}

/// The most characters of a reason.
const MAX_REASON: usize = 2000;

/// Writes the ruling; it settles the records that stand now and no later ones.
pub fn rule(request: &Request) -> Result<Shown> {
    let reason = request.reason.trim();
    let length = reason.chars().count();
    if length == 0 || length > MAX_REASON {
        return Err(Error::new(
            "usage",
            format!("a reason has 1 to {MAX_REASON} characters, not {length}"),
        )
        .hint("git review-gate review rule <dimension> pass --reason \"why\""));
    }
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let warnings = desk.put_back.clone();
    let (at, _) = ReviewAt::open(desk, request.review.as_deref(), None)?;
    at.refuse_unfit()?;
    let by = at.desk.by()?;
    if !at.policy.policy.rule.allow(&by.email) {
        return Err(Error::new(
            "not-allowed",
            format!(
                "the policy of the base lets others rule, not {}",
                sanitise(&by.email)
            ),
        )
        .hint("git review-gate explain policy"));
    }
    let seen = at.view()?;
    let gathered = stands::gather(&at.desk.ledger, &seen)?;
    let branches = [at.review.branch.clone()];
    let board = stands::board(&repo, &gathered, &at.asked(&branches)?)?;
    let stands = board.standing();
    let settles = standing::settled_by(&board.given(), &stands, request.dimension, request.verdict)
        .map_err(|refusal| refused(request.dimension, &refusal))?;
    let packet = newest_packet(&at, &board, &settles)?;
    let events = at.desk.events_of(&at.review.id)?;
    let after = fold::heads(events.iter().map(|one| &one.event));
    let body = ReviewRuled {
        dimension: request.dimension,
        packet,
        reason: reason.to_owned(),
        review: at.review.id.clone(),
        settles,
        verdict: request.verdict,
    };
    let draft = at.draft(after, body)?;
    let id = at.desk.ledger.id_of(&draft)?;
    at.desk.write(vec![(at.head, draft)])?;
    let mut shown = show::show(&show::Request {
        review: Some(at.review.id.as_str().to_owned()),
        rev: None,
    })?;
    shown.wrote = Some(id);
    shown.warnings.splice(0..0, warnings);
    Ok(shown)
}

fn refused(dimension: Dimension, refusal: &Refusal) -> Error {
    match refusal {
        Refusal::NoRecord => Error::new("no-record", "there is no record that a ruling could settle")
            .hint("git review-gate review packet")
            .hint("git review-gate review record reply.json"),
        Refusal::NotInAttention(attention) => {
            let names: Vec<&str> = attention.iter().map(|one| one.as_str()).collect();
            Error::new("not-in-attention", format!("{dimension} passes as it stands"))
                .because(if names.is_empty() {
                    "nothing needs attention".to_owned()
                } else {
                    format!("these need attention: {}", names.join(", "))
                })
                .hint("git review-gate review show")
        }
        Refusal::NoBaseline => Error::new(
            "no-baseline",
            format!("{dimension} cannot be ruled pass: no baseline is delivered"),
        )
        .because("nobody can say what went without a comparison")
        .hint("git review-gate baseline")
        .hint("git review-gate review packet"),
    }
}

/// The newest packet of the commit, else that of a record that is settled.
fn newest_packet(at: &ReviewAt<'_>, board: &stands::Board<'_>, settles: &[EventId]) -> Result<Digest> {
    if let Ok(packet) = stored::find_packet(&board.events, &at.review.id, None, at.head) {
        return Ok(packet.body.packet);
    }
    settles
        .iter()
        .find_map(|id| match &board.event(*id)?.body {
            Body::ReviewRecorded(record) => Some(record.packet),
            _ => None,
        })
        .ok_or_else(|| refused(Dimension::FunctionalCompleteness, &Refusal::NoRecord))
}
