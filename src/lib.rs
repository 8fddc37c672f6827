//! `git review-gate`: review findings, structural baselines and a push gate, kept in git itself.
//!
//! # The map of the house
//!
//! Data flows one way: refs → [`git`] → [`model`] → ([`structure`] · [`ledger`] · [`review`] · [`spec`] · [`quality`]) → [`gate`] → [`report`].
//!
//! | module | purpose |
//! |---|---|
//! | [`model`] | plain values without I/O: ids, events, findings, policy, decision |
//! | [`policy`] | reads and validates `.review-gate.toml` |
//! | [`git`] | the only code that touches gix or runs the git program |
//! | [`structure`] | bytes → outline → facts → the baseline artifact; pure |
//! | [`ledger`] | the event codec, union and fold (pure), and the store in git notes |
//! | [`review`] | reviews and their goals, what a reviewer reads, what the gates make of the answer, what stands; pure |
//! | [`quality`] | measurements of a review process → scores, gates, a decision; pure |
//! | [`spec`] | the review of a design document in rounds: sections, edits, the state machine; pure |
//! | [`gate`] | (policy, facts, ledger view, records) → decision; one rule a file; pure |
//! | [`hook`] | installs hooks; reads what a hook call asks for |
//! | [`ops`] | one use case a file, joins all of the above, returns values |
//! | [`report`] | outcome → human text, JSON, Markdown, GitHub annotations |
//! | [`cli`] | command line: arguments and one short `run` for each subcommand |
//! | [`ui`] | streams, colour, pager, progress |
//!
//! Read in the order of the table. A test (`tests/it/tidy.rs`) checks which module may use which.
//!
//! # Invariants
//!
//! - Nothing outside [`git`] uses gix or starts the git program; nothing outside [`ui`] and `main.rs` writes to a standard stream.
//! - Pure modules ([`structure`], [`spec`], [`quality`], [`gate`], [`report`], `ledger::{codec, union, fold}`) read no clock, environment, file or repository.
//! - "Blocked" is a value ([`exit::Exit::Blocked`]); an [`error::Error`] always means *not decided*, exit code 2.
//! - Events are never edited or deleted, a ref is never moved unless it still has the value that was read.

// The homes of clippy.toml hold for the product; its unit tests may touch what they need.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "unit tests make their own files")
)]

pub mod cli;
pub mod error;
pub mod exit;
pub mod gate;
pub mod git;
pub mod hook;
pub mod ledger;
pub mod model;
pub mod ops;
pub mod policy;
pub mod quality;
pub mod report;
pub mod review;
pub mod spec;
pub mod structure;
pub mod ui;
