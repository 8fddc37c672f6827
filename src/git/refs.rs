//! Refs: what they point to, which branch is checked out, what follows which remote.

use gix::bstr::ByteSlice;

use super::Repo;
use super::convert::{error, from_gix};
use super::stored_ref::Stored;
use crate::error::{Error, Result};
use crate::model::ids::{CommitId, Oid};
use crate::model::text::sanitise;

/// What `HEAD` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch is checked out: its full ref name, and its commit.
    Branch(String, CommitId),
    /// The checked-out branch, by full ref name, has no commit yet.
    Unborn(String),
    /// A commit is checked out, no branch.
    Detached(CommitId),
}

impl Head {
    /// The commit that is checked out, if there is one.
    pub const fn commit(&self) -> Option<CommitId> {
        match self {
            Self::Branch(_, commit) | Self::Detached(commit) => Some(*commit),
            Self::Unborn(_) => None,
        }
    }

    /// The full ref name of the checked-out branch.
    pub fn ref_name(&self) -> Option<&str> {
        match self {
            Self::Branch(name, _) | Self::Unborn(name) => Some(name),
            Self::Detached(_) => None,
        }
    }

    /// The short name of the checked-out branch.
    pub fn branch(&self) -> Option<&str> {
        self.ref_name()
            .map(|name| name.strip_prefix("refs/heads/").unwrap_or(name))
    }
}

/// One ref and the object it points to, tags not peeled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ref {
    /// Full name, such as `refs/heads/main`.
    pub name: String,
    /// The object; a symbolic ref is followed.
    pub id: Oid,
}

/// What a local branch follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// Name of the remote; `.` means this repository.
    pub remote: String,
    /// Full ref name on the remote, such as `refs/heads/topic`.
    pub remote_ref: String,
}

impl Repo {
    /// What is checked out in this worktree.
    pub fn head(&self) -> Result<Head> {
        // Anything out of the ordinary is for gix to read, or to explain.
        if let Some(head) = self.plain_head()? {
            return Ok(head);
        }
        let unreadable =
            |cause: &gix::Error| error("unreadable-ref", "HEAD cannot be read", cause).hint("git status");
        let mut head = self.gix.head().map_err(|cause| unreadable(&cause))?;
        let name = head.referent_name().map(|name| name.as_bstr().to_string());
        if head.is_unborn() {
            return name.map(Head::Unborn).ok_or_else(|| {
                Error::new("unreadable-ref", "HEAD names neither a branch nor a commit").hint("git status")
            });
        }
        let id = head.peel_to_commit().map_err(|cause| unreadable(&cause))?.id;
        let commit = CommitId(from_gix(&id));
        Ok(match name {
            Some(name) => Head::Branch(name, commit),
            None => Head::Detached(commit),
        })
    }

    /// The ordinary cases: a branch with a commit is checked out, or a commit.
    fn plain_head(&self) -> Result<Option<Head>> {
        let (branch, id) = match self.stored_head() {
            Stored::Symbolic(name) => match self.stored_ref(&name)? {
                Stored::Id(id) => (Some(name), id),
                _ => return Ok(None),
            },
            Stored::Id(id) => (None, id),
            Stored::Nowhere | Stored::AskGix => return Ok(None),
        };
        let commit = CommitId(id);
        if !self.has_commit(commit).unwrap_or(false) {
            return Ok(None);
        }
        Ok(Some(match branch {
            Some(name) => Head::Branch(name, commit),
            None => Head::Detached(commit),
        }))
    }

    /// The object a ref of this full name points to, symbolic refs followed; `None` when there is no such ref.
    pub fn ref_target(&self, name: &str) -> Result<Option<Oid>> {
        match self.stored_ref(name)? {
            Stored::Id(id) => return Ok(Some(id)),
            Stored::Nowhere => return Ok(None),
            Stored::Symbolic(_) | Stored::AskGix => {}
        }
        let unreadable = |cause: &gix::Error| unreadable(name, cause);
        let Some(mut found) = self
            .gix
            .try_find_reference(name)
            .map_err(|cause| unreadable(&cause))?
        else {
            return Ok(None);
        };
        // gix completes short names; here only the full one counts.
        if found.name().as_bstr() != name {
            return Ok(None);
        }
        let id = found.follow_to_object().map_err(|cause| unreadable(&cause))?;
        Ok(Some(from_gix(&id)))
    }

    /// The commit a ref of this full name points to, tags peeled; `None` when there is no such ref.
    pub fn ref_commit(&self, name: &str) -> Result<Option<CommitId>> {
        match self.ref_target(name)? {
            Some(id) => self.peel_to_commit(id, name).map(Some),
            None => Ok(None),
        }
    }

    /// The full name that a symbolic ref such as `refs/remotes/origin/HEAD` stands for; `None` when there is no such
    /// ref or it is not symbolic.
    pub fn symbolic_target(&self, name: &str) -> Result<Option<String>> {
        match self.stored_ref(name)? {
            Stored::Symbolic(target) => return Ok(Some(target)),
            Stored::Id(_) | Stored::Nowhere => return Ok(None),
            Stored::AskGix => {}
        }
        let found = self
            .gix
            .try_find_reference(name)
            .map_err(|cause| unreadable(name, &cause))?;
        Ok(found
            .filter(|found| found.name().as_bstr() == name)
            .and_then(|found| {
                found
                    .target()
                    .try_name()
                    .map(|target| target.as_bstr().to_string())
            }))
    }

    /// All refs whose full names start with `prefix` (ending in `/`), sorted by name. A broken ref is an error.
    pub fn refs_under(&self, prefix: &str) -> Result<Vec<Ref>> {
        let unreadable = |cause: &gix::Error| unreadable(prefix, cause);
        let platform = self.gix.references().map_err(|cause| unreadable(&cause))?;
        let iter = platform
            .prefixed(prefix.as_bytes().as_bstr())
            .map_err(|cause| unreadable(&cause))?;
        let mut refs = Vec::new();
        for found in iter {
            let mut found = found.map_err(|cause| unreadable(&cause))?;
            let name = utf8(found.name().as_bstr())?;
            // A symbolic ref to nothing, as a remote's HEAD after its branch was deleted, is no ref.
            if let Some(target) = found
                .target()
                .try_name()
                .map(|target| target.as_bstr().to_string())
                && self.ref_target(&target)?.is_none()
            {
                continue;
            }
            let id = found.follow_to_object().map_err(|cause| unreadable(&cause))?;
            refs.push(Ref {
                id: from_gix(&id),
                name,
            });
        }
        refs.sort();
        Ok(refs)
    }

    /// What the local branch of this short name follows, as configured; `None` when it follows nothing.
    pub fn upstream(&self, branch: &str) -> Option<Upstream> {
        let config = self.gix.config_snapshot();
        let remote = config.string(&format!("branch.{branch}.remote"))?.to_string();
        let remote_ref = config.string(&format!("branch.{branch}.merge"))?.to_string();
        Some(Upstream { remote, remote_ref })
    }

    /// The remote-tracking ref of what the local branch of this short name follows; for a branch that follows one of
    /// this repository, that one.
    pub fn upstream_ref(&self, branch: &str) -> Result<Option<String>> {
        let Some(upstream) = self.upstream(branch) else {
            return Ok(None);
        };
        if upstream.remote == "." {
            return Ok(Some(upstream.remote_ref));
        }
        let full: gix::refs::FullName = format!("refs/heads/{branch}").try_into().map_err(
            |cause: gix::validate::reference::name::Error| {
                Error::new("usage", format!("{} is not a branch name", sanitise(branch))).caused_by(&cause)
            },
        )?;
        self.gix
            .branch_remote_tracking_ref_name(full.as_ref(), gix::remote::Direction::Fetch)
            .transpose()
            .map(|name| name.map(|name| name.as_bstr().to_string()))
            .map_err(|cause| {
                error(
                    "config",
                    format!("the upstream of {} is not understood", sanitise(branch)),
                    &cause,
                )
                .hint(format!("git config --get-regexp ^branch.{}", sanitise(branch)))
            })
    }

    /// The names of the configured remotes, sorted.
    pub fn remotes(&self) -> Vec<String> {
        let mut names: Vec<_> = self.gix.remote_names().iter().map(ToString::to_string).collect();
        names.sort();
        names
    }
}

/// A ref name that is not UTF-8 is refused rather than shown as something else.
fn utf8(name: &gix::bstr::BStr) -> Result<String> {
    name.to_str().map(ToOwned::to_owned).map_err(|_| {
        Error::new("unreadable-ref", "a ref name is not UTF-8")
            .because(crate::model::text::sanitise_bytes(name))
    })
}

pub(super) fn unreadable(name: &str, cause: &gix::Error) -> Error {
    error(
        "unreadable-ref",
        format!("ref {} cannot be read", sanitise(name)),
        cause,
    )
    .hint("git fsck --refs")
}
