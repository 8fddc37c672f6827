//! What a round comes to once its verdicts are in: the tests, in their order.

use std::collections::BTreeSet;

use super::run::Run;
use super::{Refusal, batch, stops};
use crate::model::spec::{Lens, Outcome, Phase, Severity, SrId, Status};

/// Makes all tests, and goes where the first that holds leads.
pub fn all(run: &mut Run) -> Result<(), Refusal> {
    let significant = significant(run);
    let questions: Vec<SrId> = significant
        .iter()
        .copied()
        .filter(|id| run.is_open_question(*id))
        .collect();
    if run.is_auto() {
        for id in &questions {
            run.skip_question(*id);
            run.set_outcome(*id, Outcome::PendingDecision);
        }
        if !questions.is_empty() && questions.len() == significant.len() {
            return stops::stop(run, Status::StoppedPendingDecisions);
        }
    }
    let round = run.open()?.round;
    if is_back(run, round, &significant) {
        return stops::stop(run, Status::StoppedOscillation);
    }
    let now = compared(run, round);
    if round >= 2 && !now.is_empty() && now == compared(run, round - 1) {
        return stops::stop(run, Status::StoppedNoProgress);
    }
    if converges(run)? {
        return Ok(());
    }
    if !run.is_auto() && !questions.is_empty() {
        run.x.phase = Phase::Decide;
        return Ok(());
    }
    batch::start(run)
}

/// Ends the run if nothing serious is left; made again when a round has nothing to write.
pub fn converges(run: &mut Run) -> Result<bool, Refusal> {
    let returned = run.open()?.returned.clone();
    let is_clean = significant(run).is_empty()
        && !run.live().any(|entry| entry.unlanded || entry.unconfirmed)
        && Lens::CORE.iter().all(|core| returned.contains(core));
    if !is_clean {
        return Ok(false);
    }
    let is_shallow = !run.open()?.not_returned.is_empty()
        || run.x.rounds.iter().any(|round| !round.not_returned.is_empty());
    stops::record(run, std::collections::BTreeMap::new())?;
    run.file.status = if is_shallow {
        Status::ConvergedLowConfidence
    } else {
        Status::Converged
    };
    run.x.phase = Phase::Done;
    Ok(true)
}

/// The serious rows of the round in work that stand.
pub fn significant(run: &Run) -> Vec<SrId> {
    let is_gone = |outcome| {
        matches!(
            outcome,
            Outcome::Refuted | Outcome::Unconfirmed | Outcome::Obsolete
        )
    };
    run.rows()
        .iter()
        .filter(|row| row.severity.is_serious() && !row.outcome.is_some_and(is_gone))
        .map(|row| row.sr_id)
        .filter(|id| run.waiver(*id).is_none())
        .collect()
}

/// Whether a significant defect was fixed two rounds ago.
fn is_back(run: &Run, round: u32, significant: &[SrId]) -> bool {
    let earlier = run.file.rounds.iter().find(|earlier| earlier.round + 2 == round);
    earlier.is_some_and(|earlier| {
        (earlier.findings.iter())
            .any(|row| row.outcome == Outcome::Applied && significant.contains(&row.sr_id))
    })
}

/// The defects of a round that show whether the loop gets anywhere, by the flags of now.
fn compared(run: &Run, round: u32) -> BTreeSet<SrId> {
    let row = |id: SrId, severity: Severity, outcome: Option<Outcome>| (id, severity, outcome);
    let rows: Vec<_> = match run.x.open_round.as_ref().filter(|open| open.round == round) {
        Some(_) => run
            .rows()
            .iter()
            .map(|r| row(r.sr_id, r.severity, r.outcome))
            .collect(),
        None => (run.file.rounds.iter().filter(|recorded| recorded.round == round))
            .flat_map(|recorded| &recorded.findings)
            .map(|r| row(r.sr_id, r.severity, Some(r.outcome)))
            .collect(),
    };
    let stands = |(id, severity, outcome): &(SrId, Severity, Option<Outcome>)| {
        let Some(entry) = run.file.entry(*id).filter(|_| !run.is_stale(*id)) else {
            return false;
        };
        if entry.unlanded {
            // After one failure the retry has not been tried yet.
            return entry.fix_failures > 1;
        }
        severity.is_serious()
            && !matches!(outcome, Some(Outcome::Refuted | Outcome::Unconfirmed))
            && !entry.unconfirmed
            && !run.is_pending(*id)
            && run.waiver(*id).is_none()
    };
    rows.into_iter().filter(stands).map(|(id, ..)| id).collect()
}
