//! What stands of several records: the worst, until new evidence, another commit or a person says otherwise.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::event::{ReviewRuled, RuledVerdict};
use git_review_gate::model::final_review::{Confidence, Outcome, ReviewResult};
use git_review_gate::model::ids::{Digest, EventId, TreeId};
use git_review_gate::model::policy::Replay;
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::witness::RunExit;
use git_review_gate::review::gates::RedRun;
use git_review_gate::review::standing::relation::{Relation, Staleness};
use git_review_gate::review::standing::{
    BaselineSeen, Basis, Given, Owner, PacketSeen, Record, RecordState, Refusal, RulingGiven, Standing,
    settled_by, standing,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use Dimension::{ExistingFunctionalityIntact as EFI, FunctionalCompleteness as FC, NoNewBugs as NB};
use DimensionVerdict::{Fail, Inconclusive, Pass};

/// What happened, by number. Each thing has seen those that its writer names.
#[derive(Debug, Clone)]
struct World {
    after: BTreeMap<u8, Vec<u8>>,
    records: Vec<(u8, ReviewResult, PacketSeen, Relation, Owner)>,
    rulings: Vec<(u8, TreeId, ReviewRuled)>,
    red: BTreeMap<Dimension, Vec<RedRun>>,
    green: BTreeSet<Dimension>,
    replay: Replay,
}

fn id(number: u8) -> EventId {
    EventId([number; 32])
}

fn tree(digit: &str) -> TreeId {
    digit.repeat(40).parse().unwrap()
}

/// All pass but these; the second says whether the dimension is only listed.
fn result(lowered: &[(Dimension, DimensionVerdict)]) -> ReviewResult {
    let outcome = |verdict| Outcome {
        confidence: if verdict == Inconclusive {
            Confidence::Low
        } else {
            Confidence::High
        },
        verdict,
    };
    let mut dimensions: BTreeMap<_, _> = Dimension::ALL.iter().map(|one| (*one, outcome(Pass))).collect();
    dimensions.extend(
        lowered
            .iter()
            .map(|(dimension, verdict)| (*dimension, outcome(*verdict))),
    );
    ReviewResult {
        all_pass: lowered.is_empty(),
        attached: true,
        dimensions,
        needs_attention: lowered.iter().map(|(dimension, _)| *dimension).collect(),
    }
}

impl World {
    fn new() -> Self {
        Self {
            after: BTreeMap::new(),
            records: Vec::new(),
            rulings: Vec::new(),
            red: BTreeMap::new(),
            green: BTreeSet::new(),
            replay: Replay::Run,
        }
    }

    /// A packet `number` of commit `head` that lists `witnesses`, and a record `number + 1` on it.
    fn record(
        mut self,
        number: u8,
        after: &[u8],
        head: &str,
        witnesses: &[u8],
        result: ReviewResult,
    ) -> Self {
        self.after.insert(number, after.to_vec());
        self.after.insert(number + 1, vec![number]);
        let packet = PacketSeen {
            id: Digest([number; 32]),
            events: vec![id(number)],
            head: head.repeat(40).parse().unwrap(),
            witnesses: witnesses.iter().map(|one| id(*one)).collect(),
            baseline: BaselineSeen::Delivered,
        };
        self.records.push((
            number + 1,
            result,
            packet,
            Relation::SameCommit,
            Owner::ThisBranch,
        ));
        self
    }

    /// How the last record relates to what is judged.
    fn relates(mut self, relation: Relation, owner: Owner) -> Self {
        let last = self.records.last_mut().unwrap();
        last.3 = relation;
        last.4 = owner;
        self
    }

    fn rule(
        self,
        number: u8,
        after: &[u8],
        dimension: Dimension,
        verdict: RuledVerdict,
        settles: &[u8],
    ) -> Self {
        self.rule_about(number, after, dimension, verdict, settles, "a")
    }

    fn rule_about(
        mut self,
        number: u8,
        after: &[u8],
        dimension: Dimension,
        verdict: RuledVerdict,
        settles: &[u8],
        about: &str,
    ) -> Self {
        self.after.insert(number, after.to_vec());
        let body = ReviewRuled {
            dimension,
            packet: Digest([0; 32]),
            reason: "looked at".to_owned(),
            review: ReviewId("topic-0a1b2c3d".to_owned()),
            settles: settles.iter().map(|one| id(*one)).collect(),
            verdict,
        };
        self.rulings.push((number, tree(about), body));
        self
    }

    fn red(mut self, number: u8, after: &[u8], dimension: Dimension) -> Self {
        self.after.insert(number, after.to_vec());
        self.red.entry(dimension).or_default().push(RedRun {
            event: id(number),
            command: "cargo test".to_owned(),
            exit: RunExit::Code(101),
        });
        self
    }

    fn saw(&self, later: u8, earlier: u8) -> bool {
        self.after
            .get(&later)
            .is_some_and(|after| after.iter().any(|one| *one == earlier || self.saw(*one, earlier)))
    }

    fn with<T>(&self, look: impl FnOnce(&Given<'_>, &dyn Fn(EventId, EventId) -> bool) -> T) -> T {
        let records: Vec<Record<'_>> = self
            .records
            .iter()
            .map(|(number, result, packet, relation, owner)| Record {
                id: id(*number),
                relation: *relation,
                owner: *owner,
                result,
                markers: &[],
                packet: packet.clone(),
            })
            .collect();
        let rulings: Vec<RulingGiven<'_>> = self
            .rulings
            .iter()
            .map(|(number, tree, body)| RulingGiven {
                id: id(*number),
                tree: *tree,
                body,
            })
            .collect();
        let given = Given {
            head_tree: tree("a"),
            records: &records,
            rulings: &rulings,
            red: &self.red,
            green: &self.green,
            replay: self.replay,
        };
        look(&given, &|later, earlier| self.saw(later.0[0], earlier.0[0]))
    }

    fn stands(&self) -> Standing {
        self.with(standing)
    }

    /// The dimensions that do not pass.
    fn attention(&self) -> Vec<Dimension> {
        self.stands().needs_attention()
    }
}

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

/// Things that happened in some clones: who saw what, and what was said, is random.
fn any_world() -> impl Strategy<Value = World> {
    let lowered = subsequence(vec![(FC, Inconclusive), (NB, Fail), (EFI, Inconclusive)], 0..=3);
    let record = (
        lowered,
        select(vec!["1", "2"]),
        subsequence(vec![100_u8, 101], 0..=2),
        any::<u8>(),
        0_u8..8,
    );
    let ruling = (select(vec![FC, NB, EFI]), any::<bool>(), any::<u8>(), any::<u8>());
    (vec(record, 1..6), vec(ruling, 0..4), any::<u8>()).prop_map(|(records, rulings, red)| {
        let mut world = World::new();
        let mut known: Vec<u8> = Vec::new();
        // The bits of a number say which of the things before were seen.
        let seen = |known: &[u8], bits: u8| -> Vec<u8> {
            let pick = known
                .iter()
                .enumerate()
                .filter(|(at, _)| bits >> (at % 8) & 1 == 1);
            pick.map(|(_, one)| *one).collect()
        };
        for (at, (lowered, head, witnesses, bits, relation)) in (0_u8..).zip(records) {
            let number = 1 + 2 * at;
            let after = seen(&known, bits);
            let relation = match relation {
                0 => Relation::Stale(Staleness::Head),
                1 => Relation::Replay,
                2 => Relation::SameTree,
                _ => Relation::SameCommit,
            };
            world = world
                .record(number, &after, head, &witnesses, result(&lowered))
                .relates(relation, Owner::ThisBranch);
            known.push(number + 1);
        }
        for (at, (dimension, is_pass, bits, settles)) in (0_u8..).zip(rulings) {
            let verdict = if is_pass {
                RuledVerdict::Pass
            } else {
                RuledVerdict::Fail
            };
            let records: Vec<u8> = known.iter().copied().filter(|one| *one < 50).collect();
            let (after, settles) = (seen(&known, bits), seen(&records, settles));
            world = world.rule(50 + at, &after, dimension, verdict, &settles);
            known.push(50 + at);
        }
        if red & 1 == 1 {
            world = world.red(80, &seen(&known, red >> 1), NB);
        }
        world
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn what_stands_does_not_depend_on_the_order_of_merges(world in any_world(), records in any::<u64>(), rulings in any::<u64>()) {
        let mut other = world.clone();
        let at = |number: u64, length: usize| usize::try_from(number % length as u64).unwrap();
        let (first, length) = (at(records, other.records.len()), other.records.len());
        other.records.rotate_left(first);
        if records & 1 == 1 {
            other.records.reverse();
        }
        // A merge may also bring the same event twice.
        let again = other.records[length / 2].clone();
        other.records.push(again);
        if !other.rulings.is_empty() {
            let first = at(rulings, other.rulings.len());
            other.rulings.rotate_left(first);
            other.rulings.push(other.rulings[0].clone());
        }
        prop_assert_eq!(other.stands(), world.stands());
    }

    #[test]
    fn only_a_person_raises_what_records_say(world in any_world()) {
        let mut without = world.clone();
        without.rulings.clear();
        let bare = without.stands();
        let basis: BTreeSet<EventId> = bare.basis.records().collect();
        for dimension in Dimension::ALL {
            let worst = world.records.iter().filter(|one| basis.contains(&id(one.0)));
            let worst = worst.map(|one| one.1.dimensions[dimension].verdict).min().unwrap();
            prop_assert!(bare.dimensions[dimension].verdict <= worst);
            if world.stands().dimensions[dimension].passes() && !bare.dimensions[dimension].passes() {
                let ruling = world.stands().dimensions[dimension].ruling;
                prop_assert_eq!(ruling.map(|one| one.verdict), Some(RuledVerdict::Pass));
            }
        }
    }

    #[test]
    fn one_more_record_that_nobody_knew_of_improves_nothing(world in any_world()) {
        let before = world.attention();
        let mut more = world.record(90, &[], "3", &[], result(&[(FC, Fail)]));
        more.records.last_mut().unwrap().3 = Relation::SameCommit;
        let basis = more.stands().basis;
        // What counts takes the place of what is stale, that is all.
        if more.records.iter().filter(|one| one.3.counts()).count() > 1 {
            let after = more.attention();
            prop_assert!(before.iter().all(|dimension| after.contains(dimension)));
        }
        prop_assert!(more.attention().contains(&FC));
        prop_assert!(matches!(basis, Basis::Counting(_)));
    }
}
