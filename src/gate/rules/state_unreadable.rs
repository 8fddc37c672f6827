//! `state-unreadable`: review state that the decision needs cannot be read.

use crate::gate::facts::{Reading, Update};
use crate::gate::rule::{Case, Judgement, Rule};
use crate::model::decision::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::StateUnreadable,
    blocks: "review state that the decision needs cannot be read (undecided)",
    explain: "\
A note of a commit in the range, or of an event that speaks for it, is damaged, was written by a newer version, or \
was lost by a forced fetch; or this clone never asked the remote for the notes. An open finding might be in it, so \
nothing is decided.

`git review-gate fsck` names the ref, the note and the line; `git review-gate sync` fetches what was never fetched.

Policy: none; this rule cannot be switched off.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    if case.facts.update == Update::Delete {
        return Judgement::skipped("a deletion");
    }
    match &case.facts.state {
        Reading::Whole => Judgement::pass("the review state was read whole"),
        Reading::Broken { reasons, command } => {
            Judgement::undecided("", command.clone()).because(reasons.iter().cloned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, levels};
    use super::*;
    use crate::model::decision::Outcome;
    use crate::model::policy::levels::FindingsLevel;

    #[test]
    fn what_cannot_be_read_is_undecided_under_every_gate() {
        let broken = facts(|facts| {
            facts.state = Reading::Broken {
                reasons: vec!["line 4 is damaged".to_owned()],
                command: "git review-gate fsck".to_owned(),
            };
        });
        let lax = levels(|levels| levels.findings = FindingsLevel::None);
        for levels in [lax, levels(|_| {})] {
            assert_eq!(judged(&RULE, &broken, levels).outcome, Outcome::Undecided);
        }
        assert_eq!(
            judged(&RULE, &facts(|_| {}), levels(|_| {})).outcome,
            Outcome::Pass
        );
    }
}
