//! The one line that says what became of a source, or of the baseline.

use super::budget::Allocated;
use crate::model::baseline::STATUS_MARKER;
use crate::model::delivery::{BaselineStatus, Omission, OmissionCode, SourceStatus, gate_of};
use crate::model::text::sanitise;

/// The line of a source, without its line end. `total` is the budget.
pub fn source(source: &Allocated, total: u64) -> String {
    let delivery = &source.delivery;
    let size = delivery.total;
    let place = place(source);
    let reason = || sanitise(source.reason.as_deref().unwrap_or("no reason is known"));
    let rest = match delivery.status {
        SourceStatus::Found => format!("FOUND{place} — {size} bytes"),
        SourceStatus::Truncated => format!(
            "FOUND{place} — TRUNCATED, showing the first {} of {size} bytes",
            delivery.included
        ),
        SourceStatus::Missing => format!("MISSING (missing){place} — {}", reason()),
        SourceStatus::NotInTree => format!(
            "MISSING (not in tree){place} — the goal names this file, the commit under review does not contain it"
        ),
        SourceStatus::Empty => format!("MISSING (empty){place} — {size} bytes, no text in them"),
        SourceStatus::Omitted => {
            let why = source.omission.as_ref().map(|omission| omitted(omission, total));
            format!("MISSING (omitted){place} — {}", why.unwrap_or_else(reason))
        }
        SourceStatus::Unreadable => format!("UNREADABLE{place} — {}", reason()),
    };
    format!("{STATUS_MARKER}{rest}")
}

/// ` at <where>`; nothing where the goal names no contract, or no baseline could be computed.
fn place(source: &Allocated) -> String {
    let spec = &source.delivery.spec;
    let is_nowhere = source.delivery.status == SourceStatus::Missing && gate_of(&spec.key).is_some();
    match &spec.at {
        Some(at) if !is_nowhere => format!(" at {}", sanitise(at)),
        _ => String::new(),
    }
}

fn omitted(omission: &Omission, total: u64) -> String {
    let Omission { needed, left, .. } = omission;
    match omission.code {
        OmissionCode::Exhausted => format!("needs {needed} bytes; {left} of {total} left"),
        OmissionCode::Reserved => {
            let holders = omission.reserved_for.iter().map(|holder| {
                let names: Vec<_> = holder.dimensions.iter().map(|one| one.as_str()).collect();
                format!("{} ({})", names.join(", "), holder.key)
            });
            format!(
                "needs {needed} bytes; {left} left after {} reserved for {}",
                omission.reserved,
                holders.collect::<Vec<_>>().join("; ")
            )
        }
    }
}

/// The line of the baseline, without its line end. `summary` is its conclusion, where that is delivered.
pub fn baseline(status: &BaselineStatus, summary: Option<&str>) -> String {
    match status {
        BaselineStatus::Computed => format!(
            "{STATUS_MARKER}{status} — {}",
            sanitise(summary.unwrap_or_default())
        ),
        BaselineStatus::NotDelivered => {
            format!("{STATUS_MARKER}{status} — its conclusion is not among the bytes below")
        }
        BaselineStatus::Unavailable { .. } => format!("{STATUS_MARKER}{}", sanitise(&status.to_string())),
    }
}
