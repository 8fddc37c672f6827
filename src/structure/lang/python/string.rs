//! String literals: where they end, whatever is nested in them, and what they mean apart from how they are quoted.

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::hash;
use crate::structure::lexer::{Fault, MAX_DEPTH, Syntax, word_end};

use super::syntax::PythonSyntax;
use super::syntax::line_end;

/// How many letters in front of a quote are the prefix of a string; 0 where there is none, or no quote behind it.
pub(super) fn prefix_length(source: &[u8]) -> usize {
    let letters = source
        .iter()
        .take(3)
        .take_while(|byte| byte.is_ascii_alphabetic());
    let length = letters.count();
    let known = match source.get(..length).unwrap_or_default() {
        [one] => b"rRbBuUfFtT".contains(one),
        [one, two] => {
            let other = |byte: &u8| b"bBfFtT".contains(byte);
            let raw = |byte: &u8| b"rR".contains(byte);
            (raw(one) && other(two)) || (other(one) && raw(two))
        }
        _ => false,
    };
    if known && matches!(source.get(length), Some(b'"' | b'\'')) {
        length
    } else {
        0
    }
}

/// What a prefix says.
fn is_raw(prefix: &[u8]) -> bool {
    prefix.iter().any(|byte| b"rR".contains(byte))
}

/// Whether a string holds expressions in braces.
fn is_format(prefix: &[u8]) -> bool {
    prefix.iter().any(|byte| b"fFtT".contains(byte))
}

/// Where the string whose prefix begins at `at` and whose first quote stands at `quote` ends.
pub(super) fn end(source: &[u8], at: usize, quote: usize) -> Result<usize, Fault> {
    if is_format(&source[at..quote]) {
        formatted(source, at, quote)
    } else {
        plain(source, at, quote)
    }
}

/// Whether three quotes stand here.
fn is_triple(source: &[u8], quote: usize) -> bool {
    let sign = source[quote];
    source.get(quote + 1) == Some(&sign) && source.get(quote + 2) == Some(&sign)
}

/// The bytes that a backslash takes along, itself included.
fn escaped(source: &[u8], at: usize) -> usize {
    if source.get(at + 1) == Some(&b'\r') && source.get(at + 2) == Some(&b'\n') {
        3
    } else {
        2
    }
}

fn unterminated(at: usize) -> Fault {
    Fault::unterminated(at, "a string that does not end")
}

/// A string without expressions in it.
fn plain(source: &[u8], at: usize, quote: usize) -> Result<usize, Fault> {
    let sign = source[quote];
    if is_triple(source, quote) {
        let mut next = quote + 3;
        while let Some(found) = memchr::memchr2(sign, b'\\', source.get(next..).unwrap_or_default()) {
            let place = next + found;
            if source[place] == b'\\' {
                next = place + 2;
            } else if is_triple(source, place) {
                return Ok(place + 3);
            } else {
                next = place + 1;
            }
        }
        return Err(unterminated(at));
    }
    let mut next = quote + 1;
    while let Some(byte) = source.get(next) {
        match *byte {
            b'\\' => next += escaped(source, next),
            b'\n' => break,
            byte if byte == sign => return Ok(next + 1),
            _ => next += 1,
        }
    }
    Err(unterminated(at))
}

/// What is open inside a formatted string.
#[derive(Clone, Copy)]
enum Inside {
    /// The text of a string.
    Text(Quotes),
    /// An expression in braces, with this many delimiters open in it.
    Field(usize),
    /// What stands behind the colon of an expression in a string with these quotes.
    Format(Quotes),
}

#[derive(Clone, Copy)]
struct Quotes {
    sign: u8,
    triple: bool,
    raw: bool,
}

impl Quotes {
    fn close(self, source: &[u8], at: usize) -> bool {
        source[at] == self.sign && (!self.triple || is_triple(source, at))
    }

    fn length(self) -> usize {
        if self.triple { 3 } else { 1 }
    }
}

/// A formatted string: its expressions may hold strings with the same quotes again, to any depth.
fn formatted(source: &[u8], at: usize, quote: usize) -> Result<usize, Fault> {
    let quotes = |prefix: &[u8], quote: usize| Quotes {
        sign: source[quote],
        triple: is_triple(source, quote),
        raw: is_raw(prefix),
    };
    let outer = quotes(&source[at..quote], quote);
    let mut open = vec![Inside::Text(outer)];
    let mut next = quote + outer.length();
    while let (Some(inside), Some(byte)) = (open.last().copied(), source.get(next).copied()) {
        match inside {
            Inside::Text(quotes) | Inside::Format(quotes) if !quotes.triple && byte == b'\n' => break,
            Inside::Text(quotes) => match byte {
                b'\\' => next += backslash(source, next, quotes),
                b'{' if source.get(next + 1) == Some(&b'{') => next += 2,
                b'{' => {
                    open.push(Inside::Field(0));
                    next += 1;
                }
                _ if quotes.close(source, next) => {
                    open.pop();
                    next += quotes.length();
                    if open.is_empty() {
                        return Ok(next);
                    }
                }
                _ => next += 1,
            },
            Inside::Format(quotes) => match byte {
                b'{' => {
                    open.push(Inside::Field(0));
                    next += 1;
                }
                b'}' => {
                    open.pop();
                    next += 1;
                }
                _ if quotes.close(source, next) => break,
                _ => next += 1,
            },
            Inside::Field(depth) => {
                let prefix = prefix_length(&source[next..]);
                if matches!(source.get(next + prefix), Some(b'"' | b'\'')) {
                    let start = next + prefix;
                    if is_format(&source[next..start]) {
                        let quotes = quotes(&source[next..start], start);
                        open.push(Inside::Text(quotes));
                        next = start + quotes.length();
                    } else {
                        next = plain(source, next, start)?;
                    }
                } else {
                    next = field(source, next, depth, &mut open);
                }
            }
        }
        if open.len() > MAX_DEPTH {
            let what = "strings nested deeper than 4096";
            return Err(Fault {
                reason: UnmeasuredReason::TooDeep,
                at,
                what,
            });
        }
    }
    Err(unterminated(at))
}

/// What a backslash in the text of a formatted string takes along; braces keep their meaning behind it.
fn backslash(source: &[u8], at: usize, quotes: Quotes) -> usize {
    match source.get(at + 1) {
        Some(b'{' | b'}') => 1,
        // `\N{DASH}` names a character.
        Some(b'N') if !quotes.raw && source.get(at + 2) == Some(&b'{') => 3,
        _ => escaped(source, at),
    }
}

/// Steps over something in an expression that is no string.
fn field(source: &[u8], at: usize, depth: usize, open: &mut Vec<Inside>) -> usize {
    let set = |open: &mut Vec<Inside>, inside: Inside| {
        if let Some(last) = open.last_mut() {
            *last = inside;
        }
    };
    match source[at] {
        b'(' | b'[' | b'{' => set(open, Inside::Field(depth + 1)),
        b'}' if depth == 0 => {
            open.pop();
        }
        b')' | b']' | b'}' => set(open, Inside::Field(depth.saturating_sub(1))),
        b':' if depth == 0 => {
            let around = open.iter().rev().find_map(|inside| match inside {
                Inside::Text(quotes) | Inside::Format(quotes) => Some(*quotes),
                Inside::Field(_) => None,
            });
            if let Some(quotes) = around {
                set(open, Inside::Format(quotes));
            }
        }
        b'#' => return line_end(source, at),
        byte if PythonSyntax::WORDS[usize::from(byte)] => {
            return word_end::<PythonSyntax>(source, at + 1);
        }
        _ => {}
    }
    at + 1
}

/// A string token taken apart.
#[derive(Clone, Copy)]
pub(super) struct Literal<'a> {
    prefix: &'a [u8],
    /// Where the content begins in the token.
    pub(super) start: usize,
    /// What stands between the quotes.
    pub(super) content: &'a [u8],
}

impl<'a> Literal<'a> {
    /// Takes a string token apart.
    pub(super) fn of(token: &'a [u8]) -> Self {
        let quote = token.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let length = if token.len() >= quote + 6 && is_triple(token, quote) {
            3
        } else {
            1
        };
        let end = token.len().saturating_sub(length);
        Self {
            prefix: &token[..quote.min(token.len())],
            start: quote + length,
            content: token.get(quote + length..end).unwrap_or_default(),
        }
    }

    /// Whether it is a string without expressions, and so without effect where it stands alone.
    pub(super) fn is_constant(self) -> bool {
        !is_format(self.prefix)
    }

    /// A hash that is equal for strings of equal content, whichever quotes they are written with.
    pub(super) fn hash(self) -> u64 {
        let has = |byte: u8| {
            self.prefix
                .iter()
                .any(|prefix| prefix.eq_ignore_ascii_case(&byte))
        };
        let backslash = memchr::memchr(b'\\', self.content).is_some();
        let format = is_format(self.prefix);
        let kind = 1
            + u64::from(has(b'b'))
            + 2 * u64::from(is_raw(self.prefix) && backslash)
            + 4 * u64::from(has(b'f'))
            + 8 * u64::from(has(b't'));
        let escapes = backslash && !is_raw(self.prefix);
        let content = if escapes || (format && memchr::memchr(b'{', self.content).is_some()) {
            hash::literal(&self.unquoted(escapes, format))
        } else {
            hash::literal(self.content)
        };
        content ^ kind.wrapping_mul(hash::PLACEHOLDER)
    }

    /// The content as if no quote had to be escaped, and all strings inside of expressions had one sort of quotes.
    fn unquoted(self, escapes: bool, format: bool) -> Vec<u8> {
        let mut plain = Vec::with_capacity(self.content.len());
        let mut depth = 0_usize;
        let mut at = 0;
        while let Some(byte) = self.content.get(at).copied() {
            let next = self.content.get(at + 1).copied();
            match (byte, next) {
                (b'\\', Some(quote @ (b'"' | b'\''))) if escapes => {
                    plain.push(quote);
                    at += 1;
                }
                (b'\\', Some(next)) if escapes => {
                    plain.extend([byte, next]);
                    at += 1;
                }
                (b'"', _) if depth > 0 => plain.push(b'\''),
                _ => {
                    if format && byte == b'{' {
                        depth += 1;
                    } else if format && byte == b'}' {
                        depth = depth.saturating_sub(1);
                    }
                    plain.push(byte);
                }
            }
            at += 1;
        }
        plain
    }

    /// Its text, where the source says it without any computation.
    pub(super) fn text(self) -> Option<String> {
        let constant = self.is_constant() && memchr::memchr(b'\\', self.content).is_none();
        constant.then(|| crate::structure::lexer::lines::text_of(self.content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Result<usize, UnmeasuredReason> {
        let quote = prefix_length(text.as_bytes());
        end(text.as_bytes(), 0, quote).map_err(|fault| fault.reason)
    }

    #[test]
    fn strings_end_where_they_should() {
        for text in [
            r#""a\"b""#,
            r#"'"'"#,
            r#"r"\"""#,
            "'a\\\r\nb'",
            r#""""a"b""c\"""d""""#,
            "'''\n'''",
            "Rb'''a'''",
            r#"f"{x["a"]}""#,
            r#"f"{row['name']!r:>{row['width']}} {'}' if row else '{'} {{literal}}""#,
            r#"f"{f"{f"{1}"}"}""#,
            r#"f"{x:'>10}""#,
            r"f'\N{DASH}{x}'",
            r#"rf"\{x}\"""#,
            r#"f"\{x}""#,
            "f'''{\n x  # it's\n}'''",
            "f'{(lambda x: {1: \"}\"})(1)}'",
            "f'{{'",
            "f'{a!r:{b:{c}}}'",
            "t'{x}'",
            "f'{rb\"}\"!r}'",
        ] {
            assert_eq!(ends(text), Ok(text.len()), "{text}");
            assert_eq!(ends(&format!("{text} 'x' \"y\"")), Ok(text.len()), "{text}");
        }
        for text in [
            "'a\nb'",
            "'a",
            "'''a''",
            "'a\\'",
            "f'{x'",
            "f'{x:\n}'",
            "f\"{x:\"}",
        ] {
            assert_eq!(ends(text), Err(UnmeasuredReason::Unterminated), "{text}");
        }
        let deep = "f'{".repeat(5000);
        assert_eq!(ends(&deep), Err(UnmeasuredReason::TooDeep));
    }

    #[test]
    fn prefixes_are_told_from_words() {
        for (text, length) in [
            ("f''", 1),
            ("Rb\"", 2),
            ("bf''", 0),
            ("uf''", 0),
            ("fr", 0),
            ("if''", 0),
            ("''", 0),
        ] {
            assert_eq!(prefix_length(text.as_bytes()), length, "{text}");
        }
    }

    #[test]
    fn how_a_string_is_quoted_does_not_count() {
        let hash = |text: &str| Literal::of(text.as_bytes()).hash();
        for (a, b) in [
            ("'a'", "\"a\""),
            ("'''a'''", "u'a'"),
            (r"'it\'s'", r#""it's""#),
            ("r'a'", "'a'"),
            ("f'{x[\"a\"]}'", "f\"{x['a']}\""),
            ("'''a\r\nb'''", "'''a\nb'''"),
        ] {
            assert_eq!(hash(a), hash(b), "{a}");
        }
        for (a, b) in [
            ("'a'", "b'a'"),
            (r"r'\n'", r"'\n'"),
            ("f'a'", "'a'"),
            ("''", "' '"),
            ("'\"'", "'\\''"),
        ] {
            assert_ne!(hash(a), hash(b), "{a}");
        }
        assert_eq!(Literal::of(b"'''a'''").text().as_deref(), Some("a"));
        assert_eq!(Literal::of(b"\"\"").text().as_deref(), Some(""));
        assert_eq!(Literal::of(b"f'a'").text(), None);
    }
}
