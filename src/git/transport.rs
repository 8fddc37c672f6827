//! Notes to and from a remote, by the git program: credentials, proxies and agents work as the user has them.
#![expect(
    clippy::disallowed_methods,
    reason = "time limits need a clock, and the user's choice of ssh command stands in the environment"
)]

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant};

use super::Repo;
use super::process::{Git, Output};
use crate::error::{Error, Result};
use crate::model::ids::{CommitId, Oid};
use crate::model::text::{sanitise, sanitise_bytes};

/// A remote, and the time that is left for talking to it.
#[derive(Debug)]
pub struct Transport<'r> {
    repo: &'r Repo,
    remote: String,
    deadline: Instant,
    limit: Duration,
}

/// What a remote said to one ref of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// It has the value now.
    Yes,
    /// It has another value by now, or somebody else is writing it: fetch, unite and push again.
    Raced(String),
    /// It does not want it.
    Refused(String),
}

impl<'r> Transport<'r> {
    /// Talks to a remote, by its name or address, for at most this long altogether.
    pub fn new(repo: &'r Repo, remote: &str, limit: Duration) -> Result<Self> {
        if remote.is_empty() || remote.starts_with('-') {
            return Err(
                Error::new("usage", format!("{:?} is no remote", sanitise(remote))).hint("git remote -v"),
            );
        }
        Ok(Self {
            repo,
            remote: remote.to_owned(),
            deadline: Instant::now() + limit,
            limit,
        })
    }

    /// Whether no time is left.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// The refs of the remote below this prefix, by full name.
    pub fn refs(&self, prefix: &str) -> Result<BTreeMap<String, Oid>> {
        let pattern = format!("{prefix}/*");
        let output = self.run(&["ls-remote", "--refs", "--", &self.remote, &pattern])?;
        if !output.success() {
            return Err(self.failed("asked for its notes", &output));
        }
        let mut refs = BTreeMap::new();
        for line in output
            .stdout
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            let parsed = std::str::from_utf8(line).ok().and_then(|line| {
                let (id, name) = line.split_once('\t')?;
                Some((name.to_owned(), id.parse::<Oid>().ok()?))
            });
            let (name, id) = parsed.ok_or_else(|| {
                Error::new(
                    "sync-failed",
                    format!("{} answers what is no list of refs", self.shown()),
                )
                .because(sanitise_bytes(line))
            })?;
            // git matches the pattern at any depth, `refs/x/refs/notes/…` included.
            if name.starts_with(prefix) {
                refs.insert(name, id);
            }
        }
        Ok(refs)
    }

    /// Fetches the refs below a prefix to refs below another one, wherever they were before. Nothing else is fetched
    /// and nothing is pruned.
    pub fn fetch(&self, prefix: &str, to: &str) -> Result<()> {
        let refspec = format!("+{prefix}/*:{to}/*");
        let mut args = vec![
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-prune",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--refmap=",
        ];
        // All of the notes are needed, also where the clone leaves out other blobs.
        if self.repo.is_partial_clone()? {
            args.push("--no-filter");
        }
        args.extend(["--", &self.remote, &refspec]);
        let output = self.run(&args)?;
        if output.success() {
            Ok(())
        } else {
            Err(self.failed("fetched from", &output))
        }
    }

    /// Pushes commits to refs, never by force. The answers are in the order of the refs.
    pub fn push(&self, refs: &[(String, CommitId)]) -> Result<Vec<Pushed>> {
        // A remote made for mirroring takes no single refs.
        let no_mirror = format!("remote.{}.mirror=false", self.remote);
        let refspecs: Vec<_> = refs
            .iter()
            .map(|(name, commit)| format!("{commit}:{name}"))
            .collect();
        let mut args = vec![];
        if self.repo.remotes().contains(&self.remote) {
            args.extend(["-c", &no_mirror]);
        }
        args.extend([
            "push",
            "--porcelain",
            "--no-verify",
            "--no-follow-tags",
            "--recurse-submodules=no",
            "--",
            &self.remote,
        ]);
        args.extend(refspecs.iter().map(String::as_str));
        let output = self.run(&args)?;
        let answers = answers(&output.stdout);
        refs.iter()
            .map(|(name, _)| match answers.get(name.as_str()) {
                Some(answer) => Ok(answer.clone()),
                None if output.success() => Ok(Pushed::Yes),
                None => Err(self.failed("pushed to", &output)),
            })
            .collect()
    }

    fn run(&self, args: &[&str]) -> Result<Output> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let mut git: Git = self.repo.git(args).timeout(left);
        let chosen = ["GIT_SSH_COMMAND", "GIT_SSH"]
            .into_iter()
            .any(|name| env::var_os(name).is_some());
        if !chosen && self.repo.config_string("core.sshCommand")?.is_none() {
            // ssh asks on the terminal itself, whatever git was told.
            git = git.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        }
        git.run().map_err(|error| {
            if error.kind == "timeout" {
                Error::new(
                    "timeout",
                    format!(
                        "{} did not answer within {} s",
                        self.shown(),
                        self.limit.as_secs()
                    ),
                )
                .hint(format!("git review-gate sync {} --timeout 300s", self.shown()))
            } else {
                error
            }
        })
    }

    fn failed(&self, what: &str, output: &Output) -> Error {
        Error::new("sync-failed", format!("{} could not be {what}", self.shown()))
            .because(output.error_text())
            .hint(format!("git ls-remote {}", self.shown()))
    }

    fn shown(&self) -> String {
        sanitise(&self.remote)
    }
}

/// The answers of `git push --porcelain` by ref: `<flag>\t<from>:<to>\t<summary>`.
fn answers(stdout: &[u8]) -> BTreeMap<String, Pushed> {
    let mut answers = BTreeMap::new();
    for line in stdout.split(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        let mut fields = line.splitn(3, '\t');
        let (Some(flag), Some(refs), Some(summary)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let Some((_, to)) = refs.rsplit_once(':') else {
            continue;
        };
        let said = sanitise(summary);
        // The words of git and of its server side for "it has another value by now".
        let raced = [
            "fetch first",
            "non-fast-forward",
            "stale info",
            "cannot lock ref",
            "failed to update ref",
        ];
        let answer = match flag {
            "!" if raced.iter().any(|words| summary.contains(words)) => Pushed::Raced(said),
            "!" => Pushed::Refused(said),
            _ => Pushed::Yes,
        };
        answers.insert(to.to_owned(), answer);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_tell_races_from_refusals() {
        let said = b"To /there.git\n=\ta:refs/notes/x/a\t[up to date]\n*\tb:refs/notes/x/b\t[new reference]\n\
            !\tc:refs/notes/x/c\t[rejected] (fetch first)\n!\td:refs/notes/x/d\t[remote rejected] (deny updating a hidden ref)\n\
            !\te:refs/notes/x/e\t[remote rejected] (cannot lock ref 'refs/notes/x/e': is at 1 but expected 2)\nDone\n";
        let answers = answers(said);
        assert_eq!(answers.len(), 5);
        assert_eq!(answers["refs/notes/x/a"], Pushed::Yes);
        assert_eq!(answers["refs/notes/x/b"], Pushed::Yes);
        assert!(matches!(answers["refs/notes/x/c"], Pushed::Raced(_)));
        assert!(matches!(answers["refs/notes/x/d"], Pushed::Refused(_)));
        assert!(matches!(answers["refs/notes/x/e"], Pushed::Raced(_)));
    }
}
