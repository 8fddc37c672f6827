//! A pre-push call: every line is judged, whatever became of the others.

use std::ffi::OsStr;

use super::hook_call::Call;
use super::judge::Judge;
use super::judge_push;
use super::pushed::Pushed;
use super::sync;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::git::range::is_branch_name;
use crate::git::{Repo, push_lines};
pub use crate::hook::chained::Chained;
use crate::ledger::refs::Prefix;
use crate::model::decision::{Decision, RefDecision};
use crate::model::policy::{OnPush, Policy};
use crate::model::push::{PushKind, PushLine, PushUpdate};
use crate::model::text::{sanitise, sanitise_bytes};

/// What a pre-push call comes to, before anything else is run.
#[derive(Debug, Clone, PartialEq)]
pub enum Judged {
    /// Git had nothing to push, or had rejected it all already.
    Nothing,
    /// At least one line was there.
    Decided(Decision),
}

/// What git tells the hook.
#[derive(Debug, Clone, Copy)]
pub struct Push<'a> {
    /// The name of the remote; `None` where it is pushed to a URL.
    pub remote: Option<&'a str>,
    /// All of standard input.
    pub stdin: &'a [u8],
}

impl<'a> Push<'a> {
    /// Takes git's arguments: the name of the remote and its URL, or twice the URL.
    pub fn new(args: &'a [impl AsRef<OsStr>], stdin: &'a [u8]) -> Result<Self> {
        let [name, url] = args else {
            return Err(Error::new(
                "usage",
                format!("a pre-push hook is called with two arguments, not {}", args.len()),
            )
            .hint("git review-gate hooks status"));
        };
        let (name, url) = (name.as_ref(), url.as_ref());
        if name == url {
            return Ok(Self { remote: None, stdin });
        }
        let name = name.to_str().ok_or_else(|| {
            Error::new("usage", "the name of the remote is not UTF-8")
                .because(sanitise_bytes(name.as_encoded_bytes()))
        })?;
        Ok(Self {
            remote: Some(name),
            stdin,
        })
    }
}

/// What a whole call of the hook comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// What was judged.
    pub judged: Judged,
    /// What became of the hook that was there before ours; not run after a push that we stop.
    pub chained: Chained,
    /// The exit code.
    pub exit: Exit,
    /// What went wrong besides, as for the exchange of notes.
    pub warnings: Vec<String>,
}

/// Judges the push here, then runs the chained hook with the same arguments, environment and bytes, then sends the
/// notes ahead of the code, so that the remote can judge it and nobody is one push behind.
pub fn run(call: &Call) -> Result<Answered> {
    let repo = Repo::open()?;
    let push = Push::new(&call.args, &call.stdin)?;
    let judged = judge(&repo, &push)?;
    let mut answered = Answered {
        exit: match &judged {
            Judged::Nothing => Exit::Pass,
            Judged::Decided(decision) => decision.outcome().into(),
        },
        judged,
        chained: Chained::Absent,
        warnings: Vec::new(),
    };
    if answered.exit != Exit::Pass {
        return Ok(answered);
    }
    answered.chained = call.run_chained()?;
    if answered.chained == Chained::Failed {
        answered.exit = Exit::Blocked;
    } else if answered.judged != Judged::Nothing {
        send_notes(&repo, &push, &mut answered)?;
    }
    Ok(answered)
}

/// Sends the notes that the remote does not have yet, as policy says. A failure warns, unless policy requires it.
fn send_notes(repo: &Repo, push: &Push<'_>, answered: &mut Answered) -> Result<()> {
    let policy = sync::policy(repo)?;
    if policy.on_push == OnPush::Off {
        return Ok(());
    }
    let prefix = Prefix::new(&policy.notes_prefix)?;
    let Some(remote) = push.remote else {
        if policy.on_push == OnPush::Require {
            return Err(Error::new(
                "sync-failed",
                "policy wants the notes sent first, and this remote has no name",
            )
            .hint("git remote add <name> <url>"));
        }
        return Ok(());
    };
    if !sync::has_news_for(repo, &prefix, remote)? {
        return Ok(());
    }
    match sync::sync(repo, &prefix, remote, policy.push_timeout) {
        Ok(report) => answered.warnings.extend(report.warnings),
        Err(error) if policy.on_push == OnPush::Require => {
            return Err(error.because("policy wants the notes sent before the code"));
        }
        Err(error) => answered.warnings.push(format!(
            "the notes were not sent: {error}; git review-gate sync {}",
            sanitise(remote)
        )),
    }
    Ok(())
}

/// Judges every line, in order.
pub fn judge(repo: &Repo, push: &Push<'_>) -> Result<Judged> {
    let lines = push_lines::parse(push.stdin);
    if lines.is_empty() {
        return Ok(Judged::Nothing);
    }
    let pushed = Pushed::new(repo, push.remote, &lines)?;
    let judge = Judge::new(repo);
    let refs = lines
        .iter()
        .map(|line| judge_line(&judge, &pushed, line))
        .collect();
    Ok(Judged::Decided(Decision { refs }))
}

fn judge_line(judge: &Judge<'_>, pushed: &Pushed<'_>, line: &PushLine) -> RefDecision {
    judge_push::line(line, |update| {
        // Our own notes have no base and no policy of their own, so they are told first.
        if Policy::default().is_own_ref(&update.remote_ref) {
            return Ok(judge_push::own_notes(update));
        }
        let source = source(judge.repo(), update)?;
        let branches = source.iter().cloned().collect();
        judge_push::update(judge, pushed, update, source.as_deref(), branches)
    })
}

/// The local branch that is pushed, as a full ref name: named as such, or by an expression that begins with it.
///
/// What is judged is the pushed commit alone; the branch only tells whose reviews speak for it.
fn source(repo: &Repo, update: &PushUpdate) -> Result<Option<String>> {
    if update.kind() == PushKind::Delete {
        return Ok(None);
    }
    let Ok(text) = std::str::from_utf8(&update.local_ref) else {
        return Ok(None);
    };
    let name = text.split(['~', '^', ':']).next().unwrap_or_default();
    let name = name.split("@{").next().unwrap_or_default();
    if name == "HEAD" || name == "@" {
        return Ok(repo.head()?.ref_name().map(str::to_owned));
    }
    let full = if name.starts_with("refs/heads/") {
        name.to_owned()
    } else {
        format!("refs/heads/{name}")
    };
    // The text is the user's and may be anything.
    let short = full.strip_prefix("refs/heads/").unwrap_or_default();
    let exists = is_branch_name(short) && repo.ref_target(&full)?.is_some();
    Ok(exists.then_some(full))
}
