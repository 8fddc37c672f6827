//! A pre-receive call: the same judgement on the side that receives the push, before any ref moves. Writes nothing.

use std::collections::BTreeMap;

use super::hook_call::Call;
use super::judge::Judge;
use super::judge_push;
use super::prepush::{Answered, Judged};
use super::pushed::Pushed;
use crate::error::Result;
use crate::exit::Exit;
use crate::gate::disposition::{Peeled, PushedObjects as _};
use crate::git::{Repo, push_lines};
use crate::hook::chained::Chained;
use crate::ledger::refs::{NotesRef, Prefix};
use crate::ledger::store::Store;
use crate::model::decision::{Decision, Outcome, RefDecision, RuleDecision, RuleId};
use crate::model::ids::CommitId;
use crate::model::push::{PushKind, PushLine, PushUpdate};
use crate::model::text::sanitise_bytes;

/// Where a repository remembers what its own notes refs held. No push has business there.
const MARKS: &[u8] = b"refs/review-gate/";

/// Judges the push, then lets the hook that was here before have its say.
pub fn run(call: &Call) -> Result<Answered> {
    let judged = judge(&Repo::open()?, &call.stdin)?;
    let mut answered = Answered {
        exit: match &judged {
            Judged::Nothing => Exit::Pass,
            Judged::Decided(decision) => decision.outcome().into(),
        },
        judged,
        chained: Chained::Absent,
        warnings: Vec::new(),
    };
    if answered.exit == Exit::Pass {
        answered.chained = call.run_chained()?;
        if answered.chained == Chained::Failed {
            answered.exit = Exit::Blocked;
        }
    }
    Ok(answered)
}

/// Judges every line, in order.
pub fn judge(repo: &Repo, stdin: &[u8]) -> Result<Judged> {
    let lines = push_lines::parse_received(stdin);
    if lines.is_empty() {
        return Ok(Judged::Nothing);
    }
    let received = Received {
        repo,
        pushed: Pushed::received(repo)?,
        heads: heads(repo, &lines)?,
    };
    let judge = Judge::of_received(repo, notes_tips(&received.pushed, &lines));
    let refs = lines
        .iter()
        .map(|line| judge_push::line(line, |update| received.judge(&judge, update)))
        .collect();
    Ok(Judged::Decided(Decision { refs }))
}

/// Where the refs of the push would be that may be notes refs of ours. What is no commit is refused on its own line.
fn notes_tips(pushed: &Pushed<'_>, lines: &[PushLine]) -> BTreeMap<String, CommitId> {
    let updates = lines.iter().filter_map(|line| line.update.as_ref().ok());
    let notes = updates.filter(|update| update.remote_ref.starts_with(b"refs/notes/"));
    notes
        .filter(|update| update.kind() != PushKind::Delete)
        .filter_map(|update| {
            let name = std::str::from_utf8(&update.remote_ref).ok()?;
            match pushed.peel(update.local_id) {
                Ok(Peeled::Commit(tip)) => Some((name.to_owned(), tip)),
                _ => None,
            }
        })
        .collect()
}

/// The branches as they will be after the push, by full name.
fn heads(repo: &Repo, lines: &[PushLine]) -> Result<BTreeMap<String, crate::model::ids::Oid>> {
    let known = repo.refs_under("refs/heads/")?.into_iter();
    let mut heads: BTreeMap<_, _> = known.map(|found| (found.name, found.id)).collect();
    for update in lines.iter().filter_map(|line| line.update.as_ref().ok()) {
        if let Ok(name) = std::str::from_utf8(&update.remote_ref)
            && name.starts_with("refs/heads/")
        {
            heads.insert(name.to_owned(), update.local_id);
        }
    }
    Ok(heads)
}

/// A push that is being received.
struct Received<'r> {
    repo: &'r Repo,
    pushed: Pushed<'r>,
    heads: BTreeMap<String, crate::model::ids::Oid>,
}

impl Received<'_> {
    fn judge(&self, judge: &Judge<'_>, update: &PushUpdate) -> Result<RefDecision> {
        if update.remote_ref.starts_with(MARKS) {
            let why = "this ref is a mark of the repository itself, which no push may move";
            return Ok(refused(
                update,
                RuleId::StateUnreadable,
                vec![why.to_owned()],
                None,
            ));
        }
        if let Some(notes) = self.notes(judge, update)? {
            return Ok(notes);
        }
        // What the sender calls the branch is not known; one that is at the same commit speaks for it too.
        let branches = self
            .heads
            .iter()
            .filter(|(_, id)| **id == update.local_id)
            .map(|(name, _)| name.clone())
            .collect();
        judge_push::update(judge, &self.pushed, update, None, branches)
    }

    /// The decision about a notes ref of ours: it may only grow, by lines that are events. `None` for any other ref.
    fn notes(&self, judge: &Judge<'_>, update: &PushUpdate) -> Result<Option<RefDecision>> {
        let prefixes = [Prefix::default(), judge.received_prefix()?];
        let Some((prefix, rest)) = prefixes.iter().find_map(|prefix| {
            let rest = update.remote_ref.strip_prefix(prefix.as_str().as_bytes())?;
            Some((prefix, rest.strip_prefix(b"/")?))
        }) else {
            return Ok(None);
        };
        let is_known = NotesRef::ALL
            .iter()
            .any(|notes_ref| notes_ref.as_str().as_bytes() == rest);
        if update.kind() == PushKind::Delete || !is_known {
            return Ok(Some(judge_push::own_notes(update)));
        }
        let Peeled::Commit(new) = self.pushed.peel(update.local_id)? else {
            let why = "the ref would be no commit, so it would hold no notes";
            return Ok(Some(refused(
                update,
                RuleId::StateUnreadable,
                vec![why.to_owned()],
                None,
            )));
        };
        let old = match self
            .repo
            .ref_target(&String::from_utf8_lossy(&update.remote_ref))?
        {
            Some(old) => match self.pushed.peel(old)? {
                Peeled::Commit(old) => Some(old),
                Peeled::NotACommit => None,
            },
            None => None,
        };
        let objections = Store::new(self.repo, prefix.clone()).objections(old, new)?;
        Ok(Some(if objections.is_empty() {
            judge_push::own_notes(update)
        } else {
            let command = Some("git review-gate sync");
            refused(update, RuleId::StateUnreadable, objections, command)
        }))
    }
}

/// A ref that may not move, whatever a gate says.
fn refused(update: &PushUpdate, id: RuleId, reasons: Vec<String>, command: Option<&str>) -> RefDecision {
    let mut decision = RefDecision::not_judged(sanitise_bytes(&update.remote_ref), "");
    decision.notes.clear();
    decision.rules.push(RuleDecision {
        id,
        outcome: Outcome::Blocked,
        reasons,
        findings: Vec::new(),
        facts: Vec::new(),
        command: command.map(str::to_owned),
    });
    decision
}
