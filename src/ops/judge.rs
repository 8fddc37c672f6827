//! Judges one ref: gathers the policies, the findings and the baseline, and asks the rules.
//!
//! The same for `check`, the pre-push hook and CI; what cannot be read makes the ref undecided, never clean.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::baseline::{self, Filter, Goal};
use super::clock;
use super::finding::board;
use super::gate_base::{self, GateBase};
use super::gate_view::{self, GateView};
use super::ledger::Ledger;
use super::policy_copy::PolicyCopy;
use super::range::Chosen;
use super::sides::Sides;
use super::{judge_quality, judge_review};
use crate::error::{Error, Result};
use crate::gate::facts::{BaselineFact, BaselineResult, Facts, Given, Reading, ReviewFact, Update};
use crate::gate::{self, Subject};
use crate::git::Repo;
use crate::ledger::refs::Prefix;
use crate::model::decision::{Outcome, RefDecision, RefFault, RuleDecision, RuleId};
use crate::model::goal::Authorization;
use crate::model::ids::CommitId;
use crate::model::measured::Baseline;
use crate::model::policy::Policy;
use crate::model::policy::levels::{BaselineLevel, Levels, QualityLevel, ReviewLevel};
use crate::model::text::sanitise;
use crate::review::registry;

/// The most notes that are named as unreadable; one is enough to be undecided, and a hostile remote can send many.
const MAX_TROUBLES: usize = 10;

/// One ref to judge.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// Full name of the ref on the remote.
    pub ref_name: &'a str,
    /// What happens to it.
    pub update: Update,
    /// The judged commit; `None` for a deletion.
    pub head: Option<CommitId>,
    /// The base, where it was named.
    pub base: Option<&'a str>,
    /// Full name of the local branch that is pushed, if it is one.
    pub local_ref: Option<&'a str>,
    /// Short names of the branch whose reviews are meant.
    pub branches: Vec<String>,
}

/// Judges refs of one repository; the ledger is read once for all of them.
#[derive(Debug)]
pub struct Judge<'r> {
    repo: &'r Repo,
    /// By the place of the notes refs: policies may name different ones.
    ledgers: RefCell<BTreeMap<String, Rc<Opened<'r>>>>,
    /// The refs of the push that is being received, by full name, and where they would be; `None` outside of one.
    incoming: Option<BTreeMap<String, CommitId>>,
}

/// A ledger, and what makes all of it doubtful.
#[derive(Debug)]
struct Opened<'r> {
    ledger: Ledger<'r>,
    troubles: Vec<Error>,
}

impl<'r> Judge<'r> {
    /// A judge of the refs of this repository, as it is now.
    pub fn new(repo: &'r Repo) -> Self {
        Self {
            repo,
            ledgers: RefCell::default(),
            incoming: None,
        }
    }

    /// A judge of a push that is being received: review state is what it will be when these refs are where it would
    /// have them. Writes nothing.
    pub fn of_received(repo: &'r Repo, incoming: BTreeMap<String, CommitId>) -> Self {
        Self {
            incoming: Some(incoming),
            ..Self::new(repo)
        }
    }

    /// Where the repository that receives a push keeps its notes: as the policy at its `HEAD` says.
    pub fn received_prefix(&self) -> Result<Prefix> {
        let policy = match self.repo.head()?.commit() {
            Some(head) => gate_base::copy_of(self.repo, head)?.policy,
            None => Policy::default(),
        };
        Prefix::new(&policy.sync.notes_prefix)
    }

    /// The repository.
    pub const fn repo(&self) -> &'r Repo {
        self.repo
    }

    /// Judges a ref. What stands in the way of judging is part of the decision.
    pub fn judge(&self, asked: &Asked<'_>) -> RefDecision {
        let judged = Sides::read(self.repo, asked).and_then(|sides| try_judge(self, asked, &sides));
        decided(asked, judged)
    }

    /// The same where the policies have been read already.
    pub fn judge_by(&self, asked: &Asked<'_>, sides: &Sides) -> RefDecision {
        decided(asked, try_judge(self, asked, sides))
    }

    fn ledger(&self, prefix: &str) -> Result<Rc<Opened<'r>>> {
        if let Some(opened) = self.ledgers.borrow().get(prefix) {
            return Ok(Rc::clone(opened));
        }
        let ledger = match &self.incoming {
            Some(incoming) => Ledger::open_received(self.repo, prefix, incoming)?,
            None => Ledger::open(self.repo, prefix)?,
        };
        let troubles = ledger.troubles()?;
        let opened = Rc::new(Opened { ledger, troubles });
        self.ledgers
            .borrow_mut()
            .insert(prefix.to_owned(), Rc::clone(&opened));
        Ok(opened)
    }
}

/// The decision, whatever became of judging.
pub fn decided(asked: &Asked<'_>, judged: Result<RefDecision>) -> RefDecision {
    match judged {
        Ok(decision) => decision,
        Err(error) if error.kind == "history-shallow" => cut_off(asked, &error),
        Err(error) => RefDecision::undecided(sanitise(asked.ref_name), RefFault::from(error)),
    }
}

fn try_judge(judge: &Judge<'_>, asked: &Asked<'_>, sides: &Sides) -> Result<RefDecision> {
    let shown = sanitise(asked.ref_name);
    let Some(gate) = sides.policies().effective(asked.ref_name.as_bytes()) else {
        return Ok(RefDecision::not_judged(shown, "no gate is for this ref"));
    };
    let base = &sides.base;
    let mut facts = Facts {
        update: asked.update,
        spec_policy: base.policy.spec.clone(),
        specs: Given::NotAvailable("not part of this version".to_owned()),
        quality: Given::NotAvailable("the gate does not ask for it".to_owned()),
        ..Facts::clean()
    };
    let mut notes = base.notes.clone();
    if let (Some(head), Update::Push) = (asked.head, asked.update) {
        let seen = findings(judge, asked, base, head, &mut facts);
        notes.extend(seen.iter().flat_map(remarks));
        let review = review(judge, asked, base, seen.as_ref(), &gate.levels)?;
        let nothing_new = match &base.range {
            None if base.is_unrelated => None,
            None => Some("there is no base to compare with"),
            Some(range) if range.base == head => Some("the base has this commit already"),
            Some(_) => None,
        };
        facts.review = review.fact;
        facts.baseline = if let Some(why) = nothing_new {
            facts.review = Given::NotApplicable(why.to_owned());
            Given::NotApplicable(why.to_owned())
        } else if gate.levels.baseline == BaselineLevel::Off {
            Given::NotAvailable("the gate does not ask for it".to_owned())
        } else {
            let mut goals = match &seen {
                Some(seen) => authorizations(judge.repo, &base.policy, asked, head, seen)?,
                None => Vec::new(),
            };
            goals.extend(review.authorize);
            Given::Known(BaselineFact {
                result: compare(judge.repo, base, &goals)
                    .unwrap_or_else(|error| BaselineResult::Unavailable(sanitise(&error.to_string()))),
                ruling: review.baseline_ruling,
            })
        };
    }
    if let (Some(head), QualityLevel::Required) = (asked.head, gate.levels.quality) {
        quality(judge, sides, head, &mut facts);
    }
    let subject = Subject {
        ref_name: shown,
        base: base.merge_base(),
        head: asked.head,
        notes,
    };
    Ok(gate::decide(subject, &gate, &facts))
}

/// The quality record of the judged commit. What cannot be read goes into the facts as such.
fn quality(judge: &Judge<'_>, sides: &Sides, head: CommitId, facts: &mut Facts) {
    let found = judge
        .ledger(&sides.base.policy.sync.notes_prefix)
        .and_then(|opened| {
            // A known tag is asked for nothing else, so nobody else has told so far.
            if facts.state == Reading::Whole && !opened.troubles.is_empty() {
                facts.state = broken(&opened.troubles);
            }
            judge_quality::fact(judge.repo, &opened.ledger, head, &sides.policies())
        });
    facts.quality = match found {
        Ok(fact) => Given::Known(fact),
        Err(error) => {
            if facts.state == Reading::Whole {
                facts.state = broken(&[error]);
            }
            // That rule tells what is wrong, and what to do.
            Given::NotApplicable("the review state could not be read".to_owned())
        }
    };
}

/// What the rules about reviews are told.
struct Review {
    fact: Given<ReviewFact>,
    baseline_ruling: Option<String>,
    authorize: Vec<Authorization>,
}

/// What stands of the final review. What cannot be read goes into the facts as such.
fn review(
    judge: &Judge<'_>,
    asked: &Asked<'_>,
    base: &GateBase,
    seen: Option<&GateView>,
    levels: &Levels,
) -> Result<Review> {
    let nothing = |fact| Review {
        fact,
        baseline_ruling: None,
        authorize: Vec::new(),
    };
    let Some(seen) = seen else {
        let why = "the review state could not be read".to_owned();
        return Ok(nothing(Given::NotAvailable(why)));
    };
    let Some(range) = &base.range else {
        // Nothing relates a record to a commit without a base.
        return Ok(nothing(Given::Known(ReviewFact::Absent)));
    };
    if range.base == range.head {
        return Ok(nothing(Given::Known(ReviewFact::Absent)));
    }
    // A ruling may also clear what the baseline says.
    if levels.review == ReviewLevel::Off && levels.baseline == BaselineLevel::Off {
        return Ok(nothing(Given::NotAvailable(
            "the gate does not ask for it".to_owned(),
        )));
    }
    let opened = judge.ledger(&base.policy.sync.notes_prefix)?;
    let stands = judge_review::stands(judge.repo, &opened.ledger, (base, range), &asked.branches, seen)?;
    Ok(Review {
        fact: Given::Known(stands.fact),
        baseline_ruling: stands.baseline_ruling,
        authorize: stands.authorize,
    })
}

/// What deserves a word about the findings beside their state.
pub fn remarks(seen: &GateView) -> Vec<String> {
    let mut remarks = Vec::new();
    match seen.view.void_answers.len() {
        0 => {}
        1 => remarks.push("1 answer does not count: its commit is not in what is judged".to_owned()),
        count => remarks.push(format!(
            "{count} answers do not count: their commits are not in what is judged"
        )),
    }
    if !seen.view.void_answers.is_empty() {
        remarks.push(
            "git review-gate finding resolve --again repeats yours; adopt records a rewrite".to_owned(),
        );
    }
    for dangling in &seen.fold.dangling {
        remarks.push(format!(
            "event {} names {}, which no event here has; git review-gate sync",
            &dangling.event.to_hex()[..12],
            &dangling.missing.to_hex()[..12]
        ));
    }
    remarks
}

/// The findings that the gate sees. What cannot be read goes into the facts as such.
fn findings(
    judge: &Judge<'_>,
    asked: &Asked<'_>,
    base: &GateBase,
    head: CommitId,
    facts: &mut Facts,
) -> Option<GateView> {
    match read_findings(judge, asked, base, head) {
        Ok((seen, troubles)) => {
            facts.findings = board::sorted(&seen.fold).into_iter().cloned().collect();
            if !troubles.is_empty() {
                facts.state = broken(&troubles);
            }
            Some(seen)
        }
        Err(error) if error.kind == "history-shallow" => {
            facts.history = broken(&[error]);
            None
        }
        Err(error) => {
            facts.state = broken(&[error]);
            None
        }
    }
}

fn broken(troubles: &[Error]) -> Reading {
    let command = troubles.iter().find_map(|trouble| trouble.hints.first().cloned());
    Reading::Broken {
        reasons: troubles
            .iter()
            .map(|trouble| sanitise(&trouble.to_string()))
            .collect(),
        command: command.unwrap_or_else(|| "git review-gate fsck".to_owned()),
    }
}

/// The view, and everything that makes it doubtful.
fn read_findings(
    judge: &Judge<'_>,
    asked: &Asked<'_>,
    base: &GateBase,
    head: CommitId,
) -> Result<(GateView, Vec<Error>)> {
    let opened = judge.ledger(&base.policy.sync.notes_prefix)?;
    let ledger = &opened.ledger;
    let mut troubles = opened.troubles.clone();
    let question = gate_view::Asked {
        head,
        base: base.merge_base(),
        branches: asked.branches.clone(),
        is_base_branch: base.is_base_branch,
        policy: &base.policy,
        today: clock::today(),
    };
    let seen = gate_view::gate_view(judge.repo, ledger, &question)?;
    for anchor in seen.view.unreadable.iter().take(MAX_TROUBLES) {
        troubles.push(ledger.why_unreadable(*anchor)?);
    }
    if let Some(more) = seen.view.unreadable.len().checked_sub(MAX_TROUBLES + 1) {
        troubles.push(Error::new(
            "state-unreadable",
            format!("{} more notes cannot be read", more + 1),
        ));
    }
    Ok((seen, troubles))
}

/// What the open review of the branch authorises.
fn authorizations(
    repo: &Repo,
    policy: &Policy,
    asked: &Asked<'_>,
    head: CommitId,
    seen: &GateView,
) -> Result<Vec<Authorization>> {
    let events = seen.events.iter().map(|one| &one.event);
    let reviews = registry::reviews(events, |by| policy.authorize.allow(&by.email));
    let review = registry::goal_review(&reviews, &asked.branches, |anchor| {
        Ok(repo.has_commit(anchor)? && repo.is_ancestor(anchor, head)?)
    })?;
    Ok(review.map_or_else(Vec::new, |review| review.goal.authorize.clone()))
}

/// The structural baseline of exactly the range that is judged.
fn compare(repo: &Repo, base: &GateBase, authorize: &[Authorization]) -> Result<BaselineResult> {
    let Some(range) = &base.range else {
        let why = base.why_none.clone().unwrap_or_default();
        return Ok(BaselineResult::Unavailable(why));
    };
    let policy = PolicyCopy {
        policy: base.policy.clone(),
        blob: base.policy_blob,
    };
    let chosen = Chosen {
        range: range.clone(),
        policy,
    };
    let goal = Goal {
        digest: None,
        authorize,
    };
    Ok(
        match baseline::measure_range(repo, chosen, &Filter::default(), goal)?.baseline {
            Baseline::Computed(measured) => BaselineResult::Computed {
                verdict: measured.verdict,
                note: measured.verdict_rest().trim_start_matches([':', ' ']).to_owned(),
                facts: measured.facts,
            },
            Baseline::Unavailable(reason) => BaselineResult::Unavailable(reason.sentence()),
        },
    )
}

/// The decision where history is cut off before even the base is known: one rule says so, the others are not asked.
fn cut_off(asked: &Asked<'_>, error: &Error) -> RefDecision {
    let command = error.hints.first().cloned();
    let rule = |id: RuleId| {
        let (outcome, reasons, command) = if id == RuleId::HistoryShallow {
            (
                Outcome::Undecided,
                vec![sanitise(&error.to_string())],
                command.clone(),
            )
        } else {
            (Outcome::Skipped, vec!["history is cut off".to_owned()], None)
        };
        RuleDecision {
            id,
            outcome,
            reasons,
            findings: Vec::new(),
            facts: Vec::new(),
            command,
        }
    };
    RefDecision {
        ref_name: sanitise(asked.ref_name),
        base: None,
        head: asked.head,
        notes: Vec::new(),
        rules: RuleId::ALL.iter().copied().map(rule).collect(),
        fault: None,
    }
}
