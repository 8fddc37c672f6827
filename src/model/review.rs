//! The id of a review: readable by its branch, unique by what the review was opened with.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::canonical;
use super::goal::Goal;
use super::ids::CommitId;

/// The id of a review, such as `limits-3f2a91c0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReviewId(pub String);

/// What the digits of a review id are made of.
const DOMAIN: &str = "review-gate/review/v1\n";

impl ReviewId {
    /// The id of the review that opens by itself with the first finding on a branch.
    ///
    /// Made of branch and anchor alone, so that openings in several clones at once are one review.
    pub fn implicit(branch: &str, anchor: CommitId) -> Self {
        Self::made_of(
            branch,
            &json!({ "anchor": anchor, "branch": branch, "implicit": true }),
        )
    }

    /// The id of a review that somebody starts.
    pub fn started(branch: &str, anchor: CommitId, at: &str, email: &str, goal: &Goal) -> Self {
        let of = json!({ "anchor": anchor, "at": at, "branch": branch, "email": email, "goal": goal });
        Self::made_of(branch, &of)
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the id can be part of a path: letters, digits, `.`, `_` and `-`, the first a letter or digit.
    ///
    /// Ids that are made here can. One that is read from a note may be anything, `../` included.
    pub fn is_path_safe(&self) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        self.0.len() <= 64
            && self.0.bytes().all(plain)
            && self
                .0
                .bytes()
                .next()
                .is_some_and(|first| first.is_ascii_alphanumeric())
    }

    fn made_of(branch: &str, value: &serde_json::Value) -> Self {
        let digest = canonical::digest(DOMAIN, value).expect("a JSON value with text keys serialises");
        Self(format!("{}-{}", slug(branch), &digest.to_hex()[..8]))
    }
}

impl fmt::Display for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The branch name as part of ids and paths: at most 40 characters of `[A-Za-z0-9._-]`, the first a letter or digit.
pub fn slug(branch: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
            c
        } else {
            '-'
        }
    };
    let slug: String = branch
        .chars()
        .map(plain)
        .skip_while(|c| !c.is_ascii_alphanumeric())
        .take(40)
        .collect();
    // A name without any ASCII letter or digit leaves nothing; the hex digits still tell such branches apart.
    if slug.is_empty() {
        "branch".to_owned()
    } else {
        slug
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_short_and_plain() {
        for (branch, expected) in [
            ("topic", "topic"),
            ("feature/Ä x.1", "feature---x.1"),
            ("_-.a", "a"),
            ("日本", "branch"),
            (&"b".repeat(50), &"b".repeat(40)),
        ] {
            assert_eq!(slug(branch), expected);
        }
    }

    #[test]
    fn an_implicit_review_depends_on_branch_and_anchor_only() {
        let anchor: CommitId = "0123456789abcdef0123456789abcdef01234567".parse().unwrap();
        let id = ReviewId::implicit("topic/a", anchor);
        assert_eq!(id, ReviewId::implicit("topic/a", anchor));
        assert_ne!(id, ReviewId::implicit("topic-a", anchor));
        assert!(id.as_str().starts_with("topic-a-"));
        assert!(ReviewId::implicit(&"日/".repeat(90), anchor).is_path_safe());
        for hostile in ["", "../a", "a/b", ".a", "-a", "a\\b", "a\n", "é", &"a".repeat(65)] {
            assert!(!ReviewId(hostile.to_owned()).is_path_safe(), "{hostile}");
        }
        let goal = Goal::default();
        let at = "2026-11-30T20:14:00Z";
        assert_ne!(
            id,
            ReviewId::started("topic/a", anchor, at, "a@example.org", &goal)
        );
    }
}
