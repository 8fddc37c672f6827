//! Judges one ref of a push, whichever side asks: the one that sends it, or the one that receives it.

use super::judge::{self, Asked, Judge};
use super::pushed::Pushed;
use super::sides::Sides;
use crate::error::{Error, Result};
use crate::gate::disposition::{Disposition, Peeled, PushedObjects as _, dispose};
use crate::gate::facts::Update;
use crate::model::decision::{Outcome, RefDecision, RefFault, RuleDecision, RuleId};
use crate::model::push::{PushKind, PushLine, PushUpdate};
use crate::model::text::sanitise_bytes;

/// Judges one line with `judge`; one that was not understood is undecided, and so is what could not be read.
pub fn line(line: &PushLine, judge: impl FnOnce(&PushUpdate) -> Result<RefDecision>) -> RefDecision {
    match &line.update {
        Ok(update) => judge(update).unwrap_or_else(|error| {
            RefDecision::undecided(sanitise_bytes(&update.remote_ref), RefFault::from(error))
        }),
        Err(malformed) => {
            let error = Error::new(
                "malformed-line",
                "git's input to the hook holds a line that is not understood",
            )
            .because(format!("line {}: {}", line.number, malformed.why))
            .because(format!("it reads \"{}\"", sanitise_bytes(&malformed.bytes)))
            .hint("git review-gate hooks status");
            RefDecision::undecided(format!("line {}", line.number), RefFault::from(error))
        }
    }
}

/// Judges one ref of a push. `local_ref` is the branch that is pushed, where it is known: no candidate for its own base.
/// The reviews of `branches` (full names) speak for it, and those of the branch that the ref is.
pub fn update(
    judge: &Judge<'_>,
    pushed: &Pushed<'_>,
    update: &PushUpdate,
    local_ref: Option<&str>,
    mut branches: Vec<String>,
) -> Result<RefDecision> {
    let repo = judge.repo();
    let shown = sanitise_bytes(&update.remote_ref);
    let deletes = update.kind() == PushKind::Delete;
    let ref_name = std::str::from_utf8(&update.remote_ref).map_err(|_| {
        Error::new("not-supported", format!("the ref name {shown} is not UTF-8"))
            .hint("rename the ref, names in UTF-8 can be judged")
    })?;
    let head = if deletes {
        None
    } else {
        match pushed.peel(update.local_id)? {
            Peeled::Commit(commit) => Some(commit),
            Peeled::NotACommit => None,
        }
    };
    branches.push(ref_name.to_owned());
    let mut branches: Vec<String> = branches
        .iter()
        .filter_map(|name| name.strip_prefix("refs/heads/").map(str::to_owned))
        .collect();
    branches.sort();
    branches.dedup();
    let mut asked = Asked {
        ref_name,
        update: if deletes { Update::Delete } else { Update::Push },
        head,
        base: None,
        local_ref: local_ref.filter(|_| head.is_some()),
        branches,
    };
    let sides = match Sides::read(repo, &asked) {
        Ok(sides) => sides,
        Err(error) => return Ok(judge::decided(&asked, Err(error))),
    };
    let passes = |why: String| Ok(RefDecision::not_judged(shown.clone(), why));
    match dispose(update, &sides.policies(), pushed)? {
        Disposition::Gated { .. } | Disposition::DeletionDenied(Some(_)) => {}
        Disposition::TagKnown { quality: Some(_), .. } => asked.update = Update::KnownTag,
        Disposition::TagKnown { quality: None, .. } => {
            return passes("a tag of commits that the remote has already".to_owned());
        }
        Disposition::NotACommit => return passes("a tag of what is no commit: nothing to judge".to_owned()),
        Disposition::NotGated => return passes("no gate is for this ref".to_owned()),
        Disposition::DeletionAllowed(gate) => return passes(format!("{gate} allows deleting it")),
        Disposition::OwnNotes | Disposition::DeletionDenied(None) => {
            return Ok(own_notes(update));
        }
    }
    Ok(judge.judge_by(&asked, &sides))
}

/// Our own notes: they pass, and nothing may delete them.
pub fn own_notes(update: &PushUpdate) -> RefDecision {
    let shown = sanitise_bytes(&update.remote_ref);
    let mut decision = RefDecision::not_judged(shown, "review state of this tool: never judged");
    if update.kind() == PushKind::Delete {
        decision.notes.clear();
        decision.rules.push(RuleDecision {
            id: RuleId::RefDeleted,
            outcome: Outcome::Blocked,
            reasons: vec!["this ref holds review state, which is never deleted by a push".to_owned()],
            findings: Vec::new(),
            facts: Vec::new(),
            command: Some("git review-gate explain ref-deleted".to_owned()),
        });
    }
    decision
}
