//! Records, rulings and runs of one review, and who had seen what.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::model::dimension::{Dimension, DimensionVerdict};
use git_review_gate::model::event::{ReviewRuled, RuledVerdict};
use git_review_gate::model::final_review::{Confidence, Outcome, ReviewResult};
use git_review_gate::model::ids::{Digest, EventId, TreeId};
use git_review_gate::model::policy::Replay;
use git_review_gate::model::review::ReviewId;
use git_review_gate::model::witness::RunExit;
use git_review_gate::review::gates::RedRun;
use git_review_gate::review::standing::relation::Relation;
use git_review_gate::review::standing::{
    BaselineSeen, Given, Owner, PacketSeen, Record, RulingGiven, Standing, standing,
};

use DimensionVerdict::{Inconclusive, Pass};

/// What happened, by number. Each thing has seen those that its writer names.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) after: BTreeMap<u8, Vec<u8>>,
    pub(super) records: Vec<(u8, ReviewResult, PacketSeen, Relation, Owner)>,
    pub(super) rulings: Vec<(u8, TreeId, ReviewRuled)>,
    pub(super) red: BTreeMap<Dimension, Vec<RedRun>>,
    pub(super) green: BTreeSet<Dimension>,
    pub(super) replay: Replay,
}

pub(super) fn id(number: u8) -> EventId {
    EventId([number; 32])
}

pub(super) fn tree(digit: &str) -> TreeId {
    digit.repeat(40).parse().unwrap()
}

/// All pass but these; the second says whether the dimension is only listed.
pub(super) fn result(lowered: &[(Dimension, DimensionVerdict)]) -> ReviewResult {
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
    pub(super) fn new() -> Self {
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
    pub(super) fn record(
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
    pub(super) fn relates(mut self, relation: Relation, owner: Owner) -> Self {
        let last = self.records.last_mut().unwrap();
        last.3 = relation;
        last.4 = owner;
        self
    }

    pub(super) fn rule(
        self,
        number: u8,
        after: &[u8],
        dimension: Dimension,
        verdict: RuledVerdict,
        settles: &[u8],
    ) -> Self {
        self.rule_about(number, after, dimension, verdict, settles, "a")
    }

    pub(super) fn rule_about(
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

    pub(super) fn red(mut self, number: u8, after: &[u8], dimension: Dimension) -> Self {
        self.after.insert(number, after.to_vec());
        self.red.entry(dimension).or_default().push(RedRun {
            event: id(number),
            command: "cargo test".to_owned(),
            exit: RunExit::Code(101),
        });
        self
    }

    pub(super) fn saw(&self, later: u8, earlier: u8) -> bool {
        self.after
            .get(&later)
            .is_some_and(|after| after.iter().any(|one| *one == earlier || self.saw(*one, earlier)))
    }

    pub(super) fn with<T>(&self, look: impl FnOnce(&Given<'_>, &dyn Fn(EventId, EventId) -> bool) -> T) -> T {
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

    pub(super) fn stands(&self) -> Standing {
        self.with(standing)
    }

    /// The dimensions that do not pass.
    pub(super) fn attention(&self) -> Vec<Dimension> {
        self.stands().needs_attention()
    }
}
