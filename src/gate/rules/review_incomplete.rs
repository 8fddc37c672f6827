//! `review-incomplete`: the packet or the record of the final review is not valid.

use super::review_missing::fact;
use crate::gate::facts::ReviewFact;
use crate::gate::rule::{Case, Judgement, Need, Rule};
use crate::model::decision::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::ReviewIncomplete,
    blocks: "the packet or the record of the final review is not valid",
    explain: "\
A record must rest on a packet that can be made again byte by byte from the commit, the goal and the policy, and must \
answer all four questions with the evidence each of them asks for. One that does not is no review, whatever it says.

Make a new packet with `git review-gate review packet`, have it reviewed, and record the answer.

Policy: `review` of the gate; blocks under `if-present` and `required`.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    match fact(case, Need::Optional) {
        Err(answer) => answer,
        Ok(ReviewFact::Invalid(why)) => Judgement::blocked(
            format!("the recorded review is not valid: {why}"),
            "git review-gate review packet",
        ),
        Ok(ReviewFact::Counts(_) | ReviewFact::Stale(..)) => Judgement::pass("the recorded review is valid"),
        Ok(ReviewFact::Absent) => Judgement::skipped("no record to look at"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, review, standing};
    use super::*;
    use crate::gate::facts::Given;
    use crate::model::decision::Outcome;
    use crate::model::policy::levels::ReviewLevel;

    #[test]
    fn an_invalid_record_blocks_also_where_none_is_required() {
        let invalid = facts(|facts| facts.review = Given::Known(ReviewFact::Invalid("no packet".to_owned())));
        for level in [ReviewLevel::IfPresent, ReviewLevel::Required] {
            assert_eq!(judged(&RULE, &invalid, review(level)).outcome, Outcome::Blocked);
        }
        let valid = facts(|facts| facts.review = Given::Known(ReviewFact::Counts(standing(&[]))));
        assert_eq!(
            judged(&RULE, &valid, review(ReviewLevel::Required)).outcome,
            Outcome::Pass
        );
    }
}
