//! Splits a file into tokens: templates, regular expressions and JSX need to know what stands before them.

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::{Class, Fault, Kind, MAX_DEPTH, Token, literal, small};

use super::jsx::Tags;
use super::syntax::{CLASSES, WORDS, ends_operand, wide_space};

/// What is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// A parenthesis, bracket or brace.
    Group,
    /// The part of a template between `${` and `}`.
    Hole,
    /// The inside of a JSX tag, with the number of open angle brackets of its type arguments.
    Tag(u32),
    /// What stands between two JSX tags.
    Children,
}

/// A file on its way to tokens.
pub(super) struct Lexer<'s> {
    pub(super) source: &'s [u8],
    pub(super) at: usize,
    pub(super) tokens: Vec<Token>,
    /// What is open, with the index of the token that opened it.
    pub(super) open: Vec<(Frame, u32)>,
    pub(super) tags: Tags<'s>,
}

/// Splits a file into tokens and matches its delimiters. A template with holes and a JSX element are groups.
pub(super) fn lex(source: &[u8], jsx: bool) -> Result<Vec<Token>, Fault> {
    if u32::try_from(source.len()).is_err() {
        return Err(Fault {
            reason: UnmeasuredReason::TooLarge,
            at: 0,
            what: "more than 4 GiB",
        });
    }
    let mut lexer = Lexer {
        source,
        at: 0,
        tokens: Vec::with_capacity(source.len() / 6 + 8),
        open: Vec::new(),
        tags: Tags::new(source, jsx),
    };
    if source.starts_with(b"#!") {
        lexer.at = literal::line_end(source, 0);
    }
    lexer.run()?;
    match lexer.open.last() {
        Some((_, opener)) => {
            let at = lexer.tokens[*opener as usize].start as usize;
            Err(unbalanced(at, "an opening delimiter without a closing one"))
        }
        None => Ok(lexer.tokens),
    }
}

pub(super) const fn unbalanced(at: usize, what: &'static str) -> Fault {
    Fault {
        reason: UnmeasuredReason::Unbalanced,
        at,
        what,
    }
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        while let Some(&byte) = self.source.get(self.at) {
            match self.open.last() {
                Some((Frame::Tag(angles), _)) => {
                    let angles = *angles;
                    self.in_tag(byte, angles)?;
                }
                Some((Frame::Children, _)) => self.in_children(byte)?,
                _ => self.code(byte)?,
            }
        }
        Ok(())
    }

    /// Takes what begins with this byte outside of JSX text.
    pub(super) fn code(&mut self, byte: u8) -> Result<(), Fault> {
        let classes = const { &CLASSES };
        let at = self.at;
        match classes[usize::from(byte)] {
            Class::Space | Class::Line => self.at += 1,
            Class::Word => {
                let end = self.word_end(at + 1);
                self.push(Kind::Word, end);
            }
            Class::Digit => self.push(Kind::Number, literal::number(self.source, at)),
            Class::Punct => self.push(Kind::Punct, at + 1),
            Class::Open => self.open(Frame::Group, at + 1)?,
            Class::Close => self.close(byte)?,
            Class::Special => self.special(byte)?,
        }
        Ok(())
    }

    fn special(&mut self, byte: u8) -> Result<(), Fault> {
        let (source, at) = (self.source, self.at);
        match byte {
            b'"' | b'\'' => {
                let end = string_end(source, at)?;
                self.push(Kind::Text, end);
            }
            b'`' => self.template(at + 1)?,
            b'/' => match source.get(at + 1) {
                Some(b'/' | b'*') => self.comment()?,
                _ if ends_operand(source, &self.tokens) => self.push(Kind::Punct, at + 1),
                _ => {
                    let end = regex_end(source, at)?;
                    self.push(Kind::Text, end);
                }
            },
            b'<' => {
                if self.tags.may_begin(at) && !ends_operand(source, &self.tokens) {
                    self.open_tag()?;
                } else {
                    self.push(Kind::Punct, at + 1);
                }
            }
            b'#' => {
                let end = self.word_end(at + 1);
                let kind = if end > at + 1 { Kind::Word } else { Kind::Punct };
                self.push(kind, end);
            }
            _ => match wide_space(&source[at..]) {
                0 => {
                    let end = self.word_end(at + 1);
                    self.push(Kind::Word, end);
                }
                length => self.at += length,
            },
        }
        Ok(())
    }

    /// Skips the comment that begins here.
    pub(super) fn comment(&mut self) -> Result<(), Fault> {
        let at = self.at;
        if self.source.get(at + 1) == Some(&b'/') {
            self.at = literal::line_end(self.source, at);
            return Ok(());
        }
        match memchr::memmem::find(self.source.get(at + 2..).unwrap_or_default(), b"*/") {
            Some(found) => {
                self.at = at + 2 + found + 2;
                Ok(())
            }
            None => Err(Fault::unterminated(at, "a comment that does not end")),
        }
    }

    /// Takes a piece of a template whose text begins at `from`.
    fn template(&mut self, from: usize) -> Result<(), Fault> {
        let (source, at) = (self.source, self.at);
        let first = source[at] == b'`';
        let mut next = from;
        while let Some(found) = memchr::memchr3(b'`', b'\\', b'$', source.get(next..).unwrap_or_default()) {
            let place = next + found;
            match source[place] {
                b'`' if first => {
                    self.push(Kind::Text, place + 1);
                    return Ok(());
                }
                b'`' => return self.shut(place + 1),
                b'\\' => next = place + 2,
                _ if source.get(place + 1) == Some(&b'{') => {
                    if first {
                        return self.open(Frame::Hole, place + 2);
                    }
                    self.push(Kind::Text, place + 2);
                    return Ok(());
                }
                _ => next = place + 1,
            }
        }
        Err(Fault::unterminated(at, "a template that does not end"))
    }

    fn close(&mut self, byte: u8) -> Result<(), Fault> {
        let Some((frame, opener)) = self.open.last() else {
            return Err(unbalanced(self.at, "a closing delimiter without an opening one"));
        };
        let wanted = match (frame, self.source[self.tokens[*opener as usize].start as usize]) {
            (Frame::Hole, _) if byte == b'}' => return self.template(self.at + 1),
            (Frame::Group, b'(') => b')',
            (Frame::Group, b'[') => b']',
            (Frame::Group, _) => b'}',
            _ => 0,
        };
        if wanted != byte {
            return Err(unbalanced(
                self.at,
                "a closing delimiter of another kind than the opening one",
            ));
        }
        self.shut(self.at + 1)
    }

    /// Opens a group with the token from here to `end`.
    pub(super) fn open(&mut self, frame: Frame, end: usize) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Fault {
                reason: UnmeasuredReason::TooDeep,
                at: self.at,
                what: "delimiters nested deeper than 4096",
            });
        }
        self.open.push((frame, small(self.tokens.len())));
        self.push(Kind::Open, end);
        Ok(())
    }

    /// Closes the innermost group with the token from here to `end`.
    pub(super) fn shut(&mut self, end: usize) -> Result<(), Fault> {
        let Some((_, opener)) = self.open.pop() else {
            return Err(unbalanced(self.at, "a closing delimiter without an opening one"));
        };
        let index = small(self.tokens.len());
        self.tokens[opener as usize].mate = index;
        self.push(Kind::Close, end);
        self.tokens[index as usize].mate = opener;
        Ok(())
    }

    #[inline]
    pub(super) fn push(&mut self, kind: Kind, end: usize) {
        let index = small(self.tokens.len());
        self.tokens.push(Token {
            start: small(self.at),
            end: small(end),
            mate: index,
            kind,
        });
        self.at = end;
    }

    #[inline]
    pub(super) fn word_end(&self, mut at: usize) -> usize {
        let words = const { &WORDS };
        while self.source.get(at).is_some_and(|byte| words[usize::from(*byte)]) {
            at += 1;
        }
        at
    }
}

/// Where a string ends; it does not go on over a line break unless a backslash stands before that.
fn string_end(source: &[u8], at: usize) -> Result<usize, Fault> {
    let quote = source[at];
    let mut next = at + 1;
    while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', source.get(next..).unwrap_or_default()) {
        let place = next + found;
        match source[place] {
            b'\\' => {
                let carriage = source.get(place + 1..place + 3) == Some(b"\r\n");
                next = place + 2 + usize::from(carriage);
            }
            b'\n' => break,
            _ => return Ok(place + 1),
        }
    }
    Err(Fault::unterminated(at, "a string that does not end"))
}

/// Where a regular expression with its flags ends.
fn regex_end(source: &[u8], at: usize) -> Result<usize, Fault> {
    let mut class = false;
    let mut next = at + 1;
    while let Some(byte) = source.get(next) {
        match byte {
            b'\\' if source.get(next + 1) != Some(&b'\n') => next += 1,
            b'\n' | b'\\' => break,
            b'[' => class = true,
            b']' => class = false,
            b'/' if !class => {
                next += 1;
                while source.get(next).is_some_and(|byte| WORDS[usize::from(*byte)]) {
                    next += 1;
                }
                return Ok(next);
            }
            _ => {}
        }
        next += 1;
    }
    Err(Fault::unterminated(
        at,
        "a regular expression that does not end on its line",
    ))
}
