//! Where this program is, in the form that stays valid.

#![expect(
    clippy::disallowed_methods,
    reason = "PATH is read here for hooks, which outlive this process"
)]

use std::path::PathBuf;

/// The name of the program.
const NAME: &str = "git-review-gate";

/// The program as found on `PATH`, absolute.
pub fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(NAME))
        .find(|file| crate::hook::is_program(file))
}

/// The path that hooks should hold: the one on `PATH` when it is this very program, since package managers keep that
/// and replace what it points at; else where this process was started from.
pub fn stable_path() -> Option<PathBuf> {
    let here = std::env::current_exe().ok();
    let found = on_path();
    match (&found, &here) {
        (Some(found), Some(here)) if found.canonicalize().ok() == here.canonicalize().ok() => {
            Some(found.clone())
        }
        _ => here.or(found),
    }
}
