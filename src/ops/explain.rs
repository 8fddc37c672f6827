//! `explain`: what a rule or a kind of fact means.

use crate::error::{Error, Result};
use crate::gate::explain::{self, Topic};
use crate::model::text::sanitise;

/// What there is to explain under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Explanation {
    /// A text for people; lines are not wrapped.
    Text(String),
    /// The policy in force is asked for.
    Policy,
}

/// The text on a rule or a kind; unknown names are an error that lists the known ones.
pub fn explain(name: &str) -> Result<Explanation> {
    match Topic::named(name) {
        Some(Topic::Rule(id)) => Ok(Explanation::Text(explain::rule(id))),
        Some(Topic::Kind(kind)) => Ok(Explanation::Text(explain::kind(kind))),
        Some(Topic::Policy) => Ok(Explanation::Policy),
        None => Err(
            Error::new("usage", format!("nothing is called {}", sanitise(name)))
                .because(format!("known are {}", Topic::names().join(", ")))
                .hint("git review-gate explain policy"),
        ),
    }
}
