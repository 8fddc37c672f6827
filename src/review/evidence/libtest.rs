//! The test harness of Rust: `test result: …` at the start of a line, one for each binary.

use super::ansi;
use super::tests::{Tally, add, number};
use crate::model::witness::{Counts, Unknown};

/// All result lines added up; where there is none, whether the code did not compile.
pub fn read(text: &str) -> Option<Result<Tally, Unknown>> {
    let mut sum: Option<Counts> = None;
    let mut build_failed = false;
    for line in ansi::lines(text) {
        if let Some(result) = line.strip_prefix("test result: ") {
            if add_result(result, sum.get_or_insert_default()).is_none() {
                return Some(Err(Unknown::Malformed));
            }
        } else if line.starts_with("error: could not compile") {
            build_failed = true;
        }
    }
    match sum {
        Some(counts) => Some(Ok(counts.into())),
        None => build_failed.then_some(Err(Unknown::BuildFailed)),
    }
}

/// `FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s`
fn add_result(result: &str, sum: &mut Counts) -> Option<()> {
    let (_, counts) = result.split_once(". ")?;
    let mut known = 0;
    for part in counts.split("; ") {
        let Some((count, word)) = part.split_once(' ') else {
            continue;
        };
        let total = match word {
            "passed" => &mut sum.passed,
            "failed" => &mut sum.failed,
            "ignored" => &mut sum.skipped,
            _ => continue,
        };
        add(total, number(count)?);
        known += 1;
    }
    (known == 3).then_some(())
}
