//! `findings-unverified`: a finding whose answer nobody has confirmed.

use super::findings_open::in_state;
use crate::gate::rule::{Case, Judgement, Rule, count};
use crate::model::decision::RuleId;
use crate::model::finding::State;
use crate::model::policy::levels::FindingsLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::FindingsUnverified,
    blocks: "the gate asks for verified findings and one is only addressed",
    explain: "\
An answer to a finding is a claim until an event of the finding's own origin confirms it.

Look at the commit that the answer names, then confirm with `git review-gate finding verify ID`, or with \
`git review-gate finding pass --origin ORIGIN` for all answered findings of one origin. If the fix does not hold, \
`git review-gate finding reopen ID --actual TEXT` says why.

Policy: `findings = \"verified\"` and `severities` of the gate.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    if let Some(why) = case.no_content() {
        return Judgement::skipped(why);
    }
    if case.levels.findings != FindingsLevel::Verified {
        return Judgement::skipped("the gate does not ask for verified findings");
    }
    let addressed: Vec<_> = in_state(case, State::Addressed).collect();
    let Some(first) = addressed.first() else {
        return case.pass_if_readable(Judgement::pass("no answer waits to be confirmed"));
    };
    let command = format!("git review-gate finding verify {}", first.id.short());
    Judgement::blocked(
        count(
            addressed.len(),
            "answer is not confirmed",
            "answers are not confirmed",
        ),
        command,
    )
    .naming(addressed)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, finding, judged, levels};
    use super::*;
    use crate::model::decision::Outcome;
    use crate::model::severity::Severity;

    #[test]
    fn an_unconfirmed_answer_blocks_where_verified_is_asked() {
        let facts = facts(|facts| facts.findings = vec![finding(1, State::Addressed, Severity::Nit)]);
        let verified = levels(|levels| levels.findings = FindingsLevel::Verified);
        assert_eq!(judged(&RULE, &facts, verified).outcome, Outcome::Blocked);
        assert_eq!(judged(&RULE, &facts, levels(|_| {})).outcome, Outcome::Skipped);
    }

    #[test]
    fn open_findings_are_another_rule() {
        let facts = facts(|facts| {
            facts.findings = vec![
                finding(1, State::Open, Severity::Major),
                finding(2, State::Verified, Severity::Major),
            ];
        });
        let verified = levels(|levels| levels.findings = FindingsLevel::Verified);
        assert_eq!(judged(&RULE, &facts, verified).outcome, Outcome::Pass);
    }
}
