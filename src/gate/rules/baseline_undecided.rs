//! `baseline-undecided`: the structural baseline could not be decided.

use super::baseline_drift::fact;
use crate::gate::facts::BaselineResult;
use crate::gate::rule::{Case, Judgement, Need, Rule};
use crate::model::baseline::Verdict;
use crate::model::decision::RuleId;
use crate::model::policy::levels::BaselineLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::BaselineUndecided,
    blocks: "the structural baseline could not be decided (undecided)",
    explain: "\
Nothing could be compared, or files that changed could not be measured, or there was nothing of a known language to \
measure. That is not the same as no drift.

`git review-gate baseline` names every file and the reason. Fetch what is missing, repair the file, exclude it in the \
policy, or have a person rule on existing-functionality-intact.

Policy: `baseline` of the gate; undecided under `required`, only said under `report`.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    let need = match case.levels.baseline {
        BaselineLevel::Required => Need::Required,
        BaselineLevel::Off | BaselineLevel::Report => Need::Optional,
    };
    let baseline = match fact(case, need) {
        Ok(baseline) => baseline,
        Err(answer) => return answer,
    };
    let doubt = match &baseline.result {
        BaselineResult::Unavailable(why) => why.clone(),
        BaselineResult::Computed {
            verdict: verdict @ (Verdict::Indeterminate | Verdict::NothingMeasured),
            note,
            ..
        } => {
            let phrase = verdict.phrase().to_lowercase();
            if note.is_empty() {
                phrase
            } else {
                format!("{phrase}: {note}")
            }
        }
        BaselineResult::Computed {
            verdict: Verdict::Drift | Verdict::AdditionsOnly | Verdict::NoDrift,
            ..
        } => return Judgement::pass("the baseline was computed"),
    };
    match (&baseline.ruling, case.levels.baseline) {
        (Some(ruling), _) => Judgement::pass(doubt).because([ruling.clone()]),
        (None, BaselineLevel::Required) => Judgement::undecided(doubt, "git review-gate baseline"),
        (None, _) => Judgement::pass(format!("{doubt}; the gate only reports it")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{baseline, drift, facts, judged, levels};
    use super::*;
    use crate::gate::facts::{BaselineFact, Given};
    use crate::model::decision::Outcome;

    #[test]
    fn what_could_not_be_compared_is_undecided_where_it_is_required() {
        for result in [
            BaselineResult::Unavailable("no-merge-base".to_owned()),
            BaselineResult::Computed {
                verdict: Verdict::NothingMeasured,
                facts: Vec::new(),
                note: String::new(),
            },
        ] {
            let doubt = facts(|facts| facts.baseline = Given::Known(BaselineFact { result, ruling: None }));
            assert_eq!(
                judged(&RULE, &doubt, baseline(BaselineLevel::Required)).outcome,
                Outcome::Undecided
            );
            assert_eq!(judged(&RULE, &doubt, levels(|_| {})).outcome, Outcome::Pass);
        }
        let unknown = facts(|facts| facts.baseline = Given::NotAvailable("damaged".to_owned()));
        assert_eq!(
            judged(&RULE, &unknown, baseline(BaselineLevel::Required)).outcome,
            Outcome::Undecided
        );
    }

    #[test]
    fn drift_is_decided() {
        let drifted = facts(|facts| facts.baseline = Given::Known(drift()));
        assert_eq!(
            judged(&RULE, &drifted, baseline(BaselineLevel::Required)).outcome,
            Outcome::Pass
        );
    }
}
