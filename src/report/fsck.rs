//! What an examination of the ledger found, for people and as JSON.

use crate::model::fsck::{FaultKind, FsckReport};
use crate::model::text::sanitise;

/// As JSON, with sorted keys.
pub fn json(report: &FsckReport) -> String {
    let value = serde_json::to_value(report).expect("texts, numbers and words only");
    format!("{value:#}\n")
}

/// What was looked at, what is wrong, and the next command.
pub fn human(report: &FsckReport) -> String {
    let mut text = String::new();
    for repaired in &report.repaired {
        text.push_str(&format!("repaired: {}\n", sanitise(repaired)));
    }
    for examined in &report.refs {
        text.push_str(&format!(
            "{}: {} commits, {} notes, {} events\n",
            sanitise(&examined.name),
            examined.commits,
            examined.notes,
            examined.events
        ));
    }
    for fault in &report.faults {
        text.push_str(&format!("{}: {}: ", fault.gravity, fault.kind));
        if let Some(name) = &fault.notes_ref {
            text.push_str(&sanitise(name));
            text.push_str(": ");
        }
        if let Some(anchor) = &fault.anchor {
            text.push_str(&format!("note on {}: ", sanitise(anchor)));
        }
        if let Some(line) = fault.line {
            text.push_str(&format!("line {line}: "));
        }
        text.push_str(&sanitise(&fault.message));
        text.push('\n');
        if let Some(digest) = &fault.digest {
            text.push_str(&format!("  digest: {digest}\n"));
        }
    }
    if report.omitted > 0 {
        text.push_str(&format!("and {} more\n", report.omitted));
    }
    let has = |kinds: &[FaultKind]| report.faults.iter().any(|fault| kinds.contains(&fault.kind));
    if report.is_sound() {
        text.push_str("The ledger is sound.\n");
        return text;
    }
    text.push_str("\nNext:\n");
    if has(&[
        FaultKind::DoubleNote,
        FaultKind::LostLines,
        FaultKind::Rewound,
        FaultKind::Pending,
    ]) {
        text.push_str("  git review-gate fsck --repair\n");
    }
    if has(&[FaultKind::CorruptLine, FaultKind::OverLimit]) {
        text.push_str("  git review-gate fsck --discard DIGEST --reason \"why it may be set aside\"\n");
    }
    if has(&[FaultKind::MissingAfter]) {
        text.push_str("  git review-gate sync\n");
    }
    if has(&[FaultKind::NewerLine]) {
        text.push_str("  upgrade git-review-gate\n");
    }
    text
}
