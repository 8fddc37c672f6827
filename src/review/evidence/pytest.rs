//! pytest: the closing line, `1 failed, 14 passed in 65.40s (0:01:05)`, with or without a frame.

use super::ansi;
use super::tests::{Tally, add, number};
use crate::model::witness::{Counts, Unknown};

/// The last closing line: a plugin under test prints closing lines of the sessions it tries before it.
pub fn read(text: &str) -> Option<Result<Tally, Unknown>> {
    let mut interrupted = false;
    let mut closing = None;
    for line in ansi::lines(text) {
        // `!!!! Interrupted: 1 error during collection !!!!`
        if line.starts_with('!') && line.contains(" during collection") {
            interrupted = true;
        } else if let Some(counts) = closing_line(line) {
            closing = Some(counts);
        }
    }
    closing.map(|counts| {
        Ok(Tally {
            counts,
            unbuilt: if interrupted { counts.failed } else { 0 },
        })
    })
}

fn closing_line(line: &str) -> Option<Counts> {
    let bare = line.trim_matches('=').trim();
    // A frame on one side only is no frame.
    if line.starts_with('=') != line.trim_end().ends_with('=') {
        return None;
    }
    let (results, time) = bare.rsplit_once(" in ")?;
    let seconds = time.split_once(" (").map_or(
        time,
        |(seconds, clock)| {
            if clock.ends_with(')') { seconds } else { "" }
        },
    );
    seconds
        .strip_suffix('s')
        .filter(|seconds| seconds.split('.').all(|part| number(part).is_some()))?;
    let mut counts = Counts::default();
    if results == "no tests ran" {
        return Some(counts);
    }
    for result in results.split(", ") {
        let (count, word) = result.split_once(' ')?;
        let count = number(count)?;
        match word {
            "passed" | "xpassed" => add(&mut counts.passed, count),
            "failed" | "error" | "errors" | "subtests failed" => add(&mut counts.failed, count),
            "skipped" | "xfailed" => add(&mut counts.skipped, count),
            "deselected" | "warning" | "warnings" | "rerun" | "reruns" | "subtests passed"
            | "subtests skipped" => {}
            _ => return None,
        }
    }
    Some(counts)
}
