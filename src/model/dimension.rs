//! The four questions of a final review.

use super::words::words;

words! {
    /// One question of a final review, always in this order.
    Dimension {
        /// Does the change do all that was asked for?
        FunctionalCompleteness = "functional-completeness",
        /// Is the problem that was reported gone?
        ProblemResolution = "problem-resolution",
        /// Does the change bring no new defect?
        NoNewBugs = "no-new-bugs",
        /// Does everything that worked before still work?
        ExistingFunctionalityIntact = "existing-functionality-intact",
    }
}

words! {
    /// The answer to one question, from worst to best.
    DimensionVerdict {
        /// No.
        Fail = "fail",
        /// A person has to look; shown to people as `needs-human`.
        Inconclusive = "inconclusive",
        /// Yes.
        Pass = "pass",
    }
}
