//! Makes text from a repository safe inside Markdown.

use crate::model::text::sanitise;

/// Escapes everything that Markdown or HTML would read as more than text; the result is one line.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in sanitise(text).chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '$' => {
                safe.push('\\');
                safe.push(c);
            }
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_marks_and_tags() {
        assert_eq!(
            escape("a|b <i> [x](y) `c`\n*d*"),
            r"a\|b &lt;i&gt; \[x\](y) \`c\`\\u{A}\*d\*"
        );
    }
}
