//! Reads and validates `.review-gate.toml` into [`crate::model::policy`]; errors carry line and column.
//!
//! Everything is bounded, and nothing unknown is passed over: a key or word that this version does not know might be
//! the one that makes a gate strict.

mod check;
mod fault;
mod measure;
mod reader;
mod sections;

use toml::de::DeTable;

pub use self::fault::Fault;
use self::fault::FaultAt;
use self::reader::{At, Result, Table};
use crate::model::policy::levels::Levels;
use crate::model::policy::pattern::RefPattern;
use crate::model::policy::{Gate, Policy};

/// The largest policy file, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// What `init` writes: the built-in values, each with a word on what it does, and a strict gate as a comment.
pub const STARTER: &str = include_str!("../../templates/review-gate.toml");

/// The most gates of a policy.
const MAX_GATES: usize = 200;

/// Reads a policy file. The first fault ends it, with its place and the nearest known key.
pub fn parse(bytes: &[u8]) -> std::result::Result<Policy, Fault> {
    let nowhere = |message: String| Fault {
        line: 1,
        column: 1,
        message,
        nearest: None,
    };
    if bytes.len() > MAX_BYTES {
        return Err(nowhere(format!(
            "the file has {} bytes, more than {MAX_BYTES}",
            bytes.len()
        )));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            return Err(FaultAt::new(valid.len(), "not UTF-8 from here on").locate(&valid));
        }
    };
    let document = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        FaultAt::new(offset, fault::shown(error.message())).locate(text)
    })?;
    read(document.get_ref()).map_err(|fault| fault.locate(text))
}

fn read<'a>(document: &'a DeTable<'a>) -> Result<Policy> {
    let file = Table::new(
        document,
        0,
        "the file",
        &[
            "version",
            "base",
            "gate",
            "baseline",
            "evidence",
            "reviewer",
            "origins",
            "rule",
            "authorize",
            "waive",
            "spec",
            "quality",
            "sync",
        ],
    )?;
    if file.number("version", 0..=u32::MAX, 1)? != 1 {
        return Err(FaultAt::new(
            file.offset_of("version"),
            "this version of git review-gate knows only `version = 1`; a newer one is needed to read the file",
        ));
    }
    Ok(Policy {
        base: file
            .text("base")?
            .map(|text| check::branch(text, "base"))
            .transpose()?,
        gates: file
            .tables("gate", MAX_GATES)?
            .into_iter()
            .map(gate)
            .collect::<Result<_>>()?,
        baseline: measure::baseline(file.table("baseline")?)?,
        evidence: measure::evidence(file.table("evidence")?)?,
        reviewer: sections::reviewer(file.table("reviewer")?)?,
        origins: sections::origins(file.table("origins")?)?,
        rule: sections::speakers(file.table("rule")?, "[rule]")?,
        authorize: sections::speakers(file.table("authorize")?, "[authorize]")?,
        waive: sections::waive(file.table("waive")?)?,
        spec: sections::spec(file.table("spec")?)?,
        quality: sections::quality(file.table("quality")?)?,
        sync: sections::sync(file.table("sync")?)?,
    })
}

fn gate<'a>(At { offset, value }: At<&'a DeTable<'a>>) -> Result<Gate> {
    let table = Table::new(
        value,
        offset,
        "[[gate]]",
        &[
            "refs",
            "findings",
            "severities",
            "review",
            "baseline",
            "specs",
            "quality",
            "deletions",
        ],
    )?;
    let texts = table.required("refs", table.texts("refs")?)?;
    if texts.is_empty() {
        // It would match nothing and look like protection.
        return Err(FaultAt::new(
            table.offset_of("refs"),
            "`refs` names at least one pattern",
        ));
    }
    let refs = texts
        .into_iter()
        .map(|text| {
            RefPattern::new(&text.value).map_err(|error| FaultAt::new(text.offset, error.to_string()))
        })
        .collect::<Result<_>>()?;
    let left_out = Levels::built_in();
    Ok(Gate {
        refs,
        levels: Levels {
            findings: table.word("findings", left_out.findings)?,
            severities: table
                .words("severities")?
                .map_or(left_out.severities, |words| words.into_iter().collect()),
            review: table.word("review", left_out.review)?,
            baseline: table.word("baseline", left_out.baseline)?,
            specs: table.word("specs", left_out.specs)?,
            quality: table.word("quality", left_out.quality)?,
            deletions: table.word("deletions", left_out.deletions)?,
        },
    })
}

#[cfg(test)]
mod tests;
