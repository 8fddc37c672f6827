//! What `init` came to, for people and as JSON.

use super::hooks::managed_human;
use crate::model::hooks::Mode;
use crate::model::init::{InitReport, PartState};
use crate::model::text::sanitise;

/// As JSON, with sorted keys.
pub fn json(report: &InitReport) -> String {
    let value = serde_json::to_value(report).expect("texts and words only, paths were read as UTF-8");
    format!("{value:#}\n")
}

/// One line a part, then what is left to do.
pub fn human(report: &InitReport) -> String {
    let mut text = String::new();
    for part in &report.parts {
        let state = match (part.state, report.mode) {
            (PartState::Changed, Mode::Do) => "done",
            (PartState::Changed, Mode::DryRun) => "would be done",
            (PartState::Kept, _) => "was there",
            (PartState::Skipped, _) => "skipped",
            (PartState::Failed, _) => "NOT DONE",
        };
        text.push_str(&format!(
            "{:<9} {state}: {}\n",
            part.part.as_str(),
            sanitise(&part.note)
        ));
    }
    if let Some(hooks) = &report.hooks {
        managed_human(&mut text, hooks);
    }
    if !report.next.is_empty() {
        text.push_str("\nNext:\n");
        for command in &report.next {
            text.push_str(&format!("  {}\n", sanitise(command)));
        }
    }
    text
}
