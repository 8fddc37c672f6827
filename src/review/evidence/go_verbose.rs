//! `go test -v`: the result lines of tests, and those of packages.

use super::ansi;
use super::tests::Tally;
use crate::model::witness::Unknown;

/// Parents and subtests alike. A package that fails without a failed test of its own is one failure more.
pub fn read(text: &str) -> Option<Result<Tally, Unknown>> {
    let mut tally = Tally::default();
    let mut verbose = false;
    let mut recognised = false;
    // Failed tests since the last package; its line follows those of its tests.
    let mut failed = 0_u64;
    for line in ansi::lines(text) {
        let bare = line.trim_start_matches(' ');
        if line.starts_with("=== RUN ") {
            verbose = true;
        } else if bare.starts_with("--- PASS: ") {
            tally.counts.passed += 1;
        } else if bare.starts_with("--- SKIP: ") {
            tally.counts.skipped += 1;
        } else if bare.starts_with("--- FAIL: ") {
            tally.counts.failed += 1;
            failed += 1;
            recognised |= line == bare;
        } else if line.starts_with("FAIL\t") {
            recognised = true;
            if failed == 0 {
                tally.counts.failed += 1;
                if line.ends_with("[build failed]") || line.ends_with("[setup failed]") {
                    tally.unbuilt += 1;
                }
            }
            failed = 0;
        } else if line.starts_with("ok  \t") || line.starts_with("?   \t") {
            recognised = true;
            failed = 0;
        }
    }
    if verbose {
        Some(Ok(tally))
    } else {
        recognised.then_some(Err(Unknown::GoTestNotVerbose))
    }
}
