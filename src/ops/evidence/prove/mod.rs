//! `evidence prove`: show that a test fails without the change and passes with it.

mod overlay;

use std::path::PathBuf;
use std::time::Duration;

use super::capture::{self, Sink};
use super::{Place, run};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::event::EvidenceProof;
use crate::model::ids::CommitId;
use crate::model::outcome::evidence::Proved;
use crate::model::witness::{RunClass, RunExit};
use crate::ops::child::{Ended, Interrupts, Stream};
use crate::ops::throw_away;
use crate::ops::throw_away::checkout::{self, Checkout, LaidOver};
use crate::ops::throw_away::workshop::Workshop;
use crate::review::evidence::class::{self, Ended as Seen};
use crate::review::evidence::tail::Secrets;
use crate::review::word_list;

pub use crate::review::evidence::class::BuildFailure;

/// What to prove.
#[derive(Debug, Clone)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// What the change is compared with; the base of the review when absent.
    pub base: Option<String>,
    /// Paths of test files in the head, or one command line.
    pub tests: Vec<String>,
    /// How many runs a side.
    pub n: u32,
    /// How long one run may take.
    pub timeout: Duration,
    /// Whether a base that does not build proves anything.
    pub build_failure: BuildFailure,
    /// The program and its arguments; empty where `tests` has the command line.
    pub argv: Vec<String>,
}

/// The two sides, in the order in which they run.
const SIDES: [&str; 2] = ["base", "head"];

/// Runs the tests on both sides and records what that proves.
pub fn prove(request: &Request, pass_on: Sink<'_>) -> Result<Proved> {
    let repo = Repo::open()?;
    let place = Place::find(&repo, request.review.as_deref())?;
    let (base, head) = (
        base(&repo, &place, request.base.as_deref())?,
        place.subject.commit,
    );
    let (base_tree, head_tree) = (repo.commit(base)?.tree, place.subject.tree);
    let named = overlay::tell_apart(&repo, head_tree, &request.tests, !request.argv.is_empty())?;
    let argv = match named.command {
        Some(line) => word_list::split(&line)?,
        None => request.argv.clone(),
    };
    run::check_argv(&argv)?;
    let tests = overlay::files(&repo, base_tree, head_tree, &named.paths)?;
    overlay::refuse_absent(&repo, base_tree, head_tree, &tests, &argv)?;

    // Listened to from here on: whatever asks us to end, what was made is removed.
    let interrupts = Interrupts::listen()?;
    let workshop = Workshop::open(&repo)?;
    let task = Task {
        repo: &repo,
        workshop: &workshop,
        argv: &argv,
        prefix: prefix(&repo),
        request,
    };
    let mut runs = Vec::new();
    for (side, commit) in SIDES.into_iter().zip([base, head]) {
        let laid_over: &[LaidOver] = if side == "base" { &tests } else { &[] };
        runs.push(task.side(side, commit, laid_over, &interrupts, pass_on)?);
    }
    drop(workshop);

    let [base_runs, head_runs] =
        <[Vec<RunClass>; 2]>::try_from(runs).expect("one list for each of two sides");
    let secrets = capture::secrets();
    let (result, reason) = class::verdict(&base_runs, &head_runs, request.build_failure);
    let body = EvidenceProof {
        argv: argv.iter().map(|arg| secrets.mask_text(arg)).collect(),
        base_runs,
        base_tree,
        head_runs,
        n: u64::from(request.n),
        reason,
        result,
        review: place.at.review.id.clone(),
        tests: tests.into_iter().map(|test| test.path).collect(),
    };
    place.record(body, Vec::new())
}

/// What is the same for both sides.
struct Task<'a> {
    repo: &'a Repo,
    workshop: &'a Workshop,
    argv: &'a [String],
    /// Where we were started, from the top of the work tree.
    prefix: PathBuf,
    request: &'a Request,
}

impl Task<'_> {
    /// All runs of one side.
    fn side(
        &self,
        side: &str,
        commit: CommitId,
        tests: &[LaidOver],
        interrupts: &Interrupts,
        pass_on: Sink<'_>,
    ) -> Result<Vec<RunClass>> {
        let checkout = checkout::make(self.repo, self.workshop, side, commit, tests)?;
        let mut classes = Vec::new();
        for number in 1..=self.request.n {
            if interrupts.signal().is_some() {
                return Err(interrupted());
            }
            let title = format!("== {side}, run {number} of {}\n", self.request.n);
            pass_on(Stream::Err, title.as_bytes());
            let class = self.once(&checkout, pass_on)?;
            pass_on(
                Stream::Err,
                format!("== {side}, run {number}: {class}\n").as_bytes(),
            );
            classes.push(class);
        }
        Ok(classes)
    }

    fn once(&self, checkout: &Checkout, pass_on: Sink<'_>) -> Result<RunClass> {
        let call = checkout
            .call(self.argv, &self.prefix)
            .timeout(self.request.timeout);
        let captured = match capture::run(call, Secrets::default(), pass_on) {
            Ok(captured) => captured,
            Err(error) if error.kind == "start-failed" => {
                let text = format!("{error}\n");
                pass_on(
                    Stream::Err,
                    crate::model::text::sanitise(text.trim_end()).as_bytes(),
                );
                pass_on(Stream::Err, b"\n");
                return Ok(RunClass::Error);
            }
            Err(error) => return Err(error),
        };
        let exit = match captured.ended {
            Ended::Code(code) => RunExit::Code(code),
            Ended::Signal(signal) => RunExit::Signal(signal),
            Ended::Timeout => RunExit::Timeout,
            Ended::Stopped | Ended::Interrupted(_) => return Err(interrupted()),
        };
        Ok(class::of_run(&Seen {
            exit,
            stdout: &captured.stdout.beginning,
            stderr: &captured.stderr.beginning,
        }))
    }
}

fn interrupted() -> Error {
    throw_away::interrupted("nothing was recorded")
}

/// The commit without the change: where the head left the base.
fn base(repo: &Repo, place: &Place<'_>, named: Option<&str>) -> Result<CommitId> {
    let head = place.subject.commit;
    let base = match named {
        Some(named) => repo.merge_base(repo.resolve(named)?, head)?,
        None => Some(place.at.base),
    };
    base.filter(|base| *base != head).ok_or_else(|| {
        Error::new("no-proof-possible", "there is no base without the change")
            .because("the head is its own base, or shares no history with it")
            .hint("git review-gate evidence prove --base <branch> --test PATH -- CMD")
    })
}

/// The current directory from the top of the work tree; empty where it lies elsewhere.
#[expect(
    clippy::disallowed_methods,
    reason = "a command line means what it means where it was typed"
)]
fn prefix(repo: &Repo) -> PathBuf {
    let top = repo.work_tree().and_then(|top| top.canonicalize().ok());
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    match (top, here) {
        (Some(top), Some(here)) => here.strip_prefix(&top).map(PathBuf::from).unwrap_or_default(),
        _ => PathBuf::new(),
    }
}
