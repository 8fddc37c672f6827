//! Plain values shared by all layers; no I/O, no clock, nothing of ours below it.

pub mod baseline;
pub mod dimension;
pub mod fact;
pub mod ids;
pub mod key;
pub mod policy;
pub mod severity;
pub mod text;
pub mod words;
