//! Standard streams, colour, pager and progress.

pub mod answer;
pub mod colour;
pub mod input;
pub mod pager;
pub mod progress;
pub mod streams;
