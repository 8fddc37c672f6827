//! The report of a spec review, rendered from its state alone.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::model::spec::{Decision, Lens, Outcome, ReviewGate, Sidecar, SrId, Status};
use crate::model::text::sanitise;

/// What no panel sees, whoever is on it.
const BLIND: &str = "- Standing oracle blind spots: what the author meant, facts outside the text, requirements nobody wrote down.\n";

/// What is left open whatever the status says.
const RESIDUAL: &str = "- Text that pleases the reviewers may win over text that is right.
- Another panel may find other things.
- A lens may leave its mandate.
- There is no ceiling on tokens.
- Same-defect judgements are opinions.
- Whether a person was there is not proved.
";

/// The report; a state without `x_review_gate` has no caps and no reasons to show.
pub fn report(state: &Sidecar) -> String {
    let x = state.x_review_gate.as_deref();
    let mut text = header(state, x);
    for round in &state.rounds {
        text.push_str(&format!(
            "\n## Round {} — panel: {}\n\n",
            round.round,
            list(&round.panel)
        ));
        text.push_str(&format!(
            "Units: {}\n\n",
            round
                .units
                .iter()
                .map(|unit| line(unit))
                .collect::<Vec<_>>()
                .join(" · ")
        ));
        text.push_str(&format!("{}\n\n", line(&round.panel_rationale)));
        text.push_str("| SR | severity | lenses | outcome |\n|---|---|---|---|\n");
        for row in &round.findings {
            text.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                row.sr_id,
                row.severity,
                list(&row.lenses),
                row.outcome
            ));
        }
        if !round.findings.is_empty() {
            text.push('\n');
        }
        for row in &round.findings {
            text.push_str(&format!(
                "- {}: {}\n",
                row.sr_id,
                described(state, x, round.round, row.sr_id)
            ));
        }
    }
    text.push_str(&coverage(state, x));
    let rejected = state.rounds.iter().flat_map(|round| &round.rejected);
    let rejected = rejected.map(|rejected| format!("- [{}] {}\n", rejected.lens, line(&rejected.candidate)));
    text.push_str(&section("Rejected by the panel (self-falsification)", rejected));
    text.push_str(&section(
        "Accepted risks (user-decided)",
        decided(state, Decision::KeepAsIs),
    ));
    text.push_str(&section(
        "Declined (user-decided)",
        decided(state, Decision::Declined),
    ));
    text.push_str(&format!("\n## Residual risks\n\n{RESIDUAL}"));
    let unread: BTreeSet<SrId> = (state.rounds.iter().flat_map(|round| &round.findings))
        .filter(|row| row.outcome == Outcome::AppliedNotReReviewed)
        .map(|row| row.sr_id)
        .collect();
    if !unread.is_empty() {
        text.push_str(&format!(
            "- Written, but read by no later panel: {}.\n",
            list(&unread)
        ));
    }
    text.push_str(&recovery(state, x));
    text
}

fn header(state: &Sidecar, x: Option<&ReviewGate>) -> String {
    let name = state.spec_path.rsplit('/').next().unwrap_or_default();
    let of = |used: &dyn Display, cap: Option<String>| {
        cap.map_or_else(|| used.to_string(), |cap| format!("{used}/{cap}"))
    };
    let caps = x.map(|x| x.caps);
    format!(
        "# Spec-review loop report — {}\n\n**Run:** {} · **Mode:** {} · **Budgets used:** {} iterations, {} dispatches, {} s · **Terminal status:** {} · **Verdict:** Re-reviewed (advisory)\n",
        line(name),
        state.run,
        x.map_or("unknown", |x| x.mode.as_str()),
        of(&state.iterations_used, caps.map(|caps| caps.rounds.to_string())),
        of(
            &state.dispatches_used,
            caps.map(|caps| caps.dispatches.to_string())
        ),
        of(&state.active_seconds, caps.map(|caps| caps.seconds.to_string())),
        state.status,
    )
}

fn coverage(state: &Sidecar, x: Option<&ReviewGate>) -> String {
    let open = x.and_then(|x| x.open_round.as_ref());
    let selected: BTreeSet<Lens> = (state.rounds.iter().flat_map(|round| &round.panel))
        .chain(open.into_iter().flat_map(|open| &open.panel))
        .copied()
        .collect();
    let unselected: Vec<Lens> = Lens::ALL
        .iter()
        .copied()
        .filter(|lens| !selected.contains(lens))
        .collect();
    let missing: Vec<String> = x
        .into_iter()
        .flat_map(|x| x.rounds.iter().map(|round| (round.round, &round.not_returned)))
        .chain(open.map(|open| (open.round, &open.not_returned)))
        .flat_map(|(round, gone)| gone.iter().map(move |gone| (round, gone)))
        .map(|(round, gone)| format!("{} — {} (round {round})", gone.lens, line(&gone.reason)))
        .collect();
    let mut text = format!(
        "\n## Coverage\n\n- Catalog lenses not selected this run: {}\n- Not returned (failures, with reasons): {}\n{BLIND}",
        or_none(list(&unselected)),
        or_none(missing.join(", ")),
    );
    let stale: Vec<String> = x
        .into_iter()
        .flat_map(|x| &x.stale)
        .filter(|stale| !stale.was.is_empty())
        .map(|stale| {
            let slug = state.entry(stale.sr_id).map_or("?", |entry| &entry.slug);
            format!(
                "{} ({}; section {} is gone)",
                stale.sr_id,
                line(&stale.was.join(", ")),
                line(slug)
            )
        })
        .collect();
    if !stale.is_empty() {
        text.push_str(&format!("- Dropped as stale: {}\n", stale.join(", ")));
    }
    if let Some(open) = open.filter(|_| state.status != Status::InProgress) {
        text.push_str(&format!(
            "- Round {} was not finished: {} findings, {} rejected candidates in the log.\n",
            open.round,
            open.raw.len(),
            open.rejected.len(),
        ));
    }
    if !missing.is_empty() {
        text.push_str("- WARNING: shallow coverage, not every lens that was asked returned.\n");
    }
    text
}

fn recovery(state: &Sidecar, x: Option<&ReviewGate>) -> String {
    let mut text = format!("\n## Recovery\n\n- Touched: {}\n", line(&state.spec_path));
    let run = x.and_then(|x| x.runs.last());
    if let Some(snapshot) = run.and_then(|run| run.snapshot.as_deref()) {
        text.push_str(&format!(
            "- Snapshot: {}; copy it over the spec; do not use git restore\n",
            line(snapshot)
        ));
    }
    text.push_str("- Nothing was committed.\n");
    text
}

/// What the first finding of a row says; a carried row has its phrase.
fn described(state: &Sidecar, x: Option<&ReviewGate>, round: u32, id: SrId) -> String {
    let kept = x.and_then(|x| x.rounds.iter().find(|kept| kept.round == round));
    kept.and_then(|kept| kept.raw.iter().find(|raw| raw.sr_id == Some(id)))
        .map(|raw| raw.description.as_str())
        .or_else(|| state.entry(id).map(|entry| entry.phrase.as_str()))
        .map(line)
        .unwrap_or_default()
}

fn decided(state: &Sidecar, decision: Decision) -> impl Iterator<Item = String> {
    let ids = state
        .decisions
        .iter()
        .filter(move |(_, made)| made.decision == decision);
    ids.map(|(id, _)| match state.entry(*id) {
        Some(entry) => format!("- {id} ({}): {}\n", entry.severity, line(&entry.phrase)),
        None => format!("- {id}\n"),
    })
}

fn section(name: &str, bullets: impl Iterator<Item = String>) -> String {
    let bullets: String = bullets.collect();
    let body = if bullets.is_empty() { "None\n" } else { &bullets };
    format!("\n## {name}\n\n{body}")
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items
        .into_iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}

/// On one line, without anything that a terminal would obey.
fn line(text: &str) -> String {
    sanitise(
        text.trim()
            .replace("\r\n", " ")
            .replace(['\n', '\r'], " ")
            .as_str(),
    )
}

#[cfg(test)]
mod tests {
    use super::report;
    use crate::spec::machine::{apply, read_event};

    const EVENTS: &str = r#"[
        {"e": "init", "spec_path": "d/a.md", "hash": "00", "mode": "auto", "caps": {"rounds": 3, "dispatches": 60, "seconds": 1800}},
        {"e": "panel", "lenses": ["internal-consistency", "ambiguity-testability", "ux"], "rationale": "why", "units": ["Goal", "Scope"]},
        {"e": "intake", "lens": "internal-consistency", "rejected": ["no\ndefect"], "seconds": 5, "findings": [
            {"severity": "minor", "slug": "goal", "description": "two\nlines"}]},
        {"e": "intake", "lens": "ambiguity-testability", "findings": [], "rejected": []},
        {"e": "absent", "lens": "ux", "reason": "timed out"},
        {"e": "seal", "phrases": {"r1.internal-consistency.1": "limit is not stated"}}]"#;

    const REPORT: &str = "# Spec-review loop report — a.md

**Run:** 1 · **Mode:** auto · **Budgets used:** 1/3 iterations, 4/60 dispatches, 5/1800 s · **Terminal status:** CONVERGED (low-confidence) · **Verdict:** Re-reviewed (advisory)

## Round 1 — panel: internal-consistency, ambiguity-testability, ux

Units: Goal · Scope

why

| SR | severity | lenses | outcome |
|---|---|---|---|
| SR-001 | minor | internal-consistency | reported-only |

- SR-001: two lines

## Coverage

- Catalog lenses not selected this run: completeness, feasibility, doctrine-compliance, contracts
- Not returned (failures, with reasons): ux — timed out (round 1)
- Standing oracle blind spots: what the author meant, facts outside the text, requirements nobody wrote down.
- WARNING: shallow coverage, not every lens that was asked returned.

## Rejected by the panel (self-falsification)

- [internal-consistency] no defect

## Accepted risks (user-decided)

None

## Declined (user-decided)

None

## Residual risks

- Text that pleases the reviewers may win over text that is right.
- Another panel may find other things.
- A lens may leave its mandate.
- There is no ceiling on tokens.
- Same-defect judgements are opinions.
- Whether a person was there is not proved.

## Recovery

- Touched: d/a.md
- Nothing was committed.
";

    #[test]
    fn a_converged_run_is_told_round_by_round() {
        let events: Vec<serde_json::Value> = serde_json::from_str(EVENTS).unwrap();
        let mut state = None;
        for event in events {
            state = Some(apply(state.as_ref(), &read_event(event).unwrap()).unwrap());
        }
        assert_eq!(report(&state.unwrap()), REPORT);
    }
}
