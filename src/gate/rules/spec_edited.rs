//! `spec-edited`: what is pushed is not the spec that was reviewed.

use super::spec_open::facts;
use crate::gate::facts::{Sidecar, SpecBlob, SpecStatus};
use crate::gate::rule::{Case, Judgement, Need, Rule};
use crate::model::decision::RuleId;
use crate::model::text::sanitise;

pub(super) const RULE: Rule = Rule {
    id: RuleId::SpecEdited,
    blocks: "a spec at the pushed commit is not the one that was reviewed",
    explain: "\
A review that has ended speaks of the text it ended with. When the spec was edited afterwards, or is gone, nobody has \
reviewed what is pushed.

Start a new run with `git review-gate spec start`, or put the reviewed text back.

Policy: `specs` of the gate.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    let specs = match facts(case, Need::Optional) {
        Ok(specs) => specs,
        Err(answer) => return answer,
    };
    let edited: Vec<String> = specs
        .iter()
        .filter(|spec| match &spec.sidecar {
            // Editing the spec is what an open run is for; that it is open blocks anyway.
            Sidecar::Read { status, blob, .. } => {
                *status != SpecStatus::InProgress && *blob == SpecBlob::Edited
            }
            Sidecar::None | Sidecar::Faulty(_) => false,
        })
        .map(|spec| format!("{}: not the text that was reviewed", sanitise(&spec.spec)))
        .collect();
    if edited.is_empty() {
        Judgement::pass("no reviewed spec was edited")
    } else {
        Judgement::blocked("", "git review-gate spec status").because(edited)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{judged, sidecar, spec, spec_facts, specs};
    use super::*;
    use crate::model::decision::Outcome;
    use crate::model::policy::levels::SpecsLevel;

    #[test]
    fn an_edit_after_the_review_blocks() {
        let edited = spec_facts(vec![spec(sidecar(|_, _, blob, _| *blob = SpecBlob::Edited))]);
        assert_eq!(
            judged(&RULE, &edited, specs(SpecsLevel::IfPresent)).outcome,
            Outcome::Blocked
        );
        let running = spec_facts(vec![spec(sidecar(|status, _, blob, _| {
            *status = SpecStatus::InProgress;
            *blob = SpecBlob::Edited;
        }))]);
        assert_eq!(
            judged(&RULE, &running, specs(SpecsLevel::IfPresent)).outcome,
            Outcome::Pass
        );
    }
}
