//! What an exchange of notes came to, for people and as JSON.

use crate::model::sync::{SyncReport, SyncState};
use crate::model::text::sanitise;

/// As JSON, with sorted keys.
pub fn json(report: &SyncReport) -> String {
    let value = serde_json::to_value(report).expect("texts, numbers and words only");
    format!("{value:#}\n")
}

/// One line a ref, then what was not as it should be.
pub fn human(report: &SyncReport) -> String {
    let mut text = format!("Notes exchanged with {}:\n", sanitise(&report.remote));
    for synced in &report.refs {
        let what = match synced.state {
            SyncState::Absent => "nothing on either side".to_owned(),
            SyncState::Equal => "up to date".to_owned(),
            SyncState::Received => format!("received, {}", events(synced.received)),
            SyncState::Sent => "sent".to_owned(),
            SyncState::United => format!("received and sent, {}", events(synced.received)),
        };
        let name = synced.name.rsplit('/').next().unwrap_or(&synced.name);
        text.push_str(&format!("  {:<9} {what}\n", sanitise(name)));
    }
    if report.from_mirrors > 0 {
        text.push_str(&format!(
            "{} events came from tracked mirrors\n",
            report.from_mirrors
        ));
    }
    for warning in &report.warnings {
        text.push_str(&format!("warning: {}\n", sanitise(warning)));
    }
    text
}

fn events(count: usize) -> String {
    match count {
        1 => "1 new event".to_owned(),
        _ => format!("{count} new events"),
    }
}
