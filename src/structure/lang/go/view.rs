//! The tokens of one Go file as its scanner looks at them; statements end at line ends.

use std::ops::{Deref, Range};

use crate::structure::lexer::hash::{self, Hashed, Hasher};
use crate::structure::lexer::tokens::Tokens;
use crate::structure::lexer::{Fault, Kind, lex};
use crate::structure::outline::Body;

use super::syntax::GoSyntax;

/// The tokens of a file, and what Go makes of them.
pub(super) struct View<'a> {
    tokens: Tokens<'a>,
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

impl<'a> Deref for View<'a> {
    type Target = Tokens<'a>;

    fn deref(&self) -> &Self::Target {
        &self.tokens
    }
}

impl<'a> View<'a> {
    pub(super) fn new(source: &'a [u8]) -> Result<Self, Fault> {
        Ok(Self {
            tokens: Tokens::new(source, lex::<GoSyntax>(source)?.tokens),
        })
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

    /// Parts between commas outside of groups; nothing behind the last comma is no part.
    pub(super) fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let comma = self.find_flat(at, range.end, b",");
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
        let mut hasher = Hasher::new(own);
        for at in range.clone() {
            if self.is_idle(at, range.end) {
                continue;
            }
            hasher.token(self.hash(at));
            if self.separates(at, range.end) {
                hasher.mark(SEPARATOR);
            }
        }
        hasher.finish()
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
        self.tokens.shown(range, b"/")
    }
}

/// Stands between two statements in a hash.
const SEPARATOR: u64 = 0x3b3b_3b3b_3b3b_3b3b;
