//! `quality baseline check` and `quality baseline capture`: the protocol file of a baseline.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::corpus::read;
use super::place::Place;
use super::source;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::quality::{EvidenceKind, document};
use crate::model::text::sanitise;
use crate::ops::output;
use crate::quality::areas::token;
use crate::quality::campaign::CampaignInput;
use crate::quality::input::Input;
use crate::quality::protocol;
use crate::quality::stored::{self, RawInput};
use crate::quality::table;

/// A protocol file that is valid, as it is printed.
#[derive(Debug, Clone)]
pub struct Protocol {
    /// The document.
    pub document: Map<String, Value>,
}

/// Checks a protocol file.
pub fn check(path: &Path) -> Result<Protocol> {
    let document = protocol::read(&read(path)?).map_err(refused)?;
    Ok(Protocol { document })
}

/// What a protocol file is made of.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The version of the review library.
    pub library_version: String,
    /// Its source revision.
    pub source_revision: String,
    /// The policy that was in force.
    pub policy: PathBuf,
    /// The prompt.
    pub prompt: PathBuf,
    /// The model.
    pub model: String,
    /// Each `SOURCE=OUTCOME`.
    pub runs: Vec<String>,
    /// Where to write; outside of the repository.
    pub output: PathBuf,
}

/// Makes a protocol file of reports that keep their input.
pub fn capture(request: &Capture) -> Result<Protocol> {
    let place = Place::find(None)?;
    refuse_inside(place.repo.as_ref(), &request.output)?;
    let fingerprint = |path: &Path| Ok::<_, Error>(source::sha256(&read(path)?));
    let identity = json!({
        "libraryVersion": request.library_version, "sourceRevision": request.source_revision,
        "model": request.model, "policyFingerprint": fingerprint(&request.policy)?,
        "promptFingerprint": fingerprint(&request.prompt)?,
    });
    let mut document = json!({
        "schemaVersion": 2, "baselineId": protocol::id_of(&identity), "identity": identity,
        "syntheticRuns": [], "realRuns": [], "realCampaigns": [],
    });
    for run in &request.runs {
        let (list, entry) = entry(&place, run)?;
        document[list]
            .as_array_mut()
            .expect("the three lists are there")
            .push(entry);
    }
    // What was put together is checked like what anybody else wrote.
    let text = document::text(&document);
    let document = protocol::read(text.as_bytes()).map_err(refused)?;
    output::replace(&request.output, document::text(&document).as_bytes())?;
    Ok(Protocol { document })
}

/// The file is evidence about the repository and must not become part of it.
fn refuse_inside(repo: Option<&Repo>, path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let real = folder.canonicalize().map_err(|cause| {
        Error::new(
            "io",
            format!("{} cannot be written", sanitise(&path.to_string_lossy())),
        )
        .caused_by(&cause)
    })?;
    let Some(repo) = repo else { return Ok(()) };
    let inside = [
        repo.work_tree(),
        Some(repo.git_dir().to_owned()),
        Some(repo.common_dir().to_owned()),
    ]
    .into_iter()
    .flatten()
    .any(|top| top.canonicalize().is_ok_and(|top| real.starts_with(top)));
    if inside {
        return Err(Error::new(
            "usage",
            "the output must lie outside of the work tree and the git directory",
        )
        .hint("name a file elsewhere: --output FILE"));
    }
    Ok(())
}

/// One run as an entry, and the list that it belongs to.
fn entry(place: &Place, run: &str) -> Result<(&'static str, Value)> {
    let shown = sanitise(run);
    let fault = |why: String| {
        Error::new("quality-refused", format!("--run {shown}: {why}"))
            .hint("git review-gate quality baseline capture -h")
    };
    let (named, outcome) = run
        .rsplit_once('=')
        .ok_or_else(|| fault("must be SOURCE=OUTCOME".to_owned()))?;
    if !protocol::OUTCOMES.contains(&outcome) {
        return Err(fault(format!(
            "the outcome must be one of {}",
            protocol::OUTCOMES.join(", ")
        )));
    }
    let found = source::find(place, named).map_err(fault)?;
    let node = table::parse(&found.bytes, "report").map_err(fault)?;
    let stored = stored::read(&node).map_err(fault)?;
    match &stored.raw_input {
        None => Err(fault("the report keeps no input".to_owned())),
        Some(RawInput::Campaign(input)) => Ok(("realCampaigns", campaign(input))),
        Some(RawInput::Run(input)) => {
            of_run(input, outcome, stored.run_id.as_deref(), &found.sha256).map_err(fault)
        }
    }
}

fn campaign(input: &CampaignInput) -> Value {
    let of = &input.campaign;
    let id = &input.evidence.campaign_id;
    json!({
        "campaignId": id, "discovered": of.discovered, "terminal": of.terminal, "completed": of.completed,
        "blocked": of.blocked, "evidence": {"origin": "real", "campaignId": id},
        "tokens": {"input": null, "cachedInput": null, "output": null, "reasoning": null, "memory": null,
            "retry": null, "total": null},
        "duration": duration(of.wall_clock_ms),
    })
}

fn of_run(
    input: &Input,
    outcome: &str,
    run_id: Option<&str>,
    sha256: &str,
) -> Result<(&'static str, Value), String> {
    let measured = &input.measured;
    let of = &measured.tokens.accounting;
    let tokens = json!({
        "input": of.input_tokens, "cachedInput": of.cached_input_tokens, "output": of.output_tokens,
        "reasoning": of.reasoning_output_tokens, "memory": of.memory_tokens, "retry": of.retry_tokens,
        "total": of.total.or(token::spent(measured).used),
    });
    let evidence = &measured.evidence;
    let entry = |list, members: Value, wall_clock: f64| {
        let mut entry = members;
        entry["tokens"] = tokens;
        entry["duration"] = duration(wall_clock);
        (list, entry)
    };
    if evidence.kind == EvidenceKind::RealCampaign {
        let of = measured.campaign.as_ref().ok_or("its campaign is not counted")?;
        let id = &evidence.campaign_id;
        let members = json!({
            "campaignId": id, "discovered": of.discovered, "terminal": of.terminal, "completed": of.completed,
            "blocked": of.blocked, "evidence": {"origin": "real", "campaignId": id},
        });
        return Ok(entry("realCampaigns", members, of.wall_clock_ms));
    }
    let run_id = run_id.ok_or("the report names no run")?;
    let wall_clock = measured
        .performance
        .wall_clock_ms
        .or(of.wall_clock_ms)
        .ok_or("its wall clock was not measured")?;
    if evidence.kind == EvidenceKind::Synthetic {
        let fixture = &evidence.fixture_id;
        let members = json!({
            "runId": run_id, "fixtureId": fixture, "outcome": outcome,
            "evidence": {"origin": "synthetic", "fixtureId": fixture, "fingerprint": sha256},
        });
        return Ok(entry("syntheticRuns", members, wall_clock));
    }
    let (repository, number, head) = (&evidence.repository, evidence.pull_number, &evidence.head_sha);
    let members = json!({
        "runId": run_id, "repository": repository, "pullNumber": number, "headSha": head, "outcome": outcome,
        "evidence": {"origin": "real", "repository": repository, "pullNumber": number, "headSha": head},
    });
    Ok(entry("realRuns", members, wall_clock))
}

/// Only the whole is measured here.
fn duration(wall_clock_ms: f64) -> Value {
    json!({
        "wallClockMs": table::number(wall_clock_ms), "preflightMs": null, "providerMs": null, "verificationMs": null,
        "publishingMs": null, "mergeMs": null,
    })
}

fn refused(why: String) -> Error {
    Error::new("quality-refused", why).hint("git review-gate quality schema protocol")
}
