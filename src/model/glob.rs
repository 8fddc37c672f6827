//! Globs: gitignore-style ones for paths, whole-text ones for keys; matched in time linear in both.

/// One glob, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    tokens: Vec<Token>,
    /// Starts with `!`: takes out again what others took in.
    pub negated: bool,
    /// What a match has to cover.
    reach: Reach,
}

/// What a match has to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All of the text.
    Whole,
    /// The path, or a folder above it.
    PathOrFolder,
    /// A folder above the path (the glob ended with `/`).
    Folder,
}

/// A glob that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// Nothing in it.
    #[error("an empty glob")]
    Empty,
    /// More bytes than [`MAX_LENGTH`].
    #[error("a glob of more than {MAX_LENGTH} bytes")]
    TooLong,
    /// `[` without `]`.
    #[error("`[` without `]`")]
    OpenSet,
    /// `\` at the end.
    #[error("`\\` at the end")]
    LoneBackslash,
}

/// Globs have at most this many bytes.
pub const MAX_LENGTH: usize = 4096;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Literal(u32),
    /// `?`: one character but `/`.
    One,
    /// `*`: any characters but `/`.
    Star,
    /// `[…]`: one character but `/`.
    Set {
        negated: bool,
        ranges: Vec<(u32, u32)>,
    },
    /// Any one character, `/` included.
    Any,
    /// Any characters, `/` included.
    AnyStar,
    /// The next two tokens may be skipped.
    Optional,
}

const SLASH: u32 = b'/' as u32;

impl Glob {
    /// A gitignore-style glob for paths from the top of the repository.
    ///
    /// `*`, `?` and `[…]` do not cross `/`, `**` does; without a `/` before the end it matches at any depth;
    /// what matches a folder matches everything below it; `!` in front takes out again.
    pub fn path(text: &str) -> Result<Self, GlobError> {
        let (negated, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (reach, rest) = match rest.strip_suffix('/') {
            Some(rest) if !rest.ends_with('\\') => (Reach::Folder, rest),
            _ => (Reach::PathOrFolder, rest),
        };
        let anchored = rest.contains('/');
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let mut tokens = parse(rest, Stars::StopAtSlash)?;
        if !anchored {
            tokens.splice(0..0, [Token::Optional, Token::AnyStar, Token::Literal(SLASH)]);
        }
        Ok(Self {
            tokens,
            negated,
            reach,
        })
    }

    /// A glob for a whole key: `*` and `?` match any character.
    pub fn key(text: &str) -> Result<Self, GlobError> {
        Ok(Self {
            tokens: parse(text, Stars::CrossSlash)?,
            negated: false,
            reach: Reach::Whole,
        })
    }

    /// Whether the text matches; whether the glob is negated plays no part.
    pub fn matches(&self, text: &[u8]) -> bool {
        let text = characters(text);
        let mut states = vec![false; self.tokens.len() + 1];
        self.enter(&mut states, 0);
        for (index, c) in text.iter().enumerate() {
            if *c == SLASH && index > 0 && self.reach != Reach::Whole && states[self.tokens.len()] {
                return true;
            }
            let mut next = vec![false; states.len()];
            for (state, token) in self.tokens.iter().enumerate().filter(|(state, _)| states[*state]) {
                let (takes, stays) = token.take(*c);
                if takes {
                    self.enter(&mut next, if stays { state } else { state + 1 });
                }
            }
            states = next;
        }
        self.reach != Reach::Folder && states[self.tokens.len()]
    }

    /// Makes a state active, and those that follow from it without a character.
    fn enter(&self, states: &mut [bool], state: usize) {
        let mut todo = vec![state];
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut states[state], true) {
                continue;
            }
            match self.tokens.get(state) {
                Some(Token::Star | Token::AnyStar) => todo.push(state + 1),
                Some(Token::Optional) => todo.extend([state + 1, state + 3]),
                _ => {}
            }
        }
    }
}

impl Token {
    /// Whether the token takes this character, and whether it then goes on taking.
    fn take(&self, c: u32) -> (bool, bool) {
        match self {
            Self::Literal(literal) => (*literal == c, false),
            Self::One => (c != SLASH, false),
            Self::Star => (c != SLASH, true),
            Self::Set { negated, ranges } => {
                let inside = ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
                (c != SLASH && inside != *negated, false)
            }
            Self::Any => (true, false),
            Self::AnyStar => (true, true),
            Self::Optional => (false, false),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stars {
    StopAtSlash,
    CrossSlash,
}

/// The characters of a text; bytes that are not UTF-8 get numbers of their own.
fn characters(text: &[u8]) -> Vec<u32> {
    let mut characters = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(u32::from));
        characters.extend(chunk.invalid().iter().map(|byte| 0x11_0000 + u32::from(*byte)));
    }
    characters
}

fn parse(text: &str, stars: Stars) -> Result<Vec<Token>, GlobError> {
    if text.is_empty() {
        return Err(GlobError::Empty);
    }
    if text.len() > MAX_LENGTH {
        return Err(GlobError::TooLong);
    }
    let text = characters(text.as_bytes());
    let is = |index: usize, c: char| text.get(index) == Some(&u32::from(c));
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at).copied() {
        at += 1;
        match char::from_u32(c) {
            Some('*') if stars == Stars::CrossSlash => tokens.push(Token::AnyStar),
            Some('*') if is(at, '*') => {
                let opens = at == 1 || is(at - 2, '/');
                while is(at, '*') {
                    at += 1;
                }
                if opens && at == text.len() {
                    tokens.extend([Token::Any, Token::AnyStar]);
                } else if opens && is(at, '/') {
                    at += 1;
                    tokens.extend([Token::Optional, Token::AnyStar, Token::Literal(SLASH)]);
                } else {
                    tokens.push(Token::Star);
                }
            }
            Some('*') => tokens.push(Token::Star),
            Some('?') if stars == Stars::CrossSlash => tokens.push(Token::Any),
            Some('?') => tokens.push(Token::One),
            Some('[') if stars == Stars::StopAtSlash => tokens.push(set(&text, &mut at)?),
            Some('\\') => {
                let literal = text.get(at).ok_or(GlobError::LoneBackslash)?;
                at += 1;
                tokens.push(Token::Literal(*literal));
            }
            _ => tokens.push(Token::Literal(c)),
        }
    }
    Ok(tokens)
}

/// The set after `[`; a `]` that comes first is part of it.
fn set(text: &[u32], at: &mut usize) -> Result<Token, GlobError> {
    let is = |index: usize, c: char| text.get(index) == Some(&u32::from(c));
    let negated = is(*at, '!') || is(*at, '^');
    *at += usize::from(negated);
    let start = *at;
    let mut ranges = Vec::new();
    loop {
        if is(*at, ']') && *at > start {
            *at += 1;
            return Ok(Token::Set { negated, ranges });
        }
        *at += usize::from(is(*at, '\\'));
        let from = *text.get(*at).ok_or(GlobError::OpenSet)?;
        *at += 1;
        if is(*at, '-') && text.get(*at + 1).is_some() && !is(*at + 1, ']') {
            ranges.push((from, text[*at + 1]));
            *at += 2;
        } else {
            ranges.push((from, from));
        }
    }
}

/// Whether a list of path globs takes a path in: the last that matches decides.
///
/// A list that only takes out starts from everything.
pub fn selects(globs: &[Glob], path: &[u8]) -> bool {
    let last = globs.iter().rev().find(|glob| glob.matches(path));
    last.map_or_else(|| globs.iter().all(|glob| glob.negated), |glob| !glob.negated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn path_globs_match_as_in_gitignore() {
        for (glob, path, expected) in [
            ("*.rs", "src/lib.rs", true),
            ("*.rs", "lib.rs", true),
            ("*.rs", "lib.rss", false),
            ("shop/**", "shop/cart.py", true),
            ("shop/**", "shop", false),
            ("shop/*", "shop/a/b", true), // `shop/a` is a folder that matches
            ("/shop/*.py", "shop/a/b.py", false),
            ("legacy", "a/legacy/b/c.rs", true),
            ("legacy/", "a/legacy", false),
            ("legacy/", "a/legacy/x", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "ab", false),
            ("**/gen", "x/y/gen/z", true),
            ("a?c", "aéc", true),
            ("a?c", "a/c", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]", "]", true),
            (r"\*", "*", true),
            (r"\*", "a", false),
            ("docs/*.out", "docs/a/b.out", false),
            ("docs/*.out", "x/docs/b.out", false),
        ] {
            assert_eq!(
                Glob::path(glob).unwrap().matches(path.as_bytes()),
                expected,
                "{glob} {path}"
            );
        }
        for (glob, error) in [
            ("", GlobError::Empty),
            ("a[b", GlobError::OpenSet),
            ("a\\", GlobError::LoneBackslash),
        ] {
            assert_eq!(Glob::path(glob), Err(error), "{glob}");
        }
    }

    #[test]
    fn key_globs_cross_slashes_and_cover_the_whole_key() {
        for (glob, key, expected) in [
            (
                "rust:crate::cart#*",
                "rust:crate::cart#impl Cart > fn total",
                true,
            ),
            ("typescript:src/*#*", "typescript:src/a/b#function c", true),
            ("rust:crate#fn a", "rust:crate#fn ab", false),
            ("*#fn [x]", "rust:crate#fn [x]", true),
        ] {
            assert_eq!(
                Glob::key(glob).unwrap().matches(key.as_bytes()),
                expected,
                "{glob} {key}"
            );
        }
    }

    #[test]
    fn the_last_match_decides() {
        let globs: Vec<_> = ["src", "!src/gen"]
            .iter()
            .map(|g| Glob::path(g).unwrap())
            .collect();
        assert!(selects(&globs, b"src/a.rs") && !selects(&globs, b"src/gen/a.rs") && !selects(&globs, b"x"));
        assert!(selects(&[], b"x") && selects(&[Glob::path("!y").unwrap()], b"x"));
    }

    proptest! {
        #[test]
        fn never_panics_and_a_literal_matches_itself(glob in "\\PC{0,20}", path in "[a-z/.é]{1,20}") {
            if let Ok(glob) = Glob::path(&glob) {
                glob.matches(path.as_bytes());
            }
            if !path.starts_with('/') && !path.ends_with('/') {
                prop_assert!(Glob::path(&path).unwrap().matches(path.as_bytes()));
            }
        }
    }
}
