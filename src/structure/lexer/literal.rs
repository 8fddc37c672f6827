//! Literals and comments as several languages write them.

use super::Fault;

/// Where a text in quotes ends; a backslash takes the next byte along. `at` is the opening quote.
pub fn quoted(source: &[u8], at: usize) -> Result<usize, Fault> {
    let quote = source[at];
    let mut next = at + 1;
    while let Some(found) = memchr::memchr2(quote, b'\\', source.get(next..).unwrap_or_default()) {
        let place = next + found;
        if source[place] == quote {
            return Ok(place + 1);
        }
        next = place + 2;
    }
    Err(Fault::unterminated(at, "a string that does not end"))
}

/// Where a raw text with `#` signs around its quotes ends. `at` is the first `#` or the quote; `None`: there is no quote.
pub fn hashed(source: &[u8], at: usize) -> Option<Result<usize, Fault>> {
    let hashes = source[at..].iter().take_while(|byte| **byte == b'#').count();
    if source.get(at + hashes) != Some(&b'"') {
        return None;
    }
    let mut next = at + hashes + 1;
    while let Some(found) = memchr::memchr(b'"', &source[next..]) {
        next += found + 1;
        let closing = source[next..]
            .iter()
            .take(hashes)
            .take_while(|byte| **byte == b'#')
            .count();
        if closing == hashes {
            return Some(Ok(next + hashes));
        }
        // These signs are no quotes; stepping over them keeps the search linear.
        next += closing;
    }
    Some(Err(Fault::unterminated(at, "a raw string that does not end")))
}

/// Where a line ends: at its line feed, which is left out, or at the end of the source.
pub fn line_end(source: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |found| at + found)
}

/// Where a comment `/* … */` with others inside ends. `at` is its `/`.
pub fn nested_comment(source: &[u8], at: usize) -> Result<usize, Fault> {
    let mut depth = 1_usize;
    let mut next = at + 2;
    while let Some(found) = memchr::memchr2(b'*', b'/', source.get(next..).unwrap_or_default()) {
        let place = next + found;
        match (source[place], source.get(place + 1)) {
            (b'*', Some(b'/')) => {
                depth -= 1;
                next = place + 2;
                if depth == 0 {
                    return Ok(next);
                }
            }
            (b'/', Some(b'*')) => {
                depth += 1;
                next = place + 2;
            }
            _ => next = place + 1,
        }
    }
    Err(Fault::unterminated(at, "a comment that does not end"))
}

/// Where a number ends: digits, letters, a point with digits behind, a signed exponent.
pub fn number(source: &[u8], at: usize) -> usize {
    let radix = source[at] == b'0' && matches!(source.get(at + 1), Some(b'x' | b'X' | b'o' | b'b'));
    let is_word = |at: usize| {
        source
            .get(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut next = at + 1;
    let mut point = false;
    loop {
        if is_word(next) {
            next += 1;
        } else if !point
            && !radix
            && source.get(next) == Some(&b'.')
            && source.get(next + 1).is_some_and(u8::is_ascii_digit)
        {
            point = true;
            next += 2;
        } else if !radix
            && matches!(source.get(next), Some(b'+' | b'-'))
            && matches!(source[next - 1], b'e' | b'E')
            && source.get(next + 1).is_some_and(u8::is_ascii_digit)
        {
            next += 2;
        } else {
            return next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_end_where_they_should() {
        assert_eq!(quoted(br#""a\"b\\" c"#, 0), Ok(8));
        assert!(quoted(br#""a\"#, 0).is_err());
        assert_eq!(hashed(br###"##"a"#b"## c"###, 0), Some(Ok(10)));
        assert_eq!(hashed(b"#a", 0), None);
        assert_eq!(nested_comment(b"/* a /* b */ c */ d", 0), Ok(17));
        assert_eq!(nested_comment(b"/*/", 0).map_err(|fault| fault.at), Err(0));
        for (text, end) in [
            ("1.5e-3f", 7),
            ("1..2", 1),
            ("1.foo", 1),
            ("0xE-1", 3),
            ("1_000u64 ", 8),
            ("1.0.1", 3),
        ] {
            assert_eq!(number(text.as_bytes(), 0), end, "{text}");
        }
    }
}
