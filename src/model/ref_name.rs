//! What git takes as the name of a ref.

/// Whether git takes this as the name of a ref, or as the part of one that follows a prefix such as `refs/heads/`.
#[expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "git refuses exactly this ending"
)]
pub fn is_valid(name: &str) -> bool {
    !name.contains("..")
        && !name.contains("@{")
        && !name.contains(|c: char| c.is_ascii_control() || " ~^:?*[\\".contains(c))
        && !name.ends_with('.')
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"))
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn as_git_check_ref_format_says() {
        for name in ["main", "refs/heads/main", "a/b-c_d.e", "é", "@", "-x"] {
            assert!(is_valid(name), "{name}");
        }
        for name in [
            "", "a..b", "a b", "a~1", "a^", "a:b", "a?", "a*", "[a", "a\\b", "a@{0}", "a.", ".a", "a/.b",
            "a/", "/a", "a//b", "a.lock", "a.lock/b", "a\n", "\u{7f}",
        ] {
            assert!(!is_valid(name), "{name}");
        }
    }
}
