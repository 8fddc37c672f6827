//! What holds for one ref when several sides have a policy: the stricter value of each key, and where it came from.
//!
//! The base decides; the head may only tighten. So no change can relax its own gate.

use super::levels::{GateKey, Levels};
use super::{GateName, Policy};
use crate::model::words::words;

words! {
    /// Where a policy was read.
    PolicySide {
        /// The merge base with the base branch, or the base itself.
        Base = "base",
        /// The tip of the base branch, where it has another policy than the merge base.
        BaseTip = "base tip",
        /// The commit that is judged.
        Head = "head",
    }
}

/// The policies that take part, side by side. A side without a policy file takes part with the built-in policy.
#[derive(Debug, Clone, Copy)]
pub struct Policies<'a> {
    /// Read from the merge base.
    pub base: &'a Policy,
    /// Read from the tip of the base branch, where that differs.
    pub base_tip: Option<&'a Policy>,
    /// Read from the judged commit; `None` where there is none, as for a deletion.
    pub head: Option<&'a Policy>,
}

/// What one side says about a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideGate {
    /// Which side.
    pub side: PolicySide,
    /// Its gate for the ref; `None` where it has none (a ref outside branches and tags that no gate names).
    pub gate: Option<GateName>,
    /// What that asks for.
    pub levels: Levels,
}

/// What holds for a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveGate {
    /// For each key the strictest value of all sides.
    pub levels: Levels,
    /// What each side says, base first.
    pub sides: Vec<SideGate>,
}

impl Policies<'_> {
    /// The gate that holds for a full ref name; `None` where no side gates it.
    pub fn effective(&self, ref_name: &[u8]) -> Option<EffectiveGate> {
        let sides: Vec<SideGate> = [
            (PolicySide::Base, Some(self.base)),
            (PolicySide::BaseTip, self.base_tip),
            (PolicySide::Head, self.head),
        ]
        .into_iter()
        .filter_map(|(side, policy)| {
            let gate = policy?.gate(ref_name);
            Some(match gate {
                Some((name, levels)) => SideGate {
                    side,
                    gate: Some(name),
                    levels,
                },
                None => SideGate {
                    side,
                    gate: None,
                    levels: Levels::nothing(),
                },
            })
        })
        .collect();
        if sides.iter().all(|side| side.gate.is_none()) {
            return None;
        }
        let levels = sides
            .iter()
            .fold(Levels::nothing(), |levels, side| levels.stricter(&side.levels));
        Some(EffectiveGate { levels, sides })
    }
}

impl EffectiveGate {
    /// The gate of the base, for naming it: the base's own, else the first side that has one.
    pub fn name(&self) -> GateName {
        self.sides
            .iter()
            .find_map(|side| side.gate)
            .expect("a side without any gate makes no effective gate")
    }

    /// The sides whose own value of this key is as strict as what holds, base first.
    ///
    /// None for severities that only the union of the sides makes; then all sides share in it.
    pub fn from(&self, key: GateKey) -> Vec<PolicySide> {
        let equal: Vec<_> = self
            .sides
            .iter()
            .filter(|side| !self.levels.stricter_than(&side.levels, key))
            .map(|side| side.side)
            .collect();
        if equal.is_empty() {
            self.sides.iter().map(|side| side.side).collect()
        } else {
            equal
        }
    }

    /// The keys for which the head asks for less than holds without it.
    pub fn relaxed(&self) -> Vec<GateKey> {
        let Some(head) = self.sides.iter().find(|side| side.side == PolicySide::Head) else {
            return Vec::new();
        };
        // What holds includes the head's own tightening, which cannot make the head looser than itself.
        GateKey::ALL
            .iter()
            .copied()
            .filter(|key| self.levels.stricter_than(&head.levels, *key))
            .collect()
    }

    /// What would hold if the head's value decided the given keys.
    pub fn with_head(&self, keys: &[GateKey]) -> Levels {
        let head = self.sides.iter().find(|side| side.side == PolicySide::Head);
        keys.iter().fold(self.levels.clone(), |levels, key| match head {
            Some(head) => levels.with(*key, &head.levels),
            None => levels,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::policy::Gate;
    use crate::model::policy::levels::{FindingsLevel, ReviewLevel};
    use crate::model::policy::pattern::RefPattern;
    use crate::model::severity::Severity;

    fn policy(pattern: &str, change: impl FnOnce(&mut Levels)) -> Policy {
        let mut levels = Levels::built_in();
        change(&mut levels);
        Policy {
            gates: vec![Gate {
                refs: vec![RefPattern::new(pattern).unwrap()],
                levels,
            }],
            ..Policy::default()
        }
    }

    #[test]
    fn the_stricter_value_holds_key_by_key() {
        let base = policy("refs/heads/*", |levels| {
            levels.findings = FindingsLevel::Verified;
            levels.severities = [Severity::Blocker].into();
        });
        let head = policy("refs/heads/*", |levels| {
            levels.review = ReviewLevel::Required;
            levels.severities = [Severity::Nit].into();
        });
        let gate = Policies {
            base: &base,
            base_tip: None,
            head: Some(&head),
        }
        .effective(b"refs/heads/a")
        .unwrap();
        assert_eq!(gate.levels.findings, FindingsLevel::Verified);
        assert_eq!(gate.levels.review, ReviewLevel::Required);
        assert_eq!(gate.levels.severities, [Severity::Blocker, Severity::Nit].into());
        assert_eq!(gate.from(GateKey::Findings), [PolicySide::Base]);
        assert_eq!(gate.from(GateKey::Review), [PolicySide::Head]);
        assert_eq!(
            gate.from(GateKey::Severities),
            [PolicySide::Base, PolicySide::Head]
        );
        assert_eq!(gate.relaxed(), [GateKey::Findings, GateKey::Severities]);
        let relaxed = gate.with_head(&gate.relaxed());
        assert_eq!(relaxed.findings, FindingsLevel::Addressed);
        assert_eq!(relaxed.review, ReviewLevel::Required);
    }

    #[test]
    fn refs_outside_branches_and_tags_need_a_gate_that_names_them() {
        let base = policy("refs/for/*", |_| {});
        let built_in = Policy::default();
        let none = Policies {
            base: &built_in,
            base_tip: None,
            head: None,
        };
        assert_eq!(none.effective(b"refs/for/main"), None);
        assert_eq!(
            none.effective(b"refs/heads/main").unwrap().name(),
            GateName::BuiltIn
        );
        // A head that drops the gate of the base loosens it and changes nothing.
        let dropped = Policies {
            base: &base,
            base_tip: None,
            head: Some(&built_in),
        }
        .effective(b"refs/for/main")
        .unwrap();
        assert_eq!(dropped.levels, Levels::built_in());
        assert_eq!(dropped.name(), GateName::Number(0));
        assert!(dropped.relaxed().contains(&GateKey::Findings));
    }

    #[test]
    fn the_notes_of_the_tool_are_its_own() {
        let policy = Policy::default();
        assert!(policy.is_own_ref(b"refs/notes/review-gate/findings"));
        assert!(!policy.is_own_ref(b"refs/notes/review-gatekeeper"));
        assert!(!policy.is_own_ref(b"refs/notes/review-gate"));
    }
}
