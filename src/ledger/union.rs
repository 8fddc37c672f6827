//! The union of notes, line by line and byte for byte: what any side has, the result has.
//!
//! Commutative, associative and idempotent, so clones that exchange notes in any order end with equal bytes.

/// All lines of all `texts` (left, base, right), each once, sorted bytewise, each ended by a line feed.
///
/// Lines are not looked into: corrupt and blank ones are kept as they are, for a reader to report.
/// A last line without its line feed gets one. Linear but for the sort, which takes runs that are in order as they are.
pub fn union<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let texts: Vec<&[u8]> = texts.into_iter().collect();
    let mut lines: Vec<&[u8]> = texts.iter().flat_map(|text| lines_of(text)).collect();
    // The stable sort finds the sorted runs that notes consist of and merges them.
    lines.sort();
    lines.dedup();
    let mut merged = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        merged.extend_from_slice(line);
        merged.push(b'\n');
    }
    merged
}

/// The lines of a note without their line feeds; none for an empty text.
pub fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = text.strip_suffix(b"\n").unwrap_or(text);
    whole
        .split(|byte| *byte == b'\n')
        .take(if text.is_empty() { 0 } else { usize::MAX })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keeps_blank_lines_and_ends_the_last_one() {
        for (texts, expected) in [
            (&["b\na\n", "a\nc"][..], "a\nb\nc\n"),
            (&["", ""], ""),
            (&["\n"], "\n"),
            (&["a\n\n", "a"], "\na\n"),
            (&["ab\n", "a\n", "a\u{1}\n"], "a\na\u{1}\nab\n"),
        ] {
            let merged = union(texts.iter().map(|text| text.as_bytes()));
            assert_eq!(String::from_utf8(merged).unwrap(), expected, "{texts:?}");
        }
    }

    /// Texts of few different lines, so that sides share some.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            prop::collection::vec(prop::sample::select(&b"ab\n\xff\0"[..]), 0..12),
            any::<Vec<u8>>(),
        ]
    }

    proptest! {
        #[test]
        fn is_a_union(a in text(), b in text(), c in text()) {
            let of = |x: &[u8], y: &[u8]| union([x, y]);
            prop_assert_eq!(of(&a, &b), of(&b, &a));
            prop_assert_eq!(of(&of(&a, &b), &c), of(&a, &of(&b, &c)));
            prop_assert_eq!(of(&of(&a, &b), &b), of(&a, &b));
            prop_assert_eq!(union([&a[..], &b, &c]), of(&of(&a, &b), &c));
            let merged = of(&a, &b);
            for line in lines_of(&a).chain(lines_of(&b)) {
                prop_assert!(lines_of(&merged).any(|kept| kept == line));
            }
            for line in lines_of(&merged) {
                prop_assert!(lines_of(&a).chain(lines_of(&b)).any(|given| given == line));
            }
        }
    }
}
