//! Finds every path that Rust source names, as one from the crate root.

/// A path that the source names.
#[derive(Debug)]
pub struct Named {
    /// The line, from 1.
    pub line: usize,
    /// The path, from the crate root (`crate::…`) or of another crate.
    pub path: String,
    /// Whether it stands in an inline module `tests`.
    pub in_tests: bool,
}

/// Every path in `source` with its line, written from the crate root; groups of a `use` taken apart.
pub fn paths_in(source: &str, module: &[String]) -> Vec<Named> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    // Inline modules, each with the depth of braces at which it ends and whether it is one of tests.
    let mut inline: Vec<(usize, bool)> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        let (line, token) = &tokens[at];
        match token.as_str() {
            "mod" if tokens.get(at + 2).is_some_and(|(_, next)| next == "{") => {
                inline.push((depth, tokens[at + 1].1 == "tests"));
                depth += 1;
                at += 3;
            }
            "{" => {
                depth += 1;
                at += 1;
            }
            "}" => {
                depth -= 1;
                if inline.last().is_some_and(|(end, _)| *end == depth) {
                    inline.pop();
                }
                at += 1;
            }
            word if is_word(word) && tokens.get(at + 1).is_some_and(|(_, next)| next == "::") => {
                let mut paths = Vec::new();
                at = path_tree(&tokens, at, &mut Vec::new(), &mut paths);
                let in_tests = inline.iter().any(|(_, tests)| *tests);
                found.extend(
                    paths
                        .into_iter()
                        .filter_map(|path| resolve(&path, module, inline.len()))
                        .map(|path| Named {
                            line: *line,
                            path,
                            in_tests,
                        }),
                );
            }
            _ => at += 1,
        }
    }
    found
}

/// Reads `a::b::{c, d::*}` from `at`, adds every full path, and returns where it ends.
fn path_tree(
    tokens: &[(usize, String)],
    mut at: usize,
    prefix: &mut Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    let start = prefix.len();
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|(_, token)| token == text);
    loop {
        if is(at, "{") {
            at += 1;
            while at < tokens.len() && !is(at, "}") {
                at = if is(at, ",") {
                    at + 1
                } else {
                    path_tree(tokens, at, prefix, found)
                };
            }
            at += 1;
            break;
        }
        if is(at, "*") || !tokens.get(at).is_some_and(|(_, token)| is_word(token)) {
            // A glob, or a turbofish: what was read so far.
            found.push(prefix.clone());
            at += usize::from(is(at, "*"));
            break;
        }
        let word = tokens[at].1.clone();
        let itself = word == "self" && prefix.len() > start.min(1) && !prefix.is_empty();
        if !itself {
            prefix.push(word);
        }
        at += 1;
        if is(at, "::") {
            at += 1;
        } else {
            if is(at, "as") {
                at += 2;
            }
            found.push(prefix.clone());
            break;
        }
    }
    prefix.truncate(start);
    at
}

/// Turns `self` and `super` into a path from the crate root; inline modules are as deep as `inline` says.
fn resolve(path: &[String], module: &[String], inline: usize) -> Option<String> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let rest = match path[0].as_str() {
        "super" => &path[supers..],
        "self" => &path[1..],
        _ => return Some(path.join("::")),
    };
    let up = supers.saturating_sub(inline);
    // `super` of a `lib.rs` item cannot exist; a path that climbs too far would not compile.
    let base = &module[..module.len().checked_sub(up)?];
    let parts: Vec<&str> = std::iter::once("crate")
        .chain(base.iter().chain(rest).map(String::as_str))
        .collect();
    Some(parts.join("::"))
}

/// Whether a token is a name.
fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words and punctuation of Rust source with their lines; comments, texts and characters left out.
fn tokens(source: &str) -> Vec<(usize, String)> {
    let bytes: Vec<char> = source.chars().collect();
    let mut found = Vec::new();
    let mut line = 1;
    let mut at = 0;
    let get = |at: usize| bytes.get(at).copied().unwrap_or('\0');
    while at < bytes.len() {
        let start = at;
        match get(at) {
            '/' if get(at + 1) == '/' => {
                while at < bytes.len() && get(at) != '\n' {
                    at += 1;
                }
            }
            '/' if get(at + 1) == '*' => {
                while at < bytes.len() && !(get(at) == '*' && get(at + 1) == '/') {
                    at += 1;
                }
                at += 2;
            }
            'r' if raw_hashes(&bytes, at).is_some() => {
                let hashes = raw_hashes(&bytes, at).expect("just seen");
                at += 2 + hashes;
                while at < bytes.len() && !(get(at) == '"' && (1..=hashes).all(|n| get(at + n) == '#')) {
                    at += 1;
                }
                at += 1 + hashes;
            }
            '"' => {
                at += 1;
                while at < bytes.len() && get(at) != '"' {
                    at += 1 + usize::from(get(at) == '\\');
                }
                at += 1;
            }
            // A character, unless it is a lifetime.
            '\'' if get(at + 1) == '\\' => {
                at += 3;
                while at < bytes.len() && get(at) != '\'' {
                    at += 1;
                }
                at += 1;
            }
            '\'' if get(at + 2) == '\'' => at += 3,
            ':' if get(at + 1) == ':' => {
                found.push((line, "::".to_owned()));
                at += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                while get(at).is_alphanumeric() || get(at) == '_' {
                    at += 1;
                }
                found.push((line, bytes[start..at].iter().collect()));
            }
            c => {
                if !c.is_whitespace() {
                    found.push((line, c.to_string()));
                }
                at += 1;
            }
        }
        let end = at.min(bytes.len());
        line += bytes[start..end].iter().filter(|c| **c == '\n').count();
    }
    found
}

/// How many `#` a raw text that starts at `at` has; `None` when none starts there.
fn raw_hashes(bytes: &[char], at: usize) -> Option<usize> {
    // The `r` at the end of a word, such as `for`, is read with that word and never arrives here.
    let hashes = bytes[at + 1..].iter().take_while(|c| **c == '#').count();
    (bytes.get(at + 1 + hashes) == Some(&'"')).then_some(hashes)
}

#[test]
fn paths_are_found_where_they_hide() {
    let source = r#"
        //! crate::not::this
        use crate::{git::{self, Repo}, model::ids::*};
        use super::{fold, store::Store};
        pub use self::inner::Thing;
        const TEXT: &str = "crate::not::this"; // crate::nor::this
        fn f<'a>(c: char) -> bool { c == '"' || crate::ops::x(std::fs::read) }
        mod tests { use super::*; mod deep { use super::super::g; use crate::ui::Y; } }
        use super::super::git::X;
    "#;
    let mut found: Vec<String> = paths_in(source, &["ledger", "union"].map(String::from))
        .into_iter()
        .map(|named| named.path)
        .collect();
    found.retain(|path| path.starts_with("crate") || path.starts_with("std"));
    assert_eq!(
        found,
        [
            "crate::git",
            "crate::git::Repo",
            "crate::model::ids",
            "crate::ledger::fold",
            "crate::ledger::store::Store",
            "crate::ledger::union::inner::Thing",
            "crate::ops::x",
            "std::fs::read",
            "crate::ledger::union",
            "crate::ledger::union::g",
            "crate::ui::Y",
            "crate::git::X",
        ]
    );
}
