//! Builds cases by hand for the tests of the rules.

use crate::gate::facts::{
    BaselineFact, BaselineResult, Facts, Given, Sidecar, SpecBlob, SpecFact, SpecStatus, Standing,
    StandingDimension,
};
use crate::gate::rule::{Case, Judgement, Rule};
use crate::model::baseline::Verdict;
use crate::model::decision::RuleId;
use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::fact::{Fact, FactKind};
use crate::model::finding::{Finding, FindingFields, State};
use crate::model::ids::{CommitId, FindingId, Oid};
use crate::model::policy::GateName;
use crate::model::policy::effective::{EffectiveGate, PolicySide, SideGate};
use crate::model::policy::levels::{BaselineLevel, Levels, ReviewLevel, SpecsLevel};
use crate::model::severity::Severity;

pub(super) fn facts(change: impl FnOnce(&mut Facts)) -> Facts {
    let mut facts = Facts::clean();
    change(&mut facts);
    facts
}

pub(super) fn levels(change: impl FnOnce(&mut Levels)) -> Levels {
    let mut levels = Levels::built_in();
    change(&mut levels);
    levels
}

pub(super) fn review(level: ReviewLevel) -> Levels {
    levels(|levels| levels.review = level)
}

pub(super) fn baseline(level: BaselineLevel) -> Levels {
    levels(|levels| levels.baseline = level)
}

pub(super) fn specs(level: SpecsLevel) -> Levels {
    levels(|levels| levels.specs = level)
}

pub(super) fn effective(sides: &[(PolicySide, Levels)]) -> EffectiveGate {
    EffectiveGate {
        levels: sides.iter().fold(Levels::nothing(), |strictest, (_, levels)| {
            strictest.stricter(levels)
        }),
        sides: sides
            .iter()
            .map(|(side, levels)| SideGate {
                side: *side,
                gate: Some(GateName::BuiltIn),
                levels: levels.clone(),
            })
            .collect(),
    }
}

pub(super) fn judged(rule: &Rule, facts: &Facts, levels: Levels) -> Judgement {
    let gate = effective(&[(PolicySide::Base, levels.clone())]);
    (rule.judge)(&Case {
        facts,
        gate: &gate,
        levels,
    })
}

pub(super) fn finding(number: u8, state: State, severity: Severity) -> Finding {
    Finding {
        id: FindingId([number; 32]),
        state,
        fields: FindingFields {
            severity,
            expected: "expected".to_owned(),
            actual: "actual".to_owned(),
            file: None,
            line: None,
            criterion: None,
            fix: None,
            evidence: None,
        },
        round: 1,
        origins: Vec::new(),
        review: None,
        commit: CommitId(Oid::from_bytes(&[1; 20]).unwrap()),
        openings: Vec::new(),
    }
}

/// All four pass, but for those given.
pub(super) fn standing(others: &[(Dimension, StandingDimension)]) -> Standing {
    let pass = StandingDimension {
        verdict: DimensionVerdict::Pass,
        needs_attention: false,
        ruling: None,
        why: Vec::new(),
    };
    let mut standing: Standing = Dimension::ALL
        .iter()
        .map(|dimension| (*dimension, pass.clone()))
        .collect();
    standing.extend(others.iter().cloned());
    standing
}

pub(super) fn drift() -> BaselineFact {
    BaselineFact {
        result: BaselineResult::Computed {
            verdict: Verdict::Drift,
            facts: vec![
                Fact::new(FactKind::TestRemoved, "rust:crate#test a", "src/lib.rs"),
                Fact::new(FactKind::ApiAdded, "rust:crate#fn b", "src/lib.rs"),
            ],
            note: "1 test-removed".to_owned(),
        },
        ruling: None,
    }
}

pub(super) fn sidecar(
    change: impl FnOnce(&mut SpecStatus, &mut Vec<String>, &mut SpecBlob, &mut Vec<String>),
) -> Sidecar {
    let (mut status, mut blocking, mut blob, mut broken) =
        (SpecStatus::Converged, Vec::new(), SpecBlob::Reviewed, Vec::new());
    change(&mut status, &mut blocking, &mut blob, &mut broken);
    Sidecar::Read {
        status,
        blocking,
        blob,
        broken,
    }
}

pub(super) fn spec(sidecar: Sidecar) -> SpecFact {
    SpecFact {
        spec: "docs/superpowers/specs/a.md".to_owned(),
        sidecar,
    }
}

pub(super) fn spec_facts(specs: Vec<SpecFact>) -> Facts {
    facts(|facts| facts.specs = Given::Known(specs))
}

#[test]
fn the_registry_has_every_rule_once_and_in_order() {
    let ids: Vec<RuleId> = super::RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids, RuleId::ALL);
    for rule in &super::RULES {
        assert!(rule.explain.contains("Policy: "), "{}", rule.id);
        assert!(!rule.blocks.ends_with('.'), "{}", rule.id);
    }
}
