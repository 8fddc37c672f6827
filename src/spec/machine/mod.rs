//! The rules of the loop: one pure function from a state and an event to the next state.

mod batch;
mod intake;
mod matching;
mod resume;
mod run;
mod stops;
mod tests;
mod verdicts;

pub use self::matching::{Outstanding, pairs_outstanding};

use self::run::Run;
use crate::model::spec::event::Spent;
use crate::model::spec::{Event, Phase, Sidecar};
use crate::model::words::words;

words! {
    /// Why an event is refused.
    Refusal {
        /// Not in this phase.
        WrongPhase = "wrong-phase",
        /// No event of this name and shape.
        UnknownEvent = "unknown-event",
        /// Not three to six different lenses with both core ones.
        BadPanel = "bad-panel",
        /// The panel has no such lens.
        LensNotInPanel = "lens-not-in-panel",
        /// The lens has returned, or failed, before.
        LensAlreadyIn = "lens-already-in",
        /// No finding or live entry of this name.
        UnknownRef = "unknown-ref",
        /// A finding and itself.
        SameRef = "same-ref",
        /// Two entries are never judged.
        TwoEntries = "two-entries",
        /// Different sections are never judged.
        DifferentSlugs = "different-slugs",
        /// Would make two entries one.
        JoinsTwoEntries = "joins-two-entries",
        /// Against what follows from earlier answers.
        Contradiction = "contradiction",
        /// A pair is not judged.
        PairsOutstanding = "pairs-outstanding",
        /// A new defect has no phrase.
        PhraseMissing = "phrase-missing",
        /// No phrase, or more than one for a defect.
        BadPhrase = "bad-phrase",
        /// The entry has its phrase.
        PhraseForKnownEntry = "phrase-for-known-entry",
        /// Two defects with one section and one phrase.
        SameKey = "same-key",
        /// No verdict is wanted on it.
        NoVerdictWanted = "no-verdict-wanted",
        /// A refutation says why.
        NoJustification = "no-justification",
        /// An accepted decision has an edit that changes something.
        BadEdit = "bad-edit",
        /// Not a decision that a person can make here.
        BadDecision = "bad-decision",
        /// Nothing is asked about it.
        NoOpenQuestion = "no-open-question",
        /// Not exactly the members of the batch.
        BatchMismatch = "batch-mismatch",
        /// Said to be gone, but found in this round.
        ObsoleteButFound = "obsolete-but-found",
        /// No such group.
        UnknownGroup = "unknown-group",
        /// Not the bytes that were to be written.
        HashMismatch = "hash-mismatch",
        /// The bytes are what they should be.
        NotTampered = "not-tampered",
        /// No cap is higher, or one is lower.
        NotRaised = "not-raised",
        /// Only a stop for the budget can be reopened.
        NotBudgetStopped = "not-budget-stopped",
        /// The run has not ended.
        NotTerminal = "not-terminal",
        /// The text is the one that was reviewed.
        SameHash = "same-hash",
    }
}

/// Reads an event; one of another name or shape is unknown.
pub fn read_event(value: serde_json::Value) -> Result<Event, Refusal> {
    serde_json::from_value(value).map_err(|_| Refusal::UnknownEvent)
}

/// The state after an event. A refused event changes nothing.
pub fn apply(state: Option<&Sidecar>, event: &Event) -> Result<Sidecar, Refusal> {
    let Some(state) = state else {
        return match event {
            Event::Init(init) => Ok(resume::first_run(init)),
            Event::Import(import) => Ok(resume::imported(import)),
            _ => Err(Refusal::WrongPhase),
        };
    };
    let mut run = Run::of(state)?;
    step(&mut run, event)?;
    Ok(run.into_sidecar())
}

fn step(run: &mut Run, event: &Event) -> Result<(), Refusal> {
    use Phase::{Challenge, Decide, Done, Fix, Gate, Idle, Match, Tamper, Write};
    match event {
        Event::Init(_) | Event::Import(_) => Err(Refusal::WrongPhase),
        Event::Panel(panel) => run.within(&[Idle]).and_then(|()| intake::panel(run, panel)),
        Event::Intake(intake) => {
            run.within(&[Phase::Panel])?;
            spend(run, intake.spent, 1);
            intake::intake(run, intake)
        }
        Event::Absent(absent) => {
            run.within(&[Phase::Panel])?;
            spend(run, absent.spent, 2);
            intake::absent(run, absent)
        }
        Event::Equate(equate) => run.within(&[Match]).and_then(|()| matching::equate(run, equate)),
        Event::Seal(seal) => run.within(&[Match]).and_then(|()| matching::seal(run, seal)),
        Event::Verdict(given) => {
            run.within(&[Challenge])?;
            let is_missing = given.verdict == crate::model::spec::Verdict::Missing;
            spend(run, given.spent, if is_missing { 2 } else { 1 });
            verdicts::verdict(run, given)
        }
        Event::Decide(decide) => run.within(&[Decide]).and_then(|()| batch::decide(run, decide)),
        Event::Fixes(fixes) => {
            run.within(&[Fix, Gate])?;
            spend(run, fixes.spent, if fixes.missing { 2 } else { 1 });
            batch::fixes(run, fixes)
        }
        Event::Gate(gate) => run.within(&[Gate]).and_then(|()| batch::gate(run, gate)),
        Event::Writing(writing) => {
            run.within(&[Write])?;
            batch::writing(run, writing)
        }
        Event::Unwritten => {
            run.within(&[Write])?;
            // Without a write that has begun there is nothing to take back.
            run.x.intent.take().map(|_| ()).ok_or(Refusal::HashMismatch)
        }
        Event::Landed(landed) => run.within(&[Write]).and_then(|()| batch::landed(run, landed)),
        Event::Tampered(found) => {
            if run.x.phase == Done {
                return Err(Refusal::WrongPhase);
            }
            resume::tampered(run, found)
        }
        Event::Adopt(adopt) => run.within(&[Tamper]).and_then(|()| resume::adopt(run, adopt)),
        Event::Stop(stop) => stops::asked(run, stop),
        Event::Raise(raised) => run.within(&[Done]).and_then(|()| resume::raise(run, raised)),
        Event::NewRun(new) => resume::new_run(run, new),
    }
}

/// Counts what an event cost before anything is judged by it.
fn spend(run: &mut Run, spent: Spent, usual: u32) {
    let launches = u64::from(spent.attempts.unwrap_or(usual));
    run.file.dispatches_used = run.file.dispatches_used.saturating_add(launches);
    run.file.active_seconds = run.file.active_seconds.saturating_add(spent.seconds);
}
