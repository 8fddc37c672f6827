//! How a run begins, goes on after a change from outside or a raise, and how another follows it.

use std::collections::{BTreeMap, BTreeSet};

use super::Refusal;
use super::run::Run;
use super::stops;
use crate::model::spec::event::{Adopt, Import, Init, NewRun, Raised, Tampered};
use crate::model::spec::work::{Raise, Stale, Totals, VERSION};
use crate::model::spec::{Caps, Extra, Mode, Phase, ReviewGate, Sidecar, Status, work};
use crate::spec::slug;

/// The state of a run that begins.
pub fn first_run(init: &Init) -> Sidecar {
    let x = begun(init.mode, init.caps, &init.anchor, 1, 1, &init.hash);
    Sidecar {
        spec_path: init.spec_path.clone(),
        last_written_hash: init.hash.clone(),
        status: Status::InProgress,
        run: 1,
        iterations_used: 0,
        dispatches_used: 0,
        active_seconds: 0,
        decisions: BTreeMap::new(),
        registry: Vec::new(),
        rounds: Vec::new(),
        x_review_gate: Some(Box::new(x)),
        extra: Extra::default(),
    }
}

/// The state of a run that another tool began: what that tool recorded, and nothing in work.
pub fn imported(import: &Import) -> Sidecar {
    let mut file = (*import.sidecar).clone();
    let registry = file.registry.iter().map(|entry| entry.sr_id);
    let rows = file
        .rounds
        .iter()
        .flat_map(|round| &round.findings)
        .map(|row| row.sr_id);
    let highest = registry.chain(rows).chain(file.decisions.keys().copied()).max();
    let next = highest.map_or(1, |id| id.0.saturating_add(1));
    let hash = file.last_written_hash.clone();
    let mut x = begun(import.mode, import.caps, &import.anchor, file.run, next, &hash);
    if file.status != Status::InProgress {
        x.phase = Phase::Done;
    }
    file.x_review_gate = Some(Box::new(x));
    file
}

fn begun(mode: Mode, caps: Caps, anchor: &str, run: u32, first_id: u32, hash: &str) -> ReviewGate {
    ReviewGate {
        version: VERSION,
        anchor: anchor.to_owned(),
        log_head: String::new(),
        seq: 0,
        mode,
        phase: Phase::Idle,
        caps,
        raises: Vec::new(),
        next_id: first_id,
        stale: Vec::new(),
        aliases: BTreeMap::new(),
        pending: Vec::new(),
        owed: Vec::new(),
        runs: vec![started(run, anchor, first_id, hash)],
        intent: None,
        open_round: None,
        rounds: Vec::new(),
        interrupted: None,
        before_stop: None,
        extra: Extra::default(),
    }
}

fn started(run: u32, anchor: &str, first_id: u32, hash: &str) -> work::Run {
    work::Run {
        run,
        anchor: anchor.to_owned(),
        first_id,
        pre_hash: hash.to_owned(),
        snapshot: None,
        archives: Vec::new(),
        totals: None,
        extra: Extra::default(),
    }
}

/// Takes in that the spec has other bytes.
pub fn tampered(run: &mut Run, found: &Tampered) -> Result<(), Refusal> {
    if found.hash == run.file.last_written_hash {
        return Err(Refusal::NotTampered);
    }
    if run.is_auto() {
        return stops::stop(run, Status::StoppedExternalEdit);
    }
    if run.x.phase != Phase::Tamper {
        run.x.interrupted = Some(run.x.phase);
        run.x.phase = Phase::Tamper;
    }
    Ok(())
}

/// Goes on with the bytes that were found.
pub fn adopt(run: &mut Run, adopt: &Adopt) -> Result<(), Refusal> {
    let interrupted = run.x.interrupted.take().ok_or(Refusal::WrongPhase)?;
    run.file.last_written_hash.clone_from(&adopt.hash);
    run.x.phase = match interrupted {
        Phase::Challenge | Phase::Decide => interrupted,
        Phase::Fix | Phase::Gate | Phase::Write => {
            run.x.intent = None;
            let open = run.open()?;
            open.results = None;
            open.groups.clear();
            Phase::Fix
        }
        // The panel read another text, so the round starts again; what it cost stays spent.
        _ => {
            run.x.open_round = None;
            Phase::Idle
        }
    };
    drop_stale(run, &adopt.slugs);
    Ok(())
}

/// Drops entries without a row whose section is gone.
fn drop_stale(run: &mut Run, slugs: &[String]) {
    let present: BTreeSet<&str> = slugs.iter().map(String::as_str).collect();
    let in_work: BTreeSet<_> = run.rows().iter().map(|row| row.sr_id).collect();
    let gone: Vec<_> = run
        .live()
        .filter(|entry| !in_work.contains(&entry.sr_id))
        .filter(|entry| !slug::is_reserved(&entry.slug))
        .filter(|entry| {
            !present.contains(entry.slug.as_str()) && !present.contains(run.current_slug(&entry.slug))
        })
        .map(|entry| {
            let id = entry.sr_id;
            let was = [
                ("unlanded", entry.unlanded),
                ("unconfirmed", entry.unconfirmed),
                ("pending", run.is_pending(id)),
                ("owed", run.x.owed.contains(&id)),
            ];
            let was = was
                .iter()
                .filter(|(_, is)| *is)
                .map(|(word, _)| (*word).to_owned())
                .collect();
            Stale { sr_id: id, was }
        })
        .collect();
    for stale in gone {
        run.clear_unlanded(stale.sr_id);
        run.forget_owed(stale.sr_id);
        run.x.stale.push(stale);
    }
    run.x.stale.sort_by_key(|stale| stale.sr_id);
}

/// Goes back to before the check that stopped the run, and makes it again with higher caps.
pub fn raise(run: &mut Run, raised: &Raised) -> Result<(), Refusal> {
    if run.file.status != Status::StoppedBudget {
        return Err(Refusal::NotBudgetStopped);
    }
    let (old, new) = (run.x.caps, raised.caps);
    let is_lower = new.rounds < old.rounds || new.dispatches < old.dispatches || new.seconds < old.seconds;
    if is_lower || new == old {
        return Err(Refusal::NotRaised);
    }
    // A stop that another tool recorded does not say what was before it.
    let before = run.x.before_stop.take().ok_or(Refusal::NotBudgetStopped)?;
    let mut back = Run::of(&before.state)?;
    back.x.log_head.clone_from(&run.x.log_head);
    back.x.seq = run.x.seq;
    back.x.caps = new;
    back.x.raises.push(Raise {
        seq: run.x.seq + 1,
        caps: new,
        by: raised.by.clone(),
    });
    stops::pass(&mut back, before.check);
    *run = back;
    Ok(())
}

/// Begins another run on a text that was changed after the end.
pub fn new_run(run: &mut Run, new: &NewRun) -> Result<(), Refusal> {
    if run.x.phase != Phase::Done {
        return Err(Refusal::NotTerminal);
    }
    if new.hash == run.file.last_written_hash {
        return Err(Refusal::SameHash);
    }
    if let Some(last) = run.x.runs.last_mut() {
        last.totals = Some(Totals {
            rounds: run.file.iterations_used,
            dispatches: run.file.dispatches_used,
            seconds: run.file.active_seconds,
        });
    }
    let file = &mut run.file;
    file.status = Status::InProgress;
    file.run = file.run.saturating_add(1);
    file.last_written_hash.clone_from(&new.hash);
    file.rounds.clear();
    (file.iterations_used, file.dispatches_used, file.active_seconds) = (0, 0, 0);
    let next = started(file.run, &new.anchor, run.x.next_id, &new.hash);
    let x = &mut run.x;
    x.runs.push(next);
    x.anchor.clone_from(&new.anchor);
    (x.log_head, x.seq) = (String::new(), 0);
    (x.mode, x.caps, x.phase) = (new.mode, new.caps, Phase::Idle);
    x.raises.clear();
    x.rounds.clear();
    (x.open_round, x.intent, x.before_stop, x.interrupted) = (None, None, None, None);
    drop_stale(run, &new.slugs);
    Ok(())
}
