//! Findings: file, list, answer, confirm, reopen, waive.

pub mod add;
pub mod board;
pub mod confirm;
mod files;
pub mod list;
pub mod resolve;
pub mod settle;
