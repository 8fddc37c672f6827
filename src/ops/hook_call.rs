//! What a call of one of our hooks comes to, apart from the judgement of a push.

#![expect(
    clippy::disallowed_methods,
    reason = "the token of a probe arrives in the environment"
)]

use std::ffi::OsString;
use std::path::PathBuf;

use super::adopt;
use super::desk::Desk;
use super::program;
use crate::error::Result;
use crate::git::Repo;
use crate::hook::chained::{self, Chained};
use crate::hook::{probe, rewrite, status};
use crate::model::hooks::HookName;

/// One call of a hook, with everything that git gave it.
#[derive(Debug, Clone)]
pub struct Call {
    /// Which hook.
    pub hook: HookName,
    /// The arguments of git.
    pub args: Vec<OsString>,
    /// All of standard input.
    pub stdin: Vec<u8>,
    /// Where a hook that was there before ours is kept.
    pub chained: Option<PathBuf>,
    /// What called us.
    pub caller: Caller,
}

/// What called us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A hook file, ours or a manager's.
    File,
    /// Git's configuration.
    Config,
}

impl Call {
    /// The answer to a probe, where this call is one.
    pub fn probe_answer(&self) -> Option<String> {
        let token = std::env::var(probe::VARIABLE).ok()?;
        Some(probe::answer(&token, &self.stdin))
    }

    /// Whether our hook file runs as well, after this call from git's configuration: then that one acts.
    pub fn is_repeated_by_file(&self) -> Result<bool> {
        if self.caller == Caller::File {
            return Ok(false);
        }
        status::file_is_live(&Repo::open()?, self.hook, program::on_path().as_deref())
    }

    /// Runs the hook that was there before ours, with the same arguments, environment and bytes.
    pub fn run_chained(&self) -> Result<Chained> {
        match &self.chained {
            Some(path) => chained::run(path, &self.args, &self.stdin),
            None => Ok(Chained::Absent),
        }
    }
}

/// Records what was rewritten, then runs the chained hook. Never fails the user's command: what went wrong is returned
/// as warnings.
pub fn post_rewrite(call: &Call) -> Vec<String> {
    let mut warnings = Vec::new();
    match record_rewrites(call) {
        Ok(put_back) => warnings.extend(put_back),
        Err(error) => warnings.push(format!(
            "this rewrite was not recorded: {error}; later: git review-gate adopt OLD NEW"
        )),
    }
    match call.run_chained() {
        Ok(Chained::Absent | Chained::Succeeded | Chained::NotExecutable) => {}
        // Git does not ask how a post-rewrite hook ended.
        Ok(Chained::Failed) => warnings.push("the chained post-rewrite hook failed".to_owned()),
        Err(error) => warnings.push(error.to_string()),
    }
    warnings
}

/// Appends one `rewrite` event for each new commit; returns what should be said.
fn record_rewrites(call: &Call) -> Result<Vec<String>> {
    let rewrites = rewrite::parse(&call.stdin)?;
    if rewrites.is_empty() {
        return Ok(Vec::new());
    }
    let repo = Repo::open()?;
    Ok(adopt::record(&Desk::open_to_write(&repo)?, rewrites)?.warnings)
}
