//! A labelled corpus: small sources with known defects, or with none.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::input;
use super::table::{self, Faults, Member, Shape, may, must};

/// The words for severities; three of them are other names of two.
const SEVERITY: Shape = Shape::Word(&["blocker", "major", "minor", "nit", "high", "med", "medium"]);

const EXPECTATION: Shape = Shape::Object(&[
    must("line", Shape::Positive),
    must("severity", SEVERITY),
    may("lineTolerance", Shape::Count),
    may("category", Shape::Text),
    may("titleIncludes", Shape::Some(&Shape::Text)),
]);

const CASE: Shape = Shape::Object(&[
    must("id", Shape::Slug),
    must("kind", Shape::Word(&["positive", "clean"])),
    must("language", Shape::Text),
    must("source", Shape::Text),
    may("expected", EXPECTATION),
    may("findings", Shape::List(&EXPECTATION)),
    may(
        "protectedSubject",
        Shape::Word(&[
            "memory-safety",
            "concurrency",
            "behavioral-change",
            "unused-parameter",
            "linkage-consistency",
        ]),
    ),
]);

/// The members of a corpus.
pub const CORPUS: &[Member] = &[
    must("version", Shape::Version(1)),
    must("name", Shape::Text),
    must("description", Shape::Text),
    must("cases", Shape::Some(&CASE)),
];

const FINDING: Shape = Shape::Object(&[
    must("title", Shape::Text),
    must("severity", SEVERITY),
    may("line", Shape::Count),
    may("category", Shape::AnyText),
    may("rationale", Shape::AnyText),
    may("suggestion", Shape::AnyText),
]);

const REVIEWS: Shape = Shape::List(&Shape::Object(&[
    must("caseId", Shape::Text),
    must("complete", Shape::Flag),
    must("findings", Shape::List(&FINDING)),
]));

const RULE: Shape = Shape::Object(&[must("id", Shape::Text), must("approved", Shape::Flag)]);

/// The members of a findings document.
pub const FINDINGS: &[Member] = &[
    must("version", Shape::Version(1)),
    may("runId", Shape::Text),
    must("reviews", REVIEWS),
    may("tokensUsed", Shape::Count),
    may("providerCalls", Shape::Count),
    may("rule", RULE),
];

/// The same as one of two that are compared.
const ARM: &[Member] = &[
    must("version", Shape::Version(1)),
    may("runId", Shape::Text),
    must("reviews", REVIEWS),
    must("tokensUsed", Shape::Positive),
    must("providerCalls", Shape::Positive),
    may("rule", RULE),
];

/// A corpus.
#[derive(Debug, Clone, Deserialize)]
pub struct Corpus {
    /// Its name.
    pub name: String,
    /// Its cases; at least one.
    pub cases: Vec<Case>,
}

/// A case of a corpus.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    /// Its name.
    pub id: String,
    kind: String,
    /// What is reviewed.
    pub source: String,
    expected: Option<Expectation>,
    findings: Option<Vec<Expectation>>,
    /// What it stands for, where a regression there is worth a look of its own.
    pub protected_subject: Option<String>,
}

impl Case {
    /// The defects that it has.
    pub fn expectations(&self) -> impl Iterator<Item = &Expectation> {
        self.expected.iter().chain(self.findings.iter().flatten())
    }

    /// How many lines the source has.
    pub fn lines(&self) -> u64 {
        self.source.lines().count() as u64
    }
}

/// A known defect.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Expectation {
    /// Where.
    pub line: u64,
    /// How bad.
    pub severity: String,
    /// How far from there a finding may be.
    pub line_tolerance: Option<u64>,
    /// Of what sort.
    pub category: Option<String>,
    /// The title has one of these.
    pub title_includes: Option<Vec<String>>,
}

/// What a reviewer found in a corpus.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// The run.
    pub run_id: Option<String>,
    /// One for each case.
    pub reviews: Vec<CaseReview>,
    /// All tokens.
    pub tokens_used: Option<u64>,
    /// Calls of the provider.
    pub provider_calls: Option<u64>,
    /// The learned rule that was on.
    pub rule: Option<Rule>,
}

/// A learned rule.
#[derive(Debug, Clone, Deserialize)]
pub struct Rule {
    /// Whether a person approved it.
    pub approved: bool,
}

/// What a reviewer found in one case.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaseReview {
    /// The case.
    pub case_id: String,
    /// Whether the review came to its end.
    pub complete: bool,
    /// What was found.
    pub findings: Vec<Found>,
}

/// A finding of a reviewer.
#[derive(Debug, Clone, Deserialize)]
pub struct Found {
    /// What it says.
    pub title: String,
    /// How bad.
    pub severity: String,
    /// Where.
    pub line: Option<u64>,
    /// Of what sort.
    pub category: Option<String>,
    rationale: Option<String>,
    suggestion: Option<String>,
}

impl Found {
    /// Whether it says why and what to do.
    pub fn is_actionable(&self) -> bool {
        [&self.rationale, &self.suggestion]
            .iter()
            .all(|text| text.as_ref().is_some_and(|text| !text.trim().is_empty()))
    }
}

/// The rank of a severity, the worst first.
pub fn rank(severity: &str) -> u8 {
    match severity {
        "blocker" => 0,
        "major" | "high" => 1,
        "minor" | "med" | "medium" => 2,
        _ => 3,
    }
}

/// Reads a corpus.
pub fn read(bytes: &[u8]) -> Result<Corpus, String> {
    let node = table::parse(bytes, "corpus")?;
    let mut faults = Faults::default();
    let raw = table::check_root(&node, CORPUS, "corpus", &mut faults);
    if !faults.wrong.is_empty() {
        return Err(faults.sentence());
    }
    let corpus: Corpus = input::typed(&raw);
    let mut wrong = Vec::new();
    let mut ids = BTreeSet::new();
    for (index, case) in corpus.cases.iter().enumerate() {
        let at = format!("cases[{index}]");
        if !ids.insert(&case.id) {
            wrong.push(format!("{at}.id {} is there twice", case.id));
        }
        let count = case.expectations().count();
        if case.expected.is_some() && case.findings.is_some() {
            wrong.push(format!("{at} must have expected or findings, not both"));
        } else if case.kind == "positive" && count == 0 {
            wrong.push(format!("{at}.expected must be there: the case is positive"));
        } else if case.kind == "clean" && (count > 0 || case.findings.is_some()) {
            wrong.push(format!("{at} is clean and must expect nothing"));
        }
        let lines = case.lines();
        let one = case.expected.iter().map(|one| (format!("{at}.expected"), one));
        let many = (0..).zip(case.findings.iter().flatten());
        let many = many.map(|(number, one): (usize, _)| (format!("{at}.findings[{number}]"), one));
        for (path, expectation) in one.chain(many) {
            if expectation.line > lines {
                wrong.push(format!(
                    "{path}.line is {}, the source has {lines} line(s)",
                    expectation.line
                ));
            }
        }
    }
    if wrong.is_empty() {
        Ok(corpus)
    } else {
        Err(table::sentence(&wrong))
    }
}

/// Which findings document is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// One that is scored.
    Scored,
    /// One of two that are compared.
    Arm,
}

/// Reads a findings document; `name` is how people call it.
pub fn read_findings(bytes: &[u8], sort: Sort, name: &str) -> Result<Findings, String> {
    let node = table::parse(bytes, name)?;
    let members = match sort {
        Sort::Scored => FINDINGS,
        Sort::Arm => ARM,
    };
    let mut faults = Faults::default();
    let raw = table::check_root(&node, members, name, &mut faults);
    if faults.wrong.is_empty() {
        Ok(input::typed(&raw))
    } else {
        Err(faults.sentence())
    }
}
