//! What stands of the final review for a commit: every record of the reviews that speak for it, how it relates to the
//! commit and its base, and what people ruled.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::delivered::{self, Files};
use super::stored;
use crate::error::Result;
use crate::git::Repo;
use crate::model::delivery::BaselineStatus;
use crate::model::dimension::Dimension;
use crate::model::event::{Body, Event, ReviewPacket, ReviewRecorded};
use crate::model::final_review::{FinalReviewOutput, ReviewResult};
use crate::model::ids::{CommitId, Digest, EventId, TreeId};
use crate::model::policy::{Policy, Replay};
use crate::model::review::ReviewId;
use crate::model::text::sanitise;
use crate::model::witness::ProofResult;
use crate::ops::gate_view::GateView;
use crate::ops::ledger::{Anchored, Ledger};
use crate::review::causal::Causal;
use crate::review::delivered::{Delivery, baseline_summary};
use crate::review::gates::artifact::{self, Known};
use crate::review::gates::{self, Case};
use crate::review::registry::{self, Review};
use crate::review::reply;
use crate::review::runs::Runs;
use crate::review::source_list::Context;
use crate::review::standing::relation::{self, Judged};
use crate::review::standing::{self, BaselineSeen, Given, Owner, PacketSeen, Record, RulingGiven, Standing};

/// The commit that is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The commit.
    pub head: CommitId,
    /// Its tree.
    pub head_tree: TreeId,
    /// What it is compared with.
    pub base: CommitId,
    /// The tree of that.
    pub base_tree: TreeId,
    /// The policy of the base.
    pub policy: &'a Policy,
    /// The digest of its file.
    pub policy_digest: Digest,
    /// Short names of the branch.
    pub branches: &'a [String],
}

/// Everything that decides what stands.
pub struct Board<'a> {
    /// Every review that speaks for the commit, closed ones included, by id.
    pub reviews: Vec<Review>,
    /// The events of all of them.
    pub events: Vec<&'a Event>,
    /// Records that are not valid and would count, and why.
    pub invalid: BTreeMap<EventId, String>,
    records: Vec<Record<'a>>,
    rulings: Vec<RulingGiven<'a>>,
    runs: Runs,
    head_tree: TreeId,
    replay: Replay,
    causal: Causal<'a>,
}

/// The events of a view, and those of its reviews that the view leaves out: they too say who had seen what.
pub fn gather(ledger: &Ledger<'_>, seen: &GateView) -> Result<Vec<Anchored>> {
    let mut reviews: BTreeSet<&str> = BTreeSet::new();
    for one in &seen.events {
        if let Body::ReviewRecorded(body) = &one.event.body {
            reviews.insert(body.review.as_str());
        }
    }
    let mut events: BTreeMap<EventId, Anchored> = BTreeMap::new();
    for review in reviews {
        let records = ledger.records().of_review(review)?;
        let ids: BTreeSet<EventId> = records.iter().map(|record| record.id).collect();
        let anchors: BTreeSet<CommitId> = records.iter().map(|record| record.anchor).collect();
        for one in ledger.read(&anchors)? {
            if ids.contains(&one.event.id) {
                events.insert(one.event.id, one);
            }
        }
    }
    for one in &seen.events {
        events.entry(one.event.id).or_insert_with(|| one.clone());
    }
    Ok(events.into_values().collect())
}

/// Lays out what decides, from the events that [`gather`] found.
pub fn board<'a>(repo: &Repo, gathered: &'a [Anchored], asked: &Asked<'_>) -> Result<Board<'a>> {
    let events: Vec<&Event> = gathered.iter().map(|one| &one.event).collect();
    let authorize = &asked.policy.authorize;
    let reviews = registry::reviews(events.iter().copied(), |by| authorize.allow(&by.email));
    let causal = Causal::of(events.iter().copied());
    let mut board = Board {
        records: Vec::new(),
        invalid: BTreeMap::new(),
        rulings: rulings(&events, &reviews, asked.policy),
        runs: Runs::of(&events, asked.head_tree),
        head_tree: asked.head_tree,
        replay: asked.policy.evidence.replay,
        causal,
        reviews,
        events,
    };
    let bench = Bench {
        repo,
        asked,
        files: Files::new(repo),
        merges: RefCell::default(),
        evidence: board
            .events
            .iter()
            .filter(|event| event.kind().starts_with("evidence."))
            .map(|event| event.id.to_hex())
            .collect(),
    };
    for event in board.events.clone() {
        let Body::ReviewRecorded(body) = &event.body else {
            continue;
        };
        let Some(review) = board.reviews.iter().find(|review| review.id == body.review) else {
            continue;
        };
        if !review.is_open() {
            continue;
        }
        match bench.record(&board, review, event, body)? {
            Ok(record) => board.records.push(record),
            Err(why) => {
                board.invalid.insert(event.id, why);
            }
        }
    }
    Ok(board)
}

/// The rulings on open reviews by those who may rule; others are claims, and those on a closed review went with it.
fn rulings<'a>(events: &[&'a Event], reviews: &[Review], policy: &Policy) -> Vec<RulingGiven<'a>> {
    let is_open = |id: &ReviewId| reviews.iter().any(|review| review.id == *id && review.is_open());
    let ruling = |event: &&'a Event| match &event.body {
        Body::ReviewRuled(body) if policy.rule.allow(&event.by.email) && is_open(&body.review) => {
            Some(RulingGiven {
                id: event.id,
                tree: event.subject.tree,
                body,
            })
        }
        _ => None,
    };
    events.iter().filter_map(ruling).collect()
}

impl Board<'_> {
    /// What stands.
    pub fn standing(&self) -> Standing {
        standing::standing(&self.given(), &|later, earlier| self.causal.saw(later, earlier))
    }

    /// Everything that decides what stands.
    pub fn given(&self) -> Given<'_> {
        Given {
            records: &self.records,
            rulings: &self.rulings,
            head_tree: self.head_tree,
            red: &self.runs.red,
            green: &self.runs.green,
            replay: self.replay,
        }
    }

    /// All events, each behind those that its writer had seen; those that did not know of each other by id.
    pub fn in_order(&self) -> Vec<&Event> {
        let mut events = self.events.clone();
        let heights: HashMap<EventId, usize> = self.causal.heights();
        events.sort_by_key(|event| (heights.get(&event.id).copied(), event.id));
        events
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.iter().copied().find(|event| event.id == id)
    }
}

/// Where records are looked at. What is read or merged for one is kept for the others: there may be many, of few trees.
struct Bench<'b> {
    repo: &'b Repo,
    asked: &'b Asked<'b>,
    files: Files<'b>,
    /// Whether base and head tree of a record replay on the base as it is now.
    merges: RefCell<HashMap<(TreeId, TreeId), bool>>,
    /// The ids of evidence, in hex.
    evidence: BTreeSet<String>,
}

/// The most merges that are tried; what is beyond counts as no replay, so that no number of records can hold up a push.
const MAX_MERGES: usize = 200;

impl Bench<'_> {
    /// A record with how it relates to the commit; or why one that would count is not valid. One that does not count is
    /// not examined further: it says nothing that lets anything through.
    fn record<'a>(
        &self,
        board: &Board<'a>,
        review: &Review,
        event: &'a Event,
        body: &'a ReviewRecorded,
    ) -> Result<std::result::Result<Record<'a>, String>> {
        let packets: Vec<stored::StoredPacket<'a>> = stored::packets(&board.events, &review.id)
            .into_iter()
            .filter(|packet| packet.body.packet == body.packet)
            .collect();
        let now = Judged {
            head: self.asked.head,
            head_tree: self.asked.head_tree,
            base: self.asked.base,
            base_tree: self.asked.base_tree,
            // Where merged notes contradict each other, nobody knows what was asked.
            goal: if review.conflicts.is_empty() {
                review.goal_digest()
            } else {
                Digest([0; 32])
            },
            policy: self.asked.policy_digest,
        };
        let policy = packets.first().map(|packet| packet.body.manifest.policy_digest);
        let then = Judged {
            head: event.subject.commit,
            head_tree: event.subject.tree,
            base: event.subject.base,
            base_tree: body.base_tree,
            goal: body.goal_digest,
            // Without its packet it counts for nothing; whether it would is told by the rest.
            policy: policy.unwrap_or(now.policy),
        };
        let relation = relation::relation(&then, &now, || self.replays(&then, &now))?;
        let packet = packets.first();
        let mut baseline = match packet.map(|packet| &packet.body.baseline_status) {
            Some(BaselineStatus::Computed) => BaselineSeen::Delivered,
            Some(BaselineStatus::NotDelivered | BaselineStatus::Unavailable { .. }) | None => {
                BaselineSeen::NotDelivered
            }
        };
        if relation.counts() {
            let Some(packet) = packet else {
                return Ok(Err("its packet is not stored".to_owned()));
            };
            match self.examine(board, review, (event, body), packet.body)? {
                Err(why) => return Ok(Err(why)),
                Ok(deliveries) => {
                    if baseline_summary(&deliveries).is_none() {
                        baseline = BaselineSeen::NotDelivered;
                    }
                }
            }
        }
        let owner = if self.asked.branches.contains(&review.branch) {
            Owner::ThisBranch
        } else {
            Owner::AnotherBranch
        };
        Ok(Ok(Record {
            id: event.id,
            relation,
            owner,
            result: &body.result,
            markers: &body.markers,
            packet: PacketSeen {
                id: body.packet,
                events: packets.iter().map(|packet| packet.event.id).collect(),
                head: packet.map_or(event.subject.commit, |packet| packet.body.manifest.head),
                witnesses: packet.map_or_else(BTreeSet::new, |packet| witnesses(board, packet.body)),
                baseline,
            },
        }))
    }

    /// Whether the change of a record, laid on the base as it is now, gives exactly the tree that is judged.
    fn replays(&self, then: &Judged, now: &Judged) -> Result<bool> {
        let trees = (then.base_tree, then.head_tree);
        let mut merges = self.merges.borrow_mut();
        if let Some(known) = merges.get(&trees) {
            return Ok(*known);
        }
        if merges.len() == MAX_MERGES {
            return Ok(false);
        }
        let mut is_here = true;
        for tree in [trees.0, trees.1] {
            is_here &= tree == self.repo.empty_tree() || self.repo.header(tree.0)?.is_some();
        }
        // What cannot be merged here, for want of an object perhaps, is no clean replay.
        let merged = is_here
            .then(|| {
                self.repo
                    .merge_trees(trees.0, now.base_tree, trees.1)
                    .unwrap_or(None)
            })
            .flatten();
        let replays = merged == Some(now.head_tree);
        merges.insert(trees, replays);
        Ok(replays)
    }

    /// What the packet of a record delivers, once record and packet are certain to be what they say.
    fn examine(
        &self,
        board: &Board<'_>,
        review: &Review,
        (event, body): (&Event, &ReviewRecorded),
        packet: &ReviewPacket,
    ) -> Result<std::result::Result<Vec<Delivery>, String>> {
        let invalid = |why: &str| Ok(Err(why.to_owned()));
        let manifest = &packet.manifest;
        let subject = &event.subject;
        if (subject.commit, subject.base, subject.tree) != (manifest.head, manifest.base, manifest.head_tree)
            || body.goal_digest != manifest.goal_digest
        {
            return invalid("it speaks of another commit or goal than its packet");
        }
        for (commit, tree) in [(subject.commit, subject.tree), (subject.base, body.base_tree)] {
            if self
                .repo
                .try_commit(commit)?
                .is_some_and(|found| found.tree != tree)
            {
                return invalid("it names a tree that is not that of its commit");
            }
        }
        let raw = match stored::reply(&board.events, &review.id, body.raw) {
            Ok(raw) => raw,
            Err(error) => return Ok(Err(sanitise(&error.message))),
        };
        let reply = match reply::parse(raw.as_bytes(), review.id.as_str()) {
            Ok(reply) => reply,
            Err(incomplete) => return Ok(Err(format!("its reply is not usable: {}", incomplete.reason))),
        };
        let context = Context {
            policy: &self.asked.policy.evidence,
            goal: &review.goal,
            review: &review.id,
            branch: &review.branch,
            baseline: None,
        };
        let deliveries = match delivered::deliveries(&self.files, &context, packet) {
            Ok(deliveries) => deliveries,
            Err(error) if error.kind == "packet-mismatch" => {
                return Ok(Err(sanitise(&error.causes.join(": "))));
            }
            Err(error) => return Err(error),
        };
        // What only the moment of recording could tell (runs, proofs, what was cited) is taken as granted here; that
        // nothing was claimed beyond what was delivered is computed again.
        let name = manifest.baseline_name();
        let known = Known {
            tree: artifact::asked(&reply),
            artifacts: artifact::asked(&reply),
            evidence: self.evidence.clone(),
        };
        // That the overall pass was withheld flags all four where nothing else needs attention. What else did then is
        // not known now, so it is looked at by itself.
        let is_withheld = reply.all_pass == Some(false);
        let reply = FinalReviewOutput {
            all_pass: None,
            ..reply
        };
        let judged = gates::judge(&Case {
            reply: &reply,
            criteria: &review.goal.criteria,
            evidence: &self.asked.policy.evidence,
            sources: &deliveries,
            baseline: &packet.baseline_status,
            baseline_name: name.as_deref(),
            known: &known,
            proof: Some(ProofResult::Proven),
            red: &BTreeMap::new(),
        });
        let result = &body.result;
        let claims_more = Dimension::ALL.iter().any(|dimension| {
            let of = |result: &ReviewResult| result.dimensions.get(dimension).map(|one| one.verdict);
            of(result) > of(&judged.result)
        });
        let hides = judged
            .result
            .needs_attention
            .iter()
            .any(|dimension| !result.needs_attention.contains(dimension));
        let passes_over = is_withheld && result.all_pass;
        if claims_more || hides || passes_over || result.all_pass != result.needs_attention.is_empty() {
            return invalid("it claims more than its reply and its packet carry");
        }
        Ok(Ok(deliveries))
    }
}

/// The witnessed runs and proofs that a packet lists: those of its tree that its tips are or had seen.
fn witnesses(board: &Board<'_>, packet: &ReviewPacket) -> BTreeSet<EventId> {
    let tips = &packet.manifest.ledger_tips;
    let mut seen = board.causal.seen_by(tips.iter().copied());
    seen.extend(tips.iter().copied());
    let is_witness = |event: &&&Event| {
        event.subject.tree == packet.manifest.head_tree
            && match &event.body {
                Body::EvidenceRun(run) => !run.dirty,
                Body::EvidenceProof(_) => true,
                _ => false,
            }
    };
    let witnesses = board.events.iter().filter(|event| seen.contains(&event.id));
    witnesses.filter(is_witness).map(|event| event.id).collect()
}
