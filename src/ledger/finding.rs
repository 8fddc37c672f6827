//! What may become a finding: the rules of its fields, and the forms in which findings are given.
//!
//! A call is all or nothing: either every entry is accepted, or every fault of every entry is named.

use std::collections::HashMap;

use crate::error::Result;
use crate::model::finding::FindingFields;
use crate::model::goal::Criterion;

pub use self::input::Input;
pub use self::reference::{ReferenceError, digits, resolve};
pub use self::refusal::{Reason, Refusal, refused};
pub use self::reject::reject;

mod fields;
mod input;
mod path;
mod placeholder;
mod reference;
mod refusal;
mod reject;

/// The most findings that one call takes.
pub const MAX_FINDINGS: usize = 10;

/// With more than this, a call warns: so many at once are seldom looked at one by one.
pub const MANY_FINDINGS: usize = 5;

/// What findings are judged against.
pub struct Context<'a> {
    /// The origin in whose name they are raised.
    pub origin: &'a str,
    /// Whether the policy knows an origin.
    pub knows_origin: &'a dyn Fn(&str) -> bool,
    /// The criteria of the review.
    pub criteria: &'a [Criterion],
    /// The files that they can point into.
    pub files: &'a dyn Files,
    /// What becomes of one that points to no file.
    pub missing_file: MissingFile,
}

/// What becomes of a finding whose file is neither in the commit nor in its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingFile {
    /// It is refused.
    Refuse,
    /// It is taken, and its line is not checked.
    Allow,
}

/// Two trees: that of the commit under review and that of its base.
pub trait Files {
    /// What stands at a path whose shape is that of a path in a tree.
    fn entry(&self, side: Side, path: &str) -> Result<Entry>;

    /// How many lines the file there has; a last line without line feed counts.
    fn lines(&self, side: Side, path: &str) -> Result<u64>;
}

/// Which of the two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Of the commit under review.
    Subject,
    /// Of its base.
    Base,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    Absent,
    /// A blob or a symbolic link.
    File,
    /// A folder or a submodule.
    Other,
}

/// What the rules say of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// All of it can be stored, in this order.
    Accepted(Vec<FindingFields>),
    /// Nothing is stored: all faults, by entry and in the order of the fields.
    Refused(Vec<Refusal>),
}

/// Judges the findings of one call. Fails only where a tree cannot be read.
pub fn check(input: &Input, context: &Context<'_>) -> Result<Checked> {
    let mut refusals = input.faults.clone();
    if !(context.knows_origin)(context.origin) {
        refusals.push(Refusal::of_call(Some("origin"), Reason::UnknownOrigin));
    }
    if input.faults.is_empty() {
        match input.entries.len() {
            0 => refusals.push(Refusal::of_call(None, Reason::NoneGiven)),
            1..=MAX_FINDINGS => {
                let (accepted, refused) = entries(input, context)?;
                if refusals.is_empty() && refused.is_empty() {
                    return Ok(Checked::Accepted(accepted));
                }
                refusals.extend(refused);
            }
            _ => refusals.push(Refusal::of_call(None, Reason::TooMany)),
        }
    }
    Ok(Checked::Refused(refusals))
}

fn entries(input: &Input, context: &Context<'_>) -> Result<(Vec<FindingFields>, Vec<Refusal>)> {
    let mut accepted = Vec::new();
    let mut refusals = Vec::new();
    let mut identities = HashMap::new();
    for (entry, index) in input.entries.iter().zip(0..) {
        match fields::check(entry, context)? {
            Ok(fields) => {
                if identities.insert(fields.identity(), index).is_some() {
                    refusals.push(entry.refusal(None, Reason::SameFinding));
                }
                accepted.push(fields);
            }
            Err(faults) => refusals.extend(faults),
        }
    }
    Ok((accepted, refusals))
}
