//! Reads a reviewer's reply: strict, in linear time, and without a word about the work itself.
//!
//! A reply that is not usable is a failure of the call, never a verdict.

use std::collections::BTreeSet;

use super::source::is_blank;
use crate::error::Error;
use crate::model::dimension::Dimension;
use crate::model::final_review::FinalReviewOutput;
use crate::model::json::{Node, Place};
use crate::model::text::sanitise;
use crate::model::words::words;

mod document;
mod fields;

/// The most bytes that a reply may have.
pub const MAX_BYTES: usize = 256 * 1024;

/// How many faults or names a message lists; the rest is counted.
const MAX_LISTED: usize = 20;

/// The most characters of a name or pointer in a message.
const MAX_SHOWN: usize = 200;

words! {
    /// Why a reply is not usable, in the order in which it is checked.
    Reason {
        /// Nothing but white space.
        Empty = "empty",
        /// Over 256 KiB.
        TooLarge = "too-large",
        /// Not JSON as a whole, and more than one fenced block.
        SeveralBlocks = "several-blocks",
        /// The block is not closed, or the document ends inside a string or an open bracket.
        Truncated = "truncated",
        /// Anything else that does not parse.
        NotJson = "not-json",
        /// A field that is unknown, absent, of the wrong type, blank or too long.
        WrongType = "wrong-type",
        /// A dimension that there is not.
        ExtraDimension = "extra-dimension",
        /// A dimension that is answered more than once.
        DuplicateDimension = "duplicate-dimension",
        /// A dimension that is not answered.
        MissingDimension = "missing-dimension",
        /// The reply belongs to another review.
        RidMismatch = "rid-mismatch",
    }
}

/// A reply that is not usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incomplete {
    /// Why.
    pub reason: Reason,
    /// What is wrong with which value, first of the document first; only with [`Reason::WrongType`].
    pub faults: Vec<Fault>,
    /// The dimensions that are meant, as the reply spells them; only with the reasons about dimensions.
    pub names: Vec<String>,
    /// The review that the reply names; only with [`Reason::RidMismatch`].
    pub got: Option<String>,
}

/// What is wrong with one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The JSON pointer of the value, or of where it should be.
    pub at: String,
    /// What is wrong, for people.
    pub what: String,
}

impl Incomplete {
    fn new(reason: Reason) -> Self {
        Self {
            reason,
            faults: Vec::new(),
            names: Vec::new(),
            got: None,
        }
    }

    fn named(reason: Reason, names: Vec<String>) -> Self {
        Self {
            names,
            ..Self::new(reason)
        }
    }

    fn faulty(faults: Vec<Fault>) -> Self {
        Self {
            faults,
            ..Self::new(Reason::WrongType)
        }
    }

    /// What is wrong, one line each; safe to show.
    pub fn details(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .faults
            .iter()
            .take(MAX_LISTED)
            .map(|fault| match fault.at.as_str() {
                "" => format!("the document {}", fault.what),
                at => format!("{} {}", shown(at), fault.what),
            })
            .chain(self.names.iter().take(MAX_LISTED).map(|name| shown(name)))
            .chain(self.got.iter().map(|got| format!("it answers {}", shown(got))))
            .collect();
        let more = (self.faults.len() + self.names.len()).saturating_sub(MAX_LISTED);
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        lines
    }

    /// What to ask the reviewer for again.
    pub const fn ask(&self) -> &'static str {
        match self.reason {
            Reason::Empty => "ask the reviewer again: the reply is one JSON document",
            Reason::TooLarge => "ask the reviewer for a shorter reply: at most 256 KiB",
            Reason::SeveralBlocks => "ask the reviewer for the JSON document alone, or in one fenced block",
            Reason::Truncated => "ask the reviewer for the whole document: this one is cut off",
            Reason::NotJson => "ask the reviewer for the JSON document and nothing else",
            Reason::WrongType => {
                "ask the reviewer to correct these fields: the packet shows the shape of a reply"
            }
            Reason::ExtraDimension | Reason::DuplicateDimension | Reason::MissingDimension => {
                "ask the reviewer for exactly the four dimensions, once each"
            }
            Reason::RidMismatch => "ask the reviewer for a reply to this packet, with the id of this review",
        }
    }
}

impl From<Incomplete> for Error {
    fn from(incomplete: Incomplete) -> Self {
        let message = match incomplete.reason {
            Reason::Empty => "the reply is empty",
            Reason::TooLarge => "the reply has more than 262144 bytes",
            Reason::SeveralBlocks => "the reply holds several fenced blocks",
            Reason::Truncated => "the reply is cut off",
            Reason::NotJson => "the reply is not JSON",
            Reason::WrongType => "the reply has wrong fields",
            Reason::ExtraDimension => "the reply answers a dimension that there is not",
            Reason::DuplicateDimension => "the reply answers a dimension more than once",
            Reason::MissingDimension => "the reply leaves out a dimension",
            Reason::RidMismatch => "the reply belongs to another review",
        };
        let error = Self::new(
            "IncompleteFinalReview",
            format!("{message} ({})", incomplete.reason),
        );
        incomplete
            .details()
            .into_iter()
            .fold(error, Self::because)
            .hint(incomplete.ask())
    }
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", sanitise(&text[..end])),
        None => sanitise(text),
    }
}

/// Reads the reply to the review `rid`. The dimensions come back in their order.
pub fn parse(raw: &[u8], rid: &str) -> Result<FinalReviewOutput, Incomplete> {
    let reply = read(raw)?;
    if reply.rid == rid {
        Ok(reply)
    } else {
        Err(Incomplete {
            got: Some(reply.rid),
            ..Incomplete::new(Reason::RidMismatch)
        })
    }
}

fn read(raw: &[u8]) -> Result<FinalReviewOutput, Incomplete> {
    let text = std::str::from_utf8(raw);
    if text.is_ok_and(is_blank) {
        return Err(Incomplete::new(Reason::Empty));
    }
    if raw.len() > MAX_BYTES {
        return Err(Incomplete::new(Reason::TooLarge));
    }
    let Ok(text) = text else {
        return Err(Incomplete::new(Reason::NotJson));
    };
    let document = document::find(text).map_err(Incomplete::new)?;
    let mut faults: Vec<Fault> = document.repeated().iter().map(twice).collect();
    let top = fields::top(&document, &mut faults);
    let (Some(top), true) = (top, faults.is_empty()) else {
        return Err(Incomplete::faulty(faults));
    };
    four(top.dimensions)?;
    let mut entries = Vec::new();
    for (at, entry) in top.dimensions.iter().enumerate() {
        entries.extend(fields::dimension(
            entry,
            &format!("/dimensions/{at}"),
            &mut faults,
        ));
    }
    if !faults.is_empty() {
        return Err(Incomplete::faulty(faults));
    }
    entries.sort_by_key(|entry| entry.dimension);
    Ok(FinalReviewOutput {
        rid: top.rid,
        generated_at: top.generated_at,
        dimensions: entries,
        overall_summary: top.overall_summary,
        all_pass: top.all_pass,
        needs_attention: top.needs_attention,
    })
}

/// Whether exactly the four dimensions are answered, once each.
fn four(entries: &[Node]) -> Result<(), Incomplete> {
    let names: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry.get("dimension")?.text())
        .collect();
    let mut extra: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut twice = BTreeSet::new();
    let mut listed = BTreeSet::new();
    for name in names {
        match name.parse::<Dimension>() {
            Ok(dimension) => {
                if !seen.insert(dimension) {
                    twice.insert(dimension);
                }
            }
            Err(_) if listed.insert(name) => extra.push(name.to_owned()),
            Err(_) => {}
        }
    }
    let words = |dimensions: Vec<Dimension>| dimensions.iter().map(ToString::to_string).collect();
    if !extra.is_empty() {
        return Err(Incomplete::named(Reason::ExtraDimension, extra));
    }
    if !twice.is_empty() {
        let names = words(twice.into_iter().collect());
        return Err(Incomplete::named(Reason::DuplicateDimension, names));
    }
    let missing: Vec<Dimension> = Dimension::ALL
        .iter()
        .copied()
        .filter(|dimension| !seen.contains(dimension))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Incomplete::named(Reason::MissingDimension, words(missing)))
    }
}

/// Two values for one key: which of them counts is anyone's guess.
fn twice(place: &Place<'_>) -> Fault {
    Fault {
        at: place.pointer(),
        what: "stands there twice".to_owned(),
    }
}
