//! Records on the judged commit: events in the notes that hold quality results.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::refs::NotesRef;
use crate::model::canonical;
use crate::model::event::{Body, Event, EventDraft, Person, QualityPart, QualityRecorded};
use crate::model::ids::{CommitId, Digest, EventId};
use crate::model::quality::Decision;
use crate::ops::desk::Desk;
use crate::ops::ledger::Ledger;
use crate::ops::review::stored::pieces;
use crate::quality::stored::{self, Stored};
use crate::quality::table;
use crate::review::causal::Causal;

/// The longest report that is kept in one event, in bytes.
const MAX_WHOLE: usize = 48 * 1024;

/// A report as it is held.
#[derive(Debug, Clone)]
pub struct Held {
    /// Its event.
    pub event: EventId,
    /// Who recorded it.
    pub by: Person,
    /// When, as their clock had it.
    pub at: String,
    /// The report, byte for byte.
    pub text: String,
    /// The same, read back; or why it does not hold together.
    pub stored: Result<Stored, String>,
    /// Whether it is the one that counts.
    pub counts: bool,
}

impl Held {
    /// How much it may be relied on: what cannot be verified least.
    fn rank(&self) -> u8 {
        match &self.stored {
            Err(_) => 0,
            Ok(stored) if stored.decision == Decision::Blocked => 1,
            Ok(_) => 2,
        }
    }
}

/// Records a report on a commit; earlier events stay. Returns what deserves a remark.
pub fn keep(repo: &Repo, commit: CommitId, text: &str) -> Result<Vec<String>> {
    let desk = Desk::open_to_write(repo)?;
    let events = desk.ledger.events_on(NotesRef::Quality, commit)?;
    let subject = desk.subject(commit)?;
    let causal = Causal::of(&events);
    let mut after: Vec<EventId> = causal
        .latest(events.iter().map(|event| event.id))
        .into_iter()
        .collect();
    let sha256 = canonical::digest_of(&[text.as_bytes()]);
    let mut drafts: Vec<EventDraft> = Vec::new();
    // Written as a text of JSON it is longer than it is.
    let escaped = serde_json::to_string(text).expect("a text can be written as JSON");
    let is_whole = escaped.len() <= MAX_WHOLE;
    if !is_whole {
        let pieces = pieces(text);
        let parts = pieces.len() as u64;
        for (part, piece) in (1..).zip(pieces) {
            let body = QualityPart {
                part,
                parts,
                sha256,
                text: piece.to_owned(),
            };
            let draft = desk.draft(after, subject, body)?;
            after = vec![desk.ledger.id_of(&draft)?];
            drafts.push(draft);
        }
    }
    let body = QualityRecorded {
        report: is_whole.then(|| text.to_owned()),
        sha256,
    };
    drafts.push(desk.draft(after, subject, body)?);
    let drafts = drafts.into_iter().map(|draft| (commit, draft)).collect();
    let written = desk.ledger.write(drafts, "Record a quality report")?;
    let mut warnings = desk.put_back;
    warnings.extend(written.warnings);
    Ok(warnings)
}

/// Every report that is recorded on a commit, the earliest first.
pub fn all(ledger: &Ledger<'_>, commit: CommitId) -> Result<Vec<Held>> {
    let events = ledger.events_on(NotesRef::Quality, commit)?;
    let causal = Causal::of(&events);
    let recorded: Vec<(&Event, &QualityRecorded)> = events
        .iter()
        .filter_map(|event| match &event.body {
            Body::QualityRecorded(body) => Some((event, body)),
            _ => None,
        })
        .collect();
    let latest = causal.latest(recorded.iter().map(|(event, _)| event.id));
    let mut held = Vec::new();
    for (event, body) in &recorded {
        let text = text_of(&events, body)?;
        let stored = table::parse(text.as_bytes(), "report").and_then(|node| stored::read(&node));
        held.push(Held {
            event: event.id,
            by: event.by.clone(),
            at: event.at.clone(),
            text,
            stored,
            counts: false,
        });
    }
    let heights = causal.heights();
    held.sort_by_key(|one| (heights.get(&one.event).copied(), one.event));
    // Of those that nobody had seen, the worst.
    let counting = held
        .iter()
        .filter(|one| latest.contains(&one.event))
        .min_by_key(|one| (one.rank(), one.event))
        .map(|one| one.event);
    for one in &mut held {
        one.counts = Some(one.event) == counting;
    }
    Ok(held)
}

/// The record that counts on a commit, if there is one: the causally latest, of several at once the worst.
pub fn counting(repo: &Repo, prefix: &str, commit: CommitId) -> Result<Option<Held>> {
    let ledger = Ledger::open(repo, prefix)?;
    Ok(all(&ledger, commit)?.into_iter().find(|held| held.counts))
}

/// The text of a record, put together from its pieces where it has some.
fn text_of(events: &[Event], body: &QualityRecorded) -> Result<String> {
    let pieces = || -> String {
        let mut pieces: BTreeMap<u64, &str> = BTreeMap::new();
        for event in events {
            if let Body::QualityPart(piece) = &event.body
                && piece.sha256 == body.sha256
            {
                pieces.entry(piece.part).or_insert(&piece.text);
            }
        }
        pieces.into_values().collect()
    };
    let text = body.report.clone().unwrap_or_else(pieces);
    if canonical::digest_of(&[text.as_bytes()]) == body.sha256 {
        return Ok(text);
    }
    Err(not_whole(body.sha256))
}

fn not_whole(sha256: Digest) -> Error {
    Error::new(
        "state-unreadable",
        format!("the quality report {} is not whole", &sha256.to_hex()[..12]),
    )
    .hint("git review-gate sync")
    .hint("git review-gate fsck")
}
