//! How many tests a command ran, by its output: the formats in the order in which they are tried.

use super::{ansi, go_json, go_verbose, jest, libtest, nextest, pytest};
use crate::model::witness::{Counts, Reached, RunFormat, Unknown};

/// The most bytes of one stream or report that are read.
pub const MAX_READ: usize = 8 * 1024 * 1024;

/// The largest number that an event can hold.
const MAX_NUMBER: u64 = (1 << 53) - 1;

/// What could be read about the tests of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tests {
    /// How it was read; `None` where no format is known.
    pub format: Option<RunFormat>,
    /// The counts, or why there are none.
    pub counts: Result<Tally, Unknown>,
}

/// Counts, and what is within them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// The counts.
    pub counts: Counts,
    /// How many of the failures stand for a file or package that could not be built or loaded.
    pub unbuilt: u64,
}

/// What one format makes of a text: nothing where it is not that format.
type Read = Option<Result<Tally, Unknown>>;

/// The reader of one format.
type Reader = fn(&str) -> Read;

/// The formats of standard output, in the order in which they are tried.
const FORMATS: [(RunFormat, Reader); 6] = [
    (RunFormat::Jest, jest::read),
    (RunFormat::GoTest, go_json::read),
    (RunFormat::Nextest, nextest::read),
    (RunFormat::Pytest, pytest::read),
    (RunFormat::Libtest, libtest::read),
    (RunFormat::GoTest, go_verbose::read),
];

/// Reads what a test runner printed.
pub fn of_output(output: &[u8]) -> Tests {
    if output.len() > MAX_READ {
        return unknown(None, Unknown::OutputTooLarge);
    }
    let text = ansi::plain(output);
    for (format, read) in FORMATS {
        if let Some(counts) = read(&text) {
            return Tests {
                format: Some(format),
                counts: counts.and_then(Tally::within),
            };
        }
    }
    unknown(None, Unknown::UnknownFormat)
}

/// Reads both streams: standard error where standard output says nothing, since some runners report there.
pub fn of_streams(stdout: &[u8], stderr: &[u8]) -> Tests {
    let tests = of_output(stdout);
    if tests.counts != Err(Unknown::UnknownFormat) {
        return tests;
    }
    of_output(stderr)
}

/// Nothing is known.
pub const fn unknown(format: Option<RunFormat>, reason: Unknown) -> Tests {
    Tests {
        format,
        counts: Err(reason),
    }
}

impl Tally {
    /// The same, where all numbers are ones that can be stored: others are none that a runner could have counted.
    pub(super) fn within(self) -> Result<Self, Unknown> {
        let counts = self.counts;
        let all = [
            counts.failed,
            counts.flaky,
            counts.not_run,
            counts.passed,
            counts.skipped,
            self.unbuilt,
        ];
        if all.iter().all(|number| *number <= MAX_NUMBER) {
            Ok(self)
        } else {
            Err(Unknown::Malformed)
        }
    }
}

impl From<Counts> for Tally {
    fn from(counts: Counts) -> Self {
        Self { counts, unbuilt: 0 }
    }
}

/// Adds to a count; one that overflows is refused by [`Tally::within`].
pub(super) fn add(count: &mut u64, more: u64) {
    *count = count.saturating_add(more);
}

/// A number as runners print it: digits only.
pub(super) fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Whether the output shows that code or tests could not be compiled, imported, collected or found.
pub fn shows_build_failure(stdout: &[u8], stderr: &[u8]) -> bool {
    [stdout, stderr].into_iter().any(|stream| {
        let text = ansi::plain(&stream[..stream.len().min(MAX_READ)]);
        ansi::lines(&text).any(is_build_failure)
    })
}

/// What compilers and loaders print, wherever in the line it stands.
const BUILD_FAILURES: [&str; 31] = [
    "error: could not compile",
    "error[E0",
    "[build failed]",
    "[setup failed]",
    "ModuleNotFoundError: ",
    "ImportError: ",
    "SyntaxError: ",
    "IndentationError: ",
    " during collection",
    "Cannot find module ",
    "Cannot find package ",
    "ERR_MODULE_NOT_FOUND",
    "Test suite failed to run",
    "Failed to resolve import ",
    "Failed to load url ",
    ": error TS",
    "COMPILATION ERROR",
    "Compilation failed",
    "cannot find symbol",
    "undefined reference to ",
    "fatal error: ",
    "LoadError",
    // The test itself is not there.
    "error: no test target named",
    "No test files found",
    "No tests found",
    "No test suite found",
    "file or directory not found",
    "No such file or directory",
    "can't open file",
    "cannot open ",
    "Could not find '",
];

fn is_build_failure(line: &str) -> bool {
    BUILD_FAILURES.iter().any(|mark| line.contains(mark))
}

/// The same, where the numbers can be stored and no more is reached than there is.
pub(super) fn storable(reached: Reached) -> Result<Reached, Unknown> {
    if reached.hit <= reached.found && reached.found <= MAX_NUMBER {
        Ok(reached)
    } else {
        Err(Unknown::Malformed)
    }
}
