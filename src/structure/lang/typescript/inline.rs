//! Inline snapshots: text that a runner writes into the test itself.

use std::ops::Range;

use crate::structure::lexer::Kind;
use crate::structure::lexer::lines::text_of;
use crate::structure::outline::InlineSnapshot;

use super::body::call_of;
use super::view::View;

/// The tokens of the text of an inline snapshot in a statement.
pub(super) fn inline_text(view: &View<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    range.clone().find_map(|at| snapshot_text(view, at))
}

/// The tokens of the snapshot when its matcher stands here.
pub(super) fn snapshot_text(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    let name = matches!(
        view.text(at),
        b"toMatchInlineSnapshot" | b"toThrowErrorMatchingInlineSnapshot"
    );
    let open = call_of(view, at).filter(|_| name)?;
    let text = view.parts(view.inside(open)).pop()?;
    let is_text = view.kind(text.start) == Some(Kind::Text) || view.opens(text.start, b'`');
    is_text.then_some(text)
}

/// The inline snapshot whose matcher stands here.
pub(super) fn inline_snapshot(view: &View<'_>, at: usize, line: u32) -> Option<InlineSnapshot> {
    let tokens = snapshot_text(view, at)?;
    let whole = &view.source[view.bytes(&tokens)];
    let inside = whole.get(1..whole.len().max(2) - 1).unwrap_or_default();
    Some(InlineSnapshot {
        line,
        text: dedented(&text_of(inside)),
    })
}

/// A text without the indentation that all of its lines share, and without empty lines around it.
pub(super) fn dedented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let filled = |line: &&&str| !line.trim().is_empty();
    let indent = lines
        .iter()
        .skip(1)
        .filter(filled)
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let kept: Vec<&str> = lines
        .iter()
        .enumerate()
        .map(|(number, line)| {
            if number == 0 {
                line
            } else {
                line.get(indent..).unwrap_or("")
            }
        })
        .collect();
    kept.join("\n").trim_matches('\n').trim_end().to_owned()
}
