//! Token efficiency: tokens for each changed line, or for each call where the sizes of the changes differ too much.

use super::{Part, known, of_all};
use crate::model::quality::{Area, AreaSummary};
use crate::quality::input::Measured;
use crate::quality::input::typed::{Accounting, Tokens};
use crate::quality::primitive;
use crate::quality::table::number;

/// How much of the accounting is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Accounted {
    Complete,
    Partial,
    Missing,
}

/// What was spent, and for what; each may be unknown.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    /// All tokens.
    pub used: Option<u64>,
    /// Calls of the provider.
    pub calls: Option<u64>,
    /// Tokens for each changed line.
    pub per_line: Option<f64>,
    /// Tokens for each call.
    pub per_call: Option<f64>,
}

/// What an input says about tokens. Cached tokens are part of the input and reasoning is part of the output: they are
/// never added again.
pub fn spent(input: &Measured) -> Spent {
    let of = &input.tokens;
    let used = match accounted(&of.accounting) {
        Accounted::Complete => of.accounting.total.or_else(|| disjoint(&of.accounting)),
        Accounted::Partial | Accounted::Missing => of.tokens_used,
    };
    let calls = of.accounting.provider_calls.or(input.batches.provider_calls);
    Spent {
        used,
        calls,
        per_line: quotient(used, Some(of.changed_lines)),
        per_call: quotient(used, calls),
    }
}

fn accounted(of: &Accounting) -> Accounted {
    let classes = [
        of.input_tokens,
        of.cached_input_tokens,
        of.output_tokens,
        of.reasoning_output_tokens,
        of.memory_tokens,
        of.retry_tokens,
    ];
    match classes.iter().flatten().count() {
        0 => Accounted::Missing,
        6 => Accounted::Complete,
        _ => Accounted::Partial,
    }
}

fn disjoint(of: &Accounting) -> Option<u64> {
    Some(of.input_tokens? + of.output_tokens? + of.memory_tokens? + of.retry_tokens?)
}

#[expect(clippy::cast_precision_loss, reason = "counts are at most 2^53")]
fn quotient(part: Option<u64>, whole: Option<u64>) -> Option<f64> {
    let (part, whole) = (part?, whole?);
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Whether the change is of a size that can be compared by lines.
fn is_comparable(of: &Tokens) -> bool {
    of.baseline_changed_lines
        .is_none_or(|baseline| 2 * of.changed_lines >= baseline && of.changed_lines <= 2 * baseline)
}

pub(super) fn efficiency(input: &Measured) -> AreaSummary {
    let of = &input.tokens;
    let spent = spent(input);
    // A small change has the same fixed cost of a prompt as a large one, so calls are compared instead. The one never
    // stands in for the other where its own baseline is missing.
    let (basis, current, baseline) = if is_comparable(of) {
        (
            "changed-line",
            spent.per_line,
            of.baseline_tokens_per_changed_line,
        )
    } else {
        (
            "provider-call",
            spent.per_call,
            of.baseline_tokens_per_provider_call,
        )
    };
    let shown =
        |value: Option<f64>| value.map_or_else(|| "missing".to_owned(), |value| format!("{value:.2}"));
    let part = Part::new(
        primitive::tokens(current, baseline),
        format!("{} tokens a {basis} against {}", shown(current), shown(baseline)),
    );
    let accounting = match accounted(&of.accounting) {
        Accounted::Complete => "complete",
        Accounted::Partial => "partial",
        Accounted::Missing => "missing",
    };
    of_all(
        Area::TokenEfficiency,
        &[part],
        vec![
            ("tokensUsed", known(spent.used)),
            ("changedLines", of.changed_lines.into()),
            ("baselineChangedLines", known(of.baseline_changed_lines)),
            ("tokensPerChangedLine", known(spent.per_line.map(number))),
            (
                "baselineTokensPerChangedLine",
                known(of.baseline_tokens_per_changed_line.map(number)),
            ),
            ("providerCalls", known(spent.calls)),
            ("tokensPerProviderCall", known(spent.per_call.map(number))),
            (
                "baselineTokensPerProviderCall",
                known(of.baseline_tokens_per_provider_call.map(number)),
            ),
            ("comparisonBasis", basis.into()),
            ("accounting", accounting.into()),
        ],
    )
}
