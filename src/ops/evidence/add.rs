//! `evidence add`: register what somebody says. It stays a claim.

use super::{Place, dimension, file, kind};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::look_up::AtPath;
use crate::model::canonical;
use crate::model::event::EvidenceAdded;
use crate::model::ids::TreeId;
use crate::model::outcome::evidence::Added;
use crate::model::text::sanitise;
use crate::model::witness::Artifact;
use crate::review::path;
use crate::review::source::MAX_BYTES;

/// The most characters of a description, and of a link to a page.
const MAX_TEXT: usize = 2000;
const MAX_LINK: usize = 2048;

/// What is claimed, as typed.
#[derive(Debug, Clone)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// What it is.
    pub kind: String,
    /// The question it speaks to.
    pub dimension: String,
    /// What is said.
    pub description: String,
    /// A file that shows it, by its path from the top of the repository.
    pub artifact: Option<String>,
    /// A page or an object id.
    pub link: Option<String>,
}

/// Stores the claim.
pub fn add(request: &Request) -> Result<Added> {
    let kind = kind(&request.kind)?;
    let dimension = dimension(&request.dimension)?;
    let description = request.description.trim();
    if description.is_empty() || description.chars().count() > MAX_TEXT {
        return Err(
            Error::new("usage", format!("a description has 1 to {MAX_TEXT} characters"))
                .hint("--description TEXT"),
        );
    }
    if let Some(link) = &request.link {
        check_link(link)?;
    }
    let repo = Repo::open()?;
    let place = Place::find(&repo, request.review.as_deref())?;
    let artifact = match &request.artifact {
        Some(path) => Some(artifact(&repo, place.subject.tree, path)?),
        None => None,
    };
    let body = EvidenceAdded {
        artifact,
        description: description.to_owned(),
        dimension,
        kind,
        link: request.link.clone(),
        review: place.at.review.id.clone(),
    };
    place.record(body, Vec::new())
}

/// A page by its address, or an object by 7 to 64 hex digits.
fn check_link(link: &str) -> Result<()> {
    let page = (link.starts_with("https://") || link.starts_with("http://"))
        && link.len() <= MAX_LINK
        && !link.contains(|c: char| c.is_whitespace() || c.is_control());
    let object = (7..=64).contains(&link.len()) && link.bytes().all(|byte| byte.is_ascii_hexdigit());
    if page || object {
        return Ok(());
    }
    Err(Error::new(
        "usage",
        format!("{} is neither a page nor an object id", sanitise(link)),
    )
    .hint("--link https://… or 7 to 64 hex digits"))
}

/// The file in the tree of HEAD, else the one in the work tree, with its digest.
fn artifact(repo: &Repo, tree: TreeId, named: &str) -> Result<Artifact> {
    let shown = sanitise(named);
    let refused = |why: &str| {
        Error::new("usage", format!("the artifact {shown} {why}"))
            .hint("--artifact names a file by its path from the top of the repository")
    };
    if let Some(fault) = path::fault(named) {
        return Err(refused(fault));
    }
    match repo.look_up(tree, named)? {
        AtPath::File { id, size } if size <= MAX_BYTES => {
            let bytes = repo.blob(id, MAX_BYTES)?;
            Ok(Artifact {
                bytes: size,
                path: named.to_owned(),
                sha256: canonical::digest_of(&[&bytes]),
            })
        }
        AtPath::File { .. } => Err(refused("is too large")),
        AtPath::NotHere => Err(refused("is not in this clone")),
        AtPath::Link => Err(refused(
            "is a symbolic link, or lies behind one; none is followed",
        )),
        AtPath::Submodule => Err(refused("is in a submodule")),
        AtPath::Directory => Err(refused("is a directory")),
        AtPath::Nothing => {
            let top = repo
                .work_tree()
                .ok_or_else(|| refused("is not in the tree of HEAD"))?;
            let digested = file::digest_below(&top, named)
                .map_err(|fault| refused(&fault.to_string()).hint("git status"))?;
            Ok(Artifact {
                bytes: digested.bytes,
                path: named.to_owned(),
                sha256: digested.sha256,
            })
        }
    }
}
