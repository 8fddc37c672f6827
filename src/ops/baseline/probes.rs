//! Runs the probes of the base's policy on both sides, each in files of its own, and compares what they answer.
//!
//! The one part of a baseline that runs something of the project, and only when it is asked for.

use std::path::{Path, PathBuf};

use regex::bytes::Regex;

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::baseline::{Unmeasured, UnmeasuredReason, UnmeasuredSide};
use crate::model::fact::Fact;
use crate::model::ids::CommitId;
use crate::model::policy::Probe;
use crate::model::range::Range;
use crate::model::text::sanitise;
use crate::ops::child::{Ended, Errors, Interrupts, Next, Stream};
use crate::ops::throw_away::workshop::Workshop;
use crate::ops::throw_away::{checkout, interrupted};
use crate::structure::probe::{self, Output};

/// The most bytes that a probe may print on one stream.
const MAX_PRINTED: usize = 4 << 20;

/// The facts, and the probes that could not be measured.
pub(super) fn run(repo: &Repo, range: &Range, probes: &[Probe]) -> Result<(Vec<Fact>, Vec<Unmeasured>)> {
    let (mut facts, mut unmeasured) = (Vec::new(), Vec::new());
    if probes.is_empty() {
        return Ok((facts, unmeasured));
    }
    // Listened to from here on: whatever asks us to end, what was made is removed.
    let interrupts = Interrupts::listen()?;
    for probe in probes {
        let side = |commit| -> Result<std::result::Result<Output, String>> {
            if interrupts.signal().is_some() {
                return Err(interrupted("nothing was measured"));
            }
            match one_side(repo, commit, probe) {
                Ok(output) => Ok(output),
                Err(error) if error.kind == "interrupted" => Err(error),
                Err(error) => Ok(Err(told(&error))),
            }
        };
        match (side(range.base)?, side(range.head)?) {
            (Ok(before), Ok(after)) => {
                let normalize = expressions(probe)?;
                facts.extend(probe::compare(&probe.name, &before, &after, &normalize));
            }
            (before, after) => unmeasured.push(failed(&probe.name, before.err(), after.err())),
        }
    }
    Ok((facts, unmeasured))
}

/// One run in a folder of its own; `Err` inside says why there is no answer.
fn one_side(repo: &Repo, commit: CommitId, probe: &Probe) -> Result<std::result::Result<Output, String>> {
    let workshop = Workshop::open(repo)?;
    let checkout = checkout::make(repo, &workshop, "files", commit, &[])?;
    let call = checkout
        .call(&probe.command, Path::new(""))
        .env("LC_ALL", "C")
        .errors(Errors::HandedOver)
        .timeout(probe.timeout);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let ended = call.run(|stream, piece| {
        let kept = match stream {
            Stream::Out => &mut stdout,
            Stream::Err => &mut stderr,
        };
        kept.extend_from_slice(piece);
        if kept.len() > MAX_PRINTED {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    let ended = match ended {
        Ended::Code(code) => format!("exit {code}"),
        Ended::Signal(signal) => format!("signal {signal}"),
        Ended::Timeout => return Ok(Err(format!("took more than {} s", probe.timeout.as_secs()))),
        Ended::Stopped => return Ok(Err(format!("printed more than {MAX_PRINTED} bytes"))),
        Ended::Interrupted(_) => return Err(interrupted("nothing was measured")),
    };
    // Its folder is named at random, so it must not count as a difference.
    Ok(Ok(Output {
        stdout: without_folder(stdout, workshop.dir()),
        stderr: without_folder(stderr, workshop.dir()),
        ended,
    }))
}

/// What was printed, with the same word in place of a folder, however it is written.
fn without_folder(mut printed: Vec<u8>, dir: &Path) -> Vec<u8> {
    let resolved = dir.canonicalize().ok();
    for dir in resolved.iter().map(PathBuf::as_path).chain([dir]) {
        let escaped = dir.to_str().map(regex::escape);
        if let Some(Ok(folder)) = escaped.map(|text| Regex::new(&text)) {
            printed = folder.replace_all(&printed, &b"<work tree>"[..]).into_owned();
        }
    }
    printed
}

/// The expressions of a probe; the policy was refused if one of them is none.
fn expressions(probe: &Probe) -> Result<Vec<Regex>> {
    let compiled: std::result::Result<_, regex::Error> =
        probe.normalize.iter().map(|text| Regex::new(text)).collect();
    compiled.map_err(|cause| {
        Error::new(
            "bad-policy",
            format!("the probe {} holds no regular expression", sanitise(&probe.name)),
        )
        .caused_by(&cause)
        .hint("git review-gate explain policy")
    })
}

fn told(error: &Error) -> String {
    let causes = error.causes.iter().map(|cause| format!(": {}", sanitise(cause)));
    format!("{}{}", sanitise(&error.to_string()), causes.collect::<String>())
}

fn failed(name: &str, before: Option<String>, after: Option<String>) -> Unmeasured {
    let side = match (&before, &after) {
        (Some(_), Some(_)) => UnmeasuredSide::Both,
        (Some(_), None) => UnmeasuredSide::Before,
        (None, _) => UnmeasuredSide::After,
    };
    Unmeasured {
        path: probe::key(name),
        side,
        reason: UnmeasuredReason::ProbeFailed,
        detail: before.or(after).unwrap_or_default(),
        seen: Vec::new(),
    }
}
