//! The lexer core that all languages share: bytes → tokens with matched delimiters, driven by a table per language.

pub mod hash;
pub mod lines;
pub mod literal;
pub mod tokens;

use crate::model::baseline::UnmeasuredReason;

/// Deepest nesting of delimiters that is followed.
pub const MAX_DEPTH: usize = 4096;

/// What a byte means where a token may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// White space.
    Space,
    /// Ends a line: a token of its own outside of delimiters, unless one stands right before; white space inside.
    ///
    /// For languages whose statements end with their line. No table has it unless its language asks for it.
    Line,
    /// Begins or continues a word.
    Word,
    /// Begins a number, continues a word.
    Digit,
    /// Opens a group.
    Open,
    /// Closes a group.
    Close,
    /// A token of its own.
    Punct,
    /// The language decides: quotes, comment signs, literal prefixes.
    Special,
}

/// A class for each byte.
pub type Classes = [Class; 256];

/// The classes most languages start from: ASCII letters, `_` and all bytes from 0x80 on are words.
pub const fn base_classes() -> Classes {
    let mut classes = [Class::Punct; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte {
            0..=0x20 | 0x7f => Class::Space,
            0x30..=0x39 => Class::Digit,
            0x41..=0x5a | 0x61..=0x7a | 0x5f | 0x80..=0xff => Class::Word,
            0x28 | 0x5b | 0x7b => Class::Open,
            0x29 | 0x5d | 0x7d => Class::Close,
            _ => Class::Punct,
        };
        byte += 1;
    }
    classes
}

/// The bytes that continue a word in most languages: ASCII letters and digits, `_` and all bytes from 0x80 on.
pub const fn base_words() -> [bool; 256] {
    let classes = base_classes();
    let mut words = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        words[byte] = matches!(classes[byte], Class::Word | Class::Digit);
        byte += 1;
    }
    words
}

/// What makes one language's tokens differ from another's.
pub trait Syntax {
    /// The class of each byte.
    const CLASSES: Classes;

    /// Which bytes continue a word.
    const WORDS: [bool; 256] = base_words();

    /// What begins at a byte of class [`Class::Special`].
    fn special(source: &[u8], at: usize) -> Result<Found, Fault>;

    /// Where the number that begins at `at` ends.
    fn number(source: &[u8], at: usize) -> usize {
        literal::number(source, at)
    }
}

/// What stands at a place where the language decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A token that ends before this offset.
    Token(Kind, usize),
    /// A comment that ends before this offset.
    Comment(usize),
    /// A doc comment that ends before this offset; it documents what follows.
    OuterDoc(usize),
    /// A doc comment that ends before this offset; it documents what it stands in.
    InnerDoc(usize),
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A number.
    Number,
    /// A string of any sort, with its quotes.
    Text,
    /// A character or byte literal.
    Char,
    /// A lifetime or loop label.
    Lifetime,
    /// One byte of punctuation.
    Punct,
    /// An opening delimiter.
    Open,
    /// A closing delimiter.
    Close,
    /// The end of a line, where the language asks for such tokens.
    Line,
}

/// One token. Offsets are 32 bits wide: longer files are not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// The index of the other delimiter of its group; its own index for everything else.
    pub mate: u32,
    /// What it is.
    pub kind: Kind,
}

/// A doc comment, kept beside the tokens: it is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doc {
    /// The index of the token that follows it.
    pub before: u32,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// Documents what it stands in.
    pub inner: bool,
}

/// The tokens of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexed {
    /// In source order; delimiters match.
    pub tokens: Vec<Token>,
    /// In source order.
    pub docs: Vec<Doc>,
}

/// Where and why bytes could not be split into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub reason: UnmeasuredReason,
    /// The offset of the trouble.
    pub at: usize,
    /// What stands there, for people.
    pub what: &'static str,
}

impl Fault {
    /// A literal or comment that begins at `at` and does not end.
    pub const fn unterminated(at: usize, what: &'static str) -> Self {
        Self {
            reason: UnmeasuredReason::Unterminated,
            at,
            what,
        }
    }

    const fn unbalanced(at: usize, what: &'static str) -> Self {
        Self {
            reason: UnmeasuredReason::Unbalanced,
            at,
            what,
        }
    }
}

/// An offset or index as it is kept in a token.
///
/// [`lex`] refuses sources whose offsets do not fit, so that this loses nothing.
#[expect(
    clippy::cast_possible_truncation,
    reason = "sources over 4 GiB are refused by `lex`"
)]
pub(crate) const fn small(offset: usize) -> u32 {
    offset as u32
}

/// Splits a source into tokens and matches its delimiters.
pub fn lex<S: Syntax>(source: &[u8]) -> Result<Lexed, Fault> {
    if u32::try_from(source.len()).is_err() {
        return Err(Fault {
            reason: UnmeasuredReason::TooLarge,
            at: 0,
            what: "more than 4 GiB",
        });
    }
    let mut lexed = Lexed {
        tokens: Vec::with_capacity(source.len() / 6 + 8),
        docs: Vec::new(),
    };
    let classes = const { &S::CLASSES };
    let mut open: Vec<u32> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let index = small(lexed.tokens.len());
        let (kind, end, mate) = match classes[usize::from(byte)] {
            Class::Space => {
                at += 1;
                continue;
            }
            Class::Line => {
                let after_line = lexed.tokens.last().is_none_or(|last| last.kind == Kind::Line);
                if after_line || !open.is_empty() {
                    at += 1;
                    continue;
                }
                (Kind::Line, at + 1, index)
            }
            Class::Word => (Kind::Word, word_end::<S>(source, at + 1), index),
            Class::Digit => (Kind::Number, S::number(source, at), index),
            Class::Punct => (Kind::Punct, at + 1, index),
            Class::Open => {
                if open.len() >= MAX_DEPTH {
                    return Err(Fault {
                        reason: UnmeasuredReason::TooDeep,
                        at,
                        what: "delimiters nested deeper than 4096",
                    });
                }
                open.push(index);
                (Kind::Open, at + 1, index)
            }
            Class::Close => {
                let Some(opener) = open.pop() else {
                    return Err(Fault::unbalanced(
                        at,
                        "a closing delimiter without an opening one",
                    ));
                };
                let other = &mut lexed.tokens[opener as usize];
                if closer_of(source[other.start as usize]) != byte {
                    return Err(Fault::unbalanced(
                        at,
                        "a closing delimiter of another kind than the opening one",
                    ));
                }
                other.mate = index;
                (Kind::Close, at + 1, opener)
            }
            Class::Special => match S::special(source, at)? {
                Found::Token(kind, end) => (kind, end, index),
                Found::Comment(end) => {
                    at = end;
                    continue;
                }
                found @ (Found::OuterDoc(end) | Found::InnerDoc(end)) => {
                    lexed.docs.push(Doc {
                        before: index,
                        start: small(at),
                        end: small(end),
                        inner: matches!(found, Found::InnerDoc(_)),
                    });
                    at = end;
                    continue;
                }
            },
        };
        lexed.tokens.push(Token {
            start: small(at),
            end: small(end),
            mate,
            kind,
        });
        at = end;
    }
    match open.last() {
        Some(&opener) => {
            let at = lexed.tokens[opener as usize].start as usize;
            Err(Fault::unbalanced(
                at,
                "an opening delimiter without a closing one",
            ))
        }
        None => Ok(lexed),
    }
}

/// Where the word that `at` stands in ends.
pub fn word_end<S: Syntax>(source: &[u8], mut at: usize) -> usize {
    let words = const { &S::WORDS };
    while source.get(at).is_some_and(|byte| words[usize::from(*byte)]) {
        at += 1;
    }
    at
}

const fn closer_of(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}
