//! One use case a file: joins policy, git, structure, ledger and gate into outcome values.

pub mod clock;
pub mod demo;
pub mod hook_call;
pub mod hooks;
pub mod init;
pub mod policy_copy;
pub mod program;
pub mod pushed;
pub mod range;
pub mod settings;
