//! `explain`: what a rule or a kind of fact means.

use super::check;
use super::judge::Asked;
use super::sides::Sides;
use crate::error::{Error, Result};
use crate::gate::explain::{self, Topic};
use crate::gate::facts::Update;
use crate::git::Repo;
use crate::model::policy::listing::ExplainedPolicy;
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

/// The policy that holds for a ref, by default that of the checked-out branch, and where each value came from.
pub fn policy(ref_name: Option<&str>) -> Result<ExplainedPolicy> {
    let repo = Repo::open()?;
    let checked_out = repo.head()?;
    let head = checked_out
        .commit()
        .ok_or_else(|| Error::new("unborn-head", "HEAD has no commit yet").hint("git commit"))?;
    let ref_name = match ref_name {
        Some(name) => check::full_name(name)?,
        None => check::own_ref(&checked_out)?,
    };
    let asked = Asked {
        ref_name: &ref_name,
        update: Update::Push,
        head: Some(head),
        base: None,
        local_ref: checked_out.ref_name(),
        branches: Vec::new(),
    };
    let sides = Sides::read(&repo, &asked)?;
    Ok(sides.explained(&asked))
}
