//! `review packet`: assemble what the reviewer reads, and note that it was assembled.

use super::at::{Choice, ReviewAt};
use super::sources;
use crate::error::Result;
use crate::git::Repo;
use crate::ledger::fold;
use crate::model::event::{Body, Event};
use crate::model::ids::EventId;
use crate::model::measured::Baseline;
use crate::model::outcome::review::Assembled;
use crate::ops::desk::Desk;
use crate::review::causal::Causal;
use crate::review::goal;
use crate::review::packet::{self, Material, Packet};

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// The commit under review; HEAD when absent.
    pub rev: Option<String>,
}

/// Assembles the packet and stores what it is made of, unless that is stored already.
pub fn packet(request: &Request) -> Result<Assembled> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let mut warnings = desk.put_back.clone();
    let (at, choice) = ReviewAt::open(desk, request.review.as_deref(), request.rev.as_deref())?;
    at.refuse_unfit()?;
    if repo.work_tree().is_some() && is_dirty(&repo)? {
        warnings.push(format!(
            "the work tree has changes; the packet is of commit {}",
            at.head.short()
        ));
    }
    let packet = assemble(&at, &choice)?;
    let stored = store(&at, &packet)?;
    Ok(Assembled {
        body: packet.body(&at.review.id),
        prompt: packet.prompt,
        stored,
        warnings,
    })
}

/// Assembles the packet of a review at a commit.
pub fn assemble(at: &ReviewAt<'_>, choice: &Choice) -> Result<Packet> {
    goal::check(&at.review.goal)?;
    let seen = at.view()?;
    let outcome = sources::baseline(at, choice)?;
    let read = sources::read(at, &seen, &outcome)?;
    let events: Vec<&Event> = seen.events.iter().map(|one| &one.event).collect();
    packet::assemble(&Material {
        review: &at.review.id,
        goal: &at.review.goal,
        contract_then: at.review.contract_digest,
        base: at.base,
        head: at.head,
        head_tree: at.head_tree,
        policy_digest: at.policy_digest,
        evidence: &at.policy.policy.evidence,
        baseline: match (&outcome.baseline, sources::baseline_digest(&outcome)) {
            (Baseline::Unavailable(reason), _) => Err(reason),
            (Baseline::Computed(_), digest) => Ok(digest.expect("a computed baseline has a digest")),
        },
        ledger_tips: &tips(&events),
        sources: &read,
    })
}

/// Stores what the packet is made of, on the head; `false` when the same is stored already.
pub fn store(at: &ReviewAt<'_>, packet: &Packet) -> Result<bool> {
    let events = at.desk.events_of(&at.review.id)?;
    let is_known = events.iter().any(|one| match &one.event.body {
        Body::ReviewPacket(body) => body.packet == packet.id,
        _ => false,
    });
    if is_known {
        return Ok(false);
    }
    let after = fold::heads(events.iter().map(|one| &one.event));
    let draft = at.draft(after, packet.body(&at.review.id))?;
    at.desk.write(vec![(at.head, draft)])?;
    Ok(true)
}

/// The newest findings and evidence of a view: what none of the others has been written after, over any number of
/// steps. Packets, records and rulings do not count, or a packet would change its own id.
fn tips(events: &[&Event]) -> Vec<EventId> {
    let counted = events.iter().filter(|event| {
        let kind = event.kind();
        kind.starts_with("finding.") || kind.starts_with("evidence.") || kind == "origin.passed"
    });
    let causal = Causal::of(events.iter().copied());
    causal.latest(counted.map(|event| event.id)).into_iter().collect()
}

/// Whether tracked files differ from HEAD.
fn is_dirty(repo: &Repo) -> Result<bool> {
    let listed = repo
        .git([
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--ignore-submodules=none",
        ])
        .run_ok()?;
    Ok(!listed.is_empty())
}
