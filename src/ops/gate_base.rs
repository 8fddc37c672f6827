//! The base at the gate: what a pushed commit is compared with, and the policies that take part.
//!
//! The policy in force is the one at the base. Where there is no base, the built-in policy stands for it.

use super::policy_copy::{self, PolicyCopy};
use super::range::{self, Asker, Chosen, PolicyUse, Question, Refusal};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::ids::{BlobId, CommitId};
use crate::model::policy::Policy;
use crate::model::range::{Code, Range, RangeMode, Unavailable};

/// What a commit is compared with at the gate.
#[derive(Debug, Clone)]
pub struct GateBase {
    /// The range; `None` where nothing can be compared.
    pub range: Option<Range>,
    /// The base by name.
    pub name: Option<String>,
    /// The tip of the base; where histories are unrelated, of the first candidate.
    pub tip: Option<CommitId>,
    /// The policy of the base.
    pub policy: Policy,
    /// Its blob; `None` where the built-in one stands.
    pub policy_blob: Option<BlobId>,
    /// Whether the branch is the base itself.
    pub is_base_branch: bool,
    /// Candidates exist, but none shares history with the commit.
    pub is_unrelated: bool,
    /// The policy of the base is invalid and the head repairs it: the built-in one stands for it.
    pub is_repaired: bool,
    /// Why there is no range.
    pub why_none: Option<String>,
    /// What was said on the way, for people.
    pub notes: Vec<String>,
}

impl GateBase {
    /// The commit that is compared.
    pub fn merge_base(&self) -> Option<CommitId> {
        self.range.as_ref().map(|range| range.base)
    }
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The judged commit.
    pub head: CommitId,
    /// The base, where it is named on the command line: then there is no other.
    pub base: Option<&'a str>,
    /// Full name of the local branch, which is no candidate for its own base.
    pub local_ref: Option<&'a str>,
    /// Full name of the ref that is judged.
    pub target_ref: Option<&'a str>,
}

/// Finds the base of a commit and reads the policy there.
pub fn find(repo: &Repo, asked: &Asked<'_>) -> Result<GateBase> {
    let head = asked.head.to_string();
    let question = Question {
        base: asked.base,
        head: &head,
        branch: asked.local_ref.map(str::to_owned),
        mode: RangeMode::MergeBase,
        asker: Asker::Gate,
        policy: PolicyUse::OfBase,
    };
    let chosen = match range::choose(repo, &question)? {
        // A head whose own policy is valid may repair that of the base; the built-in one stands for it meanwhile.
        Err(refusal) if refusal.reason.code == Code::BadPolicy && copy_of(repo, asked.head).is_ok() => {
            let question = Question {
                policy: PolicyUse::BuiltIn,
                ..question
            };
            let mut repaired = from_choice(repo, asked, range::choose(repo, &question)?)?;
            repaired.is_repaired = true;
            repaired.notes.push(format!(
                "the policy of the base is invalid, the built-in one stands for it: {}",
                refusal.reason.message
            ));
            return Ok(repaired);
        }
        chosen => chosen,
    };
    from_choice(repo, asked, chosen)
}

fn from_choice(
    repo: &Repo,
    asked: &Asked<'_>,
    chosen: std::result::Result<Chosen, Refusal>,
) -> Result<GateBase> {
    match chosen {
        Ok(chosen) => {
            let range = chosen.range;
            let is_base_branch = match asked.target_ref {
                Some(target) => branch_of(repo, &range.base_name)?.as_deref() == Some(target),
                None => false,
            };
            let mut notes = Vec::new();
            if range.merge_bases.len() > 1 {
                notes.push(format!(
                    "{} merge bases, the first is used: {}",
                    range.merge_bases.len(),
                    range.base.short()
                ));
            }
            Ok(GateBase {
                name: Some(range.base_name.clone()),
                tip: Some(range.base_tip),
                policy: chosen.policy.policy,
                policy_blob: chosen.policy.blob,
                is_base_branch,
                is_unrelated: false,
                is_repaired: false,
                why_none: None,
                notes,
                range: Some(range),
            })
        }
        Err(Refusal {
            reason,
            unrelated: Some(tip),
        }) => {
            let copy = copy_of(repo, tip)?;
            Ok(GateBase {
                tip: Some(tip),
                is_unrelated: true,
                notes: vec![
                    "no candidate for the base shares history with it: every commit counts as new".to_owned(),
                ],
                ..without_range(&reason, copy)
            })
        }
        Err(Refusal {
            reason,
            unrelated: None,
        }) if reason.code == Code::NoBase => Ok(GateBase {
            notes: vec!["there is no base to compare with: every commit counts as new".to_owned()],
            ..without_range(&reason, PolicyCopy::built_in())
        }),
        Err(Refusal { reason, .. }) => Err(error(&reason)),
    }
}

fn without_range(reason: &Unavailable, copy: PolicyCopy) -> GateBase {
    GateBase {
        range: None,
        name: None,
        tip: None,
        policy: copy.policy,
        policy_blob: copy.blob,
        is_base_branch: false,
        is_unrelated: false,
        is_repaired: false,
        why_none: Some(reason.sentence()),
        notes: Vec::new(),
    }
}

/// The policy in the tree of a commit; one that cannot be read is an error.
pub fn copy_of(repo: &Repo, commit: CommitId) -> Result<PolicyCopy> {
    policy_copy::read_commit(repo, commit)?.map_err(|reason| error(&reason))
}

/// A reason for having no range as an error: nothing is decided.
pub fn error(reason: &Unavailable) -> Error {
    let kind = match reason.code {
        Code::MissingCommit => "history-shallow",
        code => code.as_str(),
    };
    let mut error = Error::new(kind, reason.message.clone());
    for passed in &reason.tried {
        error = error.because(format!("passed over {}: {}", passed.candidate, passed.why));
    }
    for help in &reason.help {
        error = error.hint(help.clone());
    }
    error
}

/// The branch, by full ref name, that a base of this name is on its own side: `origin/main` is `refs/heads/main`.
fn branch_of(repo: &Repo, base_name: &str) -> Result<Option<String>> {
    let full = if base_name.starts_with("refs/") {
        base_name.to_owned()
    } else if repo.ref_target(&format!("refs/remotes/{base_name}"))?.is_some() {
        format!("refs/remotes/{base_name}")
    } else {
        format!("refs/heads/{base_name}")
    };
    let full = repo.symbolic_target(&full)?.unwrap_or(full);
    if full.starts_with("refs/heads/") {
        return Ok(Some(full));
    }
    let Some(tracking) = full.strip_prefix("refs/remotes/") else {
        return Ok(None);
    };
    // A remote's name may contain slashes; the longest configured one that fits is meant.
    let remotes = repo.remotes();
    let branch = remotes
        .iter()
        .filter_map(|remote| tracking.strip_prefix(remote.as_str())?.strip_prefix('/'))
        .min_by_key(|branch| branch.len())
        .or_else(|| tracking.split_once('/').map(|(_, branch)| branch));
    Ok(branch.map(|branch| format!("refs/heads/{branch}")))
}
