//! A reviewer's answer: checked against the packet it answers, put through the gates, and kept.

#![expect(
    clippy::disallowed_methods,
    reason = "keeps a reply in a file where the ledger cannot be written, so that no answer is lost"
)]

use super::at::ReviewAt;
use super::stored;
use crate::error::{Error, Result};
use crate::git::look_up::AtPath;
use crate::ledger::fold;
use crate::model::canonical;
use crate::model::event::{Attempt, Body, Event, ReviewPacket, ReviewRecorded};
use crate::model::final_review::FinalReviewOutput;
use crate::model::ids::EventId;
use crate::model::text::sanitise;
use crate::ops::output;
use crate::review::delivered::Delivery;
use crate::review::evidence::seen;
use crate::review::gates::artifact::{self, Known};
use crate::review::gates::{self, Case, Judged};
use crate::review::runs::Runs;

/// A reply that is usable, and what the gates made of it.
pub struct Answer {
    /// As the reviewer wrote it.
    pub raw: String,
    /// What the gates made of it.
    pub judged: Judged,
    /// In whose name.
    pub origin: String,
    /// Replies before it that were not usable.
    pub attempts: Vec<Attempt>,
}

/// Puts a reply through the gates.
pub fn judge(
    at: &ReviewAt<'_>,
    packet: &ReviewPacket,
    deliveries: &[Delivery],
    reply: &FinalReviewOutput,
) -> Result<Judged> {
    let seen = at.view()?;
    let events: Vec<&Event> = seen.events.iter().map(|one| &one.event).collect();
    let base_tree = at.repo().commit(at.base)?.tree;
    let name = packet.manifest.baseline_name();
    Ok(gates::judge(&Case {
        reply,
        criteria: &at.review.goal.criteria,
        evidence: &at.policy.policy.evidence,
        sources: deliveries,
        baseline: &packet.baseline_status,
        baseline_name: name.as_deref(),
        known: &known(at, &events, reply)?,
        proof: seen::proof(&events, at.head_tree, Some(base_tree)),
        red: &Runs::of(&events, at.head_tree).last_red(),
    }))
}

/// What the items of a reply may cite: what they name in the tree, and what registered evidence names.
fn known(at: &ReviewAt<'_>, events: &[&Event], reply: &FinalReviewOutput) -> Result<Known> {
    let mut known = Known::default();
    for path in artifact::asked(reply) {
        if matches!(
            at.repo().look_up(at.head_tree, &path)?,
            AtPath::File { .. } | AtPath::Directory
        ) {
            known.tree.insert(path);
        }
    }
    for event in events {
        let is_of_tree = event.subject.tree == at.head_tree;
        match &event.body {
            Body::EvidenceAdded(claim) => {
                known.artifacts.extend(
                    claim
                        .artifact
                        .iter()
                        .filter(|_| is_of_tree)
                        .map(|file| file.path.clone()),
                );
            }
            Body::EvidenceRun(run) => {
                let counts = is_of_tree && !run.dirty;
                known.artifacts.extend(
                    run.reports
                        .iter()
                        .filter(|_| counts)
                        .map(|file| file.path.clone()),
                );
            }
            Body::EvidenceProof(_) => {}
            _ => continue,
        }
        known.evidence.insert(event.id.to_hex());
    }
    Ok(known)
}

/// Keeps an answer: the raw reply in pieces and the record, in one write. Where that fails, the reply is kept in a file.
pub fn keep(at: &ReviewAt<'_>, packet: &ReviewPacket, answer: &Answer) -> Result<EventId> {
    write(at, packet, answer).map_err(|cause| {
        let error =
            Error::new("notes-write-failed", "the record could not be written").because(cause.message);
        let error = cause.causes.into_iter().fold(error, Error::because);
        match keep_in_file(at, &answer.raw) {
            Ok(place) => error
                .because("the reply is kept in a file")
                .hint(format!("git review-gate review record {}", sanitise(&place))),
            Err(also) => error.because(format!("the reply could not be kept in a file either: {also}")),
        }
    })
}

/// Keeps a raw reply where it can be found again, in the repository or, where that cannot be written, in the temporary
/// folder.
fn keep_in_file(at: &ReviewAt<'_>, raw: &str) -> Result<String> {
    let digest = canonical::digest_of(&[raw.as_bytes()]).to_hex();
    let name = format!("reply-{}.json", &digest[..16]);
    let folder = at.repo().common_dir().join("review-gate").join("replies");
    let in_repository = std::fs::create_dir_all(&folder)
        .map_err(|cause| Error::new("io", "no folder can be made").caused_by(&cause))
        .and_then(|()| output::replace(&folder.join(&name), raw.as_bytes()));
    let place = if in_repository.is_ok() {
        folder.join(&name)
    } else {
        let place = std::env::temp_dir().join(&name);
        output::replace(&place, raw.as_bytes())?;
        place
    };
    Ok(place.to_string_lossy().into_owned())
}

fn write(at: &ReviewAt<'_>, packet: &ReviewPacket, answer: &Answer) -> Result<EventId> {
    let review = &at.review.id;
    let events = at.desk.events_of(review)?;
    let after = fold::heads(events.iter().map(|one| &one.event));
    let (mut drafts, after) = stored::reply_drafts(&at.desk, at.subject()?, review, &answer.raw, after)?;
    let body = ReviewRecorded {
        attempts: answer.attempts.clone(),
        base_tree: at.repo().commit(at.base)?.tree,
        goal_digest: packet.manifest.goal_digest,
        markers: answer.judged.markers.clone(),
        origin: answer.origin.clone(),
        packet: packet.packet,
        raw: canonical::digest_of(&[answer.raw.as_bytes()]),
        result: answer.judged.result.clone(),
        review: review.clone(),
    };
    let draft = at.draft(after, body)?;
    let id = at.desk.ledger.id_of(&draft)?;
    drafts.push(draft);
    at.desk
        .write(drafts.into_iter().map(|draft| (at.head, draft)).collect())?;
    Ok(id)
}
