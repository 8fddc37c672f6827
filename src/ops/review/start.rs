//! `review start`: open a review of the checked-out branch.

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::objects::EntryMode;
use crate::model::canonical;
use crate::model::event::{EventDraft, ReviewClosed, ReviewOpened, Subject};
use crate::model::goal::Goal;
use crate::model::ids::{BlobId, CommitId, Digest};
use crate::model::outcome::review::Opened;
use crate::model::ref_name;
use crate::model::review::ReviewId;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;
use crate::review::goal;
use crate::review::registry::{self, Review};

/// What to start.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The base by name; the one of the gate when absent.
    pub base: Option<String>,
    /// Name and bytes of a goal file.
    pub goal_file: Option<(String, Vec<u8>)>,
    /// Criteria as typed: `AC-1: text`.
    pub criteria: Vec<String>,
    /// Path of the approved spec.
    pub contract: Option<String>,
    /// The case that the branch was opened for.
    pub problem: Option<String>,
    /// Take the place of an open review.
    pub replace: bool,
}

/// The largest contract whose digest is kept, in bytes.
const MAX_CONTRACT: u64 = 16 * 1024 * 1024;

/// Opens the review; closes the one whose place it takes in the same write.
pub fn start(request: &Request) -> Result<Opened> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let branch = desk.branch()?.to_owned();
    let goal = goal_of(request)?;
    let (base_ref, anchor) = base(&desk, request.base.as_deref())?;
    let in_place_of = to_replace(&desk, request.replace)?;

    let mut warnings = desk.put_back.clone();
    let contract_digest = contract_digest(&desk, &goal, &mut warnings)?;
    let by = desk.by()?;
    let id = ReviewId::started(&branch, anchor, &desk.at, &by.email, &goal);
    let subject = Subject {
        base: anchor,
        ..desk.subject(desk.head)?
    };
    let opened = ReviewOpened {
        anchor,
        base_ref: Some(base_ref),
        branch,
        contract_digest,
        goal_digest: goal::digest(&id, &goal),
        goal,
        review: id.clone(),
    };
    let mut drafts: Vec<(CommitId, EventDraft)> = vec![(anchor, desk.draft(Vec::new(), subject, opened)?)];
    for old in &in_place_of {
        let events = desk.events_of(&old.id)?;
        let after = crate::ledger::fold::heads(events.iter().map(|one| &one.event));
        let body = ReviewClosed {
            by_review: Some(id.clone()),
            reason: if old.is_implicit {
                "a review was started"
            } else {
                "replaced"
            }
            .to_owned(),
            review: old.id.clone(),
        };
        drafts.push((desk.head, desk.draft(after, subject, body)?));
    }
    desk.write(drafts)?;
    let review = desk
        .renewed()?
        .reviews(&[id.as_str().to_owned()])?
        .pop()
        .ok_or_else(|| {
            Error::new(
                "no-review",
                "the review that was just written cannot be read back",
            )
            .hint("git review-gate fsck")
        })?;
    let replaced = in_place_of.into_iter().map(|old| old.id).collect();
    Ok(super::opened(review, replaced, true, warnings))
}

/// The goal file, and what the flags add where the file leaves a field out.
fn goal_of(request: &Request) -> Result<Goal> {
    let mut goal = match &request.goal_file {
        Some((name, bytes)) => goal::parse(name, bytes)?,
        None => Goal::default(),
    };
    for (field, flag, value) in [
        ("contract", &request.contract, &mut goal.contract),
        ("problem", &request.problem, &mut goal.problem),
    ] {
        if let Some(given) = flag {
            if value.is_some() {
                return Err(
                    Error::new("usage", format!("the goal file has a {field} already"))
                        .hint(format!("leave out --{field}, or take it out of the file")),
                );
            }
            *value = Some(given.clone());
        }
    }
    for text in &request.criteria {
        goal.criteria.push(goal::parse_criterion(text)?);
    }
    goal::check(&goal)?;
    Ok(goal)
}

/// The base by name, and the merge-base with it.
fn base(desk: &Desk<'_>, named: Option<&str>) -> Result<(String, CommitId)> {
    if let Some(named) = named {
        let tip = desk.repo.resolve(named)?;
        let anchor = desk.repo.merge_base(tip, desk.head)?.ok_or_else(|| {
            Error::new(
                "no-merge-base",
                format!("HEAD and {} share no history", sanitise(named)),
            )
            .hint("git review-gate review start --base <branch>")
        })?;
        let name = if is_ref(desk.repo, named)? {
            named.to_owned()
        } else {
            tip.to_string()
        };
        return Ok((name, anchor));
    }
    match (&desk.base.name, desk.base.merge_base()) {
        (Some(name), Some(anchor)) => Ok((name.clone(), anchor)),
        _ => Err(Error::new("no-base", "there is no base to review against")
            .because(desk.base.why_none.clone().unwrap_or_default())
            .hint("git review-gate review start --base <branch>")),
    }
}

/// Whether a revision is the name of a ref, as git looks it up. Only such a name means the same in later commands:
/// `HEAD~3` moves with the branch, so its commit is kept instead.
fn is_ref(repo: &Repo, name: &str) -> Result<bool> {
    let places = [
        name.to_owned(),
        format!("refs/{name}"),
        format!("refs/tags/{name}"),
        format!("refs/heads/{name}"),
        format!("refs/remotes/{name}"),
        format!("refs/remotes/{name}/HEAD"),
    ];
    for place in places {
        if place.starts_with("refs/") && ref_name::is_valid(&place) && repo.ref_target(&place)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The open reviews whose place the new one takes: implicit ones always, others only when asked to.
fn to_replace(desk: &Desk<'_>, replace: bool) -> Result<Vec<Review>> {
    let branch = desk.branch()?;
    let mut open = desk.reviews_of_branch()?;
    open.retain(Review::is_open);
    if replace {
        return Ok(open);
    }
    let found = registry::open_review(&open, branch, |anchor| {
        Ok(desk.repo.has_commit(anchor)? && desk.repo.is_ancestor(anchor, desk.head)?)
    })?;
    if let Some(review) = found
        && !review.is_implicit
    {
        return Err(Error::new(
            "review-open",
            format!("branch {} has an open review, {}", sanitise(branch), review.id),
        )
        .hint("git review-gate review amend --criterion \"AC-1: …\"")
        .hint("or take its place: git review-gate review start --replace"));
    }
    open.retain(|review| review.is_implicit);
    Ok(open)
}

/// The digest of the contract in HEAD; a contract that is not there yet is a warning, it may come later.
fn contract_digest(desk: &Desk<'_>, goal: &Goal, warnings: &mut Vec<String>) -> Result<Option<Digest>> {
    let Some(path) = &goal.contract else {
        return Ok(None);
    };
    let tree = desk.repo.commit(desk.head)?.tree;
    match desk.repo.tree_entry(tree, path)? {
        Some(entry) if matches!(entry.mode, EntryMode::File | EntryMode::Executable) => {
            let bytes = desk.repo.blob(BlobId(entry.id), MAX_CONTRACT)?;
            Ok(Some(canonical::digest_of(&[&bytes])))
        }
        Some(_) => {
            warnings.push(format!("the contract {} is not a regular file", sanitise(path)));
            Ok(None)
        }
        None => {
            warnings.push(format!("the contract {} is not in HEAD yet", sanitise(path)));
            Ok(None)
        }
    }
}
