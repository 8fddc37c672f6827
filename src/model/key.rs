//! Spelling of keys: how units, files and paths are named in facts.

use std::fmt::Write as _;

/// The key of a file, golden or not: `file:<path>`.
pub fn file_key(path: &[u8]) -> String {
    format!("file:{}", escape_module_bytes(path))
}

/// The key of a golden entry or of a suppression: `file:<path>#entry <name>`.
pub fn entry_key(path: &[u8], name: &str) -> String {
    format!("{}#entry {}", file_key(path), escape_name(name))
}

/// A path as facts show it: itself, only bytes that are not UTF-8 written `\xNN`.
pub fn path_text(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        text.push_str(chunk.valid());
        push_invalid(&mut text, chunk.invalid());
    }
    text
}

/// The module part of a key, or a path in it: `\`, `#` and control characters escaped.
pub fn escape_module(module: &str) -> String {
    let mut text = String::with_capacity(module.len());
    push_module(&mut text, module);
    text
}

/// Like [`escape_module`], for bytes: those that are not UTF-8 become `\xNN`.
pub fn escape_module_bytes(module: &[u8]) -> String {
    let mut text = String::with_capacity(module.len());
    for chunk in module.utf8_chunks() {
        push_module(&mut text, chunk.valid());
        push_invalid(&mut text, chunk.invalid());
    }
    text
}

/// A name in a segment: `\`, ` > ` and control characters escaped.
pub fn escape_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with(" > ") {
            // The blank behind stays, it may open the next ` > `.
            text.push_str(" \\>");
            rest = &rest[2..];
            continue;
        }
        push_escaped(&mut text, c);
        rest = &rest[c.len_utf8()..];
    }
    text
}

fn push_module(text: &mut String, module: &str) {
    for c in module.chars() {
        if c == '#' {
            text.push('\\');
        }
        push_escaped(text, c);
    }
}

fn push_escaped(text: &mut String, c: char) {
    match c {
        '\\' => text.push_str("\\\\"),
        c if c.is_control() => {
            // Writing to a String cannot fail.
            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
        }
        c => text.push(c),
    }
}

fn push_invalid(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_only_what_would_be_ambiguous() {
        assert_eq!(file_key(b"src/c#/a \"b\".js"), "file:src/c\\#/a \"b\".js");
        assert_eq!(file_key(b"a\\b\n\xff"), "file:a\\\\b\\u{a}\\xFF");
        assert_eq!(path_text(b"a\\b#\xff"), "a\\b#\\xFF");
        assert_eq!(
            entry_key(b"x.snap", "a > b > c # > "),
            "file:x.snap#entry a \\> b \\> c # \\> "
        );
        assert_eq!(
            escape_name("a >b größe \u{7f} > > x"),
            "a >b größe \\u{7f} \\> \\> x"
        );
    }
}
