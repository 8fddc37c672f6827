//! From byte offsets to line numbers, and folded text for people.

use std::cell::Cell;

use super::small;

/// Where each line of a file begins.
#[derive(Debug, Clone)]
pub struct Lines {
    starts: Vec<u32>,
    /// The line that was asked for last: the next question is mostly about one close behind.
    last: Cell<usize>,
}

impl Lines {
    /// Finds the lines of a source.
    pub fn new(source: &[u8]) -> Self {
        // Lines are short: looking at eight bytes at once beats a search from each line feed to the next.
        let mut starts = Vec::with_capacity(source.len() / 24 + 2);
        starts.push(0);
        let (words, rest) = source.as_chunks::<8>();
        for (number, word) in words.iter().enumerate() {
            let mut feeds = line_feeds(u64::from_le_bytes(*word));
            while feeds != 0 {
                starts.push(small(number * 8 + feeds.trailing_zeros() as usize / 8 + 1));
                feeds &= feeds - 1;
            }
        }
        let behind = words.len() * 8;
        let feeds = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        starts.extend(feeds.map(|(at, _)| small(behind + at + 1)));
        Self {
            starts,
            last: Cell::new(0),
        }
    }

    /// The line that an offset stands in, counted from 1.
    pub fn line(&self, offset: usize) -> u32 {
        let near = self.last.get();
        let window = self
            .starts
            .get(near..(near + 16).min(self.starts.len()))
            .unwrap_or_default();
        let passed = window
            .iter()
            .take_while(|start| **start as usize <= offset)
            .count();
        let line = if passed > 0 && passed < window.len() {
            near + passed
        } else {
            self.starts.partition_point(|start| *start as usize <= offset)
        };
        self.last.set(line.saturating_sub(1));
        small(line)
    }

    /// Whether the file was written by a program to be small: a line over 20 000 bytes, or a mean over 400.
    pub fn minified(&self, source: &[u8]) -> bool {
        let ends = self.starts.iter().skip(1).copied().chain([small(source.len())]);
        let longest = self
            .starts
            .iter()
            .zip(ends)
            .map(|(start, end)| end.saturating_sub(*start))
            .max();
        // A short file of one line is no sign of anything.
        longest.is_some_and(|longest| longest > 20_000)
            || (source.len() > 4000 && source.len() / self.starts.len() > 400)
    }
}

/// The highest bit of each byte that is a line feed.
const fn line_feeds(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let other = word ^ 0x0a0a_0a0a_0a0a_0a0a;
    // Adding to the lower seven bits of a byte carries into its highest one unless they are all zero.
    !(((other & LOW) + LOW) | other | LOW)
}

/// Longest text that is kept of a declaration or statement.
pub const MAX_TEXT: usize = 2000;

/// A part of a source as text of at most [`MAX_TEXT`] bytes, white space folded to one blank.
pub fn folded(source: &[u8]) -> String {
    // Folding only shortens, but a long run of blanks must not hide the rest.
    let cut = &source[..source.len().min(MAX_TEXT * 4)];
    let mut text = String::new();
    for word in cut.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        push_bytes(&mut text, word);
        if text.len() > MAX_TEXT {
            break;
        }
    }
    truncate(&mut text);
    text
}

/// Cuts a text at [`MAX_TEXT`] bytes, between characters.
pub fn truncate(text: &mut String) {
    if text.len() > MAX_TEXT {
        cut(text, MAX_TEXT);
    }
}

/// Cuts a text at the last character that ends within `limit` bytes.
pub fn cut(text: &mut String, limit: usize) {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
}

/// Appends bytes to a text; those that are not UTF-8 become `\xNN`.
pub fn push_bytes(text: &mut String, bytes: &[u8]) {
    use std::fmt::Write as _;
    if let Ok(valid) = std::str::from_utf8(bytes) {
        text.push_str(valid);
        return;
    }
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
}

/// Bytes as text; those that are not UTF-8 become `\xNN`.
pub fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    push_bytes(&mut text, bytes);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one_and_texts_are_folded() {
        let lines = Lines::new(b"a\nbc\n");
        let found: Vec<u32> = (0..6).map(|at| lines.line(at)).collect();
        assert_eq!(found, [1, 1, 2, 2, 2, 3]);
        let mixed = b"\n\x0b\x8a\n\n\n\x09\n\xff\n\n0123456789\n\n\n12\n";
        let lines = Lines::new(mixed);
        let mut line = 1;
        for (at, byte) in mixed.iter().enumerate() {
            assert_eq!(lines.line(at), line, "{at}");
            line += u32::from(*byte == b'\n');
        }
        let long = vec![b'x'; 20_001];
        assert!(Lines::new(&long).minified(&long));
        assert!(!lines.minified(b"a\nbc\n"));
        assert_eq!(folded(b"  a \n\t b\xff "), "a b\\xFF");
        assert_eq!(folded("é".repeat(3000).as_bytes()).len(), MAX_TEXT);
    }
}
