//! Reads one line of canonical JSON (RFC 8785) in one pass, without allocating for its values.
//!
//! Only what is canonical passes: no white space, keys in ascending order of UTF-16 units (so none twice),
//! the shortest escapes, integers only. Time is linear, memory bounded by the number of top-level members.

use std::cmp::Ordering;
use std::ops::Range;

/// How deep arrays and objects may nest, the outermost counted.
pub(super) const MAX_DEPTH: usize = 64;

/// The largest integer that every JSON reader keeps exactly.
pub(super) const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A member of the outermost object.
#[derive(Debug)]
pub(super) struct Member {
    /// The key with its quotes.
    pub(super) key: Range<usize>,
    /// The value.
    pub(super) value: Range<usize>,
}

/// Why a text is not a canonical object, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) what: What,
}

/// The kinds of faults that are told apart here; anything else is [`What::Other`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    TooDeep,
    DuplicateKey,
    Other,
}

/// The members of the canonical object that is the whole of `text`, in order.
pub(super) fn members(text: &str) -> Result<Vec<Member>, Fault> {
    let mut scanner = Scanner { text, at: 0 };
    let mut members = Vec::with_capacity(8);
    scanner.object(1, Some(&mut members))?;
    if scanner.at == text.len() {
        Ok(members)
    } else {
        Err(scanner.fault())
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn fault(&self) -> Fault {
        Fault {
            at: self.at,
            what: What::Other,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.fault())
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), Fault> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.fault())
        }
    }

    /// `depth` is that of an array or object that may start here.
    fn value(&mut self, depth: usize) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.object(depth, None),
            Some(b'[') => self.array(depth),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            _ => Err(self.fault()),
        }
    }

    fn object(&mut self, depth: usize, mut members: Option<&mut Vec<Member>>) -> Result<(), Fault> {
        self.enter(b'{', depth)?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        let mut last: Option<Range<usize>> = None;
        loop {
            let key_start = self.at;
            self.string()?;
            let key = key_start..self.at;
            if let Some(last) = last {
                let what = match key_order(&self.text[last], &self.text[key.clone()]) {
                    Ordering::Less => None,
                    Ordering::Equal => Some(What::DuplicateKey),
                    Ordering::Greater => Some(What::Other),
                };
                if let Some(what) = what {
                    return Err(Fault { at: key_start, what });
                }
            }
            self.expect(b':')?;
            let value_start = self.at;
            self.value(depth + 1)?;
            if let Some(members) = members.as_deref_mut() {
                members.push(Member {
                    key: key.clone(),
                    value: value_start..self.at,
                });
            }
            last = Some(key);
            match self.peek() {
                Some(b',') => self.at += 1,
                _ => return self.expect(b'}'),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), Fault> {
        self.enter(b'[', depth)?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.value(depth + 1)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                _ => return self.expect(b']'),
            }
        }
    }

    fn enter(&mut self, bracket: u8, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(Fault {
                at: self.at,
                what: What::TooDeep,
            });
        }
        self.expect(bracket)
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.expect(b'"')?;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                None | Some(0..=0x1f) => return Err(self.fault()),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Only characters that must be escaped are, and in the shortest way.
    fn escape(&mut self) -> Result<(), Fault> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        self.at += match rest {
            [b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [
                b'u',
                b'0',
                b'0',
                high @ (b'0' | b'1'),
                low @ (b'0'..=b'9' | b'a'..=b'f'),
                ..,
            ] if *high == b'1' || !matches!(low, b'8' | b'9' | b'a' | b'c' | b'd') => 6,
            _ => return Err(self.fault()),
        };
        Ok(())
    }

    fn integer(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        if negative {
            self.at += 1;
        }
        let digits_start = self.at;
        let mut number: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = &self.text.as_bytes()[digits_start..self.at];
        let canonical = match digits {
            [] => false,
            [b'0'] => !negative,
            [first, ..] => *first != b'0' && number <= MAX_INTEGER,
        };
        if canonical {
            Ok(())
        } else {
            Err(Fault {
                at: start,
                what: What::Other,
            })
        }
    }
}

/// The order of two keys (with their quotes) by their UTF-16 units.
fn key_order(left: &str, right: &str) -> Ordering {
    let plain = |key: &str| key.bytes().all(|byte| byte.is_ascii() && byte != b'\\');
    if plain(left) && plain(right) {
        // The closing quote must not take part: a key is less than one that it begins.
        return left[..left.len() - 1].cmp(&right[..right.len() - 1]);
    }
    let (left, right) = (unescaped(left), unescaped(right));
    left.encode_utf16().cmp(right.encode_utf16())
}

/// The text that a string literal with canonical escapes stands for.
fn unescaped(literal: &str) -> String {
    serde_json::from_str(literal).expect("a scanned string is a JSON string")
}
