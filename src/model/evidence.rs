//! The lines below a fact in text for people: where it stands, and what was found there.

use super::fact::{Class, Fact, Span, Tier};
use super::text::sanitise;

/// Evidence lines have at most this many characters.
const MAX_EVIDENCE: usize = 200;

/// The lines below a fact: where, what was, what is, and what else there is to say.
pub fn lines(fact: &Fact) -> Vec<String> {
    let mut lines = Vec::new();
    let mut push = |text: String| lines.push(cut(&sanitise(&text)));
    let place = |path: &str, span: &Span| {
        if span.line == span.end_line {
            format!("{path}:{}", span.line)
        } else {
            format!("{path}:{}-{}", span.line, span.end_line)
        }
    };
    let to_path = fact.to_path.as_deref().unwrap_or(&fact.path);
    match (&fact.before, &fact.after) {
        (Some(span), _) => push(place(&fact.path, span)),
        (None, Some(span)) => push(place(to_path, span)),
        (None, None) => push(fact.path.clone()),
    }
    if let Some(to_key) = &fact.to_key {
        push(format!("-> {to_key}"));
    }
    if let Some(to_path) = &fact.to_path {
        let after = fact.after.as_ref();
        push(format!(
            "-> {}",
            after.map_or_else(|| to_path.clone(), |span| place(to_path, span))
        ));
    }
    let texts = |span: &Option<Span>| span.as_ref().map(|span| span.text.clone());
    let (before, after) = (texts(&fact.before), texts(&fact.after));
    // One line alone says nothing beyond the key, unless a pattern was found in it.
    let both = before.is_some() && after.is_some() && before != after;
    let mark = before.is_none() && fact.kind.class() != Class::Add;
    if both || mark || fact.tier == Tier::H {
        before
            .filter(|text| !text.is_empty())
            .into_iter()
            .for_each(|text| push(format!("- {text}")));
        after
            .filter(|text| !text.is_empty())
            .into_iter()
            .for_each(|text| push(format!("+ {text}")));
    }
    let detail = &fact.detail;
    if let Some(members) = detail.members {
        push(format!("with {}", plural(members, "member")));
    }
    if detail.required == Some(true) {
        push("implementers must add it".to_owned());
    }
    if detail.conditional == Some(true) {
        push("by a condition".to_owned());
    }
    if let Some(from) = &detail.inherited_from {
        push(format!("inherited from {from}"));
    }
    if let (Some(before), Some(after)) = (detail.before, detail.after) {
        push(format!("{before} before, {after} after"));
    }
    if let Some(candidate) = &detail.candidate {
        push(format!("possibly now {candidate}"));
    }
    if let Some(rule) = &detail.rule {
        push(format!("rule: {rule}"));
    }
    if detail.with_source == Some(false) {
        push("no source changed in this range".to_owned());
    }
    lines
}

/// Cuts a line of evidence to its limit, with `…`.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_EVIDENCE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `1 file`, `2 files`.
pub fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
