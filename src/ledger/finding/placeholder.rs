//! Words that stand where a text is still to be written.

/// Lower case, without punctuation around them.
const WORDS: [&str; 13] = [
    "wip", "tmp", "tbd", "todo", "asdf", "oops", "stuff", "things", "n/a", "na", "none", "null", "x",
];

/// Whether every word of `text` is one of these, or `text` has no letter or digit at all.
///
/// Case and the punctuation around a word do not matter; a word of punctuation alone says nothing either way.
pub(super) fn is_placeholder(text: &str) -> bool {
    text.split_whitespace().all(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.is_empty() || WORDS.contains(&bare.to_lowercase().as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_only_as_a_whole() {
        for placeholder in [
            "",
            "...",
            "-- .",
            "TBD",
            "(n/a), Todo:",
            "»x«",
            "null null",
            "🙂 tbd",
        ] {
            assert!(is_placeholder(placeholder), "{placeholder}");
        }
        for text in [
            "x1",
            "none of them",
            "todo: write it",
            "né",
            "0",
            "n/b",
            "wip_done",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
