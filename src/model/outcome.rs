//! What commands came to: plain values that a report turns into text.

pub mod adopt;
pub mod evidence;
pub mod finding;
pub mod log;
pub mod quality;
pub mod review;
pub mod status;

/// What a command came to, and what else should be said.
#[derive(Debug, Clone)]
pub struct Said<T> {
    /// What it came to.
    pub outcome: T,
    /// For people: notes that were put back before the command wrote.
    pub warnings: Vec<String>,
}
