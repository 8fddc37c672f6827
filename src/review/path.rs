//! Paths inside the repository that a goal or a reply names: checked, never trusted.

/// The most bytes a path may have.
pub const MAX_BYTES: usize = 1024;

/// Why a path is refused, in words for people; `None` when it is fine.
///
/// A path is relative with `/` only, and has no empty, `.`, `..` or `.git` component (in any letter case) and no
/// control character.
pub fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.len() > MAX_BYTES {
        return Some("is longer than 1024 bytes");
    }
    if path.chars().any(char::is_control) {
        return Some("has a control character");
    }
    if path.contains('\\') {
        return Some("has a backslash");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    path.split('/').find_map(|part| match part {
        "" => Some("has an empty component"),
        "." | ".." => Some("has a . or .. component"),
        part if part.eq_ignore_ascii_case(".git") => Some("has a .git component"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_pass() {
        for path in ["docs/specs/login cache.md", "a", ".github/x", "日本/…"] {
            assert_eq!(fault(path), None, "{path}");
        }
        for path in [
            "",
            "/a",
            "a//b",
            "a/",
            "./a",
            "a/../b",
            "a\\b",
            "a\nb",
            ".GIT/config",
            "x/.git",
        ] {
            assert!(fault(path).is_some(), "{path}");
        }
        assert!(fault(&"a".repeat(1025)).is_some());
    }
}
