//! `baseline-drift`: tests, public API or golden behaviour were removed or weakened, and nothing authorises it.

use crate::gate::facts::{BaselineFact, BaselineResult};
use crate::gate::rule::{Case, Judgement, Need, Rule, count, known};
use crate::model::baseline::Verdict;
use crate::model::decision::RuleId;
use crate::model::fact::Fact;
use crate::model::policy::levels::BaselineLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::BaselineDrift,
    blocks: "the structural baseline shows drift that nothing authorises",
    explain: "\
The baseline compares the tests, the public API and the golden files of two commits. Drift is a fact of a kind that \
the policy lists and that the goal of the review does not authorise.

`git review-gate baseline` shows every fact with its place; `git review-gate explain KIND` says what a kind means. Put \
back what was lost, authorise it in the goal of the review, or have a person rule on existing-functionality-intact.

Policy: `baseline` of the gate (off, report, required); `drift` of [baseline].",
    judge,
};

const COMMAND: &str = "git review-gate baseline";

fn judge(case: &Case<'_>) -> Judgement {
    let baseline = match fact(case, Need::Optional) {
        Ok(baseline) => baseline,
        Err(answer) => return answer,
    };
    let BaselineResult::Computed { verdict, facts, note } = &baseline.result else {
        return Judgement::skipped("no baseline was computed");
    };
    let drift: Vec<Fact> = facts.iter().filter(|fact| fact.drift).cloned().collect();
    if drift.is_empty() && *verdict != Verdict::Drift {
        return Judgement::pass(verdict.phrase().to_lowercase());
    }
    let found = if drift.is_empty() {
        note.clone()
    } else {
        count(
            drift.len(),
            "fact is unauthorised drift",
            "facts are unauthorised drift",
        )
    };
    let judgement = match (&baseline.ruling, case.levels.baseline) {
        (Some(ruling), _) => Judgement::pass(found).because([ruling.clone()]),
        (None, BaselineLevel::Required) => Judgement::blocked(found, COMMAND),
        (None, _) => Judgement::pass(format!("{found}; the gate only reports it")),
    };
    judgement.showing(drift)
}

/// The baseline, or what a rule about it answers without it.
pub(super) fn fact<'a>(case: &'a Case<'_>, need: Need) -> Result<&'a BaselineFact, Judgement> {
    if let Some(why) = case.no_content() {
        return Err(Judgement::skipped(why));
    }
    if case.levels.baseline == BaselineLevel::Off {
        return Err(Judgement::skipped("the gate does not ask for a baseline"));
    }
    known(&case.facts.baseline, need)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{baseline, drift, facts, judged, levels};
    use super::*;
    use crate::gate::facts::Given;
    use crate::model::decision::Outcome;

    #[test]
    fn unauthorised_drift_blocks_where_a_baseline_is_required() {
        let drifted = facts(|facts| facts.baseline = Given::Known(drift()));
        let hit = judged(&RULE, &drifted, baseline(BaselineLevel::Required));
        assert_eq!((hit.outcome, hit.facts.len()), (Outcome::Blocked, 1));
        let reported = judged(&RULE, &drifted, levels(|_| {}));
        assert_eq!((reported.outcome, reported.facts.len()), (Outcome::Pass, 1));
    }

    #[test]
    fn a_ruling_clears_it() {
        let ruled = facts(|facts| {
            let mut drift = drift();
            drift.ruling = Some("ruled pass by Kim".to_owned());
            facts.baseline = Given::Known(drift);
        });
        assert_eq!(
            judged(&RULE, &ruled, baseline(BaselineLevel::Required)).outcome,
            Outcome::Pass
        );
    }
}
