//! Plain values shared by all layers; no I/O, no clock, nothing of ours below it.

pub mod ids;
pub mod text;
