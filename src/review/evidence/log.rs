//! The evidence log: what a reviewer reads of the runs, proofs and claims for a tree.

use super::ansi;
use super::seen::{self, SeenRun};
use crate::model::event::{Body, Event, EvidenceAdded, EvidenceProof};
use crate::model::ids::TreeId;
use crate::model::text::sanitise;

/// The most bytes of the tail of one failing run.
const MAX_TAIL: usize = 1024;

/// The most characters of a command line or a description.
const MAX_SHOWN: usize = 300;

/// The text, or `None` where no run and no proof counts for `tree`: claims alone are no evidence log.
///
/// One line for each run, proof and claim, however many there are; below a failing run the end of its output, as long
/// as the whole text stays within `cap` bytes, those of the last runs first.
pub fn text(events: &[&Event], tree: TreeId, cap: usize) -> Option<String> {
    let runs = seen::runs(events, tree);
    let proofs = seen::proofs(events, tree, None);
    if runs.is_empty() && proofs.is_empty() {
        return None;
    }
    let lines: Vec<String> = runs.iter().map(run_line).collect();
    let mut rest = String::new();
    for (event, proof) in proofs {
        rest.push_str(&proof_line(event, proof));
    }
    for (event, claim) in claims(events, tree) {
        rest.push_str(&claim_line(event, claim));
    }
    let mut size = rest.len() + lines.iter().map(String::len).sum::<usize>();
    let mut tails = vec![String::new(); runs.len()];
    for (seen, shown) in runs.iter().zip(&mut tails).rev() {
        if seen.run.exit.success() {
            continue;
        }
        let tail = indented(seen.run.tail.as_deref().unwrap_or_default());
        if size + tail.len() <= cap {
            size += tail.len();
            *shown = tail;
        }
    }
    let mut text: String = lines
        .iter()
        .zip(&tails)
        .flat_map(|(line, tail)| [line.as_str(), tail.as_str()])
        .collect();
    text.push_str(&rest);
    Some(text)
}

/// The claims for `tree`, by id.
fn claims<'a>(events: &[&'a Event], tree: TreeId) -> Vec<(&'a Event, &'a EvidenceAdded)> {
    let mut claims: Vec<(&Event, &EvidenceAdded)> = events
        .iter()
        .filter(|event| event.subject.tree == tree)
        .filter_map(|event| match &event.body {
            Body::EvidenceAdded(claim) => Some((*event, &**claim)),
            _ => None,
        })
        .collect();
    claims.sort_by_key(|(event, _)| event.id);
    claims.dedup_by_key(|(event, _)| event.id);
    claims
}

fn run_line(seen: &SeenRun<'_>) -> String {
    let run = seen.run;
    let outcome = if run.exit.success() { "succeeded" } else { "failed" };
    let later = if seen.decides {
        ""
    } else {
        ", another run of this command decides"
    };
    let tests = match (&run.counts, run.counts_reason) {
        (Some(counts), _) => format!("; {counts}"),
        (None, Some(reason)) => format!("; tests unknown ({reason})"),
        (None, None) => String::new(),
    };
    let coverage = run
        .coverage
        .map(|coverage| format!("; covered {coverage}"))
        .unwrap_or_default();
    let dimensions: Vec<&str> = run
        .dimensions
        .iter()
        .map(|dimension| dimension.as_str())
        .collect();
    format!(
        "{} {} for {}: {outcome} ({}) in {} ms{tests}{coverage}{later}: {}\n",
        short(seen.event),
        run.kind,
        dimensions.join(", "),
        run.exit,
        run.duration_ms,
        command(&run.argv),
    )
}

fn proof_line(event: &Event, proof: &EvidenceProof) -> String {
    let reason = proof
        .reason
        .map(|reason| format!(" ({reason})"))
        .unwrap_or_default();
    let tests = if proof.tests.is_empty() {
        String::new()
    } else {
        format!(" with {}", shown(&proof.tests.join(" ")))
    };
    format!(
        "{} proof: {}{reason}, {} runs without and {} with the change: {}{tests}\n",
        short(event),
        proof.result,
        proof.base_runs.len(),
        proof.head_runs.len(),
        command(&proof.argv),
    )
}

fn claim_line(event: &Event, claim: &EvidenceAdded) -> String {
    let artifact = claim
        .artifact
        .as_ref()
        .map(|artifact| format!(" [{}]", shown(&artifact.path)))
        .unwrap_or_default();
    let link = claim
        .link
        .as_ref()
        .map(|link| format!(" <{}>", shown(link)))
        .unwrap_or_default();
    format!(
        "{} {} for {}, claimed by {}, not witnessed: {}{artifact}{link}\n",
        short(event),
        claim.kind,
        claim.dimension,
        shown(&event.by.name),
        shown(&claim.description),
    )
}

/// How an event is cited.
fn short(event: &Event) -> String {
    format!("evidence:{}", &event.id.to_hex()[..8])
}

fn command(argv: &[String]) -> String {
    shown(&argv.join(" "))
}

/// One safe line of bounded length.
fn shown(text: &str) -> String {
    let text = sanitise(text);
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The end of an output, each line moved in, so that none can pass for a line of the log.
fn indented(tail: &str) -> String {
    let mut start = tail.len().saturating_sub(MAX_TAIL);
    while !tail.is_char_boundary(start) {
        start += 1;
    }
    let mut text = String::new();
    for line in ansi::lines(&ansi::plain(&tail.as_bytes()[start..])) {
        if !line.is_empty() {
            text.push_str(&format!("    {}\n", sanitise(line)));
        }
    }
    text
}
