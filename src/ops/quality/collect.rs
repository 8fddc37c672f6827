//! `quality collect`: an input with what this repository knows; the rest is left out, never guessed.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::corpus::read;
use super::place::Place;
use super::source;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::refs::Head;
use crate::model::finding::{Finding, State};
use crate::model::ids::CommitId;
use crate::model::quality::document;
use crate::model::text::sanitise;
use crate::ops::gate_base::{self, GateBase};
use crate::ops::gate_view::{self, Asked};
use crate::ops::ledger::Ledger;
use crate::ops::{clock, output};
use crate::quality::collect::{self as join, Computed};

/// What is collected.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The judged commit; HEAD where it is not named.
    pub commit: Option<String>,
    /// What it is compared with; the base of the policy where it is not named.
    pub base: Option<String>,
    /// Where the pull request is.
    pub repository: Option<String>,
    /// Its number.
    pub pull: Option<u64>,
    /// The run.
    pub run_id: Option<String>,
    /// The output of `quality score`.
    pub score: Option<PathBuf>,
    /// The file or revision whose measurements are the baseline.
    pub baseline: Option<String>,
    /// What somebody else measured.
    pub merge: Option<PathBuf>,
    /// Where to write.
    pub output: Option<PathBuf>,
}

/// An input, as far as it is known.
#[derive(Debug, Clone)]
pub struct Collected {
    /// The input.
    pub input: Map<String, Value>,
    /// What was computed: path, value, and where it comes from.
    pub computed: Vec<(String, String, &'static str)>,
    /// What `quality evaluate` will miss.
    pub missing: Option<String>,
    /// What could not be told.
    pub warnings: Vec<String>,
}

/// Collects.
pub fn run(request: &Request) -> Result<Collected> {
    let place = Place::find(request.commit.as_deref())?;
    let (repo, commit) = (place.repo()?, place.commit()?);
    let mut warnings = Vec::new();
    let mut computed = vec![
        Computed::new("evidence.kind", "real-run", "the commit"),
        Computed::new("evidence.headSha", commit.to_string(), "the commit"),
    ];
    let options = [
        (
            "evidence.repository",
            request.repository.clone().map(Value::from),
            "--repository",
        ),
        ("evidence.pullNumber", request.pull.map(Value::from), "--pull"),
        ("runId", request.run_id.clone().map(Value::from), "--run-id"),
    ];
    for (path, value, from) in options {
        computed.extend(value.map(|value| Computed::new(path, value, from)));
    }
    let head = repo.head()?;
    let asked = gate_base::Asked {
        head: commit,
        base: request.base.as_deref(),
        local_ref: head.ref_name(),
        target_ref: None,
    };
    let base = gate_base::find(repo, &asked)?;
    match base.merge_base() {
        Some(merge_base) => {
            let size = repo.size_of_change(merge_base, commit)?;
            computed.push(Computed::new("tokens.changedLines", size.lines, "git"));
            computed.push(Computed::new("coverage.eligibleFiles", size.files, "git"));
        }
        None if request.base.is_some() => {
            let why = base
                .why_none
                .clone()
                .unwrap_or_else(|| "no history is shared".to_owned());
            return Err(Error::new("no-base", "there is no merge base with --base")
                .because(why)
                .hint("git merge-base <base> <commit>"));
        }
        None => warnings
            .push("without a base the size of the change is not known; name one: --base REV".to_owned()),
    }
    match findings(repo, &head, commit, &base)? {
        Ok(findings) => {
            let valid = |finding: &&Finding| matches!(finding.state, State::Addressed | State::Verified);
            let count = |count: usize| count as u64;
            computed.push(Computed::new(
                "tokens.validFindings",
                count(findings.iter().filter(valid).count()),
                "the ledger",
            ));
            // Counts of the ledger and those of a corpus are not to be mixed.
            if request.score.is_none() {
                let actionable = findings.iter().filter(|one| one.fields.fix.is_some());
                computed.push(Computed::new(
                    "findings.detected",
                    count(findings.len()),
                    "the ledger",
                ));
                computed.push(Computed::new(
                    "findings.actionable",
                    count(actionable.count()),
                    "the ledger",
                ));
            }
        }
        Err(unknown) => warnings.push(format!("the findings are not known: {unknown}")),
    }
    if let Some(path) = &request.score {
        computed.extend(join::of_score(&read(path)?).map_err(refused)?);
    }
    if let Some(named) = &request.baseline {
        let found = source::find(&place, named).map_err(|why| refused(format!("--baseline: {why}")))?;
        let members = join::of_baseline(&found.bytes);
        computed.extend(members.map_err(|why| refused(format!("--baseline {}: {why}", sanitise(named))))?);
    }
    let measured = request.merge.as_deref().map(read).transpose()?;
    let input = join::join(&computed, measured.as_deref()).map_err(refused)?;
    if let Some(path) = &request.output {
        output::replace(path, document::text(&input).as_bytes())?;
    }
    Ok(Collected {
        missing: join::missing(&input),
        computed: computed
            .into_iter()
            .map(|one| (one.path, one.value.to_string(), one.from))
            .collect(),
        input,
        warnings,
    })
}

/// The findings in the scope of the range, or why they are not known. A note that cannot be read is an error: the
/// findings in it would be counted as none.
fn findings(
    repo: &Repo,
    head: &Head,
    commit: CommitId,
    base: &GateBase,
) -> Result<std::result::Result<Vec<Finding>, Error>> {
    let ledger = Ledger::open(repo, &base.policy.sync.notes_prefix)?;
    if let Some(trouble) = ledger.troubles()?.into_iter().next() {
        return Ok(Err(trouble));
    }
    // The reviews of the branch speak for its tip, not for any commit.
    let branch = head.branch().filter(|_| head.commit() == Some(commit));
    let asked = Asked {
        head: commit,
        base: base.merge_base(),
        branches: branch.map(str::to_owned).into_iter().collect(),
        is_base_branch: base.is_base_branch,
        policy: &base.policy,
        today: clock::today(),
    };
    let seen = gate_view::gate_view(repo, &ledger, &asked)?;
    if let Some(anchor) = seen.view.unreadable.iter().next() {
        return Err(ledger.why_unreadable(*anchor)?);
    }
    Ok(Ok(seen.fold.findings))
}

fn refused(why: String) -> Error {
    Error::new("quality-refused", why).hint("git review-gate quality schema input")
}
