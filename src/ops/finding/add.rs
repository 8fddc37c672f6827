//! `finding add` and `finding reject`: file findings, all of a call or none.

use serde_json::Value;

use super::confirm::refuse_other_speakers;
use super::files::Trees;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger::finding::{self, Checked, Context, Input, MANY_FINDINGS, MissingFile};
use crate::model::event::{EventDraft, Raised, ReviewOpened, Subject};
use crate::model::finding::{FindingFields, Origin};
use crate::model::goal::Goal;
use crate::model::ids::{CommitId, EventId};
use crate::model::outcome::finding::Added;
use crate::model::policy::{OriginsPolicy, Policy};
use crate::model::review::ReviewId;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;
use crate::review::goal;

/// Where findings are filed, and in whose name.
#[derive(Debug, Clone)]
pub struct Place {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// The commit under review; HEAD when absent.
    pub commit: Option<String>,
    /// In whose name.
    pub origin: String,
    /// Accept a file that neither tree has.
    pub allow_missing_file: bool,
}

/// What is filed.
#[derive(Debug, Clone)]
pub enum Request {
    /// One finding from flags.
    Flags(Box<Flags>),
    /// One to ten findings as JSON.
    Json(Vec<u8>),
    /// A rejection with this reason.
    Reject(String),
}

/// The fields of one finding as typed.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `blocker`, `major`, `minor`, `nit`
    pub severity: String,
    /// What should be.
    pub expected: String,
    /// What is.
    pub actual: String,
    /// Path, perhaps with `:LINE`.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u64>,
    /// The criterion.
    pub criterion: Option<String>,
    /// The change that would mend it.
    pub fix: Option<String>,
    /// A verbatim excerpt.
    pub evidence: Option<String>,
}

/// Files the findings.
pub fn add(place: &Place, request: Request) -> Result<Added> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let commit = match &place.commit {
        Some(revision) => desk.repo.resolve(revision)?,
        None => desk.head,
    };
    let subject = desk.subject(commit)?;
    let home = home(&desk, place.review.as_deref())?;
    let trees = Trees::new(desk.repo, subject)?;
    let fields = checked(&desk, place, request, &home.goal, &trees)?;
    let origin = Origin(place.origin.clone());
    refuse_other_speakers(&desk, &origin)?;

    let mut warnings = desk.put_back.clone();
    if fields.len() > MANY_FINDINGS {
        warnings.push(format!(
            "{} findings in one call; more than {MANY_FINDINGS} are seldom looked at one by one",
            fields.len()
        ));
    }
    if desk.base.merge_base().is_some_and(|base| base == commit)
        || (desk.base.merge_base().is_some() && subject.base == commit)
    {
        warnings.push(format!(
            "{} is contained in the base already, so no push is blocked by this; name the commit with --commit",
            commit.short()
        ));
    }
    let opened = home.opening.is_some();
    let review = home.review.clone();
    let ids: Vec<_> = fields.iter().map(FindingFields::identity).collect();
    let drafts = drafts(&desk, home, commit, subject, &origin, fields)?;
    desk.write(drafts)?;

    let desk = desk.renewed()?;
    let findings = ids
        .iter()
        .map(|id| Ok(desk.finding(&id.to_hex())?.finding))
        .collect::<Result<_>>()?;
    Ok(Added {
        findings,
        review,
        opened,
        warnings,
    })
}

/// The review that findings are filed in.
struct Home {
    /// `None` on a detached HEAD.
    review: Option<ReviewId>,
    /// Its goal; empty for an implicit review.
    goal: Goal,
    /// What was seen of it so far.
    after: Vec<EventId>,
    /// The event that opens it, where there was none: an implicit review.
    opening: Option<(CommitId, EventDraft)>,
}

fn home(desk: &Desk<'_>, named: Option<&str>) -> Result<Home> {
    let detached = Home {
        review: None,
        goal: Goal::default(),
        after: Vec::new(),
        opening: None,
    };
    if desk.branch.is_none() && named.is_none() {
        return Ok(detached);
    }
    if let Some(review) = desk.review(named)? {
        if !review.conflicts.is_empty() {
            return Err(goal_conflict(&review.id, &review.conflicts));
        }
        let events = desk.events_of(&review.id)?;
        let after = crate::ledger::fold::heads(events.iter().map(|one| &one.event));
        return Ok(Home {
            review: Some(review.id),
            goal: review.goal,
            after,
            opening: None,
        });
    }
    // The anchor is the merge-base; without a base the commit that is checked out.
    let anchor = desk.base.merge_base().unwrap_or(desk.head);
    let branch = desk.branch()?.to_owned();
    let id = ReviewId::implicit(&branch, anchor);
    let goal = Goal::default();
    let opened = ReviewOpened {
        anchor,
        base_ref: desk.base.name.clone(),
        branch,
        contract_digest: None,
        goal_digest: goal::digest(&id, &goal),
        goal: goal.clone(),
        review: id.clone(),
    };
    let subject = Subject {
        base: anchor,
        ..desk.subject(desk.head)?
    };
    let draft = desk.draft(Vec::new(), subject, opened)?;
    Ok(Home {
        review: Some(id),
        goal,
        after: Vec::new(),
        opening: Some((anchor, draft)),
    })
}

fn goal_conflict(review: &ReviewId, ids: &std::collections::BTreeSet<String>) -> Error {
    let ids: Vec<_> = ids.iter().map(|id| sanitise(id)).collect();
    Error::new(
        "goal-conflict",
        format!("review {review} has two texts for {}", ids.join(", ")),
    )
    .hint("git review-gate review start --replace")
}

/// The fields of the findings, or every fault of every entry.
fn checked(
    desk: &Desk<'_>,
    place: &Place,
    request: Request,
    goal: &Goal,
    trees: &Trees<'_>,
) -> Result<Vec<FindingFields>> {
    let origins = &desk.base.policy.origins;
    let mut from_top = None;
    let input = match request {
        Request::Reject(reason) => {
            let (_, fields) = finding::reject(&reason).map_err(|reason| {
                Error::new(
                    "finding-invalid",
                    format!("the reason {} ({reason})", reason.explanation()),
                )
                .hint("git review-gate finding reject --reason \"one line of at most 2000 characters\"")
            })?;
            return Ok(vec![fields]);
        }
        Request::Json(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) => Input::from_json(text),
            Err(cause) => {
                return Err(Error::new("finding-invalid", "the findings are not UTF-8").caused_by(&cause));
            }
        },
        Request::Flags(flags) => {
            let (file, line) = split_place(flags.file.clone(), flags.line, trees)?;
            from_top = match &file {
                Some(file) => named_from_here(desk, file, trees)?,
                None => None,
            };
            Input::one(members(*flags, file, line))
        }
    };
    let context = Context {
        origin: &place.origin,
        knows_origin: &|origin| origins.knows(origin),
        criteria: &goal.criteria,
        files: trees,
        missing_file: if place.allow_missing_file {
            MissingFile::Allow
        } else {
            MissingFile::Refuse
        },
    };
    match finding::check(&input, &context)? {
        Checked::Accepted(fields) => Ok(fields),
        Checked::Refused(refusals) => {
            let error = finding::refused(&refusals);
            Err(match from_top {
                Some(path) => error
                    .because("paths are from the top of the repository, not from the current folder")
                    .hint(format!("--file {}", sanitise(&path))),
                None => error,
            })
        }
    }
}

/// The path from the top of a file that is there only when its name is taken from the current folder.
fn named_from_here(desk: &Desk<'_>, file: &str, trees: &Trees<'_>) -> Result<Option<String>> {
    if trees.has_file(file)? {
        return Ok(None);
    }
    let Some(folder) = desk.repo.current_folder() else {
        return Ok(None);
    };
    let path = format!("{folder}/{file}");
    Ok(trees.has_file(&path)?.then_some(path))
}

/// The flags as members of an entry: the same rules then hold for both forms.
fn members(flags: Flags, file: Option<String>, line: Option<u64>) -> Vec<(&'static str, Value)> {
    let mut members = vec![
        ("severity", Value::from(flags.severity)),
        ("expected", Value::from(flags.expected)),
        ("actual", Value::from(flags.actual)),
    ];
    for (name, text) in [
        ("file", file),
        ("criterion", flags.criterion),
        ("fix", flags.fix),
        ("evidence", flags.evidence),
    ] {
        members.extend(text.map(|text| (name, Value::from(text))));
    }
    members.extend(line.map(|line| ("line", Value::from(line))));
    members
}

/// `F:L` is the whole value if such a file exists, else it is split at the last colon.
fn split_place(
    file: Option<String>,
    line: Option<u64>,
    trees: &Trees<'_>,
) -> Result<(Option<String>, Option<u64>)> {
    let Some(file) = file else { return Ok((None, line)) };
    if line.is_some() || trees.has_file(&file)? {
        return Ok((Some(file), line));
    }
    if let Some((path, number)) = file.rsplit_once(':')
        && let Ok(number) = number.parse::<u64>()
    {
        return Ok((Some(path.to_owned()), Some(number)));
    }
    Ok((Some(file), None))
}

fn drafts(
    desk: &Desk<'_>,
    home: Home,
    commit: CommitId,
    subject: Subject,
    origin: &Origin,
    fields: Vec<FindingFields>,
) -> Result<Vec<(CommitId, EventDraft)>> {
    let mut after = home.after;
    let mut drafts = Vec::new();
    if let Some((anchor, draft)) = home.opening {
        // The findings have seen the opening of their review: its id is known before it is written.
        after = vec![crate::ledger::codec::encode(&draft)?.id];
        drafts.push((anchor, draft));
    }
    for fields in fields {
        let raised = Raised {
            finding: fields.identity(),
            review: home.review.clone(),
            origin: origin.clone(),
            fields,
        };
        drafts.push((commit, desk.draft(after.clone(), subject, raised)?));
    }
    Ok(drafts)
}

/// The error for an origin that the policy does not know.
pub(super) fn unknown_origin(origin: &str, policy: &Policy) -> Error {
    let mut known: Vec<&str> = OriginsPolicy::BUILT_IN.to_vec();
    known.extend(policy.origins.extra.iter().map(String::as_str));
    Error::new("unknown-origin", format!("{:?} is no origin", sanitise(origin)))
        .because(format!("known: {}", known.join(", ")))
        .hint("add it to [origins] extra in .review-gate.toml of the base")
}
