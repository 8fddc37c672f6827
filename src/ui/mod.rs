//! Standard streams, colour, pager and progress.

pub mod answer;
pub mod streams;
