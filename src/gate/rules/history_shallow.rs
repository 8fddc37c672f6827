//! `history-shallow`: history is cut off inside the range.

use crate::gate::facts::{Reading, Update};
use crate::gate::rule::{Case, Judgement, Rule};
use crate::model::decision::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::HistoryShallow,
    blocks: "history is cut off inside the range (undecided)",
    explain: "\
In a shallow clone commits between the base and the pushed commit may be missing, and with them findings that are \
anchored there. A smaller range is never judged in place of the whole one.

`git fetch --unshallow`, or fetch deeper.

Policy: none; this rule cannot be switched off.",
    judge,
};

fn judge(case: &Case<'_>) -> Judgement {
    if case.facts.update != Update::Push {
        return Judgement::skipped("no range");
    }
    match &case.facts.history {
        Reading::Whole => Judgement::pass("the range is whole"),
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

    #[test]
    fn a_cut_range_is_undecided() {
        let cut = facts(|facts| {
            facts.history = Reading::Broken {
                reasons: vec!["commit 1234 is missing".to_owned()],
                command: "git fetch --unshallow".to_owned(),
            };
        });
        assert_eq!(judged(&RULE, &cut, levels(|_| {})).outcome, Outcome::Undecided);
        assert_eq!(
            judged(&RULE, &facts(|_| {}), levels(|_| {})).outcome,
            Outcome::Pass
        );
    }
}
