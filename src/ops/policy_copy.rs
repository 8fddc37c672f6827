//! The copy of the policy in one tree.

use crate::error::Result;
use crate::git::Repo;
use crate::git::diff::Found;
use crate::model::ids::{BlobId, CommitId, TreeId};
use crate::model::policy::{POLICY_FILE, Policy};
use crate::model::range::{Code, Unavailable};
use crate::policy;

/// The policy of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyCopy {
    /// The built-in policy where the tree has no file.
    pub policy: Policy,
    /// The file.
    pub blob: Option<BlobId>,
}

impl PolicyCopy {
    /// The policy that holds where there is no file.
    pub fn built_in() -> Self {
        Self {
            policy: Policy::default(),
            blob: None,
        }
    }
}

/// Policies have at most this many bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// The policy in the tree of a commit.
pub fn read_commit(repo: &Repo, commit: CommitId) -> Result<std::result::Result<PolicyCopy, Unavailable>> {
    let tree = repo.commit(commit)?.tree;
    read(repo, tree)
}

/// The policy in a tree. One that cannot be read is a reason, never the built-in policy.
pub fn read(repo: &Repo, tree: TreeId) -> Result<std::result::Result<PolicyCopy, Unavailable>> {
    let bad = |why: String| Ok(Err(bad_policy(why)));
    let id = match repo.find_entry(tree, POLICY_FILE.as_bytes()) {
        Ok(None) => {
            return Ok(Ok(PolicyCopy::built_in()));
        }
        Ok(Some(Found::Entry(entry))) if entry.kind.is_file() => BlobId(entry.id),
        Ok(Some(_)) => return bad(format!("{POLICY_FILE} is not a regular file")),
        Err(error) => {
            return Ok(Err(Unavailable {
                help: error.hints.clone(),
                ..Unavailable::new(Code::MissingObject, error.to_string())
            }));
        }
    };
    let bytes = match repo.blob(id, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return bad(error.to_string()),
    };
    match policy::parse(&bytes) {
        Ok(policy) => Ok(Ok(PolicyCopy {
            policy,
            blob: Some(id),
        })),
        Err(fault) => bad(fault.into_error(POLICY_FILE).to_string()),
    }
}

fn bad_policy(why: String) -> Unavailable {
    Unavailable::new(Code::BadPolicy, why)
        .help("correct .review-gate.toml in that commit's branch and commit it")
}
