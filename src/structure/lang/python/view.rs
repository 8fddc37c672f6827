//! The tokens and logical lines of one Python file as its scanner looks at them.

use std::ops::{Deref, Range};

use crate::structure::lexer::hash::{self, Hashed, Hasher, Sequence};
use crate::structure::lexer::tokens::Tokens;
use crate::structure::lexer::{Fault, Kind, Token, lex};

use super::rows::{self, Row};
use super::string::Literal;
use super::syntax::PythonSyntax;

/// The tokens of a file, and what Python makes of them.
pub(super) struct View<'a> {
    tokens: Tokens<'a>,
    /// The logical lines in order; empty for a part of a file that was only split into tokens.
    pub(super) rows: Vec<Row>,
    /// The hash of each token: those of a class are asked for with it, and with its methods.
    hashes: Vec<u64>,
}

/// Words that are no names.
const KEYWORDS: [&[u8]; 35] = [
    b"False",
    b"None",
    b"True",
    b"and",
    b"as",
    b"assert",
    b"async",
    b"await",
    b"class",
    b"def",
    b"del",
    b"elif",
    b"else",
    b"except",
    b"finally",
    b"for",
    b"from",
    b"if",
    b"import",
    b"in",
    b"is",
    b"lambda",
    b"not",
    b"or",
    b"raise",
    b"return",
    b"try",
    b"while",
    b"with",
    b"yield",
    b"global",
    b"nonlocal",
    b"pass",
    b"break",
    b"continue",
];

impl<'a> Deref for View<'a> {
    type Target = Tokens<'a>;

    fn deref(&self) -> &Self::Target {
        &self.tokens
    }
}

impl<'a> View<'a> {
    /// Splits a file, or the lines of a block, into tokens and logical lines.
    pub(super) fn new(source: &'a [u8]) -> Result<Self, Fault> {
        let mut view = Self::part(source)?;
        view.rows = rows::find(source, view.list())?;
        Ok(view)
    }

    /// Splits any part of a file into tokens.
    pub(super) fn part(source: &'a [u8]) -> Result<Self, Fault> {
        let tokens = lex::<PythonSyntax>(source)?.tokens;
        let hashes = tokens.iter().map(|token| hash_of(source, token)).collect();
        Ok(Self {
            tokens: Tokens::new(source, tokens),
            rows: Vec::new(),
            hashes,
        })
    }

    /// Whether a word stands here that may be a name.
    pub(super) fn identifier(&self, at: usize) -> bool {
        self.word(at) && !KEYWORDS.contains(&self.text(at))
    }

    /// Whether a line ends here.
    pub(super) fn ends_line(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Line)
    }

    /// The last line of a token.
    pub(super) fn last_line(&self, at: usize) -> u32 {
        self.lines().line(self.end(at).saturating_sub(1))
    }

    /// The first use of a word outside of groups, or `end`.
    pub(super) fn find_word(&self, at: usize, end: usize, word: &[u8]) -> usize {
        let mut next = at;
        while next < end && !self.is(next, word) {
            next = self.next(next);
        }
        next.min(end)
    }

    /// The colon that ends the head of a block, or `end`.
    pub(super) fn colon(&self, at: usize, end: usize) -> usize {
        let mut next = at;
        let mut lambdas = 0_usize;
        while next < end {
            if self.is(next, b"lambda") {
                lambdas += 1;
            } else if self.sign(next, b':') && !self.signs(next, b':', b'=') {
                if lambdas == 0 {
                    return next;
                }
                lambdas -= 1;
            }
            next = self.next(next);
        }
        end
    }

    /// The parts between commas; none after a final comma.
    pub(super) fn split(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut begin = range.start;
        let mut at = range.start;
        // The commas in front of the colon of a lambda belong to it.
        let mut lambdas = 0_usize;
        while at < range.end {
            if self.is(at, b"lambda") {
                lambdas += 1;
            } else if lambdas > 0 && self.sign(at, b':') {
                lambdas -= 1;
            } else if lambdas == 0 && self.sign(at, b',') {
                parts.push(begin..at);
                begin = at + 1;
            }
            at = self.next(at);
        }
        if begin < range.end {
            parts.push(begin..range.end);
        }
        parts
    }

    /// An expression without parentheses around it that mean nothing.
    pub(super) fn ungrouped(&self, mut range: Range<usize>) -> Range<usize> {
        while range.len() > 2
            && self.sign(range.start, b'(')
            && self.mate(range.start) + 1 == range.end
            && self.find_flat(range.start + 1, range.end - 1, b",") == range.end - 1
        {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    /// The arguments of the call whose parenthesis opens here.
    pub(super) fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        self.split(open + 1..self.mate(open))
    }

    /// The value of the argument `name=…`, if this is one.
    pub(super) fn keyword(&self, argument: &Range<usize>) -> Option<(&'a [u8], Range<usize>)> {
        let named = self.word(argument.start)
            && self.sign(argument.start + 1, b'=')
            && !self.signs(argument.start + 1, b'=', b'=')
            && argument.len() > 2;
        named.then(|| (self.text(argument.start), argument.start + 2..argument.end))
    }

    /// The hash of one token.
    #[inline]
    pub(super) fn hash(&self, at: usize) -> u64 {
        self.hashes.get(at).copied().unwrap_or_default()
    }

    /// Whether a token is a comma that changes nothing.
    #[inline]
    pub(super) fn idle_comma(&self, at: usize) -> bool {
        self.sign(at, b',') && self.closes(at + 1) && !self.one_tuple(at + 1)
    }

    /// Whether the group that closes here is `(a,)` and no call: without its comma it would be something else.
    fn one_tuple(&self, close: usize) -> bool {
        if !self.sign(close, b')') {
            // `a[1,]` is not `a[1]`.
            return self.sign(close, b']')
                && self.follows_operand(self.mate(close))
                && self.only_comma(close);
        }
        !self.follows_operand(self.mate(close)) && self.only_comma(close)
    }

    fn only_comma(&self, close: usize) -> bool {
        self.find_flat(self.mate(close) + 1, close, b",") == close - 1
    }

    /// Whether something stands in front of a delimiter that it calls or looks into.
    fn follows_operand(&self, open: usize) -> bool {
        open > 0
            && (self.identifier(open - 1)
                || matches!(self.kind(open - 1), Some(Kind::Close | Kind::Text | Kind::Number)))
    }

    /// Hashes a range of tokens without idle commas.
    pub(super) fn hash_range(&self, range: Range<usize>) -> u64 {
        let mut sequence = Sequence::default();
        for at in range {
            if !self.idle_comma(at) {
                sequence.push(self.hash(at));
            }
        }
        sequence.finish()
    }

    /// Hashes statements: their tokens, and how deep each is indented below the first. Texts that stand alone are
    /// comments. `own` is replaced by a placeholder in the second hash.
    pub(super) fn hash_rows(&self, rows: &[Row], own: Option<u64>) -> Hashed {
        let mut hasher = Hasher::new(own);
        let base = rows.first().map_or(0, |row| row.level);
        for row in rows {
            self.hash_statements(row.tokens(), u64::from(row.level - base), &mut hasher);
        }
        hasher.finish()
    }

    /// Hashes statements that stand on the line of the head of their block.
    pub(super) fn hash_suite(&self, tokens: Range<usize>, own: Option<u64>) -> Hashed {
        let mut hasher = Hasher::new(own);
        self.hash_statements(tokens, 0, &mut hasher);
        hasher.finish()
    }

    fn hash_statements(&self, tokens: Range<usize>, depth: u64, hasher: &mut Hasher) {
        let mut begins = true;
        let mut at = tokens.start;
        while at < tokens.end {
            if begins {
                let stop = self.comment_end(at, tokens.end);
                if stop > at {
                    at = stop;
                    continue;
                }
                begins = false;
                hasher.mark(hash::PLACEHOLDER.rotate_left(17) ^ depth);
            }
            // One look tells most tokens from the signs that do not count.
            match self.token(at).filter(|token| token.kind == Kind::Punct) {
                Some(token) if self.source[token.start as usize] == b';' => begins = true,
                Some(token) if self.source[token.start as usize] == b',' && self.idle_comma(at) => {}
                _ => hasher.token(self.hash(at)),
            }
            at += 1;
        }
    }

    /// Where a statement of nothing but texts ends; `at` when there is more in it.
    fn comment_end(&self, at: usize, end: usize) -> usize {
        if self.sign(at, b';') {
            return at + 1;
        }
        let mut next = at;
        while next < end && self.kind(next) == Some(Kind::Text) && Literal::of(self.text(next)).is_constant()
        {
            next += 1;
        }
        if next > at && (next == end || self.sign(next, b';')) {
            return next;
        }
        at
    }

    /// A range of tokens as text for people: as written, comments left out, white space folded, bounded.
    pub(super) fn shown(&self, range: Range<usize>) -> String {
        self.tokens.shown(range, b"#\\")
    }
}

/// The hash of one token.
#[inline]
fn hash_of(source: &[u8], token: &Token) -> u64 {
    let text = &source[token.start as usize..token.end as usize];
    match token.kind {
        Kind::Text => Literal::of(text).hash(),
        _ => hash::token(text),
    }
}
