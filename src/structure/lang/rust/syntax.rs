//! The tokens of Rust: raw, byte and C strings, characters against lifetimes, nested and doc comments.

use crate::structure::lexer::literal::{hashed, line_end, nested_comment, quoted};
use crate::structure::lexer::{Class, Classes, Fault, Found, Kind, Syntax, base_classes, word_end};

/// The lexical table of Rust.
pub(super) enum RustSyntax {}

impl Syntax for RustSyntax {
    const CLASSES: Classes = {
        let mut classes = base_classes();
        let special = b"\"'/#rbc";
        let mut at = 0;
        while at < special.len() {
            classes[special[at] as usize] = Class::Special;
            at += 1;
        }
        classes
    };

    fn special(source: &[u8], at: usize) -> Result<Found, Fault> {
        let next = source.get(at + 1).copied();
        match source[at] {
            b'"' => Ok(Found::Token(Kind::Text, quoted(source, at)?)),
            b'\'' => quote(source, at),
            b'/' => match next {
                Some(b'/') => Ok(line_comment(source, at)),
                Some(b'*') => block_comment(source, at),
                _ => Ok(Found::Token(Kind::Punct, at + 1)),
            },
            b'#' => Ok(match next {
                // A shebang, unless it is an inner attribute.
                Some(b'!') if at == 0 && !is_attribute(&source[2..]) => Found::Comment(line_end(source, at)),
                _ => Found::Token(Kind::Punct, at + 1),
            }),
            _ => word(source, at),
        }
    }
}

/// Whether `[` is the next thing that is no white space.
fn is_attribute(source: &[u8]) -> bool {
    source.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

/// A word that begins like the prefix of a literal.
fn word(source: &[u8], at: usize) -> Result<Found, Fault> {
    let end = word_end::<RustSyntax>(source, at + 1);
    if end - at > 2 {
        return Ok(Found::Token(Kind::Word, end));
    }
    match (&source[at..end], source.get(end)) {
        (b"b" | b"c", Some(b'"')) => Ok(Found::Token(Kind::Text, quoted(source, end)?)),
        (b"b", Some(b'\'')) => match character_end(source, end) {
            Some(end) => Ok(Found::Token(Kind::Char, end)),
            None => Err(Fault::unterminated(at, "a byte literal that does not end")),
        },
        (b"r" | b"br" | b"cr", Some(b'"' | b'#')) => match hashed(source, end) {
            Some(end) => Ok(Found::Token(Kind::Text, end?)),
            // A raw identifier.
            None if end - at == 1
                && source
                    .get(end + 1)
                    .is_some_and(|byte| RustSyntax::WORDS[usize::from(*byte)]) =>
            {
                Ok(Found::Token(Kind::Word, word_end::<RustSyntax>(source, end + 1)))
            }
            None => Ok(Found::Token(Kind::Word, end)),
        },
        _ => Ok(Found::Token(Kind::Word, end)),
    }
}

/// A character, a lifetime or a label.
fn quote(source: &[u8], at: usize) -> Result<Found, Fault> {
    if let Some(end) = character_end(source, at) {
        return Ok(Found::Token(Kind::Char, end));
    }
    let end = word_end::<RustSyntax>(source, at + 1);
    match source.get(end) {
        _ if end == at + 1 => Err(Fault::unterminated(at, "a character literal that does not end")),
        Some(b'#') if &source[at + 1..end] == b"r" => Ok(Found::Token(
            Kind::Lifetime,
            word_end::<RustSyntax>(source, end + 1),
        )),
        _ => Ok(Found::Token(Kind::Lifetime, end)),
    }
}

/// Where the character literal that begins with the quote at `at` ends, if it is one.
fn character_end(source: &[u8], at: usize) -> Option<usize> {
    let first = *source.get(at + 1)?;
    if first == b'\\' {
        // Escapes are short and hold no quote, but the escaped byte may be one.
        let rest = source.get(at + 3..)?;
        let close = rest.iter().take(16).position(|byte| *byte == b'\'')?;
        return Some(at + 3 + close + 1);
    }
    let width = match first {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    };
    (first != b'\'' && source.get(at + 1 + width) == Some(&b'\'')).then_some(at + 2 + width)
}

fn line_comment(source: &[u8], at: usize) -> Found {
    let end = line_end(source, at);
    match source.get(at + 2) {
        Some(b'!') => Found::InnerDoc(end),
        Some(b'/') if source.get(at + 3) != Some(&b'/') => Found::OuterDoc(end),
        _ => Found::Comment(end),
    }
}

fn block_comment(source: &[u8], at: usize) -> Result<Found, Fault> {
    let end = nested_comment(source, at)?;
    Ok(match source.get(at + 2) {
        Some(b'!') => Found::InnerDoc(end),
        // `/**/` and `/***` are plain comments.
        Some(b'*') if end > at + 4 && source.get(at + 3) != Some(&b'*') => Found::OuterDoc(end),
        _ => Found::Comment(end),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::lexer::lex;

    fn shown(source: &str) -> Result<Vec<String>, &'static str> {
        let lexed = lex::<RustSyntax>(source.as_bytes()).map_err(|fault| fault.what)?;
        Ok(lexed
            .tokens
            .iter()
            .map(|token| source[token.start as usize..token.end as usize].to_owned())
            .collect())
    }

    #[test]
    fn tokens_of_rust() {
        for (source, tokens) in [
            ("#!/bin/x { \nfn a", "fn|a"),
            ("#![x]", "#|!|[|x|]"),
            ("r#type r#\"a\"#", "r#type|r#\"a\"#"),
            ("br##\"}\"# \"##b'\"'", "br##\"}\"# \"##|b'\"'"),
            (
                "<'a,'b>('a','\\'','\\u{7f}','é')",
                "<|'a|,|'b|>|(|'a'|,|'\\''|,|'\\u{7f}'|,|'é'|)",
            ),
            ("'outer: loop{} 'r#if", "'outer|:|loop|{|}|'r#if"),
            ("/* { /* */ } */ \"\\\" } //\" // }", "\"\\\" } //\""),
            ("bc r c\"x\" crate cr\"\" rb", "bc|r|c\"x\"|crate|cr\"\"|rb"),
        ] {
            assert_eq!(
                shown(source).map(|found| found.join("|")).as_deref(),
                Ok(tokens),
                "{source}"
            );
        }
        for wrong in ["(]", "(", ")", "\"", "/* /* */", "r#\"\"", "'", "b'", "\"\\"] {
            assert!(shown(wrong).is_err(), "{wrong}");
        }
        let deep = format!("{}{}", "(".repeat(4097), ")".repeat(4097));
        assert_eq!(shown(&deep), Err("delimiters nested deeper than 4096"));
        let docs = lex::<RustSyntax>(b"//! a\n/// b\n//// c\n/** d */ /**/ /*** e */ /*! f */ fn")
            .unwrap()
            .docs;
        assert_eq!(
            docs.iter().map(|doc| doc.inner).collect::<Vec<_>>(),
            [true, false, false, true]
        );
    }
}
