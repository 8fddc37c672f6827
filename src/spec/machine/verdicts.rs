//! Verdicts, and what a full set of them says.

use super::run::Run;
use super::{Refusal, tests};
use crate::model::spec::event::VerdictGiven;
use crate::model::spec::work::{Given, Row};
use crate::model::spec::{Outcome, SrId, Verdict};

/// Takes in a verdict.
pub fn verdict(run: &mut Run, given: &VerdictGiven) -> Result<(), Refusal> {
    let id = given.sr_id;
    let is_wanted = run.rows().iter().any(|row| row.sr_id == id && left(run, row) > 0);
    if !is_wanted {
        return Err(Refusal::NoVerdictWanted);
    }
    if given.verdict == Verdict::Refute && given.justification.trim().is_empty() {
        return Err(Refusal::NoJustification);
    }
    run.open()?.verdicts.push(Given {
        sr_id: id,
        verdict: given.verdict,
        justification: given.justification.clone(),
    });
    if run
        .rows()
        .iter()
        .any(|row| row.sr_id == id && left(run, row) == 0)
    {
        fold(run, id);
    }
    if run.rows().iter().any(|row| left(run, row) > 0) {
        return Ok(());
    }
    tests::all(run)
}

/// How many verdicts a row still wants.
pub fn left(run: &Run, row: &Row) -> usize {
    (row.wanted as usize).saturating_sub(given(run, row.sr_id).len())
}

fn given(run: &Run, id: SrId) -> Vec<Verdict> {
    (run.x.open_round.iter())
        .flat_map(|open| &open.verdicts)
        .filter(|given| given.sr_id == id)
        .map(|given| given.verdict)
        .collect()
}

/// What a full set says of an entry.
fn fold(run: &mut Run, id: SrId) {
    let verdicts = given(run, id);
    let is_missing = verdicts.contains(&Verdict::Missing);
    let is_upheld = verdicts.contains(&Verdict::Uphold);
    let is_split = is_upheld && verdicts.contains(&Verdict::Refute);
    if let Some(entry) = run.entry_mut(id) {
        entry.unconfirmed = is_missing;
        entry.needs_decision |= is_split && !is_missing;
    }
    if is_missing {
        run.set_outcome(id, Outcome::Unconfirmed);
    } else if !is_upheld {
        run.forget_owed(id);
        run.set_outcome(id, Outcome::Refuted);
    }
}
