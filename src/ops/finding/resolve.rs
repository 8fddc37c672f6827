//! `finding resolve`: answer findings with the commit that mends them.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::board::{self, Known};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::event::Resolved;
use crate::model::finding::State;
use crate::model::ids::{CommitId, EventId};
use crate::model::text::sanitise;
use crate::ops::desk::Desk;

/// What to answer.
#[derive(Debug, Clone)]
pub enum Request {
    /// `ID[=COMMIT]`, and one remark for all.
    Ids {
        /// As typed.
        ids: Vec<String>,
        /// A remark.
        note: Option<String>,
    },
    /// A JSON list of `{finding_id, commit, note}`.
    Json(Vec<u8>),
    /// One's own answers that a rewrite cut off, for HEAD.
    Again {
        /// A remark.
        note: Option<String>,
    },
}

/// One answer as asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    finding_id: String,
    commit: Option<String>,
    note: Option<String>,
}

/// The most answers of one call.
const MAX_ANSWERS: usize = 1000;
/// The most characters of a remark.
const MAX_NOTE: usize = 2000;

/// Answers all of them in one write, or none.
pub fn resolve(request: Request) -> Result<crate::model::outcome::finding::Resolved> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let answers = match request {
        Request::Ids { ids, note } => ids.iter().map(|id| from_typed(id, note.clone())).collect(),
        Request::Json(bytes) => from_json(&bytes)?,
        Request::Again { note } => again(&desk, note.as_deref())?,
    };
    if answers.len() > MAX_ANSWERS {
        return Err(Error::new(
            "usage",
            format!("{} answers in one call, at most {MAX_ANSWERS}", answers.len()),
        ));
    }
    let mut warnings = desk.put_back.clone();
    let mut drafts = Vec::new();
    let mut answered = Vec::new();
    let mut ids = BTreeSet::new();
    let subject = desk.subject(desk.head)?;
    for answer in answers {
        let known = desk.finding(&answer.finding_id)?;
        let id = known.finding.id;
        if !ids.insert(id) {
            return Err(Error::new(
                "usage",
                format!("{} is named twice, one commit answers it", id.short()),
            ));
        }
        let commit = fix(&desk, answer.commit.as_deref())?;
        if desk.repo.has_commit(known.finding.commit)?
            && desk.repo.is_ancestor(commit, known.finding.commit)?
        {
            warnings.push(format!(
                "{} is not newer than the commit that {} was filed on: does it really mend it?",
                commit.short(),
                id.short()
            ));
        }
        let body = Resolved {
            closes: to_close(&known)?,
            commit,
            note: remark(answer.note)?,
        };
        drafts.push((
            desk.head,
            desk.draft(board::heads(&desk, &known)?, subject, body)?,
        ));
        answered.push((known.finding, commit));
    }
    desk.write(drafts)?;
    // Read again: what the write has united with may have changed the picture.
    let desk = desk.renewed()?;
    let still_open = match desk.whole_view() {
        Ok(seen) => board::sorted(&seen.fold)
            .into_iter()
            .filter(|finding| finding.state == State::Open)
            .cloned()
            .collect(),
        // The answers are written, whatever else cannot be read.
        Err(error) => {
            warnings.push(format!("what is still open is not known: {error}"));
            Vec::new()
        }
    };
    Ok(crate::model::outcome::finding::Resolved {
        answered,
        still_open,
        warnings,
    })
}

fn from_typed(text: &str, note: Option<String>) -> Answer {
    match text.split_once('=') {
        Some((id, commit)) => Answer {
            finding_id: id.to_owned(),
            commit: Some(commit.to_owned()),
            note,
        },
        None => Answer {
            finding_id: text.to_owned(),
            commit: None,
            note,
        },
    }
}

fn from_json(bytes: &[u8]) -> Result<Vec<Answer>> {
    let answers: Vec<Answer> = serde_json::from_slice(bytes).map_err(|cause| {
        Error::new(
            "usage",
            "the answers are not a list of {finding_id, commit, note}",
        )
        .because(sanitise(&cause.to_string()))
    })?;
    if answers.is_empty() {
        return Err(Error::new("usage", "the list of answers is empty"));
    }
    Ok(answers)
}

/// The commit that holds the fix: it must be what is checked out, or in its history.
fn fix(desk: &Desk<'_>, named: Option<&str>) -> Result<CommitId> {
    let Some(named) = named else { return Ok(desk.head) };
    let commit = desk.repo.resolve(named)?;
    if commit != desk.head && !desk.repo.is_ancestor(commit, desk.head)? {
        return Err(Error::new(
            "not-on-branch",
            format!(
                "{} is not in the history of HEAD, so it does not mend this branch",
                sanitise(named)
            ),
        )
        .hint("git log --oneline"));
    }
    Ok(commit)
}

/// The exact openings that an answer is for.
fn to_close(known: &Known) -> Result<Vec<EventId>> {
    let mut closes: Vec<EventId> = board::unsettled(&known.finding)
        .map(|opening| opening.event)
        .collect();
    closes.sort_unstable();
    if closes.is_empty() {
        let id = known.finding.id.short();
        return Err(Error::new(
            "nothing-to-answer",
            format!("{id} is {} already", known.finding.state),
        )
        .hint(format!("git review-gate finding show {id}")));
    }
    Ok(closes)
}

fn remark(note: Option<String>) -> Result<Option<String>> {
    let note = note
        .map(|note| note.trim().to_owned())
        .filter(|note| !note.is_empty());
    if let Some(note) = &note
        && note.chars().count() > MAX_NOTE
    {
        return Err(Error::new(
            "usage",
            format!("the note has more than {MAX_NOTE} characters"),
        ));
    }
    Ok(note)
}

/// The user's own answers that do not hold for HEAD any more, as answers for HEAD.
fn again(desk: &Desk<'_>, note: Option<&str>) -> Result<Vec<Answer>> {
    let seen = desk.whole_view()?;
    let by = desk.by()?;
    let mine: Vec<EventId> = seen
        .events
        .iter()
        .filter(|one| seen.view.void_answers.contains(&one.event.id) && one.event.by.email == by.email)
        .map(|one| one.event.id)
        .collect();
    let mut answers = Vec::new();
    for finding in &seen.fold.findings {
        let cut_off = finding.open().any(|opening| {
            seen.events.iter().any(|one| {
                mine.contains(&one.event.id)
                    && matches!(&one.event.body, crate::model::event::Body::Resolved(body) if body.closes.contains(&opening.event))
            })
        });
        if cut_off {
            answers.push(Answer {
                finding_id: finding.id.to_hex(),
                commit: None,
                note: note.map(str::to_owned),
            });
        }
    }
    if answers.is_empty() {
        return Err(Error::new(
            "nothing-to-answer",
            "none of your answers was cut off by a rewrite",
        )
        .hint("git review-gate finding list"));
    }
    Ok(answers)
}
