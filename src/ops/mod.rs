//! One use case a file: joins policy, git, structure, ledger and gate into outcome values.

pub mod clock;
pub mod demo;
pub mod policy_copy;
pub mod range;
pub mod settings;
