//! Splits a command line into words as a shell does, without anything else that a shell does.

use crate::error::{Error, Result};

/// The words: separated by blanks, kept together by quotes; a backslash takes the next character as it is. Nothing is
/// expanded, and no character starts, joins or redirects anything.
pub fn split(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    let unclosed = |what: &str| {
        Error::new("usage", format!("the command ends inside {what}"))
            .hint("git review-gate review run --reviewer \"program 'an argument'\"")
    };
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err(unclosed("single quotes")),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        // Within these quotes it takes away its meaning from a few characters only.
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some('\n') => {}
                            Some(c) => word.extend(['\\', c]),
                            None => return Err(unclosed("double quotes")),
                        },
                        Some(c) => word.push(c),
                        None => return Err(unclosed("double quotes")),
                    }
                }
            }
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err(unclosed("an escape")),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        for (line, words) in [
            ("", &[][..]),
            ("  a  b\tc\n", &["a", "b", "c"]),
            ("a 'b c' \"d e\"", &["a", "b c", "d e"]),
            ("a'b'\"c\"d", &["abcd"]),
            ("'' \"\"", &["", ""]),
            (r#""a\"b\\c\d" e\ f"#, &["a\"b\\c\\d", "e f"]),
            ("$(x) `y` *.z ; > |", &["$(x)", "`y`", "*.z", ";", ">", "|"]),
        ] {
            assert_eq!(split(line).unwrap(), words, "{line}");
        }
        for line in ["'a", "\"a", "a\\", "\"a\\"] {
            assert_eq!(split(line).unwrap_err().kind, "usage", "{line}");
        }
    }
}
