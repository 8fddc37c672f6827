//! What git's configuration says about showing things.

use crate::git::Repo;
use crate::git::process::Git;

/// The value of `color.ui`, if any. It only concerns looks, so a repository that cannot be opened has none.
pub fn color_ui() -> Option<String> {
    let repo = match Repo::opened() {
        Some(repo) => repo,
        None => Repo::open().ok()?,
    };
    repo.config_string("color.ui").ok()?
}

/// The command of the pager that git would use, if any.
///
/// Git answers with `GIT_PAGER`, `core.pager`, `PAGER` or its default, in this order.
pub fn pager() -> Option<String> {
    let command = String::from_utf8(Git::new(["var", "GIT_PAGER"]).run_ok().ok()?).ok()?;
    Some(command.trim().to_owned())
}
