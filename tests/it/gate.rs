//! The gate's cases: what is decided from given facts, and which lines of a push are judged.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::gate::facts::{
    BaselineFact, BaselineResult, Facts, Given, QualityFact, Reading, ReviewFact, Ruling, Sidecar, SpecBlob,
    SpecFact, SpecStatus, Standing, StandingDimension, Update,
};
use git_review_gate::gate::{self, Subject};
use git_review_gate::model::baseline::Verdict;
use git_review_gate::model::decision::{Outcome, Overall, RuleId};
use git_review_gate::model::fact::{Fact, FactKind};
use git_review_gate::model::finding::{Finding, FindingFields};
use git_review_gate::model::ids::{CommitId, FindingId, Oid};
use git_review_gate::model::policy::Policy;
use git_review_gate::model::policy::effective::Policies;
use git_review_gate::policy;
use serde::Deserialize;
use serde_json::Value;

use crate::support::json_fixture;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    r#ref: String,
    base_policy: Option<String>,
    /// Absent: the same as the base's.
    #[serde(default)]
    head_policy: Option<String>,
    facts: CaseFacts,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFacts {
    update: String,
    findings: Vec<CaseFinding>,
    record: CaseRecord,
    baseline: CaseBaseline,
    specs: Vec<CaseSpec>,
    quality: Option<CaseQuality>,
    state: String,
    history: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFinding {
    id: String,
    state: String,
    severity: String,
    in_scope: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseRecord {
    state: String,
    #[serde(default)]
    verdicts: BTreeMap<String, String>,
    #[serde(default)]
    needs_attention: Vec<String>,
    #[serde(default)]
    rulings: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseBaseline {
    verdict: String,
    authorised: bool,
    ruled: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseSpec {
    spec: String,
    status: String,
    blocking_rows: usize,
    blob: String,
    sound: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseQuality {
    decision: String,
    commit: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    exit: Value,
    #[serde(default)]
    blocked: Vec<String>,
    #[serde(default)]
    undecided: Vec<String>,
    #[serde(default)]
    blocked_or_undecided: Vec<String>,
    #[serde(default)]
    untested: Vec<String>,
    #[serde(default)]
    named: BTreeMap<String, Vec<String>>,
    error: Option<String>,
    line: Option<usize>,
    nearest: Option<String>,
}

impl Expect {
    fn exits(&self) -> Vec<u64> {
        match &self.exit {
            Value::Array(codes) => codes.iter().map(|code| code.as_u64().unwrap()).collect(),
            code => vec![code.as_u64().unwrap()],
        }
    }
}

/// `F1` → a finding whose id is made of ones.
fn finding_id(name: &str) -> FindingId {
    FindingId([name.strip_prefix('F').unwrap().parse().unwrap(); 32])
}

fn commit(byte: u8) -> CommitId {
    CommitId(Oid::from_bytes(&[byte; 20]).unwrap())
}

fn facts(case: &CaseFacts) -> Facts {
    let broken = |reason: &str| Reading::Broken {
        reasons: vec![reason.to_owned()],
        command: "git review-gate fsck".to_owned(),
    };
    Facts {
        update: match case.update.as_str() {
            "push" => Update::Push,
            "delete" => Update::Delete,
            other => panic!("update {other}"),
        },
        // What is out of scope is not in the view, and so not given to the gate.
        findings: case
            .findings
            .iter()
            .filter(|finding| finding.in_scope)
            .map(finding)
            .collect(),
        review: Given::Known(review(&case.record)),
        baseline: Given::Known(baseline(&case.baseline)),
        specs: Given::Known(case.specs.iter().map(spec).collect()),
        quality: Given::Known(case.quality.as_ref().map(|quality| QualityFact {
            passed: quality.decision == "PASS",
            same_commit: quality.commit == "same",
            note: String::new(),
        })),
        state: match case.state.as_str() {
            "readable" => Reading::Whole,
            "unreadable" => broken("a note is damaged"),
            other => panic!("state {other}"),
        },
        history: match case.history.as_str() {
            "whole" => Reading::Whole,
            "shallow" => broken("a commit is missing"),
            other => panic!("history {other}"),
        },
        ..Facts::clean()
    }
}

fn finding(case: &CaseFinding) -> Finding {
    Finding {
        id: finding_id(&case.id),
        state: case.state.parse().unwrap(),
        fields: FindingFields {
            severity: case.severity.parse().unwrap(),
            expected: "one".to_owned(),
            actual: "two".to_owned(),
            file: None,
            line: None,
            criterion: None,
            fix: None,
            evidence: None,
        },
        round: 1,
        origins: Vec::new(),
        review: None,
        commit: commit(1),
        openings: Vec::new(),
    }
}

fn review(case: &CaseRecord) -> ReviewFact {
    let standing: Standing = case
        .verdicts
        .iter()
        .map(|(dimension, verdict)| {
            let stands = StandingDimension {
                verdict: verdict.parse().unwrap(),
                needs_attention: case.needs_attention.contains(dimension),
                ruling: case.rulings.get(dimension).map(|ruling| match ruling.as_str() {
                    "pass" => Ruling::Pass,
                    "fail" => Ruling::Fail,
                    other => panic!("ruling {other}"),
                }),
                why: Vec::new(),
            };
            (dimension.parse().unwrap(), stands)
        })
        .collect();
    match case.state.as_str() {
        "absent" => ReviewFact::Absent,
        "fresh" => ReviewFact::Counts(standing),
        "stale" => ReviewFact::Stale(standing, "stale (head)".to_owned()),
        "invalid" => ReviewFact::Invalid("no packet".to_owned()),
        other => panic!("record {other}"),
    }
}

fn baseline(case: &CaseBaseline) -> BaselineFact {
    let computed = |verdict, facts| BaselineResult::Computed {
        verdict,
        facts,
        note: String::new(),
    };
    let mut removed = Fact::new(FactKind::TestRemoved, "rust:crate#test a", "src/lib.rs");
    let result = match (case.verdict.as_str(), case.authorised) {
        ("clean", _) => computed(Verdict::NoDrift, Vec::new()),
        ("drift", false) => computed(Verdict::Drift, vec![removed]),
        ("drift", true) => {
            removed.drift = false;
            removed.authorised_by = vec!["AC-1".to_owned()];
            computed(Verdict::NoDrift, vec![removed])
        }
        ("undecided", _) => BaselineResult::Unavailable("missing-object".to_owned()),
        (other, _) => panic!("verdict {other}"),
    };
    BaselineFact {
        result,
        ruling: case.ruled.then(|| "ruled pass by Kim".to_owned()),
    }
}

fn spec(case: &CaseSpec) -> SpecFact {
    let status = match case.status.as_str() {
        "in-progress" => SpecStatus::InProgress,
        "CONVERGED" => SpecStatus::Converged,
        "CONVERGED (low-confidence)" => SpecStatus::ConvergedLowConfidence,
        other => {
            let reason = other
                .strip_prefix("STOPPED(")
                .and_then(|rest| rest.strip_suffix(')'));
            SpecStatus::Stopped(
                reason
                    .unwrap_or_else(|| panic!("status {other}"))
                    .parse()
                    .unwrap(),
            )
        }
    };
    SpecFact {
        spec: case.spec.clone(),
        sidecar: Sidecar::Read {
            status,
            blocking: (0..case.blocking_rows)
                .map(|row| format!("row {row}: unlanded"))
                .collect(),
            blob: if case.blob == "reviewed" {
                SpecBlob::Reviewed
            } else {
                SpecBlob::Edited
            },
            broken: if case.sound {
                Vec::new()
            } else {
                vec!["V09".to_owned()]
            },
        },
    }
}

fn read_policy(text: Option<&String>) -> Result<Policy, policy::Fault> {
    match text.map(String::as_str) {
        None | Some("default") => Ok(Policy::default()),
        Some(text) => policy::parse(text.as_bytes()),
    }
}

fn check(case: &Case) {
    let name = &case.name;
    let base = read_policy(case.base_policy.as_ref());
    let head = read_policy(case.head_policy.as_ref().or(case.base_policy.as_ref()));
    if let Some(error) = &case.expect.error {
        assert_eq!(error, "policy", "{name}");
        let fault = base.and(head).expect_err(name);
        if let Some(line) = case.expect.line {
            assert_eq!(fault.line, line, "{name}: {fault}");
        }
        assert_eq!(fault.nearest, case.expect.nearest.as_deref(), "{name}: {fault}");
        return;
    }
    let (base, head) = (base.unwrap(), head.unwrap());
    let policies = Policies {
        base: &base,
        base_tip: None,
        head: Some(&head),
    };
    let effective = policies.effective(case.r#ref.as_bytes()).unwrap();
    let subject = Subject {
        ref_name: case.r#ref.clone(),
        base: Some(commit(1)),
        head: Some(commit(2)),
        notes: Vec::new(),
    };
    let decision = gate::decide(subject, &effective, &facts(&case.facts));
    let code = match decision.outcome() {
        Overall::Pass => 0,
        Overall::Blocked => 1,
        Overall::Undecided => 2,
    };
    assert!(
        case.expect.exits().contains(&code),
        "{name}: exit {code}\n{decision:#?}"
    );
    for rule in &decision.rules {
        let id = rule.id.to_string();
        if case.expect.untested.contains(&id) {
            continue;
        }
        let expected: &[Outcome] = if case.expect.blocked.contains(&id) {
            &[Outcome::Blocked]
        } else if case.expect.undecided.contains(&id) {
            &[Outcome::Undecided]
        } else if case.expect.blocked_or_undecided.contains(&id) {
            &[Outcome::Blocked, Outcome::Undecided]
        } else {
            &[Outcome::Pass, Outcome::Skipped]
        };
        assert!(expected.contains(&rule.outcome), "{name}: {rule:#?}");
        if let Some(named) = case.expect.named.get(&id) {
            let named: BTreeSet<_> = named.iter().map(|name| finding_id(name)).collect();
            let found: BTreeSet<_> = rule.findings.iter().map(|finding| finding.id).collect();
            assert_eq!(found, named, "{name}: {id}");
        }
    }
}

#[test]
fn decides_every_case() {
    let mut file = json_fixture("cases/gate/decide.json");
    let rules: Vec<RuleId> = serde_json::from_value(file["rules"].take()).unwrap();
    assert_eq!(rules, RuleId::ALL);
    let cases: Vec<Case> = serde_json::from_value(file["cases"].take()).unwrap();
    assert!(cases.len() > 100);
    for case in &cases {
        check(case);
    }
}
