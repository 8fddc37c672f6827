//! The audit trail for people and programs.

use std::fmt::Write as _;

use crate::model::event::Body;
use crate::model::ids::FindingId;
use crate::model::outcome::log::Entry;
use crate::model::text::sanitise;

/// Two lines an event, newest first as given.
pub fn human(entries: &[Entry]) -> String {
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
        if let Some(detail) = detail(&event.body) {
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

fn detail(body: &Body) -> Option<String> {
    let short = |finding: &FindingId| finding.short();
    Some(match body {
        Body::Raised(body) => body.fields.line_of(body.finding),
        Body::Reopened(body) => format!("{} {}", short(&body.finding), sanitise(&body.actual)),
        Body::Resolved(body) => format!("by commit {}, answers {}", body.commit.short(), body.closes.len()),
        Body::Verified(body) => format!(
            "for {}, confirms {}",
            sanitise(body.origin.as_str()),
            body.confirms.len()
        ),
        Body::OriginPassed(body) => {
            format!(
                "for {}, confirms {}",
                sanitise(body.origin.as_str()),
                body.confirms.len()
            )
        }
        Body::Waived(body) => sanitise(&body.reason),
        Body::ReviewOpened(body) => format!("{} of {}", body.review, sanitise(&body.branch)),
        Body::ReviewAmended(body) => body.review.to_string(),
        Body::ReviewClosed(body) => format!("{}: {}", body.review, sanitise(&body.reason)),
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
