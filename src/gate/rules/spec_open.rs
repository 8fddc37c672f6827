//! `spec-open`: a spec review that the range touches is not closed.

use crate::gate::facts::{Sidecar, SpecFact, SpecStatus};
use crate::gate::rule::{Case, Judgement, Need, Rule, known};
use crate::model::decision::RuleId;
use crate::model::policy::levels::SpecsLevel;
use crate::model::policy::spec::SpecRequire;
use crate::model::text::sanitise;

pub(super) const RULE: Rule = Rule {
    id: RuleId::SpecOpen,
    blocks: "a spec review has not converged, has outcomes that block, or is required and missing",
    explain: "\
A spec review that the change touches must have ended well, with no outcome that still asks for something. Where spec \
reviews are required, every changed spec needs one.

`git review-gate spec status` shows the state and every row that blocks.

Policy: `specs` of the gate; `require`, `allow_stopped` and `block_low_confidence` of [spec].",
    judge,
};

const COMMAND: &str = "git review-gate spec status";

fn judge(case: &Case<'_>) -> Judgement {
    let need = match case.levels.specs {
        SpecsLevel::Required => Need::Required,
        SpecsLevel::Off | SpecsLevel::IfPresent => Need::Optional,
    };
    let specs = match facts(case, need) {
        Ok(specs) => specs,
        Err(answer) => return answer,
    };
    let open: Vec<String> = specs.iter().flat_map(|spec| why_open(case, spec)).collect();
    if open.is_empty() {
        Judgement::pass("no spec review is open")
    } else {
        Judgement::blocked("", COMMAND).because(open)
    }
}

/// The spec reviews, or what a rule about them answers without them.
pub(super) fn facts<'a>(case: &'a Case<'_>, need: Need) -> Result<&'a [SpecFact], Judgement> {
    if let Some(why) = case.no_content() {
        return Err(Judgement::skipped(why));
    }
    if case.levels.specs == SpecsLevel::Off {
        return Err(Judgement::skipped("the gate does not ask about specs"));
    }
    known(&case.facts.specs, need).map(Vec::as_slice)
}

fn why_open(case: &Case<'_>, fact: &SpecFact) -> Vec<String> {
    let policy = &case.facts.spec_policy;
    let spec = sanitise(&fact.spec);
    match &fact.sidecar {
        Sidecar::None
            if case.levels.specs == SpecsLevel::Required || policy.require == SpecRequire::Changed =>
        {
            vec![format!("{spec}: changed, and no review of it is there")]
        }
        Sidecar::None | Sidecar::Faulty(_) => Vec::new(),
        Sidecar::Read { status, blocking, .. } => {
            let status = match status {
                SpecStatus::InProgress => Some("its review is in progress".to_owned()),
                SpecStatus::ConvergedLowConfidence if policy.block_low_confidence => {
                    Some("its review converged with low confidence only".to_owned())
                }
                SpecStatus::Stopped(reason) if !policy.allow_stopped.contains(reason) => {
                    Some(format!("its review stopped ({reason})"))
                }
                SpecStatus::Converged | SpecStatus::ConvergedLowConfidence | SpecStatus::Stopped(_) => None,
            };
            status
                .into_iter()
                .chain(blocking.iter().map(|row| sanitise(row)))
                .map(|why| format!("{spec}: {why}"))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{judged, sidecar, spec, spec_facts, specs};
    use super::*;
    use crate::model::decision::Outcome;
    use crate::model::policy::spec::StopReason;

    #[test]
    fn a_review_that_is_not_closed_blocks() {
        for sidecar in [
            sidecar(|status, _, _, _| *status = SpecStatus::InProgress),
            sidecar(|status, _, _, _| *status = SpecStatus::Stopped(StopReason::Budget)),
            sidecar(|_, blocking, _, _| blocking.push("row 1: unlanded".to_owned())),
        ] {
            let facts = spec_facts(vec![spec(sidecar)]);
            assert_eq!(
                judged(&RULE, &facts, specs(SpecsLevel::IfPresent)).outcome,
                Outcome::Blocked
            );
        }
    }

    #[test]
    fn a_changed_spec_needs_a_review_only_where_it_is_required() {
        let mut facts = spec_facts(vec![spec(Sidecar::None)]);
        assert_eq!(
            judged(&RULE, &facts, specs(SpecsLevel::Required)).outcome,
            Outcome::Blocked
        );
        assert_eq!(
            judged(&RULE, &facts, specs(SpecsLevel::IfPresent)).outcome,
            Outcome::Pass
        );
        facts.spec_policy.require = SpecRequire::Changed;
        assert_eq!(
            judged(&RULE, &facts, specs(SpecsLevel::IfPresent)).outcome,
            Outcome::Blocked
        );
    }

    #[test]
    fn the_policy_may_let_a_stop_through() {
        let mut facts = spec_facts(vec![spec(sidecar(|status, _, _, _| {
            *status = SpecStatus::Stopped(StopReason::Budget);
        }))]);
        facts.spec_policy.allow_stopped.insert(StopReason::Budget);
        assert_eq!(
            judged(&RULE, &facts, specs(SpecsLevel::Required)).outcome,
            Outcome::Pass
        );
    }
}
