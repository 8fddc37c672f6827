//! `evidence run`: run a command, and record what was seen of it, also when it fails.

use std::path::PathBuf;
use std::time::Duration;

use super::capture::{self, Captured};
use super::file::Report;
use super::{Place, dimension, kind, work_tree};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::dimension::Dimension;
use crate::model::event::EvidenceRun;
use crate::model::outcome::evidence::Ran;
use crate::model::witness::{Artifact, Coverage, EvidenceKind, RunExit, RunFormat, Unknown};
use crate::ops::child::{Call, Ended};
use crate::review::evidence;
use crate::review::evidence::tests::{self, Tests};

pub use super::capture::Sink;
pub use crate::ops::child::Stream;

/// The most bytes of a command line.
pub(super) const MAX_ARGV: usize = 8 * 1024;

/// What to run.
#[derive(Debug, Clone)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// What it is.
    pub kind: String,
    /// The questions it speaks to; those of the kind when empty.
    pub dimensions: Vec<String>,
    /// The JUnit report that it writes.
    pub junit: Option<PathBuf>,
    /// The lcov records that it writes.
    pub lcov: Option<PathBuf>,
    /// The Cobertura report that it writes.
    pub cobertura: Option<PathBuf>,
    /// After how long its whole process group is ended.
    pub timeout: Option<Duration>,
    /// Whether the end of its output is kept.
    pub tail: KeepTail,
    /// The program and its arguments.
    pub argv: Vec<String>,
}

/// Whether the end of the output is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepTail {
    /// The last bytes, without secrets.
    Yes,
    /// Nothing of it.
    No,
}

/// Runs the command; its output goes to `pass_on` as it comes.
pub fn run(request: &Request, pass_on: Sink<'_>) -> Result<Ran> {
    let kind = kind(&request.kind)?;
    let dimensions = dimensions(kind, &request.dimensions)?;
    check_argv(&request.argv)?;
    let repo = Repo::open()?;
    let was_dirty = work_tree::is_dirty(&repo)?;
    let place = Place::find(&repo, request.review.as_deref())?;
    let reports = Reports::expect(&repo, request)?;

    let secrets = capture::secrets();
    let argv = request.argv.iter().map(|arg| secrets.mask_text(arg)).collect();
    let mut call = Call::new(&request.argv);
    if let Some(timeout) = request.timeout {
        call = call.timeout(timeout);
    }
    let captured = capture::run(call, secrets, pass_on)?;
    let exit = exit(captured.ended)?;
    let dirty = was_dirty || work_tree::has_changed(&repo, place.subject.commit)?;

    let mut warnings = Vec::new();
    if dirty {
        warnings.push(
            "the work tree is not that of the commit: this run counts for no commit; commit, ignore or stash first"
                .to_owned(),
        );
    }
    let read = reports.read(&captured, &mut warnings);
    let body = EvidenceRun {
        argv,
        counts: read.tests.counts.ok().map(|tally| tally.counts),
        counts_reason: read.tests.counts.err(),
        coverage: read.coverage,
        dimensions,
        dirty,
        duration_ms: u64::try_from(captured.took.as_millis()).unwrap_or(u64::MAX >> 11),
        exit,
        format: read.tests.format.or(read.coverage_format),
        kind,
        reports: read.artifacts,
        review: place.at.review.id.clone(),
        stderr: captured.stderr.digest(),
        stdout: captured.stdout.digest(),
        tail: (request.tail == KeepTail::Yes).then_some(captured.tail),
    };
    place.record(body, warnings)
}

/// The questions that were named, in their order, else those of the kind.
fn dimensions(kind: EvidenceKind, named: &[String]) -> Result<Vec<Dimension>> {
    let mut dimensions = kind.dimensions().to_vec();
    if !named.is_empty() {
        dimensions = named
            .iter()
            .map(|word| dimension(word))
            .collect::<Result<Vec<_>>>()?;
        dimensions.sort();
        dimensions.dedup();
    }
    if dimensions.is_empty() {
        return Err(Error::new(
            "usage",
            format!("a run of kind {kind} speaks to no question by itself"),
        )
        .hint("--dimension no-new-bugs"));
    }
    Ok(dimensions)
}

/// Refuses a command line that cannot be stored, before anything runs.
pub(super) fn check_argv(argv: &[String]) -> Result<()> {
    let size: usize = argv.iter().map(|arg| arg.len() + 1).sum();
    if size > MAX_ARGV {
        return Err(Error::new(
            "usage",
            format!("a command line has at most {MAX_ARGV} bytes, this one {size}"),
        )
        .hint("put the command into a script"));
    }
    if argv.first().is_none_or(String::is_empty) {
        return Err(Error::new("usage", "there is no command to run")
            .hint("git review-gate evidence run -- cargo test"));
    }
    Ok(())
}

/// How it ended; an interrupt is ours, and nothing is recorded.
pub(super) fn exit(ended: Ended) -> Result<RunExit> {
    match ended {
        Ended::Code(code) => Ok(RunExit::Code(code)),
        Ended::Signal(signal) => Ok(RunExit::Signal(signal)),
        Ended::Timeout => Ok(RunExit::Timeout),
        Ended::Stopped | Ended::Interrupted(_) => Err(Error::new(
            "interrupted",
            "interrupted; the command was ended, and nothing was recorded",
        )
        .hint("run it again")),
    }
}

/// Reads one format of coverage.
type Reader = fn(&[u8]) -> Result<Coverage, Unknown>;

/// The reports that the command is going to write.
struct Reports {
    junit: Option<Report>,
    lcov: Option<Report>,
    cobertura: Option<Report>,
}

/// What output and reports say.
struct Read {
    tests: Tests,
    coverage: Option<Coverage>,
    coverage_format: Option<RunFormat>,
    artifacts: Vec<Artifact>,
}

impl Reports {
    fn expect(repo: &Repo, request: &Request) -> Result<Self> {
        let top = repo.work_tree().unwrap_or_default();
        let expect = |typed: &Option<PathBuf>| {
            typed
                .as_deref()
                .map(|typed| Report::expect(&top, typed))
                .transpose()
        };
        Ok(Self {
            junit: expect(&request.junit)?,
            lcov: expect(&request.lcov)?,
            cobertura: expect(&request.cobertura)?,
        })
    }

    fn read(&self, captured: &Captured, warnings: &mut Vec<String>) -> Read {
        let mut artifacts = Vec::new();
        let tests = match &self.junit {
            Some(report) => match report.read() {
                Ok((artifact, bytes)) => {
                    artifacts.push(artifact);
                    evidence::junit(&bytes)
                }
                Err(reason) => tests::unknown(Some(RunFormat::Junit), reason),
            },
            None => tests::of_streams(&captured.stdout.beginning, &captured.stderr.beginning),
        };
        if let (Some(report), Err(reason)) = (&self.junit, tests.counts) {
            warnings.push(format!(
                "{} says nothing about tests ({reason}): the counts are unknown",
                report.shown()
            ));
        }
        let mut coverage = None;
        let mut coverage_format = None;
        for (report, format, reader) in [
            (&self.lcov, RunFormat::Lcov, evidence::lcov as Reader),
            (&self.cobertura, RunFormat::Cobertura, evidence::cobertura),
        ] {
            let Some(report) = report else {
                continue;
            };
            let read = report.read().and_then(|(artifact, bytes)| {
                artifacts.push(artifact);
                reader(&bytes)
            });
            match read {
                Ok(read) => {
                    coverage = coverage.or(Some(read));
                    coverage_format = coverage_format.or(Some(format));
                }
                Err(reason) => warnings.push(format!(
                    "{} says nothing about coverage ({reason}): the coverage is unknown",
                    report.shown()
                )),
            }
        }
        Read {
            tests,
            coverage,
            coverage_format,
            artifacts,
        }
    }
}
