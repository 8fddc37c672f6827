//! A source and its tokens, as the scanners of all languages look at them.

use std::cell::OnceCell;
use std::ops::Range;

use super::lines::{Lines, MAX_TEXT, push_bytes, text_of, truncate};
use super::{Kind, Token};

/// A source, its tokens and its lines. Indexes past the end are allowed everywhere and match nothing.
pub struct Tokens<'a> {
    /// The bytes that were split.
    pub source: &'a [u8],
    list: Vec<Token>,
    /// Made when they are asked for: nobody asks for those of an example.
    lines: OnceCell<Lines>,
}

impl<'a> Tokens<'a> {
    /// Takes a source and what it was split into.
    pub fn new(source: &'a [u8], list: Vec<Token>) -> Self {
        Self {
            source,
            list,
            lines: OnceCell::new(),
        }
    }

    /// Where the lines of the source begin.
    pub fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(self.source))
    }

    /// All tokens in order.
    pub fn list(&self) -> &[Token] {
        &self.list
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The token at an index.
    #[inline]
    pub fn token(&self, at: usize) -> Option<&Token> {
        self.list.get(at)
    }

    /// What a token is.
    #[inline]
    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.token(at).map(|token| token.kind)
    }

    /// The bytes of a token; empty past the end.
    #[inline]
    pub fn text(&self, at: usize) -> &'a [u8] {
        self.token(at).map_or(&[], |token| {
            &self.source[token.start as usize..token.end as usize]
        })
    }

    /// The bytes of a token as text for people.
    pub fn name(&self, at: usize) -> String {
        text_of(self.text(at))
    }

    /// Whether the token is a word.
    #[inline]
    pub fn word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    /// Whether the token is this word.
    #[inline]
    pub fn is(&self, at: usize, word: &[u8]) -> bool {
        self.word(at) && self.text(at) == word
    }

    /// Whether the token is this one byte of punctuation or this delimiter.
    #[inline]
    pub fn sign(&self, at: usize, sign: u8) -> bool {
        self.token(at).is_some_and(|token| {
            matches!(token.kind, Kind::Punct | Kind::Open | Kind::Close)
                && token.end - token.start == 1
                && self.source[token.start as usize] == sign
        })
    }

    /// Whether these two signs stand here with nothing between.
    pub fn signs(&self, at: usize, first: u8, second: u8) -> bool {
        self.sign(at, first) && self.sign(at + 1, second) && self.touches(at)
    }

    /// Whether nothing stands between a token and the next.
    #[inline]
    pub fn touches(&self, at: usize) -> bool {
        self.end(at) == self.start(at + 1)
    }

    /// Whether a group opens here.
    pub fn is_open(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Open)
    }

    /// Whether a group closes here.
    pub fn closes(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Close)
    }

    /// The other delimiter of the group that opens or closes here.
    #[inline]
    pub fn mate(&self, at: usize) -> usize {
        self.token(at).map_or(at, |token| token.mate as usize)
    }

    /// The next token at the same depth.
    #[inline]
    pub fn next(&self, at: usize) -> usize {
        match self.token(at) {
            Some(token) if token.kind == Kind::Open => token.mate as usize + 1,
            _ => at + 1,
        }
    }

    /// The first byte of a token; the length of the source past the end.
    #[inline]
    pub fn start(&self, at: usize) -> usize {
        self.token(at)
            .map_or(self.source.len(), |token| token.start as usize)
    }

    /// The byte after a token; the length of the source past the end.
    #[inline]
    pub fn end(&self, at: usize) -> usize {
        self.token(at)
            .map_or(self.source.len(), |token| token.end as usize)
    }

    /// The bytes from the first to the last token of a range.
    pub fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            return self.start(range.start)..self.start(range.start);
        }
        self.start(range.start)..self.end(range.end - 1)
    }

    /// The first token that does not stand in front of a byte.
    pub fn at_byte(&self, byte: usize) -> usize {
        self.list.partition_point(|token| (token.start as usize) < byte)
    }

    /// The line that a token begins in, counted from 1.
    pub fn line(&self, at: usize) -> u32 {
        self.lines().line(self.start(at))
    }

    /// The first of some signs outside of groups, or `end`.
    pub fn find_flat(&self, at: usize, end: usize, signs: &[u8]) -> usize {
        let mut next = at;
        while next < end {
            if signs.iter().any(|sign| self.sign(next, *sign)) {
                return next;
            }
            next = self.next(next);
        }
        end
    }

    /// A range of tokens as text for people: as written, comments left out, white space folded, bounded.
    ///
    /// `comments` are the bytes without which there is no comment, and no line that goes on in the next.
    pub fn shown(&self, range: Range<usize>, comments: &[u8]) -> String {
        let whole = &self.source[self.bytes(&range)];
        let mut text = String::new();
        if whole.len() <= MAX_TEXT && is_folded(whole, comments) {
            push_bytes(&mut text, whole);
        } else {
            for at in range.clone() {
                if at > range.start && !self.touches(at - 1) && !text.ends_with(' ') {
                    text.push(' ');
                }
                if self.kind(at) != Some(Kind::Line) {
                    let bytes = self.text(at);
                    push_folded(&mut text, &bytes[..bytes.len().min(MAX_TEXT * 2)]);
                }
                if text.len() > MAX_TEXT {
                    break;
                }
            }
        }
        // Bytes that are not UTF-8 are longer when they are shown.
        truncate(&mut text);
        text
    }
}

/// Adds bytes with single blanks for their white space.
fn push_folded(text: &mut String, bytes: &[u8]) {
    for (count, word) in bytes.split(u8::is_ascii_whitespace).enumerate() {
        if count > 0 && !text.ends_with(' ') {
            text.push(' ');
        }
        push_bytes(text, word);
    }
}

/// Whether text is shown as it is: no comment, no white space but single blanks.
fn is_folded(text: &[u8], comments: &[u8]) -> bool {
    let mut last = b'x';
    for byte in text {
        if *byte < b' ' || comments.contains(byte) || (*byte == b' ' && last == b' ') {
            return false;
        }
        last = *byte;
    }
    true
}
