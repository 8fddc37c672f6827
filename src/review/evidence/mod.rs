//! Evidence: which runs count for a tree, and what a reviewer reads of them.

pub mod log;
pub mod seen;
