//! `spec-invalid`: a spec review contradicts itself, or cannot be read.

use super::spec_open::facts;
use crate::gate::facts::Sidecar;
use crate::gate::rule::{Case, Judgement, Need, Rule};
use crate::model::decision::RuleId;
use crate::model::text::sanitise;

pub(super) const RULE: Rule = Rule {
    id: RuleId::SpecInvalid,
    blocks: "a spec review contradicts itself (blocked) or cannot be read (undecided)",
    explain: "\
A spec review keeps its state in a file beside the spec. When what it concludes contradicts what it records, it counts \
for nothing; when it cannot be read at all, nothing is decided.

`git review-gate spec validate` names every invariant that is broken; `git review-gate spec render` writes the file \
again from the event log.

Policy: `specs` of the gate.",
    judge,
};

const COMMAND: &str = "git review-gate spec validate";

fn judge(case: &Case<'_>) -> Judgement {
    let specs = match facts(case, Need::Optional) {
        Ok(specs) => specs,
        Err(answer) => return answer,
    };
    let mut faulty = Vec::new();
    let mut broken = Vec::new();
    for spec in specs {
        let name = sanitise(&spec.spec);
        match &spec.sidecar {
            Sidecar::Faulty(why) => faulty.push(format!("{name}: {}", sanitise(why))),
            Sidecar::Read { broken: rows, .. } => {
                broken.extend(rows.iter().map(|row| format!("{name}: {}", sanitise(row))));
            }
            Sidecar::None => {}
        }
    }
    if !faulty.is_empty() {
        return Judgement::undecided("", COMMAND).because(faulty.into_iter().chain(broken));
    }
    if broken.is_empty() {
        Judgement::pass("every spec review is sound")
    } else {
        Judgement::blocked("", COMMAND).because(broken)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{judged, sidecar, spec, spec_facts, specs};
    use super::*;
    use crate::model::decision::Outcome;
    use crate::model::policy::levels::SpecsLevel;

    #[test]
    fn contradictions_block_and_faults_are_undecided() {
        let broken = spec(sidecar(|_, _, _, broken| broken.push("V09".to_owned())));
        let hit = judged(
            &RULE,
            &spec_facts(vec![broken.clone()]),
            specs(SpecsLevel::IfPresent),
        );
        assert_eq!(hit.outcome, Outcome::Blocked);
        let faulty = spec(Sidecar::Faulty("not JSON".to_owned()));
        let hit = judged(
            &RULE,
            &spec_facts(vec![broken, faulty]),
            specs(SpecsLevel::IfPresent),
        );
        assert_eq!((hit.outcome, hit.reasons.len()), (Outcome::Undecided, 2));
        let sound = spec_facts(vec![spec(sidecar(|_, _, _, _| {}))]);
        assert_eq!(
            judged(&RULE, &sound, specs(SpecsLevel::Required)).outcome,
            Outcome::Pass
        );
    }
}
