//! Proves through git itself that a push calls us: a real push, as a dry run, to an empty temporary repository.
//!
//! The call is recognised by a token in the environment and answers on standard error, then fails, so that no hook that
//! comes after it runs and a token that somebody sets by mistake stops the push instead of letting it through.

use std::path::Path;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::git::process::Git;

/// The variable that carries the token.
pub const VARIABLE: &str = "GIT_REVIEW_GATE_PROBE";

/// How long the hooks of a probe may take; managers may start others before us.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What a probe found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// Git called us and we were told what is pushed.
    Proven,
    /// Git called us, but the list of what is pushed did not arrive: a manager keeps it.
    WithoutInput,
    /// Git did not call us.
    NotCalled,
    /// There is no commit to push yet.
    NothingToPush,
}

/// What a probed call answers; `stdin` is what it was given.
pub fn answer(token: &str, stdin: &[u8]) -> String {
    let lines = stdin
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .count();
    format!("review-gate-probe {token} {lines}\n")
}

/// Pushes from this worktree and sees whether we are called.
pub fn run(worktree: &Path) -> Result<Probe> {
    let git = |args: &[&str]| Git::new(args).in_dir(worktree).without_local_environment();
    if !git(&["rev-parse", "--quiet", "--verify", "HEAD^{commit}"])
        .run()?
        .success()
    {
        return Ok(Probe::NothingToPush);
    }
    let format = git(&["rev-parse", "--show-object-format"]).run_ok()?;
    let format = String::from_utf8_lossy(&format).trim().to_owned();
    let target = tempfile::Builder::new()
        .prefix("review-gate-probe-")
        .tempdir()
        .map_err(|cause| Error::new("io", "no temporary folder for the probe").caused_by(&cause))?;
    let folder = target.path().to_string_lossy().into_owned();
    Git::new([
        "init",
        "--quiet",
        "--bare",
        &format!("--object-format={format}"),
        &folder,
    ])
    .without_local_environment()
    .run_ok()?;
    let token = target
        .path()
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let output = git(&["push", "--dry-run", &folder, "HEAD:refs/heads/review-gate-probe"])
        .env(VARIABLE, &token)
        .timeout(TIMEOUT)
        .run()?;
    let said =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    Ok(match () {
        () if output.success() => Probe::NotCalled,
        () if said.contains(answer(&token, b"one line\n").trim_end()) => Probe::Proven,
        () if said.contains(&format!("review-gate-probe {token} ")) => Probe::WithoutInput,
        () => Probe::NotCalled,
    })
}
