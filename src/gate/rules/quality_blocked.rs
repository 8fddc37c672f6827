//! `quality-blocked`: no passing quality record for exactly this commit.

use crate::gate::facts::Update;
use crate::gate::rule::{Case, Judgement, Need, Rule, known};
use crate::model::decision::RuleId;
use crate::model::policy::levels::QualityLevel;

pub(super) const RULE: Rule = Rule {
    id: RuleId::QualityBlocked,
    blocks: "a quality record is required and missing, BLOCKED, or for another commit",
    explain: "\
The quality matrix scores a commit from evidence. Where the gate asks for it, the record that counts must be a PASS \
for exactly the pushed commit, and fit for a release: evidence of a real run, bound to this commit, with the limits \
it was held to. One that a rebase carried over is stale. The stored input is evaluated again, so a record that only \
says PASS does not help.

Evaluate the commit with `git review-gate quality evaluate --input FILE --release --record`.

Policy: `quality = \"required\"` of the gate, for example on refs/tags/v*.",
    judge,
};

const COMMAND: &str = "git review-gate quality evaluate --input FILE --release --record";

fn judge(case: &Case<'_>) -> Judgement {
    if case.facts.update == Update::Delete {
        return Judgement::skipped("a deletion");
    }
    if case.levels.quality == QualityLevel::Off {
        return Judgement::skipped("the gate does not ask for a quality record");
    }
    match known(&case.facts.quality, Need::Required) {
        Err(answer) => answer,
        Ok(None) => Judgement::blocked("no quality record for this commit", COMMAND),
        Ok(Some(record)) if !record.same_commit => {
            Judgement::blocked("the quality record is for another commit", COMMAND)
                .because(said(&record.note))
        }
        Ok(Some(record)) if !record.passed => {
            Judgement::blocked("the quality record does not pass", COMMAND).because(said(&record.note))
        }
        Ok(Some(_)) => case.pass_if_readable(Judgement::pass("the quality record of this commit is PASS")),
    }
}

fn said(note: &str) -> Option<String> {
    (!note.is_empty()).then(|| note.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{facts, judged, levels};
    use super::*;
    use crate::gate::facts::{Given, QualityFact};
    use crate::model::decision::Outcome;

    #[test]
    fn only_a_pass_for_this_commit_will_do() {
        let required = levels(|levels| levels.quality = QualityLevel::Required);
        let record = |passed, same_commit| {
            Some(QualityFact {
                passed,
                same_commit,
                note: String::new(),
            })
        };
        for (record, expected) in [
            (None, Outcome::Blocked),
            (record(false, true), Outcome::Blocked),
            (record(true, false), Outcome::Blocked),
            (record(true, true), Outcome::Pass),
        ] {
            for update in [Update::Push, Update::KnownTag] {
                let facts = facts(|facts| {
                    facts.update = update;
                    facts.quality = Given::Known(record.clone());
                });
                assert_eq!(judged(&RULE, &facts, required.clone()).outcome, expected);
                assert_eq!(judged(&RULE, &facts, levels(|_| {})).outcome, Outcome::Skipped);
            }
        }
    }
}
