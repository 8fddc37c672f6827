//! What commands came to: plain values that a report turns into text.

pub mod adopt;
pub mod evidence;
pub mod finding;
pub mod log;
pub mod review;
pub mod status;
