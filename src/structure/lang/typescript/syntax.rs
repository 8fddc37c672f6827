//! What may stand before what: where a word, a slash or an angle bracket means something else.

use crate::structure::lexer::{Class, Classes, Kind, Token, base_classes};

/// The class of each byte outside of JSX.
pub(super) const CLASSES: Classes = {
    let mut classes = base_classes();
    classes[b'$' as usize] = Class::Word;
    classes[b'\\' as usize] = Class::Word;
    classes[b'"' as usize] = Class::Special;
    classes[b'\'' as usize] = Class::Special;
    classes[b'`' as usize] = Class::Special;
    classes[b'/' as usize] = Class::Special;
    classes[b'<' as usize] = Class::Special;
    classes[b'#' as usize] = Class::Special;
    // The first bytes of white space outside of ASCII.
    classes[0xC2] = Class::Special;
    classes[0xE2] = Class::Special;
    classes[0xE3] = Class::Special;
    classes[0xEF] = Class::Special;
    classes
};

/// Which bytes continue a word.
pub(super) const WORDS: [bool; 256] = {
    let mut words = crate::structure::lexer::base_words();
    words[b'$' as usize] = true;
    words[b'\\' as usize] = true;
    words
};

/// Words that an operand follows.
const OPERATORS: [&[u8]; 16] = [
    b"return",
    b"typeof",
    b"instanceof",
    b"in",
    b"of",
    b"new",
    b"delete",
    b"void",
    b"throw",
    b"case",
    b"do",
    b"else",
    b"yield",
    b"await",
    b"default",
    b"extends",
];

/// Words in front of a parenthesis that belongs to a statement.
const HEADS: [&[u8]; 4] = [b"if", b"while", b"for", b"with"];

/// Whether the word is one that an operand follows.
pub(super) fn is_operator_word(word: &[u8]) -> bool {
    OPERATORS.contains(&word)
}

/// Whether an operand ends with the last of some tokens, so that a slash behind it divides.
pub(super) fn ends_operand(source: &[u8], tokens: &[Token]) -> bool {
    let Some((last, before)) = tokens.split_last() else {
        return false;
    };
    let text = &source[last.start as usize..last.end as usize];
    match last.kind {
        Kind::Number | Kind::Char => true,
        // A piece of a template between two holes begins with the brace that ends the first.
        Kind::Text => text.first() != Some(&b'}'),
        Kind::Word => !is_operator_word(text) || after_dot(source, before),
        Kind::Close => match text.first() {
            // The end of a block is no operand, that of an object is one.
            Some(b'}') => is_object(source, tokens, last.mate as usize),
            Some(b')') => !is_head(source, tokens.get(..last.mate as usize).unwrap_or_default()),
            _ => true,
        },
        Kind::Punct => {
            let sign = text[0];
            let adjacent = before.last().filter(|other| other.end == last.start);
            match sign {
                b'+' | b'-' => adjacent.is_some_and(|other| source[other.start as usize] == sign),
                // `x!` asserts that x is there.
                b'!' => adjacent.is_some_and(|other| {
                    matches!(other.kind, Kind::Word | Kind::Close | Kind::Number)
                        && !(other.kind == Kind::Word
                            && is_operator_word(&source[other.start as usize..other.end as usize]))
                }),
                _ => false,
            }
        }
        _ => false,
    }
}

fn after_dot(source: &[u8], before: &[Token]) -> bool {
    before
        .last()
        .is_some_and(|last| last.kind == Kind::Punct && source[last.start as usize] == b'.')
}

/// Whether the parenthesis behind these tokens is the head of a statement.
fn is_head(source: &[u8], before: &[Token]) -> bool {
    before.split_last().is_some_and(|(word, rest)| {
        word.kind == Kind::Word
            && HEADS.contains(&&source[word.start as usize..word.end as usize])
            && !after_dot(source, rest)
    })
}

/// Whether the brace at `open` begins an object, or holds a part of a template, rather than a block.
fn is_object(source: &[u8], tokens: &[Token], open: usize) -> bool {
    if source[tokens[open].start as usize] == b'`' {
        return true;
    }
    let Some((last, before)) = tokens[..open].split_last() else {
        return false;
    };
    let text = &source[last.start as usize..last.end as usize];
    match last.kind {
        Kind::Word => matches!(
            text,
            b"return"
                | b"typeof"
                | b"in"
                | b"of"
                | b"new"
                | b"void"
                | b"throw"
                | b"case"
                | b"yield"
                | b"await"
        ),
        Kind::Open => text != b"{",
        Kind::Punct => match text[0] {
            b';' | b':' => false,
            // `=>` begins a block, `>` alone does not.
            b'>' => !before
                .last()
                .is_some_and(|other| other.end == last.start && source[other.start as usize] == b'='),
            _ => true,
        },
        _ => false,
    }
}

/// The length of white space outside of ASCII that begins the bytes; 0 if there is none.
pub(super) fn wide_space(bytes: &[u8]) -> usize {
    match bytes {
        [0xC2, 0xA0 | 0x85, ..] => 2,
        [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}
