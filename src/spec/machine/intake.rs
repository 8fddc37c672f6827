//! The panel and what its reviewers return.

use std::collections::BTreeSet;

use super::Refusal;
use super::run::Run;
use super::stops;
use crate::model::spec::event::{Absent, Intake, Panel};
use crate::model::spec::sidecar::Rejected;
use crate::model::spec::work::{Check, NotReturned, OpenRound, Raw};
use crate::model::spec::{Extra, Lens, Phase};

/// Opens a round.
pub fn panel(run: &mut Run, panel: &Panel) -> Result<(), Refusal> {
    let lenses: Vec<Lens> = (panel.lenses.iter())
        .map(|lens| lens.parse().map_err(|_| Refusal::BadPanel))
        .collect::<Result<_, _>>()?;
    let different: BTreeSet<Lens> = lenses.iter().copied().collect();
    let is_good = (3..=6).contains(&lenses.len())
        && different.len() == lenses.len()
        && Lens::CORE.iter().all(|core| different.contains(core));
    if !is_good {
        return Err(Refusal::BadPanel);
    }
    let planned = u32::try_from(lenses.len()).expect("a panel has at most six lenses");
    if !stops::pass(run, Check::Reviewers(planned)) {
        return Ok(());
    }
    run.x.open_round = Some(OpenRound {
        round: run.file.iterations_used + 1,
        source_hash: run.file.last_written_hash.clone(),
        panel: lenses,
        panel_rationale: panel.rationale.clone(),
        units: panel.units.clone(),
        returned: Vec::new(),
        not_returned: Vec::new(),
        raw: Vec::new(),
        rejected: Vec::new(),
        equivalence_log: Vec::new(),
        rows: None,
        verdicts: Vec::new(),
        batch: Vec::new(),
        results: None,
        groups: Vec::new(),
        notes: Vec::new(),
    });
    run.x.phase = Phase::Panel;
    Ok(())
}

/// Takes in what a reviewer found.
pub fn intake(run: &mut Run, intake: &Intake) -> Result<(), Refusal> {
    let lens = expected(run, &intake.lens)?;
    let open = run.open()?;
    open.returned.push(lens);
    for (at, finding) in intake.findings.iter().enumerate() {
        open.raw.push(Raw {
            reference: format!("r{}.{lens}.{}", open.round, at + 1),
            sr_id: None,
            lens,
            severity: finding.severity,
            location: finding.location.clone(),
            slug: finding.slug.clone(),
            description: finding.description.clone(),
            proposed_fix: finding.proposed_fix.clone(),
            needs_decision: finding.needs_decision,
            extra: finding.extra.clone(),
        });
    }
    open.rejected
        .extend(intake.rejected.iter().map(|candidate| Rejected {
            lens,
            candidate: candidate.clone(),
            extra: Extra::default(),
        }));
    complete(run)
}

/// Takes in that a reviewer failed twice.
pub fn absent(run: &mut Run, absent: &Absent) -> Result<(), Refusal> {
    let lens = expected(run, &absent.lens)?;
    let reason = absent.reason.clone();
    run.open()?.not_returned.push(NotReturned { lens, reason });
    complete(run)
}

/// A lens that is still out.
fn expected(run: &mut Run, name: &str) -> Result<Lens, Refusal> {
    let open = run.open()?;
    let lens = name.parse().map_err(|_| Refusal::LensNotInPanel)?;
    if !open.panel.contains(&lens) {
        return Err(Refusal::LensNotInPanel);
    }
    if open.returned.contains(&lens) || open.not_returned.iter().any(|out| out.lens == lens) {
        return Err(Refusal::LensAlreadyIn);
    }
    Ok(lens)
}

/// With the last lens in, puts everything in the order of the panel, whatever order it came in.
fn complete(run: &mut Run) -> Result<(), Refusal> {
    let open = run.open()?;
    if open.returned.len() + open.not_returned.len() < open.panel.len() {
        return Ok(());
    }
    let panel = open.panel.clone();
    let place = |lens: Lens| panel.iter().position(|other| *other == lens);
    open.returned.sort_by_key(|lens| place(*lens));
    open.not_returned.sort_by_key(|out| place(out.lens));
    open.raw.sort_by_key(|raw| place(raw.lens));
    open.rejected.sort_by_key(|rejected| place(rejected.lens));
    run.x.phase = Phase::Match;
    Ok(())
}
