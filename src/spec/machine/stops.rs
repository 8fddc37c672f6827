//! Budgets, the record of a round, and what a stop makes of the round in work.

use std::collections::BTreeMap;

use super::run::Run;
use super::{Refusal, batch, verdicts};
use crate::model::spec::event::Stop;
use crate::model::spec::sidecar::{Finding, Round};
use crate::model::spec::work::{BeforeStop, Check, Kept, Row};
use crate::model::spec::{Extra, Outcome, Phase, SrId, Status};

/// Makes a check of the budget and goes on to what it stands before, or stops the run.
pub fn pass(run: &mut Run, check: Check) -> bool {
    let planned = match check {
        Check::Reviewers(planned) | Check::Challengers(planned) => u64::from(planned),
        Check::Fixer => 1,
        Check::Rounds => 0,
    };
    let caps = run.x.caps;
    let is_within = match check {
        Check::Rounds => run.file.iterations_used < caps.rounds,
        // Every launch may have to be repeated once.
        _ => {
            run.file.dispatches_used.saturating_add(2 * planned) <= caps.dispatches
                && run.file.active_seconds < caps.seconds
        }
    };
    run.x.phase = match check {
        Check::Reviewers(_) | Check::Rounds => Phase::Idle,
        Check::Challengers(_) => Phase::Challenge,
        Check::Fixer => Phase::Fix,
    };
    if is_within {
        return true;
    }
    let state = Run {
        file: run.file.clone(),
        x: run.x.clone(),
    }
    .into_sidecar();
    halt(run, Status::StoppedBudget);
    run.x.before_stop = Some(Box::new(BeforeStop { check, state }));
    false
}

/// A stop that a person asked for.
pub fn asked(run: &mut Run, stop_event: &Stop) -> Result<(), Refusal> {
    match (run.x.phase, stop_event.reason.as_str()) {
        (Phase::Tamper, "external-edit") => stop(run, Status::StoppedExternalEdit),
        (Phase::Decide | Phase::Gate, "interaction-unavailable") if !run.is_auto() => {
            stop(run, Status::StoppedInteractionUnavailable)
        }
        _ => Err(Refusal::WrongPhase),
    }
}

/// Ends the run without convergence.
#[expect(clippy::unnecessary_wraps, reason = "each way out of a step is a result")]
pub fn stop(run: &mut Run, status: Status) -> Result<(), Refusal> {
    halt(run, status);
    Ok(())
}

fn halt(run: &mut Run, status: Status) {
    if run.x.open_round.as_ref().is_some_and(|open| open.rows.is_some()) {
        batch::fail_members(run);
        let settled = settle(run);
        // There is a sealed round, so it can be recorded.
        let _recorded = record(run, settled);
    } else {
        replace(run, |run, row| {
            (row.outcome == Outcome::FixFailed && run.is(row.sr_id, |entry| entry.unlanded))
                .then_some(Outcome::ConfirmedNotFixed)
        });
    }
    if status == Status::StoppedBudget {
        replace(run, |_, row| {
            (row.outcome == Outcome::Applied).then_some(Outcome::AppliedNotReReviewed)
        });
    }
    run.file.status = status;
    run.x.phase = Phase::Done;
    run.x.intent = None;
    run.x.interrupted = None;
}

/// Gives each row of the round in work its last outcome; returns those that were replaced.
fn settle(run: &mut Run) -> BTreeMap<SrId, Outcome> {
    let mut settled = BTreeMap::new();
    for row in run.rows().to_vec() {
        let outcome = last_outcome(run, &row);
        if outcome == Outcome::Unconfirmed
            && let Some(entry) = run.entry_mut(row.sr_id)
        {
            entry.unconfirmed = true;
        }
        if outcome == Outcome::PendingDecision {
            run.skip_question(row.sr_id);
        }
        if let Some(replaced) = row.outcome.filter(|replaced| *replaced != outcome) {
            settled.insert(row.sr_id, replaced);
        }
        run.set_outcome(row.sr_id, outcome);
    }
    settled
}

/// What a stop makes of a row.
fn last_outcome(run: &Run, row: &Row) -> Outcome {
    let id = row.sr_id;
    if run.is(id, |entry| entry.unlanded) {
        Outcome::ConfirmedNotFixed
    } else if let Some(outcome) = row.outcome.or_else(|| run.waiver(id)) {
        outcome
    } else if verdicts::left(run, row) > 0 {
        Outcome::Unconfirmed
    } else if !row.severity.is_serious() {
        Outcome::ReportedOnly
    } else if (run.is_auto() && run.is_open_question(id)) || run.is_pending(id) {
        Outcome::PendingDecision
    } else {
        Outcome::ConfirmedNotFixed
    }
}

/// Replaces outcomes of the last recorded round, and keeps what they were.
fn replace(run: &mut Run, with: impl Fn(&Run, &Finding) -> Option<Outcome>) {
    let Some(last) = run.file.rounds.last() else {
        return;
    };
    let replaced: Vec<(usize, Outcome)> = (last.findings.iter().enumerate())
        .filter_map(|(at, row)| Some((at, with(run, row)?)))
        .collect();
    let (Some(last), Some(kept)) = (run.file.rounds.last_mut(), run.x.rounds.last_mut()) else {
        return;
    };
    for (at, outcome) in replaced {
        let row = &mut last.findings[at];
        kept.settled.entry(row.sr_id).or_insert(row.outcome);
        row.outcome = outcome;
    }
}

/// Moves the sealed round in work to the recorded ones.
pub fn record(run: &mut Run, settled: BTreeMap<SrId, Outcome>) -> Result<(), Refusal> {
    let open = run.x.open_round.take().ok_or(Refusal::WrongPhase)?;
    let rows = open.rows.unwrap_or_default();
    let findings = (rows.iter())
        .map(|row| Finding {
            sr_id: row.sr_id,
            severity: row.severity,
            lenses: row.lenses.clone(),
            outcome: row.outcome.unwrap_or(if run.is_pending(row.sr_id) {
                Outcome::PendingDecision
            } else {
                Outcome::ReportedOnly
            }),
            extra: Extra::default(),
        })
        .collect();
    run.file.rounds.push(Round {
        round: open.round,
        panel: open.panel,
        panel_rationale: open.panel_rationale,
        units: open.units,
        findings,
        rejected: open.rejected,
        equivalence_log: open.equivalence_log,
        extra: Extra::default(),
    });
    run.x.rounds.push(Kept {
        round: open.round,
        source_hash: open.source_hash,
        returned: open.returned,
        not_returned: open.not_returned,
        carried: rows
            .iter()
            .filter(|row| !row.found)
            .map(|row| row.sr_id)
            .collect(),
        verdicts: open.verdicts,
        raw: open.raw,
        notes: open.notes,
        settled,
    });
    run.file.iterations_used += 1;
    Ok(())
}
