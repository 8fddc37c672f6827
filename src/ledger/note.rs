//! A whole note: its events, and everything in it that is not one.

use std::collections::HashSet;

use super::codec::{self, Corrupt, Line, MAX_LINE, Reason};
use super::union::lines_of;
use crate::model::canonical;
use crate::model::event::{Body, Event};
use crate::model::ids::{Digest, EventId};
use crate::model::text::sanitise_bytes;

/// The largest note, in bytes.
pub const MAX_NOTE: usize = 8 * 1024 * 1024;

/// The most lines of a note.
pub const MAX_LINES: usize = 10_000;

/// What a note holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Note {
    /// The events, in the order of the lines; a repeated line is one event.
    pub events: Vec<Event>,
    /// Lines that are no event and that nothing sets aside: the note is not read whole.
    pub corrupt: Vec<CorruptLine>,
    /// Corrupt lines that a `line.discarded` of this note names.
    pub discarded: Vec<CorruptLine>,
    /// Lines of a later version: the note is not understood whole.
    pub newer: Vec<NewerLine>,
    /// Numbers of lines that stand before a smaller one, or a second time. Harmless.
    pub unsorted: Vec<usize>,
}

impl Note {
    /// Whether every line is an event, or a corrupt line that is set aside.
    pub fn is_whole(&self) -> bool {
        self.corrupt.is_empty() && self.newer.is_empty()
    }
}

/// A line that is not an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorruptLine {
    /// Its number, counted from 1.
    pub number: usize,
    /// Why.
    pub corrupt: Corrupt,
    /// The SHA-256 of its bytes, by which it can be discarded.
    pub digest: Digest,
    /// Its beginning, safe to show.
    pub shown: String,
}

/// A line that a later version has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewerLine {
    /// Its number, counted from 1.
    pub number: usize,
    /// The event.
    pub id: EventId,
    /// Its version.
    pub v: u64,
}

/// Why a note is not looked into at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OverLimit {
    /// The whole of it.
    #[error("the note has {0} bytes, at most {MAX_NOTE} are read")]
    Bytes(usize),
    /// The number of its lines.
    #[error("the note has {0} lines, at most {MAX_LINES} are read")]
    Lines(usize),
    /// One line.
    #[error("line {number} of the note has {bytes} bytes, at most {MAX_LINE} are read")]
    Line {
        /// Its number, counted from 1.
        number: usize,
        /// Its length.
        bytes: usize,
    },
}

/// Checks the limits of a note that is read, or is about to be written.
pub fn check_limits(text: &[u8]) -> Result<(), OverLimit> {
    if text.len() > MAX_NOTE {
        return Err(OverLimit::Bytes(text.len()));
    }
    let mut count = 0;
    for (line, number) in lines_of(text).zip(1..) {
        if line.len() > MAX_LINE {
            return Err(OverLimit::Line {
                number,
                bytes: line.len(),
            });
        }
        count = number;
    }
    if count > MAX_LINES {
        Err(OverLimit::Lines(count))
    } else {
        Ok(())
    }
}

/// Reads a note. Each line is judged on its own; only then do the `line.discarded` events of the note take effect.
pub fn read(text: &[u8]) -> Result<Note, OverLimit> {
    check_limits(text)?;
    let mut note = Note::default();
    let mut last: Option<&[u8]> = None;
    let mut seen = HashSet::new();
    for (line, number) in lines_of(text).zip(1..) {
        if last.is_some_and(|last| last >= line) {
            note.unsorted.push(number);
        }
        last = Some(line);
        match codec::decode(line) {
            Ok(Line::Event(event)) => {
                if seen.insert(event.id) {
                    note.events.push(event);
                }
            }
            Ok(Line::Newer { id, v }) => note.newer.push(NewerLine { number, id, v }),
            Err(corrupt) => note.corrupt.push(corrupt_line(number, line, corrupt)),
        }
    }
    set_aside(&mut note);
    if !text.ends_with(b"\n") {
        let (number, line) = lines_of(text)
            .zip(1..)
            .last()
            .map_or((1, &b""[..]), |(line, number)| (number, line));
        // A line that is not even an event is listed already, or set aside.
        if !note
            .corrupt
            .iter()
            .chain(&note.discarded)
            .any(|listed| listed.number == number)
        {
            let detail = "the last line of the note is not ended by a line feed".to_owned();
            note.corrupt.push(corrupt_line(
                number,
                line,
                Corrupt {
                    reason: Reason::Unterminated,
                    detail,
                },
            ));
        }
    }
    Ok(note)
}

/// Moves the corrupt lines that an event of the note names. Lines that are events are not among them.
fn set_aside(note: &mut Note) {
    let named = note.events.iter().filter_map(|event| match &event.body {
        Body::LineDiscarded(discarded) => Some(discarded.line),
        _ => None,
    });
    let named: HashSet<Digest> = named.collect();
    let (discarded, corrupt) = std::mem::take(&mut note.corrupt)
        .into_iter()
        .partition(|line: &CorruptLine| named.contains(&line.digest));
    note.discarded = discarded;
    note.corrupt = corrupt;
}

fn corrupt_line(number: usize, line: &[u8], corrupt: Corrupt) -> CorruptLine {
    /// Enough to recognise a line, without flooding a terminal with ten thousand of them.
    const SHOWN: usize = 80;
    let cut = &line[..line.len().min(SHOWN)];
    let mut shown = sanitise_bytes(cut);
    if cut.len() < line.len() {
        shown.push('…');
    }
    CorruptLine {
        number,
        corrupt,
        digest: canonical::digest_of(&[line]),
        shown,
    }
}
