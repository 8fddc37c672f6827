//! What installing, removing and examining hooks came to, for people and as JSON.

use std::path::Path;

use crate::model::hooks::{Action, HookState, HooksChange, HooksStatus, Mode, Step, WorktreeHooks};
use crate::model::text::{sanitise, sanitise_bytes};

/// A change as JSON.
pub fn change_json(change: &HooksChange) -> String {
    json(change)
}

/// A status as JSON.
pub fn status_json(status: &HooksStatus) -> String {
    json(status)
}

/// Any of our values as JSON with sorted keys.
fn json(value: &impl serde::Serialize) -> String {
    // By way of a value: that sorts the keys.
    let value = serde_json::to_value(value).expect("paths of hooks were read as UTF-8, keys are words");
    let mut text = format!("{value:#}");
    text.push('\n');
    text
}

/// A change for people: one line a hook, and what is left to do.
pub fn change_human(change: &HooksChange) -> String {
    if change.steps.is_empty() {
        return "No hook of ours is here.\n".to_owned();
    }
    let mut text = String::new();
    for step in &change.steps {
        let (words, more) = words(&step.action);
        let will = if change.mode == Mode::DryRun && step.action.changes() {
            "would be: "
        } else {
            ""
        };
        line(&mut text, step, &format!("{will}{words}"));
        for note in more {
            text.push_str("    ");
            text.push_str(&note);
            text.push('\n');
        }
    }
    managed_human(&mut text, change);
    text
}

/// The lines for the configuration of a hook manager, where one keeps the hooks.
pub fn managed_human(text: &mut String, change: &HooksChange) {
    for step in &change.steps {
        if let Action::Managed { manager, file, lines } = &step.action {
            let manager = manager.as_str();
            text.push_str(&format!(
                "\n{manager} keeps the hooks of this repository. Add this to {file}, commit it, and\n\
                 let {manager} install its hooks again:\n\n"
            ));
            for line in lines.lines() {
                text.push_str("    ");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}

/// What an action is called, and what else there is to say.
fn words(action: &Action) -> (&'static str, Vec<String>) {
    match action {
        Action::Create => ("installed", vec![]),
        Action::Replace => ("brought up to date", vec![]),
        Action::Chain { moved_to } => (
            "installed",
            vec![format!(
                "the hook that was there runs after ours: {}",
                path(moved_to)
            )],
        ),
        Action::Keep => ("up to date", vec![]),
        Action::KeepNewer { version } => (
            "left alone",
            vec![format!(
                "a newer version of this program wrote it (hook version {version})"
            )],
        ),
        Action::ManagedLive { manager, file } => (
            "up to date",
            vec![format!("{} calls us: {}", manager.as_str(), sanitise(file))],
        ),
        Action::Managed { manager, .. } => (
            "not installed",
            vec![format!("{} keeps this hook", manager.as_str())],
        ),
        Action::Configure => (
            "configured",
            vec!["git older than 2.54 skips hooks that are set in its configuration".to_owned()],
        ),
        Action::Remove => ("removed", vec![]),
        Action::Restore { moved_from } => (
            "removed",
            vec![format!(
                "the hook that was there before is back, from {}",
                path(moved_from)
            )],
        ),
        Action::LeaveAlone { reason } => ("left alone", vec![sanitise(reason)]),
        Action::Unconfigure => ("removed from git's configuration", vec![]),
    }
}

fn line(text: &mut String, step: &Step, words: &str) {
    text.push_str(&format!(
        "{:<12}  {words}: {}\n",
        step.hook.as_str(),
        path(&step.path)
    ));
}

/// The status for people: every worktree, every hook, and the command that helps.
pub fn status_human(status: &HooksStatus) -> String {
    let mut text = String::new();
    for worktree in &status.worktrees {
        worktree_human(&mut text, worktree);
    }
    text.push_str(if status.live {
        "\nGit runs these hooks.\n"
    } else {
        "\nGit does not run every hook that it should: pushes are not judged everywhere.\n"
    });
    text
}

fn worktree_human(text: &mut String, worktree: &WorktreeHooks) {
    text.push_str(&path(&worktree.path));
    text.push('\n');
    if let Some(fault) = &worktree.fault {
        text.push_str(&format!("  {}\n", sanitise(fault)));
    }
    for hook in &worktree.hooks {
        let state = match hook.state {
            HookState::Live => "live",
            HookState::Proven => "live, proven by a push",
            HookState::NotLive => "NOT LIVE",
            HookState::NotInstalled => "not installed",
        };
        text.push_str(&format!("  {:<12}  {state}\n", hook.hook.as_str()));
        for note in hook.notes.iter().filter(|note| *note != state) {
            text.push_str(&format!("      {}\n", sanitise(note)));
        }
        if let Some(command) = &hook.command {
            text.push_str(&format!("      next: {}\n", sanitise(command)));
        }
    }
}

/// A path that is safe to show.
fn path(path: &Path) -> String {
    sanitise_bytes(path.as_os_str().as_encoded_bytes())
}
