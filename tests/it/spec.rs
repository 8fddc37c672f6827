//! The review of a design document: the cases of its rules.

mod edits;
mod laws;
mod names;
mod transitions;
