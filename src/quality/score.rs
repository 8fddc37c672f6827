//! Counts what a reviewer found in a corpus, and whether a learned rule helps.

use std::collections::BTreeMap;

use super::corpus::{Case, CaseReview, Corpus, Expectation, Findings, Found, rank};
use super::table;
use crate::model::quality::corpus::{
    Canary, CaseCounts, CommentCounts, CorpusName, CorpusScore, FindingCounts, Protected,
};

/// How far from its line a finding may be where the expectation does not say.
const LINE_TOLERANCE: u64 = 5;

/// Counts over all cases. Every case has exactly one complete review, or nothing is counted.
pub fn score(corpus: &Corpus, sha256: String, findings: &Findings) -> Result<CorpusScore, String> {
    let reviews = reviews(corpus, findings)?;
    let mut score = CorpusScore {
        schema: CorpusScore::SCHEMA,
        version: 1,
        corpus: CorpusName {
            name: corpus.name.clone(),
            sha256,
        },
        run_id: findings.run_id.clone(),
        findings: FindingCounts::default(),
        comments: CommentCounts::default(),
        cases: Vec::new(),
        protected: BTreeMap::new(),
    };
    for case in &corpus.cases {
        let found = &reviews[case.id.as_str()].findings;
        let counts = count(case, found);
        score.findings = score.findings.plus(counts);
        let lines = case.lines();
        let on_a_line = |one: &&Found| one.line.is_some_and(|line| (1..=lines).contains(&line));
        score.comments.inline_valid += found.iter().filter(on_a_line).count() as u64;
        if let Some(subject) = &case.protected_subject {
            let protected = score.protected.entry(subject.clone()).or_default();
            *protected = Protected {
                expected: protected.expected + counts.expected,
                detected_expected: protected.detected_expected + counts.detected_expected,
            };
        }
        score.cases.push(CaseCounts {
            id: case.id.clone(),
            counts,
        });
    }
    score.comments.total = score.findings.detected;
    score.comments.inline_expected = score.findings.detected;
    score.comments.actionable = score.findings.actionable;
    Ok(score)
}

/// The review of each case.
fn reviews<'f>(corpus: &Corpus, findings: &'f Findings) -> Result<BTreeMap<&'f str, &'f CaseReview>, String> {
    let mut wrong = Vec::new();
    let mut reviews = BTreeMap::new();
    for review in &findings.reviews {
        let id = review.case_id.as_str();
        if !corpus.cases.iter().any(|case| case.id == id) {
            wrong.push(format!("case {id} is not in the corpus"));
        } else if reviews.insert(id, review).is_some() {
            wrong.push(format!("case {id} is reviewed twice"));
        } else if !review.complete {
            wrong.push(format!("case {id}: its review is not complete"));
        }
    }
    for case in &corpus.cases {
        if !reviews.contains_key(case.id.as_str()) {
            wrong.push(format!("case {} is not reviewed", case.id));
        }
    }
    if wrong.is_empty() {
        Ok(reviews)
    } else {
        Err(table::sentence(&wrong))
    }
}

/// Counts within one case: each expectation, in order, takes the first finding, in order, that fits and is free.
fn count(case: &Case, found: &[Found]) -> FindingCounts {
    let mut counts = FindingCounts {
        detected: found.len() as u64,
        actionable: found.iter().filter(|one| one.is_actionable()).count() as u64,
        ..FindingCounts::default()
    };
    let mut is_free = vec![true; found.len()];
    for expectation in case.expectations() {
        counts.expected += 1;
        let taken = (0..found.len()).find(|index| is_free[*index] && fits(&found[*index], expectation));
        let Some(taken) = taken else { continue };
        is_free[taken] = false;
        counts.detected_expected += 1;
        counts.severity_total += 1;
        let apart = rank(&found[taken].severity).abs_diff(rank(&expectation.severity));
        counts.severity_matches += u64::from(apart == 0);
        counts.severity_within_one += u64::from(apart <= 1);
    }
    for (one, _) in found.iter().zip(is_free).filter(|(_, is_free)| *is_free) {
        if case.expectations().any(|expectation| fits(one, expectation)) {
            counts.duplicates += 1;
        } else {
            counts.false_positives += 1;
        }
    }
    counts
}

fn fits(found: &Found, expectation: &Expectation) -> bool {
    let tolerance = expectation.line_tolerance.unwrap_or(LINE_TOLERANCE);
    let is_near = found
        .line
        .is_some_and(|line| line.abs_diff(expectation.line) <= tolerance);
    let is_of_category = expectation
        .category
        .as_ref()
        .is_none_or(|category| found.category.as_ref() == Some(category));
    is_near
        && is_of_category
        && expectation.title_includes.as_ref().is_none_or(|terms| {
            let title = found.title.to_lowercase();
            terms.iter().any(|term| title.contains(&term.to_lowercase()))
        })
}

/// Compares two runs over one case, without a learned rule and with it.
pub fn canary(corpus: &Corpus, off: &Findings, on: &Findings) -> Result<Canary, String> {
    if corpus.cases.len() != 1 {
        return Err(format!(
            "corpus must have one case, it has {}",
            corpus.cases.len()
        ));
    }
    if off.rule.is_some() {
        return Err("off: rule must not be there".to_owned());
    }
    if !on.rule.as_ref().is_some_and(|rule| rule.approved) {
        return Err("on: rule must be there and rule.approved must be true".to_owned());
    }
    let counts = |findings| score(corpus, String::new(), findings).map(|score| score.findings);
    let before = counts(off).map_err(|why| format!("off: {why}"))?;
    let after = counts(on).map_err(|why| format!("on: {why}"))?;
    let spent = |findings: &Findings| {
        let (tokens, calls) = (findings.tokens_used, findings.provider_calls);
        (
            u128::from(tokens.unwrap_or_default()),
            u128::from(calls.unwrap_or_default()),
        )
    };
    let ((tokens_before, calls_before), (tokens_after, calls_after)) = (spent(off), spent(on));
    let lift = after.detected_expected > before.detected_expected;
    let precision = after.false_positives == 0 && after.duplicates == 0;
    // Tokens a call, at most 1.10 times as many: without a division.
    let tokens = 10 * tokens_after * calls_before <= 11 * tokens_before * calls_after;
    Ok(Canary {
        schema: Canary::SCHEMA,
        version: 1,
        learning_evaluation_pass: lift && precision && tokens && after.detected_expected == after.expected,
        learning_detection_lift: lift,
        learning_precision_pass: precision,
        learning_token_pass: tokens,
    })
}
