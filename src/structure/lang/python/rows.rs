//! The logical lines of a file: how deep each is indented, and where the block below it ends.

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::{Fault, Kind, MAX_DEPTH, Token, small};

/// One logical line: a statement, several with semicolons between, or the head of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// Its first token.
    pub(super) first: u32,
    /// The token that ends the line, or the number of tokens.
    pub(super) end: u32,
    /// How many blocks it stands in.
    pub(super) level: u32,
    /// The first row behind it that does not stand in its block.
    pub(super) after: u32,
}

impl Row {
    /// Its tokens.
    pub(super) fn tokens(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// Finds the logical lines; an indentation that means nothing is a fault, as for Python itself.
pub(super) fn find(source: &[u8], tokens: &[Token]) -> Result<Vec<Row>, Fault> {
    let mut rows: Vec<Row> = Vec::with_capacity(tokens.len() / 8 + 1);
    let mut columns: Vec<usize> = Vec::new();
    // Rows whose blocks are open.
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].kind == Kind::Line {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < tokens.len() && tokens[end].kind != Kind::Line {
            end += 1;
        }
        let start = tokens[at].start as usize;
        let column = column(source, start);
        let opens = rows
            .last()
            .is_some_and(|row: &Row| is_colon(source, tokens, row.end));
        let top = columns.last().copied();
        if top.is_none_or(|top| column > top) {
            if !rows.is_empty() && !opens {
                return Err(fault(start, "an indentation that no statement asks for"));
            }
            columns.push(column);
        } else if opens {
            return Err(fault(start, "a block without content"));
        } else {
            while columns.last().is_some_and(|top| *top > column) {
                columns.pop();
            }
            if columns.last() != Some(&column) {
                return Err(fault(
                    start,
                    "an indentation that matches none of those around it",
                ));
            }
        }
        let level = columns.len() - 1;
        if level >= MAX_DEPTH {
            let what = "blocks nested deeper than 4096";
            return Err(Fault {
                reason: UnmeasuredReason::TooDeep,
                at: start,
                what,
            });
        }
        let number = rows.len();
        while let Some(row) = open
            .last()
            .copied()
            .filter(|row| rows[*row].level as usize >= level)
        {
            rows[row].after = small(number);
            open.pop();
        }
        open.push(number);
        rows.push(Row {
            first: small(at),
            end: small(end),
            level: small(level),
            after: 0,
        });
        at = end + 1;
    }
    if let Some(row) = rows.last().filter(|row| is_colon(source, tokens, row.end)) {
        let start = tokens[row.first as usize].start as usize;
        return Err(fault(start, "a block without content"));
    }
    let count = small(rows.len());
    for row in open {
        rows[row].after = count;
    }
    Ok(rows)
}

fn fault(at: usize, what: &'static str) -> Fault {
    Fault {
        reason: UnmeasuredReason::Unbalanced,
        at,
        what,
    }
}

/// Whether the token in front of `end` is a colon, which opens a block below its line.
fn is_colon(source: &[u8], tokens: &[Token], end: u32) -> bool {
    tokens
        .get((end as usize).wrapping_sub(1))
        .is_some_and(|token| token.kind == Kind::Punct && source[token.start as usize] == b':')
}

/// The column of a token that begins a line, tabs to the next multiple of eight.
fn column(source: &[u8], start: usize) -> usize {
    let mut begin = line_start(source, start);
    // Where only a backslash stands on the line above, the indentation is that of the first such line.
    while let Some(above) = continued(source, begin) {
        begin = above;
    }
    let mut column = 0;
    for byte in &source[begin..start] {
        match byte {
            b' ' => column += 1,
            b'\t' => column = column / 8 * 8 + 8,
            b'\x0c' => column = 0,
            _ => break,
        }
    }
    column
}

fn line_start(source: &[u8], at: usize) -> usize {
    memchr::memrchr2(b'\n', b'\r', &source[..at]).map_or(0, |found| found + 1)
}

/// The start of the line above `begin`, when that holds a backslash and nothing else.
fn continued(source: &[u8], begin: usize) -> Option<usize> {
    let above = source[..begin]
        .strip_suffix(b"\n")
        .map(|above| above.strip_suffix(b"\r").unwrap_or(above))?;
    let blank = above.strip_suffix(b"\\")?;
    let start = line_start(source, blank.len());
    blank[start..]
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\x0c'))
        .then_some(start)
}
