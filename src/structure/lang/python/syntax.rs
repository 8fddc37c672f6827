//! The tokens of Python: lines, comments, strings with all their prefixes, line continuations.

use crate::structure::lexer::{Class, Classes, Fault, Found, Kind, Syntax, base_classes, word_end};

use super::string;

/// The lexical table of Python.
pub(super) enum PythonSyntax {}

impl Syntax for PythonSyntax {
    const CLASSES: Classes = {
        let mut classes = base_classes();
        let special = b"\"'#\\.bBfFrRtTuU";
        let mut at = 0;
        while at < special.len() {
            classes[special[at] as usize] = Class::Special;
            at += 1;
        }
        // A carriage return alone ends a line as well.
        classes[b'\n' as usize] = Class::Line;
        classes[b'\r' as usize] = Class::Line;
        classes
    };

    fn special(source: &[u8], at: usize) -> Result<Found, Fault> {
        match source[at] {
            b'"' | b'\'' => Ok(Found::Token(Kind::Text, string::end(source, at, at)?)),
            b'#' => Ok(Found::Comment(line_end(source, at))),
            b'\\' => Ok(match source.get(at + 1) {
                Some(b'\r') if source.get(at + 2) == Some(&b'\n') => Found::Comment(at + 3),
                Some(b'\n' | b'\r') => Found::Comment(at + 2),
                _ => Found::Token(Kind::Punct, at + 1),
            }),
            b'.' => {
                let ellipsis = source.get(at + 1..at + 3) == Some(b"..");
                Ok(Found::Token(Kind::Punct, at + if ellipsis { 3 } else { 1 }))
            }
            _ => word(source, at),
        }
    }
}

/// Where a line ends: at its line feed or carriage return, which is left out.
pub(super) fn line_end(source: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &source[at..]).map_or(source.len(), |found| at + found)
}

/// A word that begins like the prefix of a string.
fn word(source: &[u8], at: usize) -> Result<Found, Fault> {
    let is_quote = |at: usize| matches!(source.get(at), Some(b'"' | b'\''));
    // Most such words are told from a prefix by what stands two bytes further.
    let may_be = is_quote(at + 1) || is_quote(at + 2);
    let quote = at
        + if may_be {
            string::prefix_length(&source[at..])
        } else {
            0
        };
    if quote > at {
        return Ok(Found::Token(Kind::Text, string::end(source, at, quote)?));
    }
    Ok(Found::Token(Kind::Word, word_end::<PythonSyntax>(source, at + 1)))
}
