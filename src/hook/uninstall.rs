//! Takes our hooks out again: the exact inverse of installing.

use super::files::{self, Found};
use super::install::chained_path;
use super::place::Place;
use super::shim::{self, Owner};
use crate::error::Result;
use crate::git::Repo;
use crate::model::hooks::{Action, HookName, Step};

/// What would be done; nothing is changed. Hooks that are not there need no step.
pub fn plan(repo: &Repo, hooks: &[HookName]) -> Result<Vec<Step>> {
    let place = Place::find(repo)?;
    // With an empty `core.hooksPath` there is no directory that anything of ours could be in.
    if place.refuse_empty().is_err() {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    for hook in hooks {
        let path = place.directory.join(hook.as_str());
        let chained = chained_path(&path);
        let action = match files::look(&path)? {
            Found::Nothing => None,
            Found::File { bytes, .. } => match shim::owner(*hook, &bytes) {
                Owner::Ours { .. } | Owner::Newer(_) if files::is_taken(&chained) => Some(Action::Restore {
                    moved_from: chained.clone(),
                }),
                Owner::Ours { .. } | Owner::Newer(_) => Some(Action::Remove),
                Owner::Changed => Some(left("it began as our hook and was changed since")),
                Owner::Foreign => Some(left("it is not ours")),
            },
            Found::Link { .. } | Found::Dangling => Some(left("it is a link, and not ours")),
        };
        let stranded = files::is_taken(&chained) && !matches!(action, Some(Action::Restore { .. }));
        steps.extend(action.map(|action| Step {
            hook: *hook,
            path,
            action,
        }));
        if stranded {
            steps.push(Step {
                hook: *hook,
                path: chained,
                action: left("it was moved aside once, and our hook is not there to be replaced by it"),
            });
        }
    }
    Ok(steps)
}

/// Carries out a step of a plan.
pub fn carry_out(step: &Step) -> Result<()> {
    match &step.action {
        Action::Remove => files::remove(&step.path),
        // One rename, so that there is a hook at every moment.
        Action::Restore { moved_from } => files::rename(moved_from, &step.path),
        _ => Ok(()),
    }
}

fn left(reason: &str) -> Action {
    Action::LeaveAlone {
        reason: reason.to_owned(),
    }
}
