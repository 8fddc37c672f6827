//! Evidence about a commit: what was claimed of it, and what runs of commands were seen to do.

use std::fmt;

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::dimension::Dimension;
use super::ids::Digest;
use super::words::words;

words! {
    /// What a piece of evidence is.
    EvidenceKind {
        /// Tests ran.
        TestResult = "test-result",
        /// How much of the code tests reach.
        TestCoverage = "test-coverage",
        /// A person looked.
        ManualSpotCheck = "manual-spot-check",
        /// The structural comparison with the base.
        PrePostDiff = "pre-post-diff",
        /// All tests that were there before ran.
        RegressionSuite = "regression-suite",
        /// Which test stands for which criterion.
        AcMapping = "ac-mapping",
    }
}

impl EvidenceKind {
    /// The questions that a run of this kind speaks to by itself; for the others a person has to say it.
    pub const fn dimensions(self) -> &'static [Dimension] {
        match self {
            Self::TestResult => &[
                Dimension::FunctionalCompleteness,
                Dimension::ProblemResolution,
                Dimension::NoNewBugs,
            ],
            Self::RegressionSuite => &[Dimension::NoNewBugs],
            Self::TestCoverage => &[Dimension::FunctionalCompleteness],
            Self::ManualSpotCheck | Self::PrePostDiff | Self::AcMapping => &[],
        }
    }
}

words! {
    /// How the output of a test runner, or the report it wrote, was read.
    RunFormat {
        /// The JSON of jest and vitest.
        Jest = "jest",
        /// `go test`, with `-json` or `-v`.
        GoTest = "go-test",
        /// `cargo nextest`.
        Nextest = "nextest",
        /// pytest.
        Pytest = "pytest",
        /// The test harness of Rust.
        Libtest = "libtest",
        /// JUnit XML.
        Junit = "junit",
        /// Coverage records of lcov.
        Lcov = "lcov",
        /// Coverage XML of Cobertura.
        Cobertura = "cobertura",
    }
}

words! {
    /// Why nothing is known about tests or coverage: unknown is never zero.
    Unknown {
        /// No known format.
        UnknownFormat = "unknown-format",
        /// More than is parsed.
        OutputTooLarge = "output-too-large",
        /// The code did not compile, so nothing ran.
        BuildFailed = "build-failed",
        /// Without `-v`, `go test` does not list what passes.
        GoTestNotVerbose = "go-test-not-verbose",
        /// A document type with an inner part, which could define entities.
        Doctype = "doctype",
        /// Not well formed, cut off, or with numbers that are none.
        Malformed = "malformed",
        /// The report was not written.
        NoReport = "no-report",
        /// The report is as it was before: this run did not write it.
        StaleReport = "stale-report",
        /// The report is no regular file, or cannot be read.
        UnreadableReport = "unreadable-report",
    }
}

/// How many tests came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Counts {
    /// Failed, in error, timed out, or not even started because their file could not be loaded.
    pub failed: u64,
    /// Passed after a failure; these are within `passed`.
    pub flaky: u64,
    /// Selected, and not run because the runner gave up before.
    pub not_run: u64,
    /// Passed.
    pub passed: u64,
    /// Skipped on purpose.
    pub skipped: u64,
}

impl Counts {
    /// How many tests ran at all.
    pub const fn ran(&self) -> u64 {
        self.passed.saturating_add(self.failed)
    }
}

/// `3 passed, 1 failed, 2 skipped`; what is zero is left out, but for passed and failed.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        for (count, what) in [
            (self.skipped, "skipped"),
            (self.not_run, "not run"),
            (self.flaky, "flaky"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// How many of something there are, and how many of them a run reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Reached {
    /// How many there are.
    pub found: u64,
    /// How many were reached.
    pub hit: u64,
}

/// What a run reached; what the report does not say is absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Coverage {
    /// Branches.
    pub branches: Option<Reached>,
    /// Functions.
    pub functions: Option<Reached>,
    /// Lines.
    pub lines: Option<Reached>,
}

/// `lines 97 of 120, branches 21 of 30`
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [
            ("lines", self.lines),
            ("functions", self.functions),
            ("branches", self.branches),
        ]
        .into_iter()
        .filter_map(|(what, reached)| {
            reached.map(|reached| format!("{what} {} of {}", reached.hit, reached.found))
        })
        .collect();
        f.write_str(if parts.is_empty() { "unknown" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// A file that evidence names, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Artifact {
    /// Its size.
    pub bytes: u64,
    /// Its path from the top of the work tree.
    pub path: String,
    /// Its digest.
    #[schemars(with = "String")]
    pub sha256: Digest,
}

/// How a command ended. In JSON: its exit code, `"signal 9"` or `"timeout"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunExit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It took too long and was ended.
    Timeout,
}

impl RunExit {
    /// Whether it succeeded.
    pub const fn success(self) -> bool {
        matches!(self, Self::Code(0))
    }
}

impl fmt::Display for RunExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Timeout => f.write_str("timeout"),
        }
    }
}

impl Serialize for RunExit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Code(code) => serializer.serialize_i32(*code),
            other => serializer.collect_str(other),
        }
    }
}

impl<'de> Deserialize<'de> for RunExit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Exit;
        impl Visitor<'_> for Exit {
            type Value = RunExit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an exit code, \"signal N\" or \"timeout\"")
            }

            fn visit_i64<E: serde::de::Error>(self, code: i64) -> Result<RunExit, E> {
                let code = i32::try_from(code);
                code.map(RunExit::Code)
                    .map_err(|_| E::custom("an exit code has 32 bits"))
            }

            fn visit_u64<E: serde::de::Error>(self, code: u64) -> Result<RunExit, E> {
                let code = i32::try_from(code);
                code.map(RunExit::Code)
                    .map_err(|_| E::custom("an exit code has 32 bits"))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RunExit, E> {
                if text == "timeout" {
                    return Ok(RunExit::Timeout);
                }
                text.strip_prefix("signal ")
                    .and_then(|number| number.parse().ok())
                    .map(RunExit::Signal)
                    .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Exit)
    }
}

words! {
    /// What one run of a proof came to.
    RunClass {
        /// Exit code 0 and, where counts are known, at least one test passed.
        Passes = "passes",
        /// Exit code 0, and no test ran.
        NoTests = "no-tests",
        /// A test failed.
        Fails = "fails",
        /// Nothing ran, because the code or the tests could not be built or loaded.
        FailsToBuild = "fails-to-build",
        /// It took too long.
        Timeout = "timeout",
        /// It could not be started, or was ended by a signal.
        Error = "error",
    }
}

words! {
    /// Whether a test fails without the change and passes with it, from worst to best.
    ProofResult {
        /// It was not shown.
        NotProven = "not-proven",
        /// Without the change the test does not even build. Weaker: that need not be for the right reason.
        ProvenByBuildFailure = "proven-by-build-failure",
        /// It fails on the base and passes on the head, each time.
        Proven = "proven",
    }
}

words! {
    /// Why something was not proven.
    ProofReason {
        /// The test passes without the change.
        BasePasses = "base-passes",
        /// Without the change it does not build.
        BaseFailsToBuild = "base-fails-to-build",
        /// Without the change it sometimes fails.
        BaseFlaky = "base-flaky",
        /// Without the change it does not end.
        BaseTimeout = "base-timeout",
        /// With the change it fails.
        HeadFails = "head-fails",
        /// With the change it sometimes fails.
        HeadFlaky = "head-flaky",
        /// With the change it does not end.
        HeadTimeout = "head-timeout",
        /// No test ran.
        NoTests = "no-tests",
        /// A run could not be started, or was ended from outside.
        Error = "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_is_a_number_or_a_word_in_json() {
        for (exit, json) in [
            (RunExit::Code(101), "101"),
            (RunExit::Code(-1), "-1"),
            (RunExit::Signal(9), "\"signal 9\""),
            (RunExit::Timeout, "\"timeout\""),
        ] {
            assert_eq!(serde_json::to_string(&exit).unwrap(), json);
            assert_eq!(serde_json::from_str::<RunExit>(json).unwrap(), exit);
        }
        for wrong in ["\"signal\"", "\"\"", "4294967296", "null", "true"] {
            assert!(serde_json::from_str::<RunExit>(wrong).is_err(), "{wrong}");
        }
    }
}
