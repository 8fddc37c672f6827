//! The tokens of one Go file as its scanner looks at them; statements end at line ends.

use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::lexer::lines::{Lines, MAX_TEXT, push_bytes, text_of, truncate};
use crate::structure::lexer::{Fault, Kind, Lexed, Token, lex};
use crate::structure::outline::Body;

use super::syntax::GoSyntax;

/// A file, its tokens and its lines. Indexes past the end are allowed everywhere and match nothing.
pub(super) struct View<'a> {
    pub(super) source: &'a [u8],
    pub(super) lines: Lines,
    lexed: Lexed,
}

/// Keywords that end no statement when they stand at the end of a line.
const OPEN_ENDED: [&[u8]; 20] = [
    b"case",
    b"chan",
    b"const",
    b"default",
    b"defer",
    b"else",
    b"for",
    b"func",
    b"go",
    b"goto",
    b"if",
    b"import",
    b"interface",
    b"map",
    b"package",
    b"range",
    b"select",
    b"struct",
    b"switch",
    b"type",
];

/// Hashes of a range of tokens.
#[derive(Clone, Copy, Default)]
pub(super) struct Hashed {
    pub(super) plain: u64,
    pub(super) without_name: u64,
    pub(super) tokens: u32,
}

impl<'a> View<'a> {
    pub(super) fn new(source: &'a [u8]) -> Result<Self, Fault> {
        Ok(Self {
            source,
            lines: Lines::new(source),
            lexed: lex::<GoSyntax>(source)?,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.lexed.tokens.len()
    }

    #[inline]
    fn token(&self, at: usize) -> Option<&Token> {
        self.lexed.tokens.get(at)
    }

    #[inline]
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.token(at).map(|token| token.kind)
    }

    /// The bytes of a token; empty past the end.
    #[inline]
    pub(super) fn text(&self, at: usize) -> &'a [u8] {
        self.token(at).map_or(&[], |token| {
            &self.source[token.start as usize..token.end as usize]
        })
    }

    pub(super) fn name(&self, at: usize) -> String {
        text_of(self.text(at))
    }

    #[inline]
    pub(super) fn word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    #[inline]
    pub(super) fn is(&self, at: usize, word: &[u8]) -> bool {
        self.word(at) && self.text(at) == word
    }

    /// Whether the token is this one byte of punctuation or this delimiter.
    #[inline]
    pub(super) fn sign(&self, at: usize, sign: u8) -> bool {
        self.token(at).is_some_and(|token| {
            matches!(token.kind, Kind::Punct | Kind::Open | Kind::Close)
                && self.source[token.start as usize] == sign
        })
    }

    /// Whether two bytes of punctuation stand here with nothing between.
    pub(super) fn signs(&self, at: usize, first: u8, second: u8) -> bool {
        self.sign(at, first) && self.sign(at + 1, second) && self.end(at) == self.start(at + 1)
    }

    pub(super) fn closes(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Close)
    }

    /// The other delimiter of the group that opens or closes here.
    pub(super) fn mate(&self, at: usize) -> usize {
        self.token(at).map_or(at, |token| token.mate as usize)
    }

    /// The next token at the same depth.
    #[inline]
    pub(super) fn next(&self, at: usize) -> usize {
        match self.token(at) {
            Some(token) if token.kind == Kind::Open => token.mate as usize + 1,
            _ => at + 1,
        }
    }

    /// The first byte of a token; the length of the source past the end.
    pub(super) fn start(&self, at: usize) -> usize {
        self.token(at)
            .map_or(self.source.len(), |token| token.start as usize)
    }

    /// The byte after a token; the length of the source past the end.
    pub(super) fn end(&self, at: usize) -> usize {
        self.token(at)
            .map_or(self.source.len(), |token| token.end as usize)
    }

    /// The first token that does not stand in front of a byte.
    pub(super) fn at_byte(&self, byte: usize) -> usize {
        self.lexed
            .tokens
            .partition_point(|token| (token.start as usize) < byte)
    }

    /// The bytes from the first to the last token of a range.
    pub(super) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            return self.start(range.start)..self.start(range.start);
        }
        self.start(range.start)..self.end(range.end - 1)
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.lines.line(self.start(at))
    }

    /// Whether the line ends behind this token, and the statement with it.
    #[inline]
    pub(super) fn breaks(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else { return true };
        let ends = match token.kind {
            Kind::Punct => {
                let sign = self.source[token.start as usize];
                matches!(sign, b'+' | b'-') && at > 0 && self.signs(at - 1, sign, sign)
            }
            Kind::Open | Kind::Line => false,
            Kind::Word | Kind::Number | Kind::Text | Kind::Char | Kind::Lifetime | Kind::Close => true,
        };
        ends && self.line_ends(at) && !(token.kind == Kind::Word && OPEN_ENDED.contains(&self.text(at)))
    }

    /// Whether there is a line feed between this token and the next.
    #[inline]
    fn line_ends(&self, at: usize) -> bool {
        let from = self.end(at);
        let to = match self.token(at + 1) {
            Some(next) => next.start as usize,
            None => return true,
        };
        match to - from {
            0 => false,
            1 => self.source[from] == b'\n',
            _ => memchr::memchr(b'\n', &self.source[from..to]).is_some(),
        }
    }

    /// Where the statement that begins here ends: at a semicolon or line end outside of groups, or at `end`.
    ///
    /// The semicolon is not part of it.
    pub(super) fn statement_end(&self, at: usize, end: usize) -> usize {
        let mut next = at;
        while next < end {
            if self.sign(next, b';') {
                return next;
            }
            let last = self.next(next) - 1;
            if self.breaks(last) {
                return (last + 1).min(end);
            }
            next = last + 1;
        }
        end
    }

    /// The first of some signs outside of groups, or `end`.
    pub(super) fn find(&self, at: usize, end: usize, signs: &[u8]) -> usize {
        let mut next = at;
        while next < end {
            if signs.iter().any(|sign| self.sign(next, *sign)) {
                return next;
            }
            next = self.next(next);
        }
        end
    }

    /// Parts between commas outside of groups; nothing behind the last comma is no part.
    pub(super) fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let comma = self.find(at, range.end, b",");
            parts.push(at..comma);
            at = comma + 1;
        }
        parts
    }

    /// Where the type that begins here ends. What is no type ends where it begins.
    pub(super) fn type_end(&self, at: usize, end: usize) -> usize {
        let mut next = at;
        while next < end {
            if self.sign(next, b'*') || self.sign(next, b'~') || self.sign(next, b'.') {
                next += 1;
            } else if self.signs(next, b'<', b'-') {
                next += 2;
            } else if self.sign(next, b'(') {
                return self.mate(next) + 1;
            } else if self.sign(next, b'[') {
                next = self.mate(next) + 1;
            } else if self.word(next) {
                match self.text(next) {
                    b"map" if self.sign(next + 1, b'[') => next += 1,
                    b"chan" => next += 1,
                    b"struct" | b"interface" if self.sign(next + 1, b'{') => {
                        return self.mate(next + 1) + 1;
                    }
                    b"func" if self.sign(next + 1, b'(') => {
                        let close = self.mate(next + 1);
                        if self.breaks(close) || !self.begins_type(close + 1) {
                            return close + 1;
                        }
                        next = close + 1;
                    }
                    _ => return self.named_type_end(next, end),
                }
            } else {
                return next;
            }
        }
        next.min(end)
    }

    /// `Name`, `pkg.Name`, `pkg.Name[Argument]`
    fn named_type_end(&self, at: usize, end: usize) -> usize {
        let mut last = at;
        if !self.breaks(last) && self.sign(last + 1, b'.') && self.word(last + 2) {
            last += 2;
        }
        if !self.breaks(last) && self.sign(last + 1, b'[') {
            last = self.mate(last + 1);
        }
        (last + 1).min(end)
    }

    /// Whether a type may begin here.
    pub(super) fn begins_type(&self, at: usize) -> bool {
        self.word(at)
            || self.sign(at, b'*')
            || self.sign(at, b'(')
            || self.sign(at, b'[')
            || self.signs(at, b'<', b'-')
    }

    /// The hash of one token.
    #[inline]
    pub(super) fn hash(&self, at: usize) -> u64 {
        match self.token(at) {
            Some(token) if token.kind == Kind::Text => hash::literal(self.text(at)),
            _ => hash::token(self.text(at)),
        }
    }

    /// Whether a token is a comma or semicolon that changes nothing.
    #[inline]
    pub(super) fn is_idle(&self, at: usize, end: usize) -> bool {
        self.kind(at) == Some(Kind::Punct)
            && (self.sign(at, b';') || (self.sign(at, b',') && (at + 1 >= end || self.closes(at + 1))))
    }

    /// Whether a statement ends behind a token, and another one follows in the same group.
    #[inline]
    pub(super) fn separates(&self, at: usize, end: usize) -> bool {
        at + 1 < end && !self.closes(at + 1) && (self.breaks(at) || self.sign(at + 1, b';'))
    }

    /// Hashes a range of tokens; how statements are separated does not count, nor idle commas.
    ///
    /// `own` is replaced by a placeholder in the second hash.
    pub(super) fn hash_range(&self, range: Range<usize>, own: Option<u64>) -> Hashed {
        let mut plain = Sequence::default();
        // Begins to differ at the first use of the name; most bodies have none.
        let mut without_name: Option<Sequence> = None;
        let mut separators = 0;
        for at in range.clone() {
            if self.is_idle(at, range.end) {
                continue;
            }
            let hash = self.hash(at);
            if own == Some(hash) {
                without_name.get_or_insert(plain).push(hash::PLACEHOLDER);
            } else if let Some(without_name) = &mut without_name {
                without_name.push(hash);
            }
            plain.push(hash);
            if self.separates(at, range.end) {
                separators += 1;
                plain.push(SEPARATOR);
                if let Some(without_name) = &mut without_name {
                    without_name.push(SEPARATOR);
                }
            }
        }
        Hashed {
            plain: plain.finish(),
            without_name: without_name.unwrap_or(plain).finish(),
            tokens: plain.count() - separators,
        }
    }

    /// The body in the group that opens at `open`; `own` is the hash of its unit's name.
    pub(super) fn body(&self, open: usize, own: Option<u64>) -> Body {
        let close = self.mate(open);
        let hashed = self.hash_range(open + 1..close, own);
        Body {
            bytes: self.bytes(&(open..close + 1)),
            hash: hashed.plain,
            hash_without_name: hashed.without_name,
            tokens: hashed.tokens,
        }
    }

    /// A range of tokens as text for people: as written, comments left out, white space folded, bounded.
    pub(super) fn shown(&self, range: Range<usize>) -> String {
        let bytes = self.bytes(&range);
        let whole = &self.source[bytes];
        if whole.len() <= MAX_TEXT && is_folded(whole) {
            return text_of(whole);
        }
        let mut text = String::new();
        for at in range.clone() {
            if at > range.start && self.start(at) > self.end(at - 1) {
                text.push(' ');
            }
            let bytes = self.text(at);
            let bytes = &bytes[..bytes.len().min(MAX_TEXT * 2)];
            if self.kind(at) == Some(Kind::Text) && bytes.contains(&b'\n') {
                let words = bytes.split(u8::is_ascii_whitespace);
                for (count, word) in words.enumerate() {
                    if count > 0 && !text.ends_with(' ') {
                        text.push(' ');
                    }
                    push_bytes(&mut text, word);
                }
            } else {
                push_bytes(&mut text, bytes);
            }
            if text.len() > MAX_TEXT {
                break;
            }
        }
        truncate(&mut text);
        text
    }
}

/// Stands between two statements in a hash.
const SEPARATOR: u64 = 0x3b3b_3b3b_3b3b_3b3b;

/// Whether text is shown as it is: no comment, no white space but single blanks.
fn is_folded(text: &[u8]) -> bool {
    let mut last = b'x';
    for byte in text {
        if *byte < b' ' || *byte == b'/' || (*byte == b' ' && last == b' ') {
            return false;
        }
        last = *byte;
    }
    true
}
