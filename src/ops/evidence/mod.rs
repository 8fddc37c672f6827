//! Evidence: claims, runs that are witnessed, and proofs that a test shows the change.

pub mod add;
pub mod prove;
pub mod run;

mod capture;
mod file;
mod work_tree;

use crate::error::{Error, Result};
use crate::ledger::{codec, fold};
use crate::model::dimension::Dimension;
use crate::model::event::{Body, EventDraft, Subject};
use crate::model::ids::EventId;
use crate::model::outcome::evidence::Recorded;
use crate::model::witness::EvidenceKind;
use crate::ops::desk::Desk;
use crate::ops::review::at::ReviewAt;

/// The review at HEAD to which evidence is added, pinned when the work starts.
struct Place<'r> {
    at: ReviewAt<'r>,
    subject: Subject,
    after: Vec<EventId>,
}

impl<'r> Place<'r> {
    /// Finds the review: the open one of the branch, unless one is named. A closed one takes no more evidence.
    fn find(repo: &'r crate::git::Repo, named: Option<&str>) -> Result<Self> {
        let (at, _) = ReviewAt::open(Desk::open_to_write(repo)?, named, None)?;
        if !at.review.is_open() {
            return Err(
                Error::new("review-closed", format!("review {} is closed", at.review.id))
                    .hint("git review-gate review start"),
            );
        }
        // Whoever has no identity is told so before anything runs.
        at.desk.by()?;
        let events = at.desk.events_of(&at.review.id)?;
        Ok(Self {
            subject: at.subject()?,
            after: fold::heads(events.iter().map(|one| &one.event)),
            at,
        })
    }

    /// Stores one event on the head.
    fn record<T: Clone + Into<Body>>(self, body: T, mut warnings: Vec<String>) -> Result<Recorded<T>> {
        let desk = &self.at.desk;
        let draft: EventDraft = desk.draft(self.after, self.subject, body.clone())?;
        let id = codec::encode(&draft)?.id;
        let by = draft.by.clone();
        desk.write(vec![(self.subject.commit, draft)])?;
        warnings.splice(0..0, desk.put_back.iter().cloned());
        Ok(Recorded {
            id,
            by,
            subject: self.subject,
            body,
            warnings,
        })
    }
}

/// The kind of a word.
fn kind(word: &str) -> Result<EvidenceKind> {
    word.parse()
        .map_err(|_| no_such("kind", word, EvidenceKind::ALL.iter().map(|kind| kind.as_str())))
}

/// The question of a word.
fn dimension(word: &str) -> Result<Dimension> {
    word.parse()
        .map_err(|_| no_such("dimension", word, Dimension::ALL.iter().map(|one| one.as_str())))
}

fn no_such<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str>) -> Error {
    let known: Vec<&str> = known.collect();
    Error::new(
        "usage",
        format!("there is no {what} {}", crate::model::text::sanitise(word)),
    )
    .hint(format!("--{what} {}", known.join("|")))
}
