//! A transcript: commands as typed, what they printed, and whether that is what they should come to.

/// Steps in order; after one that did not come out as it should, there are no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The steps.
    pub steps: Vec<Step>,
    /// Where the repositories are kept, if they were to be kept; safe to show.
    pub kept: Option<String>,
}

impl Transcript {
    /// Whether every step came out as it should.
    pub fn is_as_expected(&self) -> bool {
        self.steps.iter().all(|step| step.fault.is_none())
    }
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is for, where a new chapter begins.
    pub title: Option<&'static str>,
    /// The command as typed, or the edit as told.
    pub command: String,
    /// What it printed, both streams.
    pub output: String,
    /// How it ended; `None` for an edit.
    pub code: Option<i32>,
    /// Why that is not how it should end.
    pub fault: Option<String>,
}
