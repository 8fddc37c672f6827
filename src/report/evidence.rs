//! Evidence for people and programs.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::dimension::Dimension;
use crate::model::ids::hex;
use crate::model::outcome::evidence::{Added, Proved, Ran, Recorded};
use crate::model::text::sanitise;
use crate::model::witness::{
    Artifact, Counts, Coverage, EvidenceKind, ProofReason, ProofResult, RunClass, RunFormat, Unknown,
};

/// What all of these objects begin with.
#[derive(Debug, Serialize, JsonSchema)]
struct Frame<'a> {
    schema: &'static str,
    version: u32,
    /// How a reply cites it: `evidence:` and the first digits of its event.
    cite: String,
    /// The event.
    event: String,
    /// The review.
    review: &'a str,
    /// The commit that it speaks of.
    commit: String,
    /// The tree of that commit.
    tree: String,
}

/// `evidence add`
#[derive(Debug, Serialize, JsonSchema)]
pub struct AddedJson<'a> {
    #[serde(flatten)]
    frame: Frame<'a>,
    kind: EvidenceKind,
    dimension: Dimension,
    description: &'a str,
    artifact: Option<&'a Artifact>,
    link: Option<&'a str>,
    /// Who says so.
    claimed_by: &'a str,
}

/// `evidence run`
#[derive(Debug, Serialize, JsonSchema)]
pub struct RanJson<'a> {
    #[serde(flatten)]
    frame: Frame<'a>,
    kind: EvidenceKind,
    dimensions: &'a [Dimension],
    argv: &'a [String],
    /// The exit code, `"signal N"` or `"timeout"`.
    exit: serde_json::Value,
    duration_ms: u64,
    /// Whether the work tree was not that of the commit; such a run counts for no commit.
    dirty: bool,
    format: Option<RunFormat>,
    counts: Option<Counts>,
    /// Why there are no counts.
    counts_reason: Option<Unknown>,
    coverage: Option<Coverage>,
    reports: &'a [Artifact],
    /// SHA-256 of standard output.
    stdout: String,
    /// SHA-256 of standard error.
    stderr: String,
    tail: Option<&'a str>,
}

/// `evidence prove`
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProvedJson<'a> {
    #[serde(flatten)]
    frame: Frame<'a>,
    argv: &'a [String],
    /// The test files that were laid over the base.
    tests: &'a [String],
    base_tree: String,
    n: u64,
    base_runs: &'a [RunClass],
    head_runs: &'a [RunClass],
    result: ProofResult,
    reason: Option<ProofReason>,
}

/// `evidence add` as JSON.
pub fn added_json(added: &Added) -> String {
    let body = &added.body;
    pretty(&AddedJson {
        frame: frame("review-gate/evidence-add", added, body.review.as_str()),
        kind: body.kind,
        dimension: body.dimension,
        description: &body.description,
        artifact: body.artifact.as_ref(),
        link: body.link.as_deref(),
        claimed_by: &added.by.name,
    })
}

/// `evidence add` for people.
pub fn added(added: &Added) -> String {
    let body = &added.body;
    let mut text = format!(
        "{}  {} for {}, claimed by {}\n",
        cite(added),
        body.kind,
        body.dimension,
        sanitise(&added.by.name)
    );
    if let Some(artifact) = &body.artifact {
        let _ = writeln!(
            text,
            "artifact   {} ({} bytes)",
            sanitise(&artifact.path),
            artifact.bytes
        );
    }
    if let Some(link) = &body.link {
        let _ = writeln!(text, "link       {}", sanitise(link));
    }
    text.push_str("A claim is never shown as witnessed; git review-gate evidence run witnesses.\n");
    text
}

/// `evidence run` as JSON.
pub fn ran_json(ran: &Ran) -> String {
    let body = &ran.body;
    pretty(&RanJson {
        frame: frame("review-gate/evidence-run", ran, body.review.as_str()),
        kind: body.kind,
        dimensions: &body.dimensions,
        argv: &body.argv,
        exit: serde_json::to_value(body.exit).expect("an exit is a number or a text"),
        duration_ms: body.duration_ms,
        dirty: body.dirty,
        format: body.format,
        counts: body.counts,
        counts_reason: body.counts_reason,
        coverage: body.coverage,
        reports: &body.reports,
        stdout: body.stdout.to_hex(),
        stderr: body.stderr.to_hex(),
        tail: body.tail.as_deref(),
    })
}

/// `evidence run` for people.
pub fn ran(ran: &Ran) -> String {
    let body = &ran.body;
    let outcome = if body.exit.success() {
        "succeeded"
    } else {
        "failed"
    };
    let counts_for = if body.dirty {
        "counts for no commit: the work tree was not that of HEAD".to_owned()
    } else {
        format!(
            "witnessed for every commit with tree {}",
            ran.subject.tree.short()
        )
    };
    let mut text = format!(
        "{}  {} {outcome} ({}) after {}.{:03} s\n",
        cite(ran),
        body.kind,
        body.exit,
        body.duration_ms / 1000,
        body.duration_ms % 1000,
    );
    let tests = match (&body.counts, body.counts_reason) {
        (Some(counts), _) => counts.to_string(),
        (None, Some(reason)) => format!("unknown ({reason})"),
        (None, None) => "unknown".to_owned(),
    };
    let format = body
        .format
        .map(|format| format!(" ({format})"))
        .unwrap_or_default();
    let _ = writeln!(text, "tests      {tests}{format}");
    if let Some(coverage) = &body.coverage {
        let _ = writeln!(text, "coverage   {coverage}");
    }
    let dimensions: Vec<&str> = body.dimensions.iter().map(|one| one.as_str()).collect();
    let _ = writeln!(text, "speaks to  {}", dimensions.join(", "));
    let _ = writeln!(text, "{counts_for}");
    text
}

/// `evidence prove` as JSON.
pub fn proved_json(proved: &Proved) -> String {
    let body = &proved.body;
    pretty(&ProvedJson {
        frame: frame("review-gate/evidence-prove", proved, body.review.as_str()),
        argv: &body.argv,
        tests: &body.tests,
        base_tree: body.base_tree.to_hex(),
        n: body.n,
        base_runs: &body.base_runs,
        head_runs: &body.head_runs,
        result: body.result,
        reason: body.reason,
    })
}

/// `evidence prove` for people.
pub fn proved(proved: &Proved) -> String {
    let body = &proved.body;
    let runs = |runs: &[RunClass]| {
        let words: Vec<&str> = runs.iter().map(|run| run.as_str()).collect();
        words.join(" ")
    };
    let reason = body
        .reason
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    let mut text = format!("{}  {}{reason}\n", cite(proved), body.result);
    let _ = writeln!(text, "without    {}", runs(&body.base_runs));
    let _ = writeln!(text, "with       {}", runs(&body.head_runs));
    for test in &body.tests {
        let _ = writeln!(text, "test       {}", sanitise(test));
    }
    let _ = writeln!(text, "command    {}", sanitise(&body.argv.join(" ")));
    text
}

fn frame<'a, T>(schema: &'static str, recorded: &Recorded<T>, review: &'a str) -> Frame<'a> {
    Frame {
        schema,
        version: 1,
        cite: cite(recorded),
        event: recorded.id.to_hex(),
        review,
        commit: recorded.subject.commit.to_hex(),
        tree: recorded.subject.tree.to_hex(),
    }
}

fn cite<T>(recorded: &Recorded<T>) -> String {
    format!("evidence:{}", hex(&recorded.id.0[..4]))
}

fn pretty<T: Serialize>(object: &T) -> String {
    let mut text = serde_json::to_string_pretty(object).expect("structs of texts serialise");
    text.push('\n');
    text
}
