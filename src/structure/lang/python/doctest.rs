//! Doc examples: the `>>>` lines of a docstring, each paragraph a test of its own.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::lexer::lines::folded;
use crate::structure::outline::{Assertion, Body, Mark, Role, TestBody, Unit, Visibility};

use super::items::Walk;
use super::string::Literal;

const PROMPT: &[u8] = b">>>";

impl Walk<'_, '_> {
    /// The examples in the docstring of the module.
    pub(super) fn module_doctests(&mut self) {
        if self.doctests && !self.view.rows.is_empty() {
            self.doctests_of(0, None);
        }
    }

    /// The examples in the docstring of a definition.
    pub(super) fn doctests_below(&mut self, number: usize, unit: usize) {
        if self.doctests && !self.block_below(number).is_empty() {
            self.doctests_of(number + 1, Some(unit));
        }
    }

    fn doctests_of(&mut self, row: usize, unit: Option<usize>) {
        let view = self.view;
        let row = view.rows[row];
        let token = row.first as usize;
        let alone = row.end == row.first + 1 && view.kind(token) == Some(Kind::Text);
        if !alone || !Literal::of(view.text(token)).is_constant() {
            return;
        }
        let mut chain = Vec::new();
        if let Some(of) = unit {
            let of = &self.out.units[of];
            chain.clone_from(&of.chain);
            chain.push(of.segment.clone());
        }
        let literal = Literal::of(view.text(token));
        let start = view.start(token) + literal.start;
        let end = start + literal.content.len();
        for (number, bytes) in paragraphs(view.source, start..end).into_iter().enumerate() {
            let text = &view.source[bytes.clone()];
            let mut unit = self.unit("doctest", (number + 1).to_string(), token..token + 1);
            unit.chain.clone_from(&chain);
            unit.role = Role::Test;
            unit.visibility = Visibility::Narrow;
            unit.lines = (
                view.lines().line(bytes.start),
                view.lines().line(bytes.end.saturating_sub(1)),
            );
            unit.text = folded(text.split(|byte| *byte == b'\n').next().unwrap_or_default());
            unit.body = Some(body(text, &bytes));
            if memchr::memmem::find(text, b"+SKIP").is_some() {
                unit.marks.disabled.push(Mark {
                    line: unit.lines.0,
                    text: "+SKIP".to_owned(),
                    specific: false,
                    inherited_from: None,
                });
            }
            unit.bytes = bytes;
            self.out.units.push(unit);
        }
    }
}

/// The lines from a prompt to the next blank line or the end of the docstring, again and again.
fn paragraphs(source: &[u8], docstring: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut at = docstring.start;
    while at < docstring.end {
        let end = memchr::memchr(b'\n', &source[at..docstring.end]).map_or(docstring.end, |found| at + found);
        let line = source[at..end].trim_ascii();
        let ends = line.is_empty();
        match &mut open {
            Some(range) if !ends => range.end = end,
            Some(_) => found.extend(open.take()),
            None if line.starts_with(PROMPT) => open = Some(at..end),
            None => {}
        }
        at = end + 1;
    }
    found.extend(open);
    found
}

/// The body of an example: its lines without what surrounds them.
fn body(text: &[u8], bytes: &Range<usize>) -> Body {
    let mut sequence = Sequence::default();
    let mut words = 0_u32;
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        sequence.push(hash::token(line));
        let count = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .count();
        words = words.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    }
    Body {
        bytes: bytes.clone(),
        hash: sequence.finish(),
        hash_without_name: sequence.finish(),
        tokens: words,
    }
}

/// What an example checks: each statement whose output is given.
pub(super) fn read(source: &[u8], unit: &Unit) -> TestBody {
    let text = unit.body.as_ref().and_then(|body| source.get(body.bytes.clone()));
    let mut found = TestBody::default();
    let mut line = unit.lines.0;
    let mut statement: &[u8] = &[];
    let mut open: Option<(Sequence, u32)> = None;
    let mut state = |open: &mut Option<(Sequence, u32)>, statement: &[u8]| {
        let Some((sequence, line)) = open.take() else {
            return;
        };
        let statement_hash = hash::token(statement);
        found.assertions.push(Assertion {
            line,
            text: folded(statement),
            hash: hash::join(&[statement_hash, sequence.finish()]),
            hash_without_expected: statement_hash,
            vacuous: false,
            subject: Some(statement_hash),
            rank: 3,
            expects_error: None,
            swallowed: false,
            tolerances: crate::structure::outline::Tolerances::default(),
        });
    };
    for row in text.unwrap_or_default().split(|byte| *byte == b'\n') {
        let row = row.trim_ascii();
        if row.starts_with(PROMPT) || row.starts_with(b"...") {
            state(&mut open, statement);
            statement = row;
        } else {
            let (sequence, _) = open.get_or_insert((Sequence::default(), line));
            sequence.push(hash::token(row));
        }
        line = line.saturating_add(1);
    }
    state(&mut open, statement);
    found
}
