//! What stands of several records: the worst, until new evidence, another commit or a person says otherwise.

use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::event::RuledVerdict;
use git_review_gate::model::final_review::Confidence;
use git_review_gate::model::policy::Replay;
use git_review_gate::review::standing::relation::{Relation, Staleness};
use git_review_gate::review::standing::{
    BaselineSeen, Basis, Owner, RecordState, Refusal, settled_by, standing,
};

use super::world::{World, id, result};

use Dimension::{ExistingFunctionalityIntact as EFI, FunctionalCompleteness as FC, NoNewBugs as NB};
use DimensionVerdict::{Fail, Inconclusive, Pass};

#[test]
fn nothing_stands_without_a_record() {
    let standing = World::new().stands();
    assert_eq!(standing.basis, Basis::None);
    assert!(!standing.all_pass());
    assert_eq!(standing.needs_attention(), Dimension::ALL);
}

#[test]
fn records_that_did_not_know_of_each_other_combine_to_the_worst() {
    let world = World::new()
        .record(1, &[], "1", &[], result(&[]))
        .record(3, &[], "1", &[], result(&[(NB, Fail)]))
        .record(
            5,
            &[],
            "1",
            &[],
            result(&[(FC, Inconclusive), (NB, Inconclusive)]),
        );
    let standing = world.stands();
    assert_eq!(standing.basis, Basis::Counting([id(2), id(4), id(6)].into()));
    assert_eq!(standing.needs_attention(), [FC, NB]);
    assert_eq!(standing.dimensions[&NB].verdict, Fail);
    assert_eq!(standing.dimensions[&NB].confidence, Confidence::High);
    assert_eq!(standing.dimensions[&FC].verdict, Inconclusive);
    assert_eq!(standing.dimensions[&EFI].verdict, Pass);
}

#[test]
fn asking_again_improves_nothing() {
    let failed = || World::new().record(1, &[], "1", &[], result(&[(NB, Fail)]));
    // The same packet again, a newer packet after a mere claim, and one that lists the same runs.
    let mut again = failed().record(3, &[2], "1", &[], result(&[]));
    again.records[1].2 = again.records[0].2.clone();
    assert_eq!(again.attention(), [NB], "the same packet");
    assert_eq!(
        failed().record(3, &[2], "1", &[], result(&[])).attention(),
        [NB],
        "a newer packet without a new witness"
    );
    let same_run = World::new()
        .record(1, &[], "1", &[9], result(&[(NB, Fail)]))
        .record(3, &[2], "1", &[9], result(&[]));
    assert_eq!(same_run.attention(), [NB], "the same witness");
    // A new run, or another commit, can.
    let new_run = failed().record(3, &[2], "1", &[9], result(&[])).stands();
    assert!(new_run.all_pass());
    assert_eq!(
        new_run.records[&id(2)],
        RecordState::Superseded {
            relation: Relation::SameCommit,
            by: id(4)
        }
    );
    assert!(
        failed()
            .record(3, &[2], "2", &[], result(&[]))
            .stands()
            .all_pass()
    );
    // But not when its packet or its record did not know of the other.
    assert_eq!(failed().record(3, &[], "1", &[9], result(&[])).attention(), [NB]);
    let mut early_packet = failed().record(3, &[], "1", &[9], result(&[]));
    early_packet.after.insert(4, vec![3, 2]);
    assert_eq!(
        early_packet.attention(),
        [NB],
        "a late answer to a packet made at the same time"
    );
}

#[test]
fn a_newer_record_takes_away_what_an_older_one_passed() {
    let world = World::new().record(1, &[], "1", &[], result(&[])).record(
        3,
        &[2],
        "1",
        &[],
        result(&[(FC, Inconclusive)]),
    );
    assert_eq!(world.attention(), [FC]);
    assert_eq!(world.stands().basis, Basis::Counting([id(4)].into()));
}

#[test]
fn only_what_counts_stands_and_what_is_stale_takes_no_place() {
    let stale = Relation::Stale(Staleness::Head);
    let world = World::new()
        .record(1, &[], "1", &[], result(&[(NB, Fail)]))
        .record(3, &[2], "2", &[], result(&[]))
        .relates(stale, Owner::ThisBranch);
    assert_eq!(world.attention(), [NB], "a stale pass supersedes nothing");
    assert_eq!(world.stands().records[&id(4)], RecordState::Current(stale));
    let all_stale = World::new()
        .record(1, &[], "1", &[], result(&[]))
        .relates(stale, Owner::ThisBranch)
        .record(3, &[2], "2", &[], result(&[(FC, Fail)]))
        .relates(stale, Owner::ThisBranch)
        .record(5, &[], "3", &[], result(&[(NB, Fail)]))
        .relates(stale, Owner::AnotherBranch)
        .stands();
    assert_eq!(all_stale.basis, Basis::Stale([id(4)].into()));
    assert_eq!(
        all_stale.needs_attention(),
        [FC],
        "another branch's stale record says nothing here"
    );
    assert!(!all_stale.all_pass());
    let stale_pass = World::new()
        .record(1, &[], "1", &[], result(&[]))
        .relates(stale, Owner::ThisBranch)
        .stands();
    assert!(stale_pass.needs_attention().is_empty() && !stale_pass.all_pass());
}

#[test]
fn a_ruling_settles_the_records_that_it_knew() {
    let failed = || World::new().record(1, &[], "1", &[], result(&[(NB, Fail)]));
    let pass = RuledVerdict::Pass;
    let ruled = failed().rule(9, &[2], NB, pass, &[2]);
    let stands = ruled.stands();
    assert!(stands.all_pass());
    assert_eq!(stands.dimensions[&NB].verdict, Fail, "the record stays as it is");
    assert_eq!(stands.dimensions[&NB].ruling.map(|ruling| ruling.id), Some(id(9)));
    // Not the one that came later, nor another dimension.
    let later =
        failed()
            .rule(9, &[2], NB, pass, &[2])
            .record(3, &[2], "1", &[], result(&[(NB, Inconclusive)]));
    assert_eq!(later.attention(), [NB]);
    assert_eq!(failed().rule(9, &[2], FC, pass, &[2]).attention(), [NB]);
    // The later of two rulings stands, of two at the same time the fail.
    let withdrawn = ruled.clone().rule(10, &[9], NB, RuledVerdict::Fail, &[2]);
    assert_eq!(withdrawn.attention(), [NB]);
    assert!(withdrawn.rule(11, &[10], NB, pass, &[2]).stands().all_pass());
    assert_eq!(
        ruled.rule(10, &[2], NB, RuledVerdict::Fail, &[2]).attention(),
        [NB],
        "at the same time"
    );
}

#[test]
fn a_person_can_fail_what_a_reviewer_passed_and_asking_again_does_not_undo_it() {
    let world =
        World::new()
            .record(1, &[], "1", &[], result(&[]))
            .rule(9, &[2], FC, RuledVerdict::Fail, &[2]);
    assert_eq!(world.attention(), [FC]);
    assert_eq!(world.record(3, &[9], "1", &[], result(&[])).attention(), [FC]);
}

#[test]
fn a_run_that_fails_afterwards_takes_a_pass_away() {
    let red = World::new()
        .record(1, &[], "1", &[], result(&[(FC, Fail)]))
        .red(8, &[2], FC)
        .red(8, &[2], NB);
    assert_eq!(red.attention(), [FC, NB]);
    let stands = red.stands();
    assert_eq!(stands.dimensions[&FC].verdict, Fail);
    assert_eq!(stands.dimensions[&NB].verdict, Inconclusive);
    assert_eq!(stands.dimensions[&NB].markers.len(), 1);
    // A ruling clears it if it knew of the run.
    let pass = RuledVerdict::Pass;
    assert_eq!(red.clone().rule(9, &[2], NB, pass, &[2]).attention(), [FC, NB]);
    assert_eq!(red.rule(9, &[8], NB, pass, &[2]).attention(), [FC]);
}

#[test]
fn what_counts_by_replay_needs_a_green_run() {
    let mut world = World::new()
        .record(1, &[], "1", &[], result(&[]))
        .relates(Relation::Replay, Owner::ThisBranch);
    assert_eq!(world.attention(), [FC, Dimension::ProblemResolution, NB]);
    // What was ruled about the commit before the rebase says nothing about runs after it.
    let pass = RuledVerdict::Pass;
    let before = world.clone().rule_about(9, &[2], NB, pass, &[2], "b");
    assert_eq!(before.attention(), [FC, Dimension::ProblemResolution, NB]);
    let now = world.clone().rule(9, &[2], NB, pass, &[2]);
    assert_eq!(now.attention(), [FC, Dimension::ProblemResolution]);
    world.green = [FC, Dimension::ProblemResolution, NB].into();
    assert!(world.stands().all_pass());
    world.green.clear();
    world.replay = Replay::Trust;
    assert!(world.stands().all_pass());
}

#[test]
fn a_ruling_is_asked_for_only_where_it_is_needed() {
    let ask = |world: &World, dimension, verdict| {
        world.with(|given, saw| settled_by(given, &standing(given, saw), dimension, verdict))
    };
    let (pass, fail) = (RuledVerdict::Pass, RuledVerdict::Fail);
    assert_eq!(ask(&World::new(), NB, fail), Err(Refusal::NoRecord));
    let mut world = World::new().record(1, &[], "1", &[], result(&[(EFI, Inconclusive)]));
    assert_eq!(ask(&world, NB, pass), Err(Refusal::NotInAttention(vec![EFI])));
    assert_eq!(ask(&world, NB, fail), Ok(vec![id(2)]));
    assert_eq!(ask(&world, EFI, pass), Ok(vec![id(2)]));
    world.records[0].2.baseline = BaselineSeen::NotDelivered;
    assert_eq!(ask(&world, EFI, pass), Err(Refusal::NoBaseline));
    // A ruling that was written all the same counts for nothing.
    assert_eq!(world.clone().rule(9, &[2], EFI, pass, &[2]).attention(), [EFI]);
}
