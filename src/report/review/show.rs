//! Where a review stands, for people, for programs, and as Markdown.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::dimension::{Dimension, DimensionVerdict};
use crate::model::final_review::{Confidence, FinalReviewOutput, Marker};
use crate::model::outcome::review::{Basis, Shown, ShownDimension, ShownRecord, ShownRuling};
use crate::model::text::sanitise;
use crate::report::markdown::escape;
use crate::report::wrap::wrapped;

/// `review show`, `review record`, `review run`, `review rule`
#[derive(Debug, Serialize, JsonSchema)]
pub struct StateJson<'a> {
    schema: &'static str,
    version: u32,
    /// The id of the review.
    rid: &'a str,
    /// The branch, by its short name.
    branch: &'a str,
    /// What the commit is compared with.
    base: String,
    /// The commit.
    head: String,
    /// Whether any record counts: `none`, `stale`, `counting`, or `invalid` where one that would is not valid.
    basis: &'static str,
    /// What stands, for each dimension; empty where there is no record.
    dimensions: Vec<DimensionJson<'a>>,
    /// Whether records count and all four dimensions pass.
    all_pass: bool,
    /// The dimensions that do not pass.
    needs_attention: &'a [Dimension],
    /// Every record, the earliest first.
    records: Vec<RecordJson<'a>>,
    /// The event that was written just now.
    wrote: Option<String>,
}

/// What stands for one dimension.
#[derive(Debug, Serialize, JsonSchema)]
struct DimensionJson<'a> {
    /// The dimension.
    dimension: Dimension,
    /// The worst verdict of the records.
    verdict: DimensionVerdict,
    /// How sure it is.
    confidence: Confidence,
    /// What the gates said.
    markers: &'a [Marker],
    /// Why it is worse than the records say.
    notes: &'a [String],
    /// Whether it passes: by itself, or because a person ruled so.
    passes: bool,
    /// The ruling that decides.
    ruling: Option<RulingJson<'a>>,
}

/// A ruling.
#[derive(Debug, Serialize, JsonSchema)]
struct RulingJson<'a> {
    /// Its event.
    id: String,
    /// `pass` or `fail`.
    verdict: &'static str,
    /// Who ruled: name.
    name: &'a str,
    /// Who ruled: address.
    email: &'a str,
    /// When, as their clock had it.
    at: &'a str,
    /// Why.
    reason: &'a str,
    /// Whether they authored a commit of the change.
    by_author: bool,
}

/// A record and what became of it.
#[derive(Debug, Serialize, JsonSchema)]
struct RecordJson<'a> {
    /// Its event.
    id: String,
    /// The review it belongs to.
    review: &'a str,
    /// In whose name.
    origin: &'a str,
    /// Who recorded it: address.
    email: &'a str,
    /// When, as their clock had it.
    at: &'a str,
    /// The commit it speaks of.
    head: String,
    /// The packet it answers.
    packet: String,
    /// Whether it is part of what stands.
    counts: bool,
    /// Why it counts, or why not.
    why: &'a str,
    /// The whole answer after the gates.
    output: Option<&'a FinalReviewOutput>,
}

/// As JSON.
pub fn json(shown: &Shown) -> String {
    let object = StateJson {
        schema: "review-gate/review-state",
        version: 1,
        rid: shown.review.as_str(),
        branch: &shown.branch,
        base: shown.base.to_hex(),
        head: shown.head.to_hex(),
        basis: match shown.basis {
            Basis::None => "none",
            Basis::Stale => "stale",
            Basis::Counting => "counting",
            Basis::Invalid => "invalid",
        },
        dimensions: shown
            .dimensions
            .iter()
            .map(|(dimension, stands)| dimension_json(*dimension, stands))
            .collect(),
        all_pass: shown.all_pass,
        needs_attention: &shown.needs_attention,
        records: shown.records.iter().map(record_json).collect(),
        wrote: shown.wrote.map(|id| id.to_hex()),
    };
    let mut text = serde_json::to_string_pretty(&object).expect("structs of texts serialise");
    text.push('\n');
    text
}

fn dimension_json(dimension: Dimension, stands: &ShownDimension) -> DimensionJson<'_> {
    DimensionJson {
        dimension,
        verdict: stands.verdict,
        confidence: stands.confidence,
        markers: &stands.markers,
        notes: &stands.notes,
        passes: stands.passes,
        ruling: stands.ruling.as_ref().map(|ruling| RulingJson {
            id: ruling.id.to_hex(),
            verdict: ruling.verdict.as_str(),
            name: &ruling.by.name,
            email: &ruling.by.email,
            at: &ruling.at,
            reason: &ruling.reason,
            by_author: ruling.by_author,
        }),
    }
}

fn record_json(record: &ShownRecord) -> RecordJson<'_> {
    RecordJson {
        id: record.id.to_hex(),
        review: record.review.as_str(),
        origin: &record.origin,
        email: &record.by.email,
        at: &record.at,
        head: record.head.to_hex(),
        packet: record.packet.to_hex(),
        counts: record.counts,
        why: &record.why,
        output: record.output.as_ref(),
    }
}

/// The word for a verdict that people read.
const fn word(verdict: DimensionVerdict) -> &'static str {
    match verdict {
        DimensionVerdict::Fail => "fail",
        DimensionVerdict::Inconclusive => "needs-human",
        DimensionVerdict::Pass => "pass",
    }
}

/// For people; the last line says whether all pass.
pub fn human(shown: &Shown) -> String {
    let mut text = String::new();
    if let Some(id) = shown.wrote {
        let _ = writeln!(text, "Recorded {}.", &id.to_hex()[..12]);
    }
    let _ = writeln!(
        text,
        "Review {} of {}: {} against {}",
        sanitise(shown.review.as_str()),
        sanitise(&shown.branch),
        shown.head.short(),
        shown.base.short()
    );
    for (dimension, stands) in &shown.dimensions {
        let passes = match (stands.passes, &stands.ruling, stands.verdict) {
            (false, None, DimensionVerdict::Pass) => ", needs attention",
            _ => "",
        };
        let _ = writeln!(
            text,
            "{:<29} {}, {} confidence{passes}",
            dimension.as_str(),
            word(stands.verdict),
            stands.confidence
        );
        for marker in &stands.markers {
            let line = format!("{} ({}): {}", marker.marker, marker.effect, marker.text);
            wrapped(&mut text, "  ", &line);
        }
        for note in &stands.notes {
            wrapped(&mut text, "  ", note);
        }
        if let Some(ruling) = &stands.ruling {
            wrapped(&mut text, "  ", &ruled(ruling));
        }
    }
    if shown.records.is_empty() {
        text.push_str("There is no record.\n");
    }
    for (title, counts) in [("counts:", true), ("does not count:", false)] {
        let mut records = shown
            .records
            .iter()
            .filter(|record| record.counts == counts)
            .peekable();
        if records.peek().is_some() {
            let _ = writeln!(text, "{title}");
        }
        for record in records {
            wrapped(&mut text, "  ", &line(record));
        }
    }
    let _ = writeln!(text, "{}", last(shown));
    text
}

fn ruled(ruling: &ShownRuling) -> String {
    let author = if ruling.by_author {
        ", author of this change"
    } else {
        ""
    };
    format!(
        "ruled {} by {} <{}>{author}: {}",
        ruling.verdict, ruling.by.name, ruling.by.email, ruling.reason
    )
}

fn line(record: &ShownRecord) -> String {
    format!(
        "{} by {}, packet {} of {}: {}",
        &record.id.to_hex()[..12],
        record.origin,
        &record.packet.to_hex()[..12],
        record.head.short(),
        record.why
    )
}

/// `all pass`, or which do not.
fn last(shown: &Shown) -> String {
    if shown.all_pass {
        return "all pass".to_owned();
    }
    let names: Vec<&str> = shown.needs_attention.iter().map(|one| one.as_str()).collect();
    match (shown.basis, names.is_empty()) {
        (Basis::Counting | Basis::None, _) | (_, false) => format!("not all pass: {}", names.join(", ")),
        (Basis::Stale, true) => "not all pass: no record counts".to_owned(),
        (Basis::Invalid, true) => "not all pass: a record is not valid".to_owned(),
    }
}

/// As Markdown; everything foreign is escaped.
pub fn markdown(shown: &Shown) -> String {
    let mut text = format!(
        "## Review {} of {}\n\n`{}` against `{}`: **{}**\n\n",
        escape(shown.review.as_str()),
        escape(&shown.branch),
        shown.head.short(),
        shown.base.short(),
        last(shown)
    );
    if !shown.dimensions.is_empty() {
        text.push_str("| dimension | verdict | confidence | why |\n|---|---|---|---|\n");
    }
    for (dimension, stands) in &shown.dimensions {
        let mut why: Vec<String> = stands
            .markers
            .iter()
            .map(|marker| format!("{}: {}", marker.marker, marker.text))
            .chain(stands.notes.iter().cloned())
            .collect();
        why.extend(stands.ruling.as_ref().map(ruled));
        let why: Vec<String> = why.iter().map(|line| escape(line)).collect();
        let _ = writeln!(
            text,
            "| {dimension} | {} | {} | {} |",
            word(stands.verdict),
            stands.confidence,
            why.join("<br>")
        );
    }
    if !shown.records.is_empty() {
        text.push_str("\n| record | by | packet | commit | counts | why |\n|---|---|---|---|---|---|\n");
    }
    for record in &shown.records {
        let _ = writeln!(
            text,
            "| `{}` | {} | `{}` | `{}` | {} | {} |",
            &record.id.to_hex()[..12],
            escape(&record.origin),
            &record.packet.to_hex()[..12],
            record.head.short(),
            if record.counts { "yes" } else { "no" },
            escape(&record.why)
        );
    }
    text
}
