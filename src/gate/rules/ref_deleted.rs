//! `ref-deleted`: the policy denies deleting the ref.

use crate::gate::facts::Update;
use crate::gate::rule::{Case, Judgement, Rule};
use crate::model::decision::RuleId;
use crate::model::policy::levels::DeletionsLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::RefDeleted,
    blocks: "the ref is deleted and the policy denies that",
    explain: "\
Deleting a ref takes its commits, and what was reviewed of them, out of sight. The notes refs that hold the review \
state can never be deleted by a push.

Policy: `deletions` of the gate (allow, deny).",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    match (case.facts.update, case.levels.deletions) {
        (Update::Push | Update::KnownTag, _) => Judgement::skipped("the ref is not deleted"),
        (Update::Delete, DeletionsLevel::Allow) => Judgement::pass("the policy allows deleting it"),
        (Update::Delete, DeletionsLevel::Deny) => Judgement::blocked(
            "the policy denies deleting this ref",
            "git review-gate explain policy",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, levels};
    use super::*;
    use crate::model::decision::Outcome;

    #[test]
    fn a_deletion_is_judged_by_one_key() {
        let deleted = facts(|facts| facts.update = Update::Delete);
        let deny = levels(|levels| levels.deletions = DeletionsLevel::Deny);
        assert_eq!(judged(&RULE, &deleted, deny.clone()).outcome, Outcome::Blocked);
        assert_eq!(judged(&RULE, &deleted, levels(|_| {})).outcome, Outcome::Pass);
        assert_eq!(judged(&RULE, &facts(|_| {}), deny).outcome, Outcome::Skipped);
    }
}
