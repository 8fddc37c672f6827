//! Whether a record counts for a commit: it speaks of the same commit, of the same content, or of a clean replay of it.

use std::fmt;

use crate::error::Result;
use crate::model::ids::{CommitId, Digest, TreeId};
use crate::model::words::words;

/// What a record speaks of, or what a gate asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// The commit.
    pub head: CommitId,
    /// Its tree.
    pub head_tree: TreeId,
    /// The base.
    pub base: CommitId,
    /// Its tree.
    pub base_tree: TreeId,
    /// The digest of the goal: the record's, or that of its review now.
    pub goal: Digest,
    /// The digest of the base's policy: the packet's, or that of the base now.
    pub policy: Digest,
}

/// How a record relates to what a gate asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Same head, same base.
    SameCommit,
    /// Same content of both.
    SameTree,
    /// The same change on a newer base, without conflict.
    Replay,
    /// It does not count.
    Stale(Staleness),
}

words! {
    /// What has changed since a record was made.
    Staleness {
        /// The commit.
        Head = "head",
        /// The base.
        Base = "base",
        /// The goal.
        Goal = "goal",
        /// The policy.
        Policy = "policy",
    }
}

impl Relation {
    /// Whether the record counts.
    pub const fn counts(self) -> bool {
        !matches!(self, Self::Stale(_))
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameCommit => f.write_str("same commit"),
            Self::SameTree => f.write_str("same tree"),
            Self::Replay => f.write_str("replay"),
            Self::Stale(what) => write!(f, "stale ({what})"),
        }
    }
}

/// How the record relates to what is asked. `replays` says whether merging the record's base tree, the base's tree now
/// and the record's head tree has no conflict and gives exactly the head's tree now; it is asked only where it matters.
pub fn relation(record: &Judged, now: &Judged, replays: impl FnOnce() -> Result<bool>) -> Result<Relation> {
    let tie = if record.head == now.head && record.base == now.base {
        Relation::SameCommit
    } else if record.head_tree == now.head_tree && record.base_tree == now.base_tree {
        Relation::SameTree
    } else if record.base_tree != now.base_tree && replays()? {
        Relation::Replay
    } else if record.head == now.head || record.head_tree == now.head_tree {
        return Ok(Relation::Stale(Staleness::Base));
    } else {
        return Ok(Relation::Stale(Staleness::Head));
    };
    Ok(if record.goal != now.goal {
        Relation::Stale(Staleness::Goal)
    } else if record.policy != now.policy {
        Relation::Stale(Staleness::Policy)
    } else {
        tie
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(head: &str, base: &str) -> Judged {
        let oid = |digit: &str| digit.repeat(40);
        Judged {
            head: oid(&head[..1]).parse().unwrap(),
            head_tree: oid(&head[1..]).parse().unwrap(),
            base: oid(&base[..1]).parse().unwrap(),
            base_tree: oid(&base[1..]).parse().unwrap(),
            goal: Digest([1; 32]),
            policy: Digest([2; 32]),
        }
    }

    #[test]
    fn a_record_counts_for_the_same_content_or_a_clean_replay() {
        let now = judged("1a", "2b");
        for (record, replays, expected) in [
            (judged("1a", "2b"), false, Relation::SameCommit),
            (judged("3a", "4b"), false, Relation::SameTree),
            (judged("3c", "4d"), true, Relation::Replay),
            (judged("3c", "4d"), false, Relation::Stale(Staleness::Head)),
            // On the same base another tree is another change, whatever a merge makes of it.
            (judged("3c", "4b"), true, Relation::Stale(Staleness::Head)),
            // What was added up to the base and is gone again was not seen from an older base.
            (judged("1a", "4d"), false, Relation::Stale(Staleness::Base)),
            (judged("3a", "4d"), false, Relation::Stale(Staleness::Base)),
        ] {
            assert_eq!(
                relation(&record, &now, || Ok(replays)),
                Ok(expected),
                "{record:?}"
            );
        }
        let goal = Judged {
            goal: Digest([3; 32]),
            ..now
        };
        let policy = Judged {
            policy: Digest([3; 32]),
            ..now
        };
        for (record, expected) in [(goal, "stale (goal)"), (policy, "stale (policy)")] {
            let found = relation(&record, &now, || Ok(false)).unwrap();
            assert_eq!(found.to_string(), expected);
            assert!(!found.counts());
        }
    }
}
