//! What stands, whoever merged what in which order: nothing but a person raises it.

use std::collections::BTreeSet;

use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::event::RuledVerdict;
use git_review_gate::model::ids::EventId;
use git_review_gate::review::standing::relation::{Relation, Staleness};
use git_review_gate::review::standing::{Basis, Owner};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::world::{World, id, result};

use Dimension::{ExistingFunctionalityIntact as EFI, FunctionalCompleteness as FC, NoNewBugs as NB};
use DimensionVerdict::{Fail, Inconclusive};

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
