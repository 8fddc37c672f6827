//! `review-stale`: a final review is required and the one there is speaks of other content.

use super::review_missing::fact;
use crate::gate::facts::ReviewFact;
use crate::gate::rule::{Case, Judgement, Need, Rule};
use crate::model::decision::RuleId;
use crate::model::policy::levels::ReviewLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::ReviewStale,
    blocks: "a final review is required and the recorded one is of other content",
    explain: "\
A record counts only for the commit, base, goal and policy that its packet was made of, for equal trees, or after a \
clean rebase with a green witnessed run. Anything else is another change that nobody reviewed.

Make a new packet with `git review-gate review packet`, have it reviewed, and record the answer.

Policy: `review = \"required\"` of the gate. Under `if-present` a stale review that passed does not block.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    match fact(case, Need::Optional) {
        Err(answer) => answer,
        Ok(ReviewFact::Stale(_, why)) if case.levels.review == ReviewLevel::Required => Judgement::blocked(
            format!("the recorded review does not count: {why}"),
            "git review-gate review packet",
        ),
        Ok(ReviewFact::Stale(_, why)) => Judgement::pass(format!(
            "the recorded review does not count: {why}; none is required"
        )),
        Ok(ReviewFact::Counts(_)) => Judgement::pass("the recorded review is of exactly this change"),
        Ok(ReviewFact::Absent | ReviewFact::Invalid(_)) => Judgement::skipped("no record to look at"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, review, standing};
    use super::*;
    use crate::gate::facts::Given;
    use crate::model::decision::Outcome;

    #[test]
    fn a_stale_record_blocks_only_where_one_is_required() {
        let stale = facts(|facts| {
            facts.review = Given::Known(ReviewFact::Stale(standing(&[]), "stale (head)".to_owned()));
        });
        let hit = judged(&RULE, &stale, review(ReviewLevel::Required));
        assert_eq!(hit.outcome, Outcome::Blocked);
        assert!(hit.reasons[0].contains("stale (head)"));
        assert_eq!(
            judged(&RULE, &stale, review(ReviewLevel::IfPresent)).outcome,
            Outcome::Pass
        );
    }
}
