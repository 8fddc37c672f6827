//! The tokens of one file as its scanner looks at them.

use std::cell::Cell;
use std::ops::{Deref, Range};

use crate::structure::lexer::hash::{self, Hashed, Hasher};
use crate::structure::lexer::tokens::Tokens;
use crate::structure::lexer::{Fault, Kind};

use super::lexer::lex;
use super::syntax::ends_operand;
use super::types::type_end;

/// The tokens of a file, and what TypeScript and JavaScript make of them.
pub(super) struct View<'a> {
    tokens: Tokens<'a>,
    /// Where the last search for the end of type arguments failed: it fails for all places in between too.
    no_angles: Cell<(usize, usize)>,
}

/// Sets the hash of a string apart from that of a word with the same letters.
const STRING: u64 = 0x5151_7a3b_90cd_44ef;

/// Longest list of type arguments that is looked for, in tokens.
const MAX_ANGLES: usize = 4096;

/// Words that join two operands, so that a statement goes on with them on the next line.
const JOINING: [&[u8]; 6] = [b"in", b"instanceof", b"as", b"satisfies", b"is", b"extends"];

impl<'a> Deref for View<'a> {
    type Target = Tokens<'a>;

    fn deref(&self) -> &Self::Target {
        &self.tokens
    }
}

impl<'a> View<'a> {
    pub(super) fn new(source: &'a [u8], jsx: bool) -> Result<Self, Fault> {
        Ok(Self {
            tokens: Tokens::new(source, lex(source, jsx)?),
            no_angles: Cell::new((0, 0)),
        })
    }

    /// Whether the token is this one byte of punctuation; for delimiters there is [`View::opens`].
    #[inline]
    pub(super) fn sign(&self, at: usize, sign: u8) -> bool {
        self.token(at)
            .is_some_and(|token| token.kind == Kind::Punct && self.source[token.start as usize] == sign)
    }

    /// Whether a group opens here with this delimiter; a template opens with a backquote, JSX with an angle bracket.
    #[inline]
    pub(super) fn opens(&self, at: usize, delimiter: u8) -> bool {
        self.token(at)
            .is_some_and(|token| token.kind == Kind::Open && self.source[token.start as usize] == delimiter)
    }

    /// Whether `=>` stands here.
    pub(super) fn arrow(&self, at: usize) -> bool {
        self.sign(at, b'=') && self.sign(at + 1, b'>') && self.touches(at)
    }

    /// Whether `...` stands here.
    pub(super) fn spread(&self, at: usize) -> bool {
        self.sign(at, b'.') && self.sign(at + 1, b'.') && self.sign(at + 2, b'.')
    }

    /// Whether a line begins between a token and the one before it.
    pub(super) fn on_new_line(&self, at: usize) -> bool {
        at == 0 || memchr::memchr(b'\n', &self.source[self.end(at - 1)..self.start(at)]).is_some()
    }

    /// Whether an operand ends in front of a token.
    pub(super) fn after_operand(&self, at: usize) -> bool {
        ends_operand(self.source, self.list().get(..at).unwrap_or_default())
    }

    /// Whether the statement before a token has ended without a semicolon.
    pub(super) fn begins_statement(&self, at: usize) -> bool {
        let may_begin = match self.kind(at) {
            Some(Kind::Word) => !JOINING.contains(&self.text(at)),
            Some(Kind::Number | Kind::Char) => true,
            Some(Kind::Text) => !self.text(at).starts_with(b"`") && !self.text(at).starts_with(b"}"),
            Some(Kind::Open) => self.opens(at, b'{'),
            Some(Kind::Punct) => self.sign(at, b'@'),
            _ => false,
        };
        may_begin && at > 0 && self.on_new_line(at) && (self.after_operand(at) || self.after_group(at))
    }

    /// Whether a group ends in front of a token, whatever it is: the body of a function is no operand.
    fn after_group(&self, at: usize) -> bool {
        self.closes(at - 1)
    }

    /// Where a group ends: its closing delimiter, or the end of the source.
    pub(super) fn inside(&self, open: usize) -> Range<usize> {
        open + 1..self.mate(open).max(open + 1)
    }

    /// The place behind the angle brackets that open here; `None` if they do not close or hold no types.
    pub(super) fn angles(&self, at: usize) -> Option<usize> {
        let (from, to) = self.no_angles.get();
        // `<<` and `<=` open nothing.
        let next_to = |other: usize, sign: u8| self.sign(other, sign) && self.touches(at.min(other));
        let operator = next_to(at + 1, b'<') || next_to(at + 1, b'=') || (at > 0 && next_to(at - 1, b'<'));
        if !self.sign(at, b'<') || operator || (from..to).contains(&at) {
            return None;
        }
        let mut depth = 0_usize;
        let mut next = at;
        let mut steps = 0_usize;
        while next < self.len() && steps < MAX_ANGLES && !self.closes(next) && !self.sign(next, b';') {
            if self.sign(next, b'<') {
                depth += 1;
            } else if self.sign(next, b'>') && !(self.sign(next - 1, b'=') && self.touches(next - 1)) {
                depth -= 1;
                if depth == 0 {
                    return Some(next + 1);
                }
            }
            next = self.next(next);
            steps += 1;
        }
        // Short searches are repeated: there may be type arguments inside of what is none.
        if steps > 256 {
            self.no_angles.set((at, next));
        }
        None
    }

    /// The place behind the type arguments of a call or type that open here, where they are no comparison.
    pub(super) fn type_arguments(&self, at: usize) -> Option<usize> {
        if at == 0 || !self.word(at - 1) || !self.touches(at - 1) {
            return None;
        }
        let end = self.angles(at)?;
        let fits = match self.kind(end) {
            None | Some(Kind::Close | Kind::Open) => true,
            Some(Kind::Punct) => b",;>=|&.?:".iter().any(|sign| self.sign(end, *sign)),
            Some(Kind::Text) => self.text(end).starts_with(b"`"),
            _ => self.on_new_line(end),
        };
        fits.then_some(end)
    }

    /// The end of the expression that begins here: a comma or semicolon outside of groups, or the end of its statement.
    pub(super) fn expression(&self, at: usize, end: usize) -> usize {
        let mut next = at;
        while next < end {
            if next > at && self.begins_statement(next) {
                return next;
            }
            match self.kind(next) {
                Some(Kind::Close) => return next,
                Some(Kind::Punct) => match self.source[self.start(next)] {
                    b',' | b';' => return next,
                    b'<' => {
                        let skipped = if next == at || !self.after_operand(next) {
                            self.angles(next)
                        } else {
                            self.type_arguments(next)
                        };
                        next = skipped.unwrap_or(next + 1);
                    }
                    _ => next += 1,
                },
                Some(Kind::Word) if self.casts(next) => {
                    next = type_end(self, next + 1, end);
                    // A type may end where no operand does.
                    if next < end && self.on_new_line(next) && self.word(next) {
                        return next;
                    }
                }
                _ => next = self.next(next),
            }
        }
        end
    }

    /// Whether a type follows the word that stands here: `x as T`, `x satisfies T`.
    fn casts(&self, at: usize) -> bool {
        matches!(self.text(at), b"as" | b"satisfies") && self.after_operand(at) && !self.sign(at + 1, b',')
    }

    /// The parts between commas outside of groups and type arguments.
    pub(super) fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut next = range.start;
        while next < range.end {
            if self.sign(next, b',') {
                parts.push(start..next);
                start = next + 1;
                next = start;
            } else if self.sign(next, b'<') {
                let skipped = if self.after_operand(next) {
                    self.type_arguments(next)
                } else {
                    self.angles(next)
                };
                next = skipped.unwrap_or(next + 1);
            } else {
                next = self.next(next);
            }
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        parts
    }

    /// The hash of one token. Strings with one text are equal however they are quoted.
    #[inline]
    pub(super) fn hash(&self, at: usize) -> u64 {
        match self.token(at) {
            Some(token) if token.kind == Kind::Text => self.hash_text(at),
            Some(token) if token.kind == Kind::Char => collapsed(self.text(at)),
            Some(token) if matches!(token.kind, Kind::Open | Kind::Close) => hash::literal(self.text(at)),
            _ => hash::token(self.text(at)),
        }
    }

    fn hash_text(&self, at: usize) -> u64 {
        let text = self.text(at);
        let (Some(quote @ (b'"' | b'\'' | b'`')), Some(inside)) =
            (text.first(), text.get(1..text.len().saturating_sub(1)))
        else {
            return hash::literal(text);
        };
        // A tagged template gets its text raw.
        if *quote == b'`' && self.after_operand(at) {
            return hash::literal(text);
        }
        if memchr::memchr(b'\\', inside).is_none() {
            return hash::literal(inside) ^ STRING;
        }
        hash::literal(&without_quote_escapes(inside)) ^ STRING
    }

    /// Whether a token changes nothing: a semicolon, or a comma in front of a closing delimiter.
    #[inline]
    pub(super) fn is_idle(&self, at: usize, end: usize) -> bool {
        let Some(token) = self.token(at).filter(|token| token.kind == Kind::Punct) else {
            return false;
        };
        match self.source[token.start as usize] {
            b';' => true,
            b',' => at + 1 >= end || (self.closes(at + 1) && !self.sign(at.wrapping_sub(1), b',')),
            _ => false,
        }
    }

    /// Hashes a range of tokens without idle ones; `own` is replaced by a placeholder in the second hash.
    pub(super) fn hash_range(&self, range: Range<usize>, own: Option<u64>) -> Hashed {
        let mut hasher = Hasher::new(own);
        for at in range.clone() {
            if !self.is_idle(at, range.end) {
                hasher.token(self.hash(at));
            }
        }
        hasher.finish()
    }

    /// A range of tokens as text for people: as written, comments left out, white space folded, bounded.
    pub(super) fn shown(&self, range: Range<usize>) -> String {
        self.tokens.shown(range, b"/")
    }
}

/// The hash of text between tags: white space counts as one blank.
fn collapsed(text: &[u8]) -> u64 {
    let words: Vec<u64> = text
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .map(hash::token)
        .collect();
    hash::join(&words)
}

/// The inside of a string without the backslashes in front of quotes.
pub(super) fn without_quote_escapes(inside: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            plain.push(byte);
            continue;
        }
        match bytes.next() {
            Some(quote @ (b'\'' | b'"' | b'`')) => plain.push(quote),
            Some(other) => plain.extend([b'\\', other]),
            None => plain.push(b'\\'),
        }
    }
    plain
}
