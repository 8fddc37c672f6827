//! Breaks text for people between words.

use crate::model::text::sanitise;

/// Lines are at most this many characters; findings, evidence and words that are longer aside.
pub(super) const WIDTH: usize = 80;

/// Appends one paragraph; lines after the first are indented by two more. Control characters are made visible.
pub(super) fn wrapped(text: &mut String, indent: &str, paragraph: &str) {
    broken(text, (indent, &format!("{indent}  ")), paragraph);
}

/// A text of several paragraphs, one a line; blank lines stay, and indented lines are not broken.
pub fn paragraphs(source: &str) -> String {
    let mut text = String::new();
    for line in source.lines() {
        if line.starts_with("  ") {
            text.push_str(&sanitise(line));
            text.push('\n');
        } else {
            broken(&mut text, ("", ""), line);
        }
    }
    text
}

/// Appends one paragraph with these indents of the first and of all other lines.
fn broken(text: &mut String, (first, other): (&str, &str), paragraph: &str) {
    let mut line = first.to_owned();
    let mut start = line.len();
    for word in sanitise(paragraph).split(' ') {
        let room = line.chars().count() + 1 + word.chars().count();
        if line.len() > start && room > WIDTH {
            text.push_str(&line);
            text.push('\n');
            start = other.len();
            line = format!("{other}{word}");
        } else {
            if line.len() > start {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    text.push_str(&line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words_and_keeps_blank_lines() {
        let text = paragraphs(&format!(
            "{}\n\n{}",
            "word ".repeat(30).trim_end(),
            "x".repeat(100)
        ));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines.iter().map(|line| line.len()).collect::<Vec<_>>(),
            [79, 69, 0, 100]
        );
        let mut indented = String::new();
        wrapped(&mut indented, "  ", &"word ".repeat(30));
        assert!(
            indented.starts_with("  word") && indented.contains("\n    word"),
            "{indented}"
        );
        assert!(
            indented.lines().all(|line| line.chars().count() <= WIDTH),
            "{indented}"
        );
    }
}
