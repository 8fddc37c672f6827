//! Plain values shared by all layers; no I/O, no clock, nothing of ours below it.

pub mod baseline;
pub mod canonical;
pub mod change;
pub mod day;
pub mod decision;
pub mod dimension;
pub mod event;
pub mod evidence;
pub mod fact;
pub mod finding;
pub mod glob;
pub mod goal;
pub mod hooks;
pub mod ids;
pub mod init;
pub mod key;
pub mod measured;
pub mod outcome;
pub mod policy;
pub mod push;
pub mod range;
pub mod review;
pub mod severity;
pub mod text;
pub mod transcript;
pub mod words;
