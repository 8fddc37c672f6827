//! The range that a baseline compares, how it was found, or why there is none.

use serde::Serialize;

use super::ids::{CommitId, TreeId};
use super::words::words;

/// Two commits to compare, and how they were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// What is compared with the head.
    pub mode: RangeMode,
    /// The base as it was asked for on the command line.
    pub base_asked: Option<String>,
    /// `command line`, or the name of the candidate.
    pub found_by: String,
    /// What the base was called: the revision asked for, or the name of the candidate's ref.
    pub base_name: String,
    /// The commit that the base names; the same as [`Range::base`] with [`RangeMode::Tip`].
    pub base_tip: CommitId,
    /// The commit that is compared.
    pub base: CommitId,
    /// Its tree.
    pub base_tree: TreeId,
    /// The head as it was asked for.
    pub head_asked: String,
    /// The head.
    pub head: CommitId,
    /// Its tree.
    pub head_tree: TreeId,
    /// All merge bases, the one that is used first; empty with [`RangeMode::Tip`].
    pub merge_bases: Vec<CommitId>,
    /// Candidates that were tried before, in order.
    pub passed_over: Vec<PassedOver>,
}

words! {
    /// What is compared with the head.
    RangeMode {
        /// The merge base of base and head.
        MergeBase = "merge-base",
        /// The base itself.
        Tip = "tip",
    }
}

/// A candidate for the base that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    /// Its name.
    pub candidate: String,
    /// Why.
    pub why: String,
}

words! {
    /// Why a baseline is not available.
    Code {
        /// Not in a repository that can be read.
        NotARepository = "not-a-repository",
        /// The branch has no commit yet.
        UnbornHead = "unborn-head",
        /// The head names no commit.
        UnknownHead = "unknown-head",
        /// The base names no commit.
        UnknownBase = "unknown-base",
        /// A name stands for more than one object.
        AmbiguousRef = "ambiguous-ref",
        /// A name stands for something else than a commit.
        NotACommit = "not-a-commit",
        /// Base and head share no history.
        NoMergeBase = "no-merge-base",
        /// Base and head are the same.
        EmptyRange = "empty-range",
        /// No candidate for the base is left.
        NoBase = "no-base",
        /// A commit that the answer needs is not in this clone.
        MissingCommit = "missing-commit",
        /// A tree that the answer needs is not in this clone, or damaged.
        MissingObject = "missing-object",
        /// The policy cannot be read.
        BadPolicy = "bad-policy",
    }
}

/// Why a baseline is not available, what was tried, and what would help.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unavailable {
    /// For programs.
    pub code: Code,
    /// One sentence for people, without final full stop.
    pub message: String,
    /// Candidates for the base that were tried, in order.
    pub tried: Vec<PassedOver>,
    /// What would help: commands stand alone on their line.
    pub help: Vec<String>,
}

impl Unavailable {
    /// A reason without attempts and help.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            tried: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Adds what would help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// `code: message`, as it stands in the status line.
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.code, self.message)
    }
}
