//! A campaign: the reports of many runs → one report. The least score of each area counts, never an average.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::areas::{self, Part};
use super::document::{self, Operational, Surroundings};
use super::gates::{self, gate};
use super::input::members::{CAMPAIGN, CAMPAIGN_EVIDENCE, HEAD, LIMITS};
use super::input::typed::{Campaign, Evidence, Limits};
use super::input::{self, Malformed, Unknown};
use super::stored::{self, Stored};
use super::table::{self, Faults, Member, Shape, may, must};
use crate::model::json::Node;
use crate::model::quality::{Area, AreaStatus, AreaSummary, Decision, Document, GateResult};
use crate::model::words::words;

/// The most problems of identity that a gate names.
const MAX_NAMED: usize = 20;

words! {
    /// How a pull request ended.
    Outcome {
        /// Reviewed, and accepted.
        Approved = "APPROVED",
        /// Reviewed, and something is to be changed.
        ChangesRequested = "CHANGES_REQUESTED",
        /// Reviewed, and merged.
        Merged = "MERGED",
        /// Reviewed in part.
        Partial = "PARTIAL",
        /// Not reviewed: something stood in the way.
        Blocked = "BLOCKED",
        /// Not reviewed on purpose.
        Skipped = "SKIPPED",
        /// The review was broken off.
        Cancelled = "CANCELLED",
    }
}

impl Outcome {
    /// Whether the review was done.
    const fn is_completed(self) -> bool {
        matches!(self, Self::Approved | Self::ChangesRequested | Self::Merged)
    }
}

/// A pull request of a campaign.
const PULL_REQUEST: Shape = Shape::Object(&[
    must("repository", Shape::Text),
    must("pullNumber", Shape::Positive),
    must("headSha", HEAD),
    may(
        "outcome",
        Shape::Word(&[
            "APPROVED",
            "CHANGES_REQUESTED",
            "MERGED",
            "PARTIAL",
            "BLOCKED",
            "SKIPPED",
            "CANCELLED",
        ]),
    ),
]);

/// The members of the input of a campaign.
pub const MEMBERS: &[Member] = &members(true);

/// The same where reports come from elsewhere.
const MEMBERS_WITHOUT_REPORTS: &[Member] = &members(false);

const fn members(has_reports: bool) -> [Member; 5] {
    [
        must("evidence", CAMPAIGN_EVIDENCE),
        must("campaign", CAMPAIGN),
        may("pullRequests", Shape::List(&PULL_REQUEST)),
        Member {
            key: "pullRequestReports",
            is_required: has_reports,
            shape: Shape::List(&Shape::Any),
        },
        may("limits", LIMITS),
    ]
}

/// The valid input of a campaign.
#[derive(Debug, Clone)]
pub struct CampaignInput {
    /// Which campaign.
    pub evidence: Evidence,
    /// Its counters.
    pub campaign: Campaign,
    /// Its pull requests, where they are listed.
    pub pull_requests: Option<Vec<PullRequest>>,
    /// The reports, each of one run.
    pub reports: Vec<Stored>,
    /// The limits that it was held to.
    pub limits: Option<Limits>,
    /// The same as it was given, without unknown members and without the inputs of its reports.
    pub raw: Map<String, Value>,
    /// Members that are not known.
    pub warnings: Vec<String>,
}

/// A pull request of a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullRequest {
    /// Where it is.
    pub repository: String,
    /// Its number there.
    pub pull_number: u64,
    /// Its head.
    pub head_sha: String,
    /// How it ended; absent while it has not.
    pub outcome: Option<Outcome>,
}

/// Reads the input of a campaign; `more` are reports that are appended to its own, each with how people call it.
pub fn read(bytes: &[u8], more: &[(String, Vec<u8>)], unknown: Unknown) -> Result<CampaignInput, Malformed> {
    let node = table::parse(bytes, "input").map_err(Malformed::because)?;
    let mut reports = Vec::new();
    for (name, bytes) in more {
        reports.push(table::parse(bytes, name).map_err(Malformed::because)?);
    }
    read_node(&node, &reports, unknown)
}

/// The same from a document that is parsed already.
pub fn read_node(node: &Node, more: &[Node], unknown: Unknown) -> Result<CampaignInput, Malformed> {
    let members = if more.is_empty() {
        MEMBERS
    } else {
        MEMBERS_WITHOUT_REPORTS
    };
    let mut faults = Faults::default();
    let mut raw = table::check_root(node, members, "input", &mut faults);
    let listed = match node.get("pullRequestReports") {
        Some(Node::List(items)) => items.as_slice(),
        _ => &[],
    };
    let mut reports = Vec::new();
    for (index, report) in listed.iter().chain(more).enumerate() {
        match stored::read(report) {
            Ok(report) => reports.push(report),
            Err(why) => faults.wrong.push(at_report(index, &why)),
        }
    }
    input::check_order(&raw, &mut faults);
    check_list(&raw, &mut faults);
    if faults.wrong.is_empty() && reports.is_empty() {
        faults
            .wrong
            .push("campaign has no pull-request quality reports".to_owned());
    }
    if unknown == Unknown::Refused {
        faults.refuse_unknown();
    }
    if !faults.wrong.is_empty() {
        return Err(malformed(&faults, raw));
    }
    let kept = reports.iter().map(|report| Value::Object(report.known.clone()));
    raw.insert("pullRequestReports".to_owned(), kept.collect());
    Ok(CampaignInput {
        evidence: of(&raw, "evidence").expect("the table asks for it"),
        campaign: of(&raw, "campaign").expect("the table asks for it"),
        pull_requests: of(&raw, "pullRequests"),
        limits: of(&raw, "limits"),
        warnings: faults.unknown(),
        reports,
        raw,
    })
}

/// A fault of a report: of a member, or of the whole.
fn at_report(index: usize, why: &str) -> String {
    if why.starts_with("must ") {
        format!("pullRequestReports[{index}] {why}")
    } else {
        format!("pullRequestReports[{index}].{why}")
    }
}

fn malformed(faults: &Faults, known: Map<String, Value>) -> Malformed {
    let mut malformed = input::malformed(faults, known);
    let campaign_id = malformed
        .known
        .get("evidence")
        .and_then(|evidence| evidence.get("campaignId"))
        .cloned();
    malformed
        .known
        .extend(campaign_id.map(|id| ("runId".to_owned(), id)));
    malformed
}

/// A checked group.
fn of<T: for<'de> Deserialize<'de>>(raw: &Map<String, Value>, key: &str) -> Option<T> {
    let value = raw.get(key)?.clone();
    Some(serde_json::from_value(value).expect("a group that its table has checked"))
}

/// Checks that no pull request is listed twice, and that the counters are those of the list.
fn check_list(raw: &Map<String, Value>, faults: &mut Faults) {
    // Nothing is counted in a list that is itself wrong.
    if faults.wrong.iter().any(|fault| fault.starts_with("pullRequests")) {
        return;
    }
    let Some(list) = of::<Vec<PullRequest>>(raw, "pullRequests") else {
        return;
    };
    let mut seen = BTreeSet::new();
    for (index, one) in list.iter().enumerate() {
        if !seen.insert((&one.repository, one.pull_number)) {
            faults.wrong.push(format!(
                "pullRequests[{index}] is {} #{} for the second time",
                one.repository, one.pull_number
            ));
        }
    }
    let tally = |counts: &dyn Fn(Outcome) -> bool| {
        list.iter().filter(|one| one.outcome.is_some_and(counts)).count() as u64
    };
    for (counter, tallied) in [
        ("discovered", list.len() as u64),
        ("terminal", tally(&|_| true)),
        ("completed", tally(&Outcome::is_completed)),
        ("partial", tally(&|outcome| outcome == Outcome::Partial)),
        ("blocked", tally(&|outcome| outcome == Outcome::Blocked)),
        ("skipped", tally(&|outcome| outcome == Outcome::Skipped)),
        ("cancelled", tally(&|outcome| outcome == Outcome::Cancelled)),
    ] {
        let path = format!("campaign.{counter}");
        if let Some(said) = input::count(raw, &path)
            && said != tallied
        {
            faults.wrong.push(format!(
                "{path} is {said}, the list of pull requests has {tallied}"
            ));
        }
    }
}

/// The report on a campaign, or on why its input cannot be used.
pub fn evaluate(input: Result<CampaignInput, Malformed>, around: &Surroundings) -> Document {
    let input = match input {
        Ok(input) => input,
        Err(malformed) => return document::blocked(malformed, around),
    };
    let lacking: &[&str] = if input.pull_requests.is_some() {
        &[]
    } else {
        &["pullRequests"]
    };
    let operational = Operational {
        evidence: &input.evidence,
        limits: input.limits.as_ref(),
        lacking,
    };
    document::decide(scored(&input), &operational, around)
}

/// Areas and gates that depend on the input alone.
pub fn scored(input: &CampaignInput) -> Document {
    let group = |key: &str| input.raw.get(key).and_then(|group| group.as_object().cloned());
    Document {
        run_id: input.evidence.campaign_id.clone(),
        library_version: common(input, |report| report.library_version.as_ref()),
        source_revision: common(input, |report| report.source_revision.as_ref()),
        evidence: group("evidence"),
        campaign: group("campaign"),
        areas: Area::ALL.iter().map(|area| summary(input, *area)).collect(),
        absolute_gates: gates_of(input),
        warnings: input.warnings.clone(),
        input_error: None,
        raw_input: Some(input.raw.clone()),
        ..Document::blocked("")
    }
}

/// What all reports have in common.
fn common<'a>(input: &'a CampaignInput, of: impl Fn(&'a Stored) -> Option<&'a String>) -> Option<String> {
    let mut all = input.reports.iter().map(of);
    let first = all.next()??;
    all.all(|other| other == Some(first)).then(|| first.clone())
}

fn summary(input: &CampaignInput, area: Area) -> AreaSummary {
    let found = || {
        let areas = (1..).zip(&input.reports).filter_map(|(number, report)| {
            let summary = report.areas.iter().find(|summary| summary.area == area);
            summary.map(|summary| (number, summary))
        });
        areas.filter(|(_, summary)| summary.status != AreaStatus::NotApplicable)
    };
    let metrics = || {
        let passing = input
            .reports
            .iter()
            .filter(|report| report.decision == Decision::Pass);
        vec![
            ("reports", Value::from(input.reports.len())),
            ("passingReports", Value::from(passing.count())),
            ("discovered", input.campaign.discovered.into()),
            ("terminal", input.campaign.terminal.into()),
        ]
    };
    let mut parts: Vec<Part> = Vec::new();
    // One sentence for each score that occurs: a thousand reports must not give a thousand of them.
    let mut by_score: BTreeMap<Option<u8>, (usize, usize)> = BTreeMap::new();
    for (number, summary) in found() {
        by_score.entry(summary.score).or_insert((number, 0)).1 += 1;
    }
    for (score, (first, count)) in by_score {
        let said = match count {
            1 => format!("report {first}"),
            _ => format!("report {first} and {} more", count - 1),
        };
        parts.push(Part::new(score, said));
    }
    if parts.is_empty() {
        return AreaSummary {
            status: AreaStatus::NotApplicable,
            reason: "it applies to no report".to_owned(),
            ..areas::of_all(area, &[Part::new(None, "")], metrics())
        };
    }
    if area == Area::Reliability {
        parts.extend(areas::campaign_parts(&input.campaign));
    }
    areas::of_all(area, &parts, metrics())
}

fn gates_of(input: &CampaignInput) -> Vec<GateResult> {
    let mut gates = Vec::new();
    for (number, report) in (1..).zip(&input.reports) {
        let failed = report.gates.iter().filter(|gate| !gate.passed);
        gates.extend(failed.map(|failed| {
            gate(
                &format!("pull-request-{number}:{}", failed.name),
                false,
                failed.detail.clone(),
            )
        }));
    }
    gates.extend(input.limits.as_ref().map(gates::limits));
    gates.push(gates::terminal(&input.campaign));
    gates.push(gates::reports(&input.campaign, Some(input.reports.len() as u64)));
    gates.push(identity(input));
    gates
}

/// Whether the reports belong together, and each to a pull request of its own.
fn identity(input: &CampaignInput) -> GateResult {
    let mut problems = Vec::new();
    let mut pulls = BTreeSet::new();
    let mut runs = BTreeSet::new();
    for (number, report) in (1..).zip(&input.reports) {
        match report.run.as_ref().and_then(pull_of) {
            None => problems.push(format!("report {number} has no complete evidence of a real run")),
            Some(pull) if !pulls.insert(pull) => {
                problems.push(format!(
                    "report {number} is the second one of {} #{}",
                    pull.0, pull.1
                ));
            }
            Some(_) => {}
        }
        if let Some(run) = &report.run_id
            && !runs.insert(run)
        {
            problems.push(format!("report {number} is the second one of run {run}"));
        }
    }
    for (what, of) in [
        ("libraryVersion", library_version as fn(&Stored) -> Option<&str>),
        ("sourceRevision", source_revision),
    ] {
        let all: BTreeSet<Option<&str>> = input.reports.iter().map(of).collect();
        if all.len() > 1 {
            problems.push(format!(
                "the reports name {} different values of {what}",
                all.len()
            ));
        }
    }
    if let Some(list) = &input.pull_requests {
        check_listed(input, list, &mut problems);
    }
    let detail = match problems.len() {
        0 => format!(
            "{} report(s), each of a pull request of its own",
            input.reports.len()
        ),
        count => {
            problems.truncate(MAX_NAMED);
            let more = count - problems.len();
            if more > 0 {
                problems.push(format!("and {more} more"));
            }
            problems.join("; ")
        }
    };
    gate(gates::IDENTITY, problems.is_empty(), detail)
}

fn library_version(report: &Stored) -> Option<&str> {
    report.library_version.as_deref()
}

fn source_revision(report: &Stored) -> Option<&str> {
    report.source_revision.as_deref()
}

/// The pull request that a run reviewed.
fn pull_of(run: &Evidence) -> Option<(&str, u64)> {
    Some((run.repository.as_deref()?, run.pull_number?))
}

/// Each report is of a completed pull request at exactly its head, and each completed one has its report.
fn check_listed(input: &CampaignInput, list: &[PullRequest], problems: &mut Vec<String>) {
    let completed: BTreeMap<(&str, u64), &str> = list
        .iter()
        .filter(|one| one.outcome.is_some_and(Outcome::is_completed))
        .map(|one| ((one.repository.as_str(), one.pull_number), one.head_sha.as_str()))
        .collect();
    let mut reported = BTreeSet::new();
    for (number, report) in (1..).zip(&input.reports) {
        let Some(run) = &report.run else { continue };
        let Some(pull) = pull_of(run) else { continue };
        reported.insert(pull);
        let head = run.head_sha.as_deref().unwrap_or_default();
        match completed.get(&pull) {
            None => problems.push(format!(
                "report {number} is of {} #{}, which is not listed as completed",
                pull.0, pull.1
            )),
            Some(listed) if !listed.eq_ignore_ascii_case(head) => problems.push(format!(
                "report {number} is of {head}, the list has {} #{} at {listed}",
                pull.0, pull.1
            )),
            Some(_) => {}
        }
    }
    for (repository, number) in completed.keys().filter(|pull| !reported.contains(*pull)) {
        problems.push(format!("{repository} #{number} is completed and has no report"));
    }
}
