//! The tokens of Go: raw strings, runes, comments that do not nest.

use crate::structure::lexer::literal::line_end;
use crate::structure::lexer::{Class, Classes, Fault, Found, Kind, Syntax, base_classes};

/// The lexical table of Go.
pub(super) enum GoSyntax {}

impl Syntax for GoSyntax {
    const CLASSES: Classes = {
        let mut classes = base_classes();
        let special = b"\"`'/";
        let mut at = 0;
        while at < special.len() {
            classes[special[at] as usize] = Class::Special;
            at += 1;
        }
        classes
    };

    fn number(source: &[u8], at: usize) -> usize {
        number_end(source, at)
    }

    fn special(source: &[u8], at: usize) -> Result<Found, Fault> {
        match source[at] {
            b'"' => Ok(Found::Token(
                Kind::Text,
                on_one_line(source, at).ok_or(Fault::unterminated(at, "a string that does not end"))?,
            )),
            b'\'' => Ok(Found::Token(
                Kind::Char,
                on_one_line(source, at).ok_or(Fault::unterminated(at, "a rune that does not end"))?,
            )),
            b'`' => memchr::memchr(b'`', &source[at + 1..])
                .map(|found| Found::Token(Kind::Text, at + found + 2))
                .ok_or(Fault::unterminated(at, "a raw string that does not end")),
            _ => match source.get(at + 1) {
                Some(b'/') => Ok(Found::Comment(line_end(source, at))),
                Some(b'*') => memchr::memmem::find(&source[at + 2..], b"*/")
                    .map(|found| Found::Comment(at + found + 4))
                    .ok_or(Fault::unterminated(at, "a comment that does not end")),
                _ => Ok(Found::Token(Kind::Punct, at + 1)),
            },
        }
    }
}

/// Where a number ends: digits and letters, one point wherever it stands, a signed exponent.
fn number_end(source: &[u8], at: usize) -> usize {
    let hexadecimal = source[at] == b'0' && matches!(source.get(at + 1), Some(b'x' | b'X'));
    let mut next = at + 1;
    let mut point = false;
    while let Some(byte) = source.get(next) {
        let exponent = match source[next - 1] {
            b'e' | b'E' => !hexadecimal,
            b'p' | b'P' => hexadecimal,
            _ => false,
        };
        match byte {
            b'.' if !point => point = true,
            b'+' | b'-' if exponent => {}
            byte if byte.is_ascii_alphanumeric() || *byte == b'_' => {}
            _ => break,
        }
        next += 1;
    }
    next
}

/// Where a literal in quotes ends that may hold escapes and no line feed.
fn on_one_line(source: &[u8], at: usize) -> Option<usize> {
    let quote = source[at];
    let mut next = at + 1;
    loop {
        let place = next + memchr::memchr3(quote, b'\\', b'\n', source.get(next..)?)?;
        match source[place] {
            b'\n' => return None,
            b'\\' => {
                if source.get(place + 1) == Some(&b'\n') {
                    return None;
                }
                next = place + 2;
            }
            _ => return Some(place + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::lexer::lex;

    fn shown(source: &str) -> Result<Vec<String>, &'static str> {
        let lexed = lex::<GoSyntax>(source.as_bytes()).map_err(|fault| fault.what)?;
        let text = |token: &crate::structure::lexer::Token| {
            source[token.start as usize..token.end as usize].to_owned()
        };
        Ok(lexed.tokens.iter().map(text).collect())
    }

    #[test]
    fn tokens_of_go() {
        for (source, tokens) in [
            ("a := '{' // }", "a|:|=|'{'"),
            (
                "'\\'' '\\\\' '\"' '\\u1234' 'é'",
                "'\\''|'\\\\'|'\"'|'\\u1234'|'é'",
            ),
            ("`}\n\"` + \"`\\\"\"", "`}\n\"`|+|\"`\\\"\""),
            ("/* { /* */ x / y", "x|/|y"),
            (
                "0x1F 1_000 1e-3 2.5i 1. 0x1p-2 0xE-1 π",
                "0x1F|1_000|1e-3|2.5i|1.|0x1p-2|0xE|-|1|π",
            ),
        ] {
            assert_eq!(
                shown(source).map(|found| found.join("|")).as_deref(),
                Ok(tokens),
                "{source}"
            );
        }
        for wrong in ["\"a\nb\"", "'", "`", "/* ", "\"\\", "\"\\\n\"", "(]"] {
            assert!(shown(wrong).is_err(), "{wrong}");
        }
    }
}
