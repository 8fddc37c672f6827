//! What one run of a proof came to, and what all of them together prove.

use super::tests::{self, Tests};
use crate::model::witness::{ProofReason, ProofResult, RunClass, RunExit, Unknown};

/// How a run that could be started ended, and what it printed.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// How it ended.
    pub exit: RunExit,
    /// Standard output.
    pub stdout: &'a [u8],
    /// Standard error.
    pub stderr: &'a [u8],
}

/// What a run came to. One that could not be started is [`RunClass::Error`].
pub fn of_run(ended: &Ended<'_>) -> RunClass {
    match ended.exit {
        RunExit::Timeout => RunClass::Timeout,
        // 126 and 127 are what programs that start others say when they cannot.
        RunExit::Signal(_) | RunExit::Code(126 | 127) => RunClass::Error,
        RunExit::Code(0) => of_success(&tests::of_streams(ended.stdout, ended.stderr)),
        RunExit::Code(_) => {
            let tests = tests::of_streams(ended.stdout, ended.stderr);
            let shows_build_failure = || tests::shows_build_failure(ended.stdout, ended.stderr);
            match tests.counts {
                Ok(tally) => {
                    let unbuilt = tally.unbuilt;
                    if tally.counts.failed > unbuilt {
                        RunClass::Fails
                    } else if unbuilt > 0 && tally.counts.passed == 0
                        || tally.counts.ran() == 0 && shows_build_failure()
                    {
                        RunClass::FailsToBuild
                    } else if tally.counts.ran() == 0 {
                        RunClass::NoTests
                    } else {
                        // It failed without a failed test of its own: for another reason than the one to show.
                        RunClass::Error
                    }
                }
                Err(Unknown::BuildFailed) => RunClass::FailsToBuild,
                Err(_) if shows_build_failure() => RunClass::FailsToBuild,
                Err(_) => RunClass::Fails,
            }
        }
    }
}

/// Exit code 0 alone does not say that a test ran.
const fn of_success(tests: &Tests) -> RunClass {
    match &tests.counts {
        Ok(tally) if tally.counts.passed == 0 => RunClass::NoTests,
        _ => RunClass::Passes,
    }
}

/// Whether a proof by a failure to build is wanted where there is no better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildFailure {
    /// It proves nothing.
    Refused,
    /// It is taken, under its own name.
    Allowed,
}

/// What the runs prove. Without any run on a side nothing is.
pub fn verdict(
    base: &[RunClass],
    head: &[RunClass],
    build_failure: BuildFailure,
) -> (ProofResult, Option<ProofReason>) {
    let all = |runs: &[RunClass], class| !runs.is_empty() && runs.iter().all(|run| *run == class);
    let any = |class| base.contains(&class) || head.contains(&class);
    let not = |reason| (ProofResult::NotProven, Some(reason));
    // What says nothing about the change comes first, then the head, since without it the base does not matter.
    if base.is_empty() || head.is_empty() || any(RunClass::Error) {
        return not(ProofReason::Error);
    }
    if any(RunClass::NoTests) {
        return not(ProofReason::NoTests);
    }
    if !all(head, RunClass::Passes) {
        return not(if head.contains(&RunClass::Timeout) {
            ProofReason::HeadTimeout
        } else if head.contains(&RunClass::Passes) {
            ProofReason::HeadFlaky
        } else {
            ProofReason::HeadFails
        });
    }
    if all(base, RunClass::Fails) {
        return (ProofResult::Proven, None);
    }
    if all(base, RunClass::FailsToBuild) {
        return match build_failure {
            BuildFailure::Allowed => (ProofResult::ProvenByBuildFailure, None),
            BuildFailure::Refused => not(ProofReason::BaseFailsToBuild),
        };
    }
    not(if all(base, RunClass::Passes) {
        ProofReason::BasePasses
    } else if base.contains(&RunClass::Timeout) {
        ProofReason::BaseTimeout
    } else {
        ProofReason::BaseFlaky
    })
}

#[cfg(test)]
mod unit {
    use super::*;
    use RunClass::{Error, Fails, FailsToBuild, NoTests, Passes, Timeout};

    #[test]
    fn one_run() {
        let libtest = |passed: u32, failed: u32| {
            format!(
                "test result: x. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; \
                 finished in 0.00s\n"
            )
        };
        for (exit, stdout, stderr, expected) in [
            (RunExit::Code(0), libtest(1, 0), "", Passes),
            (RunExit::Code(0), libtest(0, 0), "", NoTests),
            (RunExit::Code(0), "fine".to_owned(), "", Passes),
            (RunExit::Code(101), libtest(3, 1), "", Fails),
            (RunExit::Code(101), libtest(3, 0), "", Error),
            (RunExit::Code(101), libtest(0, 0), "", NoTests),
            (RunExit::Code(1), "1 != 2".to_owned(), "", Fails),
            (
                RunExit::Code(101),
                String::new(),
                "error: could not compile `x` (test \"t\")\n",
                FailsToBuild,
            ),
            (
                RunExit::Code(1),
                String::new(),
                "ModuleNotFoundError: No module named 'x'\n",
                FailsToBuild,
            ),
            (
                RunExit::Code(2),
                "!!!! Interrupted: 1 error during collection !!!!\n= 1 error in 0.1s =\n".to_owned(),
                "",
                FailsToBuild,
            ),
            (
                RunExit::Code(101),
                String::new(),
                "error: no test target named `x` in default-run packages\n",
                FailsToBuild,
            ),
            // A test that fails because it imports something is a failed test.
            (
                RunExit::Code(1),
                "E   ImportError: x\n= 1 failed in 0.1s =\n".to_owned(),
                "",
                Fails,
            ),
            (
                RunExit::Code(1),
                "FAIL\tx [build failed]\nFAIL\n".to_owned(),
                "",
                FailsToBuild,
            ),
            (
                RunExit::Code(1),
                r#"{"numTotalTests":0,"numPassedTests":0,"numFailedTests":0,"numRuntimeErrorTestSuites":1,"success":false}"#
                    .to_owned(),
                "",
                FailsToBuild,
            ),
            (RunExit::Code(5), "= no tests ran in 0.01s =\n".to_owned(), "", NoTests),
            (RunExit::Timeout, libtest(1, 0), "", Timeout),
            (RunExit::Signal(11), libtest(1, 0), "", Error),
            (RunExit::Code(127), String::new(), "sh: x: not found", Error),
            (RunExit::Code(126), String::new(), "", Error),
        ] {
            let ended = Ended { exit, stdout: stdout.as_bytes(), stderr: stderr.as_bytes() };
            assert_eq!(of_run(&ended), expected, "{exit} {stdout:?} {stderr:?}");
        }
    }

    #[test]
    fn all_runs_together() {
        use ProofReason as Why;
        for (base, head, expected) in [
            ([Fails; 3], [Passes; 3], None),
            ([Passes; 3], [Passes; 3], Some(Why::BasePasses)),
            ([FailsToBuild; 3], [Passes; 3], Some(Why::BaseFailsToBuild)),
            ([Fails, Passes, Fails], [Passes; 3], Some(Why::BaseFlaky)),
            ([Fails, FailsToBuild, Fails], [Passes; 3], Some(Why::BaseFlaky)),
            ([Fails, Timeout, Fails], [Passes; 3], Some(Why::BaseTimeout)),
            ([Fails; 3], [Fails; 3], Some(Why::HeadFails)),
            ([Fails; 3], [FailsToBuild; 3], Some(Why::HeadFails)),
            ([Passes; 3], [Fails, Passes, Passes], Some(Why::HeadFlaky)),
            ([Fails; 3], [Passes, Timeout, Passes], Some(Why::HeadTimeout)),
            ([Fails; 3], [NoTests; 3], Some(Why::NoTests)),
            ([NoTests; 3], [Passes; 3], Some(Why::NoTests)),
            ([Fails, Error, Fails], [Passes; 3], Some(Why::Error)),
        ] {
            let (result, reason) = verdict(&base, &head, BuildFailure::Refused);
            assert_eq!(reason, expected, "{base:?} {head:?}");
            assert_eq!(result == ProofResult::Proven, expected.is_none());
        }
        assert_eq!(
            verdict(&[FailsToBuild], &[Passes], BuildFailure::Allowed),
            (ProofResult::ProvenByBuildFailure, None)
        );
        assert_eq!(
            verdict(&[FailsToBuild, Fails], &[Passes, Passes], BuildFailure::Allowed).1,
            Some(Why::BaseFlaky)
        );
        assert_eq!(verdict(&[], &[Passes], BuildFailure::Allowed).1, Some(Why::Error));
    }
}
