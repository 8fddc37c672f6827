//! Makes text from a repository safe to show: control and direction characters become visible.

use std::fmt::Write as _;

/// Replaces everything that could move a cursor, hide text or reorder it by `\u{XX}`.
///
/// Covers C0 and C1 controls, DEL, line and paragraph separators, bidirectional controls and zero-width characters.
/// Line feeds become `\u{A}` as well: the result is always one line.
pub fn sanitise(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            // Writing to a String cannot fail.
            let _ = write!(safe, "\\u{{{:X}}}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Like [`sanitise`], for bytes: those that are not UTF-8 become `\xNN`.
pub fn sanitise_bytes(bytes: &[u8]) -> String {
    let mut safe = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        safe.push_str(&sanitise(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(safe, "\\x{byte:02X}");
        }
    }
    safe
}

/// The same JSON with every such character escaped: escapes of JSON, so that nothing is lost. Whoever prints JSON on a
/// terminal is as safe as with the form for people.
pub fn escape_json(json: String) -> String {
    let is_raw = |c: char| c != '\n' && is_unsafe(c);
    if !json.contains(is_raw) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_raw(c) {
            // All of them are within four digits.
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Whether a character must never reach a terminal as it is.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{61C}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_controls_and_keeps_the_rest() {
        assert_eq!(
            sanitise("a\tb\u{1b}[2J\u{202e}é 日本"),
            "a\\u{9}b\\u{1B}[2J\\u{202E}é 日本"
        );
        let json = serde_json::json!({"a": "\u{1b}\u{9b}31m\u{202e}é\n", "b": [1]});
        let safe = escape_json(format!("{json:#}\n"));
        assert!(safe.contains("\\u009b31m\\u202e"), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).ok(), Some(json));
        assert_eq!(sanitise_bytes(b"ok\xff\n"), "ok\\xFF\\u{A}");
    }
}
