//! Exchanges notes with a remote: fetch, unite, push, read back. Nothing is ever forced, nothing is ever lost.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use super::ledger::Ledger;
use super::{clock, gate_base, mirror};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::refs::Head;
use crate::git::transport::{Pushed, Transport};
use crate::ledger::refs::{NotesRef, Prefix};
use crate::ledger::store::lock::jitter;
use crate::ledger::store::{Author, Store};
use crate::model::ids::CommitId;
use crate::model::policy::SyncPolicy;
use crate::model::sync::{SyncReport, SyncState, SyncedRef};
use crate::model::text::sanitise;

/// How often a push that others were faster with is tried again.
const MAX_ROUNDS: u32 = 20;

/// What became of one ref so far.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    received: usize,
    sent: bool,
    moved: bool,
}

/// The command `sync`: policy says how, mirrors of reviews in the checked-out tree are united with the notes first.
pub fn run(named: Option<&str>, limit: Option<Duration>) -> Result<SyncReport> {
    let repo = Repo::open()?;
    let policy = policy(&repo)?;
    let remote = choose_remote(&repo, named, policy.remote.as_deref())?;
    let (ledger, put_back) = Ledger::open_to_write(&repo, &policy.notes_prefix)?;
    let imported = mirror::import_checked_out(&repo, &ledger)?;
    let mut report = sync(&repo, ledger.prefix(), &remote, limit.unwrap_or(policy.timeout))?;
    report.from_mirrors = imported.new;
    report.warnings.splice(0..0, put_back);
    Ok(report)
}

/// How notes are exchanged, by the policy at the base of what is checked out; before the first commit the built-in way.
pub fn policy(repo: &Repo) -> Result<SyncPolicy> {
    let head = repo.head()?;
    let Some(commit) = head.commit() else {
        return Ok(SyncPolicy::default());
    };
    let asked = gate_base::Asked {
        head: commit,
        base: None,
        local_ref: head.ref_name(),
        target_ref: head.ref_name(),
    };
    Ok(gate_base::find(repo, &asked)?.policy.sync)
}

/// Whether there are notes here that a remote did not have when it was last talked to.
pub fn has_news_for(repo: &Repo, prefix: &Prefix, remote: &str) -> Result<bool> {
    let store = Store::new(repo, prefix.clone());
    for notes_ref in NotesRef::ALL {
        let here = repo.ref_commit(&prefix.full(notes_ref))?;
        if here.is_some() && here != store.tracked(remote, notes_ref)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The remote to talk to: the one that is named, else that of policy, of the branch, `origin`, or the only one.
pub fn choose_remote(repo: &Repo, named: Option<&str>, policy: Option<&str>) -> Result<String> {
    if let Some(name) = named.or(policy) {
        return Ok(name.to_owned());
    }
    let head = repo.head()?;
    let upstream = match &head {
        Head::Branch(..) | Head::Unborn(_) => head.branch().and_then(|branch| repo.upstream(branch)),
        Head::Detached(_) => None,
    };
    if let Some(upstream) = upstream.filter(|upstream| upstream.remote != ".") {
        return Ok(upstream.remote);
    }
    let remotes = repo.remotes();
    match &remotes[..] {
        [] => Err(
            Error::new("no-remote", "there is no remote to exchange notes with")
                .hint("git remote add origin <url>"),
        ),
        [only] => Ok(only.clone()),
        more if more.iter().any(|name| name == "origin") => Ok("origin".to_owned()),
        more => Err(Error::new("no-remote", "it is not clear which remote is meant")
            .because(format!("there are {}", sanitise(&more.join(", "))))
            .hint(format!("git review-gate sync {}", sanitise(&more[0])))),
    }
}

/// Exchanges all notes refs with one remote, for at most `limit` altogether.
///
/// Whatever fails, what is here stays as it was or has grown. Kinds of errors: `sync-failed` (network,
/// authentication), `sync-refused` (the remote does not want our refs), `timeout`, and those of the store.
pub fn sync(repo: &Repo, prefix: &Prefix, remote: &str, limit: Duration) -> Result<SyncReport> {
    let store = Store::new(repo, prefix.clone());
    let identity = repo.identity()?;
    let author = Author {
        who: identity,
        at: clock::now().as_second(),
    };
    let transport = Transport::new(repo, remote, limit)?;
    let mut warnings = store.recover(&author)?.warnings;
    let mut progress = [Progress::default(); 4];
    let mut pause = Duration::from_millis(20);
    for round in 1.. {
        let there = receive(&store, &transport, remote, &author, &mut progress, &mut warnings)?;
        match send(&store, &transport, remote, &author, there, &mut progress)? {
            None => break,
            Some(said) if round >= MAX_ROUNDS || transport.is_over() => {
                return Err(Error::new(
                    "race-lost",
                    format!("{} was written by others each time", sanitise(remote)),
                )
                .because(said)
                .because("what is here is intact")
                .hint(format!("git review-gate sync {}", sanitise(remote))));
            }
            Some(_) => {
                thread::sleep(jitter(pause));
                pause = (pause * 2).min(Duration::from_secs(1));
            }
        }
    }
    store.mark_asked(remote)?;
    let mut refs = Vec::new();
    for (notes_ref, progress) in NotesRef::ALL.into_iter().zip(progress) {
        let name = prefix.full(notes_ref);
        let state = match (progress.moved, progress.sent) {
            (true, true) => SyncState::United,
            (true, false) => SyncState::Received,
            (false, true) => SyncState::Sent,
            (false, false) if repo.ref_target(&name)?.is_none() => SyncState::Absent,
            (false, false) => SyncState::Equal,
        };
        refs.push(SyncedRef {
            name,
            state,
            received: progress.received,
        });
    }
    refs.sort();
    Ok(SyncReport {
        schema: "review-gate/sync",
        version: 1,
        remote: sanitise(remote),
        refs,
        from_mirrors: 0,
        warnings,
    })
}

/// Fetches what the remote has and unites it with what is here; gives the tips that the remote has.
fn receive(
    store: &Store<'_>,
    transport: &Transport<'_>,
    remote: &str,
    author: &Author,
    progress: &mut [Progress; 4],
    warnings: &mut Vec<String>,
) -> Result<[Option<CommitId>; 4]> {
    let there = transport.refs(store.prefix().as_str())?;
    let before = tracked(store, remote)?;
    let known = NotesRef::ALL.iter().zip(before).all(|(notes_ref, tip)| {
        let advertised = there.get(&store.prefix().full(*notes_ref)).copied();
        advertised.is_none() || advertised == tip.map(|tip| tip.0)
    });
    if !known {
        transport.fetch(store.prefix().as_str(), &store.tracking(remote))?;
    }
    let mut now = tracked(store, remote)?;
    for (index, notes_ref) in NotesRef::ALL.into_iter().enumerate() {
        let name = store.prefix().full(notes_ref);
        // What is not there any more stays in the ref that tracks it: nothing is pruned.
        let theirs = now[index].filter(|_| there.contains_key(&name));
        now[index] = theirs;
        if let Some(before) = before[index] {
            let rewound = match theirs {
                Some(theirs) => theirs != before && !store.repo().is_ancestor(before, theirs)?,
                None => true,
            };
            if rewound && let Some(missing) = store.what_is_missing(before, theirs)? {
                let warning = format!(
                    "{} had lost {missing} in {name}; they are put back",
                    sanitise(remote)
                );
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
                // Usually contained here long since; if not, the last that was fetched is all that is left of it.
                store.merge(notes_ref, before, author, "Unite with what the remote had")?;
            }
        }
        if let Some(theirs) = theirs {
            let here = store.repo().ref_commit(&name)?;
            let merged = store.merge(notes_ref, theirs, author, "Unite with the notes of a remote")?;
            if merged.moved {
                // What was taken out of a ref before it came here is in its history still.
                let lost = store.lost_lines(here, theirs, merged.tip)?;
                if !lost.is_empty() {
                    store.restore(notes_ref, &lost, author)?;
                    let count: usize = lost.values().map(BTreeSet::len).sum();
                    progress[index].received += count;
                    warnings.push(format!(
                        "{} had dropped {count} lines of {name}; they are put back",
                        sanitise(remote)
                    ));
                }
            }
            progress[index].received += merged.new_lines;
            progress[index].moved |= merged.moved;
            if merged.kept_lines > 0 {
                warnings.push(format!(
                    "{} had dropped {} lines of {name}; they are kept",
                    sanitise(remote),
                    merged.kept_lines
                ));
            }
        }
    }
    Ok(now)
}

/// Pushes what the remote lacks and reads it back; what was said when somebody else was faster.
fn send(
    store: &Store<'_>,
    transport: &Transport<'_>,
    remote: &str,
    author: &Author,
    there: [Option<CommitId>; 4],
    progress: &mut [Progress; 4],
) -> Result<Option<String>> {
    let mut wanted = Vec::new();
    let mut indexes = Vec::new();
    for (index, notes_ref) in NotesRef::ALL.into_iter().enumerate() {
        let name = store.prefix().full(notes_ref);
        let Some(here) = store.repo().ref_commit(&name)? else {
            continue;
        };
        let equal = match there[index] {
            Some(theirs) => theirs == here || same_lines(store, theirs, here)?,
            None => false,
        };
        if !equal {
            wanted.push((name, here));
            indexes.push(index);
        }
    }
    if wanted.is_empty() {
        return Ok(None);
    }
    let mut raced = None;
    for ((name, _), answer) in wanted.iter().zip(transport.push(&wanted)?) {
        match answer {
            Pushed::Yes => {}
            Pushed::Raced(said) => raced = Some(said),
            Pushed::Refused(said) => return Err(refused(remote, name, &said)),
        }
    }
    if raced.is_some() {
        return Ok(raced);
    }
    let there = transport.refs(store.prefix().as_str())?;
    for (index, (name, here)) in indexes.into_iter().zip(&wanted) {
        match there.get(name) {
            Some(id) if *id == here.0 => {
                progress[index].sent = true;
                store.set_tracked(remote, NotesRef::ALL[index], *here, author)?;
            }
            // Somebody else has pushed on top already, or the remote has not kept it: the next round tells.
            _ => raced = Some(format!("{name} is not what was pushed")),
        }
    }
    Ok(raced)
}

fn tracked(store: &Store<'_>, remote: &str) -> Result<[Option<CommitId>; 4]> {
    let mut tips = [None; 4];
    for (tip, notes_ref) in tips.iter_mut().zip(NotesRef::ALL) {
        *tip = store.tracked(remote, notes_ref)?;
    }
    Ok(tips)
}

/// Whether two histories that are not one hold the same notes: then there is nothing to exchange.
fn same_lines(store: &Store<'_>, theirs: CommitId, here: CommitId) -> Result<bool> {
    let repo = store.repo();
    Ok(repo.notes_tree(Some(theirs))? == repo.notes_tree(Some(here))? && !repo.is_ancestor(theirs, here)?)
}

fn refused(remote: &str, name: &str, said: &str) -> Error {
    Error::new(
        "sync-refused",
        format!("{} does not take {}", sanitise(remote), sanitise(name)),
    )
    .because(said)
    .because("what is here is intact; a remote that hides or refuses refs/notes/* may take another prefix")
    .hint("set notes_prefix in [sync] of .review-gate.toml, below refs/notes/")
}
