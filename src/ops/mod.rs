//! One use case a file: joins policy, git, structure, ledger and gate into outcome values.

pub mod baseline;
pub mod check;
pub mod clock;
pub mod demo;
pub mod desk;
pub mod explain;
pub mod finding;
pub mod gate_base;
pub mod gate_view;
pub mod hook_call;
pub mod hooks;
pub mod init;
pub mod judge;
pub mod ledger;
pub mod log;
pub mod man;
pub mod mirror;
pub mod output;
pub mod policy_copy;
pub mod prepush;
pub mod program;
pub mod pushed;
pub mod range;
pub mod review;
pub mod settings;
pub mod status;
