//! Reads every source of a packet: files by their path, and the texts that are made of baseline and ledger.

use super::at::{Choice, ReviewAt};
use super::read;
use crate::error::Result;
use crate::git::Repo;
use crate::model::delivery::{Content, Origin, SCOPE_CONTRACT, Source, SourceSpec};
use crate::model::event::Event;
use crate::model::ids::{Digest, TreeId};
use crate::model::measured::Baseline;
use crate::model::range::{Code, Unavailable};
use crate::ops::baseline::{self, Filter, Goal, Outcome};
use crate::ops::gate_view::GateView;
use crate::review::evidence::log;
use crate::review::source_list::{self, Context};
use crate::review::{ledger_text, source};

/// The structural baseline of exactly this base, head and goal.
pub fn baseline(at: &ReviewAt<'_>, choice: &Choice) -> Result<Outcome> {
    let chosen = match choice {
        Ok(chosen) => chosen.clone(),
        Err(reason) => return Ok(reason.clone().into()),
    };
    if chosen.range.base == chosen.range.head {
        let name = &chosen.range.base_name;
        let why = format!("{} has nothing that {name} has not", chosen.range.head.short());
        return Ok(Unavailable::new(Code::EmptyRange, why).into());
    }
    let digest = at.review.goal_digest().to_hex();
    let goal = Goal {
        digest: Some(&digest),
        authorize: &at.review.goal.authorize,
    };
    baseline::measure_range(at.repo(), chosen, &Filter::default(), goal)
}

/// The digest that names a baseline; `None` where none could be computed.
pub fn baseline_digest(outcome: &Outcome) -> Option<Digest> {
    match outcome.baseline {
        Baseline::Computed(_) => {
            let hex = outcome.artifact.digest.strip_prefix("sha256:");
            Some(
                hex.and_then(|hex| hex.parse().ok())
                    .expect("an artifact names its digest in hex"),
            )
        }
        Baseline::Unavailable(_) => None,
    }
}

/// Reads all of them.
pub fn read(at: &ReviewAt<'_>, seen: &GateView, outcome: &Outcome) -> Result<Vec<Source>> {
    let digest = baseline_digest(outcome);
    let mut read = Vec::new();
    for spec in source_list::list(&Context {
        baseline: digest.as_ref(),
        ..at.context()
    }) {
        let content = match spec.origin {
            Origin::Tree | Origin::Worktree => file(at.repo(), at.head_tree, &spec)?,
            Origin::Baseline => match digest {
                Some(_) => text(outcome.artifact.text.clone()),
                None => Content::Missing("no baseline was computed".to_owned()),
            },
            Origin::EvidenceLog => {
                let events: Vec<&Event> = seen.events.iter().map(|one| &one.event).collect();
                let cap = at.policy.policy.evidence.per_file_bytes() as usize;
                match log::text(&events, at.head_tree, cap) {
                    Some(log) => text(log),
                    None => Content::Missing("no run is recorded for this tree".to_owned()),
                }
            }
            Origin::FindingsLedger => match ledger_text::text(&seen.fold.findings) {
                Some(ledger) => text(ledger),
                None => Content::Missing("no finding was ever filed on this review".to_owned()),
            },
        };
        read.push(Source { spec, content });
    }
    Ok(read)
}

/// Reads a source that is a file.
pub fn file(repo: &Repo, tree: TreeId, spec: &SourceSpec) -> Result<Content> {
    let Some(path) = &spec.at else {
        return Ok(Content::Missing("the goal names no contract".to_owned()));
    };
    let (found, none) = match spec.origin {
        Origin::Worktree => (
            read::in_work_tree(repo.work_tree().as_deref(), path),
            "no such file in the work tree",
        ),
        _ => (read::in_tree(repo, tree, path)?, "no such file in the tree"),
    };
    Ok(match found {
        None if spec.key == SCOPE_CONTRACT => Content::NotInTree,
        None => Content::Missing(none.to_owned()),
        Some(content) => content,
    })
}

fn text(text: String) -> Content {
    if source::is_blank(&text) {
        Content::Empty(text.into_bytes())
    } else {
        Content::Text(text)
    }
}
