//! `policy-relaxed`: the change loosens the policy, and that would let it through.

use super::RULES;
use crate::gate::rule::{Case, Judgement, Rule};
use crate::model::decision::{Outcome, Overall, RuleId};
use crate::model::policy::effective::PolicySide;
use crate::model::policy::levels::{GateKey, Levels};

pub(super) const RULE: Rule = Rule {
    id: RuleId::PolicyRelaxed,
    blocks: "the change loosens the policy, and the looser value would change the outcome of a rule",
    explain: "\
The policy in force is read from the base, and the stricter value of base and head decides each key. So a change \
cannot let itself through; this rule says that it would have.

Satisfy the rule that is named, or change the policy in a change of its own first. `git review-gate explain policy` \
shows every key with the side its value came from.

Policy: all keys of the gate.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    let relaxed = case.gate.relaxed();
    if relaxed.is_empty() {
        return Judgement::skipped("the policy is not loosened");
    }
    let strict = stopping(case, case.levels.clone());
    let changed = |keys: &[GateKey]| -> Vec<RuleId> {
        let loose = stopping(case, case.gate.with_head(keys));
        strict
            .iter()
            .copied()
            .filter(|rule| !loose.contains(rule))
            .collect()
    };
    let mut reasons: Vec<String> = relaxed
        .iter()
        .filter_map(|key| {
            let rules = changed(&[*key]);
            (!rules.is_empty()).then(|| said(case, *key, &rules))
        })
        .collect();
    // Two loosened keys may change together what neither changes alone.
    let together = changed(&relaxed);
    if reasons.is_empty() && !together.is_empty() {
        reasons = relaxed.iter().map(|key| said(case, *key, &together)).collect();
    }
    if reasons.is_empty() {
        Judgement::pass("the policy is loosened; that changes no outcome here")
    } else {
        Judgement::blocked("", "git review-gate explain policy").because(reasons)
    }
}

/// The rules that would stop the push under these values.
fn stopping(case: &Case<'_>, levels: Levels) -> Vec<RuleId> {
    let case = Case {
        levels,
        ..case.clone()
    };
    RULES
        .iter()
        .filter(|rule| rule.id != RuleId::PolicyRelaxed)
        .filter(|rule| Overall::from((rule.judge)(&case).outcome) != Overall::from(Outcome::Pass))
        .map(|rule| rule.id)
        .collect()
}

fn said(case: &Case<'_>, key: GateKey, rules: &[RuleId]) -> String {
    let strict = case.levels.value(key);
    let head = case.gate.sides.iter().find(|side| side.side == PolicySide::Head);
    let loose = head.map_or_else(String::new, |head| head.levels.value(key));
    let rules: Vec<_> = rules.iter().map(|rule| rule.as_str()).collect();
    format!(
        "{key}: {strict} becomes {loose}, which would clear {}",
        rules.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{effective, facts, finding, levels};
    use super::*;
    use crate::gate::facts::Facts;
    use crate::model::finding::State;
    use crate::model::policy::levels::FindingsLevel;
    use crate::model::severity::Severity;

    fn judged(facts: &Facts, head: Levels) -> Judgement {
        let base = levels(|levels| levels.findings = FindingsLevel::Verified);
        let gate = effective(&[(PolicySide::Base, base), (PolicySide::Head, head)]);
        let levels = gate.levels.clone();
        judge(&Case {
            facts,
            gate: &gate,
            levels,
        })
    }

    #[test]
    fn loosening_blocks_only_where_it_matters() {
        let addressed = facts(|facts| facts.findings = vec![finding(1, State::Addressed, Severity::Major)]);
        let hit = judged(&addressed, levels(|_| {}));
        assert_eq!(hit.outcome, Outcome::Blocked);
        assert_eq!(
            hit.reasons,
            ["findings: verified becomes addressed, which would clear findings-unverified"]
        );
        let verified = facts(|facts| facts.findings = vec![finding(1, State::Verified, Severity::Major)]);
        assert_eq!(judged(&verified, levels(|_| {})).outcome, Outcome::Pass);
    }

    #[test]
    fn tightening_is_not_loosening() {
        let same = levels(|levels| levels.findings = FindingsLevel::Verified);
        let addressed = facts(|facts| facts.findings = vec![finding(1, State::Addressed, Severity::Major)]);
        assert_eq!(judged(&addressed, same).outcome, Outcome::Skipped);
    }
}
