//! What stands of all records for a commit: the worst of those that count, until a person rules.
//!
//! Order is what an event's writer had seen, never a clock, and never the order in which notes were merged.

use std::collections::{BTreeMap, BTreeSet};

use super::gates::RedRun;
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::event::{ReviewRuled, RuledVerdict};
use crate::model::final_review::{Confidence, Effect, Gate, Marker, Outcome, ReviewResult};
use crate::model::ids::{CommitId, Digest, EventId, TreeId};
use crate::model::policy::Replay;

use self::relation::Relation;
use self::rulings::{Unclean, Verdicts};

pub mod relation;
mod rulings;

/// One record, with what its packet was.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    /// Its event.
    pub id: EventId,
    /// Whether it counts for the judged commit, and how.
    pub relation: Relation,
    /// Whose review it belongs to.
    pub owner: Owner,
    /// What it says.
    pub result: &'a ReviewResult,
    /// What the gates said about it.
    pub markers: &'a [Marker],
    /// What its reviewer had read.
    pub packet: PacketSeen,
}

/// Whose review a record belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// That of the judged branch.
    ThisBranch,
    /// That of another one: its records can count, but what is stale of them says nothing here.
    AnotherBranch,
}

/// The packet of a record.
#[derive(Debug, Clone)]
pub struct PacketSeen {
    /// Its id.
    pub id: Digest,
    /// The events that stored it: several, where clones did so at the same time.
    pub events: Vec<EventId>,
    /// The commit it describes.
    pub head: CommitId,
    /// The witnessed runs and proofs that it lists: those of its tree that its ledger tips had seen.
    pub witnesses: BTreeSet<EventId>,
    /// Whether its baseline is delivered.
    pub baseline: BaselineSeen,
}

/// Whether the reviewer got to see a structural baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaselineSeen {
    /// It was delivered, whatever it says.
    Delivered,
    /// There was none, or its conclusion did not arrive.
    NotDelivered,
}

/// A ruling by somebody who may rule.
#[derive(Debug, Clone, Copy)]
pub struct RulingGiven<'a> {
    /// Its event.
    pub id: EventId,
    /// The tree that it was made about.
    pub tree: TreeId,
    /// What it says.
    pub body: &'a ReviewRuled,
}

/// Everything that decides what stands. The order of the lists does not matter.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    /// The tree of the judged commit.
    pub head_tree: TreeId,
    /// The records of every open review.
    pub records: &'a [Record<'a>],
    /// The rulings on these reviews by people who may rule.
    pub rulings: &'a [RulingGiven<'a>],
    /// The witnessed runs of the judged tree that decide now and failed, for each dimension.
    pub red: &'a BTreeMap<Dimension, Vec<RedRun>>,
    /// The dimensions that a deciding witnessed run of the judged tree speaks to, all of them successful.
    pub green: &'a BTreeSet<Dimension>,
    /// What the policy asks of a record that counts by replay.
    pub replay: Replay,
}

/// What stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What it rests on.
    pub basis: Basis,
    /// All four; empty where there is no record.
    pub dimensions: BTreeMap<Dimension, Stands>,
    /// Every record and what became of it, by id.
    pub records: BTreeMap<EventId, RecordState>,
}

/// What a standing rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// There is no record.
    None,
    /// These records count, and none of them is superseded.
    Counting(BTreeSet<EventId>),
    /// None counts; these of this branch's reviews are stale and not superseded.
    Stale(BTreeSet<EventId>),
}

impl Basis {
    /// The records it rests on.
    pub fn records(&self) -> impl Iterator<Item = EventId> {
        match self {
            Self::None => None,
            Self::Counting(ids) | Self::Stale(ids) => Some(ids),
        }
        .into_iter()
        .flatten()
        .copied()
    }
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordState {
    /// Part of what stands, or stale and not superseded.
    Current(Relation),
    /// A later record on a newer packet took its place.
    Superseded {
        /// How it would count.
        relation: Relation,
        /// That record; the first by id where there are several.
        by: EventId,
    },
}

/// What stands for one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stands {
    /// The worst verdict of the records, before any ruling.
    pub verdict: DimensionVerdict,
    /// The lowest confidence of the records with this verdict.
    pub confidence: Confidence,
    /// Whether a record lists it, its verdict is no pass, or a run failed since.
    pub attention: Attention,
    /// What the gates said, then and now.
    pub markers: Vec<Marker>,
    /// Why it is worse than the records say, one sentence each.
    pub notes: Vec<String>,
    /// The ruling in effect.
    pub ruling: Option<RulingInEffect>,
}

/// Whether a person must look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attention {
    /// No.
    NotNeeded,
    /// Yes.
    Needed,
}

/// A ruling that decides a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulingInEffect {
    /// Its event.
    pub id: EventId,
    /// What it says.
    pub verdict: RuledVerdict,
}

impl Stands {
    /// Whether the dimension passes, by itself or because a person ruled so.
    pub fn passes(&self) -> bool {
        match self.ruling {
            Some(ruling) => ruling.verdict == RuledVerdict::Pass,
            None => self.is_clean(),
        }
    }

    /// Whether it passes without any ruling.
    fn is_clean(&self) -> bool {
        self.verdict == DimensionVerdict::Pass && self.attention == Attention::NotNeeded
    }
}

impl Standing {
    /// Whether records count and all four dimensions pass.
    pub fn all_pass(&self) -> bool {
        matches!(self.basis, Basis::Counting(_)) && self.needs_attention().is_empty()
    }

    /// The dimensions that do not pass, in their order.
    pub fn needs_attention(&self) -> Vec<Dimension> {
        let passes = |dimension: &Dimension| self.dimensions.get(dimension).is_some_and(Stands::passes);
        Dimension::ALL
            .iter()
            .copied()
            .filter(|dimension| !passes(dimension))
            .collect()
    }
}

/// Finds what stands. `saw` says whether the writer of the first event had seen the second, over any number of steps.
pub fn standing(given: &Given<'_>, saw: &dyn Fn(EventId, EventId) -> bool) -> Standing {
    let mut records: Vec<&Record<'_>> = given.records.iter().collect();
    records.sort_by_key(|record| record.id);
    records.dedup_by_key(|record| record.id);
    let rulings = Verdicts::of(given.rulings, saw);

    let counting: Vec<&Record<'_>> = records
        .iter()
        .copied()
        .filter(|record| record.relation.counts())
        .collect();
    // What does not count cannot take the place of what does.
    let pool = if counting.is_empty() {
        let of_branch = records.iter().copied();
        of_branch
            .filter(|record| record.owner == Owner::ThisBranch)
            .collect()
    } else {
        counting.clone()
    };
    let superseded = superseded(&pool, &rulings, saw);
    let current: Vec<&Record<'_>> = pool
        .iter()
        .copied()
        .filter(|record| !superseded.contains_key(&record.id))
        .collect();
    let ids: BTreeSet<EventId> = current.iter().map(|record| record.id).collect();
    let basis = if ids.is_empty() {
        Basis::None
    } else if counting.is_empty() {
        Basis::Stale(ids)
    } else {
        Basis::Counting(ids)
    };
    let dimensions = match basis {
        Basis::None => BTreeMap::new(),
        Basis::Counting(_) | Basis::Stale(_) => Dimension::ALL
            .iter()
            .map(|dimension| (*dimension, stands(*dimension, &current, given, &rulings)))
            .collect(),
    };
    let states = records.iter().map(|record| {
        let relation = record.relation;
        let state = match superseded.get(&record.id) {
            Some(by) => RecordState::Superseded { relation, by: *by },
            None => RecordState::Current(relation),
        };
        (record.id, state)
    });
    Standing {
        records: states.collect(),
        basis,
        dimensions,
    }
}

/// The records whose place another one took, and which.
fn superseded(
    records: &[&Record<'_>],
    rulings: &Verdicts<'_>,
    saw: &dyn Fn(EventId, EventId) -> bool,
) -> BTreeMap<EventId, EventId> {
    let mut superseded = BTreeMap::new();
    for older in records {
        let by = records
            .iter()
            .find(|newer| supersedes(newer, older, rulings, saw));
        if let Some(newer) = by {
            superseded.insert(older.id, newer.id);
        }
    }
    superseded
}

/// Whether `newer` takes the place of `older`: a later record on a newer packet. What was not all pass gives way only to
/// another commit, or to a witness that its packet did not list; asking again buys nothing.
fn supersedes(
    newer: &Record<'_>,
    older: &Record<'_>,
    rulings: &Verdicts<'_>,
    saw: &dyn Fn(EventId, EventId) -> bool,
) -> bool {
    let any = |later: &PacketSeen, earlier: &PacketSeen| {
        later
            .events
            .iter()
            .any(|after| earlier.events.iter().any(|before| saw(*after, *before)))
    };
    // What is quick to tell comes first: there may be many pairs.
    newer.packet.id != older.packet.id
        && saw(newer.id, older.id)
        && any(&newer.packet, &older.packet)
        && !any(&older.packet, &newer.packet)
        && (newer.packet.head != older.packet.head
            || !newer.packet.witnesses.is_subset(&older.packet.witnesses)
            || (is_all_pass(older) && !rulings.failed(older.id)))
}

/// Whether nothing of a record needs attention, by what it says dimension by dimension.
fn is_all_pass(record: &Record<'_>) -> bool {
    Dimension::ALL.iter().all(|dimension| {
        let (outcome, attention) = said(record, *dimension);
        outcome.verdict == DimensionVerdict::Pass && attention == Attention::NotNeeded
    })
}

/// What a record says about a dimension; one that it does not name does not pass.
fn said(record: &Record<'_>, dimension: Dimension) -> (Outcome, Attention) {
    let outcome = record
        .result
        .dimensions
        .get(&dimension)
        .copied()
        .unwrap_or(Outcome {
            confidence: Confidence::Low,
            verdict: DimensionVerdict::Inconclusive,
        });
    let is_listed = record.result.needs_attention.contains(&dimension)
        || record
            .markers
            .iter()
            .any(|marker| marker.dimension == dimension && marker.effect == Effect::Flagged);
    let attention = if is_listed || outcome.verdict != DimensionVerdict::Pass {
        Attention::Needed
    } else {
        Attention::NotNeeded
    };
    (outcome, attention)
}

/// A pass that something took away.
const TAKEN_AWAY: Outcome = Outcome {
    confidence: Confidence::Low,
    verdict: DimensionVerdict::Inconclusive,
};

fn stands(
    dimension: Dimension,
    current: &[&Record<'_>],
    given: &Given<'_>,
    rulings: &Verdicts<'_>,
) -> Stands {
    let mut notes = Vec::new();
    let mut markers: Vec<Marker> = Vec::new();
    let mut outcomes = Vec::new();
    let mut unclean: Vec<Unclean<'_>> = Vec::new();
    let mut attention = Attention::NotNeeded;
    for record in current {
        let (mut outcome, mut needed) = said(record, dimension);
        let mut ruled_about = None;
        if outcome.verdict == DimensionVerdict::Pass && needs_green(record.relation, dimension, given) {
            outcome = TAKEN_AWAY;
            needed = Attention::Needed;
            // What a person said of the commit before the rebase does not speak of runs after it.
            ruled_about = Some(given.head_tree);
            notes.push("it counts by replay, and no green witnessed run of this tree is recorded".to_owned());
        }
        if needed == Attention::Needed {
            unclean.push(Unclean { record, ruled_about });
        }
        attention = attention.max(needed);
        outcomes.push(outcome);
        let said = record
            .markers
            .iter()
            .filter(|marker| marker.dimension == dimension);
        markers.extend(said.cloned());
    }
    let red: &[RedRun] = given.red.get(&dimension).map_or(&[], Vec::as_slice);
    for run in red {
        let takes_away = outcomes
            .iter()
            .any(|outcome| outcome.verdict == DimensionVerdict::Pass);
        attention = Attention::Needed;
        for outcome in &mut outcomes {
            if outcome.verdict == DimensionVerdict::Pass {
                *outcome = TAKEN_AWAY;
            }
        }
        if takes_away {
            markers.push(Marker {
                dimension,
                effect: Effect::Downgraded,
                marker: Gate::WitnessedRed,
                text: run.text(),
            });
        }
    }
    markers.sort_by(|a, b| (a.marker, a.effect, &a.text).cmp(&(b.marker, b.effect, &b.text)));
    markers.dedup();
    notes.dedup();
    let verdict = outcomes.iter().map(|outcome| outcome.verdict).min();
    let verdict = verdict.unwrap_or(DimensionVerdict::Inconclusive);
    let confidence = outcomes
        .iter()
        .filter(|outcome| outcome.verdict == verdict)
        .map(|outcome| outcome.confidence)
        .min();
    Stands {
        verdict,
        confidence: confidence.unwrap_or(Confidence::Low),
        attention,
        markers,
        notes,
        ruling: rulings.in_effect(dimension, current, &unclean, red),
    }
}

/// Whether a pass rests on a replay that nothing was run for. Existing functionality is not a matter of runs.
fn needs_green(relation: Relation, dimension: Dimension, given: &Given<'_>) -> bool {
    relation == Relation::Replay
        && given.replay == Replay::Run
        && dimension != Dimension::ExistingFunctionalityIntact
        && !given.green.contains(&dimension)
}

/// Why a ruling cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No record counts that it could settle.
    NoRecord,
    /// The dimension passes as it stands; these do not.
    NotInAttention(Vec<Dimension>),
    /// Nothing shows that existing functionality is intact, so nobody can say so.
    NoBaseline,
}

/// The records that a ruling on `dimension` settles, if it may be made.
pub fn settled_by(
    given: &Given<'_>,
    standing: &Standing,
    dimension: Dimension,
    verdict: RuledVerdict,
) -> Result<Vec<EventId>, Refusal> {
    let ids: BTreeSet<EventId> = standing.basis.records().collect();
    if ids.is_empty() {
        return Err(Refusal::NoRecord);
    }
    if verdict == RuledVerdict::Pass {
        let attention = standing.needs_attention();
        if !attention.contains(&dimension) {
            return Err(Refusal::NotInAttention(attention));
        }
        let mut records = given.records.iter().filter(|record| ids.contains(&record.id));
        if dimension == Dimension::ExistingFunctionalityIntact
            && records.any(|record| record.packet.baseline == BaselineSeen::NotDelivered)
        {
            return Err(Refusal::NoBaseline);
        }
    }
    Ok(ids.into_iter().collect())
}
