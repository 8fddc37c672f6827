//! What is stored of a review: its packets, its records with their raw replies, its rulings.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::model::canonical;
use crate::model::event::{Body, Event, EventDraft, ReviewPacket, ReviewReply, Subject};
use crate::model::ids::{CommitId, Digest, EventId};
use crate::model::review::ReviewId;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;
use crate::review::causal::Causal;
use crate::review::delivered::prefix;

/// The most bytes of a raw reply in one event: escaped as JSON they still fit into a line.
const MAX_PIECE: usize = 8 * 1024;

/// A packet as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct StoredPacket<'a> {
    /// The event.
    pub event: &'a Event,
    /// What it says.
    pub body: &'a ReviewPacket,
}

/// The packets of a review.
pub fn packets<'a>(events: &[&'a Event], review: &ReviewId) -> Vec<StoredPacket<'a>> {
    let packets = events.iter().filter_map(|event| match &event.body {
        Body::ReviewPacket(body) if body.review == *review => Some(StoredPacket { event, body }),
        _ => None,
    });
    packets.collect()
}

/// The packet that is named by at least eight digits of its id, or the newest one of a commit.
pub fn find_packet<'a>(
    events: &[&'a Event],
    review: &ReviewId,
    named: Option<&str>,
    head: CommitId,
) -> Result<StoredPacket<'a>> {
    let none = |message: String| Error::new("no-packet", message).hint("git review-gate review packet");
    let mut found = packets(events, review);
    if let Some(named) = named {
        found.retain(|packet| named.len() >= 8 && packet.body.packet.to_hex().starts_with(named));
        // The same packet may have been stored in two clones.
        found.sort_by_key(|packet| (packet.body.packet, packet.event.id));
        found.dedup_by_key(|packet| packet.body.packet);
        return match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(none(format!("review {review} has no packet {}", sanitise(named)))),
            several => Err(several.iter().fold(
                none(format!(
                    "{} packets begin with {}",
                    several.len(),
                    sanitise(named)
                )),
                |error, packet| error.because(packet.body.packet.to_hex()),
            )),
        };
    }
    found.retain(|packet| packet.body.manifest.head == head);
    let latest = Causal::of(events.iter().copied()).latest(found.iter().map(|packet| packet.event.id));
    found
        .into_iter()
        .filter(|packet| latest.contains(&packet.event.id))
        .max_by_key(|packet| packet.event.id)
        .ok_or_else(|| {
            none(format!(
                "review {review} has no packet of commit {}",
                head.short()
            ))
        })
}

/// The raw reply with this digest, put together again; an error when a piece is missing or differs.
pub fn reply(events: &[&Event], review: &ReviewId, raw: Digest) -> Result<String> {
    let mut pieces: BTreeMap<u64, &ReviewReply> = BTreeMap::new();
    for event in events {
        if let Body::ReviewReply(piece) = &event.body
            && piece.review == *review
            && piece.raw == raw
        {
            pieces.entry(piece.part).or_insert(piece);
        }
    }
    let text: String = pieces.values().map(|piece| piece.text.as_str()).collect();
    if canonical::digest_of(&[text.as_bytes()]) == raw {
        return Ok(text);
    }
    Err(Error::new(
        "state-unreadable",
        format!(
            "the raw reply {} of review {review} is not whole",
            &raw.to_hex()[..12]
        ),
    )
    .hint("git review-gate sync")
    .hint("git review-gate fsck"))
}

/// The events that keep a raw reply, each written after the one before; and what the next event is written after.
pub fn reply_drafts(
    desk: &Desk<'_>,
    subject: Subject,
    review: &ReviewId,
    raw: &str,
    mut after: Vec<EventId>,
) -> Result<(Vec<EventDraft>, Vec<EventId>)> {
    let digest = canonical::digest_of(&[raw.as_bytes()]);
    let pieces = pieces(raw);
    let parts = pieces.len() as u64;
    let mut drafts = Vec::new();
    for (part, text) in (1..).zip(pieces) {
        let body = ReviewReply {
            part,
            parts,
            raw: digest,
            review: review.clone(),
            text: text.to_owned(),
        };
        let draft = desk.draft(after, subject, body)?;
        after = vec![desk.ledger.id_of(&draft)?];
        drafts.push(draft);
    }
    Ok((drafts, after))
}

/// A text in pieces of bounded size that end between two characters; an empty one is one piece.
pub fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > MAX_PIECE {
        let (piece, more) = rest.split_at(prefix(rest, MAX_PIECE).len());
        pieces.push(piece);
        rest = more;
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_cut_between_characters() {
        let long = format!("x{}", "é".repeat(10_000));
        let cut = pieces(&long);
        assert!(cut.iter().all(|piece| piece.len() <= MAX_PIECE));
        assert_eq!(cut.len(), 3);
        assert_eq!(cut.concat(), long);
        assert_eq!(pieces(""), [""]);
    }
}
