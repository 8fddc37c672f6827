//! Decisions, the batch of fixes, its approval and its write.

use std::collections::{BTreeMap, BTreeSet};

use super::run::Run;
use super::{Refusal, stops, tests};
use crate::model::spec::event::{Decide, Gate, Landed, Writing};
use crate::model::spec::sidecar::DecisionMade;
use crate::model::spec::work::{Check, Intent};
use crate::model::spec::{Choice, Decision, Extra, FixResult, Fixes, Mode, Outcome, Phase, SrId, Status};
use crate::spec::slug;

/// Takes in a person's answer.
pub fn decide(run: &mut Run, said: &Decide) -> Result<(), Refusal> {
    let decision = match said.decision.as_str() {
        "keep-as-is" => Decision::KeepAsIs,
        "accepted" => Decision::Accepted,
        _ => return Err(Refusal::BadDecision),
    };
    let id = said.sr_id;
    if !tests::significant(run).contains(&id) || !run.is_open_question(id) {
        return Err(Refusal::NoOpenQuestion);
    }
    let edit = match (decision, &said.edit) {
        (Decision::Accepted, Some(edit)) if !edit.old.is_empty() && edit.old != edit.new => {
            Some(edit.clone())
        }
        (Decision::Accepted, _) => return Err(Refusal::BadEdit),
        _ => None,
    };
    run.forget_owed(id);
    if edit.is_some() {
        run.x.owed.push(id);
        run.x.owed.sort_unstable();
    } else {
        run.set_outcome(id, Outcome::AcceptedRisk);
    }
    run.file.decisions.insert(
        id,
        DecisionMade {
            decision,
            edit,
            extra: Extra::default(),
        },
    );
    if tests::significant(run)
        .into_iter()
        .any(|id| run.is_open_question(id))
    {
        return Ok(());
    }
    start(run)
}

/// Makes the batch; without members the round is over.
pub fn start(run: &mut Run) -> Result<(), Refusal> {
    let significant = tests::significant(run);
    let batch: Vec<SrId> = (run.rows().iter())
        .filter(|row| {
            let id = row.sr_id;
            let is_left = run.waiver(id).is_some() || run.is_open_question(id);
            run.is(id, |entry| entry.unlanded)
                || (!is_left && (!row.severity.is_serious() || significant.contains(&id)))
        })
        .map(|row| row.sr_id)
        .collect();
    if batch.is_empty() {
        return close(run);
    }
    let needs_fixer = batch.iter().any(|id| !run.has_stored_pair(*id));
    run.open()?.batch = batch;
    if needs_fixer {
        stops::pass(run, Check::Fixer);
    } else {
        run.x.phase = Phase::Fix;
    }
    Ok(())
}

/// Ends a round that has nothing to write.
fn close(run: &mut Run) -> Result<(), Refusal> {
    if tests::converges(run)? {
        return Ok(());
    }
    finish(run)
}

/// Records the round; the next one may start if there is one.
fn finish(run: &mut Run) -> Result<(), Refusal> {
    stops::record(run, BTreeMap::new())?;
    stops::pass(run, Check::Rounds);
    Ok(())
}

/// Takes in what became of the batch.
pub fn fixes(run: &mut Run, fixes: &Fixes) -> Result<(), Refusal> {
    let batch: BTreeSet<SrId> = run.open()?.batch.iter().copied().collect();
    let mut results = fixes.results.clone();
    if fixes.missing {
        for id in batch.iter().filter(|id| !run.has_stored_pair(**id)) {
            let failed = FixResult::Failed {
                why: "missing".to_owned(),
            };
            if results.insert(*id, failed).is_some() {
                return Err(Refusal::BatchMismatch);
            }
        }
    }
    if !results.keys().eq(batch.iter()) {
        return Err(Refusal::BatchMismatch);
    }
    let is_found = |id: &SrId| run.rows().iter().any(|row| row.sr_id == *id && row.found);
    if results
        .iter()
        .any(|(id, result)| matches!(result, FixResult::Obsolete { .. }) && is_found(id))
    {
        return Err(Refusal::ObsoleteButFound);
    }
    let groups = groups(&results);
    let open = run.open()?;
    open.results = Some(results);
    open.notes.extend(fixes.notes.clone());
    open.groups.clear();
    if groups.is_empty() {
        settle_unwritten(run);
        return close(run);
    }
    if run.x.mode == Mode::Approve {
        run.x.phase = Phase::Gate;
    } else {
        run.open()?.groups = groups.into_iter().collect();
        run.x.phase = Phase::Write;
    }
    Ok(())
}

fn groups(results: &BTreeMap<SrId, FixResult>) -> BTreeSet<String> {
    (results.values())
        .filter_map(|result| match result {
            FixResult::Ok { group } => Some(group.clone()),
            _ => None,
        })
        .collect()
}

fn results(run: &Run) -> BTreeMap<SrId, FixResult> {
    (run.x.open_round.as_ref())
        .and_then(|open| open.results.clone())
        .unwrap_or_default()
}

/// Gives members that failed, or are gone, their outcome.
fn settle_unwritten(run: &mut Run) {
    fail_members(run);
    for (id, result) in results(run) {
        if matches!(result, FixResult::Obsolete { .. }) {
            run.clear_unlanded(id);
            run.forget_owed(id);
            run.set_outcome(id, Outcome::Obsolete);
        }
    }
}

/// Gives members that failed their outcome and flag.
pub fn fail_members(run: &mut Run) {
    for (id, result) in results(run) {
        let has_none = run
            .rows()
            .iter()
            .any(|row| row.sr_id == id && row.outcome.is_none());
        if has_none && matches!(result, FixResult::Failed { .. }) {
            run.fail_fix(id);
        }
    }
}

/// Takes in the answer at the gate.
pub fn gate(run: &mut Run, gate: &Gate) -> Result<(), Refusal> {
    let known = groups(&results(run));
    let chosen: BTreeSet<String> = match gate.choice {
        Choice::Approve => known,
        Choice::Subset => {
            if !gate.groups.iter().all(|group| known.contains(group)) {
                return Err(Refusal::UnknownGroup);
            }
            gate.groups.iter().cloned().collect()
        }
        Choice::Decline => BTreeSet::new(),
        Choice::Unavailable => return stops::stop(run, Status::StoppedInteractionUnavailable),
    };
    if chosen.is_empty() {
        settle_unwritten(run);
        for (id, result) in results(run) {
            if matches!(result, FixResult::Ok { .. }) {
                decline(run, id);
            }
        }
        return stops::stop(run, Status::StoppedUserDeclined);
    }
    run.open()?.groups = chosen.into_iter().collect();
    run.x.phase = Phase::Write;
    Ok(())
}

/// Notes that a person left an entry out; this stays.
fn decline(run: &mut Run, id: SrId) {
    let decision = DecisionMade {
        decision: Decision::Declined,
        edit: None,
        extra: Extra::default(),
    };
    run.file.decisions.insert(id, decision);
    run.clear_unlanded(id);
    run.forget_owed(id);
    run.set_outcome(id, Outcome::Declined);
}

/// Notes that a write begins.
pub fn writing(run: &mut Run, writing: &Writing) -> Result<(), Refusal> {
    let groups = run.open()?.groups.clone();
    run.x.intent = Some(Intent {
        from: writing.from.clone(),
        to: writing.to.clone(),
        groups,
    });
    Ok(())
}

/// Takes in that the write happened.
pub fn landed(run: &mut Run, landed: &Landed) -> Result<(), Refusal> {
    let is_meant = (run.x.intent.as_ref())
        .is_some_and(|intent| intent.to == landed.hash && intent.from == run.file.last_written_hash);
    if !is_meant {
        return Err(Refusal::HashMismatch);
    }
    run.x.intent = None;
    run.file.last_written_hash.clone_from(&landed.hash);
    let chosen = run.open()?.groups.clone();
    settle_unwritten(run);
    for (id, result) in results(run) {
        match result {
            FixResult::Ok { group } if chosen.contains(&group) => {
                run.clear_unlanded(id);
                run.forget_owed(id);
                run.set_outcome(id, Outcome::Applied);
            }
            FixResult::Ok { .. } => decline(run, id),
            FixResult::Failed { .. } | FixResult::Obsolete { .. } => {}
        }
    }
    if let Some(units) = &landed.units {
        rename(run, units)?;
    }
    finish(run)
}

/// The loop's own edit may rename sections; entries go on under the old slug.
fn rename(run: &mut Run, units: &[String]) -> Result<(), Refusal> {
    let before = run.open()?.units.clone();
    if before.len() != units.len() {
        return Ok(());
    }
    let old = slug::slugs(before.iter().map(String::as_str));
    let new = slug::slugs(units.iter().map(String::as_str));
    for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
        run.x.aliases.insert(old, new);
    }
    Ok(())
}
