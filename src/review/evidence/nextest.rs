//! `cargo nextest`: the line `Summary [..] n/m tests run: …`.

use super::ansi;
use super::tests::{Tally, add, number};
use crate::model::witness::{Counts, Unknown};

/// How far the word stands from the edge. Output of tests, which may hold a summary of its own, stands further in.
const MAX_INDENT: usize = 5;

/// All summaries added up.
pub fn read(text: &str) -> Option<Result<Tally, Unknown>> {
    let mut sum: Option<Counts> = None;
    for line in ansi::lines(text) {
        let bare = line.trim_start_matches(' ');
        if line.len() - bare.len() > MAX_INDENT || !bare.starts_with("Summary [") {
            continue;
        }
        let Some(counts) = summary(bare) else {
            return Some(Err(Unknown::Malformed));
        };
        let sum = sum.get_or_insert_default();
        for (sum, count) in [
            (&mut sum.passed, counts.passed),
            (&mut sum.failed, counts.failed),
            (&mut sum.skipped, counts.skipped),
            (&mut sum.not_run, counts.not_run),
            (&mut sum.flaky, counts.flaky),
        ] {
            add(sum, count);
        }
    }
    sum.map(|counts| Ok(counts.into()))
}

/// `Summary [ 0.1s] 4/40 tests run: 3 passed (1 flaky), 1 failed, 0 skipped`
fn summary(line: &str) -> Option<Counts> {
    let (_, rest) = line.split_once("] ")?;
    let (run, results) = rest
        .split_once(" tests run: ")
        .or_else(|| rest.split_once(" test run: "))?;
    let mut counts = Counts::default();
    if let Some((ran, selected)) = run.trim().split_once('/') {
        counts.not_run = number(selected)?.checked_sub(number(ran)?)?;
    } else {
        number(run.trim())?;
    }
    for (result, brackets) in results_of(results)? {
        let (count, word) = result.trim().split_once(' ')?;
        let count = number(count)?;
        match word {
            "passed" => add(&mut counts.passed, count),
            "failed" | "exec failed" | "timed out" => add(&mut counts.failed, count),
            "skipped" => add(&mut counts.skipped, count),
            _ => return None,
        }
        for part in brackets.split(", ").filter(|_| word == "passed") {
            if let Some(flaky) = part.strip_suffix(" flaky") {
                add(&mut counts.flaky, number(flaky)?);
            }
        }
    }
    Some(counts)
}

/// The results at the commas outside of brackets, each with what stands in its brackets.
fn results_of(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut results = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([',', '(']).unwrap_or(rest.len());
        let result = rest[..end].trim();
        rest = &rest[end..];
        let mut brackets = "";
        if let Some(inside) = rest.strip_prefix('(') {
            let (inside, behind) = inside.split_once(')')?;
            brackets = inside;
            rest = behind;
        }
        results.push((result, brackets));
        rest = match rest.strip_prefix(", ") {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => return None,
        };
    }
    Some(results)
}
