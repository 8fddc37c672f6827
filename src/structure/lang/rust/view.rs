//! The tokens of one Rust file as its scanner looks at them.

use std::cell::OnceCell;
use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::lexer::lines::{Lines, MAX_TEXT, push_bytes, text_of, truncate};
use crate::structure::lexer::{Doc, Fault, Kind, Lexed, Token, lex};

use super::syntax::RustSyntax;

/// A file, its tokens and its lines. Indexes past the end are allowed everywhere and match nothing.
pub(super) struct View<'a> {
    pub(super) source: &'a [u8],
    /// Made when they are asked for: nobody asks for those of an example.
    lines: OnceCell<Lines>,
    lexed: Lexed,
}

/// Keywords in front of parentheses that call nothing.
const BEFORE_TUPLES: [&[u8]; 14] = [
    b"for", b"in", b"return", b"match", b"if", b"while", b"as", b"mut", b"dyn", b"impl", b"let", b"else",
    b"break", b"const",
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
            lines: OnceCell::new(),
            lexed: lex::<RustSyntax>(source)?,
        })
    }

    pub(super) fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(self.source))
    }

    pub(super) fn len(&self) -> usize {
        self.lexed.tokens.len()
    }

    #[inline]
    fn token(&self, at: usize) -> Option<&Token> {
        self.lexed.tokens.get(at)
    }

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

    /// Whether two colons stand here, with nothing between: in `a: ::b` the first is one of its own.
    pub(super) fn path_sign(&self, at: usize) -> bool {
        self.sign(at, b':') && self.sign(at + 1, b':') && self.end(at) == self.start(at + 1)
    }

    /// Whether `->` or `=>` ends here, so that this `>` closes nothing.
    pub(super) fn arrow_ends(&self, at: usize) -> bool {
        at > 0 && self.start(at) == self.end(at - 1) && (self.sign(at - 1, b'-') || self.sign(at - 1, b'='))
    }

    pub(super) fn opens(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Open)
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

    /// The bytes from the first to the last token of a range.
    pub(super) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            return self.start(range.start)..self.start(range.start);
        }
        self.start(range.start)..self.end(range.end - 1)
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.lines().line(self.start(at))
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

    /// The first of some signs outside of groups, or `end`. For expressions, where `<` is no bracket.
    pub(super) fn find_flat(&self, at: usize, end: usize, signs: &[u8]) -> usize {
        let mut next = at;
        while next < end {
            if signs.iter().any(|sign| self.sign(next, *sign)) {
                return next;
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
        let mut plain = Sequence::default();
        // Begins to differ at the first use of the name; most bodies have none.
        let mut without_name: Option<Sequence> = None;
        for at in range.clone() {
            if self.idle_comma(at, range.end) {
                continue;
            }
            let hash = self.hash(at);
            if own == Some(hash) {
                without_name.get_or_insert(plain).push(hash::PLACEHOLDER);
            } else if let Some(without_name) = &mut without_name {
                without_name.push(hash);
            }
            plain.push(hash);
        }
        Hashed {
            plain: plain.finish(),
            without_name: without_name.unwrap_or(plain).finish(),
            tokens: plain.count(),
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
            if self.kind(at) == Some(Kind::Text) {
                let mut words = bytes[..bytes.len().min(MAX_TEXT * 2)]
                    .split(u8::is_ascii_whitespace)
                    .enumerate();
                for (count, word) in words.by_ref() {
                    if count > 0 && !text.ends_with(' ') {
                        text.push(' ');
                    }
                    push_bytes(&mut text, word);
                }
            } else {
                push_bytes(&mut text, &bytes[..bytes.len().min(MAX_TEXT)]);
            }
            if text.len() > MAX_TEXT {
                break;
            }
        }
        truncate(&mut text);
        text
    }

    /// The doc comments in front of the tokens from `first` to `last`.
    pub(super) fn docs(&self, first: usize, last: usize, inner: bool) -> impl Iterator<Item = &Doc> {
        let docs = &self.lexed.docs;
        let from = docs.partition_point(|doc| (doc.before as usize) < first);
        docs[from..]
            .iter()
            .take_while(move |doc| doc.before as usize <= last)
            .filter(move |doc| doc.inner == inner)
    }
}

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
