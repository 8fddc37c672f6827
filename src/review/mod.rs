//! The review: goals, which reviews there are, what a reviewer reads, and what becomes of the answer.

pub mod evidence;
pub mod goal;
pub mod ledger_text;
pub mod path;
pub mod registry;
pub mod sources;
