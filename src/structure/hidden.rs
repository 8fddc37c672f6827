//! Characters that make source look different from what it is: bidirectional controls, and zero-width characters
//! inside identifiers.

use memchr::memchr2_iter;

use crate::model::fact::{Fact, FactKind, Span};
use crate::model::key::{file_key, path_text};

/// How many bytes around a character are searched for its neighbours: linear time on any input.
const MAX_AROUND: usize = 256;

/// States hidden characters that a file did not have before; one fact a file.
pub fn compare(path: &[u8], before: &[u8], after: &[u8]) -> Option<Fact> {
    let new = find(after);
    let old = find(before);
    // By kind of character, so that moving one is no fact and exchanging one for a worse one is.
    let (c, at) = new.iter().find(|(c, _)| {
        let count = |list: &[(char, usize)]| list.iter().filter(|(other, _)| other == c).count();
        count(&new) > count(&old)
    })?;
    let line = memchr::memchr_iter(b'\n', &after[..*at]).count();
    let number = u32::try_from(line + 1).unwrap_or(u32::MAX);
    let text = after.split(|byte| *byte == b'\n').nth(line).unwrap_or_default();
    let mut fact = Fact::new(FactKind::HiddenUnicode, file_key(path), path_text(path));
    fact.after = Some(Span::new(
        number,
        number,
        String::from_utf8_lossy(text).trim().to_owned().as_str(),
    ));
    fact.detail.rule = Some(format!("U+{:04X}", u32::from(*c)));
    Some(fact)
}

/// The hidden characters of a text and their offsets.
fn find(text: &[u8]) -> Vec<(char, usize)> {
    // All of them start with one of two bytes in UTF-8.
    memchr2_iter(0xE2, 0xEF, text)
        .filter_map(|at| {
            let c = first_char(&text[at..])?;
            let hidden = match c {
                '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
                _ => has_no_width(c) && in_identifier(text, at, c.len_utf8()),
            };
            hidden.then_some((c, at))
        })
        .collect()
}

fn first_char(text: &[u8]) -> Option<char> {
    text[..text.len().min(4)]
        .utf8_chunks()
        .next()?
        .valid()
        .chars()
        .next()
}

/// Whether identifier characters stand on both sides, whatever more of zero width stands between.
fn in_identifier(text: &[u8], at: usize, length: usize) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[at.saturating_sub(MAX_AROUND)..at]
        .utf8_chunks()
        .last()
        .filter(|chunk| chunk.invalid().is_empty())
        .and_then(|chunk| chunk.valid().chars().rev().find(|c| !has_no_width(*c)));
    let end = text.len().min(at + length + MAX_AROUND);
    let after = text[at + length..end]
        .utf8_chunks()
        .next()
        .and_then(|chunk| chunk.valid().chars().find(|c| !has_no_width(*c)));
    before.is_some_and(part) && after.is_some_and(part)
}

fn has_no_width(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_anywhere_zero_width_in_identifiers() {
        for (before, after, hit) in [
            ("a", "// \u{202E}b", true),
            ("// \u{202E}b", "x\n// \u{202E}b", false),
            ("// \u{202E}b", "// \u{2066}b", true),
            ("ab", "a\u{200B}b", true),
            ("ab", "a\u{200B}\u{200D}\u{FEFF}b", true),
            ("ab", "a \u{200B}\u{200D} b", false),
            ("äb", "ä\u{200B}\u{200B}", false),
            ("ä\u{200D}b", "ä\u{200D}b c\u{200D}d", true),
            ("", "\"👩\u{200D}🚀\"", false),
            ("", "“quoted” – \u{FEFF}", false),
        ] {
            let fact = compare(b"a.rs", before.as_bytes(), after.as_bytes());
            assert_eq!(fact.is_some(), hit, "{after:?}");
        }
    }
}
