//! Does git really run us? Answered for every worktree, with the reason where the answer is no.

use std::path::{Path, PathBuf};

use super::files::{self, Found};
use super::install::chained_path;
use super::place::Place;
use super::probe::{self, Probe};
use super::{configured, manager, shim};
use crate::error::Result;
use crate::git::Repo;
use crate::git::process::Git;
use crate::model::hooks::{HookName, HookState, HookStatus, HooksStatus, WorktreeHooks};

/// The command that helps most often.
const INSTALL: &str = "git review-gate hooks install";

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Look at files and configuration.
    Look,
    /// Also push to an empty temporary repository, as a dry run, and see whether git calls us.
    Push,
}

/// What is the same for all worktrees.
struct Surroundings<'a> {
    /// Where the program is found on `PATH`.
    on_path: Option<&'a Path>,
    /// The hooks directory that git uses where `core.hooksPath` is not set.
    usual_directory: PathBuf,
    git_version: (u32, u32),
    proof: Proof,
}

/// Examines every worktree of the repository. `on_path` is where the program is found on `PATH`.
pub fn examine(repo: &Repo, on_path: Option<&Path>, proof: Proof) -> Result<HooksStatus> {
    let around = Surroundings {
        on_path,
        usual_directory: repo.common_dir().join("hooks"),
        git_version: configured::git_version()?,
        proof,
    };
    let listed = repo.git(["worktree", "list", "--porcelain", "-z"]).run_ok()?;
    let worktrees: Vec<WorktreeHooks> = worktrees(&listed)
        .into_iter()
        .map(|(path, gone)| {
            if gone {
                gone_worktree(path)
            } else {
                examine_worktree(path, &around)
            }
        })
        .collect();
    let live = worktrees.iter().filter(|worktree| !worktree.gone).all(is_live);
    Ok(HooksStatus {
        schema: "review-gate/hooks-status",
        version: 1,
        live,
        worktrees,
    })
}

/// Whether git runs our own hook file here, whatever the configuration says.
pub fn file_is_live(repo: &Repo, hook: HookName, on_path: Option<&Path>) -> Result<bool> {
    let place = Place::find(repo)?;
    if place.refuse_empty().is_err() {
        return Ok(false);
    }
    let found = files::look(&place.directory.join(hook.as_str()))?;
    let (Found::File {
        bytes,
        executable: true,
    }
    | Found::Link {
        bytes,
        executable: true,
    }) = found
    else {
        return Ok(false);
    };
    Ok(match shim::owner(hook, &bytes) {
        shim::Owner::Ours { program } => program.as_deref().or(on_path).is_some_and(files::is_program),
        _ => false,
    })
}

/// Whether git runs everything that it should run in this worktree.
fn is_live(worktree: &WorktreeHooks) -> bool {
    worktree.fault.is_none() && worktree.hooks.iter().all(|hook| hook.state != HookState::NotLive)
}

/// Paths of worktrees, and whether their folder is gone, from `git worktree list --porcelain -z`.
fn worktrees(listed: &[u8]) -> Vec<(PathBuf, bool)> {
    let mut found: Vec<(PathBuf, bool)> = Vec::new();
    for field in listed.split(|byte| *byte == 0) {
        let field = String::from_utf8_lossy(field);
        if let Some(path) = field.strip_prefix("worktree ") {
            found.push((PathBuf::from(path), false));
        } else if let Some(last) = found.last_mut()
            && (field == "prunable" || field.starts_with("prunable "))
        {
            last.1 = true;
        }
    }
    found
}

fn gone_worktree(path: PathBuf) -> WorktreeHooks {
    WorktreeHooks {
        path,
        directory: None,
        fault: Some("the folder of this worktree is gone (git worktree prune)".to_owned()),
        gone: true,
        hooks: Vec::new(),
    }
}

fn examine_worktree(path: PathBuf, around: &Surroundings<'_>) -> WorktreeHooks {
    let mut worktree = WorktreeHooks {
        path,
        directory: None,
        fault: None,
        gone: false,
        hooks: Vec::new(),
    };
    let examined = Place::find_in(&worktree.path).and_then(|place| {
        if !place
            .hooks_path
            .as_ref()
            .is_some_and(super::place::HooksPath::is_empty)
        {
            worktree.directory = Some(place.directory.clone());
        }
        HookName::ALL
            .into_iter()
            .map(|hook| examine_hook(hook, &worktree.path, &place, around))
            .collect::<Result<Vec<_>>>()
    });
    match examined {
        Ok(mut hooks) => {
            let receives = hooks
                .iter()
                .any(|hook| hook.hook == HookName::PreReceive && hook.state == HookState::Live);
            // Where pushes are judged on their way in, none is expected to go out.
            for hook in hooks.iter_mut().filter(|_| receives) {
                if hook.state == HookState::NotLive && nothing_of_ours(hook) {
                    hook.state = HookState::NotInstalled;
                    hook.command = None;
                }
            }
            worktree.hooks = hooks;
        }
        Err(error) => worktree.fault = Some(error.to_string()),
    }
    worktree
}

fn examine_hook(
    hook: HookName,
    worktree: &Path,
    place: &Place,
    around: &Surroundings<'_>,
) -> Result<HookStatus> {
    let mut status = look(hook, worktree, place, around)?;
    let git = |args: &[&str]| Git::new(args).in_dir(worktree).without_local_environment();
    if configured::is_set(&git, hook)? {
        if configured::is_supported(around.git_version) {
            status.state = HookState::Live;
            status.command = None;
            status
                .notes
                .push("set in git's configuration; a git older than 2.54 skips it".to_owned());
        } else {
            let (major, minor) = around.git_version;
            status.notes.push(format!(
                "set in git's configuration, which git {major}.{minor} does not read"
            ));
        }
    }
    if status.state == HookState::NotLive && hook != HookName::PrePush && nothing_of_ours(&status) {
        status.state = HookState::NotInstalled;
    }
    if hook == HookName::PrePush && around.proof == Proof::Push {
        prove(&mut status, worktree)?;
    }
    Ok(status)
}

/// The note of a hook that is simply not there.
const NOT_THERE: &str = "not installed";

fn nothing_of_ours(status: &HookStatus) -> bool {
    status
        .notes
        .iter()
        .all(|note| note == NOT_THERE || note.starts_with(ANOTHER))
}

/// How the note on somebody else's hook begins.
const ANOTHER: &str = "another hook is there";

/// Tries it, and says what came of it.
fn prove(status: &mut HookStatus, worktree: &Path) -> Result<()> {
    match probe::run(worktree)? {
        Probe::Proven => {
            status.state = HookState::Proven;
            status.command = None;
            status.notes.push("a push through git called us".to_owned());
        }
        Probe::WithoutInput => {
            status.state = HookState::NotLive;
            status
                .notes
                .push("a push calls us, but what is pushed does not arrive on standard input".to_owned());
            status.command = Some(INSTALL.to_owned());
        }
        Probe::NotCalled => {
            status.state = HookState::NotLive;
            status.notes.push("a push through git did not call us".to_owned());
            status.command.get_or_insert_with(|| INSTALL.to_owned());
        }
        Probe::NothingToPush => {
            status
                .notes
                .push("not tried: there is no commit to push yet".to_owned());
        }
    }
    Ok(())
}

/// Looks at the file of the hook.
fn look(hook: HookName, worktree: &Path, place: &Place, around: &Surroundings<'_>) -> Result<HookStatus> {
    let not_live = |note: String, command: &str| HookStatus {
        hook,
        state: HookState::NotLive,
        notes: vec![note],
        command: Some(command.to_owned()),
    };
    if let Some(path) = &place.hooks_path
        && path.is_empty()
    {
        let note = format!(
            "core.hooksPath is set to nothing ({}), so git runs no hook",
            path.scope
        );
        return Ok(not_live(note, &path.unset_command()));
    }
    let path = place.directory.join(hook.as_str());
    let (bytes, executable) = match files::look(&path)? {
        Found::Nothing => return Ok(absent(hook, place, around, &not_live)),
        Found::Dangling => {
            let note = format!("{} is a link that points at nothing", path.display());
            return Ok(not_live(note, &format!("ls -l '{}'", path.display())));
        }
        Found::File { bytes, executable } | Found::Link { bytes, executable } => (bytes, executable),
    };
    let owner = shim::owner(hook, &bytes);
    if matches!(owner, shim::Owner::Ours { .. } | shim::Owner::Newer(_)) && !executable {
        return Ok(not_live(
            format!("{} is not executable, so git skips it", path.display()),
            INSTALL,
        ));
    }
    let mut status = HookStatus {
        hook,
        state: HookState::Live,
        notes: Vec::new(),
        command: None,
    };
    match owner {
        shim::Owner::Ours { program } => judge_program(&mut status, program.as_deref(), around),
        shim::Owner::Newer(version) => {
            status.notes.push(format!(
                "of a newer version of this program (hook version {version})"
            ));
        }
        shim::Owner::Changed => {
            let note = format!(
                "{} began as our hook and was changed; --probe tells whether it calls us",
                path.display()
            );
            return Ok(not_live(note, "git review-gate hooks status --probe"));
        }
        shim::Owner::Foreign => return judge_foreign(hook, worktree, &path, &bytes),
    }
    let chained = chained_path(&path);
    if files::is_taken(&chained) {
        status.notes.push(if files::is_program(&chained) {
            format!("runs {} after ours", chained.display())
        } else {
            format!("{} is not executable, so it is not run", chained.display())
        });
    }
    Ok(status)
}

/// Nothing under the name of the hook: simply not installed, or git is sent to another place.
fn absent(
    hook: HookName,
    place: &Place,
    around: &Surroundings<'_>,
    not_live: &dyn Fn(String, &str) -> HookStatus,
) -> HookStatus {
    let usual = around.usual_directory.join(hook.as_str());
    let ours_there = matches!(
        files::look(&usual),
        Ok(Found::File { bytes, .. }) if matches!(shim::owner(hook, &bytes), shim::Owner::Ours { .. } | shim::Owner::Newer(_))
    );
    match &place.hooks_path {
        Some(path) if ours_there => not_live(
            format!(
                "our hook {} is shadowed: core.hooksPath ({}) sends git to {}",
                usual.display(),
                path.scope,
                place.directory.display()
            ),
            INSTALL,
        ),
        _ => not_live(NOT_THERE.to_owned(), INSTALL),
    }
}

/// Whether the program that our hook names is there.
fn judge_program(status: &mut HookStatus, program: Option<&Path>, around: &Surroundings<'_>) {
    let there = program.is_some_and(files::is_program);
    match (there, around.on_path) {
        (true, _) => {}
        (false, Some(found)) => {
            if let Some(program) = program {
                status.notes.push(format!(
                    "{} is gone; {} is used instead",
                    program.display(),
                    found.display()
                ));
                status.command = Some(INSTALL.to_owned());
            }
        }
        (false, None) => {
            let program = program.map_or("git-review-gate".to_owned(), |path| path.display().to_string());
            status.state = HookState::NotLive;
            status.notes.push(format!(
                "{program} is gone and there is none on PATH: every push stops"
            ));
            status.command = Some(INSTALL.to_owned());
        }
    }
}

/// Somebody else's hook: a manager that calls us, one that does not, or any other.
fn judge_foreign(hook: HookName, worktree: &Path, path: &Path, bytes: &[u8]) -> Result<HookStatus> {
    let directory = path.parent().expect("a hook lies in a directory");
    let mut status = HookStatus {
        hook,
        state: HookState::NotLive,
        notes: Vec::new(),
        command: Some(INSTALL.to_owned()),
    };
    let Some(manager) = manager::of_directory(directory).or_else(|| manager::of_file(bytes)) else {
        status.notes.push(format!("{ANOTHER}: {}", path.display()));
        return Ok(status);
    };
    if let Some(file) = manager::configured(manager, worktree, hook)? {
        status.state = HookState::Live;
        status.command = None;
        status.notes.push(format!(
            "{} calls us, see {}; --probe proves it",
            manager.as_str(),
            file.display()
        ));
    } else {
        status.notes.push(format!(
            "{ANOTHER}: it is kept by {}, which does not call us",
            manager.as_str()
        ));
    }
    Ok(status)
}
