//! Names of revisions to commits, and the walks between commits.

use gix::bstr::ByteSlice;
use std::collections::BTreeSet;

use super::Repo;
use super::convert::{error, from_gix, to_gix};
use super::objects::{Kind, missing};
use super::refs::Head;
use crate::error::{Error, Result};
use crate::model::ids::{CommitId, Oid};
use crate::model::text::sanitise;

/// The directories in which git looks for a short ref name, in its order.
const REF_DIRECTORIES: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

impl Repo {
    /// The commit that `revision` names, tags peeled, in any form git knows.
    ///
    /// Kinds of errors: `unborn-head`, `unknown-revision`, `ambiguous-revision`, `not-a-commit`, `missing-object`.
    pub fn resolve(&self, revision: &str) -> Result<CommitId> {
        let shown = sanitise(revision);
        if let Ok(id) = revision.parse::<Oid>() {
            return self.peel_to_commit(id, revision);
        }
        if matches!(revision, "HEAD" | "@") {
            return match self.head()? {
                Head::Branch(_, commit) | Head::Detached(commit) => Ok(commit),
                Head::Unborn(name) => Err(Error::new("unborn-head", "HEAD has no commit yet")
                    .because(format!("branch {} is empty", sanitise(&name)))
                    .hint("git commit")),
            };
        }
        self.refuse_ambiguous_name(revision)?;
        match self.gix.rev_parse_single(revision.as_bytes().as_bstr()) {
            Ok(id) => self.peel_to_commit(from_gix(&id), revision),
            Err(cause) => {
                let text = Error::new("", "").caused_by(&cause).causes.join(" ");
                if text.contains("ambiguous") {
                    return Err(error(
                        "ambiguous-revision",
                        format!("{shown} names more than one object"),
                        &cause,
                    )
                    .hint(format!("git rev-parse --disambiguate={shown}")));
                }
                // gix misses what git knows, such as short ids in SHA-256 repositories: git has the last word.
                let spec = format!("{revision}^{{}}");
                let asked = self
                    .git(["rev-parse", "--verify", "--quiet", "--end-of-options", &spec])
                    .run()?;
                let id = std::str::from_utf8(asked.stdout.trim_ascii())
                    .ok()
                    .and_then(|hex| hex.parse::<Oid>().ok());
                match id {
                    Some(id) if asked.success() => self.peel_to_commit(id, revision),
                    _ => Err(error(
                        "unknown-revision",
                        format!("{shown} names no commit here"),
                        &cause,
                    )
                    .hint("git log --oneline --all")),
                }
            }
        }
    }

    /// Follows tags from an object to its commit; `name` is how the user called it.
    pub fn peel_to_commit(&self, id: Oid, name: &str) -> Result<CommitId> {
        let name = sanitise(name);
        let mut id = id;
        // A chain of tags may be long but not endless: ids cannot form a circle.
        loop {
            match self.header(id)? {
                Some((Kind::Commit, _)) => return Ok(CommitId(id)),
                Some((Kind::Tag, _)) => {
                    let data = self.read(id, Kind::Tag)?.ok_or_else(|| missing(id, Kind::Tag))?;
                    let target = data
                        .strip_prefix(b"object ")
                        .and_then(|rest| rest.split(|byte| *byte == b'\n').next())
                        .and_then(|hex| std::str::from_utf8(hex).ok()?.parse::<Oid>().ok());
                    id = target.ok_or_else(|| {
                        Error::new("damaged-object", format!("tag {id} names no object")).hint("git fsck")
                    })?;
                }
                Some((kind, _)) => {
                    return Err(Error::new(
                        "not-a-commit",
                        format!("{name} is a {}, not a commit", kind.as_str()),
                    ));
                }
                None => return Err(missing(id, Kind::Commit).because(format!("{name} names it"))),
            }
        }
    }

    /// Refuses a short name that is two refs with different targets, where git only warns and takes the first.
    fn refuse_ambiguous_name(&self, revision: &str) -> Result<()> {
        let name = revision.split(['^', '~', ':']).next().unwrap_or_default();
        let name = name.split("@{").next().unwrap_or_default();
        if name.is_empty()
            || name.starts_with("refs/")
            || gix::validate::reference::name_partial(name.into()).is_err()
        {
            return Ok(());
        }
        let mut found = Vec::new();
        for (before, after) in REF_DIRECTORIES {
            let full = format!("{before}{name}{after}");
            if (before.is_empty() && !full.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
                || gix::validate::reference::name(full.as_str().into()).is_err()
            {
                continue;
            }
            if let Some(target) = self.ref_target(&full)? {
                found.push((full, target));
            }
        }
        let targets: BTreeSet<_> = found.iter().map(|(_, target)| *target).collect();
        if targets.len() < 2 {
            return Ok(());
        }
        let names: Vec<_> = found.iter().map(|(full, _)| sanitise(full)).collect();
        Err(Error::new(
            "ambiguous-revision",
            format!("{} names more than one ref", sanitise(name)),
        )
        .because(names.join(", "))
        .hint(format!("use the full name, such as {}", names[0])))
    }

    /// The first merge base of two commits, as `git merge-base` prints it; `None` when they share no history.
    ///
    /// Where shallow history may hide a better answer, or any, it is an error that names the missing commit.
    pub fn merge_base(&self, one: CommitId, two: CommitId) -> Result<Option<CommitId>> {
        let boundary = self.shallow_commits()?;
        let bases = self
            .gix
            .merge_bases_many(to_gix(one.0), &[to_gix(two.0)])
            .map_err(|cause| walk_error(one, &cause))?;
        let base = bases.first().map(|id| CommitId(from_gix(id)));
        if !boundary.is_empty() {
            for tip in [one, two] {
                self.commits_between(base, tip)?;
            }
        }
        Ok(base)
    }

    /// Whether `ancestor` is `descendant` or contained in its history.
    pub fn is_ancestor(&self, ancestor: CommitId, descendant: CommitId) -> Result<bool> {
        if ancestor == descendant {
            return Ok(true);
        }
        let bases = self
            .gix
            .merge_bases_many(to_gix(ancestor.0), &[to_gix(descendant.0)])
            .map_err(|cause| walk_error(descendant, &cause))?;
        if bases.iter().any(|id| from_gix(id) == ancestor.0) {
            return Ok(true);
        }
        // "No" is only sure when the whole history of the descendant was there to be seen.
        if !self.shallow_commits()?.is_empty() {
            self.commits_between(Some(ancestor), descendant)?;
        }
        Ok(false)
    }

    /// The commits of `base..head`, newest first as walked; without a base, all of `head`.
    ///
    /// A walk that reaches a shallow boundary is an error that names the missing commit.
    pub fn commits_between(&self, base: Option<CommitId>, head: CommitId) -> Result<Vec<CommitId>> {
        let boundary = self.shallow_commits()?;
        let walk = self
            .gix
            .rev_walk([to_gix(head.0)])
            .with_hidden(base.map(|id| to_gix(id.0)))
            .all()
            .map_err(|cause| walk_error(head, &cause))?;
        let mut commits = Vec::new();
        for info in walk {
            let info = info.map_err(|cause| walk_error(head, &cause))?;
            let id = CommitId(from_gix(&info.id));
            if boundary.binary_search(&id).is_ok() {
                return Err(self.cut_off(id));
            }
            commits.push(id);
        }
        Ok(commits)
    }
}

fn walk_error(from: CommitId, cause: &gix::Error) -> Error {
    error(
        "missing-object",
        format!("the history of {} cannot be walked", from.short()),
        cause,
    )
    .hint("git fsck")
}
