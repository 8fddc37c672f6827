//! `review-missing`: a final review is required and there is none.

use crate::gate::facts::ReviewFact;
use crate::gate::rule::{Case, Judgement, Need, Rule, known};
use crate::model::decision::RuleId;
use crate::model::policy::levels::ReviewLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::ReviewMissing,
    blocks: "a final review is required and there is none",
    explain: "\
A final review answers four questions about exactly this change: is it complete, is the problem solved, does it bring \
no new defect, does everything that worked before still work.

Open one with `git review-gate review start`, give its packet to the reviewer, and store the answer with \
`git review-gate review record FILE`.

Policy: `review = \"required\"` of the gate.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    // Where a review is required and could not be looked for, this one rule is undecided, the others are skipped.
    let need = match case.levels.review {
        ReviewLevel::Required => Need::Required,
        ReviewLevel::Off | ReviewLevel::IfPresent => Need::Optional,
    };
    let review = match fact(case, need) {
        Ok(review) => review,
        Err(answer) => return answer,
    };
    match review {
        ReviewFact::Absent if case.levels.review == ReviewLevel::Required => {
            Judgement::blocked("no final review of this change is recorded", COMMAND)
        }
        ReviewFact::Absent => case.pass_if_readable(Judgement::pass("there is none, and none is required")),
        ReviewFact::Counts(_) | ReviewFact::Stale(..) | ReviewFact::Invalid(_) => {
            Judgement::pass("there is a final review")
        }
    }
}

const COMMAND: &str = "git review-gate review start";

/// What stands of the review, or what a rule about reviews answers without it.
pub(super) fn fact<'a>(case: &'a Case<'_>, need: Need) -> Result<&'a ReviewFact, Judgement> {
    if let Some(why) = case.no_content() {
        return Err(Judgement::skipped(why));
    }
    if case.levels.review == ReviewLevel::Off {
        return Err(Judgement::skipped("the gate does not ask about reviews"));
    }
    known(&case.facts.review, need)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, levels, review, standing};
    use super::*;
    use crate::gate::facts::Given;
    use crate::model::decision::Outcome;

    #[test]
    fn no_record_blocks_where_one_is_required() {
        let absent = facts(|_| {});
        assert_eq!(
            judged(&RULE, &absent, review(ReviewLevel::Required)).outcome,
            Outcome::Blocked
        );
        assert_eq!(judged(&RULE, &absent, levels(|_| {})).outcome, Outcome::Pass);
        assert_eq!(
            judged(&RULE, &absent, review(ReviewLevel::Off)).outcome,
            Outcome::Skipped
        );
    }

    #[test]
    fn a_record_of_any_kind_is_not_missing() {
        let stale = facts(|facts| {
            facts.review = Given::Known(ReviewFact::Stale(standing(&[]), "other head".to_owned()));
        });
        assert_eq!(
            judged(&RULE, &stale, review(ReviewLevel::Required)).outcome,
            Outcome::Pass
        );
    }

    #[test]
    fn what_is_required_and_cannot_be_told_is_undecided() {
        let unknown = facts(|facts| facts.review = Given::NotAvailable("not read".to_owned()));
        assert_eq!(
            judged(&RULE, &unknown, review(ReviewLevel::Required)).outcome,
            Outcome::Undecided
        );
        assert_eq!(judged(&RULE, &unknown, levels(|_| {})).outcome, Outcome::Skipped);
        let empty = facts(|facts| facts.review = Given::NotApplicable("the range is empty".to_owned()));
        assert_eq!(
            judged(&RULE, &empty, review(ReviewLevel::Required)).outcome,
            Outcome::Skipped
        );
    }
}
