//! The tokens of one Rust file as its scanner looks at them.

use std::ops::{Deref, Range};

use crate::structure::lexer::hash::{self, Hashed, Hasher};
use crate::structure::lexer::tokens::Tokens;
use crate::structure::lexer::{Doc, Fault, Kind, lex};

use super::syntax::RustSyntax;

/// The tokens of a file, and what Rust makes of them.
pub(super) struct View<'a> {
    tokens: Tokens<'a>,
    docs: Vec<Doc>,
}

/// Keywords in front of parentheses that call nothing.
const BEFORE_TUPLES: [&[u8]; 14] = [
    b"for", b"in", b"return", b"match", b"if", b"while", b"as", b"mut", b"dyn", b"impl", b"let", b"else",
    b"break", b"const",
];

impl<'a> Deref for View<'a> {
    type Target = Tokens<'a>;

    fn deref(&self) -> &Self::Target {
        &self.tokens
    }
}

impl<'a> View<'a> {
    pub(super) fn new(source: &'a [u8]) -> Result<Self, Fault> {
        let lexed = lex::<RustSyntax>(source)?;
        Ok(Self {
            tokens: Tokens::new(source, lexed.tokens),
            docs: lexed.docs,
        })
    }

    /// Whether two colons stand here, with nothing between: in `a: ::b` the first is one of its own.
    pub(super) fn path_sign(&self, at: usize) -> bool {
        self.signs(at, b':', b':')
    }

    /// Whether `->` or `=>` ends here, so that this `>` closes nothing.
    pub(super) fn arrow_ends(&self, at: usize) -> bool {
        at > 0 && self.touches(at - 1) && (self.sign(at - 1, b'-') || self.sign(at - 1, b'='))
    }

    /// Skips generics `<…>` when they stand here.
    pub(super) fn after_generics(&self, at: usize, end: usize) -> usize {
        if !self.sign(at, b'<') {
            return at;
        }
        let mut depth = 0_usize;
        let mut next = at;
        while next < end && !self.closes(next) {
            if self.sign(next, b'<') {
                depth += 1;
            } else if self.sign(next, b'>') && !self.arrow_ends(next) {
                depth -= 1;
                if depth == 0 {
                    return next + 1;
                }
            }
            next = self.next(next);
        }
        next.min(end)
    }

    /// The last token of an item whose head ends here: that of its group, or the sign that stands in place of one. What
    /// closes here belongs to the group around, whose beginning is no end of anything in it.
    pub(super) fn last_of(&self, at: usize) -> usize {
        if self.is_open(at) { self.mate(at) } else { at }
    }

    /// The first of some signs outside of groups and angle brackets, or `end`.
    pub(super) fn find(&self, at: usize, end: usize, signs: &[u8]) -> usize {
        let mut depth = 0_usize;
        let mut next = at;
        while next < end {
            let Some(token) = self.token(next) else { break };
            if matches!(token.kind, Kind::Punct | Kind::Open | Kind::Close) {
                let sign = self.source[token.start as usize];
                if depth == 0 && signs.contains(&sign) {
                    return next;
                }
                match sign {
                    b'<' => depth += 1,
                    b'>' if !self.arrow_ends(next) => depth = depth.saturating_sub(1),
                    b')' | b']' | b'}' => return next,
                    _ => {}
                }
            }
            next = self.next(next);
        }
        end
    }

    /// The hash of one token.
    #[inline]
    pub(super) fn hash(&self, at: usize) -> u64 {
        match self.token(at) {
            Some(token) if token.kind == Kind::Text => hash::literal(self.text(at)),
            _ => hash::token(self.text(at)),
        }
    }

    /// Whether a token is a comma that changes nothing.
    #[inline]
    pub(super) fn idle_comma(&self, at: usize, end: usize) -> bool {
        self.sign(at, b',') && self.is_idle(at, end)
    }

    fn is_idle(&self, at: usize, end: usize) -> bool {
        if at + 1 >= end {
            return true;
        }
        if self.sign(at + 1, b'>') {
            return true;
        }
        self.closes(at + 1) && !self.one_tuple(at + 1)
    }

    /// Whether the group that closes here is `(a,)` and no call: without its comma it would be something else.
    fn one_tuple(&self, close: usize) -> bool {
        if !self.sign(close, b')') {
            return false;
        }
        let open = self.mate(close);
        let keyword = open > 0 && self.word(open - 1) && BEFORE_TUPLES.contains(&self.text(open - 1));
        let called = open > 0
            && !keyword
            && (matches!(self.kind(open - 1), Some(Kind::Word | Kind::Close))
                || self.sign(open - 1, b'>')
                || self.sign(open - 1, b'!'));
        !called && self.find_flat(open + 1, close, b",") == close - 1
    }

    /// Hashes a range of tokens without idle commas; `own` is replaced by a placeholder in the second hash.
    pub(super) fn hash_range(&self, range: Range<usize>, own: Option<u64>) -> Hashed {
        let mut hasher = Hasher::new(own);
        for at in range.clone() {
            if !self.idle_comma(at, range.end) {
                hasher.token(self.hash(at));
            }
        }
        hasher.finish()
    }

    /// A range of tokens as text for people: as written, comments left out, white space folded, bounded.
    pub(super) fn shown(&self, range: Range<usize>) -> String {
        self.tokens.shown(range, b"/")
    }

    /// The doc comments in front of the tokens from `first` to `last`.
    pub(super) fn docs(&self, first: usize, last: usize, inner: bool) -> impl Iterator<Item = &Doc> {
        let docs = &self.docs;
        let from = docs.partition_point(|doc| (doc.before as usize) < first);
        docs[from..]
            .iter()
            .take_while(move |doc| doc.before as usize <= last)
            .filter(move |doc| doc.inner == inner)
    }
}
