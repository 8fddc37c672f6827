//! Laws of the state machine, over random legal sequences of events.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::model::spec::{Decision, Lens, Outcome, Phase, ReviewGate, Sidecar, Status};
use git_review_gate::spec::machine::{apply, pairs_outstanding, read_event};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Answers "which of so many", from bytes that the test shrinks.
struct Dice<'a>(std::slice::Iter<'a, u8>);

impl Dice<'_> {
    fn of(&mut self, sides: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % sides)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.of(from.len())].clone()
    }
}

const CORE: [&str; 3] = ["internal-consistency", "ambiguity-testability", "completeness"];

fn hash(dice: &mut Dice) -> String {
    dice.pick(&["a", "b", "c", "d", "e", "f"]).repeat(64)
}

fn caps(dice: &mut Dice) -> Value {
    json!({"rounds": 1 + dice.of(5), "dispatches": 3 + dice.of(60), "seconds": 40 + dice.of(200)})
}

fn begin(dice: &mut Dice) -> Value {
    let mode = dice.pick(&["approve", "no-approve", "auto"]);
    json!({"e": "init", "spec_path": "docs/superpowers/specs/a.md", "hash": "a".repeat(64), "mode": mode, "caps": caps(dice)})
}

/// An event that suits the phase; now and then a change from outside.
fn next(state: &Sidecar, dice: &mut Dice, nth: usize) -> Value {
    let x = state.x_review_gate.as_deref().unwrap();
    if x.phase != Phase::Done && x.phase != Phase::Tamper && dice.of(25) == 1 {
        return json!({"e": "tampered", "hash": hash(dice)});
    }
    match x.phase {
        Phase::Idle => json!({"e": "panel", "lenses": CORE, "rationale": "r", "units": ["Goal", "Scope"]}),
        Phase::Panel => intake(x, dice),
        Phase::Match => match pairs_outstanding(state).first() {
            Some(pair) => json!({"e": "equate", "a": pair.a, "b": pair.b, "match": dice.of(2) == 0}),
            None => seal(state, x, nth),
        },
        Phase::Challenge => {
            let rows = x.open_round.as_ref().unwrap().rows.clone().unwrap();
            let row = dice.pick(&rows);
            let verdict = dice.pick(&["uphold", "uphold", "refute", "missing"]);
            json!({"e": "verdict", "sr_id": row.sr_id, "verdict": verdict, "justification": "j", "seconds": dice.of(9)})
        }
        Phase::Decide if dice.of(9) == 1 => json!({"e": "stop", "reason": "interaction-unavailable"}),
        Phase::Decide => {
            let entry = dice.pick(&state.registry);
            let (decision, edit) = dice.pick(&[
                ("keep-as-is", Value::Null),
                ("accepted", json!({"old": "x", "new": "y"})),
            ]);
            json!({"e": "decide", "sr_id": entry.sr_id, "decision": decision, "edit": edit})
        }
        Phase::Fix => fixes(x, dice),
        Phase::Gate => match dice.of(8) {
            0..4 => json!({"e": "gate", "choice": "approve"}),
            4 | 5 => json!({"e": "gate", "choice": "subset", "groups": ["G1"]}),
            6 => json!({"e": "gate", "choice": dice.pick(&["decline", "unavailable"])}),
            _ => fixes(x, dice),
        },
        Phase::Write => match &x.intent {
            None => json!({"e": "writing", "from": state.last_written_hash, "to": hash(dice)}),
            Some(_) if dice.of(6) == 1 => json!({"e": "unwritten"}),
            Some(intent) => {
                json!({"e": "landed", "hash": intent.to, "units": dice.pick(&[["Goal", "Scope"], ["Goal", "Reach"]])})
            }
        },
        Phase::Tamper if dice.of(5) == 1 => json!({"e": "stop", "reason": "external-edit"}),
        Phase::Tamper => {
            json!({"e": "adopt", "hash": hash(dice), "slugs": dice.pick(&[vec!["goal", "scope"], vec!["goal"]])})
        }
        Phase::Done if dice.of(2) == 0 => json!({"e": "raise", "caps": {
            "rounds": x.caps.rounds + u32::try_from(dice.of(2)).unwrap(),
            "dispatches": x.caps.dispatches + u64::try_from(dice.of(9)).unwrap(),
            "seconds": x.caps.seconds + 20,
        }}),
        Phase::Done => {
            json!({"e": "new-run", "hash": hash(dice), "slugs": dice.pick(&[vec!["goal", "scope"], vec!["scope"]]),
            "mode": dice.pick(&["approve", "no-approve", "auto"]), "caps": caps(dice)})
        }
    }
}

fn intake(x: &ReviewGate, dice: &mut Dice) -> Value {
    let open = x.open_round.as_ref().unwrap();
    let out: Vec<Lens> = (open.panel.iter().copied())
        .filter(|lens| {
            !open.returned.contains(lens) && open.not_returned.iter().all(|gone| gone.lens != *lens)
        })
        .collect();
    let lens = dice.pick(&out);
    if dice.of(8) == 1 {
        return json!({"e": "absent", "lens": lens, "reason": "failed"});
    }
    let findings: Vec<Value> = (0..dice.of(3))
        .map(|_| {
            let severity = dice.pick(&["critical", "major", "major", "minor", "nit"]);
            json!({"severity": severity, "slug": dice.pick(&["goal", "scope"]), "description": "d", "needs_decision": dice.of(4) == 1})
        })
        .collect();
    json!({"e": "intake", "lens": lens, "findings": findings, "rejected": ["x"], "seconds": dice.of(9)})
}

/// A phrase for the first member of each new set: those that the judgements join to no entry or earlier finding.
fn seal(state: &Sidecar, x: &ReviewGate, nth: usize) -> Value {
    let open = x.open_round.as_ref().unwrap();
    let mut set: BTreeMap<String, String> = BTreeMap::new();
    let ids = state.registry.iter().map(|entry| entry.sr_id.to_string());
    for name in open.raw.iter().map(|raw| raw.reference.clone()).chain(ids) {
        set.insert(name.clone(), name);
    }
    for judged in open.equivalence_log.iter().filter(|judged| judged.is_match) {
        let (a, b) = (set[&judged.a].clone(), set[&judged.b].clone());
        // An id names its set.
        let (stays, goes) = if a.starts_with("SR-") { (a, b) } else { (b, a) };
        set.values_mut()
            .filter(|name| **name == goes)
            .for_each(|name| name.clone_from(&stays));
    }
    let new: BTreeSet<&String> = set.values().filter(|name| !name.starts_with("SR-")).collect();
    let phrases: Map<String, Value> = new
        .into_iter()
        .map(|name| (name.clone(), json!(format!("phrase {nth} {name}"))))
        .collect();
    json!({"e": "seal", "phrases": phrases})
}

fn fixes(x: &ReviewGate, dice: &mut Dice) -> Value {
    let open = x.open_round.as_ref().unwrap();
    let rows = open.rows.as_ref().unwrap();
    let results: Map<String, Value> = (open.batch.iter())
        .map(|id| {
            let is_found = rows.iter().any(|row| row.sr_id == *id && row.found);
            let result = match dice.of(6) {
                0..2 => json!({"result": "ok", "group": "G1"}),
                2 => json!({"result": "ok", "group": "G2"}),
                3 if !is_found => json!({"result": "obsolete", "evidence": "t"}),
                _ => json!({"result": "failed", "why": "not-found"}),
            };
            (id.to_string(), result)
        })
        .collect();
    json!({"e": "fixes", "results": results})
}

/// What holds of every state.
fn check(state: &Sidecar, keys: &mut BTreeMap<String, String>) -> Result<(), TestCaseError> {
    let x = state.x_review_gate.as_deref().unwrap();
    for entry in &state.registry {
        let id = entry.sr_id.to_string();
        prop_assert_eq!(keys.entry(id).or_insert_with(|| entry.key.clone()), &entry.key);
        prop_assert_eq!(entry.unlanded, entry.fix_failures >= 1);
        prop_assert!(!(entry.unlanded && entry.unconfirmed));
        prop_assert!(entry.sr_id.0 < x.next_id);
    }
    let ids: BTreeSet<_> = state.registry.iter().map(|entry| entry.sr_id).collect();
    prop_assert_eq!(ids.len(), state.registry.len());
    prop_assert_eq!(
        state.rounds.len(),
        usize::try_from(state.iterations_used).unwrap()
    );
    prop_assert_eq!(x.phase == Phase::Done, state.status != Status::InProgress);
    prop_assert!(state.iterations_used < x.caps.rounds || x.phase == Phase::Done);
    for round in &state.rounds {
        let rows: BTreeSet<_> = round.findings.iter().map(|row| row.sr_id).collect();
        prop_assert_eq!(rows.len(), round.findings.len());
        for row in &round.findings {
            let is_last = round.round == state.iterations_used;
            let is_ended = state.status.is_stopped() && is_last;
            prop_assert!(row.outcome != Outcome::ConfirmedNotFixed || is_ended, "{row:?}");
            prop_assert!(
                row.outcome != Outcome::ReportedOnly || !row.severity.is_serious(),
                "{row:?}"
            );
            let is_verdict = matches!(row.outcome, Outcome::Refuted | Outcome::Unconfirmed);
            prop_assert!(!is_verdict || row.severity.is_serious(), "{row:?}");
            if row.outcome == Outcome::AcceptedRisk {
                prop_assert!(state.decisions.contains_key(&row.sr_id));
            }
        }
    }
    for (id, made) in &state.decisions {
        prop_assert_eq!(made.edit.is_some(), made.decision == Decision::Accepted, "{}", id);
    }
    if state.status.is_converged() {
        let live = |id| x.stale.iter().all(|stale| stale.sr_id != id);
        prop_assert!(
            state
                .registry
                .iter()
                .all(|e| !live(e.sr_id) || !(e.unlanded || e.unconfirmed))
        );
        for row in &state.rounds.last().unwrap().findings {
            prop_assert!(
                !matches!(
                    row.outcome,
                    Outcome::Applied
                        | Outcome::AppliedNotReReviewed
                        | Outcome::FixFailed
                        | Outcome::Unconfirmed
                        | Outcome::PendingDecision
                        | Outcome::ConfirmedNotFixed
                ),
                "{row:?}"
            );
        }
        prop_assert!(
            Lens::CORE
                .iter()
                .all(|core| x.rounds.last().unwrap().returned.contains(core))
        );
    }
    Ok(())
}

proptest! {
    // Each case is a hundred steps, so fewer cases than usual say enough.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_reachable_state_is_sound_and_its_file_holds_all_of_it(bytes in prop::collection::vec(any::<u8>(), 60..600)) {
        let mut dice = Dice(bytes.iter());
        let first = read_event(begin(&mut dice)).unwrap();
        let mut state = apply(None, &first).unwrap();
        let mut keys = BTreeMap::new();
        let mut accepted = 0;
        for nth in 0..120 {
            let event = next(&state, &mut dice, nth);
            let Ok(event) = read_event(event.clone()) else {
                return Err(TestCaseError::fail(format!("no event: {event}")));
            };
            // The log holds the event, the file holds the state: both give the same again.
            let logged = read_event(serde_json::to_value(&event).unwrap()).unwrap();
            prop_assert_eq!(&logged, &event);
            let before = state.to_text();
            let again = Sidecar::read(before.as_bytes()).unwrap();
            match apply(Some(&state), &event) {
                Ok(after) => {
                    prop_assert!(apply(Some(&again), &logged).is_ok_and(|replayed| replayed == after));
                    check(&after, &mut keys)?;
                    state = after;
                    accepted += 1;
                }
                Err(code) => {
                    prop_assert_eq!(apply(Some(&again), &logged), Err(code));
                    prop_assert_eq!(state.to_text(), before);
                }
            }
        }
        // The dice run out, and then the plainest events are made: most must be legal.
        prop_assert!(accepted >= 10, "{accepted} events were accepted");
    }
}
