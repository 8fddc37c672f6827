//! The policies that take part in judging a ref: of the base, of its tip, and of the head.

use super::gate_base::{self, GateBase};
use super::judge::Asked;
use super::policy_copy::PolicyCopy;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::policy::effective::{Policies, PolicySide};
use crate::model::policy::listing::{ExplainedPolicy, PolicySource};
use crate::model::text::sanitise;

/// The policies that take part, read from the commits.
#[derive(Debug)]
pub struct Sides {
    /// What the head is compared with.
    pub base: GateBase,
    /// The policy at the tip of the base, where it is another one.
    pub base_tip: Option<PolicyCopy>,
    /// The policy of the head; `None` for a deletion.
    pub head: Option<PolicyCopy>,
}

impl Sides {
    /// Reads the policies of both sides; a fault on either side is an error.
    pub fn read(repo: &Repo, asked: &Asked<'_>) -> Result<Self> {
        let Some(head) = asked.head else {
            return Self::of_deletion(repo, asked);
        };
        let question = gate_base::Asked {
            head,
            base: asked.base,
            local_ref: asked.local_ref,
            target_ref: Some(asked.ref_name),
        };
        let head_copy = gate_base::copy_of(repo, head)?;
        let base = gate_base::find(repo, &question)?;
        let base_tip = match (&base.range, base.tip) {
            (Some(range), Some(tip)) if tip != range.base && !base.is_repaired => {
                let copy = gate_base::copy_of(repo, tip)?;
                (copy.blob != base.policy_blob).then_some(copy)
            }
            _ => None,
        };
        Ok(Self {
            base,
            base_tip,
            head: Some(head_copy),
        })
    }

    /// A deletion is judged by the policy at the tip of the base: there is no head that could tighten it.
    fn of_deletion(repo: &Repo, asked: &Asked<'_>) -> Result<Self> {
        let checked_out = repo.head()?;
        let Some(head) = checked_out.commit() else {
            return Err(Error::new("unborn-head", "HEAD has no commit yet").hint("git commit"));
        };
        let question = gate_base::Asked {
            head,
            base: asked.base,
            // In a bare repository no branch is checked out: its HEAD names the one that counts.
            local_ref: checked_out.ref_name().filter(|_| !repo.is_bare()),
            target_ref: Some(asked.ref_name),
        };
        let base = gate_base::find(repo, &question)?;
        let tip: Option<PolicyCopy> = base.tip.map(|tip| gate_base::copy_of(repo, tip)).transpose()?;
        Ok(Self {
            base_tip: tip,
            head: None,
            base,
        })
    }

    /// All of them side by side.
    pub fn policies(&self) -> Policies<'_> {
        Policies {
            base: &self.base.policy,
            base_tip: self.base_tip.as_ref().map(|copy| &copy.policy),
            head: self.head.as_ref().map(|copy| &copy.policy),
        }
    }

    /// The same for people: where each side was read, and what holds.
    pub fn explained(&self, asked: &Asked<'_>) -> ExplainedPolicy {
        let mut sources = vec![PolicySource {
            side: PolicySide::Base,
            commit: self.base.merge_base().or(self.base.tip),
            blob: self.base.policy_blob,
        }];
        for (side, commit, copy) in [
            (PolicySide::BaseTip, self.base.tip, &self.base_tip),
            (PolicySide::Head, asked.head, &self.head),
        ] {
            sources.extend(copy.as_ref().map(|copy| PolicySource {
                side,
                commit,
                blob: copy.blob,
            }));
        }
        ExplainedPolicy {
            ref_name: sanitise(asked.ref_name),
            sources,
            gate: self.policies().effective(asked.ref_name.as_bytes()),
            base: self.base.policy.clone(),
        }
    }
}
