//! `check`: judge the checked-out branch, a revision or a range, as the hook would.

use super::judge::{Asked, Judge};
use crate::error::{Error, Result};
use crate::gate::facts::Update;
use crate::git::Repo;
use crate::git::refs::Head;
use crate::model::decision::Decision;
use crate::model::ref_name;
use crate::model::text::sanitise;

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `BASE..HEAD`, or a revision; HEAD when absent.
    pub scope: Option<String>,
    /// The ref that is judged; that of the checked-out branch when absent.
    pub ref_name: Option<String>,
    /// The branch whose reviews are meant, by its short name.
    pub branch: Option<String>,
}

/// Judges what is asked.
pub fn check(request: &Request) -> Result<Decision> {
    check_in(&Repo::open()?, request)
}

/// The same in an opened repository.
pub fn check_in(repo: &Repo, request: &Request) -> Result<Decision> {
    let (base, revision) = match request.scope.as_deref() {
        None => (None, None),
        Some(scope) => match scope.split_once("..") {
            // `A...B` is taken as `A..B`: the comparison is with the merge base anyway.
            Some((base, head)) => (non_empty(base), non_empty(head.trim_start_matches('.'))),
            None => (None, Some(scope)),
        },
    };
    let checked_out = repo.head()?;
    let head = match revision {
        Some(revision) => repo.resolve(revision)?,
        None => checked_out.commit().ok_or_else(|| {
            Error::new("unborn-head", "HEAD has no commit yet, there is nothing to judge").hint("git commit")
        })?,
    };
    let ref_name = match &request.ref_name {
        Some(name) => full_name(name)?,
        None => own_ref(&checked_out)?,
    };
    let local_ref = checked_out.ref_name().filter(|_| revision.is_none());
    let mut branches: Vec<String> = match &request.branch {
        Some(branch) => vec![branch.strip_prefix("refs/heads/").unwrap_or(branch).to_owned()],
        None => checked_out.branch().map(str::to_owned).into_iter().collect(),
    };
    if request.branch.is_none() {
        branches.extend(ref_name.strip_prefix("refs/heads/").map(str::to_owned));
    }
    branches.sort();
    branches.dedup();
    let asked = Asked {
        ref_name: &ref_name,
        update: Update::Push,
        head: Some(head),
        base,
        local_ref,
        branches,
    };
    Ok(Decision {
        refs: vec![Judge::new(repo).judge(&asked)],
    })
}

fn non_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The ref of the checked-out branch.
pub(super) fn own_ref(head: &Head) -> Result<String> {
    head.ref_name().map(str::to_owned).ok_or_else(|| {
        Error::new(
            "detached-head",
            "HEAD is detached: which ref is judged is not known",
        )
        .hint("git review-gate check --ref refs/heads/<branch>")
    })
}

/// A full ref name, or the short name of a branch.
pub(super) fn full_name(name: &str) -> Result<String> {
    if !ref_name::is_valid(name) {
        return Err(
            Error::new("usage", format!("--ref {:?} is no ref name", sanitise(name)))
                .hint("git review-gate check --ref refs/heads/main"),
        );
    }
    Ok(if name.starts_with("refs/") {
        name.to_owned()
    } else {
        format!("refs/heads/{name}")
    })
}
