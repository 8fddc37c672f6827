//! `findings-open`: a finding that nobody has answered.

use crate::gate::rule::{Case, Judgement, Rule, count};
use crate::model::decision::RuleId;
use crate::model::finding::{Finding, State};
use crate::model::policy::levels::FindingsLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::FindingsOpen,
    blocks: "a finding of a severity that counts is open",
    explain: "\
A finding is open until a resolution answers each of its openings, or a waiver closes them. An answer counts only \
while the commit that holds the fix is really in what is pushed: after an amend, a rebase or a reset it may be gone, \
and the finding is open again.

Fix what the finding asks for, commit, and answer it with `git review-gate finding resolve ID`. If it does not apply, \
`git review-gate finding waive ID --reason TEXT` says so in your name. After a rewrite, \
`git review-gate finding resolve --again` repeats your own answers.

Policy: `findings` (none, addressed, verified) and `severities` of the gate.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    if let Some(why) = case.no_content() {
        return Judgement::skipped(why);
    }
    if case.levels.findings == FindingsLevel::None {
        return Judgement::skipped("the gate does not ask about findings");
    }
    let open: Vec<_> = in_state(case, State::Open).collect();
    let Some(first) = open.first() else {
        return case.pass_if_readable(Judgement::pass("no open finding"));
    };
    let command = if open.len() == 1 {
        format!("git review-gate finding resolve {}", first.id.short())
    } else {
        "git review-gate finding list".to_owned()
    };
    Judgement::blocked(count(open.len(), "open finding", "open findings"), command).naming(open)
}

/// The findings in one state whose severity counts.
pub(super) fn in_state<'a>(case: &'a Case<'_>, state: State) -> impl Iterator<Item = &'a Finding> {
    case.facts.findings.iter().filter(move |finding| {
        finding.state == state && case.levels.severities.contains(&finding.fields.severity)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, finding, judged, levels};
    use super::*;
    use crate::model::decision::Outcome;
    use crate::model::severity::Severity;

    #[test]
    fn an_open_finding_of_a_listed_severity_blocks() {
        let open = finding(1, State::Open, Severity::Minor);
        let hit = judged(
            &RULE,
            &facts(|facts| facts.findings = vec![open.clone()]),
            levels(|_| {}),
        );
        assert_eq!((hit.outcome, hit.findings.len()), (Outcome::Blocked, 1));
        assert_eq!(
            hit.command.unwrap(),
            format!("git review-gate finding resolve {}", open.id.short())
        );
    }

    #[test]
    fn other_severities_and_answered_findings_do_not() {
        let misses = facts(|facts| {
            facts.findings = vec![
                finding(1, State::Open, Severity::Nit),
                finding(2, State::Addressed, Severity::Major),
                finding(3, State::Waived, Severity::Major),
            ];
        });
        let levels = levels(|levels| {
            levels.severities.remove(&Severity::Nit);
        });
        assert_eq!(judged(&RULE, &misses, levels).outcome, Outcome::Pass);
    }
}
