//! JUnit XML: counted by its `testcase` elements. The totals that it states are not believed.

use super::tests::{Tally, unknown};
use super::xml::{Node, walk};
use crate::model::witness::{Counts, RunFormat, Unknown};
use crate::review::evidence::tests::Tests;

/// What is open, from the outside in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Suite,
    Case,
    Other,
}

/// What the parts of a test case said.
#[derive(Default)]
struct Case {
    failed: bool,
    skipped: bool,
    flaky: bool,
}

/// The counts of a report.
pub fn read(bytes: &[u8]) -> Tests {
    match count(bytes) {
        Ok(counts) => Tests {
            format: Some(RunFormat::Junit),
            counts: Tally::from(counts).within(),
        },
        Err(reason) => unknown(Some(RunFormat::Junit), reason),
    }
}

fn count(bytes: &[u8]) -> Result<Counts, Unknown> {
    let mut counts = Counts::default();
    let mut open: Vec<Open> = Vec::new();
    let mut case = Case::default();
    walk(bytes, |node| {
        match node {
            Node::Open(element) => {
                let name = element.name();
                let now = match (open.last(), name) {
                    (None | Some(Open::Suite), "testsuites" | "testsuite") => Open::Suite,
                    // A document about something else.
                    (None, _) => return Err(Unknown::Malformed),
                    (Some(Open::Suite), "testcase") => {
                        case = Case::default();
                        Open::Case
                    }
                    (Some(Open::Case), _) => {
                        match name {
                            "failure" | "error" => case.failed = true,
                            "skipped" => case.skipped = true,
                            "flakyFailure" | "flakyError" => case.flaky = true,
                            _ => {}
                        }
                        Open::Other
                    }
                    _ => Open::Other,
                };
                open.push(now);
            }
            Node::Close => {
                if open.pop() == Some(Open::Case) {
                    if case.failed {
                        counts.failed += 1;
                    } else if case.skipped {
                        counts.skipped += 1;
                    } else {
                        counts.passed += 1;
                        counts.flaky += u64::from(case.flaky);
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(counts)
}
