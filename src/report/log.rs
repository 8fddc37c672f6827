//! The audit trail for people and programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::model::event::{Body, ReviewRecorded};
use crate::model::ids::{EventId, FindingId};
use crate::model::outcome::log::Entry;
use crate::model::review::ReviewId;
use crate::model::text::sanitise;

/// Two lines an event, newest first as given.
pub fn human(entries: &[Entry]) -> String {
    let findings = findings(entries);
    let mut text = String::new();
    for Entry { anchor, event } in entries {
        let _ = writeln!(
            text,
            "{}  {}  {}  {} <{}>",
            sanitise(&event.at),
            anchor.short(),
            sanitise(event.kind()),
            sanitise(&event.by.name),
            sanitise(&event.by.email)
        );
        if let Some(detail) = detail(&event.body, &findings) {
            let _ = writeln!(text, "    {detail}");
        }
    }
    if text.is_empty() {
        text.push_str("No events.\n");
    }
    text
}

/// JSON Lines: one object an event, with its anchor and the event as stored.
pub fn json_lines(entries: &[Entry]) -> String {
    let mut text = String::new();
    for Entry { anchor, event } in entries {
        // The line is canonical JSON already: it is taken as it is.
        let _ = writeln!(
            text,
            "{{\"schema\":\"review-gate/log\",\"version\":1,\"anchor\":\"{anchor}\",\"event\":{}}}",
            event.line
        );
    }
    text
}

/// The findings that raisings, reopenings and answers are about, by event.
fn findings(entries: &[Entry]) -> BTreeMap<EventId, BTreeSet<FindingId>> {
    let mut findings: BTreeMap<EventId, BTreeSet<FindingId>> = BTreeMap::new();
    for entry in entries {
        let finding = match &entry.event.body {
            Body::Raised(body) => body.finding,
            Body::Reopened(body) => body.finding,
            _ => continue,
        };
        findings.entry(entry.event.id).or_default().insert(finding);
    }
    for entry in entries {
        if let Body::Resolved(body) = &entry.event.body {
            let of: BTreeSet<FindingId> = body
                .closes
                .iter()
                .filter_map(|event| findings.get(event))
                .flatten()
                .copied()
                .collect();
            findings.insert(entry.event.id, of);
        }
    }
    findings
}

/// The findings that some events are about; how many events where none of their findings is among the entries.
fn named(events: &[EventId], findings: &BTreeMap<EventId, BTreeSet<FindingId>>) -> String {
    let of: BTreeSet<FindingId> = events
        .iter()
        .filter_map(|event| findings.get(event))
        .flatten()
        .copied()
        .collect();
    if of.is_empty() {
        return format!("{} events", events.len());
    }
    of.into_iter()
        .map(|finding| finding.short())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The id of a review as a note has it, which may be anything.
fn id(review: &ReviewId) -> String {
    sanitise(review.as_str())
}

fn recorded(body: &ReviewRecorded) -> String {
    let result = &body.result;
    let outcome = if result.all_pass {
        "all pass".to_owned()
    } else {
        let names: Vec<_> = result.needs_attention.iter().map(|one| one.as_str()).collect();
        format!("not all pass: {}", names.join(", "))
    };
    format!("{} by {}: {outcome}", id(&body.review), sanitise(&body.origin))
}

fn detail(body: &Body, findings: &BTreeMap<EventId, BTreeSet<FindingId>>) -> Option<String> {
    let short = |finding: &FindingId| finding.short();
    Some(match body {
        Body::Raised(body) => body.fields.line_of(body.finding),
        Body::Reopened(body) => format!("{} {}", short(&body.finding), sanitise(&body.actual)),
        Body::Resolved(body) => format!(
            "{} by commit {}",
            named(&body.closes, findings),
            body.commit.short()
        ),
        Body::Verified(body) => format!(
            "{} for {}",
            named(&body.confirms, findings),
            sanitise(body.origin.as_str())
        ),
        Body::OriginPassed(body) => {
            format!(
                "{} for {}",
                named(&body.confirms, findings),
                sanitise(body.origin.as_str())
            )
        }
        Body::Waived(body) => format!("{}: {}", named(&body.closes, findings), sanitise(&body.reason)),
        Body::ReviewOpened(body) => format!("{} of {}", id(&body.review), sanitise(&body.branch)),
        Body::ReviewAmended(body) => id(&body.review),
        Body::ReviewClosed(body) => format!("{}: {}", id(&body.review), sanitise(&body.reason)),
        Body::ReviewPacket(body) => format!("{} for {}", &body.packet.to_hex()[..12], id(&body.review)),
        Body::ReviewRecorded(body) => recorded(body),
        Body::ReviewReply(body) => format!("part {} of {}", body.part, body.parts),
        Body::ReviewRuled(body) => {
            format!("{} {}: {}", body.dimension, body.verdict, sanitise(&body.reason))
        }
        Body::EvidenceAdded(body) => format!("{} claimed: {}", body.kind, sanitise(&body.description)),
        Body::EvidenceRun(body) => format!("{}: {}", body.exit, sanitise(&body.argv.join(" "))),
        Body::EvidenceProof(body) => format!("{}: {}", body.result, sanitise(&body.argv.join(" "))),
        Body::QualityRecorded(body) => format!("report {}", &body.sha256.to_hex()[..12]),
        Body::QualityPart(body) => format!("part {} of {}", body.part, body.parts),
        Body::Rewrite(body) => {
            let pairs = body
                .pairs
                .iter()
                .map(|pair| format!("{} became {}", pair.old.short(), pair.new.short()));
            pairs.collect::<Vec<_>>().join(", ")
        }
        _ => return None,
    })
}
