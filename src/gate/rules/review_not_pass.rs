//! `review-not-pass`: a dimension of the final review does not pass.

use super::review_missing::fact;
use crate::gate::facts::{ReviewFact, Ruling, Standing};
use crate::gate::rule::{Case, Judgement, Need, Rule};
use crate::model::decision::RuleId;
use crate::model::dimension::{Dimension, DimensionVerdict};

pub(super) const RULE: Rule = Rule {
    id: RuleId::ReviewNotPass,
    blocks: "a dimension is fail or inconclusive, or needs attention, and no ruling clears it",
    explain: "\
All four dimensions must pass, and none may be listed as needing attention. What stands for a dimension is the worst \
of all records that count; asking again about the same content improves nothing. A review that failed goes on to block \
when the change moves on, until a newer record or a ruling.

Fix what failed and have the new commit reviewed. A person may decide with \
`git review-gate review rule DIMENSION pass --reason TEXT`; that stays visible with name and reason.

Policy: `review` of the gate; blocks under `if-present` and `required`.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    let (standing, stale) = match fact(case, Need::Optional) {
        Err(answer) => return answer,
        Ok(ReviewFact::Counts(standing)) => (standing, false),
        Ok(ReviewFact::Stale(standing, _)) => (standing, true),
        Ok(ReviewFact::Absent | ReviewFact::Invalid(_)) => return Judgement::skipped("no record to look at"),
    };
    let failing: Vec<String> = Dimension::ALL
        .iter()
        .filter_map(|dimension| why_not(*dimension, standing))
        .collect();
    if failing.is_empty() {
        return case.pass_if_readable(Judgement::pass("all four dimensions pass"));
    }
    let mut judgement = Judgement::blocked("", "git review-gate review show").because(failing);
    if stale {
        judgement
            .reasons
            .push("the change has moved on since; a new record or a ruling can clear this".to_owned());
    }
    judgement
}

/// Why a dimension does not pass; `None` where it does.
fn why_not(dimension: Dimension, standing: &Standing) -> Option<String> {
    let Some(stands) = standing.get(&dimension) else {
        return Some(format!("{dimension}: no verdict stands"));
    };
    if stands.passes() {
        return None;
    }
    let found = match (stands.ruling, stands.verdict) {
        (Some(Ruling::Fail), _) => format!("{dimension}: ruled fail"),
        (_, DimensionVerdict::Fail) => format!("{dimension}: fail"),
        (_, DimensionVerdict::Inconclusive) => format!("{dimension}: needs-human"),
        (_, DimensionVerdict::Pass) => format!("{dimension}: pass, but needs attention"),
    };
    Some(if stands.why.is_empty() {
        found
    } else {
        format!("{found} ({})", stands.why.join("; "))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, review, standing};
    use super::*;
    use crate::gate::facts::{Given, StandingDimension};
    use crate::model::decision::Outcome;
    use crate::model::policy::levels::ReviewLevel;

    const FAIL: StandingDimension = StandingDimension {
        verdict: DimensionVerdict::Fail,
        needs_attention: true,
        ruling: None,
        why: Vec::new(),
    };

    #[test]
    fn a_failing_dimension_blocks_also_when_it_is_stale() {
        let failing = standing(&[(Dimension::NoNewBugs, FAIL)]);
        for review_fact in [
            ReviewFact::Counts(failing.clone()),
            ReviewFact::Stale(failing, String::new()),
        ] {
            let facts = facts(|facts| facts.review = Given::Known(review_fact));
            let hit = judged(&RULE, &facts, review(ReviewLevel::IfPresent));
            assert_eq!(hit.outcome, Outcome::Blocked);
            assert_eq!(hit.reasons[0], "no-new-bugs: fail");
        }
    }

    #[test]
    fn a_ruling_decides_either_way() {
        for (ruling, verdict, expected) in [
            (Ruling::Pass, DimensionVerdict::Fail, Outcome::Pass),
            (Ruling::Fail, DimensionVerdict::Pass, Outcome::Blocked),
        ] {
            let ruled = StandingDimension {
                verdict,
                needs_attention: true,
                ruling: Some(ruling),
                why: Vec::new(),
            };
            let facts = facts(|facts| {
                facts.review = Given::Known(ReviewFact::Counts(standing(&[(
                    Dimension::ProblemResolution,
                    ruled,
                )])));
            });
            assert_eq!(
                judged(&RULE, &facts, review(ReviewLevel::Required)).outcome,
                expected
            );
        }
    }

    #[test]
    fn a_dimension_without_a_verdict_does_not_pass() {
        let facts = facts(|facts| facts.review = Given::Known(ReviewFact::Counts(Standing::new())));
        assert_eq!(
            judged(&RULE, &facts, review(ReviewLevel::Required)).reasons.len(),
            4
        );
    }
}
