//! `quality show`: what is recorded on a commit.

use super::place::Place;
use super::record;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::model::ids::CommitId;
use crate::model::outcome::quality::{Recorded, Records};
use crate::model::quality::Decision;
use crate::model::text::sanitise;
use crate::ops::ledger::Ledger;
use crate::quality::stored::Stored;

/// The exit code: 0 only where the record that counts is PASS.
pub fn exit(records: &Records) -> Exit {
    let passes = records
        .records
        .iter()
        .any(|one| one.counts && one.decision == Some(Decision::Pass));
    if passes { Exit::Pass } else { Exit::Undecided }
}

/// Every record of a commit, the earliest first; none is an error.
pub fn run(revision: Option<&str>) -> Result<Records> {
    let place = Place::find(revision)?;
    let commit = place.commit()?;
    let policy = place.policy()?;
    let ledger = Ledger::open(place.repo()?, &policy.sync.notes_prefix)?;
    let held = record::all(&ledger, commit)?;
    if held.is_empty() {
        if let Some(trouble) = ledger.troubles()?.into_iter().next() {
            return Err(trouble);
        }
        return Err(none(commit));
    }
    let records = held.into_iter().map(|one| {
        let (decision, overview, fault) = match one.stored {
            Ok(stored) => (Some(stored.decision), Some(overview(stored)), None),
            Err(why) => (None, None, Some(sanitise(&why))),
        };
        Recorded {
            event: one.event,
            by: one.by,
            at: one.at,
            counts: one.counts,
            decision,
            overview,
            fault,
            text: one.text,
        }
    });
    Ok(Records {
        commit,
        records: records.collect(),
    })
}

fn none(commit: CommitId) -> Error {
    Error::new(
        "no-record",
        format!("commit {} has no quality record", commit.short()),
    )
    .hint("git review-gate quality evaluate --input FILE --record")
    .hint("git review-gate sync")
}

fn overview(stored: Stored) -> crate::model::quality::Overview {
    crate::model::quality::Overview {
        run_id: stored.run_id,
        commit: stored.commit,
        decision: stored.decision,
        areas: stored.areas,
        gates: stored.gates,
        warnings: Vec::new(),
        input_error: stored.input_error,
        baseline_error: None,
    }
}
