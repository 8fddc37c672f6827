//! Hooks that git 2.54 and later reads from its configuration.
//!
//! Two hooks are set: `hook.review-gate` for pushes, `hook.review-gate-rewrite` for rewrites. The command comes before
//! the event: a git that sees an event without a command fails.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::process::Git;
use crate::model::hooks::{Action, HookName, Step};
use crate::model::text::sanitise_bytes;

/// The first version of git that reads hooks from its configuration.
const FIRST_VERSION: (u32, u32) = (2, 54);

/// Whose configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Of this repository.
    Local,
    /// Of this user.
    Global,
}

impl Scope {
    const fn flag(self) -> &'static str {
        match self {
            Self::Local => "--local",
            Self::Global => "--global",
        }
    }
}

/// The name under which a hook is configured.
const fn section(hook: HookName) -> &'static str {
    match hook {
        HookName::PrePush => "hook.review-gate",
        HookName::PostRewrite => "hook.review-gate-rewrite",
        HookName::PreReceive => "hook.review-gate-receive",
    }
}

/// The version of the git program, as far as it matters.
pub fn git_version() -> Result<(u32, u32)> {
    let answer = Git::new(["version"]).run_ok()?;
    parse_version(&answer).ok_or_else(|| {
        Error::new("git-failed", "git's version was not understood")
            .because(sanitise_bytes(answer.trim_ascii()))
    })
}

fn parse_version(answer: &[u8]) -> Option<(u32, u32)> {
    let text = std::str::from_utf8(answer).ok()?;
    let mut numbers = text.trim().strip_prefix("git version ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Whether this git reads hooks from its configuration.
pub fn is_supported(version: (u32, u32)) -> bool {
    version >= FIRST_VERSION
}

/// What would be written; nothing is changed.
pub fn plan(repo: &Repo, hooks: &[HookName], scope: Scope, program: Option<&Path>) -> Result<Vec<Step>> {
    let version = git_version()?;
    if !is_supported(version) {
        return Err(Error::new(
            "git-too-old",
            format!(
                "git {}.{} does not read hooks from its configuration",
                version.0, version.1
            ),
        )
        .because(format!(
            "this came with git {}.{}",
            FIRST_VERSION.0, FIRST_VERSION.1
        ))
        .hint("git review-gate hooks install"));
    }
    let mut steps = Vec::new();
    for hook in hooks {
        let current = read(repo, *hook, scope)?;
        let wanted = (Some(command(*hook, program)), Some(hook.as_str().to_owned()));
        let action = if current == wanted {
            Action::Keep
        } else {
            Action::Configure
        };
        steps.push(Step {
            hook: *hook,
            path: PathBuf::from(section(*hook)),
            action,
        });
    }
    Ok(steps)
}

/// Writes the keys of one hook: the command first, so that no event is ever without one.
pub fn write(repo: &Repo, hook: HookName, scope: Scope, program: Option<&Path>) -> Result<()> {
    let section = section(hook);
    let set = |key: &str, value: &str| {
        repo.git([
            "config",
            scope.flag(),
            "--replace-all",
            &format!("{section}.{key}"),
            value,
        ])
        .run_ok()
    };
    set("command", &command(hook, program))?;
    set("event", hook.as_str())?;
    Ok(())
}

/// What removing would do; hooks that are not configured need no step.
pub fn plan_removal(repo: &Repo, hooks: &[HookName], scope: Scope) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for hook in hooks {
        if read(repo, *hook, scope)? != (None, None) {
            steps.push(Step {
                hook: *hook,
                path: PathBuf::from(section(*hook)),
                action: Action::Unconfigure,
            });
        }
    }
    Ok(steps)
}

/// Removes the keys of one hook in the reverse order.
pub fn remove(repo: &Repo, hook: HookName, scope: Scope) -> Result<()> {
    let section = section(hook);
    for key in ["event", "command"] {
        let output = repo
            .git(["config", scope.flag(), "--unset-all", &format!("{section}.{key}")])
            .run()?;
        // 5: there was no such key.
        if !matches!(output.code, Some(0 | 5)) {
            return Err(
                Error::new("config", format!("{section}.{key} could not be removed"))
                    .because(output.error_text())
                    .hint(format!("git config {} --remove-section {section}", scope.flag())),
            );
        }
    }
    // Where other keys are left in the section, it stays, and git says so with an exit code that does not matter.
    let _ = repo
        .git(["config", scope.flag(), "--remove-section", section])
        .run()?;
    Ok(())
}

/// Whether the configuration that git sees in this folder asks to call us for this hook.
pub fn is_set(git: &dyn Fn(&[&str]) -> Git, hook: HookName) -> Result<bool> {
    let events = values(git(&["config", "--get-all", &format!("{}.event", section(hook))]))?;
    let commands = values(git(&[
        "config",
        "--get-all",
        &format!("{}.command", section(hook)),
    ]))?;
    let enabled = values(git(&[
        "config",
        "--type=bool",
        "--get",
        &format!("{}.enabled", section(hook)),
    ]))?;
    Ok(events.iter().any(|event| event == hook.as_str())
        && commands.last().is_some_and(|command| !command.is_empty())
        && enabled.last().is_none_or(|enabled| enabled == "true"))
}

/// The command and the event that are set in one scope.
fn read(repo: &Repo, hook: HookName, scope: Scope) -> Result<(Option<String>, Option<String>)> {
    let get = |key: &str| {
        let values = values(repo.git([
            "config",
            scope.flag(),
            "--get-all",
            &format!("{}.{key}", section(hook)),
        ]))?;
        Ok::<_, Error>((!values.is_empty()).then(|| values.join("\n")))
    };
    Ok((get("command")?, get("event")?))
}

/// All values of a key; none when it is not set.
fn values(git: Git) -> Result<Vec<String>> {
    let output = git.run()?;
    match output.code {
        Some(0) => Ok(String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(str::to_owned)
            .collect()),
        Some(1) => Ok(Vec::new()),
        _ => Err(Error::new("config", "git's configuration could not be read").because(output.error_text())),
    }
}

/// The command line that git hands to the shell; it adds the arguments of the hook.
fn command(hook: HookName, program: Option<&Path>) -> String {
    let program = program.and_then(Path::to_str).unwrap_or("git-review-gate");
    format!(
        "'{}' hook {} --configured --",
        program.replace('\'', r"'\''"),
        hook.as_str()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_git_writes_them() {
        for (answer, expected) in [
            ("git version 2.47.3\n", Some((2, 47))),
            ("git version 2.54.0.windows.1\n", Some((2, 54))),
            ("git version 2.39.5 (Apple Git-154)\n", Some((2, 39))),
            ("git version 3.0\n", Some((3, 0))),
            ("hub version 1", None),
        ] {
            assert_eq!(parse_version(answer.as_bytes()), expected, "{answer}");
        }
        assert!(is_supported((2, 54)) && is_supported((3, 0)) && !is_supported((2, 53)));
    }
}
