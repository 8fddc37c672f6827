//! JSX: where an element begins, its tags and its text.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::structure::lexer::{Fault, Kind};

use super::lexer::{Frame, Lexer, unbalanced};
use super::syntax::WORDS;

/// What the file holds of tags that close: without one of them an angle bracket opens no element.
pub(super) struct Tags<'s> {
    source: &'s [u8],
    enabled: bool,
    closing: OnceCell<Closing<'s>>,
}

/// The last place of each closing tag, and of an empty element's end.
struct Closing<'s> {
    names: HashMap<&'s [u8], usize>,
    empty: Option<usize>,
}

impl<'s> Tags<'s> {
    /// The tags of a file; `enabled` tells whether its language has JSX.
    pub(super) fn new(source: &'s [u8], enabled: bool) -> Self {
        Self {
            source,
            enabled,
            closing: OnceCell::new(),
        }
    }

    /// Whether the angle bracket here may open an element, where an operand is expected.
    pub(super) fn may_begin(&self, at: usize) -> bool {
        if !self.enabled {
            return false;
        }
        let source = self.source;
        let start = at + 1;
        let end = name_end(source, start);
        let name = &source[start..end];
        if name.first().is_some_and(u8::is_ascii_digit) || name == b"const" {
            return false;
        }
        let after = source[end..]
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())
            .map_or(source.len(), |found| end + found);
        let next = source.get(after).copied().unwrap_or_default();
        let closing = self.closing();
        let closes = closing.names.get(name).is_some_and(|last| *last > at);
        match next {
            b'>' => closes,
            b'/' => source.get(after + 1) == Some(&b'>') || closes,
            // Type arguments of a component.
            b'<' if after == end => closes || closing.empty.is_some_and(|last| last > at),
            b'{' => closes || closing.empty.is_some_and(|last| last > at),
            byte if after > end && WORDS[usize::from(byte)] && !name.is_empty() => {
                let word = &source[after..name_end(source, after)];
                word != b"extends" && (closes || closing.empty.is_some_and(|last| last > at))
            }
            _ => false,
        }
    }

    fn closing(&self) -> &Closing<'s> {
        self.closing.get_or_init(|| {
            let mut names = HashMap::new();
            for at in memchr::memmem::find_iter(self.source, b"</") {
                names.insert(&self.source[at + 2..name_end(self.source, at + 2)], at);
            }
            Closing {
                names,
                empty: memchr::memmem::rfind(self.source, b"/>"),
            }
        })
    }
}

/// Where the name of a tag ends: words joined by `.`, `:` and `-`.
fn name_end(source: &[u8], mut at: usize) -> usize {
    while source
        .get(at)
        .is_some_and(|byte| WORDS[usize::from(*byte)] || matches!(byte, b'.' | b':' | b'-'))
    {
        at += 1;
    }
    at
}

impl Lexer<'_> {
    /// Opens the element whose tag begins here.
    pub(super) fn open_tag(&mut self) -> Result<(), Fault> {
        self.open(Frame::Tag(0), self.at + 1)
    }

    /// Takes what begins with this byte inside a tag.
    pub(super) fn in_tag(&mut self, byte: u8, angles: u32) -> Result<(), Fault> {
        let (source, at) = (self.source, self.at);
        if angles > 0 && !matches!(byte, b'<' | b'>') {
            return self.code(byte);
        }
        match byte {
            b'"' | b'\'' => {
                let rest = source.get(at + 1..).unwrap_or_default();
                let Some(found) = memchr::memchr(byte, rest) else {
                    return Err(Fault::unterminated(at, "a string that does not end"));
                };
                self.push(Kind::Text, at + 1 + found + 1);
            }
            b'/' if source.get(at + 1) == Some(&b'>') => self.shut(at + 2)?,
            b'/' if matches!(source.get(at + 1), Some(b'/' | b'*')) => self.comment()?,
            b'<' => {
                let touches_name = self
                    .tokens
                    .last()
                    .is_some_and(|last| last.kind == Kind::Word && last.end as usize == at);
                if angles > 0 || touches_name {
                    self.set_angles(angles + 1);
                    self.push(Kind::Punct, at + 1);
                } else {
                    self.open_tag()?;
                }
            }
            b'>' if angles > 0 => {
                let arrow = at > 0 && source[at - 1] == b'=';
                self.set_angles(if arrow { angles } else { angles - 1 });
                self.push(Kind::Punct, at + 1);
            }
            b'>' => {
                if let Some((frame, _)) = self.open.last_mut() {
                    *frame = Frame::Children;
                }
                self.push(Kind::Punct, at + 1);
            }
            byte if WORDS[usize::from(byte)] => {
                let end = name_end(source, at);
                self.push(Kind::Word, end);
            }
            _ => self.code(byte)?,
        }
        Ok(())
    }

    fn set_angles(&mut self, angles: u32) {
        if let Some((frame, _)) = self.open.last_mut() {
            *frame = Frame::Tag(angles);
        }
    }

    /// Takes what begins with this byte between tags.
    pub(super) fn in_children(&mut self, byte: u8) -> Result<(), Fault> {
        let (source, at) = (self.source, self.at);
        match byte {
            b'{' => self.open(Frame::Group, at + 1),
            b'}' => Err(unbalanced(at, "a closing delimiter without an opening one")),
            b'<' if source.get(at + 1) == Some(&b'/') => {
                let Some(found) = memchr::memchr(b'>', &source[at..]) else {
                    return Err(Fault::unterminated(at, "a tag that does not end"));
                };
                self.shut(at + found + 1)
            }
            b'<' => self.open_tag(),
            _ => {
                let rest = &source[at..];
                let end = memchr::memchr3(b'{', b'<', b'}', rest).map_or(source.len(), |found| at + found);
                let text = &source[at..end];
                let start = at + text.len() - text.trim_ascii_start().len();
                if start < end {
                    self.at = start;
                    self.push(Kind::Char, start + source[start..end].trim_ascii_end().len());
                }
                self.at = end;
                Ok(())
            }
        }
    }
}
